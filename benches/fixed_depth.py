"""Hold the search for fixed-depth trees against its floors, and the list against exhaustive search.

Run ``python -m benches.fixed_depth`` from the root of the repository, with ``TREEWRIGHT_DATA`` naming the
folder of data sets. Seconds are CPU seconds of the search on one thread, the median of some runs, without
counting unless the name says so. Floors are scaled by the yardstick of
`benches.speed`. The exit code is 1 if any floor is missed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from statistics import median

import numpy as np

from treewright import Dataset, FixedDepthTreeClassifier, datasets
from treewright.data.training import TrainingSet
from treewright.fixed_depth import fit_many
from treewright.studies.fixed_depth.run import FixedDepthPlan, scaling_of
from treewright.trees.fixed_depth.search import best_tree
from treewright.trees.fixed_depth.task import FixedDepthTask

from .speed import YARDSTICK, yardstick

LEAST_RATIO = 10.0
"""Of exhaustive search to the list, on all features of promoters at depth 3."""


@dataclass(frozen=True)
class Case:
    """A measure with the seconds it may take."""

    name: str
    floor: float
    seconds: Callable[[], float]
    n_runs: int = 9


def _drawn(n_rows: int, n_features: int, n_values: int, seed: int = 0) -> Dataset:
    """Draw features of which every tenth leans on the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % 2
    X = rng.integers(0, n_values, (n_rows, n_features))
    leans = (np.arange(n_features) % 10 == 0) & (rng.random((n_rows, n_features)) < 0.2)
    return Dataset(np.where(leans, y[:, np.newaxis], X).astype(str), y)


def _connect_4() -> Dataset:
    """Win or not, all rows."""
    data = datasets.load("folder:connect-4")
    return Dataset(data, data.classes[data.target] == "2")


SETS: dict[str, Callable[[], Dataset]] = {
    "promoters": lambda: datasets.load("folder:promoters"),
    "connect-4": _connect_4,
    "98 x 4": lambda: _drawn(332, 98, 4),
    "400 x 2": lambda: _drawn(1000, 400, 2),
}


@cache
def _set(name: str) -> Dataset:
    return SETS[name]()


def _search(name: str, depth: int, n_calls: int = 20) -> Callable[[], float]:
    """Return what tells the CPU seconds of a search: those of a call less those of one that asks nothing."""

    def seconds() -> float:
        training = TrainingSet.of(_set(name), owner="bench")
        task = FixedDepthTask.of(FixedDepthTreeClassifier(max_depth=depth))
        bins = task.bins(training)
        spent = []
        for one in (task, task.at_depth(0)):
            started = time.process_time()
            for _ in range(n_calls):
                best_tree(training, one, bins)
            spent.append((time.process_time() - started) / n_calls)
        return spent[0] - spent[1]

    return seconds


def _fit(name: str, depth: int) -> Callable[[], float]:
    def seconds() -> float:
        data, started = _set(name), time.process_time()
        FixedDepthTreeClassifier(max_depth=depth).fit(data)
        return time.process_time() - started

    return seconds


def _bag() -> float:
    data = _set("promoters")
    weights = np.random.default_rng(0).multinomial(106, np.full(106, 1 / 106), size=1000)
    started = time.process_time()
    fit_many(data, weights)
    return time.process_time() - started


CASES = (
    Case("promoters, depth 3", 0.00025, _search("promoters", 3)),
    Case("promoters, depth 4", 0.004, _search("promoters", 4)),
    Case("connect-4, all rows, depth 4, whole fit", 0.06, _fit("connect-4", 4)),
    Case("98 features x 4 values, depth 4", 0.01, _search("98 x 4", 4)),
    Case("98 features x 4 values, depth 5", 0.08, _search("98 x 4", 5)),
    Case("400 features x 2 values, depth 4", 0.15, _search("400 x 2", 4, 3), 5),
    Case("promoters, 1000 weighted fits, depth 3", 1.0, _bag, 3),
)


def _measured(cases: tuple[Case, ...]) -> Iterator[bool]:
    factor = max(1.0, yardstick() / YARDSTICK)
    for case in cases:
        case.seconds()
        seconds = median(case.seconds() for _ in range(case.n_runs))
        holds = seconds <= case.floor * factor
        verdict = "ok" if holds else "MISSED"
        print(f"{case.name:42} {1e3 * seconds:9.3f} ms, floor {1e3 * case.floor * factor:9.3f} ms  {verdict}")
        yield holds


def _ratios() -> bool:
    """Print how many times faster the list is than exhaustive search, by number of features."""
    plan = FixedDepthPlan((3,), 3, FixedDepthTask.of(FixedDepthTreeClassifier(max_depth=3)))
    rows = list(scaling_of(_set("promoters"), plan))
    for n_features, _, slow, fast, ratio in rows:
        times = f"exhaustive {1e3 * slow:8.3f} ms, list {1e3 * fast:7.3f} ms"
        print(f"{n_features:4} features: {times}, {ratio:5.1f} x")
    return bool(rows[-1][-1] >= LEAST_RATIO)


def main() -> int:
    """Measure everything, return the exit code."""
    verdicts = [*_measured(CASES), _ratios()]
    print(f"list against exhaustive search, 57 features: {'ok' if verdicts[-1] else 'MISSED'}")
    return int(not all(verdicts))


if __name__ == "__main__":
    sys.exit(main())
