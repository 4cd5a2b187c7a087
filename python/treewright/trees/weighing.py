"""How the weights of training rows stand to their numbers, in words."""

from __future__ import annotations

import numpy as np

from treewright.data.types import FloatArray

CLASSES_WEIGH = "classes have different weights: shares are of weight"
SAMPLES_WEIGH = "samples have different weights: shares are of weight"
CLOSE = 1e-6
"""Weights are sums of products, and differ by their last digits."""


def weighing_of(weights: FloatArray, counts: FloatArray | None) -> str:
    """Say that shares are of weights where those of numbers are others; nothing where they are alike.

    Parameters
    ----------
    weights, counts : ndarray of shape (n_nodes, n_classes)
        Weights and numbers of training rows; None where numbers are not known.

    Returns
    -------
    text : str
        That of classes if all rows of a class have one weight, else that of samples.
    """
    if counts is None:
        return ""
    totals = counts.sum(axis=0)
    there = totals > 0
    factors = weights.sum(axis=0)[there] / totals[there]
    if factors.size == 0:
        return ""
    is_by_class = np.allclose(weights[:, there], counts[:, there] * factors, rtol=CLOSE, atol=CLOSE)
    if not is_by_class:
        return SAMPLES_WEIGH
    return "" if np.allclose(factors, factors[0], rtol=CLOSE, atol=0) else CLASSES_WEIGH
