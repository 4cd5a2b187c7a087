"""Columns of numbers from features: a numeric one is itself, a nominal one a 0/1 column a level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._base.errors import DataError
from treewright.data.dataset import Dataset
from treewright.data.intake.place import Place
from treewright.planes.problem import FloatArray

MISSING = ("raise", "mean", "drop")


@dataclass(frozen=True, eq=False)
class Encoding:
    """How the features of ``fit`` become columns.

    A nominal feature of two levels is one column, 1 for the second; of more, one column a level. They
    count as one feature.

    Attributes
    ----------
    names : list of str
        Of the features.
    levels : list of (list or None)
        Domain of each nominal feature; None for a numeric one.
    feature_of : ndarray of shape (n_columns,)
        Position of the feature of each column.
    column_names : list of str
        Such as ``"age"`` and ``"colour=red"``.
    """

    names: list[str]
    levels: list[list[Any] | None]
    feature_of: NDArray[np.int64]
    column_names: list[str]

    @classmethod
    def of(cls, dataset: Dataset) -> Encoding:
        """Take names and levels from the data of ``fit``."""
        feature_of: list[int] = []
        column_names: list[str] = []
        for feature, (name, levels) in enumerate(zip(dataset.feature_names, dataset.levels, strict=True)):
            own = [name] if levels is None else [f"{name}={level}" for level in _shown(levels)]
            feature_of += [feature] * len(own)
            column_names += own
        positions = np.array(feature_of, dtype=np.int64)
        return cls(dataset.feature_names, dataset.levels, positions, column_names)

    def matrix(self, columns: Sequence[NDArray[Any]]) -> FloatArray:
        """Return rows of numbers, NaN where a value is missing.

        Parameters
        ----------
        columns : list of ndarray
            One a feature: numbers, or positions in its levels with -1 for missing.
        """
        encoded = [_encoded(column, levels) for column, levels in zip(columns, self.levels, strict=True)]
        return np.concatenate(encoded, axis=1) if encoded else np.empty((0, 0))

    def refuse_missing(self, X: FloatArray, origin: NDArray[np.int64], owner: str) -> None:
        """Raise if a value is missing; the message names the first."""
        if np.isfinite(X).all():
            return
        column = int(np.argmax(np.isnan(X).any(axis=0)))
        row = int(origin[np.argmax(np.isnan(X[:, column]))])
        feature = int(self.feature_of[column])
        place = Place.of_feature(self.names[feature], feature)
        what = "NaN" if self.levels[feature] is None else "no value (NaN, None or NA), or one unknown to fit,"
        raise DataError(
            f"{place} has {what} at row {row}, which {owner} with missing='raise' does not take; "
            "choose missing='mean' or 'drop', or drop the row"
        )


def _shown(levels: list[Any]) -> list[Any]:
    """Return the levels that have a column."""
    return levels[1:] if len(levels) == 2 else levels


def _encoded(column: NDArray[Any], levels: list[Any] | None) -> FloatArray:
    if levels is None:
        return np.asarray(column, dtype=np.float64)[:, None]
    codes = np.arange(1, 2) if len(levels) == 2 else np.arange(len(levels))
    ones: FloatArray = (column[:, None] == codes).astype(np.float64)
    ones[column < 0] = np.nan
    return ones
