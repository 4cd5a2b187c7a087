"""Statistics of errors: intervals of means, paired tests, ranks."""

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


def corrected_t(differences: NDArray[np.float64], overlap: float) -> tuple[float, float, float, int]:
    """Return mean, t, two-sided p and number of paired differences.

    `overlap` is as for `variance_of_mean`; 0 is the plain paired t-test.
    """
    n, mean = len(differences), float(differences.mean())
    if n < 2:
        return mean, math.nan, math.nan, n
    variance = variance_of_mean(differences, overlap)
    if variance == 0:
        return mean, math.copysign(math.inf, mean) if mean else 0.0, 0.0 if mean else 1.0, n
    t = mean / math.sqrt(variance)
    return mean, t, float(2 * stats.t.sf(abs(t), n - 1)), n


def friedman(ranks: NDArray[np.float64]) -> tuple[float, float]:
    """Return Friedman's statistic and its p-value; NaN of one set, 0 and 1 where all ranks are alike."""
    n, k = ranks.shape
    if n < 2:
        return math.nan, math.nan
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())
    if spread == 0:
        return 0.0, 1.0
    between = float(n * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum())
    statistic = n * (k - 1) * between / spread
    return statistic, float(stats.chi2.sf(statistic, k - 1))


def iman_davenport(statistic: float, n: int, k: int) -> tuple[float, float]:
    """Return Iman and Davenport's F of Friedman's statistic over n sets and k methods, and its p-value.

    It is less conservative than Friedman's. NaN of one set; of ranks that are always the same F is infinite.
    """
    if n < 2:
        return math.nan, math.nan
    most = n * (k - 1)
    f = math.inf if statistic >= most * (1 - 1e-12) else (n - 1) * statistic / (most - statistic)
    return f, float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))


def holm_adjusted(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Holm's p-values: the i-th smallest of m times m - i + 1, never less than one before it."""
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p_values[order] * factors))
    return adjusted
