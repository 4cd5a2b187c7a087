"""The paper's search over the number of features: Algorithm 4.2, with what it leaves open decided.

Each subproblem starts from the features of the largest weights of the one before it, the first from those of
the best plane. Whether it succeeded is not read from the weight outside but from the error LP on the features
it chose, so that no tolerance decides. Every number of features is asked for at most once: the secant's
answer is kept between the largest that failed and the smallest that did not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from treewright.planes.bounded_l1 import Lines
from treewright.planes.certificate import Certificate, of_smallest
from treewright.planes.frank_wolfe import (
    Stationary,
    frank_wolfe,
    largest,
)
from treewright.planes.incumbent import Incumbent
from treewright.planes.problem import (
    ZERO_WEIGHT,
    FloatArray,
    Mask,
    PlaneProblem,
)

EQUAL = 1e-12
"""Two failures of the same height have no secant."""


@dataclass
class Trace:
    """One row a subproblem: number of features, weight outside, whether it is enough, LPs, seconds."""

    rows: list[tuple[int, float, bool, int, float]] = field(default_factory=list)
    certificates: list[Certificate] = field(default_factory=list)


class CountSearch:
    """The search for one problem and one bound; `incumbent` gets every set that keeps the bound.

    Parameters
    ----------
    problem : PlaneProblem
    bound : float
        Most error.
    incumbent : Incumbent
        Told of what is found.
    """

    def __init__(self, problem: PlaneProblem, bound: float, incumbent: Incumbent) -> None:
        self.problem, self.bound, self.incumbent = problem, bound, incumbent
        self.lines = Lines(problem)
        self.trace = Trace()
        self._sizes: FloatArray = problem.sizes(problem.full.weights)
        self._most = int(np.count_nonzero(self._sizes))

    def run(self) -> None:
        """Ask for one feature, then for half of them, then as secant or bisection say."""
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
            step = _secant(asked, now, failed, height)
            failed, height = asked, now
            asked = step if failed < step < self._most else rounded((failed + self._most) / 2)

    def _try(self, n_largest: int) -> float | None:
        """Run a subproblem: None if it succeeded, else the weight outside."""
        before, since = self.problem.n_lps, self.problem.clock.elapsed()
        found = frank_wolfe(self.lines, self.bound, n_largest, largest(self._sizes, n_largest))
        self._sizes = self.problem.sizes(found.plane.weights)
        chosen = self._support(found)
        enough = self.problem.keeps(self.problem.solve(chosen).error, self.bound)
        if enough:
            self._most = min(n_largest, int(np.count_nonzero(chosen)))
            self.incumbent.offer(chosen)
        seconds = self.problem.clock.elapsed() - since
        n_lps = self.problem.n_lps - before
        self.trace.rows.append((n_largest, found.outside, enough, n_lps, seconds))
        self.trace.certificates.append(of_smallest(found.plane, self.bound))
        return None if enough else found.outside

    def _support(self, found: Stationary) -> Mask:
        chosen: Mask = found.features & (self._sizes > ZERO_WEIGHT * max(1.0, self._sizes.max(initial=0)))
        return chosen


def _secant(asked: int, now: float, failed: int, height: float) -> int:
    """Return where the line through two failures reaches 0; -1 if it is level."""
    if abs(now - height) <= EQUAL:
        return -1
    step = asked - now * (asked - failed) / (now - height)
    return rounded(min(max(step, -1.0), 1e9))


def rounded(x: float) -> int:
    """Round half up."""
    return math.floor(x + 0.5)
