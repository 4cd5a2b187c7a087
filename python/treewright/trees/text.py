"""A tree, or the tree of a fitted estimator, as text a person reads."""

from __future__ import annotations

from sklearn.utils.validation import check_is_fitted

from treewright._base.errors import DataTypeError
from treewright.trees.tree import Tree

__all__ = ["export_text"]


def export_text(
    tree: object,
    *,
    max_depth: int | None = None,
    show_counts: bool = False,
    show_errors: bool = False,
    show_estimates: bool = False,
    decimals: int | None = None,
) -> str:
    """Write a tree, or the tree of a fitted estimator, as indented text.

    Parameters
    ----------
    tree : Tree or fitted estimator
        The tree to write. For a selector it is the tree that predicts, ``refit_tree_``. For a
        `MultivariateTreeClassifier` it is the tree with rounded weights, ``rounded_tree_``, unless `decimals`
        is given.
    max_depth : int, default=None
        Omit nodes below this depth; None writes all.
    show_counts : bool, default=False
        Write the weight of every class after each leaf.
    show_errors : bool, default=False
        Write C4.5's ``(n/e)`` after each leaf: its weight and, if above 0, the weight of the other classes.
    show_estimates : bool, default=False
        Write the estimated error rate of every node in braces, if the tree was pruned.
    decimals : int, default=None
        Number of decimals of thresholds and weights; None writes them exactly, and estimates with four
        decimals.

    Returns
    -------
    text : str
        One line a node.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, export_text
    >>> X = [[1.0], [2.0], [3.0], [4.0]]
    >>> model = GreedyTreeClassifier().fit(X, ["low", "low", "high", "high"])
    >>> print(export_text(model, show_errors=True), end="")
    x0 <= 2: low (2)
    x0 > 2: high (2)
    """
    return _tree_of(tree, is_short=decimals is None).export_text(
        max_depth=max_depth,
        show_counts=show_counts,
        show_errors=show_errors,
        show_estimates=show_estimates,
        decimals=decimals,
    )


def _tree_of(holder: object, *, is_short: bool) -> Tree:
    if isinstance(holder, Tree):
        return holder
    check_is_fitted(holder)
    names = (*(["rounded_tree_"] if is_short else []), "refit_tree_", "tree_")
    found = next((tree for name in names if (tree := getattr(holder, name, None)) is not None), None)
    if isinstance(found, Tree):
        return found
    raise DataTypeError(
        f"tree is of type {type(holder).__name__}; give a Tree or a fitted estimator that has one"
    )
