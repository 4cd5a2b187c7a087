"""Rows of a study of distinct trees, drawn: trees by size, trees built in vain, seconds, errors."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.marks import Mark, legend_above, marked_line
from treewright.reporting.matplotlib_glue import axes, no_ticks, shades, whole_numbers
from treewright.results import ResultTable
from treewright.studies.common.measure import Measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKS: Mapping[str, Mark] = {
    "frontier": Mark("ascending frontier", "#0072b2", "o"),
    "frontier_descending": Mark("descending frontier", "#d55e00", "v", "--"),
    "index": Mark("ascending index", "#009e73", "s", "-."),
    "index_descending": Mark("descending index", "#cc79a7", "D", ":"),
    "top": Mark("top", "#333333", "s", "--"),
    "backward": Mark("backward", "#0072b2", "o"),
    "forward": Mark("forward", "#009e73", "v", "-."),
    "complete": Mark("complete", "#d55e00", "D", ":"),
    "enumeration": Mark("distinct trees", "#0072b2", "o"),
    "exhaustive": Mark("exhaustive", "#333333", "s", "--"),
    "estimated": Mark("exhaustive, estimated", "#333333", "s", "--"),
}
"""Every line there is, by what it shows."""

PLAIN = Mark("", "#333333", "o")

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

DODGE = 1.045
"""Factor by which the methods stand beside one another, so that their bars do not hide each other."""

MOST_TICKS = 10
"""Values of m up to which each has a tick of its own."""


def mark_of(name: str) -> Mark:
    """Return how a line looks, by what it shows."""
    return MARKS.get(name, Mark(name, PLAIN.colour, PLAIN.shape))


class DistinctPlots:
    """The plots of `DistinctTreeStudy`, one of its tables each."""

    n_features: int
    orders: tuple[str, ...]
    methods: tuple[str, ...]
    counts: ResultTable
    distribution: ResultTable
    exhaustive: ResultTable

    @property
    @abstractmethod
    def _measure(self) -> Measure:
        """What the methods are compared by."""

    @property
    @abstractmethod
    def errors(self) -> ResultTable:
        """One row for each m and method."""

    def plot_distribution(self, ax: Axes | None = None) -> Axes:
        """Draw the number of distinct trees by the number of features that they test.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One line for each m, with hollow markers where no count was complete; the grey line without
            markers shows all subsets.
        """
        rows, n_features = self.distribution, self.n_features
        ax = axes(ax, "plot_distribution", width=6.4, height=4.4)
        sizes = np.unique(rows["min_samples_split"]).tolist()
        ks = np.arange(n_features + 1)
        subsets = [float(math.comb(n_features, int(k))) for k in ks]
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
            marked_line(ax, PLAIN, part["n_features"], n_trees, ~part["is_complete"], **style)
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

    def plot_overhead(self, ax: Axes | None = None) -> Axes:
        """Draw the trees built for each distinct one.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One line for each order, against m, with hollow markers where a count reached its time limit. At
            the top: the overhead of exhaustive search, which builds a tree for every subset.
        """
        rows, n_features = self.counts, self.n_features
        ax = axes(ax, "plot_overhead", width=6.4, height=4.4)
        orders = list(dict.fromkeys(rows["order"].tolist()))
        for order in orders:
            part = rows[rows["order"] == order]
            marked_line(
                ax, mark_of(order), part["min_samples_split"], part["overhead"], part["status"] != "complete"
            )
        _scale_overhead(ax, rows["overhead"], len(orders))
        lay_out_sizes(ax, np.unique(rows["min_samples_split"]).tolist())
        ax.set_ylabel("trees built / distinct trees")
        _exhaustive_edge(ax, self.distribution, n_features)
        ax.legend(loc="upper left", frameon=False, fontsize="small", handlelength=2.4)
        return ax

    def plot_time(self, ax: Axes | None = None) -> Axes:
        """Draw the seconds of enumeration and of exhaustive search.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            Seconds of the first order, with hollow markers where the time limit was reached, and of
            exhaustive search; estimates are marked.
        """
        rows = self.counts[self.counts["order"] == self.orders[0]]
        ax = axes(ax, "plot_time", width=6.4, height=4.4)
        is_limited = rows["status"] != "complete"
        marked_line(ax, mark_of("enumeration"), rows["min_samples_split"], rows["seconds"], is_limited)
        for name, is_estimated in (("exhaustive", False), ("estimated", True)):
            part = self.exhaustive[self.exhaustive["is_estimated"] == is_estimated]
            if len(part):
                hidden = {"markerfacecolor": "none"} if is_estimated else {}
                nothing = np.zeros(len(part), dtype=np.bool_)
                marked_line(ax, mark_of(name), part["min_samples_split"], part["seconds"], nothing, **hidden)
        ax.set_yscale("log")
        lay_out_sizes(ax, np.unique(rows["min_samples_split"]).tolist())
        ax.set_ylabel("seconds, one thread")
        _spans(ax)
        legend_above(ax, n_columns=2)
        return ax

    def plot_errors(self, ax: Axes | None = None, *, on_validation_set: bool = False) -> Axes:
        """Draw the error of every method, or with a cost matrix the cost of its answers.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.
        on_validation_set : bool, default=False
            Draw the errors on the validation sets, which were used to choose the features, instead of those
            on held-out folds.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One line for each method, of means over the folds, with hollow markers where a selection reached
            its time limit. Held-out errors have bars of one standard error on each side.
        """
        errors, methods, measure = self.errors, self.methods, self._measure
        ax = axes(ax, "plot_errors", width=6.4, height=4.4)
        for i, method in enumerate(methods):
            part = errors[errors["method"] == method]
            shift = 1.0 if on_validation_set else DODGE ** (i - (len(methods) - 1) / 2)
            drawn = part[measure.validation if on_validation_set else measure.mean]
            x, y = shift * part["min_samples_split"], measure.factor * drawn
            marked_line(ax, mark_of(method), x, y, part["n_limited"] > 0)
            if not on_validation_set:
                bars = measure.factor * part[f"{measure.mean}_std"] / np.sqrt(part["n_folds"])
                colour = mark_of(method).colour
                ax.errorbar(x, y, yerr=bars, fmt="none", ecolor=colour, elinewidth=0.9, capsize=2, zorder=2)
        lay_out_sizes(ax, np.unique(errors["min_samples_split"]).tolist())
        ax.set_ylim(bottom=0)
        by = "validation" if on_validation_set else "cross-validation"
        ax.set_ylabel(f"{by} {measure.axis}{measure.unit}")
        legend_above(ax, n_columns=len(methods))
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


def _exhaustive_edge(ax: Axes, rows: ResultTable, n_features: int) -> None:
    """Say along the upper edge how many subsets there are for each distinct tree."""
    texts = {}
    for size in np.unique(rows["min_samples_split"]).tolist():
        part = rows[rows["min_samples_split"] == size]
        n_trees = int(part["n_trees"].sum())
        is_bound = not part["is_complete"].all()
        ratio = _short(2**n_features, n_trees, is_bound=is_bound) if n_trees else "?"
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


def _spans(ax: Axes) -> None:
    """Mark times that mean something, as far as they are in sight."""
    low, high = ax.get_ylim()
    for name, seconds in SPANS.items():
        if low < seconds < high:
            ax.axhline(seconds, color="0.7", linewidth=0.6, zorder=1, label=f"_{name}")
            ax.text(
                0.985,
                seconds,
                name,
                transform=ax.get_yaxis_transform(),
                horizontalalignment="right",
                verticalalignment="bottom",
                color="0.4",
                fontsize="x-small",
            )


def lay_out_sizes(ax: Axes, sizes: Sequence[float]) -> None:
    """Make the x axis one of m, in powers of two."""
    ax.set_xscale("log", base=2)
    ax.xaxis.set_minor_locator(no_ticks())
    shown = sizes[:: -(-len(sizes) // MOST_TICKS)]
    ax.set_xticks(list(shown), [f"{size:g}" for size in shown])
    if len(sizes) == 1:
        ax.set_xlim(sizes[0] / 2, sizes[0] * 2)
    ax.set_xlabel("m (min_samples_split)")
    ax.grid(alpha=0.25, linewidth=0.6)
