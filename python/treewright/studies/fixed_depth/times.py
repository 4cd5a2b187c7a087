"""How long a search takes: by method and data set, and with the number of features."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from treewright.data.columns import take_columns
from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.studies.fixed_depth.run import ID3, FixedDepthPlan
from treewright.trees.fixed_depth.search import best_tree
from treewright.trees.fixed_depth.task import FixedDepthTask
from treewright.trees.greedy import GreedyTreeClassifier

N_RUNS = 3
"""Runs of which the shortest counts."""
N_STEPS = 19
"""Numbers of features that are timed at the most."""
SCALING_DEPTH = 3

Row = tuple[Any, ...]


def times_of(data_sets: Mapping[str, Dataset], plan: FixedDepthPlan) -> Iterator[Row]:
    """Yield a row a data set and search: name, sizes, solver, depth, seconds, status."""
    for name, dataset in data_sets.items():
        training = TrainingSet.of(dataset, owner="study")
        binned = TrainingSet.of(plan.task.bins(training).apply(dataset), owner="study")
        n_values = sum(len(levels or []) for levels in binned.dataset.levels)
        for solver, depth in _searches(plan, len(training.classes)):
            task = replace(plan.task.at_depth(depth), solver=solver)
            yield (name, dataset.n_features, n_values, solver, depth, *_search_time(binned, task))
        yield (name, dataset.n_features, n_values, ID3, plan.id3_depth, *_id3_time(binned, plan.id3_depth))


def _searches(plan: FixedDepthPlan, n_classes: int) -> Iterator[tuple[str, int]]:
    """Yield the solvers with their depths; exhaustive search as in the paper, at depth 3."""
    for depth in plan.depths:
        if n_classes == 2:
            yield "feature_list", depth
        yield "bounded", depth
        if depth == SCALING_DEPTH:
            yield "exhaustive", depth


def scaling_of(dataset: Dataset, plan: FixedDepthPlan) -> Iterator[Row]:
    """Yield numbers of features and values, seconds exhaustive and with the list, and their ratio."""
    training = TrainingSet.of(dataset, owner="study")
    binned = plan.task.bins(training).apply(dataset)
    task = plan.task.at_depth(SCALING_DEPTH)
    step = max(3, dataset.n_features // N_STEPS)
    for n in range(step, dataset.n_features + 1, step):
        part = take_columns(binned, np.arange(n, dtype=np.int64))
        assert isinstance(part, Dataset), "columns of a Dataset are one"
        cut = TrainingSet.of(part, owner="study")
        (slow, status), (fast, _) = (
            _search_time(cut, replace(task, solver=solver)) for solver in ("exhaustive", "feature_list")
        )
        if status != "optimal":
            return
        yield (n, sum(len(levels or []) for levels in part.levels), slow, fast, slow / fast)


def _search_time(training: TrainingSet, task: FixedDepthTask) -> tuple[float, str]:
    """Return the least seconds of the search alone, counting left out, and how it ended."""
    best, status = float("inf"), "optimal"
    for _ in range(N_RUNS):
        found = best_tree(training, task).search
        best, status = min(best, found.elapsed), found.status
        if status != "optimal":
            break
    return best, status


def _id3_time(training: TrainingSet, depth: int) -> tuple[float, str]:
    seconds = []
    for _ in range(N_RUNS):
        started = time.perf_counter()
        GreedyTreeClassifier.id3(max_depth=depth).fit(training.dataset)
        seconds.append(time.perf_counter() - started)
    return min(seconds), "complete"
