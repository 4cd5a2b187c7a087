"""The plane of least weighted size within a bound on the error.

Minimise ``sum_j c_j |w_j|`` over the planes of error at most delta: step 1 of the paper's Frank-Wolfe method.
The bound goes into the objective with a multiplier, which leaves an error LP with a penalty of its own for
every column. Each plane bounds the concave function of the multiplier by a line; a secant on the two lines
that meet at its top, one of a plane within the bound and one of a plane beyond it, ends after a few LPs with
the exact value. The answer is the mixture of the two planes that meets the bound.

Planes known from earlier LPs give lines too, whatever c is: the secant starts where theirs meet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.planes.problem import (
    FloatArray,
    PlaneProblem,
    Solved,
)

MEETS = 1e-10
"""Lines that meet within so much (absolute and relative) meet; the same for an error at its bound."""

KEPT = 64
"""Planes whose lines are kept."""

MOST_STEPS = 200
"""More steps than any secant takes: a stop against endless rounding, as is a pair that comes twice."""


@dataclass(frozen=True, eq=False)
class Smallest:
    """The plane of least weighted size within a bound, and its proof.

    Attributes
    ----------
    size : float
        The value of the LP.
    weights : ndarray of shape (n_columns,)
    offset : float
    multiplier : float
        What one unit of error is worth; 0 if the bound asks for no size.
    penalty : ndarray of shape (n_columns,)
        Penalties under which `dual` is feasible.
    dual : ndarray of shape (n_rows,)
        Proves the value: ``multiplier * (sum(dual) - bound)`` is the size.
    """

    size: float
    weights: FloatArray
    offset: float
    multiplier: float
    penalty: FloatArray
    dual: FloatArray


class Lines:
    """Planes that were found so far: sizes of their columns and their errors."""

    def __init__(self, problem: PlaneProblem) -> None:
        self.problem = problem
        self.planes: list[Solved] = []
        self._sizes: list[FloatArray] = []

    def add(self, plane: Solved) -> None:
        """Keep a plane."""
        self.planes.append(plane)
        self._sizes.append(np.abs(plane.weights))

    def forget(self) -> None:
        """Let the oldest go where there are many."""
        del self.planes[:-KEPT], self._sizes[:-KEPT]

    def best_pair(self, c: FloatArray, bound: float) -> tuple[Solved, Solved]:
        """Return the planes beyond and within the bound whose lines meet at the top of all lines."""
        sizes = np.array(self._sizes) @ c
        excess = np.array([plane.error for plane in self.planes]) - bound
        right, left = _top(sizes, excess, excess <= MEETS * (1 + bound))
        return self.planes[left], self.planes[right]


def _top(sizes: FloatArray, excess: FloatArray, within: np.ndarray) -> tuple[int, int]:
    """Find where the lower envelope of lines ``size + multiplier * excess`` is highest."""
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


def smallest_plane(lines: Lines, bound: float, c: FloatArray) -> Smallest:
    """Solve the LP for one weighting of the columns.

    Parameters
    ----------
    lines : Lines
        Planes of the problem so far; those found on the way are added.
    bound : float
        Most error; at least that of the best plane on all features.
    c : ndarray of shape (n_columns,)
        What a weight of 1 counts in each column, at least 0; infinity leaves it out.
    """
    problem = lines.problem
    free = _on_free_columns(problem, c)
    if problem.keeps(free.error, bound):
        return Smallest(0.0, free.weights, free.offset, 0.0, _penalty(problem, c, 0.0), free.dual)
    allowed = np.isfinite(c)
    finite = np.where(allowed, c, 0.0)
    own = Lines(problem) if not allowed.all() else lines
    own.forget()
    own.add(free)
    own.add(_best_on(problem, allowed))
    return _secant(own, bound, finite, allowed)


def _on_free_columns(problem: PlaneProblem, c: FloatArray) -> Solved:
    counted = problem.per_feature((c > 0).astype(np.float64)) > 0
    return problem.solve(~counted)


def _best_on(problem: PlaneProblem, allowed: np.ndarray) -> Solved:
    return problem.solve(problem.per_feature((~allowed).astype(np.float64)) == 0)


def _penalty(problem: PlaneProblem, c: FloatArray, multiplier: float) -> FloatArray:
    if multiplier == 0:
        return np.where(c > 0, np.inf, problem.perturbation)
    return problem.perturbation + c / multiplier


def _secant(lines: Lines, bound: float, c: FloatArray, allowed: np.ndarray) -> Smallest:
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
    return _mixture(problem, bound, c, pair, multiplier, penalty, lowest)


def _mixture(
    problem: PlaneProblem,
    bound: float,
    c: FloatArray,
    pair: tuple[Solved, Solved],
    multiplier: float,
    penalty: FloatArray,
    at_top: Solved,
) -> Smallest:
    """Mix the planes on both sides of the bound so that they meet it."""
    left, right = pair
    t = float(np.clip((bound - right.error) / (left.error - right.error), 0, 1))
    weights = t * left.weights + (1 - t) * right.weights
    offset = t * left.offset + (1 - t) * right.offset
    return Smallest(float(c @ np.abs(weights)), weights, offset, multiplier, penalty, at_top.dual)
