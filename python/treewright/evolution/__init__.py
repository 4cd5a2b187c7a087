"""Evolution: `learn_pruner` finds a pruning rule, `ProgramEvolver` a program for a problem of one's own.

A pruning rule is a formula of two numbers of a leaf; thousands a second are tried on trees whose test errors
are known. What comes out is a rule of `treewright.pruning`, readable and small. A program may have data,
recursion and functions that the search invents.
"""

from __future__ import annotations

from treewright.evolution._evolver import FrontProgram, ProgramEvolver
from treewright.evolution._learn import learn_pruner
from treewright.evolution._learned import LearnedPruning
from treewright.evolution._problems import ExampleProblem, ScoredProblem
from treewright.evolution._program import Program
from treewright.evolution._pruning_problem import PruningProblem
from treewright.evolution._record import FrontRule, LearningRecord, RuleScore

__all__ = [
    "ExampleProblem",
    "FrontProgram",
    "FrontRule",
    "LearnedPruning",
    "LearningRecord",
    "Program",
    "ProgramEvolver",
    "PruningProblem",
    "RuleScore",
    "ScoredProblem",
    "learn_pruner",
]
