"""A comparison of greedy heuristics as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.matplotlib_glue import (
    axes,
    new_figure,
    rectangle,
)
from treewright.studies.greedy.table import (
    COST_NAMES,
    N_BEST,
    heuristic_name,
    tables_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from treewright.studies import GreedyComparison

SIZE = {"width": 6.4, "height": 6.6}
"""Inches."""

DARK = 0.55
"""Share of the colour scale from which numbers are written in black."""


def plot_greedy(comparison: GreedyComparison, ax: Axes | None = None) -> Axes:
    """Draw a comparison of greedy heuristics as a heat map.

    Parameters
    ----------
    comparison : GreedyComparison
        What `treewright.studies.compare_greedy` found.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        A row a heuristic, a column a cost; each cell has its mean relative difference in percent. A column
        goes from its best heuristic, dark, to its worst, light; the best two are framed.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    ax = axes(ax, "plot_greedy", **SIZE)
    mean = comparison.mean
    shade = _within_columns(mean)
    ax.imshow(shade, cmap="viridis", vmin=0, vmax=1, aspect="auto")
    for (i, j), value in np.ndenumerate(mean):
        colour = "black" if shade[i, j] > DARK else "white"
        text = "-" if np.isnan(value) else f"{100 * value:.1f}"
        ax.text(j, i, text, ha="center", va="center", color=colour, fontsize="small")
    for i, j in np.argwhere(comparison.ranks <= N_BEST) if comparison.n_tables else ():
        ax.add_patch(rectangle(j - 0.46, i - 0.44, 0.92, 0.88, edgecolor="#ff8c00", linewidth=2.0))
    _label(ax, comparison)
    return ax


def _within_columns(mean: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where each value lies between the least and the greatest of its column."""
    low, high = mean.min(axis=0), mean.max(axis=0)
    shade: NDArray[np.float64] = (mean - low) / np.where(high > low, high - low, 1.0)
    return np.nan_to_num(shade)


def _label(ax: Axes, comparison: GreedyComparison) -> None:
    ax.set_xticks(range(len(comparison.costs)), [COST_NAMES[cost] for cost in comparison.costs])
    names = [heuristic_name(*heuristic) for heuristic in comparison.heuristics]
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(length=0, labelsize="small")
    ax.tick_params(axis="x", top=True, labeltop=True, bottom=False, labelbottom=False)
    for line in range(4, len(names), 4):
        ax.axhline(line - 0.5, color="white", linewidth=2.5)
    ax.set_xlabel(
        f"% above the least cost, mean over {tables_of(comparison).replace(' of ', chr(10) + 'of ')}\n"
        "colour: within its column, dark is best; framed: the best two",
        fontsize="small",
    )


def greedy_page(comparison: GreedyComparison) -> Figure:
    """Draw a comparison of greedy heuristics as a heat map on a figure of its own.

    Parameters
    ----------
    comparison : GreedyComparison
        What `treewright.studies.compare_greedy` found.

    Returns
    -------
    figure : matplotlib.figure.Figure
        With what `plot_greedy` draws.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    figure = new_figure("greedy_page", **SIZE)
    plot_greedy(comparison, figure.add_subplot())
    return figure
