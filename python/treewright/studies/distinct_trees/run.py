"""Everything that a study of distinct trees runs, step by step: counts, exhaustive growing, folds."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.results import Progress
from treewright.search.distinct.count import DistinctTreeCount, count_distinct_trees
from treewright.studies.common.folds import (
    Fold,
    Splitting,
    folds_of,
)
from treewright.studies.distinct_trees.exhaustive import ExhaustiveTime, exhaustive_time
from treewright.studies.selection.methods import Plan
from treewright.studies.selection.run import (
    Row,
    Watch,
    run_all,
)
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.growing import Growing


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
    rows, _ = run_all(plan.folds, methods, n_jobs, lambda _: course.step())
    return ((size, *row[1:]) for row in rows)
