"""The nested prunings of a tree by errors and number of leaves: weakest links first.

Every node that is no leaf has a strength: how many errors more it makes as a leaf than its subtree does,
for each leaf that it saves. The weakest becomes a leaf, which changes the strengths above it; and so on
up to the root.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treewright.pruning._rule import FloatArray, counts_of
from treewright.tree import Tree

EQUAL = 1e-12
"""Strengths that differ by less, relatively, are one step."""


class WeakestLinks:
    """The tree while it is pruned, link by link.

    Attributes
    ----------
    errors, leaves, nodes : ndarray of shape (n_nodes,)
        Of the subtree of every node: weight of its errors, its non-empty leaves, its nodes.
    """

    def __init__(self, tree: Tree) -> None:
        right, weight = counts_of(tree)
        self.as_leaf = weight - right
        self.is_empty = weight <= 0
        self.is_inner = tree.n_children > 0
        self.parent = tree.parent
        self.first, self.n_children = tree.first_child, tree.n_children
        self.errors: FloatArray = np.where(self.is_inner, 0.0, self.as_leaf)
        self.leaves: NDArray[np.int64] = (~self.is_inner & ~self.is_empty).astype(np.int64)
        self.nodes: NDArray[np.int64] = np.ones(len(weight), dtype=np.int64)
        for node in range(len(weight) - 1, 0, -1):
            self._add(int(self.parent[node]), node)

    def _add(self, node: int, part: int) -> None:
        for counts in (self.errors, self.leaves, self.nodes):
            counts[node] += counts[part]

    def strength(self, node: int) -> float:
        """Return the errors that a leaf here makes more, for each leaf that it saves; at least 0."""
        more = float(self.as_leaf[node] - self.errors[node])
        saved = int(self.leaves[node]) - (0 if self.is_empty[node] else 1)
        if more <= EQUAL * max(float(self.as_leaf[node]), 1.0):
            return 0.0
        return more / saved if saved > 0 else np.inf

    def cut(self, node: int) -> list[int]:
        """Make a node a leaf; return the nodes above it, whose strengths change."""
        above = list(self._above(node))
        errors = self.as_leaf[node] - self.errors[node]
        leaves = (0 if self.is_empty[node] else 1) - self.leaves[node]
        nodes = 1 - self.nodes[node]
        for changed in (node, *above):
            self.errors[changed] += errors
            self.leaves[changed] += leaves
            self.nodes[changed] += nodes
        self._leave(node)
        return above

    def _above(self, node: int) -> Iterator[int]:
        node = int(self.parent[node])
        while node >= 0:
            yield node
            node = int(self.parent[node])

    def _leave(self, top: int) -> None:
        """Mark what was below a new leaf, so that nothing of it is cut again."""
        waiting = [top]
        while waiting:
            node = waiting.pop()
            if self.is_inner[node]:
                self.is_inner[node] = False
                first = int(self.first[node])
                waiting.extend(range(first, first + int(self.n_children[node])))


def steps_of(tree: Tree) -> list[tuple[float, int, int, float]]:
    """Return alpha, nodes, non-empty leaves and errors of every pruning, the largest first.

    A pruning is the best for every alpha from its own up to that of the next.
    """
    links = WeakestLinks(tree)
    waiting = [(links.strength(int(node)), int(node)) for node in np.flatnonzero(links.is_inner)]
    heapq.heapify(waiting)
    steps = [(0.0, *_sizes(links))]
    while waiting:
        alpha, node = heapq.heappop(waiting)
        if not links.is_inner[node] or alpha != links.strength(node) or alpha == np.inf:
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
    return int(links.nodes[0]), int(links.leaves[0]), float(links.errors[0])
