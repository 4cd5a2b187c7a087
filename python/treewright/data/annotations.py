"""What a data set knows besides the columns that the engines read."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from treewright.data.intake.column import OrderedLevels
from treewright.data.intake.labels import Label
from treewright.data.source import Source
from treewright.data.types import AnyArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Annotations:
    """Classes and weights as they were given, names as the user has them, which levels are ordered."""

    classes: AnyArray | None = None
    column_labels: tuple[Hashable, ...] | None = None
    weights: FloatArray | None = None
    source: Source | None = None
    ordered: frozenset[int] = frozenset()
    """Positions of the nominal features whose levels have a declared order."""

    def of_rows(self, positions: IntArray) -> Annotations:
        """Return what it is of some samples."""
        return self if self.weights is None else replace(self, weights=self.weights[positions])

    def levels(self, plain: Sequence[list[Label] | None]) -> list[list[Label] | None]:
        """Return the levels of all features, those with a declared order as such."""
        return [
            OrderedLevels(levels) if levels is not None and feature in self.ordered else levels
            for feature, levels in enumerate(plain)
        ]


def ordered_in(levels: Sequence[Sequence[Label] | None]) -> frozenset[int]:
    """Return the positions of levels that have a declared order."""
    return frozenset(i for i, own in enumerate(levels) if isinstance(own, OrderedLevels))
