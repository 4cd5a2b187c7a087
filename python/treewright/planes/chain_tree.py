"""The planes of a classifier as one tree: a plane after the other, each with a class on its upper side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treewright.planes.grown import (
    GrownNode,
    GrownTree,
    LinearSplit,
)
from treewright.planes.problem import FloatArray
from treewright.planes.rounding import rounded_split
from treewright.planes.tree_document import (
    MEAN,
    STOP,
    tree_of,
)
from treewright.trees.tree import Tree

if TYPE_CHECKING:
    from treewright.planes.estimator import RobustLinearClassifier


def rounded_planes(model: RobustLinearClassifier, X: FloatArray) -> list[LinearSplit]:
    """Return the planes of a model in as few digits as leave every row, encoded, on its side."""
    splits = []
    for split, rows in _splits(model, X):
        splits.append(rounded_split(split, rows))
    return splits


def _splits(model: RobustLinearClassifier, X: FloatArray) -> Iterator[tuple[LinearSplit, FloatArray]]:
    """Yield the splits of a chain, each with the rows that come to it."""
    for plane in model.planes_:
        split = LinearSplit.of(plane, X)
        yield split, X
        X = X[~split.above(X)]


def tree_of_chain(model: RobustLinearClassifier, X: FloatArray) -> Tree:
    """Return a fitted model as a tree that predicts as the model does, on encoded rows `X` in any case.

    A plane says a class, not shares: leaves have no weight, and give their class the share 1.
    """
    n_classes = len(model.classes_)
    labels = [int(np.flatnonzero(model.classes_ == label)[0]) for label in model.plane_classes_]
    last = next(label for label in range(n_classes) if label not in labels)
    tree = GrownTree([_says(last, n_classes, 0)])
    place = 0
    splits = (split for split, _ in _splits(model, X))
    for depth, (split, plane, label) in enumerate(zip(splits, model.planes_, labels, strict=True)):
        below, above = len(tree.nodes), len(tree.nodes) + 1
        tree.nodes += [_says(last, n_classes, depth + 1), _says(label, n_classes, depth + 1)]
        tree.nodes[place] = replace(tree.nodes[place], split=split, plane=plane, children=(below, above))
        place = below
    routing = STOP if model.missing == "raise" else MEAN
    return tree_of(tree, model._encoding, model.classes_, routing)


def _says(label: int, n_classes: int, depth: int) -> GrownNode:
    return GrownNode(np.empty(0, np.int64), np.zeros(n_classes), depth, told=label)
