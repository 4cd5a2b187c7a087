"""Growing a tree of oblique splits, and pruning it by cost complexity.

Growing is greedy: at every node the plane of its own rows is found, and both sides go on.

In pruning a split costs one, and one for each of its features. For an alpha, the pruned tree is the one with
the least errors / weight + alpha * cost; on a tie a node is a leaf. If wrong answers have costs, these count
in place of errors. As alpha grows these trees become
smaller, each a part of the one before. Cross-validation finds the alpha that predicts best: every fold grows
its own tree, prunes it for every alpha, and counts the errors on its held-out rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np

from treewright._base.clock import Clock, HaltError
from treewright.data.types import BoolArray, FloatArray, IntArray
from treewright.planes.chain import easiest_class
from treewright.planes.cross_validation import HeldOutErrors, Split, over_folds, splits
from treewright.planes.fit import Plane, fit_plane
from treewright.planes.linear_tree import LinearNode, LinearSplit, LinearTree
from treewright.planes.options import PlaneOptions
from treewright.planes.rows import ClassRows

NO_GAIN = 1e-12
"""A gain of at most so many bits is rounding."""

EQUAL = 1e-12
"""Errors and costs that differ by at most this share of the largest cost of an answer are equal."""


@dataclass(frozen=True)
class GrowingRules:
    """When a node is a leaf; `MultivariateTreeClassifier` says what they mean."""

    max_depth: float
    min_samples_split: float | Fraction
    min_samples_leaf: float | Fraction
    min_gain: float

    def of_weight(self, total: float) -> GrowingRules:
        """Return the rules of a tree whose samples weigh so much: shares become weights."""
        least = _in_weight(self.min_samples_leaf, total)
        return replace(
            self,
            min_samples_split=_in_weight(self.min_samples_split, total),
            min_samples_leaf=least if least > 1 else 0,
        )


def _in_weight(limit: float | Fraction, total: float) -> float | Fraction:
    """Return a share, the decimal that is written, as a weight; others as they are."""
    return Fraction(str(limit)) * Fraction(total) if 0 < limit < 1 else limit


@dataclass(frozen=True, eq=False)
class Grower:
    """What trees are grown with: the options of their planes, and when a node is a leaf."""

    n_classes: int
    options: PlaneOptions
    rules: GrowingRules

    def grow(self, rows: ClassRows, clock: Clock) -> LinearTree:
        """Grow a tree, breadth first; when time is over, the nodes not yet split are leaves.

        Ctrl-C stops the clock: whoever began the work finishes it, and raises the exception then.
        """
        everything = np.arange(len(rows.target))
        weight = self._weigh(rows, everything)
        tree = LinearTree([LinearNode(everything, weight, 0, prices=rows.prices)])
        limited = replace(self, rules=self.rules.of_weight(float(weight.sum())))
        limited._grow(tree, rows, clock)
        return tree

    def _grow(self, tree: LinearTree, rows: ClassRows, clock: Clock) -> None:
        for node in tree.nodes:
            is_pure = int(np.count_nonzero(node.class_weights)) < 2
            is_small = float(node.class_weights.sum()) < self.rules.min_samples_split
            if is_pure or is_small or node.depth >= self.rules.max_depth:
                continue
            n_nodes = len(tree.nodes)
            with clock.ending() as ending:
                clock.check()
                self._try_split(tree, node, rows, clock)
            if node.children is None:
                node.split = node.plane = None
                del tree.nodes[n_nodes:]
            if ending.status is not None:
                tree.status, tree.message = ending.status, ending.message
                break

    def _try_split(self, tree: LinearTree, node: LinearNode, rows: ClassRows, clock: Clock) -> None:
        """Find the plane between one class and the others, and split by it if it helps."""
        own = rows.take(node.rows).without_costs()
        label = easiest_class(own, np.unique(own.target).tolist(), self.options, clock)
        plane = fit_plane(own.against_rest(label), self.options, clock)
        if not plane.search.success:
            tree.status, tree.message = plane.search.status, plane.search.message
        self._split(tree, node, plane, rows)

    def _split(self, tree: LinearTree, node: LinearNode, plane: Plane, rows: ClassRows) -> None:
        """Give the node its children, unless the plane does not help here."""
        if not len(plane.support):
            return
        X = rows.X[node.rows]
        split = LinearSplit.of(plane, X)
        above = split.above(X)
        sides = [node.rows[~above], node.rows[above]]
        weights = [self._weigh(rows, side) for side in sides]
        least = min(float(weight.sum()) for weight in weights)
        gain = (_bits(node.class_weights) - sum(map(_bits, weights))) / float(node.class_weights.sum())
        if least <= 0 or least < self.rules.min_samples_leaf or gain <= NO_GAIN or gain < self.rules.min_gain:
            return
        first = len(tree.nodes)
        tree.nodes += [
            LinearNode(side, own, node.depth + 1, prices=rows.prices)
            for side, own in zip(sides, weights, strict=True)
        ]
        node.split, node.plane = split, plane
        # Last: a node with children is complete, whatever interrupts.
        node.children = (first, first + 1)

    def _weigh(self, rows: ClassRows, some: IntArray) -> FloatArray:
        """Return the weight of some rows by class."""
        weighed = np.bincount(rows.target[some], rows.weight[some], minlength=self.n_classes)
        return np.asarray(weighed, dtype=np.float64)


def _bits(class_weights: FloatArray) -> float:
    """Return entropy in bits, times the weight."""
    known = class_weights[class_weights > 0]
    return float(known @ np.log2(known.sum() / known))


@dataclass(frozen=True, eq=False)
class PrunedTrees:
    """The pruned trees of one tree by alpha, ascending, and their errors on held-out rows."""

    alphas: FloatArray
    errors: HeldOutErrors

    @classmethod
    def of(cls, tree: LinearTree) -> PrunedTrees:
        """Return the alphas of a tree without cross-validation."""
        alphas = alphas_of(tree)
        return cls(alphas, HeldOutErrors.unknown(len(alphas)))

    def best_alpha(self, one_standard_error: bool) -> float:
        """Return the largest alpha of least error, or within one standard error; 0 if no errors are known."""
        if np.isnan(self.errors.means).any():
            return 0.0
        return float(self.alphas[np.flatnonzero(self.errors.among_best(one_standard_error))[-1]])


def pruned(tree: LinearTree, alpha: float) -> LinearTree:
    """Return the pruned tree for an alpha."""
    return tree.cut(_leaves_at(tree, alpha))


def _leaves_at(tree: LinearTree, alpha: float) -> BoolArray:
    """Mark the nodes that are leaves for an alpha; those below a marked node do not matter."""
    total = float(tree.nodes[0].class_weights.sum())
    prices = tree.nodes[0].prices
    equal = EQUAL if prices is None else EQUAL * prices.largest
    is_leaf = np.ones(len(tree.nodes), np.bool_)
    least = np.array([node.errors / total for node in tree.nodes])
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        if node.children is None or node.split is None:
            continue
        kept = least[list(node.children)].sum() + alpha * node.split.cost
        is_leaf[number] = least[number] <= kept + equal
        least[number] = min(least[number], kept)
    return is_leaf


def alphas_of(tree: LinearTree) -> FloatArray:
    """Return the alphas at which the pruned tree becomes smaller, 0 first, ascending."""
    alphas, current = [0.0], pruned(tree, 0.0)
    while current.splits:
        alphas.append(_weakest_link(current))
        current = pruned(current, alphas[-1])
    return np.array(alphas)


def _weakest_link(tree: LinearTree) -> float:
    """Return the smallest alpha for which some internal node costs no more as a leaf."""
    total = float(tree.nodes[0].class_weights.sum())
    errors = np.array([node.errors / total for node in tree.nodes])
    below, cost, links = errors.copy(), np.zeros(len(errors)), []
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        if node.children is None or node.split is None:
            continue
        children = list(node.children)
        below[number] = below[children].sum()
        cost[number] = cost[children].sum() + node.split.cost
        links.append((errors[number] - below[number]) / cost[number])
    return float(min(links))


def cross_validate(tree: LinearTree, rows: ClassRows, grower: Grower, clock: Clock) -> PrunedTrees:
    """Return held-out errors for one alpha between every two at which the pruned tree changes.

    The last alpha leads to the root alone. There the trees of the folds count as leaves: at this very alpha,
    half of them would still have a split. Without folds no errors are known. A fold that does not come to its
    end raises `HaltError` or `KeyboardInterrupt`.
    """
    steps = alphas_of(tree)
    alphas = np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1])
    folds = [
        (learn, held_out)
        for learn, held_out in splits(grower.options.cv, rows.target, rows)
        if len(learn) and len(held_out)
    ]
    if len(alphas) == 1 or not folds:
        return PrunedTrees(alphas, HeldOutErrors.unknown(len(alphas)))
    alone = replace(grower, options=replace(grower.options, n_jobs=None))
    at = np.append(alphas[:-1], np.inf)
    errors = over_folds(partial(_errors_of_fold, rows, alone, at), folds, grower.options.n_jobs, clock)
    return PrunedTrees(alphas, HeldOutErrors.of(errors))


def _errors_of_fold(
    rows: ClassRows, grower: Grower, alphas: FloatArray, fold: Split, clock: Clock
) -> list[float]:
    """Return the share of errors on held-out rows, or their mean cost, for every alpha."""
    learn, held_out = fold
    tree = grower.grow(rows.take(learn), clock)
    if clock.interrupted:
        raise KeyboardInterrupt
    if tree.status in ("time_limit", "stopped"):
        raise HaltError(tree.status)
    judges = rows.take(held_out)
    paths = tree.paths(judges.X)
    return [_error(tree, paths, _leaves_at(tree, alpha), judges) for alpha in alphas]


def _error(tree: LinearTree, paths: list[list[int]], is_leaf: BoolArray, rows: ClassRows) -> float:
    ends = [next(node for node in path if is_leaf[node]) for path in paths]
    labels = np.array([tree.nodes[node].label for node in ends])
    return float(rows.weight @ rows.prices.losses(rows.target, labels) / rows.weight.sum())
