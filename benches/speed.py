"""Hold the searches against the figures of speed they promise.

Run ``python -m benches.speed [PATTERN ...]`` from the root of the repository, with ``TREEWRIGHT_DATA``
naming the folder of data sets. Figures are CPU seconds of one thread, the median of some runs. Beside them
stands the yardstick, scikit-learn's full entropy tree of `letter` in the same run: where it takes longer
than the 0.080 s of the machine that the floors were set on, the floors are longer in proportion. The exit
code is 1 if any floor is missed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from statistics import median
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from treewright import CompleteSearchSelector, Dataset, GreedyTreeClassifier, datasets
from treewright.distinct import count_distinct_trees
from treewright.tables import DecisionTable

YARDSTICK = 0.080


@dataclass(frozen=True)
class Case:
    """A search with the CPU seconds it may take.

    Attributes
    ----------
    name : str
        What patterns are matched against.
    floor : float
        CPU seconds on the machine of the yardstick.
    prepare : callable
        Makes the search, a callable without arguments; not part of the time.
    n_runs : int, default=5
        Runs that the median is taken of.
    """

    name: str
    floor: float
    prepare: Callable[[], Callable[[], Any]]
    n_runs: int = 5


def _count(name: str, *, min_samples_split: float, **options: Any) -> Callable[[], Callable[[], Any]]:
    def prepare() -> Callable[[], Any]:
        data = datasets.load(name)
        estimator = GreedyTreeClassifier(min_samples_split=min_samples_split)
        return lambda: count_distinct_trees(data, estimator=estimator, **options)

    return prepare


def _complete(name: str, *, min_samples_split: float) -> Callable[[], Callable[[], Any]]:
    def prepare() -> Callable[[], Any]:
        data = datasets.load(name)
        estimator = GreedyTreeClassifier(min_samples_split=min_samples_split)
        return lambda: CompleteSearchSelector(estimator=estimator, random_state=0).fit(data).search_

    return prepare


@cache
def _table(name: str) -> DecisionTable:
    data = datasets.load(name)
    numbers = any(kind == "numeric" for kind in data.kinds)
    if numbers:  # a few distinct numbers are values like any others
        columns = [_as_values(data, position) for position in range(data.n_features)]
        return DecisionTable(np.column_stack(columns), _decisions(data), on_conflict="most_common")
    return DecisionTable.from_data(data, on_conflict="most_common")


def _as_values(data: Dataset, position: int) -> np.ndarray[Any, Any]:
    levels = data.levels[position]
    column = data.column(position)
    if levels is None:
        return np.array(["?" if np.isnan(value) else repr(value) for value in column], dtype=object)
    return np.array(["?" if code < 0 else levels[code] for code in column], dtype=object)


def _decisions(data: Dataset) -> np.ndarray[Any, Any]:
    return np.asarray(data.classes)[data.target]


def _graph(name: str) -> Callable[[], Callable[[], Any]]:
    return lambda: lambda: _table(name).subtable_graph()


def _minimum(name: str, cost: str) -> Callable[[], Callable[[], Any]]:
    return lambda: lambda: _table(name).minimum_tree(cost)


CASES = (
    Case("distinct-anneal-16", 1.2, _count("anneal-orig", min_samples_split=16)),
    Case("distinct-anneal-8", 1.6, _count("anneal-orig", min_samples_split=8)),
    Case("distinct-ionosphere-16", 20, _count("ionosphere", min_samples_split=16, validation_set=0.3), 1),
    Case(
        "distinct-soybean-8, 3 million trees",
        1.0,
        _count("soybean", min_samples_split=8, node_limit=3_000_000),
    ),
    Case("distinct-adult-4096", 8, _count("adult", min_samples_split=4096), 1),
    Case("distinct-adult-2", 300, _count("adult", min_samples_split=2), 1),
    Case("complete-ionosphere-16", 1.5, _complete("ionosphere", min_samples_split=16)),
    Case("complete-vote-2", 0.25, _complete("vote", min_samples_split=2)),
    Case("graph-tic-tac-toe", 0.06, _graph("tic-tac-toe")),
    Case("graph-nursery", 0.15, _graph("nursery")),
    Case("graph-vote", 0.5, _graph("vote")),
    Case("graph-mushroom", 1.2, _graph("mushroom")),
    Case("graph-promoters", 3, _graph("promoters"), 3),
    Case("minimum-mushroom-depth", 0.1, _minimum("mushroom", "depth")),
    Case("minimum-mushroom-path", 0.1, _minimum("mushroom", "total_path_length")),
    Case("minimum-promoters-depth", 0.1, _minimum("promoters", "depth")),
    Case("minimum-promoters-path", 0.1, _minimum("promoters", "total_path_length")),
    Case("minimum-audiology-depth", 30, _minimum("audiology", "depth"), 1),
)


def _cpu_seconds(work: Callable[[], Any]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def yardstick() -> float:
    """CPU seconds that scikit-learn takes for its full entropy tree of `letter`."""
    data = datasets.load("letter")
    X = np.column_stack([data.column(position) for position in range(data.n_features)])
    grow = DecisionTreeClassifier(criterion="entropy", random_state=0)
    return median(_cpu_seconds(lambda: grow.fit(X, data.target)) for _ in range(5))


def main(patterns: Sequence[str]) -> int:
    """Measure the cases that match, return the exit code."""
    chosen = [case for case in CASES if any(fnmatchcase(case.name, p) for p in patterns or ["*"])]
    n_missed = 0
    for case in chosen:
        factor = max(1.0, yardstick() / YARDSTICK)
        search = case.prepare()
        seconds = median(_cpu_seconds(search) for _ in range(case.n_runs))
        floor = case.floor * factor
        n_missed += seconds > floor
        verdict = "ok" if seconds <= floor else "MISSED"
        print(f"{case.name:40} {seconds:9.3f} s, floor {floor:8.3f} s  {verdict}", flush=True)
    return int(n_missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
