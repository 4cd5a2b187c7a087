"""Optimal trees: of all trees of at most some depth one of least cost, with proof.

`OptimalTreeClassifier` finds the tree with the fewest wrong answers, or the least cost of them, plus a price
for each leaf if that is asked for. Every threshold between two values of a numeric feature is tried; nothing
is discretised.
"""

from __future__ import annotations

from treewright.trees.optimal.estimator import OptimalTreeClassifier
from treewright.trees.optimal.path import OptimalPath, optimal_path
from treewright.trees.optimal.search import OptimalSearch

__all__ = ["OptimalPath", "OptimalSearch", "OptimalTreeClassifier", "optimal_path"]
