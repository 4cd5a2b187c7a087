"""What must hold for every table, whatever its values.

Inner names, as in unit tests: `search.tables.cost` and `search.tables.searches`: costs and
heuristics are asked for as the engine takes them.
"""

from __future__ import annotations

import math
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import tables as ref
from tiny_tables import small_tables, table_of
from treewright.search.tables.cost import engine_cost
from treewright.search.tables.searches import HEURISTICS
from treewright.tables import DecisionTable, tree_cost

EXAMPLES = settings(max_examples=60)
SIZES = ("n_nonterminal", "n_terminal", "n_bundles", "n_edges")


def graph_of(values, decisions, alpha=0):
    return DecisionTable(values, decisions).subtable_graph(max_pairs=alpha)


def minima(graph):
    return {cost: graph.minimum(cost) for cost in ref.COSTS}


def sizes(graph):
    return {name: getattr(graph, name) for name in SIZES}


def everything(graph):
    counts = [graph.count_optimal(c, every_subtree=e) for c in ref.COSTS for e in (False, True)]
    return minima(graph), sizes(graph), counts


@given(small_tables(), st.sampled_from((0, 0, 2)))
@EXAMPLES
def test_exact_trees_cost_what_is_reported_and_tell_rows_apart(table, alpha):
    own = table_of(table)
    graph = own.subtable_graph(max_pairs=alpha)
    greedy = own.greedy_trees(max_pairs=alpha)
    for cost in ref.COSTS:
        tree = graph.tree(cost)
        assert tree_cost(tree, own, cost) == graph.minimum(cost)
        if alpha == 0 and own.n_features:
            assert tree.predict([list(row) for row in table.values]).tolist() == list(table.decisions)
        for heuristic in HEURISTICS:
            assert tree_cost(greedy[heuristic], own, cost) >= graph.minimum(cost)


@given(small_tables(min_features=1), st.randoms(use_true_random=False))
@EXAMPLES
def test_order_and_names_make_no_difference(table, random):
    expected = everything(graph_of(table.values, table.decisions))
    rows = list(range(len(table.values)))
    random.shuffle(rows)
    columns = list(range(table.n_features))
    random.shuffle(columns)
    names = random.sample("abcde", 5)
    renamed = {(f, value): f"{names[value]}{f}" for f in columns for value in range(5)}
    decided = dict(enumerate(random.sample("vwxyz", 5)))
    values = [[renamed[f, table.values[row][f]] for f in columns] for row in rows]
    assert everything(graph_of(values, [decided[table.decisions[row]] for row in rows])) == expected


@given(small_tables(min_features=1))
@EXAMPLES
def test_constant_column_changes_nothing_and_a_copy_no_minimum(table):
    graph = graph_of(table.values, table.decisions)
    constant = graph_of([(*row, 7) for row in table.values], table.decisions)
    assert everything(constant) == everything(graph)
    copied = graph_of([(*row, row[0]) for row in table.values], table.decisions)
    assert minima(copied) == minima(graph)
    for cost in ref.COSTS:
        assert copied.count_optimal(cost) >= graph.count_optimal(cost)


@given(small_tables(min_features=1), st.data())
@EXAMPLES
def test_more_columns_and_fewer_rows_never_cost_more(table, data):
    before = minima(graph_of(table.values, table.decisions))
    column = data.draw(st.lists(st.integers(0, 2), min_size=len(table.values), max_size=len(table.values)))
    wider = [(*row, value) for row, value in zip(table.values, column, strict=True)]
    assert all(after <= before[cost] for cost, after in minima(graph_of(wider, table.decisions)).items())
    if len(table.values) > 1:
        gone = data.draw(st.integers(0, len(table.values) - 1))
        kept = [row for row in range(len(table.values)) if row != gone]
        fewer = graph_of([table.values[row] for row in kept], [table.decisions[row] for row in kept])
        assert all(after <= before[cost] for cost, after in minima(fewer).items())


@given(small_tables())
@EXAMPLES
def test_costs_bound_each_other(table):
    graph = graph_of(table.values, table.decisions)
    least = minima(graph)
    n, n_decisions = len(table.values), len(set(table.decisions))
    assert least["n_nodes"] >= least["n_internal"] + least["n_leaves"]
    assert least["n_leaves"] >= n_decisions
    if n_decisions > 1:
        widest = max(len({row[f] for row in table.values}) for f in range(table.n_features))
        assert least["total_path_length"] >= n
        assert widest ** least["depth"] >= n_decisions
    assert least["total_path_length"] <= n * least["depth"]
    assert math.isclose(graph.minimum("average_depth"), least["total_path_length"] / n)


