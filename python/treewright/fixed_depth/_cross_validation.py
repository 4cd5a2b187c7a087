"""Trees of every depth, judged by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, check_cv

from treewright._params import is_whole
from treewright._training import TrainingSet
from treewright.exceptions import DataError, ParameterError
from treewright.fixed_depth._search import best_tree
from treewright.fixed_depth._task import FixedDepthTask

DEPTHS = range(1, 6)
"""Depths that ``max_depth="cv"`` tries."""
N_FOLDS = 5
SEED = 0
"""Parts the samples where nobody says how."""

Split = tuple[NDArray[np.int64], NDArray[np.int64]]


def splits_of(training: TrainingSet, cv: Any) -> list[Split]:
    """Return rows to learn from and rows to judge, for every fold.

    An int means so many stratified folds, shuffled with a seed of its own, so that the same data give the
    same answer; fewer where no class has so many samples.
    """
    rows = np.zeros(training.n_samples)
    if is_whole(cv):
        splitter = _stratified(training, int(cv))
    elif isinstance(cv, str) or cv is None:
        raise ParameterError(f"cv={cv!r} must be an int of at least 2, a splitter or an iterable of splits")
    else:
        splitter = check_cv(cv)
    return [(np.asarray(a), np.asarray(b)) for a, b in splitter.split(rows, training.target)]


def _stratified(training: TrainingSet, n_folds: int) -> Any:
    if n_folds < 2:
        raise ParameterError(f"cv={n_folds} must be at least 2; each fold is judged by a tree of the others")
    largest = int(np.bincount(training.target).max())
    if largest < 2:
        raise DataError(
            f"no class has two samples (n_samples={training.n_samples}), so none is left to judge a tree by; "
            "give more samples, or a depth in place of cross-validation"
        )
    return _Quiet(min(n_folds, largest), shuffle=True, random_state=SEED)


class _Quiet(StratifiedKFold):
    """Stratified folds that take a class with fewer samples than folds as it is."""

    def split(self, X: Any, y: Any, groups: Any = None) -> Any:
        """Yield the folds without a warning."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            yield from list(super().split(X, y, groups))


def fold_accuracies(
    training: TrainingSet, task: FixedDepthTask, depths: Sequence[int], cv: Any, n_jobs: int | None = None
) -> NDArray[np.float64]:
    """Return the accuracy on every held-out fold of the tree of every depth, shape (n_folds, n_depths)."""
    splits = splits_of(training, cv)
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
