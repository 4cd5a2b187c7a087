"""The nested prunings of a tree by errors and number of leaves: weakest links first.

Every node that is no leaf has a strength: how many errors more it makes as a leaf than its subtree does,
for each leaf that it saves. The weakest becomes a leaf, which changes the strengths above it; and so on
up to the root.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator

from treewright.trees.pruning.rule import counts_of
from treewright.trees.tree import Tree

EQUAL = 1e-12
"""Strengths that differ by less, relatively, are one step."""


class WeakestLinks:
    """The tree while it is pruned, link by link.

    Attributes
    ----------
    errors, leaves, nodes : list of length n_nodes
        Of the subtree of every node: weight of its errors, its non-empty leaves, its nodes.
    """

    def __init__(self, tree: Tree) -> None:
        right, weight = counts_of(tree)
        self.as_leaf: list[float] = (weight - right).tolist()
        self.own_leaf: list[int] = (weight > 0).astype(int).tolist()
        self.is_inner: list[bool] = (tree.n_children > 0).tolist()
        self.parent: list[int] = tree.parent.tolist()
        self.first: list[int] = tree.first_child.tolist()
        self.n_children: list[int] = tree.n_children.tolist()
        self.errors = [0.0 if inner else own for inner, own in zip(self.is_inner, self.as_leaf, strict=True)]
        self.leaves = [0 if inner else own for inner, own in zip(self.is_inner, self.own_leaf, strict=True)]
        self.nodes = [1] * len(self.parent)
        for node in range(len(self.parent) - 1, 0, -1):
            above = self.parent[node]
            self.errors[above] += self.errors[node]
            self.leaves[above] += self.leaves[node]
            self.nodes[above] += self.nodes[node]

    def strength(self, node: int) -> float:
        """Return the errors that a leaf here makes more, for each leaf that it saves; at least 0."""
        more = self.as_leaf[node] - self.errors[node]
        saved = self.leaves[node] - self.own_leaf[node]
        if more <= EQUAL * max(self.as_leaf[node], 1.0):
            return 0.0
        return more / saved if saved > 0 else math.inf

    def cut(self, node: int) -> list[int]:
        """Make a node a leaf; return the nodes above it, whose strengths change."""
        above = list(self._above(node))
        errors = self.as_leaf[node] - self.errors[node]
        leaves = self.own_leaf[node] - self.leaves[node]
        nodes = 1 - self.nodes[node]
        for changed in (node, *above):
            self.errors[changed] += errors
            self.leaves[changed] += leaves
            self.nodes[changed] += nodes
        self._leave(node)
        return above

    def _above(self, node: int) -> Iterator[int]:
        node = self.parent[node]
        while node >= 0:
            yield node
            node = self.parent[node]

    def _leave(self, top: int) -> None:
        """Mark what was below a new leaf, so that nothing of it is cut again."""
        waiting = [top]
        while waiting:
            node = waiting.pop()
            if self.is_inner[node]:
                self.is_inner[node] = False
                waiting.extend(range(self.first[node], self.first[node] + self.n_children[node]))


def steps_of(tree: Tree) -> list[tuple[float, int, int, float]]:
    """Return alpha, nodes, non-empty leaves and errors of every pruning, the largest first.

    A pruning is the best for every alpha from its own up to that of the next.
    """
    links = WeakestLinks(tree)
    waiting = [(links.strength(node), node) for node, inner in enumerate(links.is_inner) if inner]
    heapq.heapify(waiting)
    steps = [(0.0, *_sizes(links))]
    while waiting:
        alpha, node = heapq.heappop(waiting)
        if not links.is_inner[node] or alpha != links.strength(node) or alpha == math.inf:
            continue
        for above in links.cut(node):
            heapq.heappush(waiting, (links.strength(above), above))
        reached = max(alpha, steps[-1][0])
        if reached <= steps[-1][0] * (1 + EQUAL):
            steps[-1] = (steps[-1][0], *_sizes(links))
        else:
            steps.append((reached, *_sizes(links)))
    return steps


def _sizes(links: WeakestLinks) -> tuple[int, int, float]:
    return links.nodes[0], links.leaves[0], links.errors[0]
