"""The tree that is shown: that of a fitted estimator, with leaves merged that answer the same."""

from __future__ import annotations

from collections.abc import Sequence

from treewright._base.errors import UnfinishedError
from treewright.exploration.family import Predictor
from treewright.trees.learner import OWN_TREES, BinnedTreeLearner
from treewright.trees.tree import Tree


def shown_trees(trees: Sequence[Tree]) -> list[Tree]:
    """Return the trees as they are shown; those that hold the same are one object, which is asked once."""
    merged = {tree: tree.with_merged_leaves() for tree in dict.fromkeys(trees)}
    first: dict[Tree, Tree] = {}
    return [first.setdefault(shown, shown) for shown in (merged[tree] for tree in trees)]


def answering_trees(trees: Sequence[Tree], lacking: frozenset[int]) -> list[Tree]:
    """Return trees that answer rows with the classes that those which are shown do, equal ones as one object.

    Merged leaves change an answer only where a value is missing. So a tree is merged only if it asks for one
    of the features that the rows are `lacking`.
    """
    asked = {
        tree: tree if lacking.isdisjoint(tree.used_features.tolist()) else tree.with_merged_leaves()
        for tree in dict.fromkeys(trees)
    }
    return [asked[tree] for tree in trees]


def tree_of(model: Predictor) -> Tree:
    """Return the tree of a fitted estimator as it is shown, one that compares raw numbers."""
    if isinstance(model, BinnedTreeLearner):
        found: object = model.threshold_tree()
    else:
        found = getattr(model, "refit_tree_", None) or getattr(model, "tree_", None)
    if not isinstance(found, Tree):
        raise UnfinishedError(f"{type(model).__name__} has no tree")
    return found.with_merged_leaves()


def showing(model: Predictor) -> Predictor:
    """Let an estimator predict by the tree that is shown; one with bins keeps its own."""
    for name in () if isinstance(model, BinnedTreeLearner) else OWN_TREES:
        tree = getattr(model, name, None)
        if isinstance(tree, Tree):
            setattr(model, name, tree.with_merged_leaves())
    return model
