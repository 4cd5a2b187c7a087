"""Proofs of LP values that anybody can check: dual vectors, one number a row.

For penalties p, caps u and signs s, a vector a with ``0 <= a_i <= u_i``, ``sum_i s_i a_i = 0`` and
``|sum_i s_i a_i z_ij| <= p_j`` for every column of finite penalty proves that no plane has
``sum_i u_i (1 - s_i (w z_i - g))_+ + sum_j p_j |w_j|`` below ``sum_i a_i``. Checking takes one pass over the
rows and no solver.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.planes.bounded_l1 import Smallest
from treewright.planes.problem import (
    FloatArray,
    Mask,
    PlaneProblem,
    Solved,
)

CLOSE = 1e-7
"""Within which a checked value has to agree (absolute and relative)."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """A value of an LP with the dual vector that proves it.

    Attributes
    ----------
    value : float
        What is proven: no plane has less.
    penalty : ndarray of shape (n_columns,)
        What a weight of 1 costs in each column; infinite where the column is left out.
    dual : ndarray of shape (n_rows,)
        One multiplier a row.
    multiplier : float or None
        For a size within a bound, what one unit of error is worth; None for an error.
    bound : float
        The bound on the error, for a size.
    """

    value: float
    penalty: FloatArray
    dual: FloatArray
    multiplier: float | None = None
    bound: float = 0.0

    def proven(self) -> float:
        """Return the value that the dual vector gives, if it is feasible."""
        total = float(self.dual.sum())
        if self.multiplier is None:
            return total
        return self.multiplier * (total - self.bound)

    def violation(self, Z: FloatArray, sign: FloatArray, cap: FloatArray) -> float:
        """Return by how much the dual vector breaks its conditions; 0 if it breaks none.

        Parameters
        ----------
        Z : ndarray of shape (n_rows, n_columns)
            Rows in scaled units.
        sign : ndarray of shape (n_rows,)
            1 in class A, -1 in class B.
        cap : ndarray of shape (n_rows,)
            What an error of 1 costs in each row.
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


def of_solved(problem: PlaneProblem, features: Mask, solved: Solved) -> Certificate:
    """Certify the least error on a set of features."""
    penalty = np.where(features[problem.feature_of], problem.perturbation, np.inf)
    return Certificate(solved.error, penalty, solved.dual)


def of_smallest(plane: Smallest, bound: float) -> Certificate:
    """Certify the least weighted size within a bound."""
    return Certificate(plane.size, plane.penalty, plane.dual, plane.multiplier, bound)
