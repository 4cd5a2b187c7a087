"""The rows that a plane separates, and the least error on any set of features."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright._base.clock import Clock
from treewright.data.types import BoolArray, FloatArray, IntArray
from treewright.planes.lp import ErrorLP

SLACK = 1e-9
"""An error is within its bound if it is above it by at most this (absolute and relative)."""

SEPARATED = 1e-10
"""An error of at most this is 0: the rows are separated, as far as LPs can tell."""

ZERO_WEIGHT = 1e-9
"""A weight of at most this share of the largest weight, or of 1, is 0."""

REMEMBERED = 4_000_000
"""Most numbers in all remembered dual vectors together."""


@dataclass(frozen=True, eq=False)
class ErrorSolution:
    """A plane of least error on a set of features."""

    error: float
    """Its error, summed row by row."""
    weights: FloatArray
    """In scaled units; exactly 0 outside of the set."""
    offset: float
    """Class A is where ``weights @ z > offset``."""
    dual: FloatArray
    """One number a row; proves that no plane on the set has less error: its sum is the error."""


class PlaneProblem:
    """Rows of two classes in scaled units, and which feature each column belongs to.

    `Z` has a row for each sample and no constant column; `sign` is 1 in class A and -1 in class B, and both
    occur. `perturbation` is the share of the sum of absolute weights in the error: 0 is RLP, more RLP-P.
    `feature_of` has the feature of each column, from 0 without gaps; None makes every column a feature.
    `costs` are those of using a feature; None is 1. `loss` is what rows cost on the wrong side; None is their
    weight. `clock` ends every search on this problem.
    """

    def __init__(
        self,
        Z: FloatArray,
        sign: FloatArray,
        weight: FloatArray,
        *,
        perturbation: float = 0.0,
        feature_of: IntArray | None = None,
        costs: FloatArray | None = None,
        loss: FloatArray | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.Z, self.sign, self.perturbation = Z, sign, perturbation
        self.clock = self._search_clock = Clock(None) if clock is None else clock
        self.feature_of = np.arange(Z.shape[1]) if feature_of is None else feature_of
        self.n_features = int(self.feature_of.max()) + 1 if len(self.feature_of) else 0
        self._grouped = self.n_features < Z.shape[1]
        self.costs = np.ones(self.n_features) if costs is None else costs
        loss = None if loss is None or not loss.any() else loss
        self._counts, self._has_costs = costs is None, loss is not None
        in_a = sign > 0
        total = np.where(in_a, weight[in_a].sum(), weight[~in_a].sum())
        share = weight / total if loss is None else loss / total * (2 / (loss / total).sum())
        self.cap = (1 - perturbation) * share
        self.n_lps = 0
        self._known: dict[bytes, ErrorSolution] = {}
        self._n_known = max(16, REMEMBERED // len(sign))

    @cached_property
    def lp(self) -> ErrorLP:
        """The solver, set up at its first use."""
        return ErrorLP(self.Z, self.sign, self.cap, self.clock)

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Limit the work inside to so many seconds, and to what is left of all."""
        outer = self.clock
        self.use_clock(outer.part(None if math.isinf(seconds) else seconds))
        try:
            yield
        finally:
            self.use_clock(outer)

    def use_clock(self, clock: Clock) -> None:
        """Use another clock from now on."""
        self.clock = self.lp.clock = clock

    def tell_best(self, cost: float) -> None:
        """Tell whoever watches the search what the best so far costs."""
        self._search_clock.best = cost

    def tell_bound(self, bound: float) -> None:
        """Tell whoever watches the search that nothing costs less."""
        known = self._search_clock.bound
        self._search_clock.bound = bound if known is None else max(known, bound)

    @property
    def null_error(self) -> float:
        """Error of the plane without features: 2, or with a perturbation 2 times the share of the rows.

        If wrong answers have costs it is less: all rows are of the class of more loss.
        """
        return 2 * min(self._masses)

    @cached_property
    def _masses(self) -> tuple[float, float]:
        """What an error of 1 in all rows costs, of class A and of class B."""
        if not self._has_costs:
            return 1 - self.perturbation, 1 - self.perturbation
        in_a = self.sign > 0
        return float(self.cap[in_a].sum()), float(self.cap[~in_a].sum())

    @property
    def nothing(self) -> ErrorSolution:
        """The plane without features."""
        of_a, of_b = self._masses
        least = min(of_a, of_b)
        share = np.where(self.sign > 0, least / of_a, least / of_b) if least else np.zeros(len(self.sign))
        return ErrorSolution(
            self.null_error, np.zeros(self.Z.shape[1]), float(np.sign(of_b - of_a)), self.cap * share
        )

    @cached_property
    def full(self) -> ErrorSolution:
        """A plane of least error on all features."""
        return self.solve(np.ones(self.n_features, np.bool_))

    def error(self, weights: FloatArray, offset: float) -> float:
        """Sum the error of any plane row by row, its penalty included; exactly 0 if it is nearly 0."""
        short = 1 - self.sign * (self.Z @ weights - offset)
        missed = float(self.cap @ np.maximum(short, 0))
        error = missed + self.perturbation * float(np.abs(weights).sum())
        return error if error > SEPARATED else 0.0

    def solve(self, features: BoolArray) -> ErrorSolution:
        """Find a plane of least error on a set of features."""
        key = features.tobytes()
        known = self._known.pop(key, None)
        if known is None:
            known = self.solve_penalised(np.where(features[self.feature_of], self.perturbation, np.inf))
        # The last of the dict is the one asked for last.
        self._known[key] = known
        if len(self._known) > self._n_known:
            del self._known[next(iter(self._known))]
        return known

    def solve_penalised(self, penalty: FloatArray) -> ErrorSolution:
        """Find a plane of least error with a penalty for every column; infinity leaves the column out."""
        self.clock.step()
        self.n_lps += 1
        weights, offset, dual = self.lp.solve(penalty)
        weights[np.abs(weights) <= ZERO_WEIGHT * max(1.0, np.abs(weights).max(initial=0))] = 0
        return ErrorSolution(self.error(weights, offset), weights, offset, dual)

    def unfinished(self) -> tuple[float, FloatArray, float] | None:
        """Return error, weights and offset of the plane of an interrupted LP, if it has one."""
        if "lp" not in vars(self):  # to set one up takes long, and there was no time for it
            return None
        plane = self.lp.unfinished()
        return None if plane is None else (self.error(*plane), *plane)

    def per_feature(self, values: FloatArray) -> FloatArray:
        """Sum values of columns by feature."""
        if not self._grouped:
            return values
        return np.bincount(self.feature_of, values, minlength=self.n_features).astype(np.float64)

    def sizes(self, weights: FloatArray) -> FloatArray:
        """Return the sum of the absolute weights of every feature."""
        return self.per_feature(np.abs(weights))

    def support(self, weights: FloatArray) -> BoolArray:
        """Mark the features that a plane uses."""
        return self.sizes(weights) > 0

    def gains(self, solution: ErrorSolution) -> FloatArray:
        """Return by how much each feature breaks the dual's bounds; one with 0 cannot lower the error."""
        pull = np.abs(self.Z.T @ (self.sign * solution.dual)) - self.perturbation
        return self.per_feature(np.maximum(pull, 0))

    def cost(self, features: BoolArray | IntArray) -> float:
        """Return the cost of features, marked or by position."""
        return float(self.costs[features].sum())

    def typed(self, cost: float) -> float:
        """Return a cost, as an int if every feature costs 1."""
        return round(cost) if self._counts else cost

    def keeps(self, error: float, bound: float) -> bool:
        """Tell whether an error is within its bound, as far as floating point can tell."""
        return error <= bound + SLACK * (1 + bound)


TIE = 1e-12
"""Errors that differ by at most this are equal; the first features win."""


class Incumbent:
    """The best set of features so far: what a search leaves behind whenever it ends.

    The best set is the cheapest within a bound on the error; of equal costs, the one of least error, then the
    one of the first features.
    """

    def __init__(self, problem: PlaneProblem, bound: float) -> None:
        self.problem, self.bound = problem, bound
        self.features: BoolArray | None = None
        self.solution: ErrorSolution | None = None
        self.cost = np.inf
        self._best: tuple[float, int, int, tuple[int, ...]] | None = None

    def offer(self, features: BoolArray) -> bool:
        """Keep a set, without the features it does not use, if it is within the bound and the best so far."""
        solution = self.problem.solve(features)
        if not self.problem.keeps(solution.error, self.bound):
            return False
        used = self.problem.support(solution.weights)
        if (used != features).any():
            features, solution = used, self.problem.solve(used)
        positions = tuple(np.flatnonzero(features).tolist())
        key = self.problem.cost(features), len(positions), round(solution.error / TIE), positions
        if self._best is not None and key >= self._best:
            return False
        self.features, self.solution, self.cost, self._best = features, solution, key[0], key
        self.problem.tell_best(self.cost)
        return True
