"""The parameters of fixed-depth trees: checked once, handed to the engine in its form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

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
from treewright.data.binning import BINNINGS, Bins
from treewright.data.intake.place import Place
from treewright.data.training import TrainingSet
from treewright.trees.fixed_depth.costs import checked_costs

SOLVERS = ("auto", "bounded", "sets", "feature_list", "exhaustive")
UNSEEN = ("stop", "skip")
CROSS_VALIDATED = "cv"
MOST_VALUES = 1000
"""Values of a feature beyond which a question has too many answers."""


class HasTask(Protocol):
    """What has the parameters of a fixed-depth tree."""

    max_depth: Any
    class_prior: Any
    value_prior: Any
    solver: Any
    n_bins: Any
    binning: Any
    feature_costs: Any
    cost_budget: Any
    trim: Any
    unseen: Any
    time_limit: Any
    n_jobs: Any


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
    feature_costs: Any
    cost_budget: Any
    trim: bool
    unseen: str
    time_limit: float | None
    n_threads: int

    @classmethod
    def of(cls, estimator: HasTask) -> FixedDepthTask:
        """Check the parameters of an estimator."""
        return cls(
            max_depth=_depth(estimator.max_depth),
            class_prior=_prior("class_prior", estimator.class_prior, "class"),
            value_prior=_prior("value_prior", estimator.value_prior, "value of a feature within each class"),
            solver=one_of("solver", estimator.solver, SOLVERS),
            n_bins=_n_bins(estimator.n_bins, estimator.binning),
            binning=one_of("binning", estimator.binning, BINNINGS),
            feature_costs=estimator.feature_costs,
            cost_budget=estimator.cost_budget,
            trim=flag("trim", estimator.trim),
            unseen=one_of("unseen", estimator.unseen, UNSEEN),
            time_limit=seconds_or_none("time_limit", estimator.time_limit),
            n_threads=n_threads(estimator.n_jobs),
        )

    def check_classes(self, n_classes: int) -> None:
        """Refuse more than two classes where the solver cannot take them; in scikit-learn's words."""
        if self.solver == "feature_list" and n_classes > 2:
            raise ParameterError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"solver='feature_list' is of two classes, and y has {n_classes}; choose 'auto', 'bounded', "
                "'sets' or 'exhaustive'"
            )

    def at_depth(self, depth: int) -> FixedDepthTask:
        """Return the same for another depth."""
        return replace(self, max_depth=depth)

    def bins(self, training: TrainingSet) -> Bins:
        """Find where the numeric features are cut; refuse features of too many values."""
        refuse_many_values(training)
        return Bins.learn(training, self.n_bins, self.binning)

    def of_engine(self, feature_names: list[str]) -> dict[str, Any]:
        """Return the parameters as the engine takes them, for these features."""
        costs, budget = checked_costs(self.feature_costs, self.cost_budget, feature_names)
        assert self.max_depth is not None, "a depth is chosen before the engine is asked"
        return {
            "depth": self.max_depth,
            "class_prior": self.class_prior,
            "value_prior": self.value_prior,
            "solver": self.solver,
            "costs": costs,
            "budget": budget,
            "trims": self.trim,
            "unseen": self.unseen,
        }


def refuse_many_values(training: TrainingSet) -> None:
    """Refuse a nominal feature that nobody could be asked for."""
    dataset = training.dataset
    for column, levels in enumerate(dataset.levels):
        if levels is not None and len(levels) > MOST_VALUES:
            place = Place.of_feature(dataset.feature_names[column], column)
            raise DataError(
                f"{place} has {len(levels):,} values, more than the {MOST_VALUES:,} that a question may have "
                "for answers; leave it out, put its values into groups, or pass it as numbers, which are cut "
                "into bins"
            )


def _depth(value: object) -> int | None:
    if isinstance(value, str) and value == CROSS_VALIDATED:
        return None
    if is_whole(value) and value >= 0:
        return min(int(value), BEYOND_DEPTH)
    raise ParameterError(
        f"max_depth={value!r} must be an int of at least 0, the number of questions on a path, or 'cv' to "
        "have it chosen by cross-validation"
    )


def _prior(name: str, value: object, what: str) -> float:
    remedy = f"it is a pseudo-count added to every {what}: 1 is Laplace's, 0 adds nothing"
    prior = number(name, value, least=0, remedy=remedy)
    if prior > 2**42:
        raise ParameterError(f"{name}={value!r} must be at most 2**42; {remedy}")
    return prior


def _n_bins(value: object, binning: object) -> int:
    n_bins = whole_number("n_bins", value, least=2, remedy="2 is one cut, and a question with two answers")
    if n_bins > MOST_VALUES:
        raise ParameterError(f"n_bins={value!r} must be at most {MOST_VALUES}; a few bins are enough")
    if isinstance(binning, str) and binning == "supervised" and n_bins != 2:
        raise ParameterError(
            f"n_bins={value!r} does not go with binning='supervised', which makes one cut; choose n_bins=2 "
            "or binning='quantile'"
        )
    return n_bins
