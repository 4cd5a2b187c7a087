"""The errors of a comparison, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treewright.reporting.matplotlib_glue import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treewright.studies import SelectionComparison

SPREAD = 0.5
"""How much of a data set's row its methods take up."""


def plot_errors(comparison: SelectionComparison, ax: Axes | None = None) -> Axes:
    """Draw the held-out error of every method on every data set.

    Parameters
    ----------
    comparison : SelectionComparison
        What `treewright.studies.compare_selection` found.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        One row a data set; dots are means over the folds, bars one standard deviation to either side.

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> from treewright.studies.selection.plot import plot_errors
    >>> from treewright.studies import compare_selection
    >>> study = compare_selection(["wine", "iris"], cv=5, repeats=2)
    >>> ax = plot_errors(study)
    >>> ax.get_xlabel()
    'error on held-out samples, %'
    """
    names = comparison.data_sets["data"].tolist()
    methods = [method for method in comparison.methods if method != "retrain"]
    ax = axes(ax, "plot_errors", width=6.4, height=1.6 + 0.5 * len(names))
    summary = comparison.summary
    offsets = np.linspace(-SPREAD / 2, SPREAD / 2, len(methods)) if len(methods) > 1 else [0.0]
    for method, offset in zip(methods, offsets, strict=True):
        rows = summary[summary["method"] == method]
        places = [names.index(name) + offset for name in rows["data"]]
        ax.errorbar(
            100 * rows["error"], places, xerr=100 * rows["error_std"], fmt="o", capsize=3, label=method
        )
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlim(left=0)
    ax.set_xlabel("error on held-out samples, %")
    ax.grid(axis="x", alpha=0.3)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(methods), frameon=False)
    return ax
