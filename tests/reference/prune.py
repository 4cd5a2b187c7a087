"""Pruning as a textbook writes it: recursive, a subtree at a time, plain numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from scipy.stats import beta, norm

from reference.table import Table, Value

Estimate = Callable[[float, float], float]
EQUAL = 1e-12
SLACK = 0.1


@dataclass(frozen=True)
class Node:
    """A leaf (``feature`` is None) or an internal node with one child a branch."""

    label: int
    counts: tuple[float, ...]
    feature: int | None = None
    threshold: float | None = None
    children: tuple[Node, ...] = ()

    @property
    def weight(self) -> float:
        return math.fsum(self.counts)

    @property
    def errors(self) -> float:
        return self.weight - self.counts[self.label]

    def as_leaf(self) -> Node:
        return replace(self, feature=None, threshold=None, children=())

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


# From the leaves up ------------------------------------------------------------------


def prune(node: Node, estimate: Estimate, errors: float = 0.0, rate: float = 0.0) -> tuple[Node, float]:
    """Return the pruned tree and its estimate; a leaf may be worse by so many errors or so high a rate."""
    if node.weight == 0:
        return node.as_leaf(), 0.0
    leaf = math.inf if node.counts[node.label] == 0 else estimate(node.counts[node.label], node.weight)
    if not node.children:
        return node, leaf
    parts = [prune(child, estimate, errors, rate) for child in node.children]
    below = sum(child.weight / node.weight * value for child, value in parts if child.weight > 0)
    if leaf <= below + errors / node.weight + rate + EQUAL:
        return node.as_leaf(), leaf
    return replace(node, children=tuple(child for child, _ in parts)), below


def all_prunings(node: Node) -> Iterator[Node]:
    """Yield every tree that some set of nodes made leaves gives."""
    yield node.as_leaf()
    if node.children:
        yield from (replace(node, children=parts) for parts in _products(node.children))


def _products(children: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    if not children:
        yield ()
        return
    for first in all_prunings(children[0]):
        yield from ((first, *rest) for rest in _products(children[1:]))


def value(node: Node, estimate: Estimate) -> float:
    """Return the mean estimate over the leaves of a tree, weighed by what reaches them."""
    leaves = [leaf for leaf in node.walk() if not leaf.children and leaf.weight > 0]
    parts = [leaf.weight * estimate(leaf.counts[leaf.label], leaf.weight) for leaf in leaves]
    return math.fsum(parts) / node.weight


# Estimates ---------------------------------------------------------------------------


def observed(c: float, n: float) -> float:
    return (n - c) / n


def wilson(c: float, n: float, z: float = float(norm.isf(0.25))) -> float:
    """Upper end of the score interval: the p at which (f - p) / sqrt(p (1 - p) / n) is -z."""
    f, square = (n - c) / n, z * z / n
    return (f + square / 2 + z * math.sqrt(f * (1 - f) / n + square / (4 * n))) / (1 + square)


def per_leaf(alpha: float) -> Estimate:
    return lambda c, n: (n - c + alpha) / n


def published(c: float, n: float) -> float:
    errors = math.tanh(math.tanh(math.tanh((n - c) / n)))
    return (errors + math.sqrt(math.tanh(math.tanh(math.sqrt(n))))) / math.tanh(c**0.25)


def error_based(confidence: float, limit: str) -> Estimate:
    """Return the estimate of C4.5's pruning by one of four upper limits."""
    extra = {"c45": _c45, "weka": _weka, "exact": _exact, "wilson": _wilson}[limit]
    return lambda c, n: (n - c + extra(n, n - c, confidence)) / n


TAILS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
QUANTILES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)


def _interpolated(confidence: float) -> float:
    i = next(i for i, tail in enumerate(TAILS) if i > 0 and confidence <= tail)
    part = (confidence - TAILS[i - 1]) / (TAILS[i] - TAILS[i - 1])
    return QUANTILES[i - 1] + (QUANTILES[i] - QUANTILES[i - 1]) * part


def _corrected(n: float, e: float, z: float) -> float:
    k, half = z * z, e + 0.5
    upper = (half + k / 2 + math.sqrt(k * (half * (1 - half / n) + k / 4))) / (n + k)
    return n * upper - e


def _c45(n: float, e: float, confidence: float) -> float:
    if e < 1e-6:
        return n * (1 - confidence ** (1 / n))
    if e < 0.9999:
        none = n * (1 - confidence ** (1 / n))
        return none + e * (_c45(n, 1.0, confidence) - none)
    if e + 0.5 >= n:
        return 0.67 * (n - e)
    return _corrected(n, e, _interpolated(confidence))


