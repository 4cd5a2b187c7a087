"""Sets of features by the least weight of rows that a plane over them has on the wrong side.

What is known of a set stays: its best plane, and the proven lower bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from treewright._base.clock import Clock
from treewright.data.types import BoolArray, FloatArray
from treewright.planes.exchange import BestSets, candidates, changed
from treewright.planes.giving_up import N_WEIGHINGS, GivingUp, is_less
from treewright.planes.places import Places, Separator
from treewright.planes.problem import ZERO_WEIGHT, ErrorSolution, PlaneProblem
from treewright.planes.proof import HittingSets

SECONDS_OF_BOUND = 1.0
"""The lower bound that follows from all that is known may take so many seconds."""


class WrongSets:
    """What is known of sets of features, and the best set of every number of features up to `most`."""

    def __init__(self, problem: PlaneProblem, loss: FloatArray, most: int) -> None:
        self.problem, self.loss = problem, loss
        self.most = min(most, problem.n_features)
        self.is_whole = bool((loss == np.rint(loss)).all())
        self._known: dict[bytes, GivingUp] = {}
        self._sets: dict[int, BoolArray] = {}
        self._settled: dict[int, float] = {}
        self.told: Callable[[], None] | None = None
        """Called when a set is better than those before."""
        self.offer(np.zeros(problem.n_features, np.bool_))

    def search(self, features: BoolArray) -> GivingUp:
        """Return what is known of a set, for more work on the clock of the problem."""
        key = features.tobytes()
        known = self._known.get(key)
        if known is None or known.clock is not self.problem.clock:
            Z = self.problem.Z[:, features[self.problem.feature_of]]
            places = Places.of(Z, self.problem.sign, self.loss) if known is None else known.places
            fresh = GivingUp(places, self.problem.clock, is_whole=self.is_whole)
            if known is not None:
                fresh.weights, fresh.offset, fresh.wrong = known.weights, known.offset, known.wrong
                fresh.lower = known.lower
            self._known[key] = known = fresh
        return known

    def wrong(self, features: BoolArray, n_weighings: int = N_WEIGHINGS) -> float:
        """Return the least wrong weight that a quick search finds on a set."""
        is_new = features.tobytes() not in self._known
        search = self.search(features)
        if is_new:
            with self.counting(search):
                search.quickly(n_weighings)
        return search.wrong

    def solve(self, features: BoolArray, target: float = math.inf) -> GivingUp:
        """Search a set until its least wrong weight is proven, or that it is above a target."""
        self.wrong(features, 1)
        search = self.search(features)
        with self.counting(search):
            search.solve(target)
        search.forget()
        return search

    def relax(self, features: BoolArray, target: float = math.inf) -> bool:
        """Tell whether a set is quickly proven to be above a target."""
        search = self.search(features)
        with self.counting(search):
            search.relax(target)
        search.forget()
        return is_less(target, search.lower)

    def counting(self, search: GivingUp) -> _Counting:
        """Return the context in which the LPs of a search are counted."""
        return _Counting(self.problem, search)

    def offer(self, features: BoolArray) -> bool:
        """Keep a set, without the features its plane does not use, if it is the best of its size."""
        self.wrong(features)
        used = self.support(features)
        if (used != features).any():
            # The plane is one over fewer features.
            self._share(features, used)
        size = int(used.sum())
        if size in self._sets and not is_less(self.wrong(used), self.wrong(self._sets[size])):
            return False
        self._sets[size] = used
        if self.told is not None:
            self.told()
        return True

    def _share(self, features: BoolArray, used: BoolArray) -> None:
        self.wrong(used)
        weights = self.search(features).weights
        inside = used[self.problem.feature_of[features[self.problem.feature_of]]]
        self.search(used).offer(weights[inside])

    def support(self, features: BoolArray) -> BoolArray:
        """Mark the features that the best plane of a set uses."""
        used = np.zeros(self.problem.n_features, np.bool_)
        columns = np.flatnonzero(features[self.problem.feature_of])
        used[self.problem.feature_of[columns[self.search(features).weights != 0]]] = True
        return used

    def best_set(self, size: int) -> BoolArray:
        """Return the best set of at most `size` features: of least wrong weight, then of the fewest."""
        known = [self._sets[own] for own in sorted(self._sets) if own <= size]
        least = min(self.wrong(features) for features in known)
        return next(features for features in known if not is_less(least, self.wrong(features)))

    def error(self, size: int) -> float:
        """Return the least wrong weight found with at most `size` features."""
        return self.wrong(self.best_set(size))

    def best(self, size: int) -> tuple[BoolArray, ErrorSolution]:
        """Return the best set of at most `size` features and its plane."""
        features = self.best_set(size)
        return features, self.solution(features)

    def solution(self, features: BoolArray) -> ErrorSolution:
        """Return the plane of a set: of those with the same right answers, the one of the largest margin."""
        search = self.search(features)
        weights, offset = _widest(search)
        everywhere = np.zeros(self.problem.Z.shape[1])
        everywhere[features[self.problem.feature_of]] = weights
        return ErrorSolution(search.wrong, everywhere, offset, np.empty(0))

    def find_up_to(self, size: int) -> Iterator[int]:
        """Find a set of every size by the quick search, and yield the size."""
        least = BestSets(self.problem, size, tells=False)
        for own in range(1, size + 1):
            least.add_feature(own)
            self.offer(least.best(own)[0])
            smaller = self.best_set(own - 1)
            for feature in self._promising(smaller, but=smaller):
                self.offer(changed(smaller, feature, has=True))
            while self._exchange(own):
                pass
            yield own

    def _exchange(self, size: int) -> bool:
        """Exchange one feature of the best set of a size for a better one, if there is one."""
        features, before = self.best_set(size), self.error(size)
        for feature in np.flatnonzero(features).tolist():
            rest = changed(features, feature, has=False)
            for other in self._promising(rest, but=features):
                self.offer(changed(rest, other, has=True))
                if is_less(self.error(size), before):
                    return True
        return False

    def _promising(self, features: BoolArray, but: BoolArray) -> list[int]:
        return candidates(self.problem, features, self.problem.solve(features), math.inf, but=but)

    def cuts(self, target: float) -> list[BoolArray]:
        """Return the features outside of every set that is proven to be above a target."""
        beyond = [
            ~np.frombuffer(key, dtype=np.bool_)
            for key, search in self._known.items()
            if is_less(target, search.lower)
        ]
        beyond.sort(key=lambda cut: int(cut.sum()))
        kept: list[BoolArray] = []
        for cut in beyond:
            if not any((own <= cut).all() for own in kept):
                kept.append(cut)
        return kept

    def settle(self, size: int) -> None:
        """Take down that nothing better than the best set of a size exists."""
        self._settled[size] = self.error(size)

    def proven(self, size: int) -> float:
        """Return the largest lower bound on at most `size` features that follows from all that is known."""
        if size in self._settled:
            return self._settled[size]
        values = sorted({search.lower for search in self._known.values()})
        lower, place = 0.0, len(values)
        with Clock(SECONDS_OF_BOUND).ending():
            clock = Clock(SECONDS_OF_BOUND)
            low, high = 0, place
            while low < high:
                middle = (low + high) // 2
                value = values[middle]
                if self._needs_more(size, value, clock):
                    lower, low = value, middle + 1
                else:
                    high = middle
        return min(lower, self.error(size))

    def _needs_more(self, size: int, value: float, clock: Clock) -> bool:
        """Tell whether every set of at most `size` features is within one that is proven to have a value."""
        cuts = self.cuts(value - 1e-6 * (1 + value))
        if not cuts:
            return False
        if not all(cut.any() for cut in cuts):
            return True
        sets = HittingSets(np.ones(self.problem.n_features), clock)
        for cut in cuts:
            sets.add(cut)
        return sets.cheapest()[1] > size + 0.5


class _Counting:
    """Counts the LPs that a search solves among those of its problem."""

    def __init__(self, problem: PlaneProblem, search: GivingUp) -> None:
        self._problem, self._search, self._before = problem, search, search.n_runs

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._problem.n_lps += self._search.n_runs - self._before


def _widest(search: GivingUp) -> tuple[FloatArray, float]:
    """Return the plane of the largest margin with the right answers of a plane, its margin 1."""
    places, weights, offset = search.places, search.weights, search.offset
    above = places.Z @ weights - offset > 0
    kept = above == (places.net > 0)
    if not weights.any():
        return weights, offset
    found = Separator(places, Clock(None)).separate(kept)
    scores = places.Z[kept] @ found.weights
    of_a = places.net[kept] > 0
    lowest, highest = float(scores[of_a].min()), float(scores[~of_a].max())
    if not found.is_found or lowest <= highest:
        return weights, offset
    scale = 2 / (lowest - highest)
    wide = found.weights * scale
    wide[np.abs(wide) <= ZERO_WEIGHT * max(1.0, np.abs(wide).max())] = 0
    return wide, 0.5 * (lowest + highest) * scale
