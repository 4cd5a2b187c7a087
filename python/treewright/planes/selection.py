"""The selection of features: every mode on one problem, each with a plane at the end whatever happens."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

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


@dataclass
class SelectionOutcome:
    """What a selection has found so far, what is proven of it, and how it ended.

    Attributes
    ----------
    features : ndarray of bool
        The features of the plane; all False for none.
    solution : ErrorSolution
        The plane of least error on them.
    error_bound : float
        Largest allowed error; infinite if only the number of features is limited.
    least_error : float
        Least error on all features; NaN before it is known.
    bound : float
        Proven lower bound on what is minimised: the cost of the features, or the error if their number is
        limited.
    status, message : str
        As in `SearchResult`.
    trace : list of Subproblem
        Subproblems of the published search.
    certificates : list of (str, Certificate)
        Proofs of LP values, by name.
    cuts : Cuts
        The proof of `bound`, as far as it goes.
    sets : BestSets or None
        The best set of every size, with ``selection="path"``.
    is_least : bool
        Whether `solution` is proven to be of least error on the features.
    """

    features: BoolArray
    solution: ErrorSolution
    error_bound: float
    least_error: float = math.nan
    bound: float = 0.0
    status: str = "complete"
    message: str = ""
    trace: list[Subproblem] = field(default_factory=list)
    certificates: list[tuple[str, Certificate]] = field(default_factory=list)
    cuts: Cuts = field(default_factory=Cuts)
    sets: BestSets | None = None
    is_least: bool = True

    @property
    def is_ended(self) -> bool:
        """Whether the search came to its end."""
        return self.status in ("optimal", "complete")


def _without_features(problem: PlaneProblem, options: PlaneOptions) -> SelectionOutcome:
    """Return the plane without features, where every selection begins."""
    features = np.zeros(problem.n_features, np.bool_)
    solution = ErrorSolution(problem.null_error, np.zeros(problem.Z.shape[1]), 0.0, problem.cap.copy())
    is_limited = options.selection in ("limited", "path")
    return SelectionOutcome(features, solution, math.inf if is_limited else problem.null_error)


def constant_columns(problem: PlaneProblem, options: PlaneOptions) -> SelectionOutcome:
    """Return the outcome if every column is constant: the plane without features is the best."""
    outcome = _without_features(problem, options)
    outcome.least_error = problem.null_error
    outcome.error_bound, outcome.status = _error_bound(options, outcome.least_error), "optimal"
    outcome.bound = 0.0 if options.selection == "bounded" else problem.null_error
    return outcome


def _error_bound(options: PlaneOptions, least_error: float) -> float:
    """Return the largest allowed error; infinite if only the number of features is limited."""
    if options.selection == "bounded":
        return options.bound(least_error)
    return least_error if options.selection is None else math.inf


def select(problem: PlaneProblem, options: PlaneOptions) -> SelectionOutcome:
    """Choose features and find the plane; a search that ends early keeps its best."""
    outcome = _without_features(problem, options)
    work = {None: _all, "bounded": _bounded, "limited": _limited, "path": _path}[options.selection]
    with problem.clock.ending() as ending:
        work(problem, options, outcome)
    if ending.status is not None:
        outcome.status, outcome.message = ending.status, ending.message
    if not outcome.is_ended and not outcome.certificates:
        _take_unfinished(problem, options, outcome)
    return outcome


def _take_unfinished(problem: PlaneProblem, options: PlaneOptions, outcome: SelectionOutcome) -> None:
    """Take the plane of the interrupted first LP, if it is allowed and better than none."""
    plane = problem.unfinished()
    if plane is not None and plane[0] < outcome.solution.error:
        error, weights, offset = plane
        features = problem.support(weights)
        if features.sum() <= options.most_features(problem.n_features):
            outcome.features = features
            outcome.solution = ErrorSolution(error, weights, offset, outcome.solution.dual)
            outcome.is_least = False


def _start(problem: PlaneProblem, options: PlaneOptions, outcome: SelectionOutcome) -> bool:
    """Find the plane of least error on all features; return whether any plane is better than none."""
    full = problem.full
    everything = np.ones(problem.n_features, np.bool_)
    outcome.certificates.append(("least_error", error_certificate(problem, everything, full)))
    outcome.least_error = full.error
    outcome.error_bound = _error_bound(options, full.error)
    bounded = options.selection == "bounded"
    if problem.keeps(problem.null_error, outcome.error_bound if bounded else full.error):
        outcome.status, outcome.bound = "optimal", 0.0 if bounded else problem.null_error
        return False
    features = problem.support(full.weights)
    if features.sum() <= options.most_features(problem.n_features):
        outcome.features, outcome.solution = features, full
    return True


def _all(problem: PlaneProblem, options: PlaneOptions, outcome: SelectionOutcome) -> None:
    """Use the features of the plane of least error."""
    if _start(problem, options, outcome):
        outcome.bound, outcome.status = outcome.solution.error, "optimal"


def _bounded(problem: PlaneProblem, options: PlaneOptions, outcome: SelectionOutcome) -> None:
    """Use as few features, or as cheap ones, as the bound on the error allows."""
    if not _start(problem, options, outcome):
        return
    outcome.bound = float(problem.costs.min())
    incumbent = Incumbent(problem, outcome.error_bound)
    try:
        _search_bounded(problem, options, outcome, incumbent)
        if options.prove:
            _prove_bounded(problem, options, outcome, incumbent)
    finally:
        if incumbent.features is not None and incumbent.solution is not None:
            outcome.features, outcome.solution = incumbent.features, incumbent.solution
    if reaches(outcome.bound, incumbent.cost):
        outcome.bound, outcome.status = incumbent.cost, "optimal"


def _search_bounded(
    problem: PlaneProblem, options: PlaneOptions, outcome: SelectionOutcome, incumbent: Incumbent
) -> None:
    incumbent.offer(outcome.features)
    everything = np.ones(problem.n_features, np.bool_)
    few = problem.n_features <= ELIMINATION
    if options.feature_costs is None:
        counts = CountSearch(problem, outcome.error_bound, incumbent)
        outcome.trace = counts.trace.rows
        try:
            counts.run()
        finally:
            outcome.certificates += [("outside", c) for c in counts.trace.certificates]
    elif options.search == "paper":
        incumbent.offer(leave_out(problem, everything if few else outcome.features, outcome.error_bound))
    if options.search == "swap" and incumbent.features is not None:
        starts = [incumbent.features, everything] if few else [incumbent.features]
        ExchangeSearch(problem, incumbent).run(starts)


def _prove_bounded(
    problem: PlaneProblem, options: PlaneOptions, outcome: SelectionOutcome, incumbent: Incumbent
) -> None:
    with problem.within(options.prove):
        proof = Proof(problem, outcome.error_bound)
        outcome.cuts = proof.cuts
        try:
            cheaper = proof.run(incumbent.cost)
        finally:
            outcome.bound = max(outcome.bound, min(proof.cuts.lower, incumbent.cost))
    if cheaper is not None and incumbent.offer(cheaper):
        outcome.bound = incumbent.cost
        if options.search == "swap":
            incumbent.offer(exchange(problem, cheaper, incumbent.cost))


def _limited(problem: PlaneProblem, options: PlaneOptions, outcome: SelectionOutcome) -> None:
    """Minimise the error with a limited number of features."""
    if not _start(problem, options, outcome):
        return
    most = options.most_features(problem.n_features)
    outcome.bound = problem.full.error
    if outcome.solution is problem.full:
        outcome.status = "optimal"
        return
    sets = BestSets(problem, most)
    outcome.features, outcome.solution = sets.best(0)
    try:
        sets.offer(largest(problem.sizes(problem.full.weights), most))
        _search_limited(problem, options, sets)
        if options.prove:
            _prove_limited(problem, options, outcome, sets)
    finally:
        outcome.features, outcome.solution = sets.best(most)


def _search_limited(problem: PlaneProblem, options: PlaneOptions, sets: BestSets) -> None:
    if options.search == "paper":
        none_yet = np.zeros(problem.n_features, np.bool_)
        penalty = exact_penalty(problem) / PAPERS_SHARE
        sets.offer(penalty_rounds(problem, none_yet, sets.most, penalty))
    else:
        sets.one_size()


def _prove_limited(
    problem: PlaneProblem, options: PlaneOptions, outcome: SelectionOutcome, sets: BestSets
) -> None:
    """Look for sets of less error until none is proven to exist."""
    most = sets.most
    with problem.within(options.prove):
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


def _path(problem: PlaneProblem, options: PlaneOptions, outcome: SelectionOutcome) -> None:
    """Find the least error for every number of features; cross-validation chooses the number later."""
    if not _start(problem, options, outcome):
        return
    outcome.bound = problem.full.error
    sets = outcome.sets = BestSets(problem, options.path_length(problem.n_features))
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
