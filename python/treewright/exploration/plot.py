"""The picture of the front."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treewright.reporting.matplotlib_glue import axes
from treewright.results import ResultTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ACCENT, OTHER = "#0072b2", "0.72"


def drawn_front(front: ResultTable, family: str, candidate: str, ax: Axes | None) -> Axes:
    """Draw inner error against size."""
    ax = axes(ax, "Exploration.plot", width=6.0, height=4.4)
    sizes, errors = front["size"], 100 * front["error"]
    is_front = front["is_on_front"]
    ax.scatter(sizes[~is_front], errors[~is_front], s=14, color=OTHER, label="candidates")
    low, high = 100 * front["low"][is_front], 100 * front["high"][is_front]
    below = np.maximum(errors[is_front] - low, 0.0)
    above = np.maximum(high - errors[is_front], 0.0)
    ax.errorbar(
        *(sizes[is_front], errors[is_front]),
        yerr=[below, above],
        color=ACCENT,
        marker="o",
        markersize=5,
        elinewidth=0.8,
        label="front, with intervals",
    )
    is_own = (front["family"] == family) & (front["candidate"] == candidate)
    ax.plot(
        sizes[is_own],
        errors[is_own],
        linestyle="none",
        marker="o",
        markersize=12,
        markerfacecolor="none",
        markeredgecolor="black",
        label="recommended",
    )
    ax.set_xscale("log", base=2)
    ticks = 2 ** np.arange(int(np.ceil(np.log2(max(int(sizes.max()), 2)))) + 1)
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.set_xlabel("leaves")
    ax.set_ylabel("error on the inner folds, %")
    ax.legend(frameon=False)
    return ax
