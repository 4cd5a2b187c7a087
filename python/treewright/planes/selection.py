"""The selection of features: every mode on one problem, each with a plane at the end whatever happens."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from treewright.data.types import BoolArray, FloatArray
from treewright.planes.exchange import (
    ELIMINATION,
    PAPERS_SHARE,
    BestSets,
    ExchangeSearch,
    exchange,
    leave_out,
)
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import SEPARATED, ErrorSolution, Incumbent, PlaneProblem
from treewright.planes.proof import Certificate, Cuts, Proof, error_certificate, reaches
from treewright.planes.published import (
    CountSearch,
    Lines,
    Subproblem,
    exact_penalty,
    largest,
    penalty_rounds,
    smallest_plane,
)

BETTER = 1e-8
"""A proof that no limited set has less error leaves this much room (absolute and relative)."""


class SetsBySize(Protocol):
    """The best set of every number of features up to `most`."""

    most: int

    def best(self, size: int) -> tuple[BoolArray, ErrorSolution]:
        """Return the best set of at most `size` features and its plane."""

    def error(self, size: int) -> float:
        """Return the least error found with at most `size` features."""

    def proven(self, size: int) -> float:
        """Return a lower bound on the error with at most `size` features."""


@dataclass
class SelectionOutcome:
    """What a selection has found so far, what is proven of it, and how it ended."""

    features: BoolArray
    """The features of the plane; all False for none."""
    solution: ErrorSolution
    """The plane of least error on them."""
    error_bound: float
    """Largest allowed error; infinite if only the number of features is limited."""
    least_error: float = math.nan
    """Least error on all features; NaN before it is known."""
    bound: float = 0.0
    """Proven lower bound on what is minimised: the cost of the features, or the error if their number is
    limited."""
    status: str = "complete"
    message: str = ""
    trace: list[Subproblem] = field(default_factory=list)
    """Subproblems of the published search."""
    certificates: list[tuple[str, Certificate]] = field(default_factory=list)
    """Proofs of LP values, by name."""
    cuts: Cuts = field(default_factory=Cuts)
    """The proof of `bound`, as far as it goes."""
    sets: SetsBySize | None = None
    """The best set of every size, with ``selection="path"``."""
    later: Callable[[], None] | None = None
    """The proof of a path, which waits for cross-validation."""
    is_least: bool = True
    """Whether `solution` is proven to be of least error on the features."""

    @property
    def is_ended(self) -> bool:
        """Whether the search came to its end."""
        return self.status in ("optimal", "complete")


def select(problem: PlaneProblem, options: PlaneOptions) -> SelectionOutcome:
    """Choose features and find the plane; a search that ends early keeps its best."""
    selection = Selection(problem, options)
    outcome = selection.outcome
    if not problem.n_features:
        return selection.constant_columns()
    with problem.clock.ending() as ending:
        selection.run()
    if ending.status is not None:
        outcome.status, outcome.message = ending.status, ending.message
    if not outcome.is_ended and not outcome.certificates:
        selection.take_unfinished()
    return outcome


class Selection:
    """One selection, in the mode that the options say; it begins with the plane without features."""

    def __init__(self, problem: PlaneProblem, options: PlaneOptions) -> None:
        self.problem, self.options = problem, options
        self.is_bounded = options.selection == "bounded"
        self.nothing = np.zeros(problem.n_features, np.bool_)
        self.everything = ~self.nothing
        is_limited = options.selection in ("limited", "path")
        bound = math.inf if is_limited else problem.null_error
        self.outcome = SelectionOutcome(self.nothing, problem.nothing, bound)

    def run(self) -> None:
        """Find the plane of least error on all features, then select, unless no plane is better than none."""
        modes = {None: self._all, "bounded": self._bounded, "limited": self._limited, "path": self._path}
        if self._start():
            modes[self.options.selection]()

    def constant_columns(self) -> SelectionOutcome:
        """Return the outcome if every column is constant: the plane without features is the best."""
        outcome, least = self.outcome, self.problem.null_error
        outcome.least_error, outcome.error_bound = least, self.options.error_bound(least)
        outcome.status, outcome.bound = "optimal", 0.0 if self.is_bounded else least
        return outcome

    def take_unfinished(self) -> None:
        """Take the plane of the interrupted first LP, if it is allowed and better than none."""
        plane, outcome = self.problem.unfinished(), self.outcome
        if plane is not None and plane[0] < outcome.solution.error:
            error, weights, offset = plane
            features = self.problem.support(weights)
            if self._is_allowed(features):
                outcome.features, outcome.is_least = features, False
                outcome.solution = ErrorSolution(error, weights, offset, outcome.solution.dual)

    def _is_allowed(self, features: BoolArray) -> bool:
        return int(features.sum()) <= self.options.most_features(self.problem.n_features)

    def _start(self) -> bool:
        """Find the plane of least error on all features; return whether any plane is better than none."""
        problem, outcome, full = self.problem, self.outcome, self.problem.full
        outcome.certificates.append(("least_error", error_certificate(problem, self.everything, full)))
        outcome.least_error, outcome.error_bound = full.error, self.options.error_bound(full.error)
        if problem.keeps(problem.null_error, outcome.error_bound if self.is_bounded else full.error):
            outcome.status, outcome.bound = "optimal", 0.0 if self.is_bounded else problem.null_error
            return False
        features = problem.support(full.weights)
        if self._is_allowed(features):
            outcome.features, outcome.solution = features, full
        return True

    def _all(self) -> None:
        """Use the features of the plane of least error."""
        self.outcome.bound, self.outcome.status = self.outcome.solution.error, "optimal"

    def _bounded(self) -> None:
        """Use as few features, or as cheap ones, as the bound on the error allows."""
        outcome = self.outcome
        outcome.bound = float(self.problem.costs.min())
        self.problem.tell_bound(outcome.bound)
        incumbent = Incumbent(self.problem, outcome.error_bound)
        try:
            self._search_bounded(incumbent)
            if self.options.prove:
                self._prove_bounded(incumbent)
        finally:
            if incumbent.features is not None and incumbent.solution is not None:
                outcome.features, outcome.solution = incumbent.features, incumbent.solution
        if reaches(outcome.bound, incumbent.cost):
            outcome.bound, outcome.status = incumbent.cost, "optimal"

    def _search_bounded(self, incumbent: Incumbent) -> None:
        problem, options, outcome = self.problem, self.options, self.outcome
        incumbent.offer(outcome.features)
        few = problem.n_features <= ELIMINATION
        if options.feature_costs is None:
            counts = CountSearch(problem, outcome.error_bound, incumbent)
            outcome.trace = counts.trace
            try:
                counts.run()
            finally:
                outcome.certificates += [("outside", c) for c in counts.certificates]
        elif options.search == "paper":
            start = self.everything if few else outcome.features
            incumbent.offer(leave_out(problem, start, outcome.error_bound))
        if options.search == "swap" and incumbent.features is not None:
            starts = [incumbent.features, self.everything] if few else [incumbent.features]
            ExchangeSearch(problem, incumbent).run(starts)

    def _prove_bounded(self, incumbent: Incumbent) -> None:
        outcome = self.outcome
        with self.problem.within(self.options.prove):
            proof = Proof(self.problem, outcome.error_bound, tells=True)
            outcome.cuts = proof.cuts
            try:
                cheaper = proof.run(incumbent.cost)
            finally:
                outcome.bound = max(outcome.bound, min(proof.cuts.lower, incumbent.cost))
        if cheaper is not None and incumbent.offer(cheaper):
            outcome.bound = incumbent.cost
            if self.options.search == "swap":
                incumbent.offer(exchange(self.problem, cheaper, incumbent.cost))

    def _limited(self) -> None:
        """Minimise the error with a limited number of features."""
        problem, outcome = self.problem, self.outcome
        most = self.options.most_features(problem.n_features)
        outcome.bound = problem.full.error
        problem.tell_bound(outcome.bound)
        if outcome.solution is problem.full:
            outcome.status = "optimal"
            return
        sets = BestSets(problem, most)
        outcome.features, outcome.solution = sets.best(0)
        try:
            sets.offer(largest(problem.sizes(problem.full.weights), most))
            if self.options.search == "paper":
                penalty = exact_penalty(problem) / PAPERS_SHARE
                sets.offer(penalty_rounds(problem, self.nothing, sets.most, penalty))
            else:
                sets.one_size()
            if self.options.prove:
                self._prove_limited(sets)
        finally:
            outcome.features, outcome.solution = sets.best(most)

    def _prove_limited(self, sets: BestSets) -> None:
        """Look for sets of less error until none is proven to exist."""
        problem, most, outcome = self.problem, sets.most, self.outcome
        with problem.within(self.options.prove):
            while True:
                least = sets.error(most)
                target = least - BETTER * (1 + least)
                if target <= problem.full.error:
                    break
                proof = Proof(problem, target)
                outcome.cuts = proof.cuts
                better = proof.run(most + 1)
                if better is None:
                    break
                sets.offer(exchange(problem, better, most))
                if sets.error(most) >= least:
                    return
        outcome.bound, outcome.status = least, "optimal"

    def _path(self) -> None:
        """Find the least error for every number of features; cross-validation chooses the number later."""
        self.outcome.bound = self.problem.full.error
        self.problem.tell_bound(self.outcome.bound)
        sets = BestSets(self.problem, self.options.path_length(self.problem.n_features))
        self.outcome.sets = sets
        sets.whole_path()


def final_plane(
    problem: PlaneProblem, options: PlaneOptions, outcome: SelectionOutcome
) -> tuple[FloatArray, float]:
    """Return weights and offset of the plane on the chosen features.

    This is the plane of least error. If that error is 0 it is, of the planes of that error, the one with the
    least sum of absolute weights; if `refit` is off, of the planes within the bound.
    """
    solution = outcome.solution
    spend = options.selection == "bounded" and not options.refit
    bound = outcome.error_bound if spend else solution.error
    if not outcome.features.any() or not (spend or solution.error <= SEPARATED):
        return solution.weights, solution.offset
    outside = ~outcome.features[problem.feature_of]
    with problem.clock.ending():
        smallest = smallest_plane(Lines(problem), bound, np.where(outside, math.inf, 1.0))
        return smallest.weights, smallest.offset
    return solution.weights, solution.offset
