"""Marks of several methods, side by side at the place of every data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treewright.reporting.matplotlib_glue import Colour
from treewright.results import ResultTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SPREAD = 0.62
"""How much of a data set's place its methods take up."""

Look = tuple[Colour, str]
"""Colour and shape of a mark."""


@dataclass(frozen=True)
class Shown:
    """Which column of a summary is drawn, times which factor, with which column of deviations."""

    field: str
    factor: float = 1.0
    spread: str | None = None


def width_of(names: Sequence[str]) -> float:
    """Return the width in inches that so many data sets take."""
    return max(6.4, 2.2 + 1.15 * len(names))


def draw_places(
    ax: Axes,
    summary: ResultTable,
    names: Sequence[str],
    labels: Mapping[str, str],
    looks: Mapping[str, Look],
    shown: Shown,
) -> None:
    """Draw means of every method, with bars where there are deviations; a legend stands above."""
    offsets = np.linspace(-SPREAD / 2, SPREAD / 2, len(labels)) if len(labels) > 1 else [0.0]
    for (method, label), offset in zip(labels.items(), offsets, strict=True):
        rows = summary[summary["method"] == method]
        places = [names.index(name) + offset for name in rows["data"]]
        colour, shape = looks[method]
        ax.errorbar(
            places,
            shown.factor * rows[shown.field],
            yerr=None if shown.spread is None else shown.factor * rows[shown.spread],
            color=colour,
            fmt=shape,
            elinewidth=1,
            capsize=2,
            markersize=5,
            label=label,
        )
    for edge in range(1, len(names)):
        ax.axvline(edge - 0.5, color="0.9", linewidth=0.8, zorder=0)
    ax.set_xticks(range(len(names)), names)
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.grid(axis="y", alpha=0.25, linewidth=0.6)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=6, frameon=False, fontsize="small")
