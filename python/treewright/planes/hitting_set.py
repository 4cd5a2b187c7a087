"""The proof that no fewer features do: an implicit hitting set.

A set of features whose least error is beyond the bound proves that every set within the bound has a feature
outside of it. Grown as far as it stays beyond, what is left outside is a cut: one of these few features is
needed. The cheapest set that has a feature of every cut is a lower bound at every moment; if it keeps the
error bound it is the cheapest of all, and if not it is grown to one more cut.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treewright._base.clock import Clock
from treewright.planes.certificate import Certificate, of_solved
from treewright.planes.highs import Highs, load_highspy
from treewright.planes.problem import (
    FloatArray,
    Mask,
    PlaneProblem,
)

N_ORDERS = 4
"""Cuts made of one set: one in the order of the gains, the others in orders shaken a little."""

SHAKING = 1.0
"""Standard deviation of the logarithm of what gains are multiplied by."""

SEED = 0

WHOLE = 1e-6
"""The solver's value of a whole number is that close to it; costs that are not whole are known as well as
that, measured by the largest."""

SAME = 1e-12
"""Sums of costs within so much (relative) are equal: rounding."""


@dataclass
class Cuts:
    """Sets of features of which one is needed each, with the proof for every one.

    Attributes
    ----------
    bound : float
        The most error that each set left out by a cut is proven to exceed.
    lower : float
        What every set with a feature of each cut costs at least.
    masks : list of ndarray of bool
    certificates : list of Certificate
    """

    bound: float = math.inf
    lower: float = 0.0
    masks: list[Mask] = field(default_factory=list)
    certificates: list[Certificate] = field(default_factory=list)


class HittingSets:
    """The cheapest set with a feature of every cut, one cut after the other.

    Parameters
    ----------
    costs : ndarray of shape (n_features,)
    clock : Clock
    """

    def __init__(self, costs: FloatArray, clock: Clock) -> None:
        self.costs = costs
        self._whole = bool((costs == np.rint(costs)).all())
        self._unit = 1.0 if self._whole else float(costs.max())
        gap = {"presolve": "choose", "solver": "choose", "mip_rel_gap": 0.0, "mip_abs_gap": WHOLE / 10}
        self._highs = Highs(_model(costs / self._unit), clock, is_long=True, **gap)

    def add(self, cut: Mask) -> None:
        """Ask for a feature of one more set."""
        inside = np.flatnonzero(cut).astype(np.int32)
        self._highs.solver.addRow(1.0, np.inf, len(inside), inside, np.ones(len(inside)))

    def cheapest(self) -> tuple[Mask, float]:
        """Return a cheapest set and a bound on the costs of all.

        Where costs are whole the bound is theirs. Otherwise it is the cost of the set, if the solver proves
        that to a millionth of the largest cost.
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
    """Cuts for one problem and one bound on the error, and what they prove.

    Parameters
    ----------
    problem : PlaneProblem
    bound : float
        Most error.

    Attributes
    ----------
    cuts : Cuts
        Their `lower` is what every set within the bound costs at least, at every moment.
    """

    def __init__(self, problem: PlaneProblem, bound: float) -> None:
        self.problem, self.bound = problem, bound
        self.cuts = Cuts(bound)
        self._sets = HittingSets(problem.costs, problem.clock)
        self._random = np.random.default_rng(SEED)

    def run(self, upper: float) -> Mask | None:
        """Add cuts until every set within the bound is proven to cost at least `upper`.

        Returns
        -------
        features : ndarray of bool or None
            A cheaper set that is not proven to be beyond the bound, the cheapest there is; None if there is
            none.
        """
        features = np.zeros(self.problem.n_features, np.bool_)
        while True:
            if not self._is_beyond(features):
                return features
            self._cut(features)
            features, lower = self._sets.cheapest()
            self.cuts.lower = max(self.cuts.lower, lower)
            if reaches(self.cuts.lower, upper):
                return None

    def _is_beyond(self, features: Mask) -> bool:
        """Tell whether the least error on a set is proven to be beyond the bound, by its dual vector."""
        return not self.problem.keeps(float(self.problem.solve(features).dual.sum()), self.bound)

    def _cut(self, features: Mask) -> None:
        """Grow a set that is beyond the bound to several cuts."""
        gains = self.problem.gains(self.problem.solve(features))
        for number in range(N_ORDERS):
            shaken = gains * np.exp(SHAKING * self._random.standard_normal(len(gains))) if number else gains
            outside = np.argsort(shaken, kind="stable")
            grown = self._grow(features, outside[~features[outside]])
            if not any((~grown == cut).all() for cut in self.cuts.masks):
                self.cuts.masks.append(~grown)
                self.cuts.certificates.append(of_solved(self.problem, grown, self.problem.solve(grown)))
                self._sets.add(~grown)

    def _grow(self, features: Mask, order: np.ndarray) -> Mask:
        """Add features in order, many at once where that stays beyond the bound."""
        half = len(order) // 2
        parts = [order[:half], order[half:]] if len(order) > 1 else [order]
        for part in parts:
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
    """Tell whether a bound on costs is as large as a cost, as far as floating point can tell."""
    return lower >= cost * (1 - SAME)


def _model(costs: FloatArray) -> Any:
    """Build a program without rows: one 0/1 variable a feature."""
    highspy = load_highspy()
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(costs), 0
    model.col_cost_, model.col_lower_, model.col_upper_ = costs, np.zeros(len(costs)), np.ones(len(costs))
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(costs)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.zeros(len(costs) + 1, np.int32)
    return model
