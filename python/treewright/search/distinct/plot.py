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


def plot_sizes(by_n_features: Sequence[int], n_required: int, owner: str, ax: Axes | None) -> Axes:
    """Draw a bar for each number of features, and the number of all subsets as a line.

    Subsets without the `n_required` features that every tree tests do not count.
    """
    n_optional = len(by_n_features) - 1 - n_required
    chosen = range(-n_required, n_optional + 1)
    subsets = [float(min(math.comb(n_optional, k), MOST)) if k >= 0 else 0.0 for k in chosen]
    names = "number of features", "distinct trees", "distinct trees", "all subsets"
    return distribution(ax, owner, by_n_features, beside=subsets, names=names)
