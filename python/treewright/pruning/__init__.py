"""Pruning: every rule, on any tree.

A rule is a small estimator. Given to ``GreedyTreeClassifier(pruning=...)`` it prunes what `fit` grows, and
a grid search reaches its parameters as ``pruning__confidence``; `prune` applies it to a tree that is there,
of whatever origin, and `explain_pruning` says what it cut and why.
"""

from __future__ import annotations

from treewright.pruning._cost_complexity import CostComplexityPruning
from treewright.pruning._error_based import ErrorBasedPruning
from treewright.pruning._estimates import (
    MinimumErrorPruning,
    NaiveErrorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PublishedEvolvedPruning,
)
from treewright.pruning._estimator_rule import EstimatorPruning
from treewright.pruning._explain import PruningExplanation, explain_pruning
from treewright.pruning._prune import prune
from treewright.pruning._reduced_error import ReducedErrorPruning
from treewright.pruning._rule import PruningRule
from treewright.pruning._tuned import TunedErrorBasedPruning

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
