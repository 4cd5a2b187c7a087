"""From rows to a plane in raw units: merge, scale, drop what is constant, select, go back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from treewright._base.clock import Clock
from treewright.planes.copies import without_copies
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import FloatArray, PlaneProblem
from treewright.planes.rows import Rows
from treewright.planes.scaling import Scaling
from treewright.planes.select import (
    Selected,
    final_plane,
    select,
    useless,
)
from treewright.planes.threshold import shift_off_rows


@dataclass(frozen=True, eq=False)
class RawPlane:
    """A plane in raw units, seen from the centre of the rows, where rounding does least harm.

    Attributes
    ----------
    coef : ndarray of shape (n_columns,)
    level : float
        Score of the centre.
    shift : float
        How far the plane is moved off the rows that are on it; part of scores, not of `level`.
    error : float
        Of the plane before it is moved, penalty included.
    centre : ndarray of shape (n_columns,)
        Means of the columns; they stand for missing values.
    """

    coef: FloatArray
    level: float
    shift: float
    error: float
    centre: FloatArray

    @property
    def intercept(self) -> float:
        """Score of the origin: class A is where ``X @ coef + intercept`` is above 0."""
        return self.level - self.shift - float(self.coef @ self.centre)

    def scores(self, X: FloatArray) -> FloatArray:
        """Return the signed scores of rows in raw units, above 0 in class A."""
        used = np.flatnonzero(self.coef)
        away = X[:, used] - self.centre[used]
        scores: FloatArray = np.where(np.isnan(away), 0.0, away) @ self.coef[used] + (self.level - self.shift)
        return scores

    def error_rate(self, rows: Rows) -> float:
        """Return the share of the weight of rows that is on the wrong side."""
        wrong = (self.scores(rows.X) > 0) != rows.in_a
        return float(rows.weight[wrong].sum() / rows.weight.sum())


class ScaledProblem:
    """Some rows with the LPs they lead to.

    Parameters
    ----------
    rows : Rows
        Both classes occur.
    options : PlaneOptions
    clock : Clock
    """

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
            clock=clock,
        )

    def select(self) -> Selected:
        """Choose features as the options say."""
        if not len(self.columns):
            return useless(self.problem, self.options)
        return select(self.problem, self.options)

    def plane(self, selected: Selected) -> RawPlane:
        """Return the plane on the chosen features in raw units.

        An error above its bound, or above that of no features, by rounding only is the bound.
        """
        weights, offset = final_plane(self.problem, self.options, selected)
        raw = self._raw(weights, offset)
        most = min(selected.bound, self.problem.null_error)
        if raw.error > most and self.problem.keeps(raw.error, most):
            return replace(raw, error=most)
        return raw

    def plane_of_size(self, selected: Selected, size: int) -> RawPlane:
        """Return the plane of the best set of so many features."""
        return self.plane(self.at_size(selected, size))

    def at_size(self, selected: Selected, size: int) -> Selected:
        """Make the best set of so many features the chosen one."""
        if selected.sets is not None:
            selected.features, selected.solved = selected.sets.best(size)
        return selected

    def _raw(self, weights: FloatArray, offset: float) -> RawPlane:
        shift = shift_off_rows(self.Z, self.rows.in_a, self.rows.weight, weights, offset)
        everywhere = np.zeros(len(self.scaling.centre))
        everywhere[self.columns] = weights
        error = self.problem.error(weights, offset)
        coef = everywhere / self.scaling.scale
        return RawPlane(coef, -offset, shift, error, self.scaling.centre)
