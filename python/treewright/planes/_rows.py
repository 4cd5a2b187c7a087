"""The rows a plane is learned from: encoded, in raw units, each different row once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.planes._problem import FloatArray, Mask


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
    """

    X: FloatArray
    in_a: Mask
    weight: FloatArray
    feature_of: NDArray[np.int64]

    def take(self, rows: NDArray[np.int64]) -> Rows:
        """Return some of the rows."""
        return Rows(self.X[rows], self.in_a[rows], self.weight[rows], self.feature_of)

    def merged(self) -> Rows:
        """Return each different row of a class once, with the weights of all, in an order of its own.

        What is learned then depends neither on the order of rows nor on whether a row is repeated or weighted.
        """
        keys = np.column_stack([np.where(np.isnan(self.X), np.nan, self.X + 0.0), self.in_a])
        packed = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.itemsize * keys.shape[1])))
        _, first, where = np.unique(packed.ravel(), return_index=True, return_inverse=True)
        weight = np.bincount(where.ravel(), self.weight, minlength=len(first))
        return Rows(self.X[first], self.in_a[first], weight, self.feature_of)
