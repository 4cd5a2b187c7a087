"""Confidence intervals of means, of folds too, which share samples."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import stats

LEVEL = 0.95


def variance_of_mean(values: NDArray[np.float64], overlap: float) -> float:
    """Return the variance of the mean of values that are independent, or come from folds of the same samples.

    `overlap` is held-out samples ÷ training samples of folds, which makes the variance larger than it looks
    (Nadeau and Bengio, 2003); 0 is the plain one.
    """
    return float(values.var(ddof=1)) * (1 / len(values) + overlap)


def interval(values: NDArray[np.float64], overlap: float = 0.0) -> tuple[float, float, float]:
    """Return the mean and the ends of its 95 % interval by Student's t; NaN where one value has none."""
    mean = float(values.mean())
    if len(values) < 2:
        return mean, math.nan, math.nan
    quantile = float(stats.t.isf((1 - LEVEL) / 2, len(values) - 1))
    half = quantile * math.sqrt(variance_of_mean(values, overlap))
    return mean, mean - half, mean + half
