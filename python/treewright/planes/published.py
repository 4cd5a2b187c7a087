"""The published searches: Algorithms 4.1 and 4.2, and a limited number of features.

The least weighted size. Minimise ``sum_j c_j |w_j|`` over the planes of error at most delta: step 1 of the
paper's Frank-Wolfe method. The bound enters the objective with a multiplier, which leaves an error LP with
its own penalty for every column. Each plane bounds the concave function of the multiplier by a line. A secant
on the two lines that meet at the top, one of a plane within the bound and one of a plane beyond it, finds the
exact value after a few LPs. The answer is the mixture of these two planes that meets the bound. Planes of
earlier LPs give lines too, whatever c is; the secant starts where their lines meet.

Algorithm 4.1, a Frank-Wolfe method for a bilinear program. Find the plane with the least weight outside of a
set of features; the set becomes the features of the largest weights; repeat while the weight outside falls.
It ends at a stationary point: if it finds no plane, there may still be one.

Algorithm 4.2, the search over the number of features. Each subproblem starts from the features of the largest
weights of the one before it, the first from those of the plane of least error. A subproblem succeeds if the
error LP on the features it chose is within the bound, so no tolerance on the weight outside decides. Every
number of features is tried at most once: the secant's answer is kept between the largest number that failed
and the smallest that succeeded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treewright.data.types import BoolArray, FloatArray
from treewright.planes.problem import ZERO_WEIGHT, ErrorSolution, Incumbent, PlaneProblem
from treewright.planes.proof import Certificate

MEETS = 1e-10
"""Lines this close (absolute and relative) meet; an error this close to its bound is at it."""

KEPT = 64
"""Planes whose lines are kept."""

MOST_STEPS = 200
"""More steps than any secant takes; with a pair that repeats, the stop against endless rounding."""


@dataclass(frozen=True, eq=False)
class SizeSolution:
    """The plane of least weighted size within a bound, and its proof."""

    size: float
    """The value of the LP."""
    weights: FloatArray
    offset: float
    multiplier: float
    """The size that one unit of error saves; 0 if the size is 0."""
    penalty: FloatArray
    """Penalties of the columns under which `dual` is feasible."""
    dual: FloatArray
    """Proves the value: ``multiplier * (sum(dual) - bound)`` is the size."""

    def certificate(self, bound: float) -> Certificate:
        """Certify that no plane within the bound on the error has less size."""
        return Certificate(self.size, self.penalty, self.dual, self.multiplier, bound)


class Lines:
    """The planes found so far, with their errors and the absolute weights of their columns."""

    def __init__(self, problem: PlaneProblem) -> None:
        self.problem = problem
        self.planes: list[ErrorSolution] = []
        self._sizes: list[FloatArray] = []

    def add(self, plane: ErrorSolution) -> None:
        """Keep a plane."""
        self.planes.append(plane)
        self._sizes.append(np.abs(plane.weights))

    def forget(self) -> None:
        """Drop the oldest if there are many."""
        del self.planes[:-KEPT], self._sizes[:-KEPT]

    def best_pair(self, c: FloatArray, bound: float) -> tuple[ErrorSolution, ErrorSolution]:
        """Return the two planes, beyond and within the bound, whose lines meet at the top."""
        sizes = np.array(self._sizes) @ c
        excess = np.array([plane.error for plane in self.planes]) - bound
        right, left = _top(sizes, excess, excess <= MEETS * (1 + bound))
        return self.planes[left], self.planes[right]


def _top(sizes: FloatArray, excess: FloatArray, within: BoolArray) -> tuple[int, int]:
    """Find the top of the lower envelope of the lines ``size + multiplier * excess``."""
    right = int(np.flatnonzero(within)[np.argmin(sizes[within])])
    left = int(np.flatnonzero(~within)[np.argmin(sizes[~within])])
    for _ in range(2 * len(sizes)):
        multiplier = max(0.0, (sizes[right] - sizes[left]) / (excess[left] - excess[right]))
        heights = sizes + multiplier * excess
        lowest = int(np.argmin(heights))
        if heights[lowest] >= heights[left] - MEETS * (1 + abs(heights[left])):
            break
        if within[lowest]:
            right = lowest
        else:
            left = lowest
    return right, left


def smallest_plane(lines: Lines, bound: float, c: FloatArray) -> SizeSolution:
    """Find the plane of least weighted size within a bound on the error.

    The bound is at least the error of the best plane on all features. A weight of 1 in a column has size `c`;
    infinity leaves the column out. The planes of the LPs solved here are added to `lines`.
    """
    problem, allowed = lines.problem, np.isfinite(c)
    free = problem.solve(_without_columns(problem, c > 0))
    if problem.keeps(free.error, bound):
        return SizeSolution(0.0, free.weights, free.offset, 0.0, _penalty(problem, c, 0.0), free.dual)
    finite = np.where(allowed, c, 0.0)
    own = Lines(problem) if not allowed.all() else lines
    own.forget()
    own.add(free)
    full = problem.solve(_without_columns(problem, ~allowed))
    own.add(full)
    # Within the tolerance of the bound the best plane may lie above it, and no plane below.
    reached = max(bound, full.error) if problem.keeps(full.error, bound) else bound
    return _by_secant(own, reached, finite, allowed)


def _without_columns(problem: PlaneProblem, columns: BoolArray) -> BoolArray:
    """Mark the features that have none of the columns."""
    return np.asarray(problem.per_feature(columns.astype(np.float64)) == 0)


def _penalty(problem: PlaneProblem, c: FloatArray, multiplier: float) -> FloatArray:
    if multiplier == 0:
        return np.where(c > 0, np.inf, problem.perturbation)
    return problem.perturbation + c / multiplier


def _by_secant(lines: Lines, bound: float, c: FloatArray, allowed: BoolArray) -> SizeSolution:
    """Go on from the two lines that meet at the top until no plane lies below them."""
    problem, before = lines.problem, None
    for _ in range(MOST_STEPS):
        left, right = pair = lines.best_pair(c, bound)
        low, high = c @ np.abs(left.weights), c @ np.abs(right.weights)
        multiplier = float((high - low) / (left.error - right.error))
        penalty = np.where(allowed, _penalty(problem, c, multiplier), np.inf)
        lowest = problem.solve_penalised(penalty)
        lines.add(lowest)
        line = low + multiplier * left.error
        height = c @ np.abs(lowest.weights) + multiplier * lowest.error
        if height >= line - MEETS * (1 + abs(line)) or pair == before:
            break
        before = pair
    # The mixture of the planes on both sides of the bound meets it.
    t = float(np.clip((bound - right.error) / (left.error - right.error), 0, 1))
    weights = t * left.weights + (1 - t) * right.weights
    offset = t * left.offset + (1 - t) * right.offset
    return SizeSolution(float(c @ np.abs(weights)), weights, offset, multiplier, penalty, lowest.dual)


FALL = 1e-12
"""A round must lower the weight outside by more than this."""

NOTHING = 1e-9
"""Weight outside that counts as 0, as a share of the largest weight."""

MOST_ROUNDS = 1000


@dataclass(frozen=True, eq=False)
class StationaryPoint:
    """Where the rounds of Algorithm 4.1 ended."""

    outside: float
    """Sum of the absolute weights outside of `features`: the paper's f(nu)."""
    features: BoolArray
    """The features of the largest weights."""
    plane: SizeSolution
    """The plane of the last round that lowered the weight outside."""


