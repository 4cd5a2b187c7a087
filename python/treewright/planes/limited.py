"""The least error with at most so many features, for one number or for every number up to one.

Three ways lead to sets of each size, each followed by exchanges: adding the feature that lowers the error
most, leaving out the one that raises it least, and the paper's method with a penalty outside of the set that
grows step by step. A large penalty at once would freeze it where it starts.
"""

from __future__ import annotations

import numpy as np

from treewright.planes.exchange import (
    candidates,
    cheapest_removal,
    exchange,
    with_one,
)
from treewright.planes.frank_wolfe import FALL, largest
from treewright.planes.problem import (
    Mask,
    PlaneProblem,
    Solved,
)

ELIMINATION = 60
"""With more features than this, leaving out from all of them takes too long."""

ELIMINATION_ON_PATH = 20
"""The same for a path, which cross-validation asks for many times."""

N_DOUBLINGS = 8
"""The penalty begins at its exact size divided by 2 to this power."""

PAPERS_SHARE = 20
"""The paper's single penalty is its exact size divided by this."""

MOST_ROUNDS = 1000


class BestSets:
    """The best set found for every number of features up to `most`.

    Parameters
    ----------
    problem : PlaneProblem
    most : int
        Largest number of features.
    """

    def __init__(self, problem: PlaneProblem, most: int) -> None:
        self.problem = problem
        self.most = min(most, problem.n_features)
        self.sets: dict[int, tuple[Mask, Solved]] = {}
        self.offer(np.zeros(problem.n_features, np.bool_))

    def best(self, size: int) -> tuple[Mask, Solved]:
        """Return the best set of at most so many features: the least error, then the fewest."""
        known = [self.sets[own] for own in sorted(self.sets) if own <= size]
        least = min(solved.error for _, solved in known)
        return next(entry for entry in known if entry[1].error <= least + FALL)

    def error(self, size: int) -> float:
        """Return the least error found with at most so many features."""
        return self.best(size)[1].error

    def offer(self, features: Mask) -> None:
        """Keep a set if it is the best of its size."""
        used = self.problem.support(self.problem.solve(features).weights)
        size, solved = int(used.sum()), self.problem.solve(used)
        if size not in self.sets or solved.error < self.sets[size][1].error - FALL:
            self.sets[size] = used, solved

    def whole_path(self) -> None:
        """Fill every size: up by adding, down by leaving out, both with exchanges."""
        self.add_features()
        if self.problem.n_features <= ELIMINATION_ON_PATH:
            self.from_elimination(range(1, self.most + 1))
        for size in range(self.most, 1, -1):
            self._remove_from(size)

    def one_size(self) -> None:
        """Fill the largest size as well as possible."""
        if self.problem.n_features <= ELIMINATION:
            self.from_elimination([self.most])
        self.by_growing_penalty()
        self.add_features()

    def add_features(self) -> None:
        """Go from one size to the next by the feature that lowers the error most."""
        for size in range(1, self.most + 1):
            smaller, solved = self.best(size - 1)
            promising = candidates(self.problem, smaller, solved, np.inf, but=smaller)
            larger = [with_one(smaller, feature) for feature in promising]
            if not larger:
                return
            first = min(larger, key=lambda features: self.problem.solve(features).error)
            self._improve(first, size)

    def from_elimination(self, sizes: range | list[int]) -> None:
        """Leave features out from all of them, and improve the sets of some sizes."""
        features: Mask | None = np.ones(self.problem.n_features, np.bool_)
        while features is not None and features.any():
            size = int(features.sum())
            if size in sizes:
                self._improve(features, size)
            features = cheapest_removal(self.problem, features, np.inf)

    def by_growing_penalty(self) -> None:
        """Follow the paper's method while the penalty outside of the set doubles."""
        exact = exact_penalty(self.problem)
        features = np.zeros(self.problem.n_features, np.bool_)
        for doublings in range(N_DOUBLINGS + 1):
            penalty = exact / 2 ** (N_DOUBLINGS - doublings)
            features = penalty_rounds(self.problem, features, self.most, penalty)
        self._improve(features, self.most)

    def _remove_from(self, size: int) -> None:
        smaller = cheapest_removal(self.problem, self.best(size)[0], np.inf)
        if smaller is not None and smaller.any():
            self._improve(smaller, size - 1)

    def _improve(self, features: Mask, size: int) -> None:
        self.offer(exchange(self.problem, features, max(size, int(features.sum()))))


def exact_penalty(problem: PlaneProblem) -> float:
    """Return a penalty with which no feature outside of the set is worth using."""
    pull = problem.per_feature(problem.cap @ np.abs(problem.Z))
    return float(pull.max(initial=0))


def penalty_rounds(problem: PlaneProblem, features: Mask, n_largest: int, penalty: float) -> Mask:
    """Run the paper's rounds for limited features: least error plus penalty, then the largest weights."""
    best = np.inf
    for _ in range(MOST_ROUNDS):
        outside = np.where(features[problem.feature_of], 0.0, penalty)
        solved = problem.solve_penalised(problem.perturbation + outside)
        sizes = problem.sizes(solved.weights)
        chosen = largest(sizes, n_largest)
        value = solved.error + penalty * float(sizes[~chosen].sum())
        if value >= best - FALL:
            break
        features, best = chosen, value
    return features
