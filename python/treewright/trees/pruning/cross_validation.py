"""Prunings of the trees of folds, judged by the samples that did not grow them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._base.errors import ParameterError
from treewright.data.folds import splits_of
from treewright.data.training import TrainingSet
from treewright.trees.pruning.rule import (
    FloatArray,
    PruningRule,
    Regrowing,
    Task,
    grown_whole,
)
from treewright.trees.tree import Tree

Rows = NDArray[np.int64]
Prunings = Callable[[Task], Sequence[Tree]]
"""Prunes the tree of a fold in every way that is to be judged."""


def held_out_errors(
    regrowing: Regrowing, prunings: Prunings, *, cv: Any, random_state: Any, remedy: str
) -> FloatArray:
    """Return the weight of held-out samples that each pruning gets wrong, summed over the folds.

    The tree of a fold is grown once, whatever the number of prunings.
    """
    splits = splits_of(regrowing.training, cv, random_state, remedy)
    weights = regrowing.growing.counted_weights(regrowing.training)
    by_fold = [_fold_errors(regrowing, prunings, weights, *split) for split in splits]
    total: FloatArray = np.asarray(by_fold, dtype=np.float64).sum(axis=0)
    return total


def _fold_errors(
    regrowing: Regrowing, prunings: Prunings, weights: FloatArray, learning: Rows, held_out: Rows
) -> list[float]:
    """Judge the prunings of the tree of one fold; sums of weights are exact."""
    growing, dataset = regrowing.growing, regrowing.training.dataset
    task = grown_whole(Regrowing(growing, TrainingSet.of(dataset[learning], owner="fold")))
    judges = TrainingSet.of(dataset[held_out], owner="fold")
    columns = [judges.core.column(i) for i in range(dataset.n_features)]

    def errors(tree: Tree) -> float:
        is_wrong = tree._core.predict(columns, growing.n_threads) != judges.target
        return float(weights[held_out][is_wrong].sum())

    return [errors(tree) for tree in prunings(task)]


def regrowing_of(rule: PruningRule, task: Task) -> Regrowing:
    """Return how to grow trees of folds; `prune` has to be told."""
    if task.regrowing is None:
        raise ParameterError(
            f"{rule!r} grows trees of folds to choose among prunings; pass the training rows as X and y and, "
            "as estimator=, a GreedyTreeClassifier with the parameters that grew the tree"
        )
    return task.regrowing
