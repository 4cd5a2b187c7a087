"""Numbers as bins: cut where the quantiles are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def quantile_edges(numbers: FloatArray, max_bins: int, weights: FloatArray | None = None) -> FloatArray:
    """Return where to cut numbers into bins of about as many samples each.

    Parameters
    ----------
    numbers : ndarray of shape (n_samples,)
        NaN is left out.
    max_bins : int
        Most bins there may be.
    weights : ndarray of shape (n_samples,), default=None
        How often each sample counts; None: once.

    Returns
    -------
    edges : ndarray of shape (n_bins - 1,)
        Ascending. Bin b holds what is above edge b - 1 and at most edge b. Up to `max_bins` distinct
        numbers have a bin each, cut half way between them. The lowest number never takes all bins: where it
        is more frequent than a bin has room for, the first cut is right above it.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.search.tables.bins import quantile_edges
    >>> quantile_edges(np.array([1.0, 2.0, 2.0, 4.0, np.nan]), 4)
    array([1.5, 3. ])
    >>> quantile_edges(np.arange(100.0), 4)
    array([24.5, 49.5, 74.5])
    >>> quantile_edges(np.array([0.0, 0.0, 0.0, 2.0, 4.0]), 2)
    array([1.])
    """
    is_known = ~np.isnan(numbers)
    distinct, place = np.unique(numbers[is_known], return_inverse=True)
    if len(distinct) <= max_bins:
        return middles(distinct[:-1], distinct[1:])
    upto = np.cumsum(np.bincount(place, None if weights is None else weights[is_known]))
    ranks = np.arange(1, max_bins) * upto[-1]
    upper = np.unique(np.searchsorted(upto * max_bins, ranks, side="right"))
    upper = np.unique(np.clip(upper, 1, len(distinct) - 1))
    return middles(distinct[upper - 1], distinct[upper])


def middles(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return numbers half way, at least `low` and below `high` whatever the rounding."""
    middle = low / 2 + high / 2
    return np.where((low <= middle) & (middle < high), middle, low)


def binned(numbers: FloatArray, edges: FloatArray) -> NDArray[np.int32]:
    """Return the bin of each number; what is missing comes after the last bin."""
    codes = np.searchsorted(edges, numbers, side="left").astype(np.int32)
    codes[np.isnan(numbers)] = len(edges) + 1
    return codes


def bin_labels(edges: FloatArray) -> list[str]:
    """Write each bin as an interval.

    Examples
    --------
    >>> from treewright.search.tables.bins import bin_labels
    >>> bin_labels([1.5, 3.0])
    ['up to 1.5', '1.5 to 3', 'above 3']
    """
    if not len(edges):
        return ["any number"]
    texts = _distinct_texts(edges)
    inner = [f"{low} to {high}" for low, high in pairwise(texts)]
    return [f"up to {texts[0]}", *inner, f"above {texts[-1]}"]


def _distinct_texts(edges: Sequence[float] | FloatArray) -> list[str]:
    """Write numbers with as many digits as tell them apart."""
    for digits in range(6, 17):
        texts = [f"{edge:.{digits}g}" for edge in edges]
        if len(set(texts)) == len(texts):
            return texts
    return [repr(float(edge)) for edge in edges]
