"""Pruning against the textbook's recursion, on thousands of random trees.

A failure names its seed; ``drawn(seed)`` makes the tree again.

Inner names, as in unit tests: `_core`: the engine is asked alone, without the checks around it.
`trees.pruning.rule`: rules are given a tree and rows, without an estimator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest

from blocks import blocks
from reference.bridge import core_dataset, core_grow, pruning_node
from reference.prune import (
    SLACK,
    Estimate,
    Grafter,
    Node,
    error_based,
    observed,
    per_leaf,
    prune,
    published,
    wilson,
)
from reference.table import Growing, Table, counted_weights, filled, filling
from strategies import random_growing, random_table
from treewright import Tree, pruning
from treewright._core import Dataset
from treewright.trees.pruning.rule import PruningRule, Task

N_BLOCKS = 20
TREES_PER_BLOCK = 100
KINDS = ("mixed", "mixed", "nominal", "numeric")


@dataclass(frozen=True)
class Drawn:
    """What one seed gives: a table, how to grow its tree, and a generator to go on with."""

    table: Table
    growing: Growing
    rng: Random

    @property
    def dataset(self) -> Dataset:
        return core_dataset(self.table)

    @property
    def tree(self) -> Tree:
        return Tree(core_grow(self.dataset, self.growing))


def drawn(seed: int) -> Drawn:
    rng = Random(f"pruning {seed}")
    table = random_table(rng, KINDS[seed % len(KINDS)])
    return Drawn(table, random_growing(rng, table), rng)


def seeds_of(block: int) -> range:
    return range(block * TREES_PER_BLOCK, (block + 1) * TREES_PER_BLOCK)


def laplace(c: float, n: float) -> float:
    return (n - c + 1) / (n + 2)


# rule, estimate of the reference, slack in errors, slack in rate
RULES: list[tuple[PruningRule, Estimate, float, float]] = [
    (pruning.ObservedErrorPruning(), observed, 0, 0),
    (pruning.NaiveErrorPruning(), wilson, 0, 0),
    (pruning.PessimisticPruning(), per_leaf(0.5), 0, 0),
    (pruning.CostComplexityPruning(alpha=0), per_leaf(0), 0, 0),
    (pruning.CostComplexityPruning(alpha=1.5), per_leaf(1.5), 0, 0),
    (pruning.PublishedEvolvedPruning(), published, 0, 0),
    (pruning.PublishedEvolvedPruning(slack=0.02), published, 0, 0.02),
    (pruning.EstimatorPruning("(n - c + 1) / (n + 2)"), laplace, 0, 0),
    (pruning.EstimatorPruning(lambda c, n: (n - c + 1) / (n + 2), slack=0.01), laplace, 0, 0.01),
    *(
        (
            pruning.ErrorBasedPruning(confidence=confidence, grafting=False, limit=limit),
            error_based(confidence, limit),
            SLACK,
            0,
        )
        for confidence, limit in [
            (0.25, "c45"),
            (0.05, "c45"),
            (0.25, "weka"),
            (0.4, "weka"),
            (0.25, "exact"),
            (0.1, "wilson"),
        ]
    ),
]


@pytest.mark.parametrize("block", range(N_BLOCKS))
def test_pruned_trees_are_those_of_the_recursion(block: int) -> None:
    for seed in seeds_of(block):
        case = drawn(seed)
        tree = case.tree
        root = pruning_node(tree._core)
        for rule, estimate, errors, rate in case.rng.sample(RULES, 4):
            pruned, value = prune(root, estimate, errors, rate)
            found = pruning.prune(tree, rule)
            assert pruning_node(found._core) == pruned, (seed, rule)
            assert found.estimates is not None
            assert math.isclose(found.estimates[0], value, rel_tol=1e-12, abs_tol=1e-12), (seed, rule)


def filled_table(case: Drawn) -> Table:
    """Return the table with its missing values filled as the growing parameters say, and weights counted."""
    weights = counted_weights(case.table, case.growing)
    columns = tuple(
        filled(column, filling(column, weights, case.growing.missing)) for column in case.table.columns
    )
    return Table(columns, case.table.target, case.table.n_classes, case.table.weights)


def differences(found: Node, expected: Node) -> list[tuple[Node, Node]]:
    """Return nodes that differ in more than the last digits of weights: shares count in units of 2^-30."""
    same = (found.label, found.feature, found.threshold, len(found.children)) == (
        *(expected.label, expected.feature, expected.threshold),
        len(expected.children),
    )
    if not same or not np.allclose(found.counts, expected.counts, rtol=1e-6, atol=1e-6):
        return [(found, expected)]
    pairs = zip(found.children, expected.children, strict=True)
    return [pair for children in pairs for pair in differences(*children)]


def drawn_for_grafting(seed: int) -> Drawn:
    """Draw samples in a number that makes grafting worth its while, weights that sum up well in floats."""
    rng = Random(f"grafting {seed}")
    table = random_table(rng, KINDS[seed % len(KINDS)], samples=(40, 160))
    weights = rng.choice((None, tuple(rng.randint(1, 12) / 4 for _ in range(table.n_samples))))
    table = replace(table, weights=weights)
    return Drawn(table, random_growing(rng, table), rng)


@pytest.mark.parametrize("limit", ["c45", "weka", "exact", "wilson"])
@pytest.mark.parametrize("block", blocks(4, 2))
def test_grafted_trees_are_those_of_the_recursion(block: int, limit: str) -> None:
    n_grafted = 0
    for seed in seeds_of(block):
        case = drawn_for_grafting(seed)
        confidence = case.rng.choice((0.05, 0.25, 0.4))
        rule = pruning.ErrorBasedPruning(confidence=confidence, limit=limit)
        weight = case.growing.class_weight
        task = Task(case.tree, case.dataset, None if weight is None else list(weight))
        found = rule._prune(task)
        distributes = case.growing.missing == "distribution"
        grafter = Grafter(filled_table(case), error_based(confidence, limit), distributes)
        units = np.array(counted_weights(case.table, case.growing)) * 2.0**-20
        expected = grafter.prune(pruning_node(task.tree._core), list(enumerate(units.tolist())))
        assert differences(pruning_node(found.tree._core), expected) == [], seed
        n_grafted += int((found.found.action == 4).sum())
    assert n_grafted > 0
