"""The course of a feature search, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.reporting._matplotlib import axes, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treewright.results import ResultTable

MOST_LABELS = 40
"""Steps beyond which their features are not named."""

MOST_SLANTED = 8
"""Steps beyond which names stand upright."""


def plot_history(
    history: ResultTable, ax: Axes | None = None, *, feature_names: Sequence[str] | None = None
) -> Axes:
    """Draw the search errors against the steps of an elimination.

    Parameters
    ----------
    history : ResultTable
        ``history_`` of a fitted selector.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.
    feature_names : sequence of str, default=None
        Names of all features, by position: each step is then labelled with the feature it dropped,
        unless there are more than forty.

    Returns
    -------
    ax : matplotlib.axes.Axes
        What was drawn on, for a title or ``ax.figure.savefig``.

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> from treewright import BackwardEliminationSelector, datasets
    >>> from treewright.reporting import plot_history
    >>> data = datasets.load("digits")
    >>> selector = BackwardEliminationSelector(random_state=0).fit(data)
    >>> ax = plot_history(selector.history_, feature_names=data.feature_names)
    >>> [label.get_text() for label in ax.get_xticklabels()][:3]
    ['(none)', 'pixel_3_2', 'pixel_3_4']
    """
    names = _step_names(history, feature_names)
    steps, errors = history["step"], history["errors"]
    ax = axes(ax, "plot_history", width=max(6.4, 0.22 * len(names)), height=4.8)
    ax.plot(steps, errors, drawstyle="steps-post", color="C0", alpha=0.4)
    ax.plot(steps, errors, "o", color="C0", markersize=5, clip_on=False, zorder=3)
    ax.set_ylabel("errors on the search set")
    ax.set_ylim(0, 1.08 * max(errors.max(), 1))
    ax.set_xlabel("feature dropped" if names else "features dropped")
    ax.yaxis.set_major_locator(whole_numbers())
    _mark_steps(ax, steps.tolist(), names)
    return ax


def _mark_steps(ax: Axes, steps: list[int], names: list[str]) -> None:
    """Mark each step with its feature if they are named, else some steps with their number."""
    if not names:
        ax.xaxis.set_major_locator(whole_numbers())
    elif len(names) > MOST_SLANTED:
        ax.set_xticks(steps, names, rotation=90)
    else:
        ax.set_xticks(steps, names, rotation=30, ha="right", rotation_mode="anchor")


def _step_names(history: ResultTable, feature_names: Sequence[str] | None) -> list[str]:
    """Name the feature that each step dropped; no names if there are none or too many steps."""
    if feature_names is None or len(history) > MOST_LABELS:
        return []
    return [feature_names[dropped] if dropped >= 0 else "(none)" for dropped in history["dropped"]]
