"""The best set of features so far: what a search leaves behind whenever it ends."""

from __future__ import annotations

import numpy as np

from treewright.planes.problem import (
    Mask,
    PlaneProblem,
    Solved,
)

TIE = 1e-12
"""Errors within so much (relative to 1) are equal: the first features win."""


Key = tuple[float, int, int, tuple[int, ...]]


class Incumbent:
    """The cheapest set that keeps a bound; among equal costs the least error, then the first features.

    Parameters
    ----------
    problem : PlaneProblem
    bound : float
        Most error.
    """

    def __init__(self, problem: PlaneProblem, bound: float) -> None:
        self.problem, self.bound = problem, bound
        self.features: Mask | None = None
        self.solved: Solved | None = None
        self.cost = np.inf
        self._best: Key | None = None

    def offer(self, features: Mask) -> bool:
        """Take a set if it keeps the bound and is better than the best so far, reduced to what it uses."""
        solved = self.problem.solve(features)
        if not self.problem.keeps(solved.error, self.bound):
            return False
        used = self.problem.support(solved.weights)
        if (used != features).any():
            features, solved = used, self.problem.solve(used)
        key = self._key(features, solved)
        if self._best is not None and key >= self._best:
            return False
        self.features, self.solved, self.cost, self._best = features, solved, key[0], key
        return True

    def bound_kept(self, features: Mask) -> bool:
        """Tell whether a set keeps the bound."""
        return self.problem.keeps(self.problem.solve(features).error, self.bound)

    def _key(self, features: Mask, solved: Solved) -> Key:
        positions = np.flatnonzero(features).tolist()
        return self.problem.cost(features), len(positions), round(solved.error / TIE), tuple(positions)
