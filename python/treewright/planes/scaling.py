"""Columns in units of their own spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.planes.problem import FloatArray, Mask

FAINT = np.finfo(np.float64).tiny / np.finfo(np.float64).eps
"""A column whose values differ by less is as good as constant: near the smallest numbers there are, floats
have too few digits to tell how they differ, and weights would be too large to write."""


@dataclass(frozen=True, eq=False)
class Scaling:
    """Centre and spread of every column.

    Attributes
    ----------
    centre : ndarray of shape (n_columns,)
        Mean of the known values, both classes together.
    scale : ndarray of shape (n_columns,)
        Their standard deviation (divided by the total weight); 1 for a column that is constant.
    varies : ndarray of bool
        Whether a column has two values that differ by more than `FAINT`; others are of no use.
    """

    centre: FloatArray
    scale: FloatArray
    varies: Mask

    @classmethod
    def of(cls, X: FloatArray, weight: FloatArray) -> Scaling:
        """Learn from rows with weights; NaN is left out.

        Examples
        --------
        >>> import numpy as np
        >>> from treewright.planes.scaling import Scaling
        >>> scaling = Scaling.of(np.array([[1.0, 0.1], [3.0, 0.1]]), np.ones(2))
        >>> scaling.scale, scaling.varies
        (array([1., 1.]), array([ True, False]))
        """
        known = ~np.isnan(X)
        filled = np.where(known, X, 0.0)
        least, most = np.where(known, X, np.inf).min(axis=0), np.where(known, X, -np.inf).max(axis=0)
        varies = most / 2 - least / 2 > FAINT / 2
        total = np.maximum(weight @ known, np.finfo(np.float64).tiny)
        magnitude = np.maximum(np.abs(filled).max(axis=0), np.finfo(np.float64).tiny)
        centre = magnitude * (weight @ (filled / magnitude) / total)
        centred = np.where(known, X - centre, 0.0)
        spread = np.maximum(np.abs(centred).max(axis=0), np.finfo(np.float64).tiny)
        scale = spread * np.sqrt(weight @ np.square(centred / spread) / total)
        return cls(centre, np.where(varies & (scale > 0), scale, 1.0), varies)

    def apply(self, X: FloatArray) -> FloatArray:
        """Return rows in scaled units; a missing value becomes 0, the mean."""
        scaled = (X - self.centre) / self.scale
        return np.where(np.isnan(scaled), 0.0, scaled)
