"""What a first attempt looks like: a formula called, and a decision made, at one node after the other."""

from __future__ import annotations

import math
from collections.abc import Callable

from .scorer import TIE
from .trees import Trees

Rule = Callable[[float, float], float]


class NodeByNode:
    """Prunes trees by calls of a rule.

    Attributes
    ----------
    n_programs, n_judged : int
        Rules scored so far, and those of them that were defined and finite at all nodes.
    n_decisions : int
        Inner nodes decided so far.
    """

    def __init__(self, trees: Trees) -> None:
        self.trees = trees
        first = trees.first_child + trees.starts.repeat(trees.n_nodes)
        self._c, self._n, self._errors = trees.c.tolist(), trees.n.tolist(), trees.errors.tolist()
        self._first, self._is_inner = first.tolist(), (trees.n_children > 0).tolist()
        self.n_programs = self.n_judged = self.n_decisions = 0

    def rate(self, rule: Rule) -> float:
        """Return the share of all test rows that the pruned trees get wrong; 1 if not defined or finite."""
        self.n_programs += 1
        try:
            errors = sum(self.errors(rule))
        except (ArithmeticError, ValueError):
            return 1.0
        self.n_judged += 1
        return float(errors / self.trees.n_test.sum())

    def errors(self, rule: Rule) -> list[float]:
        """Return the test errors of every pruned tree."""
        return [self._pruned(int(root), rule)[1] for root in self.trees.starts]

    def _pruned(self, node: int, rule: Rule) -> tuple[float, float]:
        """Return estimate and test errors of a pruned subtree."""
        n = self._n[node]
        if n == 0.0:
            return 0.0, self._errors[node]
        leaf = rule(self._c[node], n)
        if not math.isfinite(leaf):
            raise ArithmeticError("the estimate is not finite")
        if not self._is_inner[node]:
            return leaf, self._errors[node]
        child = self._first[node]
        left, left_errors = self._pruned(child, rule)
        right, right_errors = self._pruned(child + 1, rule)
        below = self._n[child] / n * left + self._n[child + 1] / n * right
        self.n_decisions += 1
        if leaf <= below + TIE:
            return leaf, self._errors[node]
        return below, left_errors + right_errors
