"""Costs of features and the budget of a path, as whole numbers on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from treewright import _core
from treewright._base.errors import DataError, ParameterError
from treewright._base.params import (
    BEYOND_DEPTH,
    flag,
    is_whole,
    n_threads,
    number,
    one_of,
    seconds_or_none,
    whole_number,
)
from treewright._base.wording import UNSET, Feature, Param, Value
from treewright.data.binning import BINNINGS, Bins
from treewright.data.training import TrainingSet, checked_class_weight, class_factors
from treewright.trees.answering import Answering

LARGEST = 2**63 - 1
"""The largest whole number of the scale."""


def checked_costs(
    feature_costs: object, cost_budget: object, names: Sequence[str]
) -> tuple[list[int] | None, int]:
    """Return what features cost and what a path may, in whole numbers; None where nothing costs anything.

    Every cost is the shortest decimal number that reads back as it, so that 0.1 and 0.2 together are within
    a budget of 0.3. A budget between two whole numbers of the scale is the lower one: no path costs what is
    between them.

    >>> checked_costs([0.1, 0.2, 1.5], 0.3, ["a", "b", "c"])
    ([1, 2, 15], 3)
    """
    if feature_costs is None and cost_budget is None:
        return None, 0
    if feature_costs is None or cost_budget is None:
        given, absent = ("cost_budget", "feature_costs")[:: 1 if feature_costs is None else -1]
        both = ("give both, or neither for a limit by ", Param("max_depth"), " alone")
        raise ParameterError(given, UNSET, ("came without ", Param(absent)), both)
    costs = [_cost(cost, position, names) for position, cost in enumerate(_listed(feature_costs, names))]
    budget = _exact(cost_budget)
    if budget is None:
        allowed = "must be a finite number of at least 0"
        remedy = "it is what the features of a path may cost altogether"
        raise ParameterError("cost_budget", cost_budget, allowed, remedy)
    return _on_one_scale(costs, budget, names)


def _listed(feature_costs: Any, names: Sequence[str]) -> list[object]:
    """Return the costs as a list of one a feature."""
    array = feature_costs if hasattr(feature_costs, "__len__") else np.asarray(feature_costs)
    shape = np.shape(array)
    if shape != (len(names),) or isinstance(array, str | dict):
        found = type(feature_costs).__name__ if isinstance(array, str | dict) else f"shape {shape}"
        allowed = f"has {found} where shape ({len(names)},) is needed"
        remedy = "give one number a feature, in the order of the columns"
        raise ParameterError("feature_costs", UNSET, allowed, remedy)
    return list(array)


def _cost(cost: object, position: int, names: Sequence[str]) -> Fraction:
    exact = _exact(cost)
    if exact is None:
        allowed = f"of feature {names[position]!r} must be a finite number of at least 0"
        remedy = "leave a feature out of the data if it cannot be tested"
        raise ParameterError("feature_costs", cost, allowed, remedy, at=(position,))
    return exact


def _exact(number: object) -> Fraction | None:
    """Return a number as its shortest decimal; None if it is no finite number of at least 0."""
    if isinstance(number, bool | np.bool_) or not isinstance(number, Real | Decimal):
        return None
    if isinstance(number, Rational):
        exact = Fraction(int(number.numerator), int(number.denominator))
    elif not math.isfinite(number):
        return None
    else:
        exact = Fraction(str(number))
    return exact if exact >= 0 else None


def _on_one_scale(costs: list[Fraction], budget: Fraction, names: Sequence[str]) -> tuple[list[int], int]:
    """Multiply all by one number that makes the costs whole, as small as can be."""
    finest = math.lcm(*(cost.denominator for cost in costs))
    whole = [int(cost * finest) for cost in costs]
    shared = math.gcd(*whole) or 1
    scaled = [cost // shared for cost in whole]
    if max(scaled, default=0) > LARGEST:
        low, high = min(cost for cost in costs if cost), max(costs)
        finest_name, dearest_name = names[costs.index(low)], names[costs.index(high)]
        allowed = (
            f"are on too fine a scale: {float(low):g} of feature {finest_name!r} and {float(high):g} of "
            f"feature {dearest_name!r} need whole numbers above 2**63 to be exact"
        )
        raise ParameterError("feature_costs", UNSET, allowed, "round them")
    return scaled, min(int(budget * finest / shared), LARGEST)


SOLVERS = ("auto", "bounded", "sets", "feature_list", "exhaustive")
UNSEEN = ("stop", "skip")
CROSS_VALIDATED = "cv"
MOST_VALUES = 1000
"""Values of a feature beyond which a question has too many answers."""


@dataclass(frozen=True)
class FixedDepthTask:
    """Checked parameters; costs still need the features."""

    max_depth: int | None
    """None: chosen by cross-validation."""
    class_prior: float
    value_prior: float
    solver: str
    n_bins: int
    binning: str
    feature_costs: object
    cost_budget: object
    trim: bool
    unseen: str
    class_weight: object
    answering: Answering
    time_limit: float | None
    n_threads: int

    @classmethod
    def of(cls, estimator: BaseEstimator) -> FixedDepthTask:
        """Check the parameters of an estimator."""
        given = estimator.get_params(deep=False)
        return cls(
            max_depth=_depth(given["max_depth"]),
            class_prior=_prior("class_prior", given["class_prior"], "class"),
            value_prior=_prior("value_prior", given["value_prior"], "value of a feature within each class"),
            solver=one_of("solver", given["solver"], SOLVERS),
            n_bins=_n_bins(given["n_bins"], given["binning"]),
            binning=one_of("binning", given["binning"], BINNINGS),
            feature_costs=given["feature_costs"],
            cost_budget=given["cost_budget"],
            trim=flag("trim", given["trim"]),
            unseen=one_of("unseen", given["unseen"], UNSEEN),
            class_weight=checked_class_weight(given["class_weight"]),
            answering=Answering.of(estimator),
            time_limit=seconds_or_none("time_limit", given["time_limit"]),
            n_threads=n_threads(given["n_jobs"]),
        )

    def check_classes(self, n_classes: int) -> None:
        """Refuse more than two classes where the solver cannot take them; in scikit-learn's words."""
        if self.solver == "feature_list" and n_classes > 2:
            allowed = (
                "is of two classes, and ",
                Param("y"),
                f" has {n_classes}. Only binary classification is supported. "
                "The type of the target is multiclass",
            )
            remedy = ("choose ", Value(*(name for name in SOLVERS if name != self.solver)))
            raise ParameterError("solver", self.solver, allowed, remedy)

    def at_depth(self, depth: int) -> FixedDepthTask:
        """Return the same for another depth."""
        return replace(self, max_depth=depth)

    def bins(self, training: TrainingSet) -> Bins:
        """Find where the numeric features are cut; refuse features of too many values."""
        refuse_many_values(training)
        return Bins.learn(training, self.n_bins, self.binning)

    def of_engine(self, training: TrainingSet) -> _core.FixedDepthTask:
        """Return the parameters as the engine takes them, for the features and classes of this data."""
        names = training.dataset.feature_names
        costs, budget = checked_costs(self.feature_costs, self.cost_budget, names)
        assert self.max_depth is not None, "a depth is chosen before the engine is asked"
        return _core.FixedDepthTask(
            depth=self.max_depth,
            class_prior=self.class_prior,
            value_prior=self.value_prior,
            solver=self.solver,
            costs=costs,
            budget=budget,
            trims=self.trim,
            unseen=self.unseen,
            cost_matrix=self.answering.costs(training.classes),
            class_weight=class_factors(training.class_weight, training),
        )


