"""A comparison of planes, drawn: test error against number of features."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from treewright._base.params import one_of
from treewright.reporting.matplotlib_glue import (
    axes,
    new_figure,
    no_ticks,
    plain_numbers,
)
from treewright.studies.planes.table import METHOD_NAMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from treewright.studies import PlaneComparison

LOOKS = {
    "rlp": ("#0072b2", "o", False),
    "fm_rlp": ("#0072b2", "s", False),
    "fm_rlp_swap": ("#0072b2", "s", True),
    "path": ("#0072b2", "D", True),
    "rlp_p": ("#d55e00", "o", False),
    "fm_rlp_p": ("#d55e00", "s", False),
    "fm_rlp_p_swap": ("#d55e00", "s", True),
    "path_p": ("#d55e00", "D", True),
    "c45": ("#333333", "^", True),
    "l1_logistic": ("#009e73", "v", False),
    "l1_svm": ("#009e73", "P", False),
    "l1_svm_k": ("#009e73", "P", True),
    "rfe_svm_k": ("#cc79a7", "X", True),
    "abess_k": ("#8c6d00", "*", True),
}
"""Colour, shape, and whether the mark is full."""


def plot_planes(
    comparison: PlaneComparison, data: str | None = None, ax: Axes | None = None
) -> Figure | Axes:
    """Draw the test error of every method against its number of features.

    Parameters
    ----------
    comparison : PlaneComparison
        What `treewright.studies.compare_planes` found.
    data : str, default=None
        Name of one data set; None draws all on a page.
    ax : matplotlib.axes.Axes, default=None
        Where to draw one data set; None makes a new figure.

    Returns
    -------
    drawn : matplotlib.figure.Figure or matplotlib.axes.Axes
        The page, or the axes of the data set. Marks are means over the folds, bars a standard error to
        either side; features are on a logarithmic axis. Further down and further left is better.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    if data is None and ax is None:
        return planes_page(comparison)
    names = comparison.data_sets["data"].tolist()
    name = names[0] if data is None else one_of("data", data, names)
    ax = axes(ax, "plot_planes", width=6.4, height=4.8)
    _draw(comparison, name, ax)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize="small")
    return ax


def planes_page(comparison: PlaneComparison) -> Figure:
    """Draw all data sets of a comparison on a page.

    Parameters
    ----------
    comparison : PlaneComparison
        What `treewright.studies.compare_planes` found.

    Returns
    -------
    figure : matplotlib.figure.Figure
        A drawing a data set, as `plot_planes` makes it.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    names = comparison.data_sets["data"].tolist()
    n_columns = min(2, len(names))
    n_rows = math.ceil(len(names) / n_columns)
    figure = new_figure("plot_planes", width=2.2 + 4.2 * n_columns, height=3.7 * n_rows, padding=0.08)
    grid = figure.subplots(n_rows, n_columns, squeeze=False)
    for place, name in zip(grid.flat, names, strict=False):
        _draw(comparison, name, place)
    for place in list(grid.flat)[len(names) :]:
        place.set_axis_off()
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False, fontsize="small")
    return figure


def _draw(comparison: PlaneComparison, name: str, ax: Axes) -> None:
    rows = [row for row in comparison.summary.records() if row["data"] == name]
    for row in rows:
        colour, shape, is_full = LOOKS[row["method"]]
        look: dict[str, Any] = {"color": colour, "fmt": shape, "markersize": 7, "elinewidth": 0.9}
        face = colour if is_full else "white"
        spread = 100 * row["standard_error"]
        ax.errorbar(
            max(row["n_features"], 0.5),
            100 * row["error"],
            yerr=None if math.isnan(spread) else spread,
            markerfacecolor=face,
            label=METHOD_NAMES[row["method"]],
            **look,
        )
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(plain_numbers())
    ax.xaxis.set_minor_locator(no_ticks())
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set_title(name, fontsize="medium")
    ax.set_xlabel("features used (mean, logarithmic)")
    ax.set_ylabel("error on held-out samples, %")
    ax.grid(alpha=0.25, linewidth=0.6)
