"""Families of greedy trees: the majority, C4.5, cost complexity, best first, groups, learned pruning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from treewright._base.clock import Clock
from treewright.data.dataset import Dataset
from treewright.exploration.family import Asked, Family
from treewright.search.evolution.learned import LearnedPruning
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.paths import best_first_path, cost_complexity_path, pruned_by_each
from treewright.trees.pruning.cost_complexity import CostComplexityPruning
from treewright.trees.pruning.error_based import ErrorBasedPruning
from treewright.trees.pruning.rule import PruningRule
from treewright.trees.tree import Tree

SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64)
"""Numbers of leaves on a path."""

MOST_BEST_FIRST = 32
"""Best-first growth is one fit a size, and larger trees of it are seldom the best."""

ROWS_OF_LEAF = 2000
"""Of so many rows a leaf has one at least: paths end at 64 leaves, and larger sets need no others."""

PRUNING_SECONDS = 6e-4
"""What it takes to prune a tree that is there, about."""

CONFIDENCES = (0.01, 0.05, 0.1, 0.25, 0.5)
SMALLEST_BRANCHES = (2, 5, 10, 20)


class Majority(Family):
    """A single leaf."""

    name, title, is_essential = "majority", "majority class", True

    def candidates(self, asked: Asked) -> Sequence[str]:
        """Return the only one."""
        return ("one leaf",)

    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Return the leaf."""
        return [self.fitted(0, training, asked).tree_]

    def fitted(self, place: int, training: Dataset, asked: Asked) -> GreedyTreeClassifier:
        """Fit the leaf."""
        return GreedyTreeClassifier(max_depth=0, **asked.answering).fit(training)

    def seconds(self, asked: Asked) -> float:
        """Return next to nothing."""
        return 1e-3


class DefaultC45(Family):
    """C4.5 as it is when nothing is said."""

    name, title, is_essential = "c45", "C4.5", True

    def candidates(self, asked: Asked) -> Sequence[str]:
        """Return the only one."""
        return ("its defaults",)

    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Return C4.5's tree."""
        return [self.fitted(0, training, asked).tree_]

    def fitted(self, place: int, training: Dataset, asked: Asked) -> GreedyTreeClassifier:
        """Fit C4.5's tree."""
        return GreedyTreeClassifier.c45(**asked.answering).fit(training)

    def seconds(self, asked: Asked) -> float:
        """Return the time of a tree and its grafting."""
        return 4 * asked.growth_seconds


class PrunedC45(Family):
    """C4.5 by smallest branch and confidence; a tree is grown for each branch, and pruned by all."""

    name, title = "c45_pruned", "C4.5 pruned"

    def candidates(self, asked: Asked) -> Sequence[str]:
        """Name branch and confidence."""
        return [f"confidence {c:g}, m={m}" for m in SMALLEST_BRANCHES for c in CONFIDENCES]

    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Grow for each branch, prune by all confidences."""
        found: list[Tree] = []
        for least in SMALLEST_BRANCHES:
            clock.check()
            grown = GreedyTreeClassifier.c45(min_samples_branch=least, **asked.answering)
            found += pruned_by_each(grown, training, [ErrorBasedPruning(confidence=c) for c in CONFIDENCES])
        return found

    def fitted(self, place: int, training: Dataset, asked: Asked) -> GreedyTreeClassifier:
        """Fit one of them."""
        branch, confidence = divmod(place, len(CONFIDENCES))
        rule = ErrorBasedPruning(confidence=CONFIDENCES[confidence])
        least = SMALLEST_BRANCHES[branch]
        model = GreedyTreeClassifier.c45(min_samples_branch=least, pruning=rule, **asked.answering)
        return model.fit(training)

    def seconds(self, asked: Asked) -> float:
        """Return the time of the trees, and of every grafting."""
        n_branches = len(SMALLEST_BRANCHES)
        return 1.5 * n_branches * asked.growth_seconds + PRUNING_SECONDS * n_branches * len(CONFIDENCES)


class _Path(Family):
    """Trees by their number of leaves."""

    most: ClassVar[int] = SIZES[-1]

    def _sizes(self, asked: Asked) -> tuple[int, ...]:
        """Return the numbers of leaves on the path, with the largest that is asked for."""
        sizes = {*SIZES, asked.max_leaf_nodes or self.most}
        return tuple(sorted(size for size in sizes if size <= self.most))

    def candidates(self, asked: Asked) -> Sequence[str]:
        """Name the largest numbers of leaves."""
        return [f"up to {most} leaves" for most in self._sizes(asked)]

    def seconds(self, asked: Asked) -> float:
        """Return the time of a tree for each number."""
        return len(self._sizes(asked)) * asked.growth_seconds


class CostComplexity(_Path):
    """The cost-complexity path of a binary tree by Gini impurity."""

    name, title = "cost_complexity", "cost complexity"

    def _grower(self, asked: Asked, pruning: PruningRule | None = None) -> GreedyTreeClassifier:
        return GreedyTreeClassifier(
            criterion="gini",
            nominal_splits="one_value",
            min_samples_leaf=max(1, asked.n_samples // ROWS_OF_LEAF),
            pruning=pruning,
            **asked.answering,
        )

    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Grow once and prune along the path."""
        return [tree for tree, _ in cost_complexity_path(self._grower(asked), training, self._sizes(asked))]

    def fitted(self, place: int, training: Dataset, asked: Asked) -> GreedyTreeClassifier:
        """Fit one of the path, with its price of a leaf."""
        _, alpha = cost_complexity_path(self._grower(asked), training, self._sizes(asked)[place : place + 1])[
            0
        ]
        return self._grower(asked, CostComplexityPruning(alpha=alpha)).fit(training)

    def seconds(self, asked: Asked) -> float:
        """Return the time of a tree and its path."""
        return 3 * asked.growth_seconds


