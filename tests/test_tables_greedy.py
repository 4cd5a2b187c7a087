"""Sixteen greedy trees against the reference in fractions.

Inner names, as in unit tests: `search.tables.searches`: costs and heuristics are asked for as the
engine takes them.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from reference import tables as ref
from tiny_tables import as_read, random_table, read, small_tables, table_of
from treewright.search.tables.searches import HEURISTICS

SEEDS = range(250)


def assert_same_trees(table):
    trees = table_of(table).greedy_trees(max_pairs=table.alpha)
    assert list(trees) == list(HEURISTICS)
    for (kind, measure), tree in trees.items():
        assert read(tree) == as_read(ref.greedy(table, kind, measure)), (kind, measure)


@pytest.mark.parametrize("seed", SEEDS)
def test_greedy_trees_are_those_of_the_reference(seed):
    rng = Random(seed)
    assert_same_trees(random_table(rng, n_rows=(1, 40), n_features=(0, 6), n_values=4))


@given(small_tables())
@settings(max_examples=100)
def test_greedy_trees_of_any_table(table):
    assert_same_trees(table)


@pytest.mark.parametrize("heuristic", HEURISTICS, ids="-".join)
def test_one_tree_is_the_one_of_all(heuristic):
    table = random_table(Random(1), n_rows=(40, 40), n_features=(6, 6), n_values=3)
    own = table_of(table)
    impurity, uncertainty = heuristic
    assert own.greedy_tree(impurity=impurity, uncertainty=uncertainty) == own.greedy_trees()[heuristic]


@pytest.mark.parametrize("seed", range(30))
def test_greedy_costs_fall_with_alpha(seed):
    table = random_table(Random(seed), n_rows=(20, 40), n_features=(3, 6), n_values=3)
    own = table_of(table)
    before = own.greedy_trees(max_pairs=0)
    for alpha in (1, 3, 10, own.n_pairs):
        after = own.greedy_trees(max_pairs=alpha)
        for heuristic, tree in after.items():
            assert tree.n_nodes <= before[heuristic].n_nodes
            assert tree.max_depth <= before[heuristic].max_depth
        before = after
    assert all(tree.n_nodes == 1 for tree in before.values())
