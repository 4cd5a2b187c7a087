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

import numpy as np

from treewright.data.types import BoolArray, FloatArray
from treewright.planes.exchange import changed
from treewright.planes.giving_up import is_less
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import PlaneProblem
from treewright.planes.proof import HittingSets
from treewright.planes.selection import SelectionOutcome
from treewright.planes.wrong_sets import WrongSets

N_FAILED = 3
"""So many sets in a row that cannot be enlarged end the enlarging of sets."""


class LeastMisclassified:
    """One selection of features by the weight of misclassified rows, in the mode that the options say."""

    def __init__(self, problem: PlaneProblem, loss: FloatArray, options: PlaneOptions) -> None:
        self.problem, self.options = problem, options
        self.everything = np.ones(problem.n_features, np.bool_)
        self.is_bounded = options.selection == "bounded"
        self.sets = WrongSets(problem, loss, options.most_features(problem.n_features))
        nothing = ~self.everything
        bound = self.sets.wrong(nothing) if self.is_bounded or options.selection is None else math.inf
        self.sets.told = self._tell_best
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

    def _tell_best(self) -> None:
        """Tell whoever watches what the best so far costs: features within the bound, or wrong weight."""
        if not self.is_bounded:
            self.problem.tell_best(self.sets.error(self.sets.most))
        elif not math.isnan(self.outcome.least_error):
            self.problem.tell_best(self._fewest_within())

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
        self._tell_best()

    def _bound(self, least: float) -> float:
        bound = self.options.error_bound(least)
        return float(math.floor(bound + 1e-9)) if self.sets.is_whole and math.isfinite(bound) else bound

    def _all(self) -> None:
        """Find the plane of least wrong weight over all features."""
        self._least()
        outcome = self.outcome
        with self.problem.within(self.options.prove or math.inf):
            try:
                if self.options.prove:
                    self.sets.search(self.everything).tell = self.problem.tell_bound
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
        """Find the fewest features within the bound: quickly, before a proof takes its time."""
        self._least()
        self._quickly_fewest()
        if self.options.prove:
            if self.outcome.error_bound > self.options.error_floor:
                self._prove_least()
                self._quickly_fewest()
            with self.problem.within(self.options.prove):
                self._prove_fewest()

    def _quickly_fewest(self) -> None:
        sets, outcome = self.sets, self.outcome
        if is_less(outcome.error_bound, sets.error(0)):
            outcome.bound = 1.0
            self.problem.tell_bound(outcome.bound)
        for size in sets.find_up_to(self._fewest_within()):
            if not is_less(outcome.error_bound, sets.error(size)):
                break

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
            proof = FewestProof(sets, outcome.error_bound, tells=True)
            try:
                better = proof.run(size)
            finally:
                outcome.bound = max(outcome.bound, min(proof.lower, size))
            if better is None:
                break
            sets.offer(better)
            size = min(size - 1, int(better.sum()))
        outcome.bound = size
        # Where the bound rests on a least error that is only found, a lower one may ask for more features.
        if outcome.error_bound <= self.options.error_floor or sets.search(self.everything).is_solved:
            outcome.status = "optimal"

    def _prove_size(self, size: int) -> None:
        """Look for sets of less wrong weight until none is proven to exist."""
        sets = self.sets
        sets.relax(self.everything)
        if self.options.selection == "limited":
            self.problem.tell_bound(sets.search(self.everything).lower)
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
    """The search for cuts, for one target; every set within it has at least `lower` features.

    It `tells` this as the bound of the whole search, where that minimises features.
    """

    def __init__(self, sets: WrongSets, target: float, *, tells: bool = False) -> None:
        self.sets, self.target, self._tells = sets, target, tells
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
            if self._tells:
                self.problem.tell_bound(min(self.lower, size))
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
