"""Slow, plain Python versions of the engines, written to be read and believed.

Everything here follows one rule: the obvious way, in exact integers, without numpy
and without sharing a line with the Rust core. It judges the fast version on tables
small enough for it to finish.

==============  =====================================================================
numbers.py      units of weight and share, logarithms, the table F, Gini in integers
table.py        the data, the growing parameters, what a missing value becomes
splits.py       which splits of a node are allowed, and how good each one is
grow.py         nodes and trees, samples with a missing value divided among branches
predict.py      shares at the leaves, classes and probabilities
eliminate.py    backward elimination, black box and pruned
tables.py       decision tables: every tree, their costs, sixteen greedy trees
fixed_depth.py  naive Bayes in fractions, every order of questions
planes.py       LPs of planes written out for SciPy (with numpy), every subset
==============  =====================================================================
"""

from reference.eliminate import Elimination, eliminate_backward, validation_errors
from reference.grow import Node, Tree, grow
from reference.predict import leaf_shares, predict, predict_proba
from reference.table import Column, Growing, Table

__all__ = [
    "Column",
    "Elimination",
    "Growing",
    "Node",
    "Table",
    "Tree",
    "eliminate_backward",
    "grow",
    "leaf_shares",
    "predict",
    "predict_proba",
    "validation_errors",
]
