"""Fewer features than the paper's search finds: leave out, and exchange one for another.

Leaving out goes on as long as the bound is kept. Then each of the best sets with one feature fewer, all of
them beyond the bound, is improved by exchanges; as soon as one keeps the bound the features have become
fewer, and all begins again. What may come in for a feature that goes is ranked by how much it breaks the
bounds of the dual solution without it: few candidates suffice. Features that cost differently are handled
in the same way, with the costs of a set in place of its size.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.planes.incumbent import Incumbent
from treewright.planes.problem import (
    Mask,
    PlaneProblem,
    Solved,
)

N_STARTS = 4
"""Sets with one feature fewer that are improved."""

N_CANDIDATES = 6
"""Features that are tried in the place of one."""

LOWER = 1e-9
"""An exchange has to lower the error by more than this (absolute and relative)."""

EQUAL_RAISE = 1e-10
"""Raises of the error that count as the same: the least sum of weights decides."""


def leave_out(problem: PlaneProblem, features: Mask, bound: float) -> Mask:
    """Leave features out one by one, each time the one that raises the error least, within the bound."""
    while True:
        features = problem.support(problem.solve(features).weights)
        smaller = cheapest_removal(problem, features, bound)
        if smaller is None:
            return features
        features = smaller


def cheapest_removal(problem: PlaneProblem, features: Mask, bound: float) -> Mask | None:
    """Return the set without the feature whose removal raises the error least for what it costs."""
    now = problem.solve(features).error
    best, best_key = None, (np.inf, np.inf)
    for feature in np.flatnonzero(features).tolist():
        smaller = without(features, feature)
        solved = problem.solve(smaller)
        if not problem.keeps(solved.error, bound):
            continue
        raised = max(0.0, solved.error - now) / max(problem.costs[feature], EQUAL_RAISE)
        key = (round(raised / EQUAL_RAISE), float(np.abs(solved.weights).sum()))
        if key < best_key:
            best, best_key = smaller, key
    return best


class ExchangeSearch:
    """Shrink sets that keep a bound; `incumbent` gets what is found.

    Parameters
    ----------
    problem : PlaneProblem
    incumbent : Incumbent
        Holds the bound and the best set.
    """

    def __init__(self, problem: PlaneProblem, incumbent: Incumbent) -> None:
        self.problem, self.incumbent = problem, incumbent

    def run(self, starts: list[Mask]) -> None:
        """Leave out from every start, then exchange until nothing gets cheaper, then lower the error."""
        for start in starts:
            self.incumbent.offer(leave_out(self.problem, start, self.incumbent.bound))
        while self._shrink():
            pass
        self._polish()

    def _shrink(self) -> bool:
        """Look for a cheaper set by exchanges; tell whether there was one."""
        best, cost = self.incumbent.features, self.incumbent.cost
        if best is None or cost <= 0:
            return False
        smaller = [without(best, feature) for feature in np.flatnonzero(best).tolist()]
        smaller.sort(key=lambda features: self.problem.solve(features).error)
        for start in smaller[:N_STARTS]:
            found = exchange(self.problem, start, cost * (1 - LOWER), self.incumbent.bound)
            if self.incumbent.bound_kept(found) and self.problem.cost(found) < cost:
                self.incumbent.offer(leave_out(self.problem, found, self.incumbent.bound))
                return True
        return False

    def _polish(self) -> None:
        if self.incumbent.features is not None:
            self.incumbent.offer(exchange(self.problem, self.incumbent.features, self.incumbent.cost))


def exchange(problem: PlaneProblem, features: Mask, most: float, enough: float = 0.0) -> Mask:
    """Lower the error of a set by exchanging features, at a cost of at most so much.

    Parameters
    ----------
    problem : PlaneProblem
    features : ndarray of bool
        Where to begin.
    most : float
        What the set may cost.
    enough : float, default=0.0
        An error that ends the search.

    Returns
    -------
    features : ndarray of bool
        No exchange of those tried lowers its error, or it is low enough.
    """
    while not problem.keeps(problem.solve(features).error, enough):
        better = _first_better(problem, features, most)
        if better is None:
            return features
        features = better
    return features


def _first_better(problem: PlaneProblem, features: Mask, most: float) -> Mask | None:
    now = problem.solve(features).error
    target = now - LOWER * (1 + now)
    for rest in _rests(problem, features, most):
        solved = problem.solve(rest)
        room = most - problem.cost(rest)
        for candidate in candidates(problem, rest, solved, room, but=features):
            larger = with_one(rest, candidate)
            if problem.solve(larger).error < target:
                return larger
    return None


def _rests(problem: PlaneProblem, features: Mask, most: float) -> Iterator[Mask]:
    """Yield what another feature may join: the set where there is room, then the set without one."""
    cheapest = problem.costs[~features].min(initial=np.inf)
    if problem.cost(features) + cheapest <= most:
        yield features
    rests = [without(features, feature) for feature in np.flatnonzero(features).tolist()]
    yield from sorted(rests, key=lambda rest: problem.solve(rest).error)


def candidates(
    problem: PlaneProblem, features: Mask, solved: Solved, room: float, but: Mask, most: int = N_CANDIDATES
) -> list[int]:
    """Return the features that promise most if they join a set, none of `but` among them."""
    gains = np.where(but | features | (problem.costs > room), 0.0, problem.gains(solved))
    order = np.argsort(-gains, kind="stable")[:most]
    return [int(feature) for feature in order if gains[feature] > LOWER]


def without(features: Mask, feature: int) -> Mask:
    """Return a set without one of its features."""
    smaller = features.copy()
    smaller[feature] = False
    return smaller


def with_one(features: Mask, feature: int) -> Mask:
    """Return a set with one feature more."""
    larger = features.copy()
    larger[feature] = True
    return larger
