"""Pruning by errors plus a price for every leaf."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from typing import Self

import numpy as np

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import number
from treewright._base.wording import Attribute, Param, Value
from treewright.data.folds import checked_cv
from treewright.data.types import FloatArray
from treewright.data.validation_set import generator
from treewright.trees.pruning.estimates import rates_by
from treewright.trees.pruning.held_out import held_out_errors, regrowing_of
from treewright.trees.pruning.pruning_path import PruningPath
from treewright.trees.pruning.rows import rows_for
from treewright.trees.pruning.rule import (
    Pruned,
    PruningRule,
    Task,
    checked_counts,
    checked_tree,
    counts_of,
)
from treewright.trees.tree import Tree

PATH_DTYPE = [("alpha", "float64"), ("n_nodes", "int64"), ("n_leaves", "int64"), ("errors", "float64")]


class CostComplexityPruning(PruningRule):
    """Cost-complexity pruning: prunes to the tree with the fewest errors plus `alpha` for every leaf.

    Leaves without samples have no cost. If several trees are best, the result is the smallest. A larger
    `alpha` never gives a larger tree, and the trees are nested: `path` lists them all.

    Parameters
    ----------
    alpha : float or "cv", default=1.0
        Cost of a leaf, in errors (weight of training samples of another class). ``"cv"`` chooses it by
        cross-validation. The candidates are values between those at which the tree of all samples changes.
        The trees of the folds are pruned with each of them, and the value with the fewest errors on the
        held-out samples is chosen (in a tie the largest). In a fold alpha is reduced in proportion to its
        number of samples.
    cv : int, splitter or iterable of splits, default=10
        Folds for ``alpha="cv"``. An int is a number of stratified folds, shuffled; fewer if no class has so
        many samples. Positions in splits of your own count only samples of positive weight.
    random_state : int, RandomState instance or None, default=0
        Random seed that shuffles the folds. The same int gives the same tree.

    Notes
    -----
    `alpha` counts errors. scikit-learn's ``ccp_alpha`` is a cost of a leaf in units of the mean impurity of a
    sample. `to_ccp_alpha` and `from_ccp_alpha` convert between a number of errors and an error rate.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression Trees", 1984, chapter 3.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import CostComplexityPruning, prune
    >>> tree = GreedyTreeClassifier().fit(datasets.load("iris")).tree_
    >>> CostComplexityPruning.path(tree).to_frame()
       alpha  n_nodes  n_leaves  errors
    0    0.0       17         9     0.0
    1    0.5       13         7     1.0
    2    1.0        7         4     4.0
    3    2.0        5         3     6.0
    4   44.0        3         2    50.0
    5   50.0        1         1   100.0
    >>> prune(tree, CostComplexityPruning(alpha=2)).n_nodes
    5
    """

    def __init__(self, *, alpha: float | str = 1.0, cv: object = 10, random_state: object = 0) -> None:
        self.alpha = alpha
        self.cv = cv
        self.random_state = random_state

    @staticmethod
    def path(tree: Tree, X: object = None, y: object = None, sample_weight: object = None) -> PruningPath:
        """List all trees to which some `alpha` prunes a tree.

        Parameters
        ----------
        tree : Tree
            The tree to prune.
        X, y, sample_weight
            Samples to count, instead of the weights in the tree; as for `prune`.

        Returns
        -------
        path : PruningPath
            One row for each pruned tree, from large to small: the smallest ``alpha`` that gives it;
            ``n_nodes``; ``n_leaves`` (leaves with samples); ``errors`` (weight of the training samples
            predicted wrongly).
        """
        if X is None:
            counted = checked_counts(tree)
        else:
            counted = Tree(_core.refill(checked_tree(tree)._told, rows_for(tree, X, y, sample_weight)))
        return PruningPath.from_rows(steps_of(counted), PATH_DTYPE)

    def to_ccp_alpha(self, tree: Tree) -> float:
        """Return `alpha` as an error rate, the scale of scikit-learn's ``ccp_alpha``.

        Parameters
        ----------
        tree : Tree
            The tree to prune; its whole weight is that of the training samples.

        Returns
        -------
        ccp_alpha : float
            `alpha` divided by the weight at the root. scikit-learn uses the impurity of its criterion instead
            of the error rate, so the trees may differ.
        """
        return self._fixed_alpha() / float(checked_tree(tree).weight[0])

    @classmethod
    def from_ccp_alpha(cls, ccp_alpha: float, tree: Tree) -> Self:
        """Make a rule from an error rate, the scale of scikit-learn's ``ccp_alpha``.

        Parameters
        ----------
        ccp_alpha : float
            Cost of a leaf, in mean errors per sample.
        tree : Tree
            The tree to prune.

        Returns
        -------
        rule : CostComplexityPruning
            With an `alpha` of `ccp_alpha` times the weight at the root.
        """
        price = number("ccp_alpha", ccp_alpha, least=0, remedy="it is the price of a leaf, in error rate")
        return cls(alpha=price * float(checked_tree(tree).weight[0]))

    def _fixed_alpha(self) -> float:
        if isinstance(self.alpha, str):
            chosen = Attribute("GreedyTreeClassifier(...).fit(X, y).pruning_")
            remedy = ("take the rule that was chosen, ", chosen)
            raise ParameterError("alpha", self.alpha, "is no number yet", remedy)
        return number("alpha", self.alpha, least=0, remedy=_REMEDY)

    def _check(self) -> None:
        if isinstance(self.alpha, str):
            if self.alpha != "cv":
                raise ParameterError("alpha", self.alpha, "is not known", _REMEDY)
        else:
            self._fixed_alpha()
        checked_cv(self.cv)
        generator(self.random_state)

    def _search_rates(self) -> _core.ErrorEstimate | None:
        if self.alpha == "cv":
            return None
        return _core.ErrorEstimate("per_leaf", alpha=self._fixed_alpha())

    def _rates(self, tree: Tree) -> FloatArray:
        return rates_by(tree, "per_leaf", alpha=self._fixed_alpha())

    def _prune(self, task: Task) -> Pruned:
        if self.alpha == "cv":
            return CostComplexityPruning(alpha=self._chosen(task))._prune(task)
        return super()._prune(task)

    def _chosen(self, task: Task) -> float:
        regrowing = regrowing_of(self, task)
        prices = prices_between(self.path(task.tree)["alpha"]) / float(task.tree.weight[0])

        def prunings(fold: Task) -> list[Tree]:
            weight = float(fold.tree.weight[0])
            return [CostComplexityPruning(alpha=price * weight)._prune(fold).tree for price in prices]

        errors = held_out_errors(
            regrowing,
            prunings,
            cv=self.cv,
            random_state=self.random_state,
            remedy=("a number as ", Param("alpha")),
        )
        best = np.flatnonzero(errors <= errors.min() * (1 + 1e-12))[-1]
        return float(prices[best] * task.tree.weight[0])


_REMEDY = ("it is the price of a leaf, in errors; ", Value("cv"), " chooses it by cross-validation")


def prices_between(alphas: FloatArray) -> FloatArray:
    """Return a price for every tree of a path: the geometric mean of its least and that of the next."""
    means = np.sqrt(alphas[:-1] * alphas[1:])
    return np.append(means, 2 * alphas[-1])


EQUAL = 1e-12
"""Strengths that differ by less, relatively, are one step."""


class WeakestLinks:
    """The tree while it is pruned, link by link.

    `errors`, `leaves` and `nodes` are those of the subtree of every node: weight, non-empty leaves, nodes.
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
