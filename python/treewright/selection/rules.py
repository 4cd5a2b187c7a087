"""What a search may do, checked: lists of features, steps, and what a complete search is after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.memory import CACHE_MEMORY, bytes_or_none, memory_limit
from treewright._base.params import (
    flag,
    is_whole,
    number,
    one_of,
    whole_number,
    whole_number_or_none,
)
from treewright._base.wording import NO_VALUE, UNSET, Param
from treewright.data.feature_lists import FeatureLists
from treewright.trees.distinct_tree import ORDERS

BEYOND_COUNT = 2**62
"""More trees than can be built."""

MOST_IN_ALL = 2**33
"""More than the leaves and the features of a tree together: no tree costs so often what all errors do."""


@dataclass(frozen=True)
class StepRules:
    """Options of a search by single steps, as the user gave them.

    What can be checked without data is, here; `for_engine` checks the rest.
    """

    direction: str
    floating: bool
    required_features: object
    feature_groups: object
    start_from: object
    tolerance: float = 0
    validation_leaf_penalty: float = 0
    validation_feature_penalty: float = 0
    parsimonious: bool = False
    min_features: int = 0
    max_features: int | None = None

    def __post_init__(self) -> None:
        """Refuse a value that no data would make legal."""
        flag("floating", self.floating)
        flag("parsimonious", self.parsimonious)
        check_tolerance(self.tolerance)
        check_penalties(self.validation_leaf_penalty, self.validation_feature_penalty)
        if self.tolerance and self.floating:
            raise ParameterError(
                "tolerance",
                self.tolerance,
                (
                    "does not go with ",
                    Param("floating", True),
                    ": a step may raise the errors by the tolerance and a step back lower them again, so "
                    "that the search could go round for ever",
                ),
                ("choose ", Param("tolerance", 0), " or ", Param("floating", False)),
            )
        whole_number("min_features", self.min_features, least=0, remedy="0 lets every feature go")
        whole_number_or_none("max_features", self.max_features, least=0, remedy=(NO_VALUE, " for no limit"))

    def for_engine(self, names: Sequence[str], usual_loss: float, most: float) -> _core.SelectionRules:
        """Return the options as the engine takes them.

        A tolerance may be a share of the usual loss; `most` is what all validation samples can cost.
        """
        lists = FeatureLists(names)
        units = self._units(lists, len(names))
        named = {*lists.features("required_features", self.required_features)}
        required = sorted(position for unit in units if not named.isdisjoint(unit) for position in unit)
        start = self._start(lists, units, named)
        self._check_limits(len(names) if start is None else len({*start, *required}))
        return _core.SelectionRules(
            direction=self.direction,
            floating=bool(self.floating),
            tolerance=in_samples(self.tolerance, usual_loss, MOST_IN_ALL * most),
            leaf_penalty=min(float(self.validation_leaf_penalty), most),
            feature_penalty=min(float(self.validation_feature_penalty), most),
            parsimonious=bool(self.parsimonious),
            min_features=int(self.min_features),
            max_features=None if self.max_features is None else int(self.max_features),
            units=units,
            required=required,
            start=start,
        )

    def _units(self, lists: FeatureLists, n_features: int) -> list[list[int]]:
        """Return what moves together, in the order of the lowest feature: groups, and features alone."""
        groups = lists.groups("feature_groups", self.feature_groups)
        grouped = {position for group in groups for position in group}
        alone = [[position] for position in range(n_features) if position not in grouped]
        return sorted([*groups, *alone])

    def _start(self, lists: FeatureLists, units: list[list[int]], required: set[int]) -> list[int] | None:
        """Return the features to start from; None is all of them."""
        if self.start_from is None:
            return None if self.direction == "backward" else []
        start = {*lists.features("start_from", self.start_from)}
        for unit in units:
            absent = [position for position in unit if position not in start]
            if 0 < len(absent) < len(unit):
                raise ParameterError(
                    "start_from",
                    UNSET,
                    (
                        "has only a part of a group of ",
                        Param("feature_groups"),
                        f": {lists.shown(absent[0])} is not in it",
                    ),
                    "name all features of the group or none",
                )
        for position in sorted(required - start):
            required_features = Param("required_features")
            raise ParameterError(
                "start_from",
                UNSET,
                (f"leaves out {lists.shown(position)}, which ", required_features, " says must stay"),
                ("add it to ", Param("start_from"), ", or take it out of ", required_features),
            )
        return sorted(start)

    def _check_limits(self, n_start: int) -> None:
        """Refuse a number of features that the start already breaks."""
        if self.min_features > n_start:
            raise ParameterError(
                "min_features",
                self.min_features,
                f"is more than the {n_start} features that the search starts from",
                f"choose {n_start} or less",
            )
        if self.max_features is not None and self.max_features < n_start:
            raise ParameterError(
                "max_features",
                self.max_features,
                (
                    f"is fewer than the {n_start} features that the search starts from (",
                    Param("start_from"),
                    ", ",
                    Param("required_features"),
                    " and their groups)",
                ),
                f"choose {n_start} or more",
            )


@dataclass(frozen=True)
class CompleteRules:
    """Options of a complete search, as the user gave them."""

    tolerance: float
    validation_leaf_penalty: float
    validation_feature_penalty: float
    max_features: int | None
    top_k: int
    count_ties: bool
    order: str
    memory_limit: int | str | None

    def __post_init__(self) -> None:
        """Refuse a value that no data would make legal."""
        check_tolerance(self.tolerance)
        check_penalties(self.validation_leaf_penalty, self.validation_feature_penalty)
        whole_number_or_none("max_features", self.max_features, least=0, remedy=(NO_VALUE, " for no limit"))
        whole_number("top_k", self.top_k, least=1, remedy="it counts the best trees that are kept")
        flag("count_ties", self.count_ties)
        one_of("order", self.order, ORDERS)
        bytes_or_none("memory_limit", self.memory_limit)
        self._check_exactness()

    def _check_exactness(self) -> None:
        if not self.tolerance:
            return
        if self.top_k > 1:
            raise self._inexact("top_k", self.top_k, 1, "cannot say which ones are the best")
        if self.count_ties:
            raise self._inexact("count_ties", True, False, "cannot count the best ones")

    def _inexact(self, name: str, value: object, usual: object, why: str) -> ParameterError:
        """Say that a parameter asks for more than a search with a tolerance finds."""
        return ParameterError(
            "tolerance",
            self.tolerance,
            (
                "does not go with ",
                Param(name, value),
                f": a search that may pass over trees within the tolerance {why}",
            ),
            ("choose ", Param("tolerance", 0), " or ", Param(name, usual)),
        )

    def for_engine(self, n_features: int, usual_loss: float, most: float) -> _core.CompleteRules:
        """Return the options as the engine takes them.

        A tolerance may be a share of the usual loss; `most` is what all validation samples can cost.
        """
        return _core.CompleteRules(
            order=self.order,
            memory_limit=memory_limit("memory_limit", self.memory_limit, CACHE_MEMORY),
            tolerance=in_samples(self.tolerance, usual_loss, MOST_IN_ALL * most),
            leaf_penalty=min(float(self.validation_leaf_penalty), most),
            feature_penalty=min(float(self.validation_feature_penalty), most),
            max_features=None if self.max_features is None else min(int(self.max_features), n_features),
            n_best=min(int(self.top_k), BEYOND_COUNT),
            counts_ties=bool(self.count_ties),
        )


def check_tolerance(value: object) -> None:
    """Refuse what is neither a number of errors nor a share."""
    if is_whole(value):
        is_legal = value >= 0
    else:
        is_legal = not isinstance(value, bool) and isinstance(value, Real) and 0 <= float(value) < 1
    if is_legal:
        return
    raise ParameterError(
        "tolerance",
        value,
        "must be an int of at least 0, which counts errors, or a float in (0, 1), which is a share of the "
        "validation part",
        "0 allows no more errors than the fewest",
    )


def check_penalties(of_leaf: object, of_feature: object) -> None:
    """Refuse what is no number of errors."""
    remedy = "it is the number of wrong validation samples that a {} must save; 0 sets no price on {}"
    number("validation_leaf_penalty", of_leaf, least=0, remedy=remedy.format("leaf", "leaves"))
    number("validation_feature_penalty", of_feature, least=0, remedy=remedy.format("feature", "features"))


def in_samples(tolerance: float, usual_loss: float, most: float) -> float:
    """Return a tolerance as errors or cost; more than all errors can be is the same as that."""
    weight = tolerance if is_whole(tolerance) else tolerance * usual_loss
    return float(min(weight, most))
