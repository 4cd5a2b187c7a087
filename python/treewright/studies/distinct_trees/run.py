"""What a study of distinct trees runs, step by step: counts, exhaustive growing, folds; and its tables."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.results import MESSAGES, ResultTable
from treewright.search.distinct.count import count_distinct_trees
from treewright.studies.common.folds import Fold, Splitting, folds_of
from treewright.studies.common.parameters import text_type
from treewright.studies.common.run import Course, Plan
from treewright.studies.selection.run import FOLD, SelectionPlan, rows_of_selections
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
class DistinctPlan(Plan):
    """What to do with one data set, checked."""

    name: str
    dataset: Dataset
    sizes: tuple[float, ...]
    orders: tuple[str, ...]
    methods: tuple[str, ...]
    estimator: GreedyTreeClassifier
    splitting: Splitting
    max_grown: int
    memory_limit: int | None

    @cached_property
    def folds(self) -> list[Fold]:
        """The folds, the same for every m."""
        return list(folds_of(self.name, self.dataset, self.splitting))

    @property
    def n_steps_a_size(self) -> int:
        """Counts, exhaustive growing and folds of one m, in this order."""
        return len(self.orders) + 1 + len(self.folds)

    @property
    def n_steps(self) -> int:
        """The steps of all m."""
        return len(self.sizes) * self.n_steps_a_size

    def estimator_at(self, size: float) -> GreedyTreeClassifier:
        """Return what grows trees at one m."""
        model: GreedyTreeClassifier = clone(self.estimator).set_params(min_samples_split=size)
        return model


def run_steps(plan: DistinctPlan, course: Course) -> None:
    """Run everything, or as much as the course allows."""
    for i, size in enumerate(plan.sizes):
        first = i * plan.n_steps_a_size
        for place, order in enumerate(plan.orders, start=first):
            course.step(place, partial(_count, size, order, plan))
        place = first + len(plan.orders)
        course.step(place, partial(_exhaustive, size, plan))
        methods = SelectionPlan(
            plan.methods, plan.estimator_at(size), search_time_limit=plan.search_time_limit
        )
        course.side_by_side(plan.folds, methods, rows_of_selections, first=place + 1)


def _count(size: float, order: str, plan: DistinctPlan) -> list[Any]:
    """Return one count as a row, the overhead of no tree unknown; then the trees by number of features."""
    count = count_distinct_trees(
        plan.dataset,
        estimator=plan.estimator_at(size),
        order=order,
        time_limit=plan.search_time_limit,
        memory_limit=plan.memory_limit,
        n_jobs=1,
    )
    overhead = count.overhead if count.n_distinct else math.nan
    share = count.certificate / count.n_subsets
    numbers = (count.n_distinct, count.n_built, overhead, share, count.elapsed)
    return [size, order, *numbers, count.status, list(count.by_n_features)]


def _exhaustive(size: float, plan: DistinctPlan) -> list[Any]:
    growing = Growing.of(plan.estimator_at(size))
    training = TrainingSet.of(plan.dataset, owner="study")
    found = exhaustive_time(
        training,
        growing,
        most=plan.max_grown,
        seed=plan.splitting.seed,
        time_limit=plan.search_time_limit,
    )
    return [size, *found]


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


def tables_of(plan: DistinctPlan, parts: Mapping[int, Any]) -> dict[str, ResultTable]:
    """Return the tables of what the steps found, by their names in the study."""
    counts: list[list[Any]] = []
    exhaustive: list[list[Any]] = []
    folds: list[tuple[Any, ...]] = []
    for place in sorted(parts):
        i, step = divmod(place, plan.n_steps_a_size)
        if step < len(plan.orders):
            counts.append(parts[place])
        elif step == len(plan.orders):
            exhaustive.append(parts[place])
        else:
            folds += [(plan.sizes[i], *row[1:]) for row in parts[place]]
    distribution = _distribution(counts, plan.dataset.n_features)
    return {
        "counts": ResultTable.from_rows((tuple(count[:-1]) for count in counts), COUNTS),
        "distribution": ResultTable.from_rows(distribution, DISTRIBUTION),
        "exhaustive": ResultTable.from_rows(map(tuple, exhaustive), EXHAUSTIVE),
        "per_fold": ResultTable.from_rows(folds, [SIZE, *FOLD]),
    }


def _distribution(counts: Sequence[list[Any]], n_features: int) -> Iterator[tuple[Any, ...]]:
    """Yield the trees by number of features, of one count of each m: the first complete one, or the first."""
    fullest: dict[float, list[Any]] = {}
    for count in counts:
        known = fullest.setdefault(count[0], count)
        if known[-2] != "complete" and count[-2] == "complete":
            fullest[count[0]] = count
    for size, count in fullest.items():
        for k, n_trees in enumerate(count[-1]):
            yield (size, k, n_trees, math.comb(n_features, k), count[-2] == "complete")
