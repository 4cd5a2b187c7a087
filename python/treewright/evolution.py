"""Evolution: `learn_pruner` finds a pruning rule, `ProgramEvolver` a program for a problem of one's own.

A pruning rule is a formula of two numbers of a leaf; thousands a second are tried on trees whose test errors
are known. What comes out is a rule of `treewright.pruning`, readable and small. A program may have data,
recursion and functions that the search invents; one that prunes trees is a rule, too: `ProgramPruning`.
"""

from __future__ import annotations

from treewright.search.evolution.evolver import FrontProgram, ProgramEvolver
from treewright.search.evolution.learn import learn_pruner
from treewright.search.evolution.learned import LearnedPruning
from treewright.search.evolution.problems import ExampleProblem, PruningProblem, ScoredProblem
from treewright.search.evolution.program import Program
from treewright.search.evolution.program_pruning import ProgramPruning
from treewright.search.evolution.record import (
    FrontRule,
    LearningRecord,
    RuleScore,
)

__all__ = [
    "ExampleProblem",
    "FrontProgram",
    "FrontRule",
    "LearnedPruning",
    "LearningRecord",
    "Program",
    "ProgramEvolver",
    "ProgramPruning",
    "PruningProblem",
    "RuleScore",
    "ScoredProblem",
    "learn_pruner",
]
