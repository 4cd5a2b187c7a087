"""What a rule takes for a tree, and for a tree of counts."""

from __future__ import annotations

from treewright._base.errors import DataError, DataTypeError
from treewright.trees.tree import Tree

SHARES = (
    "the weights in the tree are shares of the samples, as a tree of fixed depth holds them, and not counts "
    "that errors could be estimated from"
)


def checked_tree(tree: object) -> Tree:
    """Return a tree; for what has one, or could be made one, say how."""
    if isinstance(tree, Tree):
        return tree
    name = type(tree).__name__
    if isinstance(getattr(tree, "tree_", None), Tree):
        raise DataTypeError(f"tree is of type {name}; give its tree: model.tree_")
    if type(tree).__module__.startswith("sklearn."):
        raise DataTypeError(f"tree is a {name} of scikit-learn; take it over with Tree.from_sklearn(model)")
    raise DataTypeError(f"tree is of type {name}; give a Tree, such as model.tree_ or Tree.from_json(text)")


def checked_counts(tree: object) -> Tree:
    """Return a tree that holds counts of samples."""
    known = checked_tree(tree)
    if holds_shares(known):
        raise DataError(f"{SHARES}; pass samples as X and y")
    return known


def holds_shares(tree: Tree) -> bool:
    """Whether the weights of a tree are parts of one, and no samples of weight 1 or more."""
    weight = tree.weight
    return bool(abs(weight[0] - 1) < 1e-9 and (weight % 1 != 0)[1:].any())
