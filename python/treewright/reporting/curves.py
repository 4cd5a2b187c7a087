"""Curves that results of searches share: a front of size and error, a gap over time, a distribution.

They take plain numbers. What was chosen has a ring, whatever the curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from treewright.reporting.marks import Mark, legend_above
from treewright.reporting.matplotlib_glue import axes, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"
"""Colours that colour-blind readers can distinguish."""

TRAINING = Mark("on the samples of the fit", GREEN, "s", "-.")
HELD_OUT = Mark("cross-validated", ORANGE, "D")
FOUND = Mark("best found", BLUE, "o")
CHOOSING = Mark("on the problem that chooses", ORANGE, "D")
BOUND = Mark("proven bound", ORANGE, "D", "--")

LARGEST_LINEAR = 1000
"""Counts above which an axis is logarithmic."""


@dataclass(frozen=True)
class Curve:
    """A line of a front: how it looks, its values, and how far they spread to either side."""

    mark: Mark
    values: ArrayLike
    spread: ArrayLike | None = None


def ring(ax: Axes, x: ArrayLike, y: ArrayLike, label: str = "chosen") -> None:
    """Draw a ring around what was chosen."""
    ax.plot(
        x,
        y,
        linestyle="none",
        marker="o",
        markersize=14,
        markerfacecolor="none",
        markeredgecolor="black",
        markeredgewidth=1.2,
        clip_on=False,
        zorder=5,
        label=label,
    )


def front(
    ax: Axes | None,
    owner: str,
    sizes: ArrayLike,
    curves: Sequence[Curve],
    *,
    chosen: int | None = None,
    names: tuple[str, str],
    from_zero: bool = True,
) -> Axes:
    """Draw errors against sizes; `chosen` is a place in them, and `names` are those of the axes."""
    ax = axes(ax, owner, width=6.0, height=4.4)
    at = np.asarray(sizes)
    for curve in curves:
        _line(ax, at, curve)
    if chosen is not None:
        ring(ax, at[[chosen]], np.asarray(curves[-1].values)[[chosen]], f"chosen: {at[chosen]:g}")
    ax.xaxis.set_major_locator(whole_numbers())
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    if from_zero:
        ax.set_ylim(bottom=0)
    ax.grid(alpha=0.25, linewidth=0.6)
    legend_above(ax, n_columns=2)
    return ax


def _line(ax: Axes, at: ArrayLike, curve: Curve) -> None:
    """Draw a line, with bars where it spreads."""
    mark = curve.mark
    ax.errorbar(
        at,
        curve.values,
        curve.spread,
        capsize=3,
        elinewidth=0.9,
        markersize=5,
        color=mark.colour,
        marker=mark.shape,
        linestyle=mark.dashes,
        label=mark.label,
        clip_on=False,
        zorder=3,
    )


def gap(
    ax: Axes | None,
    owner: str,
    seconds: ArrayLike,
    best: ArrayLike,
    bound: ArrayLike,
    *,
    name: str,
) -> Axes:
    """Draw the best cost so far and the proven bound as steps over time, and the gap between them.

    NaN is where there is no best or no bound yet.
    """
    ax = axes(ax, owner, width=6.0, height=4.4)
    at, found, proven = (np.asarray(values, dtype=float) for values in (seconds, best, bound))
    ax.fill_between(at, proven, found, step="post", color="0.5", alpha=0.18, linewidth=0, label="gap")
    for mark, values in ((FOUND, found), (BOUND, proven)):
        if np.isfinite(values).any():
            ax.plot(
                at,
                values,
                drawstyle="steps-post",
                markersize=3.5,
                label=mark.label,
                color=mark.colour,
                linestyle=mark.dashes,
                marker=mark.shape,
            )
    ax.set_xlabel("seconds")
    ax.set_ylabel(name)
    ax.set_xlim(left=0)
    ax.grid(alpha=0.25, linewidth=0.6)
    legend_above(ax, n_columns=3)
    return ax


def distribution(
    ax: Axes | None,
    owner: str,
    counts: Sequence[int],
    *,
    beside: Sequence[float],
    names: tuple[str, str, str, str],
) -> Axes:
    """Draw counts by size, from 0 on, as bars, and others beside them as a line.

    `names` are those of the axes, of the bars and of the line.
    """
    ax = axes(ax, owner, width=6.0, height=4.4)
    sizes = np.arange(len(counts))
    heights = np.array([float(count) for count in counts])
    ax.bar(sizes, heights, color=BLUE, width=0.8, label=names[2])
    ax.plot(sizes, beside, color="0.45", linestyle=(0, (5, 2)), label=names[3])
    if max(beside) > LARGEST_LINEAR:
        ax.set_yscale("log")
        ax.set_ylim(bottom=0.7)
    ax.xaxis.set_major_locator(whole_numbers())
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    ax.set_axisbelow(True)
    ax.grid(axis="y", alpha=0.25, linewidth=0.6)
    legend_above(ax, n_columns=2)
    return ax
