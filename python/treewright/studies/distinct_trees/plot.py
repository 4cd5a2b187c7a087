"""Distinct trees drawn: how many of which size, how many built in vain, how long it takes."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.marks import (
    lay_out_sizes,
    legend_above,
    marked_line,
)
from treewright.reporting.matplotlib_glue import (
    axes,
    no_ticks,
    shades,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treewright.studies import DistinctTreeStudy

SHAPES = "ovsD^P*X<>"
"""Marks of the values of m, in turn."""

LARGEST_LINEAR = 50
"""Subsets of one size beyond which the axis of trees is logarithmic."""

LARGEST_PLAIN = 5.0
"""Overhead beyond which its axis is logarithmic."""

SPANS = {
    "1 minute": 60.0,
    "1 hour": 3600.0,
    "1 day": 86_400.0,
    "1 year": 3.156e7,
    "1000 years": 3.156e10,
    "age of the universe": 4.35e17,
}
"""Times that mean something, in seconds."""


def plot_distribution(study: DistinctTreeStudy, ax: Axes | None = None) -> Axes:
    """Draw how many distinct trees test how many features, for every m.

    Parameters
    ----------
    study : DistinctTreeStudy
        What `treewright.studies.study_distinct_trees` found.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        One line an m, hollow marks where no count was complete; grey without marks: all subsets.

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> from treewright.studies.distinct_trees.plot import plot_distribution
    >>> from treewright.studies import study_distinct_trees
    >>> study = study_distinct_trees("wine", min_samples_split=[16, 64], cv=2, max_grown=10)
    >>> ax = plot_distribution(study)
    >>> ax.get_xlabel(), len(ax.lines)
    ('number of features k', 3)
    """
    ax = axes(ax, "plot_distribution", width=6.4, height=4.4)
    rows = study.distribution
    sizes = np.unique(rows["min_samples_split"]).tolist()
    ks = np.arange(study.n_features + 1)
    subsets = [float(math.comb(study.n_features, int(k))) for k in ks]
    ax.plot(ks, subsets, color="0.55", linestyle=(0, (5, 2)), label="all subsets")
    for i, (size, colour) in enumerate(zip(sizes, shades(len(sizes)), strict=True)):
        part = rows[rows["min_samples_split"] == size]
        n_trees = np.where(part["n_trees"] > 0, part["n_trees"], np.nan).astype(float)
        style = {
            "color": colour,
            "marker": SHAPES[i % len(SHAPES)],
            "linestyle": "-",
            "label": f"m = {size:g}",
        }
        marked_line(ax, "", part["n_features"], n_trees, ~part["is_complete"], **style)
    if max(subsets) > LARGEST_LINEAR:
        ax.set_yscale("log")
        ax.set_ylim(bottom=0.7)
    else:
        ax.set_ylim(bottom=0)
    ax.xaxis.set_major_locator(whole_numbers())
    ax.set_xlabel("number of features k")
    ax.set_ylabel("distinct trees that test k features")
    ax.grid(alpha=0.25, linewidth=0.6)
    legend_above(ax, n_columns=3 if len(sizes) > 3 else 2)
    return ax


def plot_overhead(study: DistinctTreeStudy, ax: Axes | None = None) -> Axes:
    """Draw how many trees are built for each distinct one, by the order of taking features away.

    Parameters
    ----------
    study : DistinctTreeStudy
        What `treewright.studies.study_distinct_trees` found.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        One line an order, hollow marks where a count reached its time limit. Along the upper edge: the
        overhead of exhaustive search, which builds a tree for every subset.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    ax = axes(ax, "plot_overhead", width=6.4, height=4.4)
    rows = study.counts
    for order in study.orders:
        part = rows[rows["order"] == order]
        marked_line(ax, order, part["min_samples_split"], part["overhead"], part["status"] != "complete")
    _scale_overhead(ax, rows["overhead"], len(study.orders))
    lay_out_sizes(ax, np.unique(rows["min_samples_split"]).tolist())
    ax.set_ylabel("trees built / distinct trees")
    _exhaustive_edge(ax, study)
    ax.legend(loc="upper left", frameon=False, fontsize="small", handlelength=2.4)
    return ax


