"""Rules by an estimate of the error rate of a leaf, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright import _core
from treewright._base.params import number
from treewright.data.types import FloatArray
from treewright.trees.pruning.rule import PruningRule, checked_slack, counts_of
from treewright.trees.tree import Tree

QUARTILE = 0.6744897501960817
"""The normal distribution has a quarter of its weight above this."""


def rates_by(tree: Tree, kind: str, **parameters: Any) -> FloatArray:
    """Estimate the error rate of every node by one of the engine's estimates."""
    c, n = counts_of(tree)
    estimate = _core.ErrorEstimate(kind, **parameters)
    if parameters.get("limit") != "exact":
        return estimate.rates(c, n)
    pairs, node = np.unique(c + 1j * n, return_inverse=True)  # a limit that takes long: once for equal nodes
    return estimate.rates(pairs.real.copy(), pairs.imag.copy())[node.reshape(-1)]


class ObservedErrorPruning(PruningRule):
    """Prunes subtrees that do not lower the errors on the training samples.

    The estimate of a leaf is the share of its training samples that belong to another class. A subtree never
    makes more training errors than its node as a leaf. So only subtrees with equally many errors are pruned,
    and no training error is added.

    See Also
    --------
    ReducedErrorPruning : The same on samples that were not used to grow the tree.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier
    >>> from treewright.pruning import ObservedErrorPruning
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 0, 0, 0]
    >>> GreedyTreeClassifier(max_depth=1).fit(X, y).tree_.n_nodes
    3
    >>> GreedyTreeClassifier(max_depth=1, pruning=ObservedErrorPruning()).fit(X, y).tree_.n_nodes
    1
    """

    def _search_rates(self) -> _core.ErrorEstimate:
        return _core.ErrorEstimate("observed")

    def _rates(self, tree: Tree) -> FloatArray:
        return rates_by(tree, "observed")


class NaiveErrorPruning(PruningRule):
    """Prunes by the upper end of the one-sided 25 % score interval of the error rate.

    This is the textbook's normal approximation (Wilson's interval, z = 0.67449, no continuity correction). It
    is inaccurate for leaves with few errors or none, and most leaves are like this. It prunes less than
    `ErrorBasedPruning`, which corrects it.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import NaiveErrorPruning
    >>> iris = datasets.load("iris")
    >>> GreedyTreeClassifier(pruning=NaiveErrorPruning()).fit(iris).tree_.n_nodes
    17
    """

    def _search_rates(self) -> _core.ErrorEstimate:
        return _core.ErrorEstimate("score", z=QUARTILE)

    def _rates(self, tree: Tree) -> FloatArray:
        return rates_by(tree, "score", z=QUARTILE)


class PessimisticPruning(PruningRule):
    """Prunes with half an error added to the errors of every leaf.

    This is the continuity correction of a binomial count: a leaf of n samples, e of them of another class,
    has the estimated error rate (e + 1/2) / n. (Quinlan's rule of 1987 adds a standard error to the estimate
    of the subtree; this rule does not.)

    See Also
    --------
    CostComplexityPruning : The same with any number of errors per leaf.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import PessimisticPruning
    >>> iris = datasets.load("iris")
    >>> GreedyTreeClassifier(pruning=PessimisticPruning()).fit(iris).tree_.n_nodes
    13
    """

    def _search_rates(self) -> _core.ErrorEstimate:
        return _core.ErrorEstimate("pessimistic")

    def _rates(self, tree: Tree) -> FloatArray:
        return rates_by(tree, "pessimistic")


class PublishedEvolvedPruning(PruningRule):
    """Prunes by a published estimate that an evolutionary search found.

    For a leaf of n samples, c of them of its class and e = n - c not, the estimate is (tanh tanh tanh(e/n) +
    √(tanh tanh √n)) / tanh √√c: this is not a rate, but its values can be compared with each other.

    Parameters
    ----------
    slack : float, default=0.0
        How much the estimate of the leaf may exceed that of the subtree, in units of the estimate. The
        formula was published without the traversal that evolved with it and that prunes more than a plain
        traversal. With a slack of 0.02 the sizes of the pruned trees are close to the published ones; this is
        an approximation, found by trial.

    References
    ----------
    S. E. Hansen, R. Olsson, "Improving decision tree pruning through automatic programming", 2007,
    figure 1.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import PublishedEvolvedPruning
    >>> iris = datasets.load("iris")
    >>> GreedyTreeClassifier(pruning=PublishedEvolvedPruning()).fit(iris).tree_.n_nodes
    17
    >>> GreedyTreeClassifier(pruning=PublishedEvolvedPruning(slack=0.02)).fit(iris).tree_.n_nodes
    11
    """

    def __init__(self, *, slack: float = 0.0) -> None:
        self.slack = slack

    def _check(self) -> None:
        checked_slack(self.slack)

    def _search_rates(self) -> _core.ErrorEstimate:
        return _core.ErrorEstimate("published")

    def _rates(self, tree: Tree) -> FloatArray:
        return rates_by(tree, "published")


class MinimumErrorPruning(PruningRule):
    """Prunes by the m-estimate of the error of a leaf.

    The share of a class among n samples is estimated as if m more had been seen, with the classes of the
    whole tree: (c + m·p) / (n + m), where p is the share of the class at the root. The estimated error of a
    leaf is one minus the m-estimate of the class that it predicts, the most frequent one among its samples.
    (Another class, frequent in the tree but not in the leaf, may have a larger m-estimate. The leaf does not
    predict it, so it is not used.)

    Parameters
    ----------
    m : float, default=2
        Weight of the class shares at the root, in samples; a larger value prunes more. The number of classes
        with equal shares gives Laplace's correction.

    References
    ----------
    B. Cestnik, I. Bratko, "On estimating probabilities in tree pruning", EWSL 1991.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import MinimumErrorPruning
    >>> iris = datasets.load("iris")
    >>> GreedyTreeClassifier(pruning=MinimumErrorPruning(m=2)).fit(iris).tree_.n_nodes
    13
    """

    def __init__(self, *, m: float = 2) -> None:
        self.m = m

    def _check(self) -> None:
        number("m", self.m, least=0, remedy="it is the weight of the shares at the root, in samples")

    def _search_rates(self) -> float:
        return float(self.m)

    def _rates(self, tree: Tree) -> FloatArray:
        c, n = counts_of(tree)
        m, priors = float(self.m), tree.class_weights[0] / tree.weight[0]
        with np.errstate(invalid="ignore", divide="ignore"):
            rates: FloatArray = 1 - (c + m * priors[tree.node_class]) / (n + m)
        return np.where(c > 0, rates, np.inf)
