"""The rows a plane is learned from: encoded, in raw units, each different row once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.planes.problem import FloatArray, Mask


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of two classes with the features their columns belong to.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Raw units; NaN where a value is missing.
    in_a : ndarray of bool
        Whether a row is of class A.
    weight : ndarray of shape (n_rows,)
        Positive.
    feature_of : ndarray of shape (n_columns,)
        Position of the feature that each column belongs to.
    origin : ndarray of shape (n_rows,), default=None
        Position of each row in the user's table; None if they are the same.
    """

    X: FloatArray
    in_a: Mask
    weight: FloatArray
    feature_of: NDArray[np.int64]
    origin: NDArray[np.int64] | None = None

    def take(self, rows: NDArray[np.int64]) -> Rows:
        """Return some of the rows."""
        return Rows(self.X[rows], self.in_a[rows], self.weight[rows], self.feature_of)

    def at(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where rows of the user's table are here; those that are not here are left out."""
        if self.origin is None:
            return positions
        order = np.argsort(self.origin, kind="stable")
        places = np.searchsorted(self.origin[order], positions)
        inside = places < len(order)
        found = order[places[inside]]
        same: NDArray[np.int64] = found[self.origin[found] == positions[inside]]
        return same

    def merged(self) -> Rows:
        """Return each different row of a class once, with the weights of all, in an order of its own.

        What is learned depends neither on the order of rows then, nor on whether a row is repeated or weighs
        more.
        """
        keys = np.column_stack([np.where(np.isnan(self.X), np.nan, self.X + 0.0), self.in_a])
        packed = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.itemsize * keys.shape[1])))
        _, first, where = np.unique(packed.ravel(), return_index=True, return_inverse=True)
        weight: FloatArray = np.bincount(where.ravel(), self.weight, minlength=len(first)).astype(np.float64)
        return Rows(self.X[first], self.in_a[first], weight, self.feature_of)