def _scale_overhead(ax: Axes, overheads: NDArray[np.float64], n_orders: int) -> None:
    """Begin at 1, the least there can be, and leave room for the legend above."""
    most = float(overheads[np.isfinite(overheads)].max(initial=1.05))
    room = 1.25 + 0.1 * n_orders
    if most > LARGEST_PLAIN:
        ax.set_yscale("log")
        ax.set_ylim(most ** (-1 / 30), most**room)
    else:
        ax.set_ylim(1 - (most - 1) / 20, 1 + (most - 1) * room)


def _exhaustive_edge(ax: Axes, study: DistinctTreeStudy) -> None:
    """Say along the upper edge how many subsets there are for each distinct tree."""
    rows, texts = study.distribution, {}
    for size in np.unique(rows["min_samples_split"]).tolist():
        part = rows[rows["min_samples_split"] == size]
        n_trees = int(part["n_trees"].sum())
        is_bound = not part["is_complete"].all()
        ratio = _short(2**study.n_features, n_trees, is_bound=is_bound) if n_trees else "?"
        texts[size] = f"<{ratio}" if n_trees and is_bound else ratio
    shown = [size for size in ax.get_xticks() if size in texts]
    edge = ax.secondary_xaxis("top")
    edge.set_xticks(shown, [texts[size] for size in shown], fontsize="small")
    edge.xaxis.set_minor_locator(no_ticks())
    edge.set_xlabel("exhaustive search: subsets / distinct trees", fontsize="small")


def _short(numerator: int, denominator: int, *, is_bound: bool) -> str:
    """Write a ratio of ints of any size, at least 1, in a few characters; a bound from above rounded up."""
    exponent = Decimal(numerator // denominator).adjusted()
    digits = Context(
        prec=2 if exponent > 3 else max(exponent + 1, 3),
        rounding=ROUND_CEILING if is_bound else ROUND_HALF_EVEN,
    )
    ratio = digits.divide(Decimal(numerator), Decimal(denominator))
    if exponent <= 3:
        return f"{ratio:,f}"
    power = ratio.adjusted()
    return f"${ratio.scaleb(-power):.1f} \\cdot 10^{{{power}}}$"


def plot_time(study: DistinctTreeStudy, ax: Axes | None = None) -> Axes:
    """Draw how long it takes to find all distinct trees, and to grow the tree of every subset.

    Parameters
    ----------
    study : DistinctTreeStudy
        What `treewright.studies.study_distinct_trees` found.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        Seconds of the first order, hollow where the time limit was reached, and of the exhaustive search;
        estimates are called so.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    ax = axes(ax, "plot_time", width=6.4, height=4.4)
    rows = study.counts[study.counts["order"] == study.orders[0]]
    marked_line(ax, "enumeration", rows["min_samples_split"], rows["seconds"], rows["status"] != "complete")
    for name, is_estimated in (("exhaustive", False), ("estimated", True)):
        part = study.exhaustive[study.exhaustive["is_estimated"] == is_estimated]
        if len(part):
            hidden = {"markerfacecolor": "none"} if is_estimated else {}
            nothing = np.zeros(len(part), dtype=np.bool_)
            marked_line(ax, name, part["min_samples_split"], part["seconds"], nothing, **hidden)
    ax.set_yscale("log")
    lay_out_sizes(ax, np.unique(study.counts["min_samples_split"]).tolist())
    ax.set_ylabel("seconds, one thread")
    _spans(ax)
    legend_above(ax, n_columns=2)
    return ax


def _spans(ax: Axes) -> None:
    """Mark times that mean something, as far as they are in sight."""
    low, high = ax.get_ylim()
    style: dict[str, Any] = {"color": "0.4", "fontsize": "x-small", "verticalalignment": "bottom"}
    for name, seconds in SPANS.items():
        if low < seconds < high:
            ax.axhline(seconds, color="0.7", linewidth=0.6, zorder=1, label=f"_{name}")
            ax.text(
                0.985, seconds, name, transform=ax.get_yaxis_transform(), horizontalalignment="right", **style
            )
