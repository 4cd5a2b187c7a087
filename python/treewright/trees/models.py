"""The tree by which a model predicts from raw values."""

from __future__ import annotations

from sklearn.utils.validation import check_is_fitted

from treewright.trees.learner import BinnedTreeLearner, TreeLearner
from treewright.trees.tree import Tree


def predicting_tree(model: Tree | TreeLearner) -> Tree:
    """Return the tree that predicts as the model does; that of an estimator with bins has thresholds."""
    if isinstance(model, Tree):
        return model
    check_is_fitted(model)
    return model.threshold_tree() if isinstance(model, BinnedTreeLearner) else model._prediction_tree()
