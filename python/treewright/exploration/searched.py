"""Families that search: feature selection, fixed depth, planes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

import numpy as np

from treewright._base.clock import Clock, HaltError
from treewright.data.dataset import Dataset
from treewright.exploration.family import Asked, Family
from treewright.planes.tree_classifier import MultivariateTreeClassifier
from treewright.results import SearchResult
from treewright.selection.complete import CompleteSearchSelector
from treewright.selection.stepwise import BackwardEliminationSelector
from treewright.trees.fixed_depth.estimator import FixedDepthTreeClassifier
from treewright.trees.fixed_depth.search import trees_of_depths
from treewright.trees.fixed_depth.task import FixedDepthTask
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.optimal.estimator import OptimalTreeClassifier
from treewright.trees.paths import pruned_path
from treewright.trees.pruning.error_based import ErrorBasedPruning
from treewright.trees.pruning.rule import Task
from treewright.trees.tree import Tree

Selector = BackwardEliminationSelector | CompleteSearchSelector
Model = Selector | FixedDepthTreeClassifier | MultivariateTreeClassifier | OptimalTreeClassifier
ModelT = TypeVar("ModelT", bound=Model)
"""The estimator of a family."""

MOST_ASKED = 40
"""Trees ask for about so many features at the most; to drop another costs next to nothing."""

MOST_ROWS_FOR_FOLDS = 2000
"""With more rows a share of them chooses features as well as folds do."""


class _Searched(Family, Generic[ModelT]):
    """Candidates of which each is a fit."""

    def _models(self, asked: Asked) -> list[tuple[str, ModelT]]:
        raise AssertionError("every family has its models")

    def _tree(self, model: ModelT) -> Tree:
        raise AssertionError("every family has its trees")

    def candidates(self, asked: Asked) -> Sequence[str]:
        """Name the models."""
        return [name for name, _ in self._models(asked)]

    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Fit every model, within the time that is left."""
        return [self._tree_within(model, training, clock) for _, model in self._models(asked)]

    def _tree_within(self, model: ModelT, training: Dataset, clock: Clock) -> Tree:
        """Fit a model, within the time that is left."""
        clock.check()
        model.time_limit, model.callback = clock.limit(), lambda _: clock.stopped
        model.fit(training)
        _refuse_unfinished(model.search_)
        return self._tree(model)

    def fitted(self, place: int, training: Dataset, asked: Asked) -> ModelT:
        """Fit one of the models."""
        return self._models(asked)[place][1].fit(training)


def _refuse_unfinished(search: SearchResult[Tree]) -> None:
    """Raise `HaltError` where a search was cut short."""
    if not search.success:
        raise HaltError(search.status)


def _pruned(asked: Asked, least: int) -> GreedyTreeClassifier:
    """Return what grows and prunes the trees of a selection."""
    pruning = ErrorBasedPruning(grafting=False)
    return GreedyTreeClassifier(min_samples_leaf=least, pruning=pruning, **asked.answering)


def _validation(asked: Asked) -> float | str:
    return "cv" if asked.n_samples <= MOST_ROWS_FOR_FOLDS else 0.3


class BackwardElimination(_Searched[Selector]):
    """Features dropped one by one, by the errors of pruned trees."""

    name, title = "backward_elimination", "backward elimination"
    leaves: ClassVar[tuple[int, ...]] = (2, 8)

    def _models(self, asked: Asked) -> list[tuple[str, Selector]]:
        return [(f"leaf {least}", self._selector(asked, _pruned(asked, least))) for least in self.leaves]

    def _selector(self, asked: Asked, estimator: GreedyTreeClassifier) -> Selector:
        validation, seed = _validation(asked), asked.random_state
        return BackwardEliminationSelector(estimator=estimator, validation_set=validation, random_state=seed)

    def _tree(self, model: Selector) -> Tree:
        return model.refit_tree_

    def seconds(self, asked: Asked) -> float:
        """Return the time of a tree for about a third of the features; others cost next to nothing."""
        n_folds = 5 if _validation(asked) == "cv" else 1
        n_trees = 0.3 * len(self.leaves) * n_folds * min(max(asked.n_features, 4), MOST_ASKED)
        return float(n_trees * asked.growth_seconds)


class CompleteSearch(BackwardElimination):
    """All sets of features, where they are few."""

    name, title = "complete_search", "complete search"
    leaves = (5,)
    most_features: ClassVar[int] = 10

    def refusal(self, dataset: Dataset, asked: Asked) -> str:
        """Say that there are too many features."""
        return "" if asked.n_features <= self.most_features else f"more than {self.most_features} features"

    def _selector(self, asked: Asked, estimator: GreedyTreeClassifier) -> Selector:
        validation, seed = _validation(asked), asked.random_state
        return CompleteSearchSelector(estimator=estimator, validation_set=validation, random_state=seed)

    def seconds(self, asked: Asked) -> float:
        """Return the time of a tenth of the trees of all sets."""
        return 0.1 * 2.0**asked.n_features * asked.growth_seconds


