"""Proofs that nothing better exists: certificates of LP values, and a lower bound on the number of features.

A certificate is a dual vector, one number for each row. For penalties p, caps u and signs s, a vector a with
``0 <= a_i <= u_i``, ``sum_i s_i a_i = 0`` and ``|sum_i s_i a_i z_ij| <= p_j`` for every column of finite
penalty proves that no plane has ``sum_i u_i (1 - s_i (w z_i - g))_+ + sum_j p_j |w_j|`` below ``sum_i a_i``.
To check it takes one pass over the rows and no solver.

The lower bound is an implicit hitting set. If the least error on a set of features is beyond the bound, every
set within the bound has a feature outside of it. The set is enlarged as long as its error stays beyond the
bound; the features that remain outside are a cut: at least one of them is needed. The cheapest set with a
feature of every cut costs no more than any set within the bound. If it is within the bound itself, it is the
cheapest of all; if not, it gives the next cut.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import highspy
import numpy as np

from treewright._base.clock import Clock
from treewright.data.types import BoolArray, FloatArray, IntArray
from treewright.planes.lp import Highs
from treewright.planes.problem import ErrorSolution, PlaneProblem

CLOSE = 1e-7
"""A checked value may differ by this (absolute and relative)."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """A value of an LP with the dual vector that proves it."""

    value: float
    """The proven value: no plane has less."""
    penalty: FloatArray
    """Cost of a weight of 1 in each column; infinite where the column is left out."""
    dual: FloatArray
    """One multiplier for each row."""
    multiplier: float | None = None
    """For a size within a bound on the error, the size that one unit of error saves; None for an error."""
    bound: float = 0.0
    """The bound on the error, for a size."""

    def proven(self) -> float:
        """Return the value that the dual vector proves if it is feasible."""
        total = float(self.dual.sum())
        if self.multiplier is None:
            return total
        return self.multiplier * (total - self.bound)

    def violation(self, Z: FloatArray, sign: FloatArray, cap: FloatArray) -> float:
        """Return by how much the dual vector breaks its conditions; 0 if it is feasible.

        Rows are in scaled units; `sign` is 1 in class A and -1 in class B, `cap` what an error of 1 costs.
        """
        signed = sign * self.dual
        counted = np.isfinite(self.penalty)
        pull = np.abs(signed @ Z[:, counted]) - self.penalty[counted]
        beyond = np.maximum(-self.dual, self.dual - cap)
        return float(max(0.0, pull.max(initial=0), beyond.max(initial=0), abs(signed.sum())))

    def holds(self, Z: FloatArray, sign: FloatArray, cap: FloatArray) -> bool:
        """Tell whether the dual vector proves the value, as far as floating point can tell."""
        close = CLOSE * (1 + abs(self.value))
        return self.violation(Z, sign, cap) <= CLOSE and self.proven() >= self.value - close


def error_certificate(problem: PlaneProblem, features: BoolArray, solution: ErrorSolution) -> Certificate:
    """Certify the least error on a set of features."""
    penalty = np.where(features[problem.feature_of], problem.perturbation, np.inf)
    return Certificate(solution.error, penalty, solution.dual)


N_ORDERS = 4
"""Cuts made from one set: one in the order of the gains, the others in randomly changed orders."""

NOISE = 1.0
"""Gains are multiplied by random factors; this is the standard deviation of their logarithm."""

SEED = 0

WHOLE = 1e-6
"""The solver's value of a whole number differs by at most this; other costs by this share of the largest."""

SAME = 1e-12
"""Sums of costs that differ by at most this share are equal."""


@dataclass
class Cuts:
    """Sets of features such that one feature of each is needed, and the proofs of that."""

    bound: float = math.inf
    """The features outside of a cut are proven to have more error than this."""
    lower: float = 0.0
    """Every set with a feature of each cut costs at least this."""
    masks: list[BoolArray] = field(default_factory=list)
    certificates: list[Certificate] = field(default_factory=list)


