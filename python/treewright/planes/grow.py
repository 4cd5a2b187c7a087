"""Greedy growing: at every node the plane of its own rows, and on with both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._base.clock import Clock
from treewright.planes.chain import ClassRows, easiest_class
from treewright.planes.fit import Plane, fit_plane
from treewright.planes.grown import (
    GrownNode,
    GrownTree,
    LinearSplit,
)
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import FloatArray

NO_GAIN = 1e-12
"""A gain of at most so many bits is rounding."""


@dataclass(frozen=True)
class GrowingRules:
    """When a node is a leaf; see `MultivariateTreeClassifier`."""

    max_depth: float
    min_samples_split: float
    min_samples_leaf: float
    min_gain: float


def part_of(rows: ClassRows, some: NDArray[np.int64]) -> ClassRows:
    """Return some of the rows."""
    return ClassRows(rows.X[some], rows.target[some], rows.weight[some], rows.feature_of, rows.origin[some])


def grow(
    rows: ClassRows, n_classes: int, options: PlaneOptions, rules: GrowingRules, clock: Clock
) -> GrownTree:
    """Grow a tree, breadth first; when time is over, what is not split yet are leaves.

    Ctrl-C stops the clock: whoever began the work finishes it, and raises the exception then.
    """
    everything = np.arange(len(rows.target))
    tree = GrownTree([GrownNode(everything, _weigh(rows, everything, n_classes), 0)])
    for node in tree.nodes:
        if not _may_split(node, rules):
            continue
        if clock.left() <= 0:
            tree.status = "time_limit"
            break
        n_nodes = len(tree.nodes)
        try:
            _try_split(tree, node, rows, options, rules, clock)
        except KeyboardInterrupt:
            clock.stop()
            node.split = node.plane = node.children = None
            del tree.nodes[n_nodes:]
        if clock.stopped:
            tree.status = "stopped"
            break
    return tree


def _try_split(
    tree: GrownTree,
    node: GrownNode,
    rows: ClassRows,
    options: PlaneOptions,
    rules: GrowingRules,
    clock: Clock,
) -> None:
    plane = _plane(part_of(rows, node.rows), options, clock)
    if plane.search.status not in ("optimal", "complete"):
        tree.status = plane.search.status
    _split(tree, node, plane, rows, rules)


def _may_split(node: GrownNode, rules: GrowingRules) -> bool:
    is_pure = int(np.count_nonzero(node.class_weights)) < 2
    is_small = float(node.class_weights.sum()) < rules.min_samples_split
    return not is_pure and not is_small and node.depth < rules.max_depth


def _plane(rows: ClassRows, options: PlaneOptions, clock: Clock) -> Plane:
    """Find the plane between one class and the others: of two the last, of more the easiest to tell."""
    labels = np.unique(rows.target).tolist()
    label = max(labels) if len(labels) == 2 else easiest_class(rows, labels, options, clock)
    return fit_plane(rows.against_rest(label), options, clock)


def _split(tree: GrownTree, node: GrownNode, plane: Plane, rows: ClassRows, rules: GrowingRules) -> None:
    """Give the node its children, unless the plane is of no use here."""
    if not len(plane.support):
        return
    X = rows.X[node.rows]
    split = LinearSplit.of(plane, X)
    above = split.above(X)
    sides = [node.rows[~above], node.rows[above]]
    weights = [_weigh(rows, side, len(node.class_weights)) for side in sides]
    least = min(float(weight.sum()) for weight in weights)
    if least <= 0 or least < rules.min_samples_leaf or not _gains(node, weights, rules.min_gain):
        return
    node.split, node.plane = split, plane
    node.children = (len(tree.nodes), len(tree.nodes) + 1)
    tree.nodes += [GrownNode(side, own, node.depth + 1) for side, own in zip(sides, weights, strict=True)]


def _gains(node: GrownNode, children: list[FloatArray], min_gain: float) -> bool:
    total = float(node.class_weights.sum())
    gain = (_bits(node.class_weights) - sum(map(_bits, children))) / total
    return gain > NO_GAIN and gain >= min_gain


def _bits(class_weights: FloatArray) -> float:
    """Return entropy in bits, times the weight."""
    known = class_weights[class_weights > 0]
    return float(known @ np.log2(known.sum() / known))


def _weigh(rows: ClassRows, some: NDArray[np.int64], n_classes: int) -> FloatArray:
    weighed = np.bincount(rows.target[some], rows.weight[some], minlength=n_classes)
    return np.asarray(weighed, dtype=np.float64)