def frank_wolfe(lines: Lines, bound: float, n_largest: int, start: BoolArray) -> StationaryPoint:
    """Run Algorithm 4.1 for one number of features, from the set `start`."""
    problem = lines.problem
    features, best = start, None
    for _ in range(MOST_ROUNDS):
        plane = smallest_plane(lines, bound, (~features[problem.feature_of]).astype(np.float64))
        sizes = problem.sizes(plane.weights)
        features = largest(sizes, n_largest)
        outside = float(sizes[~features].sum())
        if best is not None and outside >= best.outside - FALL:
            break
        best = StationaryPoint(outside, features, plane)
        if outside <= NOTHING * max(1.0, sizes.max(initial=0)):
            break
    assert best is not None, "the first round is always kept"
    return best


def largest(sizes: FloatArray, n_largest: int) -> BoolArray:
    """Mark the features of the largest sizes; of equal sizes, the first."""
    order = np.argsort(-sizes, kind="stable")
    chosen = np.zeros(len(sizes), np.bool_)
    chosen[order[:n_largest]] = True
    return chosen


EQUAL = 1e-12
"""Two failures whose weights outside differ by at most this have no secant."""


class Subproblem(NamedTuple):
    """One run of Algorithm 4.1: how many features, the weight outside, whether they are enough."""

    n_features: int
    outside: float
    enough: bool
    n_lps: int
    seconds: float


