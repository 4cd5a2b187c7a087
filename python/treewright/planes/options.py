"""The options of a plane, checked: the same for an estimator, a fold and a node of a tree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from treewright._base.errors import ParameterError
from treewright._base.params import flag, is_whole, number, one_of, whole_number
from treewright._base.wording import UNSET, Param, Sentence, Value
from treewright.data.types import FloatArray
from treewright.planes.cross_validation import Folds

ERRORS = ("distance", "misclassified")
SELECTIONS = ("bounded", "limited", "path")
SEARCHES = ("swap", "paper")

PATH_LENGTH = 10
"""Most features of a path if the user gives no number."""


@dataclass(frozen=True, eq=False)
class PlaneOptions:
    """Checked options of a plane; `RobustLinearClassifier` says what they mean.

    `prove` is in seconds: infinite without a limit, 0 for no proof.
    """

    error: str = "distance"
    perturbation: float = 0.0
    selection: str | None = "bounded"
    error_slack: float = 0.1
    error_floor: float = 0.0
    n_features: int | None = None
    search: str = "swap"
    prove: float = 0.0
    refit: bool = True
    cv: Folds = 5
    one_standard_error: bool = False
    feature_costs: FloatArray | None = None
    n_jobs: int | None = None

    @classmethod
    def of(cls, given: Mapping[str, object], n_jobs: int | None) -> PlaneOptions:
        """Check the parameters of an estimator; what it has no parameter for is as usual."""
        chosen = given["selection"]
        selection = _selection(chosen)
        error = one_of("error", given.get("error", "distance"), ERRORS)
        if error == "misclassified":
            _refuse_of_distance(given)
        slack, floor = "0.1 lets the error grow by a tenth", "an error below it is always good enough"
        return cls(
            error=error,
            perturbation=_perturbation(given["perturbation"]),
            selection=selection,
            error_slack=number("error_slack", given["error_slack"], least=0, remedy=slack),
            error_floor=number("error_floor", given["error_floor"], least=0, remedy=floor),
            n_features=_n_features(given["n_features"], selection),
            search=one_of("search", given["search"], SEARCHES),
            prove=_prove(given.get("prove", False), selection, error),
            refit=flag("refit", given["refit"]),
            cv=_folds(given["cv"]),
            one_standard_error=flag("one_standard_error", given["one_standard_error"]),
            feature_costs=_costs(given.get("feature_costs"), selection),
            n_jobs=n_jobs,
        )

    @property
    def counts_rows(self) -> bool:
        """Whether the error is the weight of the misclassified rows."""
        return self.error == "misclassified"

    def bound(self, least_error: float) -> float:
        """Return the largest error of a plane, given the least error on all features."""
        return max((1 + self.error_slack) * least_error, self.error_floor)

    def error_bound(self, least_error: float) -> float:
        """Return the largest allowed error; infinite if only the number of features is limited."""
        if self.selection == "bounded":
            return self.bound(least_error)
        return least_error if self.selection is None else math.inf

    def most_features(self, n_features: int) -> int:
        """Return the largest number of features of a plane."""
        if self.selection == "path":
            return self.path_length(n_features)
        return n_features if self.n_features is None else min(n_features, self.n_features)

    def path_length(self, n_features: int) -> int:
        """Return the largest number of features of a path."""
        return min(n_features, PATH_LENGTH if self.n_features is None else self.n_features)


OF_DISTANCE: dict[str, tuple[object, str]] = {
    "perturbation": (0.0, "it weighs sizes of weights against distances, and misclassified rows have none"),
    "search": ("swap", "the published search minimises distances"),
    "refit": (True, "the plane always has the fewest misclassified rows that were found on its features"),
    "feature_costs": (None, "features are counted"),
}
"""What goes with distances only: the value that says nothing, and why."""


def _refuse_of_distance(given: Mapping[str, object]) -> None:
    """Refuse what has no meaning if the error counts misclassified rows."""
    for name, (usual, why) in OF_DISTANCE.items():
        value = given.get(name, usual)
        if value is not usual and not (isinstance(value, str | int | float) and value == usual):
            shown = UNSET if name == "feature_costs" else value
            goes = ("goes with ", Param("error", "distance"), ", not with ", Value("misclassified"))
            raise ParameterError(name, shown, goes, why)


def _selection(chosen: object) -> str | None:
    """Return how features are selected; None is no selection."""
    if chosen is None or (isinstance(chosen, str) and chosen in SELECTIONS):
        return chosen
    raise ParameterError("selection", chosen, "is not known", ("choose ", Value(*SELECTIONS, None)))


def _perturbation(value: object) -> float:
    checked = number("perturbation", value, least=0, remedy="0 is RLP, 0.02 the paper's RLP-P")
    if checked < 1:
        return checked
    raise ParameterError("perturbation", value, "must be below 1", "0 is RLP, 0.02 the paper's RLP-P")


def _n_features(value: object, selection: str | None) -> int | None:
    if value is None:
        if selection == "limited":
            needs = ("needs ", Param("n_features"), ", the most features of the plane")
            raise ParameterError("selection", selection, needs)
        return None
    if selection not in ("limited", "path"):
        raise ParameterError("n_features", value, _goes_with("limited", "path", but=selection))
    return whole_number("n_features", value, least=1, remedy="it is the most features of the plane")


def _goes_with(*selections: str, but: str | None) -> Sentence:
    """Return what a parameter goes with, in place of the selection that it has."""
    return "goes with ", Param("selection", *selections), ", not with ", Value(but)


def _prove(value: object, selection: str | None, error: str) -> float:
    if isinstance(value, bool | np.bool_) and not value:
        return 0.0
    if selection not in ("bounded", "limited") and error == "distance":
        allowed = _goes_with("bounded", "limited", but=selection)
        raise ParameterError("prove", value, allowed, "nothing is claimed there")
    if isinstance(value, bool | np.bool_):
        return math.inf
    remedy = "True proves without a limit, a number is seconds, False does not prove"
    return number("prove", value, least=0, open_end=True, remedy=remedy)


def _folds(value: object) -> Folds:
    """Return a number of folds, a splitter, or a list of splits by positions in the user's table."""
    if is_whole(value):
        return whole_number("cv", value, least=2, remedy="each fold is judged by a plane of the others")
    if hasattr(value, "split") and not isinstance(value, str):
        return value
    if isinstance(value, Iterable) and not isinstance(value, str):
        return list(value)
    raise ParameterError("cv", value, "must be an int of at least 2, a splitter or an iterable of splits")


def _costs(value: object, selection: str | None) -> FloatArray | None:
    if value is None:
        return None
    if selection != "bounded":
        raise ParameterError("feature_costs", UNSET, _goes_with("bounded", but=selection))
    try:
        costs = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError("feature_costs", value, "must be numbers, one a feature") from error
    if costs.ndim != 1:
        has = f"has shape {costs.shape}"
        raise ParameterError("feature_costs", UNSET, has, "give one number a feature")
    wrong = ~(np.isfinite(costs) & (costs >= 0))
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise ParameterError(
            "feature_costs",
            float(costs[place]),
            "must be a finite number of at least 0",
            "to forbid a feature, leave its column out",
            at=(place,),
        )
    return costs
