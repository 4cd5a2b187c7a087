"""What a search by single steps may do: checked, and in the form of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewright._base.errors import ParameterError
from treewright._base.params import (
    flag,
    whole_number,
    whole_number_or_none,
)
from treewright.selection.feature_lists import FeatureLists
from treewright.selection.tolerance import check_tolerance, in_samples


@dataclass(frozen=True)
class StepRules:
    """Options of a search by single steps, as the user gave them.

    What can be checked without data is, here; `for_engine` checks the rest.
    """

    direction: str
    floating: Any
    required_features: Any
    feature_groups: Any
    start_from: Any
    tolerance: Any = 0
    parsimonious: Any = False
    min_features: Any = 0
    max_features: Any = None

    def __post_init__(self) -> None:
        """Refuse a value that no data would make legal."""
        flag("floating", self.floating)
        flag("parsimonious", self.parsimonious)
        check_tolerance(self.tolerance)
        if self.tolerance and self.floating:
            raise ParameterError(
                f"tolerance={self.tolerance!r} does not go with floating=True: a step may raise the errors "
                "by the tolerance and a step back lower them again, so that the search could go round "
                "for ever; choose tolerance=0 or floating=False"
            )
        whole_number("min_features", self.min_features, least=0, remedy="0 lets every feature go")
        whole_number_or_none("max_features", self.max_features, least=0, remedy="None means no limit")

    def for_engine(self, names: Sequence[str], validation_weight: float) -> dict[str, Any]:
        """Return the options as the engine takes them.

        Parameters
        ----------
        names : sequence of str
            Names of all features.
        validation_weight : float
            Summed weight of the search rows, of which a tolerance may be a share.
        """
        lists = FeatureLists(names)
        units = self._units(lists, len(names))
        named = {*lists.features("required_features", self.required_features)}
        fixed = sorted(position for unit in units if not named.isdisjoint(unit) for position in unit)
        start = self._start(lists, units, named)
        self._check_limits(len(names) if start is None else len({*start, *fixed}))
        return {
            "direction": self.direction,
            "floating": bool(self.floating),
            "tolerance": in_samples(self.tolerance, validation_weight),
            "parsimonious": bool(self.parsimonious),
            "min_features": int(self.min_features),
            "max_features": None if self.max_features is None else int(self.max_features),
            "units": units,
            "fixed": fixed,
            "start": start,
        }

    def _units(self, lists: FeatureLists, n_features: int) -> list[list[int]]:
        """Return what moves together, in the order of the lowest feature: groups, and features alone."""
        groups = lists.groups("feature_groups", self.feature_groups)
        grouped = {position for group in groups for position in group}
        alone = [[position] for position in range(n_features) if position not in grouped]
        return sorted([*groups, *alone])

    def _start(self, lists: FeatureLists, units: list[list[int]], fixed: set[int]) -> list[int] | None:
        """Return the features to start from; None is all of them."""
        if self.start_from is None:
            return None if self.direction == "backward" else []
        start = {*lists.features("start_from", self.start_from)}
        for unit in units:
            absent = [position for position in unit if position not in start]
            if 0 < len(absent) < len(unit):
                raise ParameterError(
                    f"start_from has only a part of a group of feature_groups: {lists.shown(absent[0])} is "
                    "not in it; name all features of the group or none"
                )
        for position in sorted(fixed - start):
            raise ParameterError(
                f"start_from leaves out {lists.shown(position)}, which required_features says must stay; "
                "add it to start_from, or take it out of required_features"
            )
        return sorted(start)

    def _check_limits(self, n_start: int) -> None:
        """Refuse a number of features that the start already breaks."""
        if self.min_features > n_start:
            raise ParameterError(
                f"min_features={self.min_features} is more than the {n_start} features that the search "
                f"starts from; choose {n_start} or less"
            )
        if self.max_features is not None and self.max_features < n_start:
            raise ParameterError(
                f"max_features={self.max_features} is fewer than the {n_start} features that the search "
                f"starts from (start_from, required_features and their groups); choose {n_start} or more"
            )
