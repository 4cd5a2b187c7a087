"""How trees answer: what wrong answers cost, and how probabilities are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import number, one_of
from treewright._base.wording import NO_VALUE, NONE_OR, UNSET, Param, Sentence, Value
from treewright.data.training import TrainingSet, class_factors
from treewright.data.types import AnyArray, FloatArray, IntArray

SHARES = ("weighted", "raw")
LAPLACE = "laplace"
FORM = (
    "give costs 0 or above, a row for each true class and a column for each predicted one, or a dict of pairs"
)
SMOOTHINGS: Sentence = (
    *(Value(LAPLACE), " adds 1 to every class, a number so many samples spread as in the root; "),
    *(NO_VALUE, " adds nothing"),
)


@dataclass(frozen=True)
class Answering:
    """Checked parameters of how a tree answers; `cost_matrix` still needs the classes."""

    cost_matrix: object = None
    probability: str = "weighted"
    smoothing: str | float | None = None

    @classmethod
    def of(cls, estimator: BaseEstimator) -> Answering:
        """Check the parameters of an estimator."""
        return cls.checked(estimator.cost_matrix, estimator.probability, estimator.smoothing)

    @classmethod
    def checked(cls, cost_matrix: object, probability: object, smoothing: object) -> Answering:
        """Check the parameters as a user gives them."""
        return cls(
            checked_form(cost_matrix), one_of("probability", probability, SHARES), _smoothing(smoothing)
        )

    def costs(self, classes: AnyArray) -> list[list[float]] | None:
        """Return the costs by true and predicted class, in the order of the classes, or None."""
        if self.cost_matrix is None:
            return None
        if isinstance(self.cost_matrix, Mapping):
            costs = _from_pairs(self.cost_matrix, classes.tolist())
        else:
            costs = _from_array(self.cost_matrix, classes)
        if not (costs > 0).any():
            raise ParameterError(
                "cost_matrix", UNSET, "has no cost above 0, so every answer is as good", FORM
            )
        rows: list[list[float]] = costs.tolist()
        return rows

    def prices(self, classes: AnyArray) -> Prices:
        """Return what each answer costs, in the order of the classes."""
        return Prices.of(self.costs(classes), len(classes))

    def losses(self, target: AnyArray, answers: AnyArray, classes: AnyArray) -> FloatArray:
        """Return what each answer costs: without costs, 1 where it is wrong."""
        return self.prices(classes).losses(target, answers)

    def given_to(
        self, tree: _core.Tree, training: TrainingSet, row_weight: float | None = None
    ) -> _core.Tree:
        """Return a tree of these samples, each of that weight in it, that tells probabilities so."""
        factors = class_factors(training.class_weight, training)
        return tree.telling(self.probability, factors, self.smoothing, row_weight)


@dataclass(frozen=True, eq=False)
class Prices:
    """What each answer costs: without a cost matrix, 1 where it is wrong."""

    units: FloatArray
    """Costs by true class and answer, in whole units where they are fractions of a small denominator."""
    unit: float
    has_costs: bool

    @classmethod
    def of(cls, costs: list[list[float]] | None, n_classes: int) -> Prices:
        """Take the costs of a matrix as the engines do."""
        if costs is None:
            return cls(1.0 - np.eye(n_classes), 1.0, has_costs=False)
        units, unit = _core.whole_costs(costs)
        return cls(np.array(units, dtype=np.float64), unit, has_costs=True)

    @cached_property
    def by_class(self) -> FloatArray:
        """What a wrong answer to each class costs on the mean more than the right one; 1 if none does."""
        n_wrong = max(len(self.units) - 1, 1)
        more = (self.units - np.diag(self.units)[:, None]).clip(min=0).sum(axis=1) * (self.unit / n_wrong)
        return more if more.any() else np.ones(len(self.units))

    @property
    def largest(self) -> float:
        """The largest cost."""
        return float(self.units.max()) * self.unit

    def losses(self, target: AnyArray, answers: AnyArray) -> FloatArray:
        """Return what each answer costs."""
        found: FloatArray = self.units[target, answers] * self.unit
        return found

    def cheapest(self, weights: FloatArray) -> IntArray:
        """Return the answer of least cost to weights by class, the lowest of equals: the heaviest class."""
        badness = weights @ self.units if self.has_costs else -weights
        return np.asarray(badness.argmin(axis=-1), dtype=np.int64)

    def of_nodes(self, weights: FloatArray) -> FloatArray:
        """Return what the answer of least cost to weights by class costs."""
        if not self.has_costs:
            return np.asarray(weights.sum(axis=-1) - weights.max(axis=-1))
        return np.asarray((weights @ self.units).min(axis=-1) * self.unit)


def checked_form(cost_matrix: object) -> object:
    """Return a cost matrix that is None, a dict of pairs, or something of two dimensions."""
    if cost_matrix is None:
        return None
    if isinstance(cost_matrix, Mapping):
        for pair in cost_matrix:
            if not (isinstance(pair, tuple) and len(pair) == 2):
                remedy = "name a true and a predicted class, such as {('sick', 'well'): 10}"
                raise ParameterError("cost_matrix", UNSET, f"has the key {pair!r}, which is no pair", remedy)
        return cost_matrix
    is_text = isinstance(cost_matrix, str | bytes)
    if not is_text and np.ndim(_array(cost_matrix)) == 2:
        return cost_matrix
    raise ParameterError(
        "cost_matrix", cost_matrix, ("must be ", NONE_OR, "a square of costs or a dict"), FORM
    )


def _array(cost_matrix: object) -> AnyArray:
    try:
        return np.asarray(cost_matrix)
    except ValueError:
        return np.empty(0)


def _from_pairs(given: Mapping[Any, object], labels: list[object]) -> FloatArray:
    """Look costs up by labels; what is not named costs 1 where it is wrong, else 0."""
    costs = 1.0 - np.eye(len(labels))
    places = {label: place for place, label in enumerate(labels)}
    for pair, cost in given.items():
        for label in pair:
            if label not in places:
                remedy = f"the classes are {labels}"
                raise ParameterError("cost_matrix", UNSET, f"names {label!r}, which is no class", remedy)
        costs[places[pair[0]], places[pair[1]]] = _cost(f"cost_matrix[{pair!r}]", cost)
    return costs


def _from_array(given: object, classes: AnyArray) -> FloatArray:
    array, n = _array(given), len(classes)
    if array.shape != (n, n):
        shape = f"has the shape {array.shape}, and there are {n} classes"
        raise ParameterError("cost_matrix", UNSET, shape, f"give ({n}, {n}): rows are true classes")
    cells = [[_cost(f"cost_matrix[{i}][{j}]", array[i, j]) for j in range(n)] for i in range(n)]
    return np.array(cells, dtype=np.float64)


def _cost(name: str, value: object) -> float:
    plain = value.item() if isinstance(value, np.generic) else value
    return number(name, plain, least=0, remedy="it is what a wrong answer costs")


def _smoothing(value: object) -> str | float | None:
    if value is None:
        return None
    if isinstance(value, str):
        return one_of("smoothing", value, (LAPLACE,))
    return number("smoothing", value, least=0, remedy=SMOOTHINGS)


def refuse_costs(estimator: BaseEstimator, why: str) -> None:
    """Refuse an estimator with costs, where these would not be counted."""
    if getattr(estimator, "cost_matrix", None) is not None:
        raise ParameterError(
            "cost_matrix", UNSET, f"is not used here: {why}", ("choose ", Param("cost_matrix", None))
        )
