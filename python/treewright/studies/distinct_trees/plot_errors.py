"""The errors of selections against m, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treewright.reporting.marks import (
    MARKS,
    Mark,
    lay_out_sizes,
    legend_above,
    marked_line,
)
from treewright.reporting.matplotlib_glue import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treewright.studies import DistinctTreeStudy

DODGE = 1.045
"""Factor by which the methods stand beside one another, so that their bars do not hide each other."""


def plot_error_lines(
    study: DistinctTreeStudy, ax: Axes | None = None, *, on_validation_set: bool = False
) -> Axes:
    """Draw the error of every method against m.

    Parameters
    ----------
    study : DistinctTreeStudy
        What `treewright.studies.study_distinct_trees` found.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.
    on_validation_set : bool, default=False
        Draw the errors on the search sets, not those on held-out folds.

    Returns
    -------
    ax : matplotlib.axes.Axes
        One line a method, of means over the folds; hollow marks where a selection reached its time limit.
        Held-out errors have bars: one standard error to either side.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    ax = axes(ax, "plot_error_lines", width=6.4, height=4.4)
    errors = study.errors
    for i, method in enumerate(study.methods):
        part = errors[errors["method"] == method]
        shift = 1.0 if on_validation_set else DODGE ** (i - (len(study.methods) - 1) / 2)
        x, y = (
            shift * part["min_samples_split"],
            100 * part["validation_error" if on_validation_set else "error"],
        )
        marked_line(ax, method, x, y, part["n_limited"] > 0)
        if not on_validation_set:
            bars = 100 * part["error_std"] / np.sqrt(part["n_folds"])
            colour = MARKS.get(method, Mark(method, "#333333", "o")).colour
            ax.errorbar(x, y, yerr=bars, fmt="none", ecolor=colour, elinewidth=0.9, capsize=2, zorder=2)
    lay_out_sizes(ax, np.unique(errors["min_samples_split"]).tolist())
    ax.set_ylim(bottom=0)
    ax.set_ylabel("search error, %" if on_validation_set else "cross-validation error, %")
    legend_above(ax, n_columns=len(study.methods))
    return ax