class BestFirst(_Path):
    """Trees whose best leaf is split next."""

    name, title = "best_first", "best first"
    splits: ClassVar[str] = "one_value"
    most = MOST_BEST_FIRST

    def _grower(self, asked: Asked, most: int | None = None) -> GreedyTreeClassifier:
        return GreedyTreeClassifier(nominal_splits=self.splits, max_leaf_nodes=most, **asked.answering)

    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Grow to every number of leaves."""
        return best_first_path(self._grower(asked), training, self._sizes(asked))

    def fitted(self, place: int, training: Dataset, asked: Asked) -> GreedyTreeClassifier:
        """Grow to one number of leaves."""
        return self._grower(asked, self._sizes(asked)[place]).fit(training)


class Groups(BestFirst):
    """The same with sets of values on the branches of nominal features."""

    name, title = "groups", "groups of values"
    splits = "groups"

    def refusal(self, dataset: Dataset, asked: Asked) -> str:
        """Say that only nominal features of three values or more make groups."""
        has_some = any(levels is not None and len(levels) > 2 for levels in dataset.levels)
        return "" if has_some else "no nominal feature has more than two values"


@cache
def _presets() -> dict[str, LearnedPruning]:
    """Read the rules once."""
    return {name: LearnedPruning.preset(name) for name in LearnedPruning.presets()}


class Learned(Family):
    """Trees pruned by the rules that evolution found, by smallest leaf."""

    name, title = "learned_pruning", "learned rule"
    leaves: ClassVar[tuple[int, ...]] = (2, 5)

    def _pairs(self) -> list[tuple[int, str]]:
        return [(least, preset) for least in self.leaves for preset in _presets()]

    def candidates(self, asked: Asked) -> Sequence[str]:
        """Name rule and leaf."""
        return [f"{preset}, leaf {least}" for least, preset in self._pairs()]

    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Grow for each leaf, prune by every rule."""
        found: list[Tree] = []
        for least in self.leaves:
            clock.check()
            grower = GreedyTreeClassifier(min_samples_leaf=least, **asked.answering)
            found += pruned_by_each(grower, training, list(_presets().values()))
        return found

    def fitted(self, place: int, training: Dataset, asked: Asked) -> GreedyTreeClassifier:
        """Fit one of them."""
        least, preset = self._pairs()[place]
        rule = _presets()[preset]
        return GreedyTreeClassifier(min_samples_leaf=least, pruning=rule, **asked.answering).fit(training)

    def seconds(self, asked: Asked) -> float:
        """Return the time of the trees, and of every pruning."""
        return 1.5 * len(self.leaves) * asked.growth_seconds + PRUNING_SECONDS * len(self._pairs())
