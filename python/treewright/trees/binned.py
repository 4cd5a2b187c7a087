"""Estimators whose tree asks for bins where the data has numbers."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright.data.binning import Bins, Edges
from treewright.data.validate import encode
from treewright.trees.classifier import TreeClassifier
from treewright.trees.tree import Columns


class BinnedTreeClassifier(TreeClassifier):
    """Base of the classifiers whose tree knows numeric features by their bins.

    To predict numbers takes the estimator: it puts them into the bins of ``fit``.
    """

    bin_edges_: Edges
    unseen_code = -1
    """What a nominal value is that ``fit`` did not see: missing, unless a subclass says otherwise."""

    def _prepared(self, X: Any) -> tuple[_core.Tree, Columns, int]:
        """As for every tree, numbers put into their bins."""
        check_is_fitted(self)
        tree, bins = self._prediction_tree(), Bins(self.bin_edges_)
        columns = encode(
            X,
            names=tree.feature_names,
            levels=bins.domains(tree.levels),
            feature_names_in=getattr(self, "feature_names_in_", None),
            owner=type(self).__name__,
            unseen=self.unseen_code,
        )
        return tree._core, bins.codes(columns), self._threads()
