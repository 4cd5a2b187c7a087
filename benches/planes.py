"""Hold the search for planes against its floors, and against the same search over SciPy's LPs.

Run ``python -m benches.planes`` from the root of the repository, with ``TREEWRIGHT_DATA`` naming the folder
of data sets. Seconds are CPU seconds on one thread, the median of some runs. Floors are scaled by the
yardstick of `benches.speed`. The exit code is 1 if any floor is missed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from treewright import Dataset, RobustLinearClassifier, datasets
from treewright.planes import published
from treewright.planes.problem import ErrorSolution, Incumbent, PlaneProblem
from treewright.planes.published import CountSearch, Lines, SizeSolution

from .speed import YARDSTICK, yardstick

LEAST_RATIO = 3.0
"""Of the search over cold LPs to the search as it is."""

PERTURBATIONS = (0.0, 0.02)

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A measure with the seconds it may take."""

    name: str
    floor: float
    seconds: Callable[[], float]
    n_runs: int = 5


def _complete(name: str) -> tuple[FloatArray, FloatArray]:
    """Return the rows without missing values, the first class against all others."""
    data = datasets.load(name)
    X = np.column_stack([data.column(i) for i in range(data.n_features)])
    whole = ~np.isnan(X).any(axis=1)
    return X[whole], data.target[whole] > 0


def _votes() -> tuple[FloatArray, FloatArray]:
    """Return yea, nay and neither as 2, -2 and 0."""
    data: Dataset = datasets.load("vote")
    codes = np.column_stack([data.column(i) for i in range(data.n_features)])
    return np.select([codes == 1, codes == 0], [2.0, -2.0], 0.0), data.target


def _drawn(n_rows: int, n_features: int) -> tuple[FloatArray, FloatArray]:
    """Draw neighbours that resemble each other, twenty of which matter."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features))
    X[:, 1:] += 0.5 * X[:, :-1]
    weights = np.zeros(n_features)
    weights[rng.choice(n_features, 20, replace=False)] = rng.normal(size=20)
    return X, X @ weights + np.linalg.norm(weights) * rng.normal(size=n_rows) > 0


SETS: dict[str, Callable[[], tuple[FloatArray, FloatArray]]] = {
    "heart": lambda: _complete("heart-cleveland"),
    "cancer": lambda: _complete("breast-w"),
    "house": _votes,
    "sonar": lambda: _complete("sonar"),
    "1979 x 147": lambda: _drawn(1979, 147),
    "10000 x 150": lambda: _drawn(10_000, 150),
}


@cache
def _set(name: str) -> tuple[FloatArray, FloatArray]:
    return SETS[name]()


def _problem(name: str, perturbation: float, kind: Any = PlaneProblem) -> PlaneProblem:
    X, y = _set(name)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    problem: PlaneProblem = kind(Z, np.where(y, 1.0, -1.0), np.ones(len(y)), perturbation=perturbation)
    return problem


class _ColdProblem(PlaneProblem):
    """The LPs as SciPy takes them, each from a cold start."""

    def matrices(self) -> tuple[FloatArray, FloatArray, list[tuple[float | None, float | None]]]:
        """Return rows, costs and limits: of errors, of weights above and below 0, of the offset."""
        n_rows, n_columns = self.Z.shape
        signed = self.sign[:, None] * self.Z
        rows = np.hstack([-np.eye(n_rows), -signed, signed, self.sign[:, None]])
        penalty = np.full(2 * n_columns, self.perturbation)
        costs = np.concatenate([self.cap, penalty, [0.0]])
        return rows, costs, [(0, None)] * (n_rows + 2 * n_columns) + [(None, None)]

    def solve_penalised(self, penalty: FloatArray) -> ErrorSolution:
        """Find a plane of least error, columns of infinite penalty left out."""
        self.n_lps += 1
        rows, costs, limits = self.matrices()
        n_rows, n_columns = self.Z.shape
        for column in np.flatnonzero(np.isinf(penalty)):
            limits[n_rows + column] = limits[n_rows + n_columns + column] = (0, 0)
        found = linprog(costs, A_ub=rows, b_ub=-np.ones(n_rows), bounds=limits, method="highs")
        weights, offset = self.plane(found.x)
        return ErrorSolution(self.error(weights, offset), weights, offset, -found.ineqlin.marginals)

    def plane(self, solution: FloatArray) -> tuple[FloatArray, float]:
        """Return weights and offset."""
        n_rows, n_columns = self.Z.shape
        up, down = solution[n_rows : n_rows + n_columns], solution[n_rows + n_columns : -1]
        return up - down, float(solution[-1])


def _cold_smallest(lines: Lines, bound: float, c: FloatArray) -> SizeSolution:
    """Solve the LP of least size within a bound as it is written, in one go."""
    problem = lines.problem
    assert isinstance(problem, _ColdProblem)
    problem.n_lps += 1
    rows, costs, limits = problem.matrices()
    n_rows = len(problem.Z)
    found = linprog(
        np.concatenate([np.zeros(n_rows), c, c, [0.0]]),
        A_ub=np.vstack([rows, costs]),
        b_ub=np.append(-np.ones(n_rows), bound + 1e-9),
        bounds=limits,
        method="highs",
    )
    return SizeSolution(found.fun, *problem.plane(found.x), 0.0, c, -found.ineqlin.marginals[:-1])


def _run(problem: PlaneProblem) -> int:
    """Run the paper's search; return how many features it found."""
    bound = 1.1 * problem.full.error
    search = CountSearch(problem, bound, Incumbent(problem, bound))
    search.run()
    return int(search.incumbent.cost)


