"""The course of a feature search, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treewright.reporting.curves import BLUE, Curve, front, ring
from treewright.reporting.marks import Mark
from treewright.reporting.matplotlib_glue import axes, in_picture, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treewright.results import ResultTable
    from treewright.trees.distinct_tree import DistinctTree

MOST_NAMED = 40
"""Steps beyond which their features are not named."""

MOST_SLANTED = 8
"""Steps beyond which names stand upright."""

MOST_TOGETHER = 3
"""Features of one step beyond which they are counted."""

MOST_COUNTS = 14
"""Numbers of features along the upper edge."""


def plot_history(
    history: ResultTable,
    ax: Axes | None = None,
    *,
    feature_names: Sequence[str] | None = None,
    chosen: int | None = None,
) -> Axes:
    """Draw validation errors, or their cost, against the steps of a feature search, up to forty by feature.

    The upper edge says how many features are selected then, and a ring is around the chosen step.
    """
    is_named = feature_names is not None and len(history) <= MOST_NAMED
    counted = "cost" if "cost" in (history.dtype.names or ()) else "errors"
    steps, errors = history["step"], history[counted]
    ax = axes(ax, "plot", width=max(6.4, 0.22 * len(history) * is_named), height=4.8)
    ax.plot(steps, errors, drawstyle="steps-post", color=BLUE, alpha=0.4)
    ax.plot(steps, errors, "o", color=BLUE, markersize=5, clip_on=False, zorder=3)
    if chosen is not None:
        ring(ax, steps[[chosen]], errors[[chosen]], f"chosen: {history['n_features'][chosen]} features")
        ax.legend(loc="best", frameon=False, fontsize="small")
    ax.set_ylabel(f"{counted} on the validation part")
    ax.set_ylim(0, 1.08 * max(errors.max(), 1))
    ax.yaxis.set_major_locator(whole_numbers())
    if feature_names is not None and is_named:
        _name_steps(ax, history, feature_names)
    else:
        ax.xaxis.set_major_locator(whole_numbers())
        ax.set_xlabel("step")
    _count_features(ax, history)
    return ax


def plot_best(trees: Sequence[DistinctTree], ax: Axes | None = None) -> Axes:
    """Draw the best trees of a complete search: errors, or their cost, by leaves; a ring at the first."""
    costs = [tree.validation_cost for tree in trees]
    counts_cost = costs[0] is not None
    losses = costs if counts_cost else [tree.n_validation_errors for tree in trees]
    what = "cost" if counts_cost else "errors"
    curve = Curve(Mark("the best trees", BLUE, "o", ""), np.array(losses, dtype=float))
    names = "leaves", f"{what} on the validation part"
    return front(ax, "plot", [tree.n_leaves for tree in trees], [curve], chosen=0, names=names)


def _name_steps(ax: Axes, history: ResultTable, feature_names: Sequence[str]) -> None:
    """Mark each step with what went or came; with a sign where both happen."""
    goes, comes = bool((history["dropped"] >= 0).any()), bool((history["added"] >= 0).any())
    labels = [_label(step, feature_names, has_sign=goes and comes) for step in history]
    if len(labels) > MOST_SLANTED:
        ax.set_xticks(history["step"].tolist(), labels, rotation=90)
    else:
        ax.set_xticks(
            history["step"].tolist(), labels, rotation=30, horizontalalignment="right", rotation_mode="anchor"
        )
    ax.set_xlabel(
        "feature " + ("dropped (−) or added (+)" if goes and comes else "added" if comes else "dropped")
    )


def _label(step: np.void, feature_names: Sequence[str], *, has_sign: bool) -> str:
    """Name the features of one step, or count them."""
    positions = step["changed"]
    if not positions:
        return "start"
    sign = ("+ " if step["added"] >= 0 else "− ") if has_sign else ""
    if len(positions) > MOST_TOGETHER:
        return f"{sign}{len(positions)} features"
    return sign + ", ".join(in_picture(feature_names[position]) for position in positions)


def _count_features(ax: Axes, history: ResultTable) -> None:
    """Say along the upper edge how many features are selected after a step."""
    shown = history[:: -(-len(history) // MOST_COUNTS)]
    edge = ax.secondary_xaxis("top")
    edge.set_xticks(shown["step"].tolist(), [str(n) for n in shown["n_features"]])
    edge.set_xlabel("features selected")
