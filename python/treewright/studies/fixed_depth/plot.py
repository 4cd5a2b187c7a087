"""A comparison of fixed-depth trees, drawn: errors, search times, what the list saves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.matplotlib_glue import (
    axes,
    new_figure,
    shades,
)
from treewright.studies.fixed_depth.table import method_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from treewright.studies import FixedDepthComparison

RIVALS = {"id3": ("#d55e00", "s"), "naive_bayes": ("0.45", "X")}
"""Colour and mark of what is not a best tree."""

SOLVERS = {
    "feature_list": ("list", "#0072b2", "-"),
    "bounded": ("branch and bound", "#009e73", ":"),
    "exhaustive": ("exhaustive", "#333333", "--"),
    "id3": ("ID3", "#d55e00", "-."),
}
SHAPES = "osv^DP*X"
SPREAD = 0.62
"""How much of a data set's place its methods take up."""


def plot_fixed_depth(comparison: FixedDepthComparison) -> Figure:
    """Draw errors and, where searches were timed, seconds and speed-up on one page.

    Parameters
    ----------
    comparison : FixedDepthComparison
        What `treewright.studies.compare_fixed_depth` found.

    Returns
    -------
    figure : matplotlib.figure.Figure
        Errors above; times and speed-up below.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    width = max(7.0, 2.2 + 1.15 * len(comparison.data_sets))
    if not len(comparison.times):
        figure = new_figure("plot_fixed_depth", width=width, height=4.4)
        plot_fixed_depth_errors(comparison, figure.add_subplot())
        return figure
    figure = new_figure("plot_fixed_depth", width=max(width, 11.0), height=9.0, padding=0.1)
    grid = figure.add_gridspec(2, 2, height_ratios=(1, 1.1))
    plot_fixed_depth_errors(comparison, figure.add_subplot(grid[0, :]))
    plot_search_times(comparison, figure.add_subplot(grid[1, 0]))
    plot_speed_up(comparison, figure.add_subplot(grid[1, 1]))
    return figure


def plot_fixed_depth_errors(comparison: FixedDepthComparison, ax: Axes | None = None) -> Axes:
    """Draw the held-out error of every method on every data set.

    Parameters
    ----------
    comparison : FixedDepthComparison
        What `treewright.studies.compare_fixed_depth` found.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        One place a data set; marks are means over the folds, bars one standard deviation to either side. The
        best trees go from light to dark with their depth.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    names = comparison.data_sets["data"].tolist()
    ax = axes(ax, "plot_fixed_depth_errors", width=max(6.4, 2.2 + 1.15 * len(names)), height=4.4)
    summary, methods = comparison.summary, comparison.methods
    offsets = np.linspace(-SPREAD / 2, SPREAD / 2, len(methods))
    looks = _looks(comparison)
    for method, offset in zip(methods, offsets, strict=True):
        rows = summary[summary["method"] == method]
        places = [names.index(name) + offset for name in rows["data"]]
        label = method_name(method, comparison.settings["id3_depth"])
        bars: dict[str, Any] = {"elinewidth": 1, "capsize": 2, "markersize": 5, "label": label}
        ax.errorbar(places, 100 * rows["error"], yerr=100 * rows["error_std"], **looks[method], **bars)
    for edge in range(1, len(names)):
        ax.axvline(edge - 0.5, color="0.9", linewidth=0.8, zorder=0)
    ax.set_xticks(range(len(names)), names)
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_ylim(bottom=0)
    ax.set_ylabel("error on held-out samples, %")
    ax.grid(axis="y", alpha=0.25, linewidth=0.6)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=6, frameon=False, fontsize="small")
    return ax


def _looks(comparison: FixedDepthComparison) -> dict[str, dict[str, Any]]:
    depths = [method for method in comparison.methods if method not in RIVALS]
    colours = shades(len(depths))[::-1]
    trees = {method: (colour, "o") for method, colour in zip(depths, colours, strict=True)}
    return {name: {"color": colour, "fmt": shape} for name, (colour, shape) in {**trees, **RIVALS}.items()}


def plot_search_times(comparison: FixedDepthComparison, ax: Axes | None = None) -> Axes:
    """Draw the seconds of every search against the number of feature values of the data set.

    Parameters
    ----------
    comparison : FixedDepthComparison
        What `treewright.studies.compare_fixed_depth` found with ``time_searches=True``.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        One line a solver and depth, hollow marks where a search reached its time limit; both axes are
        logarithmic.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    ax = axes(ax, "plot_search_times", width=6.4, height=5.0)
    times = comparison.times
    for solver, (label, colour, dashes) in SOLVERS.items():
        of_solver = times[times["solver"] == solver]
        for depth in np.unique(of_solver["depth"]).tolist():
            rows = of_solver[of_solver["depth"] == depth]
            _draw_times(ax, rows[np.argsort(rows["n_values"])], f"{label}, depth {depth}", colour, dashes)
    ax.set_xscale("log")
    ax.set_yscale("log")
    values = np.unique(times["n_values"])
    if len(values):
        ax.set_xlim(values[0] / 1.15, values[-1] * 1.15)
    shown = [20, 30, 50, 100, 200, 500, 1000]
    ax.set_xticks(shown, map(str, shown))
    ax.set_xticks([], minor=True)
    if len(values):
        ax.set_xlim(values[0] / 1.15, values[-1] * 1.15)
    ax.set_xlabel("values of all features together")
    ax.set_ylabel("seconds of the search, one thread")
    ax.grid(alpha=0.25, linewidth=0.6)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize="x-small")
    return ax


def _draw_times(ax: Axes, rows: Any, label: str, colour: str, dashes: str) -> None:
    shape = SHAPES[int(rows["depth"][0]) % len(SHAPES)]
    look: dict[str, Any] = {"color": colour, "marker": shape, "markersize": 4.5, "linewidth": 1.1}
    ax.plot(rows["n_values"], rows["seconds"], linestyle=dashes, label=label, **look)
    cut: NDArray[np.bool_] = ~np.isin(rows["status"], ["optimal", "complete"])
    if cut.any():
        part = rows[cut]
        ax.plot(part["n_values"], part["seconds"], shape, color=colour, markerfacecolor="white", zorder=4)


def plot_speed_up(comparison: FixedDepthComparison, ax: Axes | None = None) -> Axes:
    """Draw how many times faster than exhaustive search the list is, against the number of features.

    Parameters
    ----------
    comparison : FixedDepthComparison
        What `treewright.studies.compare_fixed_depth` found with ``time_searches=True``.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        Marks, and the line through the origin that fits them best.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    ax = axes(ax, "plot_speed_up", width=5.6, height=5.0)
    n, ratio = comparison.scaling["n_features"].astype(float), comparison.scaling["ratio"]
    ax.set_xlabel("number of features")
    ax.set_ylabel("seconds, exhaustive / with the list (depth 3)")
    if not len(n):
        ax.text(0.5, 0.5, "not timed", transform=ax.transAxes, horizontalalignment="center")
        return ax
    ax.plot(n, ratio, "o", color="#0072b2", label="measured")
    slope = float((n * ratio).sum() / (n * n).sum())
    ends = np.array([0.0, float(n.max())])
    ax.plot(ends, slope * ends, color="0.5", linewidth=1, label=f"{slope:.2f} x number of features")
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=0)
    ax.grid(alpha=0.25, linewidth=0.6)
    ax.legend(loc="upper left", frameon=False)
    return ax
