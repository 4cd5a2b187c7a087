"""Trees of every depth, judged by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from treewright.data.folds import Split, splits_of
from treewright.data.training import TrainingSet
from treewright.trees.fixed_depth.search import best_tree
from treewright.trees.fixed_depth.task import FixedDepthTask

DEPTHS = range(1, 6)
"""Depths that ``max_depth="cv"`` tries."""
N_FOLDS = 5
SEED = 0
"""Parts the samples where nobody says how."""


def fold_accuracies(
    training: TrainingSet, task: FixedDepthTask, depths: Sequence[int], cv: Any, n_jobs: int | None = None
) -> NDArray[np.float64]:
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


def best_depth(accuracies: NDArray[np.float64], depths: Sequence[int]) -> int:
    """Return the depth of the best mean accuracy, the smallest of those that are equal."""
    means = accuracies.mean(axis=0)
    return depths[int(np.argmax(means >= means.max() - 1e-12))]


def chosen_depth(training: TrainingSet, task: FixedDepthTask) -> int:
    """Choose the depth as ``max_depth="cv"`` does."""
    return best_depth(fold_accuracies(training, task, DEPTHS, N_FOLDS), DEPTHS)
