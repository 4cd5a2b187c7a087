"""Lines that can be told apart by colour, in grey and by their marks; hollow where time was up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Mark:
    """Style of one line in a plot: a colour that colour-blind readers can distinguish, and a marker shape."""

    label: str
    colour: str
    shape: str
    dashes: str = "-"


def marked_line(
    ax: Axes, mark: Mark, x: ArrayLike, y: ArrayLike, is_limited: NDArray[np.bool_], **style: Any
) -> None:
    """Draw a line whose markers are hollow where a limit was reached.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    mark : Mark
        How the line looks.
    x, y : array-like of shape (n_points,)
        The points.
    is_limited : ndarray of bool, shape (n_points,)
        Whether a limit was reached there.
    **style
        As ``ax.plot`` takes it; wins over the mark.
    """
    look = {"color": mark.colour, "marker": mark.shape, "linestyle": mark.dashes, "label": mark.label}
    ax.plot(x, y, markersize=5.5, linewidth=1.4, zorder=3, **{**look, **style})
    if is_limited.any():
        hollow = {"markerfacecolor": "white", "markeredgewidth": 1.3, "label": "_time limit"}
        marks = {**look, "linestyle": "none", **style, **hollow}
        ax.plot(np.asarray(x)[is_limited], np.asarray(y)[is_limited], markersize=6.5, zorder=4, **marks)


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
