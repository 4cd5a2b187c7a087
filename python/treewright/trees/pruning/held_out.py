"""Pruning by samples that did not grow the tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from treewright import _core
from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import Param, Sentence
from treewright.data.folds import splits_of
from treewright.data.training import TrainingSet
from treewright.data.types import FloatArray, IntArray
from treewright.data.validation_set import draw_share, generator
from treewright.trees.pruning.rule import (
    Pruned,
    PruningRule,
    Regrowing,
    Task,
    checked_share,
    grown_whole,
)
from treewright.trees.tree import Tree


class ReducedErrorPruning(PruningRule):
    """Reduced-error pruning: prunes by the errors on a validation set that was not used to grow the tree.

    A node becomes a leaf if this adds no error on the validation samples. A subtree that no validation sample
    reaches is pruned too. The result is the smallest of all prunings with the fewest errors on the validation
    samples. Nodes keep the class and the weights of the training samples.

    In ``GreedyTreeClassifier(pruning=...)`` a share of the samples of each class is drawn as the validation
    set, and the tree is grown from the rest. In `prune`, `X` and `y` are the validation set.

    Parameters
    ----------
    share : float, default=1/3
        Share of the samples of ``fit`` that is the validation set.
    random_state : int, RandomState instance or None, default=0
        Random seed that draws the validation samples. The same int gives the same tree.

    References
    ----------
    J. R. Quinlan, "Simplifying decision trees", Int. J. Man-Machine Studies 27, 1987.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import ReducedErrorPruning, prune
    >>> data = datasets.load("breast-cancer")
    >>> GreedyTreeClassifier(pruning=ReducedErrorPruning()).fit(data).tree_.n_nodes
    9
    >>> tree = GreedyTreeClassifier().fit(data[:400]).tree_
    >>> prune(tree, ReducedErrorPruning(), data[400:])
    Tree(n_nodes=7, n_leaves=4, max_depth=3)
    """

    _takes_rows_as_judges = True

    def __init__(self, *, share: float = 1 / 3, random_state: object = 0) -> None:
        self.share = share
        self.random_state = random_state

    def _check(self) -> None:
        checked_share(self.share)
        generator(self.random_state)

    def _grown(self, regrowing: Regrowing) -> Task:
        """Grow the tree of the samples that are not set aside; those are the rows of the task."""
        growing, training = regrowing.growing, regrowing.training
        if training.n_samples < 2:
            raise DataError(
                f"n_samples={training.n_samples}: reduced-error pruning needs at least 2 samples of positive "
                "weight, one to grow the tree and one to judge it; give more data or another rule"
            )
        judges = draw_share(float(self.share), training.target, self.random_state)
        part = TrainingSet.of(training.dataset[~judges], owner="pruning")
        factors = growing.parameters(training).class_weight
        rows = training.core.take(judges.nonzero()[0])
        return Task(growing.grow(part), rows, factors, regrowing, growing.n_threads)

    def _rates(self, tree: Tree) -> FloatArray:
        """Return the loss a sample; unlike an estimate's, of leaves that are right for none as well."""
        losses, weight = tree._core.losses(), tree.weight
        return np.divide(losses, weight, out=np.zeros_like(weight), where=weight > 0)

    def _prune(self, task: Task) -> Pruned:
        if task.rows is None:
            remedy = ("pass them as ", Param("X"), " and ", Param("y"))
            raise ParameterError("rule", self, "judges by samples that did not grow the tree", remedy)
        core = task.tree._told
        judged = _core.refill(core, task.rows, class_weight=task.class_weight, keep_classes=True)
        before = Tree(judged)
        return Pruned.of(self, before, _core.prune(core, self._rates(before), judged=judged))


Rows = IntArray
Prunings = Callable[[Task], Sequence[Tree]]
"""Prunes the tree of a fold in every way that is to be judged."""


def held_out_errors(
    regrowing: Regrowing, prunings: Prunings, *, cv: object, random_state: object, remedy: Sentence
) -> FloatArray:
    """Return the weight of held-out samples that each pruning gets wrong, or its cost, summed over the folds.

    The tree of a fold is grown once, whatever the number of prunings.
    """
    splits = splits_of(regrowing.training, cv, random_state, remedy)
    weights = regrowing.training.counted.values
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
        answers = tree._core.predict(columns, growing.n_threads)
        losses = growing.answering.losses(judges.target, answers, judges.classes)
        return float((weights[held_out] * losses).sum())

    return [errors(tree) for tree in prunings(task)]


def regrowing_of(rule: PruningRule, task: Task) -> Regrowing:
    """Return how to grow trees of folds; `prune` has to be told."""
    if task.regrowing is None:
        remedy = (
            *("pass the training rows as ", Param("X"), " and ", Param("y"), " and, as ", Param("estimator")),
            ", a GreedyTreeClassifier with the parameters that grew the tree",
        )
        raise ParameterError("rule", rule, "grows trees of folds to choose among prunings", remedy)
    return task.regrowing
