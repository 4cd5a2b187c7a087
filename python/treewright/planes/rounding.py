"""Weights a person can read: as few digits as leave every row on its side."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from treewright.planes.grown import LinearSplit, summed
from treewright.planes.problem import FloatArray

FEWEST_DIGITS, MOST_DIGITS = 2, 17
"""With 17 digits a number is the same."""


def rounded_split(split: LinearSplit, X: FloatArray) -> LinearSplit:
    """Return a split in as few digits as send every row where the exact one sends it.

    Parameters
    ----------
    split : LinearSplit
    X : ndarray of shape (n_rows, n_columns)
        The rows that decide, in raw units.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.planes.grown import LinearSplit
    >>> from treewright.planes.rounding import rounded_split
    >>> split = LinearSplit(np.array([0]), np.array([1 / 3]), np.zeros(1), 0.51, 1)
    >>> rounded = rounded_split(split, np.array([[1.0], [2.0]]))
    >>> rounded.weights, rounded.offset
    (array([0.33]), 0.51)
    """
    values = split.values(X)
    above = summed(values, split.weights) > split.offset
    if above.all() or not above.any():
        return split
    for digits in range(FEWEST_DIGITS, MOST_DIGITS):
        weights = np.array([float(f"{weight:.{digits}g}") for weight in split.weights])
        scores = summed(values, weights)
        low, high = float(scores[~above].max()), float(scores[above].min())
        if low < high:
            reach = float(np.abs(scores - split.offset).max())
            return replace(split, weights=weights, offset=_shortest(split.offset, low, high, reach, digits))
    return split


def _shortest(offset: float, low: float, high: float, reach: float, digits: int) -> float:
    """Return a short number from `low` up to below `high`, as near to `offset` as so many digits say."""
    middle = low + (high - low) / 2
    first = digits - math.floor(math.log10(reach)) - 1 if reach > 0 else 0
    for decimals in range(first, first + MOST_DIGITS):
        for wanted in (offset, middle):
            short = round(wanted, decimals)
            if low <= short < high:
                return short + 0.0
    return low
