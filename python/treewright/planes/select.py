"""Which features: the modes of selection on one problem, each ending with a plane whatever happens."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from treewright._base.clock import OutOfTimeError, SolverError
from treewright.planes.bounded_l1 import Lines, smallest_plane
from treewright.planes.certificate import Certificate, of_solved
from treewright.planes.counts import CountSearch
from treewright.planes.exchange import (
    ExchangeSearch,
    exchange,
    leave_out,
)
from treewright.planes.frank_wolfe import largest
from treewright.planes.hitting_set import (
    Cuts,
    Proof,
    reaches,
)
from treewright.planes.incumbent import Incumbent
from treewright.planes.limited import (
    ELIMINATION,
    PAPERS_SHARE,
    BestSets,
    exact_penalty,
    penalty_rounds,
)
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import (
    SEPARATED,
    FloatArray,
    Mask,
    PlaneProblem,
    Solved,
)

BETTER = 1e-8
"""How much less error (absolute and relative) a limited set has to be proven not to have."""


@dataclass
class Selected:
    """What a selection has found so far.

    Attributes
    ----------
    features : ndarray of bool
        The features of the plane; all False for none.
    solved : Solved
        The plane of least error on them.
    bound : float
        Most error that was allowed; infinite where only the number of features counted.
    least : float
        Least error on all features; NaN before it is known.
    lower : float
        Proven bound on what is made small: cost of the features, or the error where their number is limited.
    status, message : str
        As in `SearchResult`.
    trace : list of tuple
        Subproblems of the paper's search.
    certificates : list of (str, Certificate)
        What is proven, by name.
    cuts : Cuts
        The proof of `lower`, as far as it goes.
    sets : BestSets or None
        The best set of every size, where the path was asked for.
    is_least : bool
        Whether `solved` is proven to be the least error on the features.
    """

    features: Mask
    solved: Solved
    bound: float
    least: float = math.nan
    lower: float = 0.0
    status: str = "complete"
    message: str = ""
    trace: list[tuple[int, float, bool, int, float]] = field(default_factory=list)
    certificates: list[tuple[str, Certificate]] = field(default_factory=list)
    cuts: Cuts = field(default_factory=Cuts)
    sets: BestSets | None = None
    is_least: bool = True

    @property
    def status_is_end(self) -> bool:
        """Whether the search came to its end."""
        return self.status in ("optimal", "complete")


def nothing(problem: PlaneProblem, options: PlaneOptions) -> Selected:
    """Return the plane without features."""
    features = np.zeros(problem.n_features, np.bool_)
    solved = Solved(problem.null_error, np.zeros(problem.Z.shape[1]), 0.0, problem.cap.copy())
    counts = options.selection in ("limited", "path")
    return Selected(features, solved, math.inf if counts else problem.null_error)


def useless(problem: PlaneProblem, options: PlaneOptions) -> Selected:
    """Return the plane without features as what it is where no column has two values: the best."""
    selected = nothing(problem, options)
    selected.least = problem.null_error
    selected.bound, selected.status = _allowed(options, selected.least), "optimal"
    selected.lower = 0.0 if options.selection == "bounded" else problem.null_error
    return selected


def _allowed(options: PlaneOptions, least_error: float) -> float:
    """Return the most error a plane may have, infinite where it is the number of features that counts."""
    if options.selection == "bounded":
        return options.bound(least_error)
    return least_error if options.selection is None else math.inf


def select(problem: PlaneProblem, options: PlaneOptions) -> Selected:
    """Choose features and find the plane; what ends that early leaves the best so far.

    Ctrl-C stops the clock: whoever began the work finishes it, and raises the exception then.
    """
    selected = nothing(problem, options)
    work = {None: _all, "bounded": _bounded, "limited": _limited, "path": _path}[options.selection]
    try:
        work(problem, options, selected)
    except OutOfTimeError:
        selected.status = "time_limit"
    except SolverError as error:
        selected.status, selected.message = "solver_error", str(error)
    except KeyboardInterrupt:
        problem.clock.stop()
    if problem.clock.stopped:
        selected.status = "stopped"
    if not selected.status_is_end and not selected.certificates:
        _take_unfinished(problem, options, selected)
    return selected


def _take_unfinished(problem: PlaneProblem, options: PlaneOptions, selected: Selected) -> None:
    """Take the plane that the first LP had come to, if it is allowed and better than none."""
    plane = problem.unfinished()
    if plane is not None and plane[0] < selected.solved.error:
        error, weights, offset = plane
        features = problem.support(weights)
        if features.sum() <= options.most_features(problem.n_features):
            selected.features = features
            selected.solved = Solved(error, weights, offset, selected.solved.dual)
            selected.is_least = False


def _start(problem: PlaneProblem, options: PlaneOptions, selected: Selected) -> bool:
    """Find the plane on all features; tell whether any plane is better than none."""
    full = problem.full
    selected.certificates.append(
        ("least_error", of_solved(problem, np.ones(problem.n_features, np.bool_), full))
    )
    selected.least = full.error
    selected.bound = _allowed(options, full.error)
    bounded = options.selection == "bounded"
    if problem.keeps(problem.null_error, selected.bound if bounded else full.error):
        selected.status, selected.lower = "optimal", 0.0 if bounded else problem.null_error
        return False
    features = problem.support(full.weights)
    if features.sum() <= options.most_features(problem.n_features):
        selected.features, selected.solved = features, full
    return True


def _all(problem: PlaneProblem, options: PlaneOptions, selected: Selected) -> None:
    """Use whatever features the plane of least error uses."""
    if _start(problem, options, selected):
        selected.lower, selected.status = selected.solved.error, "optimal"


def _bounded(problem: PlaneProblem, options: PlaneOptions, selected: Selected) -> None:
    """Use as few features, or as cheap ones, as the bound on the error allows."""
    if not _start(problem, options, selected):
        return
    selected.lower = float(problem.costs.min())
    incumbent = Incumbent(problem, selected.bound)
    try:
        _search_bounded(problem, options, selected, incumbent)
        if options.prove:
            _prove_bounded(problem, options, selected, incumbent)
    finally:
        if incumbent.features is not None and incumbent.solved is not None:
            selected.features, selected.solved = incumbent.features, incumbent.solved
    if reaches(selected.lower, incumbent.cost):
        selected.lower, selected.status = incumbent.cost, "optimal"


def _search_bounded(
    problem: PlaneProblem, options: PlaneOptions, selected: Selected, incumbent: Incumbent
) -> None:
    incumbent.offer(selected.features)
    everything = np.ones(problem.n_features, np.bool_)
    few = problem.n_features <= ELIMINATION
    if options.feature_costs is None:
        counts = CountSearch(problem, selected.bound, incumbent)
        selected.trace = counts.trace.rows
        try:
            counts.run()
        finally:
            selected.certificates += [("outside", c) for c in counts.trace.certificates]
    elif options.search == "paper":
        incumbent.offer(leave_out(problem, everything if few else selected.features, selected.bound))
    if options.search == "swap" and incumbent.features is not None:
        starts = [incumbent.features, everything] if few else [incumbent.features]
        ExchangeSearch(problem, incumbent).run(starts)


def _prove_bounded(
    problem: PlaneProblem, options: PlaneOptions, selected: Selected, incumbent: Incumbent
) -> None:
    with problem.within(options.prove):
        proof = Proof(problem, selected.bound)
        selected.cuts = proof.cuts
        try:
            cheaper = proof.run(incumbent.cost)
        finally:
            selected.lower = max(selected.lower, min(proof.cuts.lower, incumbent.cost))
    if cheaper is not None and incumbent.offer(cheaper):
        selected.lower = incumbent.cost
        if options.search == "swap":
            incumbent.offer(exchange(problem, cheaper, incumbent.cost))


def _limited(problem: PlaneProblem, options: PlaneOptions, selected: Selected) -> None:
    """Make the error as small as so many features can."""
    if not _start(problem, options, selected):
        return
    most = options.most_features(problem.n_features)
    selected.lower = problem.full.error
    if selected.solved is problem.full:
        selected.status = "optimal"
        return
    sets = BestSets(problem, most)
    selected.features, selected.solved = sets.best(0)
    try:
        sets.offer(largest(problem.sizes(problem.full.weights), most))
        _search_limited(problem, options, sets)
        if options.prove:
            _prove_limited(problem, options, selected, sets)
    finally:
        selected.features, selected.solved = sets.best(most)


def _search_limited(problem: PlaneProblem, options: PlaneOptions, sets: BestSets) -> None:
    if options.search == "paper":
        nothing_yet = np.zeros(problem.n_features, np.bool_)
        penalty = exact_penalty(problem) / PAPERS_SHARE
        sets.offer(penalty_rounds(problem, nothing_yet, sets.most, penalty))
    else:
        sets.one_size()


def _prove_limited(problem: PlaneProblem, options: PlaneOptions, selected: Selected, sets: BestSets) -> None:
    """Ask for a set with less error until it is proven that so few features have none."""
    most = sets.most
    with problem.within(options.prove):
        while True:
            least = sets.error(most)
            target = least - BETTER * (1 + least)
            if target <= problem.full.error:
                break
            proof = Proof(problem, target)
            selected.cuts = proof.cuts
            better = proof.run(most + 1)
            if better is None:
                break
            sets.offer(exchange(problem, better, most))
            if sets.error(most) >= least:
                return
    selected.lower, selected.status = least, "optimal"


def _path(problem: PlaneProblem, options: PlaneOptions, selected: Selected) -> None:
    """Look for the least error for every number of features; which one to take is for others to say."""
    if not _start(problem, options, selected):
        return
    selected.lower = problem.full.error
    sets = selected.sets = BestSets(problem, options.path_length(problem.n_features))
    sets.whole_path()


def final_plane(problem: PlaneProblem, options: PlaneOptions, selected: Selected) -> tuple[FloatArray, float]:
    """Return weights and offset of the plane on the chosen features.

    The plane of least error; where that is 0, and where `refit` is off, the one of least sum of weights among
    those that keep the error, or the bound.
    """
    solved = selected.solved
    spend = options.selection == "bounded" and not options.refit
    bound = selected.bound if spend else solved.error
    if not selected.features.any() or not (spend or solved.error <= SEPARATED):
        return solved.weights, solved.offset
    outside = ~selected.features[problem.feature_of]
    try:
        found = smallest_plane(Lines(problem), bound, np.where(outside, math.inf, 1.0))
    except (OutOfTimeError, SolverError):
        return solved.weights, solved.offset
    except KeyboardInterrupt:
        problem.clock.stop()
        return solved.weights, solved.offset
    return found.weights, found.offset
