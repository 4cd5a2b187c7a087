"""Where rows on the plane itself belong."""

from __future__ import annotations

import numpy as np

from treewright.planes.problem import FloatArray, Mask

ON_PLANE = 1e-9
"""A score of at most so much of what it is the sum of is 0."""

NO_NEIGHBOUR = 1.0
"""How far the next score is taken to be where there is none: the margin of a plane."""


def shift_off_rows(
    Z: FloatArray, in_a: Mask, weight: FloatArray, weights: FloatArray, offset: float
) -> float:
    """Return how far to move the offset so that no row is on the plane.

    A plane of least error often passes through rows exactly, and rounding would decide their class. They go
    to the side of the class that weighs more among them (A if both weigh the same), half the way to the next
    row.

    Parameters
    ----------
    Z : ndarray of shape (n_rows, n_columns)
    in_a : ndarray of bool
        Rows of class A, which is where scores are above the offset.
    weight : ndarray of shape (n_rows,)
    weights : ndarray of shape (n_columns,)
    offset : float

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.planes.threshold import shift_off_rows
    >>> Z = np.array([[-2.0], [0.0], [2.0]])
    >>> shift_off_rows(Z, np.array([False, True, True]), np.ones(3), np.ones(1), 0.0)
    -1.0
    """
    scores = Z @ weights - offset
    on_plane = np.abs(scores) <= ON_PLANE * (1 + abs(offset) + np.abs(Z) @ np.abs(weights))
    if not on_plane.any():
        return 0.0
    to_a = weight[on_plane & in_a].sum() >= weight[on_plane & ~in_a].sum()
    beside = np.abs(scores[~on_plane & ((scores < 0) if to_a else (scores > 0))])
    way = 0.5 * float(beside.min() if len(beside) else NO_NEIGHBOUR)
    return -way if to_a else way
