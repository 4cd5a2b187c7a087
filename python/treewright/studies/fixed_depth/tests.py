"""Whether differences in error are more than chance: paired t-tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from treewright.results import ResultTable
from treewright.studies.common.intervals import variance_of_mean

ALL = "all sets"
"""What the test over the data sets is called in the place of one."""

Row = tuple[str, str, float, float, float, int]


def paired_tests(
    folds: ResultTable, names: Sequence[str], methods: Sequence[str], rival: str, n_folds: int
) -> Iterator[Row]:
    """Yield data set, method, mean difference in error to the rival, t, two-sided p and number of pairs."""
    means: dict[str, list[float]] = {}
    for name in names:
        part = folds[folds["data"] == name]
        theirs = part["error"][part["method"] == rival]
        for method in methods:
            difference = part["error"][part["method"] == method] - theirs
            if len(difference):
                means.setdefault(method, []).append(float(difference.mean()))
                yield (name, method, *corrected_t(difference, 1 / (n_folds - 1)))
    for method, differences in means.items():
        yield (ALL, method, *corrected_t(np.array(differences), 0.0))


def corrected_t(differences: NDArray[Any], overlap: float) -> tuple[float, float, float, int]:
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
