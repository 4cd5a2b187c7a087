"""How large a model is that people read, and what it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright.trees.tree import Tree
from treewright.trees.weighing import told_weights

__all__ = ["Shape"]

PLANE = 3
"""The kind of a node with a plane."""


@dataclass(frozen=True)
class Shape:
    """How large a model is, and what it asks for.

    Attributes
    ----------
    size : int
        What is compared with leaves of trees, at least 1: rules of a list, with its default; a plane counts
        one more for each further feature.
    n_leaves : int
        Leaves, or rules.
    questions : float
        Questions that it asks a row on the mean.
    root : int
        Feature that is asked first, -1 for none.
    features : sequence of int
        Features that it asks for.
    """

    size: int
    n_leaves: int
    questions: float
    root: int
    features: Sequence[int]


def shape_of(tree: Tree) -> Shape:
    """Return the shape of a tree."""
    features = tree.used_features.tolist()
    return Shape(size_of(tree), tree.n_leaves, mean_questions(tree), int(tree.feature[0]), features)


def size_of(tree: Tree) -> int:
    """Return the leaves of a tree, and one more for each further feature of a plane."""
    planes = tree.n_children > 0
    if not (tree.kind == PLANE).any():
        return tree.n_leaves
    used = [len(plane.features) for plane in tree._core.planes]
    further = sum(used[plane] - 1 for plane in tree._core.plane[planes].tolist() if plane >= 0)
    return tree.n_leaves + int(further)


def mean_questions(tree: Tree) -> float:
    """Return how many questions a training row is asked on the mean."""
    is_leaf = tree.n_children == 0
    weights = told_weights(tree._core)[is_leaf].sum(axis=1)
    total = float(weights.sum())
    return float((weights * tree.depth[is_leaf]).sum() / total) if total else 0.0
