"""Evolution of pruning rules: `learn_pruner` finds one for a family of data.

A rule is a formula of two numbers of a leaf; thousands a second are tried on trees whose test errors are
known. What comes out is a rule of `treewright.pruning`, readable and small.
"""

from __future__ import annotations

from treewright.evolution._learn import learn_pruner
from treewright.evolution._learned import LearnedPruning
from treewright.evolution._record import FrontRule, LearningRecord, RuleScore

__all__ = ["FrontRule", "LearnedPruning", "LearningRecord", "RuleScore", "learn_pruner"]
