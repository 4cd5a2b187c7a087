"""The fit of one plane between two classes.

An estimator, a node of a tree and a fold of cross-validation all come here. Rows are merged and scaled,
features are selected, and the plane is returned in raw units.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from treewright._base.clock import Clock, HaltError
from treewright._base.params import callable_or_none, seconds_or_none
from treewright.data.types import FloatArray, IntArray
from treewright.planes.cross_validation import HeldOutErrors, Split, over_folds, splits
from treewright.planes.giving_up import is_less
from treewright.planes.misclassified import LeastMisclassified
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import PlaneProblem
from treewright.planes.proof import Certificate, Cuts, error_certificate
from treewright.planes.rows import Rows
from treewright.planes.scaling import RawPlane, Scaling, shift_off_rows, without_copies
from treewright.planes.selection import SelectionOutcome, final_plane, select
from treewright.results import HoldsTables, Progress, ResultTable, SearchResult, floats, ints

TRACE = [*ints("n_features"), *floats("outside"), ("enough", "bool"), *ints("n_lps"), *floats("seconds")]
PATH = [*ints("n_features", "n_used"), *floats("error", "bound", "test_error", "standard_error")]


class ScaledProblem:
    """Some rows of both classes, merged and scaled, with the LPs on them."""

    def __init__(self, rows: Rows, options: PlaneOptions, clock: Clock) -> None:
        self.options = options
        self.rows = rows.merged()
        self.scaling = Scaling.of(self.rows.X, self.rows.weight)
        varying = np.flatnonzero(self.scaling.varies)
        Z = self.scaling.apply(self.rows.X)[:, varying]
        kept = without_copies(Z, rows.feature_of[varying], options.feature_costs)
        self.columns, self.Z = varying[kept], np.ascontiguousarray(Z[:, kept])
        self.features, dense = np.unique(rows.feature_of[self.columns], return_inverse=True)
        costs = None if options.feature_costs is None else options.feature_costs[self.features]
        self.problem = PlaneProblem(
            self.Z,
            np.where(self.rows.in_a, 1.0, -1.0),
            self.rows.weight,
            perturbation=options.perturbation,
            feature_of=dense.ravel(),
            costs=costs,
            loss=self.rows.given_loss,
            clock=clock,
        )

    def select(self) -> SelectionOutcome:
        """Choose features as the options say."""
        if self.options.counts_rows:
            return LeastMisclassified(self.problem, self.rows.loss, self.options).select()
        return select(self.problem, self.options)

    def plane(self, outcome: SelectionOutcome) -> RawPlane:
        """Return the plane on the chosen features in raw units.

        If only rounding puts its error above the bound, or above that of no features, its error is the bound.
        """
        if self.options.counts_rows:
            weights, offset = outcome.solution.weights, outcome.solution.offset
        else:
            weights, offset = final_plane(self.problem, self.options, outcome)
        shift = shift_off_rows(self.Z, self.rows.in_a, self.rows.loss, weights, offset)
        everywhere = np.zeros(len(self.scaling.centre))
        everywhere[self.columns] = weights
        error = self.problem.error(weights, offset)
        raw = RawPlane(everywhere / self.scaling.scale, -offset, shift, error, self.scaling.centre)
        if self.options.counts_rows:
            return replace(raw, error=raw.wrong(self.rows))
        most = min(outcome.error_bound, self.problem.null_error)
        if raw.error > most and self.problem.keeps(raw.error, most):
            return replace(raw, error=most)
        return raw

    def plane_of_size(self, outcome: SelectionOutcome, size: int) -> RawPlane:
        """Return the plane of the best set of at most `size` features."""
        return self.plane(self.at_size(outcome, size))

    def at_size(self, outcome: SelectionOutcome, size: int) -> SelectionOutcome:
        """Choose the best set of at most `size` features."""
        if outcome.sets is not None:
            outcome.features, outcome.solution = outcome.sets.best(size)
        return outcome


@dataclass(frozen=True, eq=False)
class Plane(HoldsTables):
    """A plane with few features, with its certificates.

    Attributes
    ----------
    raw : RawPlane
        The plane in raw units: weights, centre, scores.
    support : ndarray of int
        Positions of the features it uses, ascending.
    error_bound : float
        Largest allowed error; infinite if only the number of features was limited.
    least_error : float
        Least error with all features; NaN if the search ended before it was known.
    lower_bound : float
        Proven lower bound on what the search minimised: features, their costs, or error.
    search : SearchResult
        Status, cost and bound.
    trace : ResultTable
        Subproblems of the published search.
    path : ResultTable
        Least error found by number of features; empty unless ``selection="path"``.
    scaling : Scaling
        Mean and standard deviation of every column.
    columns : ndarray of int
        Positions of the columns in the LPs: those that are neither constant nor copies of another.
    certificates : list of (str, Certificate)
        Proofs of LP values, by name.
    cuts : Cuts
        The proof of `lower_bound`.
    """

    raw: RawPlane
    support: IntArray
    error_bound: float
    least_error: float
    lower_bound: float
    search: SearchResult[None]
    trace: ResultTable
    path: ResultTable
    scaling: Scaling
    columns: IntArray
    certificates: list[tuple[str, Certificate]]
    cuts: Cuts

    @property
    def coef(self) -> FloatArray:
        """Weights in raw units, shape (n_columns,); 0 for columns that are not used."""
        return self.raw.coef

    @property
    def intercept(self) -> float:
        """Class A is where ``X @ coef + intercept`` is above 0."""
        return self.raw.intercept

    @property
    def error(self) -> float:
        """Error of the plane, penalty included, in scaled units."""
        return self.raw.error

    def scores(self, X: FloatArray) -> FloatArray:
        """Return the signed scores of rows.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)
            Rows in raw units; NaN counts as the mean of the training rows.

        Returns
        -------
        scores : ndarray of shape (n_rows,)
            Above 0 in class A.
        """
        return self.raw.scores(X)


def search_clock(time_limit: object, callback: object) -> Clock:
    """Check the limits of a search and start its clock; `callback` gets the number of LPs as `done`."""
    seconds = seconds_or_none("time_limit", time_limit)
    ask = callable_or_none("callback", callback)
    if ask is None:
        return Clock(seconds)

    def watch(done: int, best: float | None, elapsed: float) -> bool:
        return bool(ask(Progress(done, None, best, elapsed, bound=clock.bound)))

    clock = Clock(seconds, watch=watch)
    return clock


def fit_plane(rows: Rows, options: PlaneOptions, clock: Clock | None = None) -> Plane:
    """Find a plane between two classes, both of which occur.

    The clock ends the search, which keeps its best. Ctrl-C does so too, and stops the clock: see
    `Clock.interrupted`.
    """
    clock = Clock(None) if clock is None else clock
    scaled = ScaledProblem(rows, options, clock)
    outcome = scaled.select()
    errors = _held_out_errors(rows, options, outcome, clock)
    if outcome.later is not None and outcome.is_ended:
        outcome.later()
    if outcome.sets is not None:
        size = _size(outcome, errors, options)
        scaled.at_size(outcome, size)
        outcome.bound = outcome.sets.proven(size) if options.counts_rows else outcome.least_error
    return _plane(scaled, outcome, errors, clock)


def _held_out_errors(
    rows: Rows, options: PlaneOptions, outcome: SelectionOutcome, clock: Clock
) -> HeldOutErrors | None:
    """Cross-validate a path that is complete; None for what is not one, and if the folds do not end."""
    if outcome.sets is None or not outcome.is_ended:
        return None
    with clock.ending() as ending:
        return _cross_validate(rows, options, clock)
    if ending.status is not None:
        outcome.status, outcome.message = ending.status, ending.message
    return None


def _cross_validate(rows: Rows, options: PlaneOptions, clock: Clock) -> HeldOutErrors | None:
    """Return the held-out errors of the path for every number of features from 1; None without folds.

    A fold that does not come to its end raises `HaltError` or `KeyboardInterrupt`.
    """
    folds = [
        (learn, held_out)
        for learn, held_out in splits(options.cv, rows.in_a, rows)
        if len(held_out) and len(np.unique(rows.in_a[learn])) == 2
    ]
    if not folds:
        return None
    alone = replace(options, n_jobs=None)
    return HeldOutErrors.of(over_folds(partial(_errors_of_fold, rows, alone), folds, options.n_jobs, clock))


def _errors_of_fold(rows: Rows, options: PlaneOptions, fold: Split, clock: Clock) -> list[float]:
    """Return the error on held-out rows for every number of features."""
    learn, held_out = fold
    length = options.path_length(len(np.unique(rows.feature_of)))
    scaled = ScaledProblem(rows.take(learn), options, clock)
    outcome = scaled.select()
    if clock.interrupted:
        raise KeyboardInterrupt
    if not outcome.is_ended:
        raise HaltError(outcome.status, outcome.message)
    judges = rows.take(held_out)
    errors = [scaled.plane_of_size(outcome, size).error_rate(judges) for size in range(1, length + 1)]
    if clock.interrupted:
        raise KeyboardInterrupt
    return errors


def _size(outcome: SelectionOutcome, errors: HeldOutErrors | None, options: PlaneOptions) -> int:
    """Return the number of features: by cross-validation, else the fewest within the usual bound."""
    assert outcome.sets is not None, "only a path has sizes"
    if errors is not None:
        return int(np.argmax(errors.among_best(options.one_standard_error))) + 1
    bound = options.bound(outcome.least_error)
    sizes = range(outcome.sets.most + 1)
    return next((size for size in sizes if outcome.sets.error(size) <= bound), outcome.sets.most)


def _plane(
    scaled: ScaledProblem, outcome: SelectionOutcome, errors: HeldOutErrors | None, clock: Clock
) -> Plane:
    problem = scaled.problem
    raw = scaled.plane(outcome)
    if scaled.options.counts_rows:
        _settle(outcome, raw, scaled.options)
    if outcome.is_least:
        certificate = error_certificate(problem, outcome.features, outcome.solution)
        outcome.certificates.append(("chosen", certificate))
    path = _path(scaled, outcome, errors)
    used = np.unique(problem.feature_of[raw.coef[scaled.columns] != 0])
    is_bounded = scaled.options.selection == "bounded"
    cost = problem.typed(problem.cost(used)) if is_bounded else raw.error
    lower = min(problem.typed(outcome.bound), cost) if is_bounded else outcome.bound
    return Plane(
        raw=raw,
        support=scaled.features[used],
        error_bound=outcome.error_bound,
        least_error=outcome.least_error,
        lower_bound=lower,
        search=SearchResult(
            cost=cost,
            bound=min(lower, cost),
            status=outcome.status,
            message=outcome.message,
            n_searched=problem.n_lps,
            elapsed=clock.elapsed(),
        ),
        trace=ResultTable.from_rows(outcome.trace, TRACE),
        path=path,
        scaling=scaled.scaling,
        columns=scaled.columns,
        certificates=outcome.certificates,
        cuts=outcome.cuts,
    )


def _settle(outcome: SelectionOutcome, raw: RawPlane, options: PlaneOptions) -> None:
    """Say how a search ended by what the plane does to the rows, not by what the search believed."""
    if options.selection == "bounded":
        is_proven = outcome.status == "optimal" and not is_less(outcome.error_bound, raw.error)
    else:
        is_proven = not is_less(outcome.bound, raw.error)
        outcome.bound = min(outcome.bound, raw.error)
    if is_proven:
        outcome.status, outcome.message = "optimal", ""
    elif outcome.status == "optimal":
        outcome.status = "complete"


def _path(scaled: ScaledProblem, outcome: SelectionOutcome, errors: HeldOutErrors | None) -> ResultTable:
    if outcome.sets is None:
        return ResultTable.from_rows([], PATH)
    rows = []
    judged = HeldOutErrors.unknown(outcome.sets.most) if errors is None else errors
    for size in range(1, outcome.sets.most + 1):
        features, solution = outcome.sets.best(size)
        if not scaled.options.counts_rows:
            outcome.certificates.append(("path", error_certificate(scaled.problem, features, solution)))
        test = judged.means[size - 1], judged.standard_errors[size - 1]
        rows.append((size, int(features.sum()), solution.error, outcome.sets.proven(size), *test))
    return ResultTable.from_rows(rows, PATH)
