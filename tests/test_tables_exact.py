"""The graph of subtables and branch and bound against every tree of tiny tables.

Inner names, as in unit tests: `search.tables.cost`: costs and heuristics are asked for as the
engine takes them.
"""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings

from reference import tables as ref
from tiny_tables import OWN_COSTS, as_read, random_tiny, read, table_of, tiny_tables
from treewright.search.tables.cost import engine_cost
from treewright.tables import Cost, tree_cost

SEEDS = range(300)
ALL_COSTS = [*ref.COSTS, *OWN_COSTS]


def public(cost):
    """Return the cost as a user gives it."""
    return cost if isinstance(cost, str) else Cost(cost[0], cost[1], cost[2], cost[3])


def tiny(seed):
    return random_tiny(Random(seed))


def graph_of(table, **limits):
    return table_of(table).subtable_graph(max_pairs=table.alpha, **limits)


@pytest.mark.parametrize("seed", SEEDS)
def test_graph_answers_as_all_trees_do(seed):
    table = tiny(seed)
    graph, trees = graph_of(table), list(ref.trees(table))
    assert graph.status == "complete"
    assert {name: getattr(graph, name) for name in ref.graph_sizes(table)} == ref.graph_sizes(table)
    for cost in ALL_COSTS:
        least = min(ref.cost_of(tree, cost) for tree in trees)
        best = {as_read(tree): tree for tree in trees if ref.cost_of(tree, cost) == least}
        strict = {nested for nested, tree in best.items() if ref.is_optimal_throughout(table, tree, cost)}
        asked = public(cost)
        assert graph.minimum(asked) == least
        assert read(graph.tree(asked)) in best
        assert graph.count_optimal(asked) == len(best)
        assert graph.count_optimal(asked, every_subtree=True) == len(strict)
        listed = [read(tree) for tree in graph.enumerate_optimal(asked)]
        assert len(listed) == len(best)
        assert set(listed) == set(best)
        assert listed[0] == read(graph.tree(asked))


@pytest.mark.parametrize("seed", SEEDS)
def test_lexicographic_optima_are_those_of_all_trees(seed):
    table = tiny(seed)
    graph = graph_of(table)
    rng = Random(seed)
    orders = rng.sample(list(permutations(ref.COSTS, 3)), 8) + list(permutations(ref.COSTS, 2))
    orders += [(rng.choice(OWN_COSTS), "depth"), ("depth", rng.choice(OWN_COSTS), "n_nodes")]
    trees = {as_read(tree): tree for tree in ref.trees(table)}
    for costs in orders:
        found = trees[read(graph.tree(public(costs[0]), then=[public(cost) for cost in costs[1:]]))]
        assert tuple(ref.cost_of(found, cost) for cost in costs) == ref.lexicographic(table, costs)


@pytest.mark.parametrize("seed", SEEDS)
def test_fronts_are_those_of_all_trees(seed):
    table = tiny(seed)
    graph = graph_of(table)
    trees = {as_read(tree): tree for tree in ref.trees(table)}
    own = Random(seed).choice(OWN_COSTS)
    for a, b in [*permutations(ref.COSTS, 2), (own, "depth"), ("n_nodes", own)]:
        front = graph.pareto_front(public(a), public(b))
        assert [(of_a, of_b) for of_a, of_b, _ in front] == ref.pareto(table, a, b)
        for of_a, of_b, tree in front:
            found = trees[read(tree)]
            assert (ref.cost_of(found, a), ref.cost_of(found, b)) == (of_a, of_b)


@pytest.mark.parametrize("seed", SEEDS)
def test_branch_and_bound_finds_the_least(seed):
    from treewright import Tree, _core

    table = tiny(seed)
    own = table_of(table)
    trees = {as_read(tree): tree for tree in ref.trees(table)}
    for cost in ALL_COSTS:
        asked = engine_cost("cost", public(cost))
        found = _core.minimum_tree_bounded(own.core, cost=asked, alpha=table.alpha)
        assert found.status == "optimal"
        assert found.cost == found.bound == ref.minimum(table, cost)
        assert ref.cost_of(trees[read(Tree(found.tree))], cost) == found.cost


@pytest.mark.parametrize("seed", SEEDS)
def test_costs_of_a_tree_are_those_of_the_reference(seed):
    table = tiny(seed)
    own, trees = table_of(table), {as_read(tree): tree for tree in ref.trees(table)}
    for tree in [
        *own.greedy_trees(max_pairs=table.alpha).values(),
        own.minimum_tree(max_pairs=table.alpha).tree,
    ]:
        found = trees[read(tree)]
        for cost in ALL_COSTS:
            assert tree_cost(tree, own, public(cost)) == ref.cost_of(found, cost)
        average = tree_cost(tree, own, "average_depth")
        assert average == ref.cost_of(found, "total_path_length") / own.n_rows


@given(tiny_tables())
@settings(max_examples=150)
def test_minima_and_counts_of_any_table(table):
    graph = graph_of(table)
    for cost in ref.COSTS:
        best = ref.optimal(table, cost)
        assert graph.minimum(cost) == ref.cost_of(best[0], cost)
        assert graph.count_optimal(cost) == len(best)