class CountSearch:
    """Algorithm 4.2 for one bound on the error; `incumbent` receives every set within it."""

    def __init__(self, problem: PlaneProblem, bound: float, incumbent: Incumbent) -> None:
        self.problem, self.bound, self.incumbent = problem, bound, incumbent
        self.lines = Lines(problem)
        self.trace: list[Subproblem] = []
        self.certificates: list[Certificate] = []
        self._sizes: FloatArray = problem.sizes(problem.full.weights)
        self._most = int(np.count_nonzero(self._sizes))

    def run(self) -> None:
        """Try one feature, then half of them, then what secant or bisection propose."""
        self.incumbent.offer(self._sizes > 0)
        if self._most <= 1:
            return
        failed, height = 1, self._try(1)
        if height is None:
            return
        asked = rounded(self.problem.n_features / 2)
        while self._most > failed + 1:
            asked = min(max(asked, failed + 1), self._most - 1)
            now = self._try(asked)
            if now is None:
                asked = rounded((failed + self._most) / 2)
                continue
            step = _secant_step(asked, now, failed, height)
            failed, height = asked, now
            asked = step if failed < step < self._most else rounded((failed + self._most) / 2)

    def _try(self, n_largest: int) -> float | None:
        """Run a subproblem; return None if it succeeded, else the weight outside."""
        before, since = self.problem.n_lps, self.problem.clock.elapsed()
        point = frank_wolfe(self.lines, self.bound, n_largest, largest(self._sizes, n_largest))
        self._sizes = self.problem.sizes(point.plane.weights)
        is_used = self._sizes > ZERO_WEIGHT * max(1.0, self._sizes.max(initial=0))
        chosen: BoolArray = point.features & is_used
        enough = self.problem.keeps(self.problem.solve(chosen).error, self.bound)
        if enough:
            self._most = min(n_largest, int(np.count_nonzero(chosen)))
            self.incumbent.offer(chosen)
        seconds = self.problem.clock.elapsed() - since
        n_lps = self.problem.n_lps - before
        self.trace.append(Subproblem(n_largest, point.outside, enough, n_lps, seconds))
        self.certificates.append(point.plane.certificate(self.bound))
        return None if enough else point.outside


def _secant_step(asked: int, now: float, failed: int, height: float) -> int:
    """Return the number of features where the line through two failures reaches 0; -1 if it is level."""
    if abs(now - height) <= EQUAL:
        return -1
    step = asked - now * (asked - failed) / (now - height)
    return rounded(min(max(step, -1.0), 1e9))


def rounded(x: float) -> int:
    """Round half up."""
    return math.floor(x + 0.5)


def exact_penalty(problem: PlaneProblem) -> float:
    """Return a penalty so large that no plane of least error uses a feature that has it."""
    pull = problem.per_feature(problem.cap @ np.abs(problem.Z))
    return float(pull.max(initial=0))


def penalty_rounds(problem: PlaneProblem, features: BoolArray, n_largest: int, penalty: float) -> BoolArray:
    """Run the paper's rounds for a limited number: least error plus penalty, then the largest weights."""
    best = np.inf
    for _ in range(MOST_ROUNDS):
        outside = np.where(features[problem.feature_of], 0.0, penalty)
        solution = problem.solve_penalised(problem.perturbation + outside)
        sizes = problem.sizes(solution.weights)
        chosen = largest(sizes, n_largest)
        value = solution.error + penalty * float(sizes[~chosen].sum())
        if value >= best - FALL:
            break
        features, best = chosen, value
    return features
