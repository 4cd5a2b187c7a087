"""What is in a decision table: its size, its values and its decisions."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from treewright import _core
from treewright.data.binning import Bins
from treewright.data.types import AnyArray, CodeArray, FloatArray, IntArray
from treewright.search.tables.from_data import Samples

__all__ = ["TableFacts"]


class TableFacts:
    """The part of a `DecisionTable` that its trees do not need, but whoever reads the table."""

    __slots__ = ()
    core: _core.DecisionTable
    """The encoded table that the engines read."""
    _values: list[list[Hashable]]
    _classes: AnyArray
    _bins: Bins
    _first_rows: IntArray
    _samples: Samples | None
    """The samples that became its rows; None where it was made of rows."""

    @property
    def n_rows(self) -> int:
        """Number of different rows."""
        return self.core.n_rows

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.core.n_features

    @property
    def feature_names(self) -> list[str]:
        """Names of the features: x0, x1, ... if they had none."""
        return self.core.names

    @property
    def values(self) -> list[list[Hashable]]:
        """The values of each feature, in the order of their codes; None, the last, is "missing"."""
        return [list(column) for column in self._values]

    @property
    def classes(self) -> AnyArray:
        """The different decisions in their order, shape (n_classes,)."""
        return self._classes.copy()

    @property
    def decisions(self) -> CodeArray:
        """Position of each row's decision in `classes`, shape (n_rows,)."""
        return self.core.decisions

    @property
    def first_rows(self) -> IntArray:
        """Position at which each row first occurred in the source data, shape (n_rows,), ascending."""
        return self._first_rows.copy()

    @property
    def bin_edges(self) -> list[FloatArray | None]:
        """Edges between the bins of each numeric column, ascending; None for a column without bins."""
        return [None if edges is None else edges.copy() for edges in self._bins.edges]

    @property
    def n_pairs(self) -> int:
        """Number of pairs of rows with different decisions; as `max_pairs` it makes a tree of one leaf."""
        counts = [int(count) for count in np.bincount(self.decisions)]
        return (sum(counts) ** 2 - sum(count * count for count in counts)) // 2

    def column(self, feature: int) -> CodeArray:
        """Return one encoded column.

        Parameters
        ----------
        feature : int
            Position of the feature.

        Returns
        -------
        column : ndarray of shape (n_rows,)
            Positions in the feature's `values`.

        Examples
        --------
        >>> from treewright.tables import DecisionTable
        >>> DecisionTable([["b"], [None], ["a"]], [0, 1, 1]).column(0)
        array([1, 2, 0], dtype=int32)
        """
        return self.core.column(feature)

    def __repr__(self) -> str:
        counts = ((self.n_rows, "row"), (self.n_features, "feature"), (len(self._classes), "decision"))
        words = [f"{count:,} {noun}{'' if count == 1 else 's'}" for count, noun in counts]
        return f"<DecisionTable: {', '.join(words)}>"
