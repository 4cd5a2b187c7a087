"""Smaller trees: leaves that answer the same are merged, or a tree is cut at a depth."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from treewright._base.params import whole_number
from treewright.data.types import CodeArray

__all__ = ["SmallerTrees"]

Nodes = dict[str, list[object]]
"""Columns of a document, an entry for each node."""

Document = dict[str, object]
"""A tree, as JSON has it."""

Sets = dict[int, tuple[list[int], list[int]]]
"""Nodes that are to ask for a set of values, and the children that become either branch."""

LEAF: dict[str, object] = {
    **{"kind": "leaf", "test": None, "threshold": None, "first_child": None, "n_children": 0},
    **{"cut_values": None, "route": None, "histogram": None},
}
"""What a node has that tests nothing."""

LISTED = ("listed", "group")
"""Kinds of nodes with a list of levels."""

USUAL = {"is_reached": True}
"""What a document leaves out where all nodes have it; it is nothing in other columns."""

NEEDED = ("kind", "test", "threshold", "first_child")
"""Columns that are always there."""

SUMMED = {"weight", "class_weights", "class_counts"}
"""What a leaf has that stands for several: the sum of theirs."""

VALUE = 1
"""The kind of a node with a branch for each value."""


class SmallerTrees(ABC):
    """The part of a `Tree` that makes smaller trees of it."""

    __slots__ = ()

    @property
    @abstractmethod
    def kind(self) -> NDArray[np.uint8]:
        """Kind of every node."""

    @property
    @abstractmethod
    def node_class(self) -> CodeArray:
        """Class of every node."""

    @property
    @abstractmethod
    def n_children(self) -> CodeArray:
        """Number of children."""

    @property
    @abstractmethod
    def first_child(self) -> CodeArray:
        """First child."""

    @property
    @abstractmethod
    def depth(self) -> CodeArray:
        """Depth of every node."""

    @abstractmethod
    def to_json(self) -> str:
        """Write the tree."""

    @classmethod
    @abstractmethod
    def from_json(cls, text: str) -> Self:
        """Read the tree."""

    def with_merged_leaves(self) -> Self:
        """Return the tree in which leaves side by side that have the same class are one.

        A node becomes a leaf where it and all nodes below it have the same class. A node with a branch for
        each value of a feature asks for a set of values where that leaves two branches. The weights of a new
        leaf, and so its probabilities, are those of all samples that reach it.

        Returns
        -------
        tree : Tree
            Predicts the same class for every sample whose answers are known. Of a sample that goes down
            several branches with shares, because a value is missing, the shares may add up to another class.
            The tree itself where nothing is merged.
        """
        merged = merged_nodes(self)
        sets = sets_of_leaves(self, merged)
        return self._with(merged, sets) if merged or sets else self

    def cut_at_depth(self, depth: int) -> Self:
        """Return the tree without its nodes below a depth.

        Parameters
        ----------
        depth : int
            The largest that is left; 0 is a lone leaf.

        Returns
        -------
        tree : Tree
            Nodes at the depth are leaves, with the classes and weights that they have. The tree itself where
            it is no deeper.
        """
        deepest = whole_number("depth", depth, least=0)
        is_cut = (self.n_children > 0) & (self.depth >= deepest)
        return self._with(set(np.flatnonzero(is_cut).tolist()), {}) if is_cut.any() else self

    def _with(self, leaves: set[int], sets: Sets) -> Self:
        """Return the tree in which some nodes are leaves, and others ask for sets."""
        return type(self).from_json(json.dumps(_Change(json.loads(self.to_json()), leaves, sets).document()))


def merged_nodes(tree: SmallerTrees) -> set[int]:
    """Return the inner nodes below which all nodes have the node's own class."""
    classes, first_child = tree.node_class.tolist(), tree.first_child.tolist()
    n_children, found = tree.n_children.tolist(), set[int]()
    for node in reversed(_inner(n_children)):
        below = range(first_child[node], first_child[node] + n_children[node])
        if all(
            classes[child] == classes[node] and (not n_children[child] or child in found) for child in below
        ):
            found.add(node)
    return found


def sets_of_leaves(tree: SmallerTrees, merged: set[int]) -> Sets:
    """Return the nodes with a branch a value that have two different ones, and the children of either."""
    is_value = tree.kind == VALUE
    if not (is_value & (tree.n_children > 2)).any():
        return {}
    classes, first_child, n_children = tree.node_class, tree.first_child, tree.n_children
    found: Sets = {}
    for node in np.flatnonzero(is_value & (n_children > 2)).tolist():
        parts: dict[tuple[bool, int], list[int]] = {}
        for child in range(first_child[node], first_child[node] + n_children[node]):
            is_leaf = not n_children[child] or child in merged
            parts.setdefault((is_leaf, int(classes[child]) if is_leaf else child), []).append(child)
        if len(parts) == 2 and node not in merged:
            fewer, more = sorted(parts.values(), key=len)
            found[node] = (fewer, more)
    return found


