"""A tree that asks for bins, as one that compares numbers with thresholds."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from treewright.data.binning import Bins
from treewright.data.types import FloatArray
from treewright.trees.answering import Prices
from treewright.trees.tree import Tree

Facts = dict[str, Any]
"""What a document holds of a node, by name: values of JSON."""

Columns = dict[str, list[Any]]
"""The same of all nodes."""

EMPTY: Facts = {"kind": "leaf", "test": None, "threshold": None, "cut_values": None}
"""What a node has that tests nothing."""

LISTED = ("listed", "group")
"""Kinds of nodes with a list of levels."""

Cut = tuple[float, list[float] | None]
"""A threshold and the training values beside it; None where all numbers are below."""


@dataclass
class _Node:
    """A node on its way from one document to the other."""

    facts: Facts
    below: list[_Node] = field(default_factory=list)
    levels: list[int] | None = None
    """Of a node with a list the levels in it."""


def with_thresholds(tree: Tree, bins: Bins) -> Tree:
    """Return the tree that answers numbers as `tree` answers their bins.

    A question for one of two bins becomes a comparison; one for more becomes comparisons that halve the bins.
    """
    document = json.loads(tree.to_json())
    features = document["schema"]["features"]
    prices = Prices.of(document["decision"].get("cost_matrix"), tree.n_classes)
    reader = _Reader(document["nodes"], list(document.pop("lists", ())), _cuts(features, bins), prices)
    order = _by_level(reader.node(0))
    for feature, edges in zip(features, bins.edges, strict=True):
        if edges is not None:
            feature["levels"], feature["kind"] = None, "numeric"
    document["nodes"] = _written(order, [*document["nodes"], "is_reached", "cut_values"])
    if lists := [node.levels for node in order if node.levels is not None]:
        document["lists"] = lists
    document["decision"]["tie"] = "kept"  # that of the bins
    return Tree.from_json(json.dumps(document))


def _cuts(features: Sequence[Facts], bins: Bins) -> list[list[Cut] | None]:
    """Return the cuts of every binned feature; a missing value that has a bin is above all numbers."""
    return [
        None if edges is None else list(_cuts_of(feature, edges.tolist(), numbers))
        for feature, edges, numbers in zip(
            features, bins.edges, bins.beside or [None] * len(bins.edges), strict=True
        )
    ]


def _cuts_of(feature: Facts, edges: Sequence[float], numbers: FloatArray | None) -> Iterator[Cut]:
    known: list[list[float] | None] = [None] * len(edges) if numbers is None else numbers.tolist()
    yield from zip(edges, known, strict=True)
    if feature["missing"] == "value":
        yield sys.float_info.max, None


@dataclass
class _Reader:
    """The nodes of a document, and where its features are cut."""

    nodes: Columns
    lists: list[list[int]]
    cuts: list[list[Cut] | None]
    prices: Prices

    def __post_init__(self) -> None:
        listed = [number for number, kind in enumerate(self.nodes["kind"]) if kind in LISTED]
        self.levels = dict(zip(listed, self.lists, strict=True))

    def node(self, number: int) -> _Node:
        """Return a node and all below it, bins of numbers as comparisons."""
        facts = {name: column[number] for name, column in self.nodes.items()}
        first, n_children = facts["first_child"], facts["n_children"]
        below = [self.node(first + i) for i in range(n_children)]
        levels = self.levels.get(number)
        cuts = self.cuts[facts["test"]] if below and facts["kind"] in ("value", "listed") else None
        if cuts is None:
            return _Node(facts, below, levels)
        parts = dict(zip(range(n_children) if levels is None else levels, below, strict=True))
        bins, kept = _merged([parts.get(level) for level in range(len(cuts) + 1)], cuts)
        filled = [_unreached(facts) if part is None else part for part in bins]
        return _halved(facts, filled, kept, self.prices) if kept else filled[0]


def _merged(bins: Sequence[_Node | None], cuts: Sequence[Cut]) -> tuple[list[_Node | None], list[Cut]]:
    """Put neighbouring bins without a branch together."""
    kept = [bins[0]]
    apart = []
    for cut, (low, high) in zip(cuts, pairwise(bins), strict=True):
        if low is not None or high is not None:
            kept.append(high)
            apart.append(cut)
    return kept, apart


def _unreached(facts: Facts) -> _Node:
    """Return a leaf of the class of a node, which no sample reaches."""
    nothing = {name: [0.0] * len(facts["class_weights"]) for name in ("class_weights", "class_counts")}
    return _Node({**facts, **nothing, "weight": 0.0, "is_reached": False})


def _halved(facts: Facts, bins: Sequence[_Node], cuts: Sequence[Cut], prices: Prices) -> _Node:
    """Compare with the middle cut, and go on with the bins of either side."""
    middle = len(cuts) // 2
    sides = [(bins[: middle + 1], cuts[:middle]), (bins[middle + 1 :], cuts[middle + 1 :])]
    below = [
        part[0] if len(part) == 1 else _halved(_together(part, facts, prices), part, own, prices)
        for part, own in sides
    ]
    threshold, values = cuts[middle]
    return _Node({**facts, "kind": "threshold", "threshold": threshold, "cut_values": values}, below)


def _together(bins: Sequence[_Node], facts: Facts, prices: Prices) -> Facts:
    """Return what is known of a node above some bins."""
    weights = np.sum([node.facts["class_weights"] for node in bins], axis=0)
    answer = int(prices.cheapest(weights)) if weights.any() else facts["class"]
    sums: Facts = {"class": answer, "weight": float(weights.sum()), "class_weights": weights.tolist()}
    if "class_counts" in facts:
        sums["class_counts"] = np.sum([node.facts["class_counts"] for node in bins], axis=0).tolist()
    sums["is_reached"] = any(node.facts.get("is_reached", True) for node in bins)
    return {**facts, **sums}


def _by_level(root: _Node) -> list[_Node]:
    """Return all nodes level by level, so that children are in a row, below their parent."""
    order = [root]
    for node in order:
        order.extend(node.below)
    return order


def _written(order: Sequence[_Node], names: Sequence[str]) -> Columns:
    """Return the columns of all nodes."""
    columns: Columns = {name: [] for name in names}
    next_child = 1
    for node in order:
        facts = {"is_reached": True, "cut_values": None, **node.facts, "n_children": len(node.below)}
        facts |= {"first_child": next_child} if node.below else {**EMPTY, "first_child": None}
        next_child += len(node.below)
        for name, column in columns.items():
            column.append(facts[name])
    return columns