def _weka(n: float, e: float, confidence: float) -> float:
    if confidence > 0.5:
        return 0.0
    if e < 1:
        none = n * (1 - confidence ** (1 / n))
        return none if e == 0 else none + e * (_weka(n, 1.0, confidence) - none)
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    return _corrected(n, e, float(norm.isf(confidence)))


def _exact(n: float, e: float, confidence: float) -> float:
    return n - e if e >= n else n * float(beta.ppf(1 - confidence, e + 1, n - e)) - e


def _wilson(n: float, e: float, confidence: float) -> float:
    return n * wilson(n - e, n, float(norm.isf(confidence))) - e


# Grafting ----------------------------------------------------------------------------

Rows = list[tuple[int, float]]  # a sample and the weight with which it is here


@dataclass(frozen=True)
class Grafter:
    """Prunes with grafting: samples are led through the tree again and again."""

    table: Table
    estimate: Estimate
    distributes: bool

    def prune(self, node: Node, rows: Rows) -> Node:
        """Prune what is below, then this node: leave it, cut it, or put its largest branch in its place."""
        node = self._relabelled(node, rows)
        if not node.children or not rows:
            return node.as_leaf()
        branches = self._split(node, rows)
        node = replace(
            node,
            children=tuple(
                self.prune(child, part)
                if part
                else replace(child.as_leaf(), counts=(0.0,) * len(child.counts))
                for child, part in zip(node.children, branches, strict=True)
            ),
        )
        largest = self._largest(node, rows)
        as_leaf = self._leaf_errors(rows)
        as_tree = sum(self.errors(c, part) for c, part in zip(node.children, branches, strict=True))
        as_branch = self.errors(node.children[largest], rows)
        if as_leaf <= as_branch + SLACK + EQUAL and as_leaf <= as_tree + SLACK + EQUAL:
            return node.as_leaf()
        if as_branch <= as_tree + SLACK + EQUAL:
            return self.prune(node.children[largest], rows)
        return node

    def errors(self, node: Node, rows: Rows) -> float:
        """Estimate the errors of a subtree on rows, each leaf answering their majority."""
        if not rows:
            return 0.0
        if not node.children:
            return self._leaf_errors(rows)
        branches = self._split(node, rows)
        return sum(self.errors(child, part) for child, part in zip(node.children, branches, strict=True))

    def _counts(self, rows: Rows) -> tuple[float, ...]:
        of_class: list[list[float]] = [[] for _ in range(self.table.n_classes)]
        for sample, weight in rows:
            of_class[self.table.target[sample]].append(weight)
        return tuple(math.fsum(weights) for weights in of_class)

    def _leaf_errors(self, rows: Rows) -> float:
        counts = self._counts(rows)
        n = math.fsum(counts)
        return n * self.estimate(max(counts), n)

    def _relabelled(self, node: Node, rows: Rows) -> Node:
        """Give a node the class of most rows, of equal ones its own or else the lowest."""
        counts = self._counts(rows)
        most = max(counts)
        return replace(
            node, counts=counts, label=node.label if counts[node.label] == most else counts.index(most)
        )

    def _value(self, node: Node, sample: int) -> Value:
        assert node.feature is not None
        return self.table.columns[node.feature].values[sample]

    def _known(self, node: Node, rows: Rows) -> list[Rows]:
        branches: list[Rows] = [[] for _ in node.children]
        for sample, weight in rows:
            value = self._value(node, sample)
            if value is not None:
                branch = int(value) if node.threshold is None else int(value > node.threshold)
                branches[branch].append((sample, weight))
        return branches

    def _split(self, node: Node, rows: Rows) -> list[Rows]:
        """Send rows down, those of unknown value in proportion to the known ones here."""
        branches = self._known(node, rows)
        known = [math.fsum(weight for _, weight in part) for part in branches]
        unknown = [row for row in rows if self._value(node, row[0]) is None]
        if not any(known):
            known = [child.weight for child in node.children]
        for sample, weight in unknown:
            for branch, part in enumerate(self._shares(known)):
                if part > 0:
                    branches[branch].append((sample, weight * part))
        return branches

    def _shares(self, known: Sequence[float]) -> list[float]:
        if self.distributes:
            return [part / math.fsum(known) for part in known]
        return [float(branch == known.index(max(known))) for branch in range(len(known))]

    def _largest(self, node: Node, rows: Rows) -> int:
        """Find the branch with most of the rows of known value, the last of equal ones."""
        known = [math.fsum(weight for _, weight in part) for part in self._known(node, rows)]
        return max(range(len(known)), key=lambda branch: (known[branch], branch))