class HittingSets:
    """The integer program of the cheapest set with a feature of every cut."""

    def __init__(self, costs: FloatArray, clock: Clock) -> None:
        self.costs = costs
        self._whole = bool((costs == np.rint(costs)).all())
        self._unit = 1.0 if self._whole else float(costs.max())
        gap = {"presolve": "choose", "solver": "choose", "mip_rel_gap": 0.0, "mip_abs_gap": WHOLE / 10}
        self._highs = Highs(_model(costs / self._unit), clock, is_long=True, **gap)

    def add(self, cut: BoolArray) -> None:
        """Add a cut."""
        inside = np.flatnonzero(cut).astype(np.int32)
        self._highs.solver.addRow(1.0, np.inf, len(inside), inside, np.ones(len(inside)))

    def cheapest(self) -> tuple[BoolArray, float]:
        """Return a cheapest set and a lower bound on the cost of every set.

        If costs are whole numbers the bound is one too. Otherwise it is the cost of the set, if the solver
        proves that to a millionth of the largest cost.
        """
        self._highs.run()
        solver = self._highs.solver
        chosen = np.array(solver.getSolution().col_value) > 0.5
        bound = float(solver.getInfo().mip_dual_bound)
        if self._whole:
            return chosen, float(np.ceil(bound - WHOLE))
        cost = float(self.costs[chosen].sum())
        safe = self._unit * (bound - WHOLE)
        return chosen, cost if self._unit * bound >= cost - self._unit * WHOLE else safe


class Proof:
    """The search for cuts, for one bound on the error; every set within it costs at least `cuts.lower`.

    It `tells` this as the bound of the whole search, where that minimises costs.
    """

    def __init__(self, problem: PlaneProblem, bound: float, *, tells: bool = False) -> None:
        self.problem, self.bound, self._tells = problem, bound, tells
        self.cuts = Cuts(bound)
        self._sets = HittingSets(problem.costs, problem.clock)
        self._random = np.random.default_rng(SEED)

    def run(self, upper: float) -> BoolArray | None:
        """Add cuts until every set within the bound is proven to cost at least `upper`, and return None.

        Else return the cheapest set that is not proven to be beyond the bound.
        """
        features = np.zeros(self.problem.n_features, np.bool_)
        while self._is_beyond(features):
            self._cut(features)
            features, lower = self._sets.cheapest()
            self.cuts.lower = max(self.cuts.lower, lower)
            if self._tells:
                self.problem.tell_bound(min(self.cuts.lower, upper))
            if reaches(self.cuts.lower, upper):
                return None
        return features

    def _is_beyond(self, features: BoolArray) -> bool:
        """Tell whether the dual vector proves that the least error on a set is beyond the bound."""
        return not self.problem.keeps(float(self.problem.solve(features).dual.sum()), self.bound)

    def _cut(self, features: BoolArray) -> None:
        """Make several cuts from a set that is beyond the bound."""
        gains = self.problem.gains(self.problem.solve(features))
        for number in range(N_ORDERS):
            noisy = gains * np.exp(NOISE * self._random.standard_normal(len(gains))) if number else gains
            outside = np.argsort(noisy, kind="stable")
            grown = self._grow(features, outside[~features[outside]])
            if not any((~grown == cut).all() for cut in self.cuts.masks):
                self.cuts.masks.append(~grown)
                self.cuts.certificates.append(
                    error_certificate(self.problem, grown, self.problem.solve(grown))
                )
                self._sets.add(~grown)

    def _grow(self, features: BoolArray, order: IntArray) -> BoolArray:
        """Add features in order, many at once if the set stays beyond the bound."""
        half = len(order) // 2
        for part in (order[:half], order[half:]):
            if not len(part):
                continue
            larger = features.copy()
            larger[part] = True
            if self._is_beyond(larger):
                features = larger
            elif len(part) > 1:
                features = self._grow(features, part)
        return features


def reaches(lower: float, cost: float) -> bool:
    """Tell whether a lower bound equals a cost, as far as floating point can tell."""
    return lower >= cost * (1 - SAME)


def _model(costs: FloatArray) -> object:
    """Build a program without rows: one 0/1 variable for each feature."""
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(costs), 0
    model.col_cost_, model.col_lower_, model.col_upper_ = costs, np.zeros(len(costs)), np.ones(len(costs))
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(costs)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.zeros(len(costs) + 1, np.int32)
    return model
