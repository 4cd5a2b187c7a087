"""What a plane is asked to be: checked parameters, the same for an estimator and a node of a tree."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._base.errors import ParameterError
from treewright._base.params import (
    flag,
    is_whole,
    number,
    one_of,
    whole_number,
)
from treewright.planes.problem import FloatArray

SELECTIONS = ("bounded", "limited", "path")
SEARCHES = ("swap", "paper")

PATH_LENGTH = 10
"""Most features of a path where nobody says how many."""


@dataclass(frozen=True, eq=False)
class PlaneOptions:
    """Checked parameters of a plane; see `RobustLinearClassifier` for their meaning.

    `prove` is in seconds: infinite without a limit, 0 for no proof.
    """

    perturbation: float = 0.0
    selection: str | None = "bounded"
    error_slack: float = 0.1
    error_floor: float = 0.0
    n_features: int | None = None
    search: str = "swap"
    prove: float = 0.0
    refit: bool = True
    cv: Any = 5
    one_standard_error: bool = False
    feature_costs: FloatArray | None = None
    n_jobs: int | None = None

    @classmethod
    def of(cls, model: Any) -> PlaneOptions:
        """Check the parameters of an estimator."""
        selection = None if model.selection is None else one_of("selection", model.selection, SELECTIONS)
        return cls(
            perturbation=_perturbation(model.perturbation),
            selection=selection,
            error_slack=number(
                "error_slack", model.error_slack, least=0, remedy="0.1 lets the error grow by a tenth"
            ),
            error_floor=number(
                "error_floor", model.error_floor, least=0, remedy="an error below it is always good enough"
            ),
            n_features=_n_features(model.n_features, selection),
            search=one_of("search", model.search, SEARCHES),
            prove=_prove(model.prove, selection),
            refit=flag("refit", model.refit),
            cv=_cv(model.cv),
            one_standard_error=flag("one_standard_error", model.one_standard_error),
            feature_costs=_costs(model.feature_costs, selection),
            n_jobs=model.n_jobs,
        )

    def bound(self, least_error: float) -> float:
        """Return the most error that a plane may have, given the least there is."""
        return max((1 + self.error_slack) * least_error, self.error_floor)

    def most_features(self, n_features: int) -> int:
        """Return the most features that a plane may have."""
        if self.selection == "path":
            return self.path_length(n_features)
        return n_features if self.n_features is None else min(n_features, self.n_features)

    def path_length(self, n_features: int) -> int:
        """Return the largest number of features of a path."""
        return min(n_features, PATH_LENGTH if self.n_features is None else self.n_features)


def _perturbation(value: object) -> float:
    checked = number("perturbation", value, least=0, remedy="0 is RLP, 0.02 the paper's RLP-P")
    if checked < 1:
        return checked
    raise ParameterError(f"perturbation={value!r} must be below 1; 0 is RLP, 0.02 the paper's RLP-P")


def _n_features(value: object, selection: str | None) -> int | None:
    if value is None:
        if selection == "limited":
            raise ParameterError("selection='limited' needs n_features, the most features of the plane")
        return None
    if selection not in ("limited", "path"):
        raise ParameterError(
            f"n_features={value!r} goes with selection='limited' or 'path', not with {selection!r}"
        )
    return whole_number("n_features", value, least=1, remedy="it is the most features of the plane")


def _prove(value: object, selection: str | None) -> float:
    if isinstance(value, bool | np.bool_) and not value:
        return 0.0
    if selection not in ("bounded", "limited"):
        raise ParameterError(
            f"prove={value!r} goes with selection='bounded' or 'limited', not with {selection!r}; "
            "nothing is claimed there"
        )
    if isinstance(value, bool | np.bool_):
        return math.inf
    remedy = "True proves without a limit, a number is seconds, False does not prove"
    return number("prove", value, least=0, open_end=True, remedy=remedy)


def _cv(value: Any) -> Any:
    """Return a number of folds, a splitter, or a list of splits by positions in the user's table."""
    if is_whole(value):
        return whole_number("cv", value, least=2, remedy="each fold is judged by a plane of the others")
    if hasattr(value, "split") and not isinstance(value, str):
        return value
    if isinstance(value, Iterable) and not isinstance(value, str):
        return list(value)
    raise ParameterError(f"cv={value!r} must be an int of at least 2, a splitter or an iterable of splits")


def _costs(value: Any, selection: str | None) -> FloatArray | None:
    if value is None:
        return None
    if selection != "bounded":
        raise ParameterError(f"feature_costs goes with selection='bounded', not with {selection!r}")
    try:
        costs = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"feature_costs={value!r} must be numbers, one a feature") from error
    if costs.ndim != 1:
        raise ParameterError(f"feature_costs has shape {costs.shape}; give one number a feature")
    wrong = ~(np.isfinite(costs) & (costs >= 0))
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise ParameterError(
            f"feature_costs[{place}]={costs[place]} must be a finite number of at least 0; "
            "to forbid a feature, leave its column out"
        )
    return costs
