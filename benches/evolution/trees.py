"""Trees that rules are judged on, as plain arrays that every tool gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import GreedyTreeClassifier, _core, datasets

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

PRESET = "paper_table"


@dataclass(frozen=True)
class Trees:
    """Nodes of many trees, one tree after the other, parents before their children.

    Attributes
    ----------
    c, n : ndarray
        Training rows of the node's class, and all.
    errors : ndarray
        Test rows that the node would get wrong as a leaf.
    first_child, n_children : ndarray
        The first child, counted from the root of its own tree; how many there are, 0 or 2.
    n_nodes, n_test : ndarray
        Nodes and test rows of every tree.
    """

    c: FloatArray
    n: FloatArray
    errors: FloatArray
    first_child: IntArray
    n_children: IntArray
    n_nodes: IntArray
    n_test: FloatArray

    def __len__(self) -> int:
        return len(self.n_nodes)

    @property
    def starts(self) -> IntArray:
        """The root of every tree."""
        return np.cumsum(self.n_nodes) - self.n_nodes

    def first(self, n_trees: int) -> Trees:
        """Return the first trees."""
        end = self.n_nodes[:n_trees].sum()
        return Trees(
            self.c[:end],
            self.n[:end],
            self.errors[:end],
            self.first_child[:end],
            self.n_children[:end],
            self.n_nodes[:n_trees],
            self.n_test[:n_trees],
        )

    def given(self) -> _core.GrownTrees:
        """Return them as treewright's engine takes them."""
        nodes = (self.c, self.n, self.errors, self.first_child, self.n_children)
        return _core.GrownTrees(*nodes, self.n_nodes, self.n_test)


def grown(n_trees: int, seed: int) -> Trees:
    """Grow ID3 trees on the sets of a preset, those that `learn_pruner` would draw with this seed."""
    parts = [_grown(number, seed) for number in range(n_trees)]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Trees(*columns)


def _grown(number: int, seed: int) -> tuple[Any, ...]:
    train, test = datasets.make_linear_network(preset=PRESET, number=number, random_state=seed)
    tree = GreedyTreeClassifier.id3().fit(train).tree_
    judged = np.zeros((tree.n_nodes, 2))
    np.add.at(judged, (tree.apply(test), test.target), 1.0)
    for node in range(tree.n_nodes - 1, 0, -1):
        judged[tree.parent[node]] += judged[node]
    own = np.arange(tree.n_nodes), tree.node_class
    errors = judged.sum(axis=1) - judged[own]
    first, n_children = tree.first_child.astype(np.int64), tree.n_children.astype(np.int64)
    n_nodes, n_test = np.array([tree.n_nodes]), np.array([float(test.n_samples)])
    return tree.class_weights[own], tree.weight, errors, first, n_children, n_nodes, n_test
