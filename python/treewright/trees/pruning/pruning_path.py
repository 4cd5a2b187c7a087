"""The trees to which a price of a leaf prunes a tree, from large to small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treewright.reporting.curves import TRAINING, Curve, front
from treewright.results import ResultTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PruningPath(ResultTable):
    """A table with one row for each pruned tree, as `CostComplexityPruning.path` lists them.

    Its columns are ``alpha``, the smallest price of a leaf that gives the tree; ``n_nodes``; ``n_leaves``
    (leaves with samples); ``errors`` (weight of the training samples predicted wrongly).
    """

    def plot(self, ax: Axes | None = None, *, alpha: float | None = None) -> Axes:
        """Draw the errors against the number of leaves: the front of size and error.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.
        alpha : float, default=None
            Price of a leaf, whose tree gets a ring; None for no ring.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One point for each tree.

        Raises
        ------
        ImportError
            If matplotlib is not installed.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier, datasets
        >>> from treewright.pruning import CostComplexityPruning
        >>> tree = GreedyTreeClassifier().fit(datasets.load("iris")).tree_
        >>> ax = CostComplexityPruning.path(tree).plot(alpha=2)
        >>> ax.get_xlabel(), ax.get_ylabel()
        ('leaves', 'errors')
        """
        chosen = None if alpha is None else max(int(np.searchsorted(self["alpha"], alpha, "right")) - 1, 0)
        curve = Curve(TRAINING, self["errors"])
        names = "leaves", "errors"
        return front(ax, "PruningPath.plot", self["n_leaves"], [curve], chosen=chosen, names=names)
