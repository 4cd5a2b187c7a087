"""A tree of oblique splits while it grows, its weights in few digits, and the `Tree` that it becomes."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace

import numpy as np

from treewright.data.types import AnyArray, BoolArray, CodeArray, FloatArray, IntArray
from treewright.planes.fit import Plane
from treewright.planes.rows import Encoding
from treewright.trees.answering import Prices
from treewright.trees.tree import Tree

MEAN, STOP = "mean", "stop"
"""A missing value counts as the mean of the rows at the node, or the sample stays at the node."""

FEWEST_DIGITS, MOST_DIGITS = 2, 17
"""Digits of rounded weights; 17 give any float exactly."""


@dataclass(frozen=True, eq=False)
class LinearSplit:
    """An oblique split: a plane as the test of a node, summed term by term as in a tree from JSON.

    Attributes
    ----------
    columns : ndarray of int
        The columns that have a weight, ascending.
    weights : ndarray of shape (n_terms,)
    means : ndarray of shape (n_terms,)
        These take the place of missing values.
    offset : float
        A row goes to the second child if its sum is above this.
    n_features : int
        Number of features of the columns.
    """

    columns: IntArray
    weights: FloatArray
    means: FloatArray
    offset: float
    n_features: int

    @classmethod
    def of(cls, plane: Plane, X: FloatArray) -> LinearSplit:
        """Make the split of a plane.

        The plane scores rows from their centre. If sums from the origin round differently, the offset is
        moved so that the rows `X` go to the side where the plane has them, if any offset does that.

        Parameters
        ----------
        plane : Plane
            The plane.
        X : ndarray of shape (n_rows, n_columns)
            The rows, in raw units.

        Returns
        -------
        split : LinearSplit
            The same plane, summed term by term.
        """
        columns = np.flatnonzero(plane.coef)
        centre = plane.scaling.centre
        split = cls(columns, plane.coef[columns], centre[columns], -plane.intercept, len(plane.support))
        wanted = plane.scores(X) > 0
        if wanted.all() or not wanted.any() or np.array_equal(split.above(X), wanted):
            return split
        sums = _sums(split._values(X), split.weights)
        low, high = float(sums[~wanted].max()), float(sums[wanted].min())
        return replace(split, offset=low) if low < high else split

    @property
    def cost(self) -> int:
        """What the split costs in pruning: one, and one for each of its features."""
        return 1 + self.n_features

    def above(self, X: FloatArray) -> BoolArray:
        """Mark the rows that go to the second child.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)
            The rows, in raw units.

        Returns
        -------
        above : ndarray of bool, shape (n_rows,)
            Whether the sum of a row is above the offset.
        """
        return _sums(self._values(X), self.weights) > self.offset

    def _values(self, X: FloatArray) -> FloatArray:
        """Return the values of the terms, with means in place of missing ones."""
        part = X[:, self.columns]
        return np.where(np.isnan(part), self.means, part)

    def rounded(self, X: FloatArray) -> LinearSplit:
        """Return the split with as few digits as send every row where the exact split sends it.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)
            The rows, in raw units.

        Examples
        --------
        >>> import numpy as np
        >>> from treewright.planes import LinearSplit
        >>> split = LinearSplit(np.array([0, 1]), np.array([1 / 3, 1]), np.zeros(2), 0.51, 2)
        >>> rounded = split.rounded(np.array([[1.0, 0], [2.0, 0]]))
        >>> rounded.weights, rounded.offset
        (array([0.33, 1.  ]), 0.51)
        """
        values = self._values(X)
        above = _sums(values, self.weights) > self.offset
        if above.all() or not above.any():
            return self
        if len(self.weights) == 1:
            return self._cut(values, above)
        for digits in range(FEWEST_DIGITS, MOST_DIGITS):
            weights = np.array([float(f"{weight:.{digits}g}") for weight in self.weights])
            scores = _sums(values, weights)
            low, high = float(scores[~above].max()), float(scores[above].min())
            if low < high:
                reach = float(np.abs(scores - self.offset).max())
                offset = _shortest(self.offset, low, high, reach, digits)
                return replace(self, weights=weights, offset=offset)
        return self

    def _cut(self, values: FloatArray, above: BoolArray) -> LinearSplit:
        """Return the split on one column as a cut of the column itself: its weight becomes 1 or -1."""
        weights = np.sign(self.weights)
        scores = _sums(values, weights)
        low, high = float(scores[~above].max()), float(scores[above].min())
        offset = self.offset / abs(float(self.weights[0]))
        offset = offset if math.isfinite(offset) else low
        reach = float(np.abs(scores - offset).max())
        return replace(self, weights=weights, offset=_shortest(offset, low, high, reach, FEWEST_DIGITS))


def _sums(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return weighted sums, added in the order in which a tree adds."""
    total = np.zeros(len(values))
    for column, weight in enumerate(weights):
        total += weight * values[:, column]
    return total


