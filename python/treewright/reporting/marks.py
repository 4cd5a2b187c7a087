"""Lines against m that can be told apart by colour, in grey and by their marks; hollow where time was up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.matplotlib_glue import no_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_TICKS = 10
"""Values of m up to which each has a tick of its own."""


@dataclass(frozen=True)
class Mark:
    """How one line looks: colours that the colour-blind tell apart, and a shape of its own."""

    label: str
    colour: str
    shape: str
    dashes: str = "-"


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


def marked_line(
    ax: Axes, name: str, x: NDArray[Any], y: NDArray[Any], is_limited: NDArray[np.bool_], **style: Any
) -> None:
    """Draw a line whose marks are hollow where a time limit was reached."""
    mark = MARKS.get(name, Mark(name, "#333333", "o"))
    look = {"color": mark.colour, "marker": mark.shape, "linestyle": mark.dashes, "label": mark.label}
    ax.plot(x, y, markersize=5.5, linewidth=1.4, zorder=3, **{**look, **style})
    if is_limited.any():
        hollow = {"markerfacecolor": "white", "markeredgewidth": 1.3, "label": "_time limit"}
        marks = {**look, "linestyle": "none", **style, **hollow}
        ax.plot(x[is_limited], y[is_limited], markersize=6.5, zorder=4, **marks)


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


def legend_above(ax: Axes, n_columns: int) -> None:
    """Put the legend above the drawing, where nothing is."""
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=n_columns,
        frameon=False,
        fontsize="small",
        borderaxespad=0.2,
        columnspacing=1.0,
        handlelength=2.2,
    )
