"""All drawings of a study of distinct trees on one page."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from treewright.reporting.matplotlib_glue import new_figure
from treewright.studies.distinct_trees.notes import study_notes
from treewright.studies.distinct_trees.plot import (
    plot_distribution,
    plot_overhead,
    plot_time,
)
from treewright.studies.distinct_trees.plot_errors import plot_error_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from treewright.studies import DistinctTreeStudy

WIDTH, HEIGHT = 12.6, 7.8


def plot_study(study: DistinctTreeStudy) -> Figure:
    """Draw a study of distinct trees: figures 3 to 5 of the enumeration paper, for this data set.

    Parameters
    ----------
    study : DistinctTreeStudy
        What `treewright.studies.study_distinct_trees` found.

    Returns
    -------
    figure : matplotlib.figure.Figure
        Distribution, overhead and time above; search errors, cross-validation errors and notes below.

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> from treewright.studies.distinct_trees.page import plot_study
    >>> from treewright.studies import study_distinct_trees
    >>> study = study_distinct_trees("wine", min_samples_split=[16, 64], cv=2, max_grown=10)
    >>> [ax.get_ylabel() for ax in plot_study(study).axes][:2]
    ['distinct trees that test k features', 'trees built / distinct trees']
    """
    figure = new_figure("plot_study", width=WIDTH, height=HEIGHT, padding=0.12)
    (distribution, overhead, time), (search, held_out, notes) = figure.subplots(2, 3)
    plot_distribution(study, distribution)
    plot_overhead(study, overhead)
    plot_time(study, time)
    if len(study.per_fold):
        plot_error_lines(study, search, on_search_set=True)
        plot_error_lines(study, held_out)
        _same_height(search, held_out)
    _write_notes(study, notes)
    return figure


def _same_height(one: Axes, other: Axes) -> None:
    """Let both have the same scale, so that search and cross-validation errors compare."""
    top = max(one.get_ylim()[1], other.get_ylim()[1])
    one.set_ylim(0, top)
    other.set_ylim(0, top)


def _write_notes(study: DistinctTreeStudy, ax: Axes) -> None:
    """Write what there is to know where a drawing would be."""
    ax.set_axis_off()
    ax.set_title(study.name, loc="left", fontweight="bold")
    notes = study_notes(study, spread="bars are one standard error", cut="Hollow")
    lines = [textwrap.fill(note, 52, break_on_hyphens=False) for note in notes]
    text = "\n\n".join(lines)
    ax.text(0, 0.97, text, transform=ax.transAxes, verticalalignment="top", fontsize=9, linespacing=1.3)
