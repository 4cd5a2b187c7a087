"""How many distinct trees test how many features, drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.reporting.curves import distribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 10**300
"""Subsets that are drawn; more are no double."""


def plot_sizes(by_n_features: Sequence[int], owner: str, ax: Axes | None) -> Axes:
    """Draw a bar for each number of features, and the number of all subsets as a line."""
    n_features = len(by_n_features) - 1
    subsets = [float(min(math.comb(n_features, k), MOST)) for k in range(n_features + 1)]
    names = "number of features", "distinct trees", "distinct trees", "all subsets"
    return distribution(ax, owner, by_n_features, beside=subsets, names=names)
