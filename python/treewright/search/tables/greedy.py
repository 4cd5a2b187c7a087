"""The sixteen greedy heuristics by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright import _core
from treewright.search.tables.limits import checked_alpha
from treewright.trees.tree import Tree

IMPURITIES = ("max", "sum", "weighted_max", "weighted_sum")
UNCERTAINTIES = ("entropy", "gini", "misclassification", "rt")

Heuristic = tuple[str, str]
"""Impurity and uncertainty."""

HEURISTICS: tuple[Heuristic, ...] = tuple((i, u) for i in IMPURITIES for u in UNCERTAINTIES)


def grown(core: _core.DecisionTable, heuristics: Sequence[Heuristic], alpha: Any) -> dict[Heuristic, Tree]:
    """Grow the tree of each heuristic, all in one pass."""
    trees = _core.greedy_trees(core, heuristics=list(heuristics), alpha=checked_alpha(alpha))
    return {heuristic: Tree(tree) for heuristic, tree in zip(heuristics, trees, strict=True)}
