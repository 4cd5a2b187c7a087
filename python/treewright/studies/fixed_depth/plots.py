"""Rows of a comparison of fixed-depth trees, drawn: errors, search times, what the list saves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.matplotlib_glue import axes, shades
from treewright.results import ResultTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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


def draw_errors(
    names: Sequence[str], summary: ResultTable, labels: Mapping[str, str], ax: Axes | None
) -> Axes:
    """Draw the rows of a summary, each method under its label."""
    ax = axes(ax, "plot_errors", width=max(6.4, 2.2 + 1.15 * len(names)), height=4.4)
    offsets = np.linspace(-SPREAD / 2, SPREAD / 2, len(labels))
    looks = _looks(labels)
    for (method, label), offset in zip(labels.items(), offsets, strict=True):
        rows = summary[summary["method"] == method]
        places = [names.index(name) + offset for name in rows["data"]]
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


def _looks(methods: Iterable[str]) -> dict[str, dict[str, Any]]:
    depths = [method for method in methods if method not in RIVALS]
    colours = shades(len(depths))[::-1]
    trees = {method: (colour, "o") for method, colour in zip(depths, colours, strict=True)}
    return {name: {"color": colour, "fmt": shape} for name, (colour, shape) in {**trees, **RIVALS}.items()}


def draw_times(times: ResultTable, ax: Axes | None) -> Axes:
    """Draw the seconds of every search; marks are hollow where a search reached its time limit."""
    ax = axes(ax, "plot_times", width=6.4, height=5.0)
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


def draw_speed_up(scaling: ResultTable, ax: Axes | None) -> Axes:
    """Draw what the list saves by number of features, and the line through the origin that fits it best."""
    ax = axes(ax, "plot_speed_up", width=5.6, height=5.0)
    n, ratio = scaling["n_features"].astype(float), scaling["ratio"]
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
