"""The selection of features where the error is the weight of misclassified rows.

The modes are those of `selection`; here a set of features is worth the least weight of rows that a plane over
it has on the wrong side. `giving_up` finds that weight for one set, quickly or with a proof.

A quick search goes from each number of features to the next: by the set of least distance, by the feature
that helps most, and by exchanges. The proof is an implicit hitting set, as in `proof`: of a set that is
proven to have more wrong rows than a target, the features outside are a cut, since every set within the
target has one of them. The smallest set with a feature of every cut is tried next, filled up to the number of
features allowed, so that one proof rules out as many sets as it can.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from treewright._base.clock import Clock
from treewright.data.types import BoolArray, FloatArray
from treewright.planes.exchange import BestSets, candidates, changed
from treewright.planes.giving_up import N_WEIGHINGS, GivingUp, is_less
from treewright.planes.options import PlaneOptions
from treewright.planes.places import Places, Separator
from treewright.planes.problem import ZERO_WEIGHT, ErrorSolution, PlaneProblem
from treewright.planes.proof import HittingSets
from treewright.planes.selection import SelectionOutcome

N_FAILED = 3
"""So many sets in a row that cannot be enlarged end the enlarging of sets."""

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
        self.problem.tell_best(self.error(self.most))
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
        least = BestSets(self.problem, size)
        least.add_features()
        for own in range(1, size + 1):
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


class LeastMisclassified:
    """One selection of features by the weight of misclassified rows, in the mode that the options say."""

    def __init__(self, problem: PlaneProblem, loss: FloatArray, options: PlaneOptions) -> None:
        self.problem, self.options = problem, options
        self.everything = np.ones(problem.n_features, np.bool_)
        self.is_bounded = options.selection == "bounded"
        self.sets = WrongSets(problem, loss, options.most_features(problem.n_features))
        nothing = ~self.everything
        bound = self.sets.wrong(nothing) if self.is_bounded or options.selection is None else math.inf
        self.outcome = SelectionOutcome(nothing, self.sets.solution(nothing), bound, is_least=False)

    def select(self) -> SelectionOutcome:
        """Choose features and find the plane; a search that ends early keeps its best."""
        outcome = self.outcome
        modes = {None: self._all, "bounded": self._bounded, "limited": self._limited, "path": self._path}
        with self.problem.clock.ending() as ending:
            try:
                modes[self.options.selection]()
            finally:
                self._take_best()
        if ending.status is not None:
            outcome.status, outcome.message = ending.status, ending.message
        return outcome

    def _take_best(self) -> None:
        sets, outcome = self.sets, self.outcome
        if not self.is_bounded:
            outcome.features = sets.best_set(sets.most)
        elif not math.isnan(outcome.least_error):
            outcome.features = sets.best_set(self._fewest_within())
        outcome.solution = sets.solution(outcome.features)

    def _fewest_within(self) -> int:
        """Return the fewest features found within the bound; all of them are, once the bound is known."""
        sets, bound = self.sets, self.outcome.error_bound
        return next(size for size in range(sets.most + 1) if not is_less(bound, sets.error(size)))

    def _least(self) -> None:
        """Find the least wrong weight on all features, as far as the quick search does."""
        sets, outcome = self.sets, self.outcome
        sets.offer(self.everything)
        outcome.least_error = sets.wrong(self.everything)
        outcome.bound = 0.0 if self.is_bounded else sets.search(self.everything).lower
        outcome.error_bound = self._bound(outcome.least_error)

    def _bound(self, least: float) -> float:
        bound = self.options.error_bound(least)
        return math.floor(bound + 1e-9) if self.sets.is_whole and math.isfinite(bound) else bound

    def _all(self) -> None:
        """Find the plane of least wrong weight over all features."""
        self._least()
        outcome = self.outcome
        with self.problem.within(self.options.prove or math.inf):
            try:
                if self.options.prove:
                    self.sets.solve(self.everything)
                    self.sets.offer(self.everything)
            finally:
                search = self.sets.search(self.everything)
                outcome.bound, outcome.least_error = search.lower, search.wrong
                outcome.error_bound = self._bound(search.wrong)
        if search.is_solved:
            outcome.status = "optimal"

    def _limited(self) -> None:
        """Find the least wrong weight with a limited number of features."""
        sets, outcome = self.sets, self.outcome
        self._least()
        for _ in sets.find_up_to(sets.most):
            pass
        if self.options.prove:
            with self.problem.within(self.options.prove):
                try:
                    self._prove_size(sets.most)
                finally:
                    outcome.bound = sets.proven(sets.most)
        if not is_less(outcome.bound, sets.error(sets.most)):
            outcome.status = "optimal"

    def _path(self) -> None:
        """Find the least wrong weight for every number of features; cross-validation chooses later."""
        self._least()
        for _ in self.sets.find_up_to(self.sets.most):
            pass
        self.outcome.sets = self.sets
        if self.options.prove:
            self.outcome.later = self._prove_path

    def _prove_path(self) -> None:
        """Prove the least wrong weight of one number of features after the other."""
        outcome = self.outcome
        with self.problem.clock.ending() as ending, self.problem.within(self.options.prove):
            for size in range(1, self.sets.most + 1):
                self._prove_size(size)
        if ending.status is not None:
            outcome.status, outcome.message = ending.status, ending.message

    def _bounded(self) -> None:
        """Find the fewest features within the bound."""
        sets, outcome = self.sets, self.outcome
        self._least()
        if self.options.prove and outcome.error_bound > self.options.error_floor:
            self._prove_least()
        for size in sets.find_up_to(self._fewest_within()):
            if not is_less(outcome.error_bound, sets.error(size)):
                break
        if self.options.prove:
            with self.problem.within(self.options.prove):
                self._prove_fewest()

    def _prove_least(self) -> None:
        """Prove the least wrong weight on all features, on which the bound rests, in half the time."""
        with self.problem.within(self.options.prove / 2), self.problem.clock.ending():
            self.sets.solve(self.everything)
        self.problem.clock.check()
        self._least()

    def _prove_fewest(self) -> None:
        outcome, sets = self.outcome, self.sets
        size = self._fewest_within()
        while size:
            proof = FewestProof(sets, outcome.error_bound)
            try:
                better = proof.run(size)
            finally:
                outcome.bound = max(outcome.bound, min(proof.lower, size))
            if better is None:
                break
            sets.offer(better)
            size = min(size - 1, int(better.sum()))
        outcome.bound, outcome.status = size, "optimal"

    def _prove_size(self, size: int) -> None:
        """Look for sets of less wrong weight until none is proven to exist."""
        sets = self.sets
        sets.relax(self.everything)
        while True:
            least = sets.error(size)
            target = least - (1 if sets.is_whole else 1e-6 * (1 + least))
            better = None if target < 0 else FewestProof(sets, target).run(size + 1)
            if better is None:
                sets.settle(size)
                return
            sets.offer(better)
            if not is_less(sets.error(size), least):
                return


class FewestProof:
    """The search for cuts, for one target; every set within it has at least `lower` features."""

    def __init__(self, sets: WrongSets, target: float) -> None:
        self.sets, self.target = sets, target
        self.problem = sets.problem
        self._program = HittingSets(np.ones(self.problem.n_features), self.problem.clock)
        self.lower = 0.0
        self._n_failed = 0
        self._is_hopeless = False
        for cut in sets.cuts(target):
            self._add(cut)

    def run(self, size: int) -> BoolArray | None:
        """Add cuts until every set within the target is proven to have `size` features; return None.

        Else return a set of fewer features within the target.
        """
        while not self._is_hopeless:
            smallest, lower = self._program.cheapest()
            self.lower = max(self.lower, lower)
            if self.lower >= size:
                return None
            features = self._filled(smallest, size - 1)
            search = self.sets.solve(features, self.target)
            if not is_less(self.target, search.wrong):
                return features
            self._add(~self._enlarged(features))
        self.lower = float(size)
        return None

    def _add(self, cut: BoolArray) -> None:
        if not cut.any():
            self._is_hopeless = True
            return
        self._program.add(cut)

    def _filled(self, features: BoolArray, size: int) -> BoolArray:
        """Fill a set up to a size with the features that lower the distance most."""
        while int(features.sum()) < size:
            gains = np.where(features, -1.0, self.problem.gains(self.problem.solve(features)))
            features = changed(features, int(np.argmax(gains)), has=True)
        return features

    def _enlarged(self, features: BoolArray) -> BoolArray:
        """Add features as long as the set is quickly proven to be above the target."""
        gains = self.problem.gains(self.problem.solve(features))
        order = np.argsort(gains, kind="stable")
        part = order[~features[order]]
        while len(part) and self._n_failed < N_FAILED:
            larger = features.copy()
            larger[part] = True
            if self.sets.relax(larger, self.target):
                self._n_failed = 0
                return self._enlarged(larger)
            self._n_failed += 1
            part = part[: len(part) // 2]
        return features
