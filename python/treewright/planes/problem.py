"""The rows that a plane parts, and the least error on any set of features."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright._base.clock import Clock
from treewright.planes.lp import ErrorLP

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]

SLACK = 1e-9
"""An error within so much of its bound (absolute and relative) keeps it."""

SEPARATED = 1e-10
"""An error of at most so much is none: the rows are separated, as far as LPs can tell."""

ZERO_WEIGHT = 1e-9
"""A weight of at most so much of the largest, or of 1, is none."""

REMEMBERED = 4_000_000
"""Numbers that remembered dual vectors may hold together."""


@dataclass(frozen=True, eq=False)
class Solved:
    """A plane of least error on a set of features.

    Attributes
    ----------
    error : float
        Its error, counted row by row.
    weights : ndarray of shape (n_columns,)
        In scaled units; exactly 0 outside of the set.
    offset : float
        Class A is where ``weights @ z > offset``.
    dual : ndarray of shape (n_rows,)
        Proves that no plane on the set has less: its sum is the same error.
    """

    error: float
    weights: FloatArray
    offset: float
    dual: FloatArray


class PlaneProblem:
    """Rows in scaled units, two classes, and features that may be several columns each.

    Parameters
    ----------
    Z : ndarray of shape (n_rows, n_columns)
        Rows in scaled units; no column is constant.
    sign : ndarray of shape (n_rows,)
        1 in class A, -1 in class B; both occur.
    weight : ndarray of shape (n_rows,)
        Positive weights of the rows.
    perturbation : float, default=0.0
        Share of the sum of absolute weights in the error; 0 is RLP, above it is RLP-P.
    feature_of : ndarray of shape (n_columns,), default=None
        The feature that each column belongs to, from 0 without gaps. None: each its own.
    costs : ndarray of shape (n_features,), default=None
        What using a feature costs; None is 1 each.
    clock : Clock, default=None
        When to give up.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.planes.problem import PlaneProblem
    >>> problem = PlaneProblem(np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), np.ones(2))
    >>> problem.full.error, problem.full.weights, problem.null_error
    (0.0, array([1.]), 2.0)
    """

    def __init__(
        self,
        Z: FloatArray,
        sign: FloatArray,
        weight: FloatArray,
        *,
        perturbation: float = 0.0,
        feature_of: NDArray[np.int64] | None = None,
        costs: FloatArray | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.Z, self.sign, self.perturbation = Z, sign, perturbation
        self.clock = Clock(None) if clock is None else clock
        self.feature_of = np.arange(Z.shape[1]) if feature_of is None else feature_of
        self.n_features = int(self.feature_of.max()) + 1 if len(self.feature_of) else 0
        self._grouped = self.n_features < Z.shape[1]
        self.costs = np.ones(self.n_features) if costs is None else costs
        self._counts = costs is None
        in_a = sign > 0
        share = np.where(in_a, weight / weight[in_a].sum(), weight / weight[~in_a].sum())
        self.cap = (1 - perturbation) * share
        self.n_lps = 0
        self._known: OrderedDict[bytes, Solved] = OrderedDict()
        self._n_known = max(16, REMEMBERED // len(sign))

    @cached_property
    def lp(self) -> ErrorLP:
        """The solver, set up when it is first asked."""
        return ErrorLP(self.Z, self.sign, self.cap, self.clock)

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Give what is done inside so many seconds, and no more than there are."""
        outer = self.clock
        self.use_clock(outer.part(None if math.isinf(seconds) else seconds))
        try:
            yield
        finally:
            self.use_clock(outer)

    def use_clock(self, clock: Clock) -> None:
        """Go by another clock from now on."""
        self.clock = self.lp.clock = clock

    @property
    def null_error(self) -> float:
        """Error of the plane without features: 2, or less its share under perturbation."""
        return 2 * (1 - self.perturbation)

    @cached_property
    def full(self) -> Solved:
        """A plane of least error on all features."""
        return self.solve(np.ones(self.n_features, np.bool_))

    def error(self, weights: FloatArray, offset: float) -> float:
        """Count the error of any plane, its penalty included, row by row; exactly 0 if it is next to none."""
        short = 1 - self.sign * (self.Z @ weights - offset)
        missed = float(self.cap @ np.maximum(short, 0))
        error = missed + self.perturbation * float(np.abs(weights).sum())
        return error if error > SEPARATED else 0.0

    def solve(self, features: Mask) -> Solved:
        """Find a plane of least error on the features of a set."""
        key = features.tobytes()
        known = self._known.get(key)
        if known is None:
            known = self.solve_penalised(np.where(features[self.feature_of], self.perturbation, np.inf))
            self._remember(key, known)
        else:
            self._known.move_to_end(key)
        return known

    def _remember(self, key: bytes, solved: Solved) -> None:
        self._known[key] = solved
        if len(self._known) > self._n_known:
            self._known.popitem(last=False)

    def solve_penalised(self, penalty: FloatArray) -> Solved:
        """Find a plane of least error with a penalty for every column, infinity to leave it out."""
        self.clock.check()
        self.n_lps += 1
        weights, offset, dual = self.lp.solve(penalty)
        weights[np.abs(weights) <= ZERO_WEIGHT * max(1.0, np.abs(weights).max(initial=0))] = 0
        return Solved(self.error(weights, offset), weights, offset, dual)

    def unfinished(self) -> tuple[float, FloatArray, float] | None:
        """Return error, weights and offset of the plane that an interrupted LP had come to."""
        plane = self.lp.unfinished()
        return None if plane is None else (self.error(*plane), *plane)

    def per_feature(self, values: FloatArray) -> FloatArray:
        """Add up what the columns of every feature have."""
        if not self._grouped:
            return values
        return np.bincount(self.feature_of, values, minlength=self.n_features).astype(np.float64)

    def sizes(self, weights: FloatArray) -> FloatArray:
        """Return the sum of the absolute weights of every feature."""
        return self.per_feature(np.abs(weights))

    def support(self, weights: FloatArray) -> Mask:
        """Mark the features that a plane uses."""
        return self.sizes(weights) > 0

    def gains(self, solved: Solved) -> FloatArray:
        """Return how much each feature breaks the dual's bounds: one with 0 cannot lower the error."""
        pull = np.abs(self.Z.T @ (self.sign * solved.dual)) - self.perturbation
        return self.per_feature(np.maximum(pull, 0))

    def cost(self, features: Mask) -> float:
        """Return what a set of features costs."""
        return float(self.costs[features].sum())

    def total(self, features: NDArray[np.int64]) -> float:
        """Return what features by position cost: a whole number where they are counted."""
        return self.typed(float(self.costs[features].sum()))

    def typed(self, cost: float) -> float:
        """Return a cost, as an int where features are counted."""
        return round(cost) if self._counts else cost

    def keeps(self, error: float, bound: float) -> bool:
        """Tell whether an error is within its bound, as far as floating point can tell."""
        return error <= bound + SLACK * (1 + bound)
