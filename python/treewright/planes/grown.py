"""A tree of planes while it grows and is pruned; a `Tree` is made of it in the end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from treewright.planes.fit import Plane
from treewright.planes.problem import FloatArray, Mask


@dataclass(frozen=True, eq=False)
class LinearSplit:
    """A plane as a node of a tree tests it: one term after the other, so that a tree read back adds up alike.

    Attributes
    ----------
    columns : ndarray of int
        The columns that have a weight, ascending.
    weights : ndarray of shape (n_terms,)
    means : ndarray of shape (n_terms,)
        What stands for a missing value.
    offset : float
        A row goes to the second child if its sum is above this.
    n_features : int
        Features that the columns belong to.
    """

    columns: NDArray[np.int64]
    weights: FloatArray
    means: FloatArray
    offset: float
    n_features: int

    @classmethod
    def of(cls, plane: Plane, X: FloatArray) -> LinearSplit:
        """Take what a node needs of a plane.

        The plane scores rows from their centre. Where sums from the origin are rounded differently, the
        offset is moved so that the rows `X` go where the plane has them, if any offset does that.
        """
        columns = np.flatnonzero(plane.coef)
        centre = plane.scaling.centre
        split = cls(columns, plane.coef[columns], centre[columns], -plane.intercept, len(plane.support))
        wanted = plane.scores(X) > 0
        if wanted.all() or not wanted.any() or np.array_equal(split.above(X), wanted):
            return split
        sums = summed(split.values(X), split.weights)
        low, high = float(sums[~wanted].max()), float(sums[wanted].min())
        return replace(split, offset=low) if low < high else split

    @property
    def cost(self) -> int:
        """Return what the split costs when a tree is pruned: one, and its features."""
        return 1 + self.n_features

    def values(self, X: FloatArray) -> FloatArray:
        """Return the values of the terms, missing ones filled."""
        part = X[:, self.columns]
        return np.where(np.isnan(part), self.means, part)

    def above(self, X: FloatArray) -> Mask:
        """Tell which rows go to the second child."""
        return summed(self.values(X), self.weights) > self.offset


def summed(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return weighted sums, added in the order in which a tree adds."""
    total = np.zeros(len(values))
    for column, weight in enumerate(weights):
        total += weight * values[:, column]
    return total


@dataclass(eq=False)
class GrownNode:
    """A node: its rows, what they weigh by class, and its split unless it is a leaf."""

    rows: NDArray[np.int64]
    class_weights: FloatArray
    depth: int
    split: LinearSplit | None = None
    plane: Plane | None = None
    children: tuple[int, int] | None = None
    told: int | None = None
    """The class that it says, whatever its rows are; None: the heaviest."""

    @property
    def errors(self) -> float:
        """Weight that is not of the heaviest class."""
        return float(self.class_weights.sum() - self.class_weights.max())

    @property
    def label(self) -> int:
        """Position of the class it says: the heaviest, the lowest of equals."""
        return int(np.argmax(self.class_weights)) if self.told is None else self.told


@dataclass(eq=False)
class GrownTree:
    """Nodes, the root first, a child behind its parent and beside its sister.

    Attributes
    ----------
    nodes : list of GrownNode
    status : str
        How growing ended, as in `SearchResult`.
    """

    nodes: list[GrownNode] = field(default_factory=list)
    status: str = "complete"

    @property
    def splits(self) -> list[LinearSplit]:
        """The splits, in the order of their nodes."""
        return [node.split for node in self.nodes if node.split is not None]

    @property
    def cost(self) -> int:
        """Return what all splits cost."""
        return sum(split.cost for split in self.splits)

    def nodes_of(self, X: FloatArray) -> list[list[int]]:
        """Return the nodes that every row passes, from the root."""
        passed: list[list[int]] = [[] for _ in range(len(X))]
        at = {0: np.arange(len(X))}
        for number, node in enumerate(self.nodes):
            rows = at.pop(number, np.empty(0, np.int64))
            for row in rows.tolist():
                passed[row].append(number)
            if node.split is not None and node.children is not None and len(rows):
                above = node.split.above(X[rows])
                at[node.children[0]], at[node.children[1]] = rows[~above], rows[above]
        return passed

    def cut(self, is_leaf: Mask) -> GrownTree:
        """Return the tree in which some nodes are leaves, numbered anew."""
        kept = GrownTree([_copy(self.nodes[0])], self.status)
        origins = [0]
        place = 0
        while place < len(origins):
            origin = self.nodes[origins[place]]
            if origin.children is not None and not is_leaf[origins[place]]:
                kept.nodes[place].children = (len(origins), len(origins) + 1)
                kept.nodes[place].split, kept.nodes[place].plane = origin.split, origin.plane
                origins += origin.children
                kept.nodes += [_copy(self.nodes[child]) for child in origin.children]
            place += 1
        return kept


def _copy(node: GrownNode) -> GrownNode:
    return GrownNode(node.rows, node.class_weights, node.depth)
