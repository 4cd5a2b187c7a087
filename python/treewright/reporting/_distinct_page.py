"""All drawings of a study of distinct trees on one page."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from treewright.reporting._distinct_counts import plot_distribution, plot_overhead, plot_time
from treewright.reporting._distinct_errors import plot_error_lines
from treewright.reporting._matplotlib import new_figure

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
    >>> from treewright.reporting import plot_study
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
    lines = [textwrap.fill(note, 52, break_on_hyphens=False) for note in study_notes(study)]
    text = "\n\n".join(lines)
    ax.text(0, 0.97, text, transform=ax.transAxes, verticalalignment="top", fontsize=9, linespacing=1.3)


def study_notes(study: DistinctTreeStudy) -> list[str]:
    """Say in sentences what was drawn, and what was cut short or estimated."""
    settings = study.settings
    notes = [
        f"{study.n_samples:,} samples, {study.n_features} features; trees by {settings['criterion']}.",
        "Trees are counted and timed on all samples. Errors: mean over "
        f"{settings['repeats']} x {settings['cv']} folds, of whose training samples "
        f"{settings['search_set']:.0%} are the search set; bars are one standard error.",
    ]
    return [*notes, *_estimated(study), *_cut_short(study)]


def _estimated(study: DistinctTreeStudy) -> list[str]:
    n_grown = study.exhaustive["n_grown"][study.exhaustive["is_estimated"]].tolist()
    if not n_grown:
        return []
    least, most = min(n_grown), max(n_grown)
    trees = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return [
        f"Exhaustive time is estimated: mean time of the trees of {trees} random subsets, times "
        f"2^{study.n_features}."
    ]


def _cut_short(study: DistinctTreeStudy) -> list[str]:
    n_counts = int((study.counts["status"] != "complete").sum())
    n_selections = int((study.per_fold["status"] == "time_limit").sum())
    notes = []
    if n_counts or n_selections:
        limit = study.settings["time_limit"]
        notes.append(
            f"Hollow: time limit of {limit:g} s reached, by {n_counts} of {len(study.counts)} counts and "
            f"{n_selections} of {len(study.per_fold):,} selections. A count is then a lower bound, its "
            "overhead that of the part seen."
        )
    if study.status == "stopped":
        notes.append("The study was stopped before its end.")
    return notes
