"""Accuracies by depth, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treewright.reporting.matplotlib_glue import axes, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treewright.trees.fixed_depth.depth_path import DepthPath

LINES = {
    "expected_accuracy": ("expected under naive Bayes", "#0072b2", "o", "--"),
    "training_accuracy": ("on the samples of the fit", "#009e73", "s", "-."),
}


def plot_depth_path(path: DepthPath, ax: Axes | None = None) -> Axes:
    """Draw expected, training and cross-validated accuracy against the depth.

    Parameters
    ----------
    path : DepthPath
        What `treewright.fixed_depth.depth_path` found.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        One line an accuracy; bars of the cross-validated one are a standard deviation over the folds to
        either side, and a ring is around the best depth.

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> from treewright import datasets
    >>> from treewright.fixed_depth import depth_path
    >>> from treewright.trees.fixed_depth.plot_path import plot_depth_path
    >>> ax = plot_depth_path(depth_path(datasets.load("monks-3"), depths=[1, 2, 3]))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('questions on a path at most', 'accuracy, %')
    """
    ax = axes(ax, "plot_depth_path", width=6.0, height=4.4)
    table = path.table
    depths, held_out = table["depth"], 100 * table["cv_accuracy"]
    for field, (label, colour, shape, dashes) in LINES.items():
        ax.plot(depths, 100 * table[field], color=colour, marker=shape, linestyle=dashes, label=label)
    look: dict[str, Any] = {"color": "#d55e00", "marker": "D", "capsize": 3, "elinewidth": 0.9}
    ax.errorbar(depths, held_out, yerr=100 * table["cv_std"], label="cross-validated", **look)
    best = table[depths == path.best_depth]
    ax.plot(
        best["depth"], 100 * best["cv_accuracy"], "o", markersize=15, markerfacecolor="none", color="black"
    )
    ax.xaxis.set_major_locator(whole_numbers())
    ax.set_xlabel("questions on a path at most")
    ax.set_ylabel("accuracy, %")
    ax.grid(alpha=0.25, linewidth=0.6)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False, fontsize="small")
    return ax
