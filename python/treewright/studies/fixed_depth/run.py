"""What is run on every fold: trees of every depth, ID3, naive Bayes; and how long searches take."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import CategoricalNB

from treewright.data.columns import take_columns
from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.studies.common.folds import Fold, error_rate, timed, wrong_share
from treewright.studies.common.run import Plan, Row
from treewright.trees.fixed_depth.search import best_tree
from treewright.trees.fixed_depth.task import FixedDepthTask
from treewright.trees.greedy import GreedyTreeClassifier

ID3, NAIVE_BAYES = "id3", "naive_bayes"
N_RUNS = 3
"""Runs of which the shortest counts."""
N_STEPS = 19
"""Numbers of features that are timed at the most."""
SCALING_DEPTH = 3


def depth_method(depth: int) -> str:
    """Return what the best tree of a depth is called among the methods."""
    return f"depth {depth}"


@dataclass(frozen=True)
class FixedDepthPlan(Plan):
    """What to do on every fold."""

    depths: tuple[int, ...]
    id3_depth: int
    task: FixedDepthTask

    def task_at(self, depth: int) -> FixedDepthTask:
        """Return what is searched for at a depth, and for how long."""
        return replace(self.task.at_depth(depth), time_limit=self.search_time_limit)

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the methods, in their order."""
        return (*map(depth_method, self.depths), ID3, NAIVE_BAYES)


def rows_of_fold(fold: Fold, plan: FixedDepthPlan) -> Iterator[Row]:
    """Yield what every method did on a fold; numbers are cut where the training samples say."""
    training = TrainingSet.of(fold.training, owner="study")
    bins = plan.task.bins(training)
    learning, held_out, place = bins.apply(fold.training), bins.apply(fold.held_out), fold.place
    for depth in plan.depths:
        task = plan.task_at(depth)
        found, seconds = timed(partial(best_tree, training, task, bins))
        error = 1 - found.accuracy(held_out)
        yield (*place, depth_method(depth), error, found.expected_accuracy, found.tree.n_leaves, seconds)
    tree, seconds = timed(lambda: GreedyTreeClassifier.id3(max_depth=plan.id3_depth).fit(learning).tree_)
    yield (*place, ID3, error_rate(tree, held_out), math.nan, tree.n_leaves, seconds)
    model, seconds = timed(lambda: naive_bayes(learning, plan.task.value_prior))
    labels = model.predict(codes_of(held_out))
    yield (*place, NAIVE_BAYES, wrong_share(labels, held_out), math.nan, 0, seconds)


def naive_bayes(dataset: Dataset, pseudo_count: float) -> CategoricalNB:
    """Fit scikit-learn's naive Bayes; what is missing is a value of its own."""
    assert dataset.classes is not None, "a study opens data sets with classes only"
    n_values = [len(levels or []) + 1 for levels in dataset.levels]
    codes = codes_of(dataset)
    has_missing = (codes == np.array(n_values) - 1).any(axis=0)
    least = np.maximum(np.array(n_values) - ~has_missing, 1)
    model = CategoricalNB(alpha=max(pseudo_count, 1e-10), min_categories=least)
    return model.fit(codes, dataset.classes[dataset.target], sample_weight=dataset.sample_weight)


def codes_of(dataset: Dataset) -> NDArray[np.int64]:
    """Return the values of all features as codes, the missing one last."""
    columns = [
        np.where((codes := dataset.column(i)) < 0, len(levels or []), codes)
        for i, levels in enumerate(dataset.levels)
    ]
    return np.column_stack(columns).astype(np.int64)


def n_values_of(dataset: Dataset) -> int:
    """Return how many values the features have together."""
    return sum(len(levels or []) for levels in dataset.levels)


def times_of(data_sets: Mapping[str, Dataset], plan: FixedDepthPlan) -> Iterator[Row]:
    """Yield a row for each data set and search: name, sizes, solver, depth, seconds, status."""
    for name, dataset in data_sets.items():
        training = TrainingSet.of(dataset, owner="study")
        binned = TrainingSet.of(plan.task.bins(training).apply(dataset), owner="study")
        n_values = n_values_of(binned.dataset)
        for solver, depth in _searches(plan, len(training.classes)):
            task = replace(plan.task_at(depth), solver=solver)
            yield (name, dataset.n_features, n_values, solver, depth, *_search_time(binned, task))
        model = GreedyTreeClassifier.id3(max_depth=plan.id3_depth)
        seconds = min(timed(partial(model.fit, binned.dataset))[1] for _ in range(N_RUNS))
        yield (name, dataset.n_features, n_values, ID3, plan.id3_depth, seconds, "complete")


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
    task = plan.task_at(SCALING_DEPTH)
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
        yield (n, n_values_of(part), slow, fast, slow / fast)


def _search_time(training: TrainingSet, task: FixedDepthTask) -> tuple[float, str]:
    """Return the least seconds of the search alone, counting left out, and how it ended."""
    best, status = float("inf"), "optimal"
    for _ in range(N_RUNS):
        found = best_tree(training, task).search
        best, status = min(best, found.elapsed), found.status
        if status != "optimal":
            break
    return best, status