def _shortest(offset: float, low: float, high: float, reach: float, digits: int) -> float:
    """Return a short number, at least `low` and below `high`, near to `offset` or else to their middle."""
    middle = low + (high - low) / 2
    first = digits - math.floor(math.log10(reach)) - 1 if reach > 0 else 0
    for decimals in range(first, first + MOST_DIGITS):
        for wanted in (offset, middle):
            short = round(wanted, decimals)
            if low <= short < high:
                return short + 0.0
    return low


@dataclass(eq=False)
class LinearNode:
    """A node: its rows, their weight by class, and its split unless it is a leaf."""

    rows: IntArray
    class_weights: FloatArray
    depth: int
    split: LinearSplit | None = None
    plane: Plane | None = None
    children: tuple[int, int] | None = None
    fixed_label: int | None = None
    """The class of the node whatever its rows are; None: the one of least cost."""
    prices: Prices | None = None
    """What answers cost; None: 1 if they are wrong."""

    @property
    def errors(self) -> float:
        """Weight that is not of the heaviest class, or what the answer of the node costs."""
        return float(self._prices.of_nodes(self.class_weights))

    @property
    def label(self) -> int:
        """Position of the class of the node: the one of least cost, the lowest of equals."""
        return (
            int(self._prices.cheapest(self.class_weights)) if self.fixed_label is None else self.fixed_label
        )

    @property
    def _prices(self) -> Prices:
        return Prices.of(None, len(self.class_weights)) if self.prices is None else self.prices

    def as_leaf(self) -> LinearNode:
        """Return the node without its split."""
        return LinearNode(self.rows, self.class_weights, self.depth, prices=self.prices)


@dataclass(eq=False)
class LinearTree:
    """Nodes, the root first; a child comes after its parent and beside its sibling."""

    nodes: list[LinearNode] = field(default_factory=list)
    status: str = "complete"
    """How growing ended, as in `SearchResult`."""
    message: str = ""

    @property
    def splits(self) -> list[LinearSplit]:
        """The splits, in the order of their nodes."""
        return [node.split for node in self.nodes if node.split is not None]

    @property
    def planes(self) -> list[Plane]:
        """The planes of the splits, in the order of their nodes."""
        return [node.plane for node in self.nodes if node.plane is not None]

    @property
    def cost(self) -> int:
        """Cost of all splits."""
        return sum(split.cost for split in self.splits)

    @property
    def error_rate(self) -> float:
        """Share of the training weight that the leaves predict wrongly, or what they cost on the mean."""
        errors = sum(node.errors for node in self.nodes if node.split is None)
        return errors / float(self.nodes[0].class_weights.sum())

    def paths(self, X: FloatArray) -> list[list[int]]:
        """Return the nodes on the path of every row, from the root."""
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

    def cut(self, is_leaf: BoolArray) -> LinearTree:
        """Return the tree in which some nodes are leaves, its nodes numbered anew."""
        kept = LinearTree([self.nodes[0].as_leaf()], self.status, self.message)
        origins = [0]
        place = 0
        while place < len(origins):
            origin = self.nodes[origins[place]]
            if origin.children is not None and not is_leaf[origins[place]]:
                kept.nodes[place].children = (len(origins), len(origins) + 1)
                kept.nodes[place].split, kept.nodes[place].plane = origin.split, origin.plane
                origins += origin.children
                kept.nodes += [self.nodes[child].as_leaf() for child in origin.children]
            place += 1
        return kept

    def rounded(self, X: FloatArray) -> LinearTree:
        """Return the tree with as few digits as leave the training rows `X` in their leaves."""
        nodes = [
            node if node.split is None else replace(node, split=node.split.rounded(X[node.rows]))
            for node in self.nodes
        ]
        return LinearTree(nodes, self.status, self.message)

    def to_tree(
        self,
        encoding: Encoding,
        classes: AnyArray,
        *,
        missing: str,
        costs: list[list[float]] | None = None,
        target: CodeArray | None = None,
    ) -> Tree:
        """Return the `Tree`: its splits are about features, and a nominal one has a weight for each level.

        With the `target` of the rows, their numbers stand beside their weights.
        """
        is_chain = any(node.fixed_label is not None for node in self.nodes)
        routing = STOP if missing == "raise" else MEAN
        terms = _terms(encoding)
        document = {
            "format": "treewright-tree",
            "version": 2,
            "routing": routing,
            "schema": _schema(encoding, classes),
            "decision": {
                "source": "given" if is_chain else "weights",
                **({} if costs is None else {"cost_matrix": costs}),
            },
            "nodes": _nodes(self.nodes) | _counts(self.nodes, target, len(classes)),
            "planes": [_plane(split, terms, routing) for split in self.splits],
        }
        return Tree.from_json(json.dumps(document))