def _search(name: str, perturbation: float, kind: Any = PlaneProblem) -> Callable[[], float]:
    def seconds() -> float:
        _set(name)
        started = time.process_time()
        _run(_problem(name, perturbation, kind))
        return time.process_time() - started

    return seconds


def _fit(name: str, perturbation: float) -> Callable[[], float]:
    def seconds() -> float:
        X, y = _set(name)
        started = time.process_time()
        RobustLinearClassifier(perturbation=perturbation, search="paper").fit(X, y)
        return time.process_time() - started

    return seconds


def _first_lp(name: str, perturbation: float) -> Callable[[], float]:
    def seconds() -> float:
        problem = _problem(name, perturbation)
        started = time.process_time()
        _ = problem.full
        return time.process_time() - started

    return seconds


def _proof(name: str, perturbation: float) -> Callable[[], float]:
    def seconds() -> float:
        X, y = _set(name)
        started = time.process_time()
        model = RobustLinearClassifier(perturbation=perturbation, prove=True).fit(X, y)
        assert model.status_ == "optimal"
        return time.process_time() - started

    return seconds


CASES = (
    *(
        Case(f"{name}, perturbation {share}, paper's search, whole fit", floor, _fit(name, share))
        for name, floor in (("heart", 0.05), ("cancer", 0.05), ("house", 0.05), ("sonar", 0.15))
        for share in PERTURBATIONS
    ),
    *(
        Case(f"{name}, perturbation {share}, exchanges and proof, whole fit", 30.0, _proof(name, share), 1)
        for name in ("heart", "cancer", "house")
        for share in PERTURBATIONS
    ),
    *(
        Case(f"{name}, perturbation {share}, first LP", floor, _first_lp(name, share), 3)
        for name, floor in (("1979 x 147", 0.5), ("10000 x 150", 4.0))
        for share in PERTURBATIONS
    ),
)


def _measured(cases: tuple[Case, ...]) -> Iterator[bool]:
    factor = max(1.0, yardstick() / YARDSTICK)
    for case in cases:
        seconds = median(case.seconds() for _ in range(case.n_runs))
        holds = seconds <= case.floor * factor
        verdict = "ok" if holds else "MISSED"
        print(f"{case.name:58} {1e3 * seconds:9.2f} ms, floor {1e3 * case.floor * factor:9.1f} ms  {verdict}")
        yield holds


def _ratios() -> Iterator[bool]:
    """Print how many times faster the search is than over cold LPs, taking turns."""
    for name in ("heart", "cancer", "house", "sonar"):
        for share in PERTURBATIONS:
            own, cold = [], []
            for _ in range(3):
                own.append(_search(name, share)())
                usual, published.smallest_plane = published.smallest_plane, _cold_smallest
                try:
                    cold.append(_search(name, share, _ColdProblem)())
                finally:
                    published.smallest_plane = usual
            ratio = median(cold) / median(own)
            verdict = "ok" if ratio >= LEAST_RATIO else "MISSED"
            times = f"warm {1e3 * median(own):7.1f} ms, cold {1e3 * median(cold):8.1f} ms"
            print(f"{name}, perturbation {share}: {times}, {ratio:5.1f} x  {verdict}")
            yield ratio >= LEAST_RATIO


def main() -> int:
    """Measure everything, return the exit code."""
    return 0 if all([*_measured(CASES), *_ratios()]) else 1


if __name__ == "__main__":
    sys.exit(main())
