"""Better sets of features by leaving out, adding and exchanging.

Fewer features within a bound (`ExchangeSearch`). Features are left out as long as the bound is kept. Then
each of the best sets with one feature fewer, all of them beyond the bound, is improved by exchanges. As soon
as one is within the bound, the set has become smaller, and all begins again. The features that may enter in
place of one are ranked by how much they break the bounds of the dual solution without it, so a few candidates
are enough. If features have costs, the cost of a set takes the place of its size.

Less error with a limited number of features (`BestSets`). Three ways lead to sets of each size, and exchanges
improve each of them: adding the feature that lowers the error most, leaving out the one that raises it least,
and the paper's method with a penalty outside of the set that grows step by step. A large penalty at once
would keep the set where it starts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.data.types import BoolArray
from treewright.planes.problem import ErrorSolution, Incumbent, PlaneProblem
from treewright.planes.published import FALL, exact_penalty, penalty_rounds

N_STARTS = 4
"""Sets with one feature fewer that exchanges try to improve."""

N_CANDIDATES = 6
"""Features that are tried in place of one."""

LOWER = 1e-9
"""An exchange must lower the error by more than this (absolute and relative)."""

EQUAL_RAISE = 1e-10
"""Increases of the error that differ by less than this are equal; the least sum of weights decides."""


def leave_out(problem: PlaneProblem, features: BoolArray, bound: float) -> BoolArray:
    """Leave out one feature after the other, each time the one that raises the error least."""
    smaller: BoolArray | None = features
    while smaller is not None:
        features = problem.support(problem.solve(smaller).weights)
        smaller = cheapest_removal(problem, features, bound)
    return features


def cheapest_removal(problem: PlaneProblem, features: BoolArray, bound: float) -> BoolArray | None:
    """Return the set without the feature whose removal raises the error least for its cost."""
    now = problem.solve(features).error
    best, best_key = None, (np.inf, np.inf)
    for feature in np.flatnonzero(features).tolist():
        smaller = changed(features, feature, has=False)
        solution = problem.solve(smaller)
        if not problem.keeps(solution.error, bound):
            continue
        raised = max(0.0, solution.error - now) / max(problem.costs[feature], EQUAL_RAISE)
        key = (round(raised / EQUAL_RAISE), float(np.abs(solution.weights).sum()))
        if key < best_key:
            best, best_key = smaller, key
    return best


class ExchangeSearch:
    """The search for the cheapest set within the bound of `incumbent`, which receives every set found."""

    def __init__(self, problem: PlaneProblem, incumbent: Incumbent) -> None:
        self.problem, self.incumbent = problem, incumbent

    def run(self, starts: list[BoolArray]) -> None:
        """Leave out from every start, then exchange until no set is cheaper, then lower the error."""
        for start in starts:
            self.incumbent.offer(leave_out(self.problem, start, self.incumbent.bound))
        while self._shrink():
            pass
        if self.incumbent.features is not None:
            self.incumbent.offer(exchange(self.problem, self.incumbent.features, self.incumbent.cost))

    def _shrink(self) -> bool:
        """Look for a cheaper set by exchanges; return whether there is one."""
        best, cost = self.incumbent.features, self.incumbent.cost
        if best is None or cost <= 0:
            return False
        for start in each_left_out(self.problem, best)[:N_STARTS]:
            found = exchange(self.problem, start, cost * (1 - LOWER), self.incumbent.bound)
            is_within = self.problem.keeps(self.problem.solve(found).error, self.incumbent.bound)
            if is_within and self.problem.cost(found) < cost:
                self.incumbent.offer(leave_out(self.problem, found, self.incumbent.bound))
                return True
        return False


def exchange(problem: PlaneProblem, features: BoolArray, most: float, enough: float = 0.0) -> BoolArray:
    """Exchange features while that lowers the error: of sets that cost at most `most`, down to `enough`."""
    while not problem.keeps(problem.solve(features).error, enough):
        better = _first_better(problem, features, most)
        if better is None:
            break
        features = better
    return features


def _first_better(problem: PlaneProblem, features: BoolArray, most: float) -> BoolArray | None:
    now = problem.solve(features).error
    target = now - LOWER * (1 + now)
    for rest in _rests(problem, features, most):
        solution = problem.solve(rest)
        room = most - problem.cost(rest)
        for candidate in candidates(problem, rest, solution, room, but=features):
            larger = changed(rest, candidate, has=True)
            if problem.solve(larger).error < target:
                return larger
    return None


def _rests(problem: PlaneProblem, features: BoolArray, most: float) -> Iterator[BoolArray]:
    """Yield the set itself if a feature may join it, then the set without each of its features."""
    cheapest = problem.costs[~features].min(initial=np.inf)
    if problem.cost(features) + cheapest <= most:
        yield features
    yield from each_left_out(problem, features)


def candidates(
    problem: PlaneProblem, features: BoolArray, solution: ErrorSolution, room: float, but: BoolArray
) -> list[int]:
    """Return the features that promise most if they join a set, without those of `but`."""
    gains = np.where(but | features | (problem.costs > room), 0.0, problem.gains(solution))
    order = np.argsort(-gains, kind="stable")[:N_CANDIDATES]
    return [int(feature) for feature in order if gains[feature] > LOWER]


def changed(features: BoolArray, feature: int, *, has: bool) -> BoolArray:
    """Return a set that has one feature more, or one less."""
    other = features.copy()
    other[feature] = has
    return other


def each_left_out(problem: PlaneProblem, features: BoolArray) -> list[BoolArray]:
    """Return the set without each of its features, that of least error first."""
    rests = [changed(features, feature, has=False) for feature in np.flatnonzero(features).tolist()]
    return sorted(rests, key=lambda rest: problem.solve(rest).error)


ELIMINATION = 60
"""With more features than this, leaving out from the set of all takes too long."""

ELIMINATION_ON_PATH = 20
"""The same for a path, which cross-validation computes many times."""

N_DOUBLINGS = 8
"""The growing penalty begins at the exact penalty divided by 2 to this power."""

PAPERS_SHARE = 20
"""The paper's single penalty is the exact penalty divided by this."""