def _nodes(nodes: list[LinearNode]) -> dict[str, object]:
    """Return the columns of the nodes, as the JSON of a `Tree` has them."""
    is_split = [node.split is not None for node in nodes]
    return {
        "kind": ["linear" if split else "leaf" for split in is_split],
        "test": [sum(is_split[:number]) if split else None for number, split in enumerate(is_split)],
        "threshold": [None] * len(nodes),
        "first_child": [None if node.children is None else node.children[0] for node in nodes],
        "n_children": [0 if node.children is None else 2 for node in nodes],
        "class": [node.label for node in nodes],
        "weight": [float(node.class_weights.sum()) for node in nodes],
        "class_weights": [node.class_weights.tolist() for node in nodes],
    }


def _counts(nodes: list[LinearNode], target: CodeArray | None, n_classes: int) -> dict[str, object]:
    """Return the numbers of rows by class as the JSON has them; nothing without their classes."""
    if target is None:
        return {}
    counts = [np.bincount(target[node.rows], minlength=n_classes).tolist() for node in nodes]
    return {"class_counts": counts}


Term = tuple[int, int | None]
"""A feature, and the level that counts as 1 if the feature is nominal."""


def _terms(encoding: Encoding) -> list[Term]:
    """Return the term of every column."""
    terms: list[Term] = []
    for feature, levels in enumerate(encoding.levels):
        if levels is None:
            terms.append((feature, None))
        else:
            terms += [(feature, level) for level in range(len(levels) == 2, len(levels))]
    return terms


def _plane(split: LinearSplit, terms: list[Term], routing: str) -> dict[str, object]:
    used = [terms[column] for column in split.columns]
    plane: dict[str, object] = {
        "weights": [
            [feature, weight] for (feature, _), weight in zip(used, split.weights.tolist(), strict=True)
        ],
        "offset": split.offset,
    }
    if any(level is not None for _, level in used):
        plane["levels"] = [level for _, level in used]
    if routing == MEAN:
        plane["means"] = split.means.tolist()
    return plane


def _schema(encoding: Encoding, classes: AnyArray) -> dict[str, object]:
    parts = zip(encoding.names, encoding.levels, encoding.ranges, strict=True)
    return {
        "features": [
            {
                "name": name,
                "levels": None if levels is None else [_plain(level) for level in levels],
                **({} if ends is None else {"range": ends}),
            }
            for name, levels, ends in parts
        ],
        "classes": [_plain(label) for label in classes.tolist()],
    }


def _plain(value: object) -> object:
    """Return a label as JSON has it."""
    return value.item() if isinstance(value, np.generic) else value
