"""Pruning: every rule, on any tree.

A rule is a small estimator. Given to ``GreedyTreeClassifier(pruning=...)`` it prunes what `fit` grows, and
a grid search reaches its parameters as ``pruning__confidence``; `prune` applies it to a tree that is there,
of whatever origin, and `explain_pruning` says what it cut and why.
"""

from __future__ import annotations

from treewright.trees.pruning.cost_complexity import CostComplexityPruning
from treewright.trees.pruning.error_based import ErrorBasedPruning, TunedErrorBasedPruning
from treewright.trees.pruning.estimates import (
    MinimumErrorPruning,
    NaiveErrorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PublishedEvolvedPruning,
)
from treewright.trees.pruning.estimator_rule import EstimatorPruning
from treewright.trees.pruning.explain import PruningExplanation, explain_pruning
from treewright.trees.pruning.held_out import ReducedErrorPruning
from treewright.trees.pruning.prune import prune
from treewright.trees.pruning.rule import PruningRule

__all__ = [
    "CostComplexityPruning",
    "ErrorBasedPruning",
    "EstimatorPruning",
    "MinimumErrorPruning",
    "NaiveErrorPruning",
    "ObservedErrorPruning",
    "PessimisticPruning",
    "PruningExplanation",
    "PruningRule",
    "PublishedEvolvedPruning",
    "ReducedErrorPruning",
    "TunedErrorBasedPruning",
    "explain_pruning",
    "prune",
]
