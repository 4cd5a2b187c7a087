"""What a study of distinct trees runs, step by step: counts, exhaustive growing, folds; and its tables."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.results import MESSAGES, Progress, ResultTable
from treewright.search.distinct.count import DistinctTreeCount, count_distinct_trees
from treewright.studies.common.folds import Fold, Splitting, folds_of
from treewright.studies.common.parameters import text_type
from treewright.studies.common.run import Row, Watch, run_all
from treewright.studies.selection.run import FOLD, Plan, rows_of_selections
from treewright.trees.distinct_tree import ORDERS
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.growing import Growing

SIZE = ("min_samples_split", "float64")

COUNTS = [
    SIZE,
    ("order", text_type(ORDERS)),
    ("n_distinct", "int64"),
    ("n_built", "int64"),
    ("overhead", "float64"),
    ("share", "float64"),
    ("seconds", "float64"),
    ("status", text_type(MESSAGES)),
]

DISTRIBUTION = [
    SIZE,
    ("n_features", "int64"),
    ("n_trees", "int64"),
    ("n_subsets", "object"),
    ("is_complete", "bool"),
]
"""Numbers of subsets are ints of any size."""

EXHAUSTIVE = [
    SIZE,
    ("n_grown", "int64"),
    ("seconds_grown", "float64"),
    ("seconds", "float64"),
    ("std_error", "float64"),
    ("is_estimated", "bool"),
]

LARGEST_LISTED = 20
"""Features up to which the subsets are shuffled as a list, so that none comes twice."""

LARGEST_FLOAT = 1000
"""Features beyond which 2**n is no float."""


@dataclass(frozen=True, eq=False)
class DistinctPlan:
    """What to do with one data set, checked."""

    name: str
    dataset: Dataset
    sizes: tuple[float, ...]
    orders: tuple[str, ...]
    methods: tuple[str, ...]
    growing: Mapping[str, Any]
    splitting: Splitting
    max_grown: int
    time_limit: float | None
    memory_limit: int | None

    @cached_property
    def folds(self) -> list[Fold]:
        """The folds, the same for every m."""
        return list(folds_of(self.name, self.dataset, self.splitting))

    @property
    def n_steps(self) -> int:
        """Counts, exhaustive growing and folds, for every m."""
        return len(self.sizes) * (len(self.orders) + 1 + len(self.folds))

    def growing_at(self, size: float) -> dict[str, Any]:
        """Return how trees grow at one m."""
        return {**self.growing, "min_samples_split": size}


@dataclass
class Found:
    """What the steps brought until now, each with its m."""

    counts: list[tuple[float, str, DistinctTreeCount]] = field(default_factory=list)
    exhaustive: list[tuple[float, ExhaustiveTime]] = field(default_factory=list)
    folds: list[Row] = field(default_factory=list)


class Course:
    """How many steps are done, and whether to go on."""

    def __init__(self, n_steps: int, watch: Watch) -> None:
        self._done, self._total = 0, n_steps
        self._watch = watch
        self._started = time.perf_counter()
        self._is_asked_to_stop = False

    @property
    def elapsed(self) -> float:
        """Seconds since the study began."""
        return time.perf_counter() - self._started

    @property
    def is_stopped(self) -> bool:
        """Whether steps are left out because somebody asked for it."""
        return self._is_asked_to_stop and self._done < self._total

    def step(self) -> bool:
        """Report one more step; return whether to stop."""
        self._done += 1
        progress = Progress(self._done, self._total, best=None, elapsed=self.elapsed)
        self._is_asked_to_stop |= self._watch(progress)
        return self._is_asked_to_stop


def run_steps(plan: DistinctPlan, course: Course, n_jobs: int | None) -> Found:
    """Run everything, or as much as the course allows."""
    found = Found()
    for size in plan.sizes:
        for _ in _steps_at(size, plan, found):
            if course.step():
                return found
        found.folds += _folds_at(size, plan, course, n_jobs)
        if course.is_stopped:
            break
    return found


def _steps_at(size: float, plan: DistinctPlan, found: Found) -> Iterator[None]:
    """Take the steps of one m that come one after another, on one thread, so that times compare."""
    for order in plan.orders:
        found.counts.append((size, order, _count(size, order, plan)))
        yield
    found.exhaustive.append((size, _exhaustive(size, plan)))
    yield


def _count(size: float, order: str, plan: DistinctPlan) -> DistinctTreeCount:
    return count_distinct_trees(
        plan.dataset,
        estimator=GreedyTreeClassifier(**plan.growing_at(size)),
        order=order,
        time_limit=plan.time_limit,
        memory_limit=plan.memory_limit,
        n_jobs=1,
    )


def _exhaustive(size: float, plan: DistinctPlan) -> ExhaustiveTime:
    growing = Growing.of(GreedyTreeClassifier(**plan.growing_at(size), n_jobs=1))
    training = TrainingSet.of(plan.dataset, owner="study")
    return exhaustive_time(
        training, growing, most=plan.max_grown, seed=plan.splitting.seed, time_limit=plan.time_limit
    )


def _folds_at(size: float, plan: DistinctPlan, course: Course, n_jobs: int | None) -> Iterator[Row]:
    """Run the methods on every fold; put m in front of what they found."""
    methods = Plan(plan.methods, plan.growing_at(size), plan.time_limit)
    rows, _ = run_all(plan.folds, methods, n_jobs, lambda _: course.step(), rows_of_selections)
    return ((size, *row[1:]) for row in rows)


class ExhaustiveTime(NamedTuple):
    """What it costs to grow one tree for every subset.

    Attributes
    ----------
    n_grown : int
        Subsets whose tree was grown, each from nothing.
    seconds_grown : float
        Wall clock of that.
    seconds : float
        Wall clock of all subsets: the same if all were grown, else the mean of those grown times 2**n.
    std_error : float
        Standard error of `seconds`: 0 if all were grown, NaN if that is unknown.
    is_estimated : bool
        Whether some subsets were left out.
    """

    n_grown: int
    seconds_grown: float
    seconds: float
    std_error: float
    is_estimated: bool


def exhaustive_time(
    training: TrainingSet, growing: Growing, *, most: int, seed: int, time_limit: float | None
) -> ExhaustiveTime:
    """Grow the trees of all subsets, or of `most` drawn ones, and stop when time is up."""
    n_features = training.dataset.n_features
    deadline = math.inf if time_limit is None else time.perf_counter() + time_limit
    seconds: list[float] = []
    for subset in drawn_subsets(n_features, most, seed):
        started = time.perf_counter()
        growing.grow(training, subset)
        ended = time.perf_counter()
        seconds.append(ended - started)
        if ended >= deadline:
            break
    return _scaled_up(np.array(seconds), n_features)


def drawn_subsets(n_features: int, most: int, seed: int) -> Iterator[list[int]]:
    """Yield `most` subsets in random order: all of them, each once, if there are no more than that.

    Of few features no subset comes twice; of many each is drawn by itself, from all 2**n alike.
    """
    rng = np.random.default_rng(seed)
    if n_features <= LARGEST_LISTED:
        for code in rng.permutation(1 << n_features)[:most].tolist():
            yield [i for i in range(n_features) if code >> i & 1]
    else:
        for _ in range(most):
            yield np.flatnonzero(rng.random(n_features) < 0.5).tolist()


def _scaled_up(seconds: np.ndarray, n_features: int) -> ExhaustiveTime:
    """Take the mean of the trees grown for that of all."""
    n_grown, total = len(seconds), float(seconds.sum())
    if n_features <= LARGEST_LISTED and n_grown == 1 << n_features:
        return ExhaustiveTime(n_grown, total, total, 0.0, is_estimated=False)
    n_subsets = 2.0**n_features if n_features <= LARGEST_FLOAT else math.inf
    error = float(np.std(seconds, ddof=1)) / math.sqrt(n_grown) if n_grown > 1 else math.nan
    return ExhaustiveTime(n_grown, total, n_subsets * total / n_grown, n_subsets * error, is_estimated=True)


def tables_of(found: Found) -> dict[str, ResultTable]:
    """Return the tables by their names in the study."""
    counts = [_count_row(size, order, count) for size, order, count in found.counts]
    return {
        "counts": ResultTable.from_rows(counts, COUNTS),
        "distribution": ResultTable.from_rows(_distribution(found), DISTRIBUTION),
        "exhaustive": ResultTable.from_rows([(size, *spent) for size, spent in found.exhaustive], EXHAUSTIVE),
        "per_fold": ResultTable.from_rows(found.folds, [SIZE, *FOLD]),
    }


def _count_row(size: float, order: str, count: DistinctTreeCount) -> tuple[Any, ...]:
    """Return one count as a row; the overhead of no tree is unknown."""
    overhead = count.overhead if count.n_distinct else math.nan
    share = count.certificate / count.n_subsets
    return (size, order, count.n_distinct, count.n_built, overhead, share, count.elapsed, count.status)


def _distribution(found: Found) -> Iterator[tuple[Any, ...]]:
    for size, count in _fullest(found).items():
        is_complete = count.status == "complete"
        for k, n_trees in enumerate(count.by_n_features):
            yield (size, k, n_trees, math.comb(count.n_features, k), is_complete)


def _fullest(found: Found) -> dict[float, DistinctTreeCount]:
    """Return one count of each m: the first complete one, or else the first."""
    fullest: dict[float, DistinctTreeCount] = {}
    for size, _, count in found.counts:
        known = fullest.setdefault(size, count)
        if known.status != "complete" and count.status == "complete":
            fullest[size] = count
    return fullest
