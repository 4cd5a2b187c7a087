"""A tree that asks for bins, as one that compares numbers with thresholds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treewright.data.binning import Edges
from treewright.trees.tree import Tree

Facts = dict[str, Any]
"""What a document holds of a node, by name: values of JSON."""

Columns = dict[str, list[Any]]
"""The same of all nodes."""

EMPTY: Facts = {"kind": "leaf", "test": None, "threshold": None}
"""What a node has that tests nothing."""


@dataclass
class _Node:
    """A node on its way from one document to the other."""

    facts: Facts
    below: list[_Node] = field(default_factory=list)


def with_thresholds(tree: Tree, edges: Edges) -> Tree:
    """Return the tree that answers numbers as `tree` answers their bins.

    A question for one of two bins becomes a comparison; one for more becomes comparisons that halve the bins.
    """
    document = json.loads(tree.to_json())
    features = document["schema"]["features"]
    root = _read(document["nodes"], 0, edges)
    for feature, cuts in zip(features, edges, strict=True):
        if cuts is not None:
            feature["levels"], feature["kind"] = None, "numeric"
    document["nodes"] = _written(root, list(document["nodes"]))
    document["decision"]["tie"] = "kept"  # that of the bins
    return Tree.from_json(json.dumps(document))


def _read(nodes: Columns, number: int, edges: Edges) -> _Node:
    facts = {name: column[number] for name, column in nodes.items()}
    first, n_children = facts["first_child"], facts["n_children"]
    below = [_read(nodes, first + i, edges) for i in range(n_children)]
    cuts = edges[facts["test"]] if below else None
    if cuts is None:
        return _Node(facts, below)
    return _halved(facts, below, cuts.tolist()) if len(cuts) else below[0]


def _halved(facts: Facts, bins: Sequence[_Node], cuts: Sequence[float]) -> _Node:
    """Compare with the middle cut, and go on with the bins of either side."""
    middle = len(cuts) // 2
    sides = [(bins[: middle + 1], cuts[:middle]), (bins[middle + 1 :], cuts[middle + 1 :])]
    below = [part[0] if len(part) == 1 else _halved(_together(part, facts), part, own) for part, own in sides]
    return _Node({**facts, "kind": "threshold", "threshold": cuts[middle]}, below)


def _together(bins: Sequence[_Node], facts: Facts) -> Facts:
    """Return what is known of a node above some bins."""
    weights = np.sum([node.facts["class_weights"] for node in bins], axis=0)
    heaviest = int(np.argmax(weights)) if weights.any() else facts["class"]
    sums: Facts = {"class": heaviest, "weight": float(weights.sum()), "class_weights": weights.tolist()}
    if "class_counts" in facts:
        sums["class_counts"] = np.sum([node.facts["class_counts"] for node in bins], axis=0).tolist()
    if "is_reached" in facts:
        sums["is_reached"] = any(node.facts["is_reached"] for node in bins)
    return {**facts, **sums}


def _written(root: _Node, names: Sequence[str]) -> Columns:
    """Return the columns of all nodes, level by level, so that children are in a row, above their parent."""
    order = [root]
    columns: Columns = {name: [] for name in names}
    for node in order:
        first = len(order) if node.below else None
        facts = {**node.facts, "first_child": first, "n_children": len(node.below)}
        facts = facts if node.below else {**facts, **EMPTY}
        for name, column in columns.items():
            column.append(facts[name])
        order.extend(node.below)
    return columns