class FixedDepth(_Searched[FixedDepthTreeClassifier]):
    """Optimal trees of a depth under naive Bayes."""

    name, title = "fixed_depth", "fixed depth"
    depths: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5)

    def refusal(self, dataset: Dataset, asked: Asked) -> str:
        """Say that a feature has too many values."""
        is_wide = any(levels is not None and len(levels) > 1000 for levels in dataset.levels)
        return "a feature has more than 1000 values" if is_wide else ""

    def _models(self, asked: Asked) -> list[tuple[str, FixedDepthTreeClassifier]]:
        return [
            (
                f"depth {depth}",
                FixedDepthTreeClassifier(max_depth=depth, binning="supervised", **asked.answering),
            )
            for depth in self.depths
        ]

    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Find the tree of every depth, with numbers cut once for all."""
        model = self._models(asked)[0][1]
        task, found = FixedDepthTask.of(model), []
        for tree, search in trees_of_depths(model._intake(training, None), task, self.depths, clock):
            _refuse_unfinished(search)
            found.append(tree)
        return found

    def seconds(self, asked: Asked) -> float:
        """Return the time of binning, and of searches that grow with the features."""
        return len(self.depths) * (3e-3 + 0.5 * asked.growth_seconds) + 1e-7 * asked.n_features**3


class Optimal(_Searched[OptimalTreeClassifier]):
    """Trees of the least training error within a depth; the deepest is pruned, too."""

    name, title = "optimal", "optimal tree"
    limits: ClassVar[tuple[tuple[int, float], ...]] = ((1, 0.0), (2, 0.0), (2, 0.01), (3, 0.0))
    """Depth, and the share of all rows that a leaf must save."""
    pruned: ClassVar[tuple[int, ...]] = (6, 5, 4, 3)
    """Leaves that the last of them is pruned to: a search with a price takes longer than that without."""

    def candidates(self, asked: Asked) -> Sequence[str]:
        """Name depths and prices, then the sizes of the pruned ones."""
        depth = self.limits[-1][0]
        return [
            *super().candidates(asked),
            *(f"depth {depth}, pruned to {most} leaves" for most in self.pruned),
        ]

    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Fit every model, and prune the last along its cost-complexity path."""
        found = list(super().trees(training, asked, clock))
        return found + [tree for tree, _ in pruned_path(Task(found[-1]), self.pruned)]

    def fitted(self, place: int, training: Dataset, asked: Asked) -> OptimalTreeClassifier:
        """Fit one of them."""
        if place < len(self.limits):
            return super().fitted(place, training, asked)
        model = super().fitted(len(self.limits) - 1, training, asked)
        most = self.pruned[place - len(self.limits)]
        model.tree_ = pruned_path(Task(model.tree_), [most])[0][0]
        return model

    def _models(self, asked: Asked) -> list[tuple[str, OptimalTreeClassifier]]:
        return [
            (
                f"depth {depth}, price {share:.0%}" if share else f"depth {depth}",
                OptimalTreeClassifier(
                    max_depth=depth, leaf_penalty=share * asked.n_samples, **asked.answering
                ),
            )
            for depth, share in self.limits
        ]

    def _tree(self, model: OptimalTreeClassifier) -> Tree:
        return model.tree_

    def seconds(self, asked: Asked) -> float:
        """Return the time of the search of depth 3."""
        return 0.01 + 3e-7 * asked.n_samples * asked.n_features**2


class Planes(_Searched[MultivariateTreeClassifier]):
    """Oblique splits with few features."""

    name, title = "planes", "planes"
    depths: ClassVar[tuple[int, ...]] = (1, 2)

    def refusal(self, dataset: Dataset, asked: Asked) -> str:
        """Say that there must be two classes."""
        counts = 0 if dataset.target is None else int(np.count_nonzero(np.bincount(dataset.target)))
        return "" if counts == 2 else f"{counts} classes; it is for two"

    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Grow the deeper tree: the one plane is its root."""
        tree = self._tree_within(self._model(asked, self.depths[-1]), training, clock)
        return [tree.cut_at_depth(depth) for depth in self.depths[:-1]] + [tree]

    def _models(self, asked: Asked) -> list[tuple[str, MultivariateTreeClassifier]]:
        return [
            ("one plane" if depth == 1 else f"tree of depth {depth}", self._model(asked, depth))
            for depth in self.depths
        ]

    def _model(self, asked: Asked, depth: int) -> MultivariateTreeClassifier:
        return MultivariateTreeClassifier(
            max_depth=depth, alpha=None, missing="mean", perturbation=0.02, search="paper", **asked.answering
        )

    def _tree(self, model: MultivariateTreeClassifier) -> Tree:
        return model.tree_

    def seconds(self, asked: Asked) -> float:
        """Return the time of the linear programs."""
        return float(0.02 + 4e-6 * asked.n_samples * asked.n_features**1.3)
