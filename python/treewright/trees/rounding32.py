"""Numbers that others round to 32 bits: where they go, and cuts that part them as the tree does.

scikit-learn rounds a number to 32 bits before it compares it with a threshold of 64 bits.
"""

from __future__ import annotations

import numpy as np

from treewright.data.types import FloatArray

MOST = float(np.finfo(np.float32).max)
"""The largest number of 32 bits."""


def last_that_passes(thresholds: FloatArray) -> FloatArray:
    """Return the largest 64-bit numbers that are not above the thresholds once they are rounded to 32 bits.

    A number passes where it lies below the midpoint of f, the largest 32-bit number not above the threshold,
    and its successor, or on the midpoint where that is rounded down to f. Each is finite and lets one pass.
    """
    rounded = np.clip(thresholds, -MOST, MOST).astype(np.float32)
    below = np.where(rounded > thresholds, np.nextafter(rounded, np.float32(-np.inf)), rounded)
    with np.errstate(over="ignore"):
        above = np.nextafter(below, np.float32(np.inf)).astype(np.float64)
        middle = (below.astype(np.float64) + np.where(below == MOST, 2.0**128, above)) / 2.0
        passes = middle.astype(np.float32) <= below
    return np.where(passes, middle, np.nextafter(middle, -np.inf))


def cut_of_rounded(threshold: float, low: float, high: float) -> float | None:
    """Return a threshold for numbers that were rounded to 32 bits; None if none keeps training values apart.

    `low` and `high` are the training values beside the tree's threshold, NaN where they are not known. The
    threshold stays where they are apart at it; else it is the 32-bit neighbour that keeps them apart. Where
    no value is known, a number equal to the threshold stays below it.
    """
    if low != low and abs(threshold) > MOST:
        return threshold
    below = _rounded(threshold if low != low else low)
    above = np.inf if high != high else _rounded(high)
    if not below < above or np.isinf(below) or (high == high and np.isinf(above)):
        return None
    cut = max(threshold, below)
    return cut if cut < above else float(np.nextafter(np.float32(above), np.float32(-np.inf)))


def _rounded(value: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(value))