class _Change:
    """A document on its way to that of a smaller tree."""

    def __init__(self, document: Document, leaves: set[int], sets: Sets) -> None:
        self._document, self._leaves, self._sets = document, leaves, sets
        self._nodes = cast("Nodes", document["nodes"])
        self._n_children = cast("list[int]", self._nodes["n_children"])
        self._first = cast("list[int]", self._nodes["first_child"])
        self._order = self._kept()
        self._place = {node: at for at, node in enumerate(self._order)}
        self._splits = [node for node in self._order if self._n_children[node] and node not in leaves]

    def _kept(self) -> list[int]:
        """Return the nodes that are left, in their order; the two branches of a set first in theirs."""
        is_kept, rank = [True] * len(self._n_children), dict[int, int]()
        for node in _inner(self._n_children):
            below = range(self._first[node], self._first[node] + self._n_children[node])
            if node in self._leaves or not is_kept[node]:
                for child in below:
                    is_kept[child] = False
            elif node in self._sets:
                for side, part in enumerate(self._sets[node]):
                    rank[part[0]] = below[side]
                    for child in part[1:]:
                        is_kept[child] = False
        kept = [node for node, is_left in enumerate(is_kept) if is_left]
        return sorted(kept, key=lambda node: rank.get(node, node))

    def document(self) -> Document:
        """Return the document of the smaller tree."""
        kept = {
            name: self._column(column, LEAF[name]) if name in LEAF else [column[node] for node in self._order]
            for name, column in self._nodes.items()
        }
        for node in self._splits:
            kept["first_child"][self._place[node]] = self._place[self._child(node)]
        for node, parts in self._sets.items():
            if node in self._place:
                self._ask_for_set(kept, node, parts)
        planes, lists = self._planes(kept), self._lists()
        told = {
            name: column for name, column in kept.items() if any(one != USUAL.get(name) for one in column)
        }
        return {
            **self._document,
            "nodes": {**told, **{name: kept[name] for name in NEEDED}},
            **lists,
            **planes,
        }

    def _column(self, column: Sequence[object], of_leaf: object) -> list[object]:
        """Return a fact of all nodes that are left, new leaves having their own."""
        return [of_leaf if node in self._leaves else column[node] for node in self._order]

    def _child(self, node: int) -> int:
        return self._sets[node][0][0] if node in self._sets else self._first[node]

    def _ask_for_set(self, kept: Nodes, node: int, parts: tuple[list[int], list[int]]) -> None:
        at = self._place[node]
        kept["kind"][at], kept["n_children"][at] = "group", 2
        route = kept["route"][at] if "route" in kept else None
        if isinstance(route, int):
            kept["route"][at] = int(self._first[node] + route in parts[1])
        for part in parts:
            if len(part) > 1:
                self._pool(kept, part)

    def _pool(self, kept: Nodes, leaves: list[int]) -> None:
        """Let the first of some leaves stand for all."""
        at = self._place[leaves[0]]
        of = {name: [column[leaf] for leaf in leaves] for name, column in self._nodes.items()}
        weights = np.array(of["weight"], dtype=np.float64)
        if "estimate" in of:
            rates = [rate for rate in of["estimate"] if isinstance(rate, float | int)]
            is_known = len(rates) == len(leaves) and weights.any()
            kept["estimate"][at] = float(np.average(rates, weights=weights)) if is_known else rates[0]
        for name in SUMMED & of.keys():
            kept[name][at] = np.sum(np.array(of[name], dtype=np.float64), axis=0).tolist()
        if "is_reached" in of:
            kept["is_reached"][at] = any(of["is_reached"])

    def _lists(self) -> Document:
        lists = cast("list[object]", self._document.get("lists", []))
        levels = dict(zip(_of_kind(self._nodes, LISTED), lists, strict=True))
        for node, (fewer, _) in self._sets.items():
            levels[node] = [child - self._first[node] for child in fewer]
        own = [levels[node] for node in self._splits if node in levels]
        return {"lists": own} if levels else {}

    def _planes(self, kept: Nodes) -> Document:
        """Return the planes that are left, and number them anew."""
        planes = cast("list[object]", self._document["planes"])
        tested = cast("list[int]", self._nodes["test"])
        own = [node for node in self._splits if self._nodes["kind"][node] == "linear"]
        for plane, node in enumerate(own):
            kept["test"][self._place[node]] = plane
        return {"planes": [planes[tested[node]] for node in own]}


def _of_kind(nodes: Nodes, kinds: Sequence[str]) -> list[int]:
    return [node for node, kind in enumerate(nodes["kind"]) if kind in kinds]


def _inner(n_children: Sequence[int]) -> list[int]:
    """Return the inner nodes; parents come before their children."""
    return [node for node, n in enumerate(n_children) if n]