@given(small_tables(max_values=2))
@EXAMPLES
def test_binary_columns_tie_the_numbers_of_nodes_together(table):
    graph = graph_of(table.values, table.decisions)
    least = minima(graph)
    assert least["n_leaves"] == least["n_internal"] + 1
    assert least["n_nodes"] == 2 * least["n_internal"] + 1
    counts = {graph.count_optimal(cost) for cost in ("n_nodes", "n_internal", "n_leaves")}
    assert len(counts) == 1


@given(small_tables(), st.sampled_from((0, 0, 3)))
@EXAMPLES
def test_branch_and_bound_is_the_graph(table, alpha):
    from treewright import _core

    own = table_of(table)
    graph = own.subtable_graph(max_pairs=alpha)
    for cost in ref.COSTS:
        found = _core.minimum_tree_bounded(own.core, cost=engine_cost("cost", cost), alpha=alpha)
        assert found.status == "optimal"
        assert found.cost == found.bound == graph.minimum(cost)


@given(small_tables(), st.permutations(ref.COSTS))
@EXAMPLES
def test_fronts_end_in_the_minima_and_hold_lexicographic_optima(table, costs):
    own = table_of(table)
    graph = own.subtable_graph()
    a, b = costs[:2]
    front = [(of_a, of_b) for of_a, of_b, _ in graph.pareto_front(a, b)]
    assert front[0][0] == graph.minimum(a)
    assert front[-1][1] == graph.minimum(b)
    assert all(p[0] < q[0] and p[1] > q[1] for p, q in pairwise(front))
    one, two = graph.tree(a, then=b), graph.tree(b, then=a)
    assert (tree_cost(one, own, a), tree_cost(one, own, b)) == front[0]
    assert (tree_cost(two, own, a), tree_cost(two, own, b)) == front[-1]


@given(small_tables())
@EXAMPLES
def test_counts_are_ordered(table):
    graph = graph_of(table.values, table.decisions)
    for cost in ref.COSTS:
        every, loose = graph.count_optimal(cost, every_subtree=True), graph.count_optimal(cost)
        assert 1 <= every <= loose
        assert cost == "depth" or every == loose


@given(small_tables())
@EXAMPLES
def test_minima_fall_with_alpha(table):
    own = table_of(table)
    graphs = [own.subtable_graph(max_pairs=alpha) for alpha in (0, 1, 4, own.n_pairs)]
    for before, after in pairwise(graphs):
        assert all(minima(after)[cost] <= least for cost, least in minima(before).items())
        assert after.n_nonterminal <= before.n_nonterminal
    assert minima(graphs[-1]) == {
        "depth": 0,
        "total_path_length": 0,
        "n_nodes": 1,
        "n_internal": 0,
        "n_leaves": 1,
    }


@pytest.mark.parametrize("k", range(1, 7))
def test_parity_has_as_many_trees_as_it_should(k):
    rows = list(product((0, 1), repeat=k))
    graph = graph_of(rows, [sum(row) % 2 for row in rows])
    assert graph.minimum("depth") == k
    assert graph.minimum("n_nodes") == 2 ** (k + 1) - 1
    expected = math.prod((k - i) ** 2**i for i in range(k))
    assert {graph.count_optimal(cost) for cost in ref.COSTS} == {expected}


@pytest.mark.parametrize("seed", range(20))
def test_graph_does_not_depend_on_threads(seed):
    random = Random(seed)
    n = random.choice((40, 80, 300))
    rows = [[random.randrange(3) for _ in range(7)] for _ in range(n)]
    table = DecisionTable(rows, [random.randrange(3) for _ in rows], on_conflict="most_common")
    alone = table.subtable_graph()
    for n_jobs in (2, 3):
        graph = table.subtable_graph(n_jobs=n_jobs)
        assert everything(graph) == everything(alone)
        assert [graph.tree(cost, then="n_nodes") for cost in ref.COSTS[:2]] == [
            alone.tree(cost, then="n_nodes") for cost in ref.COSTS[:2]
        ]


def test_lone_rows_and_lone_decisions_have_a_lone_leaf():
    for values, decisions in ([[]], [1]), ([[1, 2]], ["a"]), ([[1], [2]], ["a", "a"]):
        graph = graph_of(values, decisions)
        assert graph.tree("n_nodes").n_nodes == 1
        assert graph.minimum("depth") == 0
        assert graph.count_optimal("depth") == 1
        assert graph.tree("depth").classes_.tolist() == decisions[:1]