def refuse_many_values(training: TrainingSet) -> None:
    """Refuse a nominal feature that nobody could be asked for."""
    dataset = training.dataset
    for column, levels in enumerate(dataset.levels):
        if levels is not None and len(levels) > MOST_VALUES:
            raise DataError(
                Feature(dataset.feature_names[column], column),
                f" has {len(levels):,} values, more than the {MOST_VALUES:,} that a question may have "
                "for answers; leave it out, put its values into groups, or pass it as numbers, which are cut "
                "into bins",
            )


def _depth(value: object) -> int | None:
    if isinstance(value, str) and value == CROSS_VALIDATED:
        return None
    if is_whole(value) and value >= 0:
        return min(int(value), BEYOND_DEPTH)
    allowed = (
        "must be an int of at least 0, the number of questions on a path, or ",
        Value(CROSS_VALIDATED),
        " to have it chosen by cross-validation",
    )
    raise ParameterError("max_depth", value, allowed)


def _prior(name: str, value: object, what: str) -> float:
    remedy = f"it is a pseudo-count added to every {what}: 1 is Laplace's, 0 adds nothing"
    prior = number(name, value, least=0, remedy=remedy)
    if prior > 2**42:
        raise ParameterError(name, value, "must be at most 2**42", remedy)
    return prior


def _n_bins(value: object, binning: object) -> int:
    n_bins = whole_number("n_bins", value, least=2, remedy="2 is one cut, and a question with two answers")
    if n_bins > MOST_VALUES:
        raise ParameterError("n_bins", value, f"must be at most {MOST_VALUES}", "a few bins are enough")
    if isinstance(binning, str) and binning == "supervised" and n_bins != 2:
        allowed = ("does not go with ", Param("binning", binning), ", which makes one cut")
        remedy = ("choose ", Param("n_bins", 2), " or ", Param("binning", "quantile"))
        raise ParameterError("n_bins", value, allowed, remedy)
    return n_bins
