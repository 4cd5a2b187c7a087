"""A tree, or the tree of a fitted estimator, as text a person reads."""

from __future__ import annotations

from sklearn.utils.validation import check_is_fitted

from treewright._base.errors import DataTypeError
from treewright._base.wording import Param
from treewright.trees.tree import Tree

__all__ = ["export_text"]


def export_text(
    tree: object,
    *,
    max_depth: int | None = None,
    max_branches: int | None = None,
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
        `MultivariateTreeClassifier` it is the tree with rounded weights, ``rounded_tree_``.
    max_depth, max_branches, show_counts, show_errors, show_estimates, decimals
        As for `Tree.export_text`.

    Returns
    -------
    text : str
        One line for each node.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, export_text
    >>> X = [[1.0], [2.0], [3.0], [4.0]]
    >>> model = GreedyTreeClassifier().fit(X, ["low", "low", "high", "high"])
    >>> print(export_text(model, show_errors=True), end="")
    x0 <= 2: low (2)
    x0 > 2: high (2)
    """
    return _tree_of(tree).export_text(
        max_depth=max_depth,
        max_branches=max_branches,
        show_counts=show_counts,
        show_errors=show_errors,
        show_estimates=show_estimates,
        decimals=decimals,
    )


def _tree_of(holder: object) -> Tree:
    if isinstance(holder, Tree):
        return holder
    check_is_fitted(holder)
    names = ("rounded_tree_", "refit_tree_", "tree_")
    found = next((tree for name in names if (tree := getattr(holder, name, None)) is not None), None)
    if isinstance(found, Tree):
        return found
    raise DataTypeError(
        Param("tree"), f" is of type {type(holder).__name__}; give a Tree or a fitted estimator that has one"
    )
