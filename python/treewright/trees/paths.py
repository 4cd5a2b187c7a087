"""Many trees of one growth: what several fits would find, for the price of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treewright.data.dataset import Dataset
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.growing import Growing
from treewright.trees.pruning.cost_complexity import CostComplexityPruning, prices_between, steps_of
from treewright.trees.pruning.rule import PruningRule, Regrowing, Task, grown_whole
from treewright.trees.tree import Tree


def pruned_by_each(
    estimator: GreedyTreeClassifier, dataset: Dataset, rules: Sequence[PruningRule]
) -> list[Tree]:
    """Return the trees that the estimator would fit with each of the rules: one is grown."""
    task = _grown(estimator, dataset)
    return [rule._prune(task).tree for rule in rules]


def cost_complexity_path(
    estimator: GreedyTreeClassifier, dataset: Dataset, most_leaves: Sequence[int]
) -> list[tuple[Tree, float]]:
    """Return for each number the largest tree of the path with at most so many leaves, and its alpha.

    ``CostComplexityPruning(alpha=alpha)`` prunes what the estimator grows to this tree.
    """
    return pruned_path(_grown(estimator, dataset), most_leaves)


def pruned_path(task: Task, most_leaves: Sequence[int]) -> list[tuple[Tree, float]]:
    """Return for each number the largest pruning of a tree with at most so many leaves, and its alpha."""
    steps = steps_of(task.tree)
    n_leaves = [step[2] for step in steps]
    places = [
        next((i for i, n in enumerate(n_leaves) if n <= most), len(n_leaves) - 1) for most in most_leaves
    ]
    prices = prices_between(np.array([step[0] for step in steps])).tolist()
    trees = {
        place: CostComplexityPruning(alpha=prices[place])._prune(task).tree for place in dict.fromkeys(places)
    }
    return [(trees[place], prices[place]) for place in places]


def best_first_path(
    estimator: GreedyTreeClassifier, dataset: Dataset, most_leaves: Sequence[int]
) -> list[Tree]:
    """Return the trees that the estimator would fit with each ``max_leaf_nodes``, ascending.

    A tree that has fewer leaves than it may is the one for every larger number too.
    """
    growing = Growing.of(estimator)
    training = growing.read(dataset, None, None, type(estimator).__name__)
    found: list[Tree] = []
    for most in most_leaves:
        if found and is_whole_tree(found[-1], most_leaves[len(found) - 1]):
            found.append(found[-1])
        else:
            found.append(replace(growing, max_leaf_nodes=most).grow(training))
    return found


def is_whole_tree(tree: Tree, most: int) -> bool:
    """Whether a tree of binary splits had room for another leaf, and no split for it."""
    return int((tree.is_reached & (tree.n_children == 0)).sum()) < most


def _grown(estimator: GreedyTreeClassifier, dataset: Dataset) -> Task:
    growing = Growing.of(estimator)
    return grown_whole(Regrowing(growing, growing.read(dataset, None, None, type(estimator).__name__)))