class BestSets:
    """The best set found for every number of features up to `most`.

    It `tells` the least error to whoever watches, unless that is not what is minimised.
    """

    def __init__(self, problem: PlaneProblem, most: int, *, tells: bool = True) -> None:
        self.problem, self._tells = problem, tells
        self.most = min(most, problem.n_features)
        self.sets: dict[int, tuple[BoolArray, ErrorSolution]] = {}
        self.offer(np.zeros(problem.n_features, np.bool_))

    def best(self, size: int) -> tuple[BoolArray, ErrorSolution]:
        """Return the best set of at most `size` features: of least error, then of the fewest."""
        known = [self.sets[own] for own in sorted(self.sets) if own <= size]
        least = min(solution.error for _, solution in known)
        return next(entry for entry in known if entry[1].error <= least + FALL)

    def error(self, size: int) -> float:
        """Return the least error found with at most `size` features."""
        return self.best(size)[1].error

    def proven(self, size: int) -> float:
        """Return a lower bound on the error with at most `size` features: the least with all."""
        return min(self.problem.full.error, self.error(size))

    def offer(self, features: BoolArray) -> None:
        """Keep a set if it is the best of its size."""
        used = self.problem.support(self.problem.solve(features).weights)
        size, solution = int(used.sum()), self.problem.solve(used)
        if size not in self.sets or solution.error < self.sets[size][1].error - FALL:
            self.sets[size] = used, solution
            if self._tells:
                self.problem.tell_best(self.error(self.most))

    def whole_path(self) -> None:
        """Find a set of every size: up by adding, down by leaving out, both with exchanges."""
        self.add_features()
        if self.problem.n_features <= ELIMINATION_ON_PATH:
            self.from_elimination(range(1, self.most + 1))
        for size in range(self.most, 1, -1):
            smaller = cheapest_removal(self.problem, self.best(size)[0], np.inf)
            if smaller is not None and smaller.any():
                self._improve(smaller, size - 1)

    def one_size(self) -> None:
        """Find a set of the largest size, by all three ways."""
        if self.problem.n_features <= ELIMINATION:
            self.from_elimination([self.most])
        self.by_growing_penalty()
        self.add_features()

    def add_features(self) -> None:
        """Go from each size to the next by the feature that lowers the error most."""
        for size in range(1, self.most + 1):
            if not self.add_feature(size):
                return

    def add_feature(self, size: int) -> bool:
        """Go from the size before to a size; return whether some feature lowers the error."""
        smaller, solution = self.best(size - 1)
        promising = candidates(self.problem, smaller, solution, np.inf, but=smaller)
        larger = [changed(smaller, feature, has=True) for feature in promising]
        if larger:
            first = min(larger, key=lambda features: self.problem.solve(features).error)
            self._improve(first, size)
        return bool(larger)

    def from_elimination(self, sizes: range | list[int]) -> None:
        """Leave out from the set of all features, and improve the sets of some sizes."""
        features: BoolArray | None = np.ones(self.problem.n_features, np.bool_)
        while features is not None and features.any():
            size = int(features.sum())
            if size in sizes:
                self._improve(features, size)
            features = cheapest_removal(self.problem, features, np.inf)

    def by_growing_penalty(self) -> None:
        """Run the paper's rounds again and again while the penalty outside of the set doubles."""
        exact = exact_penalty(self.problem)
        features = np.zeros(self.problem.n_features, np.bool_)
        for doublings in range(N_DOUBLINGS + 1):
            penalty = exact / 2 ** (N_DOUBLINGS - doublings)
            features = penalty_rounds(self.problem, features, self.most, penalty)
        self._improve(features, self.most)

    def _improve(self, features: BoolArray, size: int) -> None:
        self.offer(exchange(self.problem, features, max(size, int(features.sum()))))
