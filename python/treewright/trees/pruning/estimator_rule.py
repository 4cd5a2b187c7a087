"""Pruning by an estimate of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from treewright._base.errors import ParameterError
from treewright.trees.pruning.expression import compiled
from treewright.trees.pruning.params import checked_slack
from treewright.trees.pruning.rule import (
    FloatArray,
    Pruned,
    PruningRule,
    Task,
    bottom_up,
    counts_of,
)
from treewright.trees.tree import Tree

FORM = "give a function of the arrays c and n, or text such as '(n - c + 1) / (n + 2)'"


class EstimatorPruning(PruningRule):
    """Prunes by an estimate of one's own of the error rate of a leaf.

    Parameters
    ----------
    f : str or callable
        The estimate for a leaf of training weight n, c of it of the leaf's class. As text it is arithmetic
        of ``c``, ``n`` and ``e`` = n - c, with ``+ - * / **``, brackets, and functions such as ``sqrt``,
        ``log``, ``tanh``, ``min`` and ``max``; it is read, never run. A callable is called once with two
        arrays, one entry a node, and returns one estimate a node. A rule with text can be pickled and
        saved; with a callable it can where that can.
    slack : float, default=0.0
        By how much the estimate of a leaf may exceed that of the subtree, in units of the estimate.

    Notes
    -----
    Weights may be fractional. c and n are above 0 wherever `f` is asked: a leaf of no sample costs nothing,
    and one that is right for none is never preferred. A node whose estimate is not a number stays as it is,
    and so do those above a leaf that has none, for they cannot be compared with it; in the pruned tree their
    estimates are NaN. An estimate and any a·f + b with a > 0 prune alike.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import EstimatorPruning
    >>> iris = datasets.load("iris")
    >>> with_a_deviation = EstimatorPruning("(e + sqrt(e + 1)) / n")
    >>> GreedyTreeClassifier(pruning=with_a_deviation).fit(iris).tree_.n_nodes
    13
    >>> an_error_a_leaf = EstimatorPruning(lambda c, n: (n - c + 1) / n)
    >>> GreedyTreeClassifier(pruning=an_error_a_leaf).fit(iris).tree_.n_nodes
    7
    """

    def __init__(self, f: str | Callable[[Any, Any], Any], *, slack: float = 0.0) -> None:
        self.f = f
        self.slack = slack

    def _check(self) -> None:
        if isinstance(self.f, str):
            compiled(self.f)
        elif not callable(self.f):
            raise ParameterError(f"f={self.f!r} is neither; {FORM}")
        checked_slack(self.slack, "units of the estimate")

    def _rates(self, tree: Tree) -> FloatArray:
        c, n = counts_of(tree)
        rates = np.full(len(n), np.inf)
        asked = c > 0
        rates[asked] = self._estimates(c[asked], n[asked])
        return rates

    def _estimates(self, c: FloatArray, n: FloatArray) -> FloatArray:
        if isinstance(self.f, str):
            with np.errstate(all="ignore"):
                found = compiled(self.f)({"c": c, "n": n, "e": n - c})
        else:
            found = self.f(c, n)
        return _one_a_node(found, len(n))

    def _prune(self, task: Task) -> Pruned:
        return bottom_up(self, task.tree, self._rates(task.tree), slack_rate=float(self.slack))


def _one_a_node(found: Any, n_nodes: int) -> FloatArray:
    """Check that a function gave a real number for every node."""
    array = np.asarray(found)
    if array.dtype.kind not in "fiub" or array.shape not in ((), (n_nodes,)):
        raise ParameterError(
            f"f returned an array of shape {array.shape} and dtype {array.dtype} for {n_nodes} nodes; "
            "it gets one c and one n a node and has to return one real number for each"
        )
    return np.broadcast_to(array.astype(np.float64), (n_nodes,))
