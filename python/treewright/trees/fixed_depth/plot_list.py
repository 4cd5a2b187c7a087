"""The opt-feature list, drawn: what features are worth against the probability of the class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.matplotlib_glue import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treewright.trees.fixed_depth.opt_feature_list import OptFeatureList

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#5b4b8a")
"""Colours that the colour-blind tell apart, for features in turn."""

DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (6, 1, 1.5, 1)))
"""For more features than colours."""

GRID = 513
"""Points that lines are drawn through besides their ends."""


def plot_opt_feature_list(ranking: OptFeatureList, ax: Axes | None = None) -> Axes:
    """Draw what every ranked feature is worth as last question, and the best of all.

    Parameters
    ----------
    ranking : OptFeatureList
        ``opt_feature_list_`` of a fitted `treewright.FixedDepthTreeClassifier`.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        Against the probability x of the second class: one line a feature that is ever the best; thick, in
        its colour, where it is; grey those that only come next. Shaded: what no question at all is worth.
        Small ticks along the lower edge are the breakpoints.

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> from treewright import FixedDepthTreeClassifier, datasets
    >>> from treewright.trees.fixed_depth.plot_list import plot_opt_feature_list
    >>> model = FixedDepthTreeClassifier(max_depth=2).fit(datasets.load("tic-tac-toe"))
    >>> ax = plot_opt_feature_list(model.opt_feature_list_)
    >>> ax.get_xlabel()
    'probability of class positive'
    """
    ax = axes(ax, "plot_opt_feature_list", width=6.8, height=4.8)
    x = np.union1d(np.linspace(0, 1, GRID), ranking.breakpoints)
    idle = np.maximum(x, 1 - x)
    best = _best(ranking, x)
    first = [feature for feature in dict.fromkeys(best.tolist()) if feature >= 0]
    for feature in sorted({*ranking.features.ravel().tolist()} - {*first}):
        ax.plot(x, ranking.value_of(feature, x), color="0.72", linewidth=0.8, zorder=2)
    for place, feature in enumerate(first):
        _draw_feature(ax, ranking, feature, place, x, best == feature)
    ax.plot(x, np.where(best < 0, idle, np.nan), color="black", linewidth=3, label="no question", zorder=3)
    ax.fill_between(x, 0, idle, color="0.93", linewidth=0, zorder=1)
    ax.axvline(ranking.start, color="0.35", linewidth=0.9, linestyle=(0, (2, 2)), zorder=2)
    _lay_out(ax, ranking, best)
    return ax


def _best(ranking: OptFeatureList, x: NDArray[Any]) -> NDArray[Any]:
    """Return the best feature at every x, -1 where none is worth more than no question."""
    is_worth = ranking.values(x)[:, 0] > np.maximum(x, 1 - x) + 1e-12
    return np.where(is_worth, ranking.lookup(x)[:, 0], -1)


def _draw_feature(
    ax: Axes, ranking: OptFeatureList, feature: int, place: int, x: NDArray[Any], is_best: NDArray[Any]
) -> None:
    colour = COLOURS[place % len(COLOURS)]
    value = ranking.value_of(feature, x)
    dashes = DASHES[place // len(COLOURS) % len(DASHES)]
    reached = is_best | np.concatenate([[False], is_best[:-1]])  # up to the end of the interval
    ax.plot(x, value, color=colour, linewidth=0.9, linestyle=dashes, zorder=3)
    name = ranking.feature_names[feature]
    ax.plot(x, np.where(reached, value, np.nan), color=colour, linewidth=3, label=name, zorder=4)


def _lay_out(ax: Axes, ranking: OptFeatureList, best: NDArray[Any]) -> None:
    classes = ranking.classes
    ax.set_xlim(0, 1)
    ax.set_ylim(0.48, 1.005)
    ax.plot(ranking.breakpoints, np.full(len(ranking.breakpoints), 0.48), "|", color="black", clip_on=False)
    ax.set_xlabel(f"probability of class {classes[1]}")
    ax.set_ylabel("expected accuracy after one more question")
    ax.text(
        ranking.start,
        0.49,
        " before any question",
        fontsize="x-small",
        color="0.35",
        horizontalalignment="left" if ranking.start < 0.7 else "right",
    )
    title = "best last question" if (best >= 0).any() else "no question is worth asking"
    ax.legend(title=title, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize="small")
