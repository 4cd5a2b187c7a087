"""One search for the best tree, from checked parameters to what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed

from treewright import _core
from treewright._base.params import Limits
from treewright.data.binning import Bins
from treewright.data.dataset import Dataset
from treewright.data.folds import Split, splits_of
from treewright.data.training import TrainingSet
from treewright.data.types import FloatArray
from treewright.results import SearchResult
from treewright.trees.fixed_depth.task import FixedDepthTask
from treewright.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class Found:
    """The best tree, and what it was found from."""

    task: FixedDepthTask
    bins: Bins
    dataset: Dataset
    """The samples with bins in place of numbers."""
    tree: Tree
    expected_accuracy: float
    search: SearchResult[Tree]

    def accuracy(self, dataset: Dataset) -> float:
        """Return the share of the weight of a data set in bins that is predicted rightly."""
        assert dataset.target is not None, "it was split off a set with classes"
        columns = [dataset.column(i) for i in range(dataset.n_features)]
        predicted = self.tree._core.predict(columns, self.task.n_threads)
        return float(np.average(predicted == dataset.target, weights=dataset.sample_weight))


def best_tree(training: TrainingSet, task: FixedDepthTask, bins: Bins | None = None) -> Found:
    """Find the best tree of the task's depth; `bins` are learned unless they are given."""
    bins = task.bins(training) if bins is None else bins
    dataset = bins.apply(training.dataset)
    answer = _core.fixed_depth_tree(
        dataset.core,
        task=task.of_engine(dataset.feature_names),
        limits=Limits(task.n_threads, task.time_limit),
    )
    tree = Tree(answer.tree)
    return Found(task, bins, dataset, tree, answer.expected_accuracy, search_result(answer, tree))


def search_result(answer: _core.FixedDepthFound, tree: Tree) -> SearchResult[Tree]:
    """Return what the engine says of its search; the cost is the expected error."""
    return SearchResult(
        cost=1 - answer.expected_accuracy,
        bound=1 - answer.bound,
        status=answer.status,
        n_searched=answer.n_searched,
        elapsed=answer.elapsed,
        tree=tree,
    )


DEPTHS = range(1, 6)
"""Depths that ``max_depth="cv"`` tries."""
N_FOLDS = 5
SEED = 0
"""Parts the samples where nobody says how."""


def fold_accuracies(
    training: TrainingSet, task: FixedDepthTask, depths: Sequence[int], cv: object, n_jobs: int | None = None
) -> FloatArray:
    """Return the accuracy on every held-out fold of the tree of every depth, shape (n_folds, n_depths)."""
    splits = splits_of(training, cv, SEED, "a depth")
    tasks = (delayed(_accuracies)(training, task, depths, split) for split in splits)
    return np.array(Parallel(n_jobs=n_jobs)(tasks))


def _accuracies(
    training: TrainingSet, task: FixedDepthTask, depths: Sequence[int], split: Split
) -> list[float]:
    """Cut the numbers where the samples to learn from say, once for all depths."""
    learning = TrainingSet.of(training.dataset[split[0]], owner="depth_path")
    bins = task.bins(learning)
    held_out = bins.apply(training.dataset[split[1]])
    return [best_tree(learning, task.at_depth(depth), bins).accuracy(held_out) for depth in depths]


def best_depth(accuracies: FloatArray, depths: Sequence[int]) -> int:
    """Return the depth of the best mean accuracy, the smallest of those that are equal."""
    means = accuracies.mean(axis=0)
    return depths[int(np.argmax(means >= means.max() - 1e-12))]


def chosen_depth(training: TrainingSet, task: FixedDepthTask) -> int:
    """Choose the depth as ``max_depth="cv"`` does."""
    return best_depth(fold_accuracies(training, task, DEPTHS, N_FOLDS), DEPTHS)
