"""What a study of distinct trees runs, step by step: counts, exhaustive growing, folds; and its tables."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.results import MESSAGES, ResultTable, floats, ints, texts
from treewright.search.distinct.count import count_distinct_trees
from treewright.studies.common.folds import Fold, Splitting, folds_of, timed
from treewright.studies.common.measure import Measure
from treewright.studies.common.run import PLACE, Course, Parts, Plan, Row
from treewright.studies.selection.run import SelectionPlan, columns_of, rows_of_selections
from treewright.trees.distinct_tree import ORDERS
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.growing import Growing

SIZE = floats("min_samples_split")
COUNTS = [
    *SIZE,
    texts("order", ORDERS),
    *ints("n_distinct", "n_built"),
    *floats("overhead", "share", "seconds"),
    texts("status", MESSAGES),
]
DISTRIBUTION = [*SIZE, *ints("n_features", "n_trees"), ("n_subsets", "object"), ("is_complete", "bool")]
"""Numbers of subsets are ints of any size."""

EXHAUSTIVE = [
    *SIZE,
    *ints("n_grown"),
    *floats("seconds_grown", "seconds", "std_error"),
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


class _Count(NamedTuple):
    """One count as a row of its table, and the trees by number of features."""

    size: float
    order: str
    n_distinct: int
    n_built: int
    overhead: float
    share: float
    seconds: float
    status: str
    by_n_features: Sequence[int]


def _count(size: float, order: str, plan: DistinctPlan) -> list[object]:
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


def _exhaustive(size: float, plan: DistinctPlan) -> list[object]:
    training, growing = TrainingSet.of(plan.dataset, owner="study"), Growing.of(plan.estimator_at(size))
    limits = {"most": plan.max_grown, "seed": plan.splitting.seed}
    return [size, *exhaustive_time(training, growing, **limits, time_limit=plan.search_time_limit)]


class ExhaustiveTime(NamedTuple):
    """What it costs to grow one tree for every subset."""

    n_grown: int
    """Subsets whose tree was grown, each from nothing."""
    seconds_grown: float
    seconds: float
    """Of all subsets: the same if all were grown, else the mean of those grown times 2**n."""
    std_error: float
    """That of `seconds`: 0 if all were grown, NaN if that is unknown."""
    is_estimated: bool


def exhaustive_time(
    training: TrainingSet, growing: Growing, *, most: int, seed: int, time_limit: float | None
) -> ExhaustiveTime:
    """Grow the trees of all subsets, or of `most` drawn ones, and stop when time is up."""
    n_features = training.dataset.n_features
    deadline = math.inf if time_limit is None else time.perf_counter() + time_limit
    seconds: list[float] = []
    for subset in drawn_subsets(n_features, most, seed):
        seconds.append(timed(partial(growing.grow, training, subset))[1])
        if time.perf_counter() >= deadline:
            break
    n_grown, total = len(seconds), float(np.sum(seconds))
    if n_features <= LARGEST_LISTED and n_grown == 1 << n_features:
        return ExhaustiveTime(n_grown, total, total, 0.0, is_estimated=False)
    n_subsets = 2.0**n_features if n_features <= LARGEST_FLOAT else math.inf
    error = float(np.std(seconds, ddof=1)) / math.sqrt(n_grown) if n_grown > 1 else math.nan
    return ExhaustiveTime(n_grown, total, n_subsets * total / n_grown, n_subsets * error, is_estimated=True)


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


def tables_of(plan: DistinctPlan, parts: Parts) -> dict[str, ResultTable]:
    """Return the tables of what the steps found, by their names in the study."""
    counts: list[_Count] = []
    exhaustive: list[Row] = []
    folds: list[Row] = []
    for place in sorted(parts):
        i, step = divmod(place, plan.n_steps_a_size)
        if step < len(plan.orders):
            counts.append(_Count(*parts[place]))
        elif step == len(plan.orders):
            exhaustive.append(tuple(parts[place]))
        else:
            folds += [(plan.sizes[i], *row[1:]) for row in parts[place]]
    distribution = _distribution(counts, plan.dataset.n_features)
    by_fold = [*SIZE, *PLACE, texts("method", plan.methods), *columns_of(Measure.of(plan.estimator))]
    return {
        "counts": ResultTable.from_rows((count[:-1] for count in counts), COUNTS),
        "distribution": ResultTable.from_rows(distribution, DISTRIBUTION),
        "exhaustive": ResultTable.from_rows(exhaustive, EXHAUSTIVE),
        "per_fold": ResultTable.from_rows(folds, by_fold),
    }


def _distribution(counts: Sequence[_Count], n_features: int) -> Iterator[Row]:
    """Yield the trees by number of features, of one count of each m: the first complete one, or the first."""
    fullest: dict[float, _Count] = {}
    for count in counts:
        known = fullest.setdefault(count.size, count)
        if known.status != "complete" and count.status == "complete":
            fullest[count.size] = count
    for size, count in fullest.items():
        for k, n_trees in enumerate(count.by_n_features):
            yield (size, k, n_trees, math.comb(n_features, k), count.status == "complete")
