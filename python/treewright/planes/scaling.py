"""Between raw and scaled units: the scale of columns, copies of columns, the plane in raw units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.data.types import BoolArray, FloatArray, IntArray
from treewright.planes.rows import Rows

FAINT = np.finfo(np.float64).tiny / np.finfo(np.float64).eps
"""A column whose values differ by less counts as constant: near the smallest floats, numbers have too few
digits to tell how they differ, and weights would be too large to write."""


@dataclass(frozen=True, eq=False)
class Scaling:
    """Mean and standard deviation of every column."""

    centre: FloatArray
    """Mean of the known values of both classes."""
    scale: FloatArray
    """Their standard deviation (with the total weight as divisor); 1 for a constant column."""
    varies: BoolArray
    """Whether a column has two values that differ by more than `FAINT`; the others are constant."""

    @classmethod
    def of(cls, X: FloatArray, weight: FloatArray) -> Scaling:
        """Learn the scale from rows with weights; NaN is left out."""
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


DIGITS = 9
"""Scaled columns are first compared at so many decimals, ..."""

SAME = 1e-12
"""... and are equal if they differ, up to their sign, by at most this."""


def without_copies(Z: FloatArray, feature_of: IntArray, costs: FloatArray | None) -> BoolArray:
    """Mark the columns that are not copies of another one.

    Scaled columns agree up to their sign if one column is a linear function of the other. No plane gains by
    using both. Of equal columns the one of the cheapest feature stays, then the first. A feature of several
    columns stays as it is.
    """
    kept = np.ones(Z.shape[1], np.bool_)
    upright = Z * np.where(_first_sign(Z) < 0, -1.0, 1.0)
    signatures = np.ascontiguousarray(np.round(upright, DIGITS).T + 0.0)
    alone = np.bincount(feature_of)[feature_of] == 1
    price = np.zeros(Z.shape[1]) if costs is None else costs[feature_of]
    seen: dict[bytes, int] = {}
    for column in np.argsort(price, kind="stable").tolist():
        if alone[column]:
            first = seen.setdefault(signatures[column].tobytes(), column)
            kept[column] = first == column or np.abs(upright[:, first] - upright[:, column]).max() > SAME
    return kept


def _first_sign(Z: FloatArray) -> FloatArray:
    """Return the first value of every column that is clearly not 0."""
    if not Z.size:
        return np.ones(Z.shape[1])
    first = np.argmax(np.abs(Z) > 0.5, axis=0)
    leading: FloatArray = Z[first, np.arange(Z.shape[1])]
    return leading


ON_PLANE = 1e-9
"""A score of at most this share of its terms is 0."""

NO_NEIGHBOUR = 1.0
"""The next score if there is none: the margin of a plane."""


def shift_off_rows(
    Z: FloatArray, in_a: BoolArray, loss: FloatArray, weights: FloatArray, offset: float
) -> float:
    """Return how far to move the offset so that no row lies on the plane.

    A plane of least error often passes exactly through rows, and rounding would decide their class. These
    rows go to the side where they cost less, that of the class of more weight among them (A on a tie); the
    plane moves half the way to the next row.
    """
    scores = Z @ weights - offset
    on_plane = np.abs(scores) <= ON_PLANE * (1 + abs(offset) + np.abs(Z) @ np.abs(weights))
    if not on_plane.any():
        return 0.0
    to_a = loss[on_plane & in_a].sum() >= loss[on_plane & ~in_a].sum()
    beside = np.abs(scores[~on_plane & ((scores < 0) if to_a else (scores > 0))])
    way = 0.5 * float(beside.min() if len(beside) else NO_NEIGHBOUR)
    return -way if to_a else way


@dataclass(frozen=True, eq=False)
class RawPlane:
    """A plane in raw units, measured from the centre of the rows, where rounding does least harm."""

    coef: FloatArray
    level: float
    """Score of the centre."""
    shift: float
    """How far the plane is moved so that no row lies on it; part of scores, not of `level`."""
    error: float
    """Error of the plane before it is moved, penalty included."""
    centre: FloatArray
    """Means of the columns; they take the place of missing values."""

    @property
    def intercept(self) -> float:
        """Score of the origin: class A is where ``X @ coef + intercept`` is above 0."""
        return self.level - self.shift - float(self.coef @ self.centre)

    def scores(self, X: FloatArray) -> FloatArray:
        """Return the signed scores of rows in raw units, above 0 in class A."""
        used = np.flatnonzero(self.coef)
        away = X[:, used] - self.centre[used]
        scores: FloatArray = np.where(np.isnan(away), 0.0, away) @ self.coef[used] + (self.level - self.shift)
        return scores

    def wrong(self, rows: Rows) -> float:
        """Return the weight of the rows on the wrong side, or what they cost there."""
        return float(rows.loss[(self.scores(rows.X) > 0) != rows.in_a].sum())

    def error_rate(self, rows: Rows) -> float:
        """Return the share of the weight of rows that is on the wrong side, or what that costs."""
        return self.wrong(rows) / float(rows.weight.sum())
