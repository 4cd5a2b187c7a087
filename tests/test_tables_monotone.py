"""Costs by a function of the user's: against every tree of tiny tables, and what is refused."""

from __future__ import annotations

import math
import pickle
import time
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from sklearn.base import clone

from reference import tables as ref
from tiny_tables import as_read, random_table, random_tiny, read, table_of
from treewright import MinimalTreeClassifier, ParameterError, Tree, datasets
from treewright.tables import Cost, DecisionTable, MonotoneCost, tree_cost


def priced_sum(n_rows, feature, costs):
    """Charge every row: a test of feature x2 costs more than one of x0."""
    return n_rows * (1 + 3 * int(feature[1:])) + sum(costs)


def priced_path(n_rows, feature, costs):
    """Charge the row that pays most."""
    return Fraction(1 + int(feature[1:]), 3) + max(costs)


def halved(n_rows, feature, costs):
    """Count a later test half."""
    return 1 + sum(costs) / 2


def uneven(n_rows, feature, costs):
    """Count the first branch double."""
    return n_rows + 2 * costs[0] + sum(costs[1:])


def without_x1(n_rows, feature, costs):
    """Forbid a feature."""
    return math.inf if feature == "x1" else 1 + sum(costs)


def second(n_rows, feature, costs):
    """Take the second largest branch: neither a sum nor a maximum."""
    return 1 + sorted(costs)[-2]


FUNCTIONS = [
    MonotoneCost(0, priced_sum),
    MonotoneCost(Fraction(1, 7), priced_path),
    MonotoneCost(1.5, halved),
    MonotoneCost(1, uneven),
    MonotoneCost(1, without_x1),
    MonotoneCost(0, second),
]

NAMED = {
    "depth": MonotoneCost(0, lambda n_rows, feature, costs: 1 + max(costs)),
    "total_path_length": MonotoneCost(0, lambda n_rows, feature, costs: n_rows + sum(costs)),
    "n_nodes": MonotoneCost(1, lambda n_rows, feature, costs: 1 + sum(costs)),
    "n_internal": MonotoneCost(0, lambda n_rows, feature, costs: 1 + sum(costs)),
    "n_leaves": MonotoneCost(1, lambda n_rows, feature, costs: sum(costs)),
}


def cost_of(tree, cost):
    """Add up the cost of a tree of the reference."""
    if isinstance(tree, ref.Leaf):
        return cost.leaf
    costs = tuple(cost_of(child, cost) for child in tree.children)
    return cost.combine(len(tree.rows), f"x{tree.feature}", costs)


@pytest.mark.parametrize("seed", range(250))
def test_the_least_is_that_of_all_trees(seed):
    table = random_tiny(Random(1000 + seed))
    graph, trees = table_of(table).subtable_graph(max_pairs=table.alpha), list(ref.trees(table))
    for cost in FUNCTIONS:
        least = min(cost_of(tree, cost) for tree in trees)
        found = table_of(table).minimum_tree(cost, max_pairs=table.alpha)
        assert graph.minimum(cost) == found.cost == found.bound == least
        assert type(found.cost) is type(least)
        assert found.status == "optimal"
        best = [as_read(tree) for tree in trees if cost_of(tree, cost) == least]
        assert read(found.tree) == read(graph.tree(cost))
        assert read(found.tree) in best
        assert tree_cost(found.tree, table_of(table), cost) == least


@pytest.mark.parametrize("seed", range(60))
def test_the_named_costs_come_out_the_same(seed):
    rng = Random(2000 + seed)
    tiny = random_table(rng, n_rows=(1, 60), n_features=(0, 6), n_values=4)
    table = table_of(tiny)
    graph = table.subtable_graph(max_pairs=tiny.alpha)
    for name, cost in NAMED.items():
        assert graph.minimum(cost) == graph.minimum(name)
        assert tree_cost(graph.tree(cost), table, name) == graph.minimum(name)
        for tree in table.greedy_trees(max_pairs=tiny.alpha).values():
            assert tree_cost(tree, table, cost) == tree_cost(tree, table, name)
    own = MonotoneCost(2, lambda n_rows, feature, costs: 5 + 3 * n_rows + max(costs))
    assert graph.minimum(own) == graph.minimum(Cost(leaf=2, per_node=5, per_row=3, combine="max"))
    average = MonotoneCost(0, lambda n_rows, feature, costs: Fraction(n_rows, table.n_rows) + sum(costs))
    assert float(graph.minimum(average)) == graph.minimum("average_depth")


def test_of_equal_tests_the_first_is_taken_and_prices_tell_copies_apart():
    values = [[a, b, a, b] for a in (0, 1) for b in (0, 1)]
    table = DecisionTable(values, [0, 1, 1, 0])
    flat = table.minimum_tree(MonotoneCost(0, lambda n_rows, feature, costs: 1 + max(costs)))
    assert flat.tree.feature[flat.tree.feature >= 0].tolist() == [0, 1, 1]
    prices = {"x0": 3, "x1": 5, "x2": 2, "x3": 1}
    paid = MonotoneCost(0, lambda n_rows, feature, costs: prices[feature] + max(costs))
    found = table.minimum_tree(paid)
    assert (found.cost, found.tree.used_features.tolist()) == (3, [2, 3])


DATA = datasets.load("monks-1")


def test_a_function_is_an_estimator_s_cost():
    cost = MonotoneCost(1, priced_for_monks)
    model = MinimalTreeClassifier(cost=cost).fit(DATA)
    table = DecisionTable.from_data(DATA)
    assert model.search_.cost == table.subtable_graph().minimum(cost) == tree_cost(model.tree_, table, cost)
    assert model.search_.status == "optimal"
    again = pickle.loads(pickle.dumps(clone(model))).fit(DATA)
    assert again.tree_ == model.tree_
    assert model.tree_.provenance["parameters"]["cost"]["combine"] == "priced_for_monks"


def priced_for_monks(n_rows, feature, costs):
    """Charge for a node, and for every row that reaches it."""
    return len(feature) + n_rows + sum(costs)


@pytest.mark.parametrize(
    "combine",
    [
        lambda n_rows, feature, costs: max(costs) - min(costs),
        lambda n_rows, feature, costs: 10 - sum(costs),
        lambda n_rows, feature, costs: 1 + abs(costs[0] - 3) + max(costs[1:]),
        lambda n_rows, feature, costs: 1 + sum(costs) % 7,
    ],
)
def test_what_falls_where_a_branch_rises_is_refused_with_both_calls(combine):
    table = DecisionTable.from_data(DATA)
    with pytest.raises(
        ParameterError, match=r"is not monotone: combine\(\d+, '\w+', \(.*\)\) is .*, but comb"
    ):
        table.minimum_tree(MonotoneCost(1, combine))


def test_what_falls_seldom_is_seen_in_the_search():
    """Trials draw their arguments; a call of the search is held against other calls of it."""
    calls = []

    def seldom(n_rows, feature, costs):
        calls.append(costs)
        return 1 + sum(costs) - (2 * max(costs) if 30 < n_rows < 33 else 0)

    table = DecisionTable.from_data(datasets.load("tic-tac-toe"))
    with pytest.raises(ParameterError, match="is not monotone"):
        table.minimum_tree(MonotoneCost(1, seldom))
    assert len(calls) > 2 * 16 * table.n_features


def test_what_changes_from_call_to_call_is_refused():
    count = iter(range(10**6))
    with pytest.raises(ParameterError, match="depend on its arguments only"):
        DecisionTable([[0], [1]], [0, 1]).minimum_tree(MonotoneCost(0, lambda *_: -next(count)))


@pytest.mark.parametrize("value", [math.nan, None, "3", True, 1j, (1, 2), np.float64("nan")])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ParameterError, match="leaf"):
        MonotoneCost(value, max)
    with pytest.raises(ParameterError, match=r"combine returned .* for combine\(2, 'x0', \(0, 0\)\)"):
        DecisionTable([[0], [1]], [0, 1]).minimum_tree(MonotoneCost(0, lambda *_: value))


def test_numbers_of_numpy_are_numbers():
    cost = MonotoneCost(np.int64(2), lambda n_rows, feature, costs: np.float32(0.5) + np.sum(costs))
    found = DecisionTable([[0], [1]], [0, 1]).minimum_tree(cost)
    assert (found.cost, type(found.cost), type(cost.leaf)) == (4.5, float, int)


def test_a_function_goes_alone():
    table, cost = DecisionTable([[0], [1]], [0, 1]), MonotoneCost(0, priced_sum)
    graph = table.subtable_graph()
    for ask in (
        lambda: table.minimum_tree(cost, then="depth"),
        lambda: graph.tree(cost, then="depth"),
        lambda: graph.tree("depth", then=cost),
        lambda: graph.count_optimal(cost),
        lambda: graph.enumerate_optimal(cost),
        lambda: graph.pareto_front("depth", cost),
    ):
        with pytest.raises(ParameterError, match="MonotoneCost"):
            ask()
    with pytest.raises(ParameterError, match="combine"):
        MonotoneCost(0, 3)


def test_what_the_function_raises_comes_through():
    cost = MonotoneCost(0, lambda n_rows, feature, costs: {"other": 1}[feature])
    with pytest.raises(KeyError, match="x0"):
        DecisionTable([[0], [1]], [0, 1]).minimum_tree(cost)


TABLE = DecisionTable.from_data(datasets.load("tic-tac-toe"))
NODES = NAMED["n_nodes"]


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        ({"node_limit": 100}, "node_limit"),
        ({"memory_limit": "2MB"}, "memory_limit"),
        ({"time_limit": 0.05}, "time_limit"),
        ({"callback": lambda progress: True}, "stopped"),
    ],
)
def test_at_a_limit_there_is_the_best_greedy_tree_and_no_bound(limits, status):
    found = TABLE.minimum_tree(NODES, **limits)
    assert (found.status, found.bound, found.gap) == (status, None, None)
    n_nodes = [tree.n_nodes for tree in TABLE.greedy_trees().values()]
    assert found.cost == found.tree.n_nodes
    assert found.cost == min(n_nodes) if status.endswith("y_limit") else found.cost in n_nodes
    assert "greedy" in found.message


def test_a_slow_function_ends_in_time():
    def slow(n_rows, feature, costs):
        time.sleep(0.001)
        return 1 + sum(costs)

    started = time.monotonic()
    found = TABLE.minimum_tree(MonotoneCost(1, slow), time_limit=0.3)
    assert found.status == "time_limit"
    assert time.monotonic() - started < 10


def test_ctrl_c_ends_it_and_the_estimator_keeps_a_tree():
    calls = []

    def interrupted(n_rows, feature, costs):
        calls.append(n_rows)
        if len(calls) == 1000:
            raise KeyboardInterrupt
        return 1 + sum(costs)

    model = MinimalTreeClassifier(cost=MonotoneCost(1, interrupted))
    with pytest.raises(KeyboardInterrupt):
        model.fit(datasets.load("tic-tac-toe"))
    assert model.search_.status == "stopped"
    assert isinstance(model.tree_, Tree)


def test_progress_is_told():
    told = []
    graph = TABLE.subtable_graph(max_pairs=100)
    found = TABLE.minimum_tree(
        NODES, max_pairs=100, graph=graph, callback=lambda progress: told.append(progress) and False
    )
    assert (found.cost, found.tree) == (78, graph.tree(NODES))
    assert told
    assert [progress.elapsed for progress in told] == sorted(progress.elapsed for progress in told)


@pytest.mark.parametrize(
    ("cost", "gap", "shown"),
    [
        (
            MonotoneCost(Fraction(1, 3), lambda n_rows, feature, costs: sum(costs) + Fraction(2, 3)),
            0,
            "1.33333",
        ),
        (MonotoneCost(0, lambda n_rows, feature, costs: math.inf), 0, "inf"),
        (MonotoneCost(-math.inf, lambda n_rows, feature, costs: max(costs)), 0, "-inf"),
    ],
)
def test_fractions_and_infinite_costs_are_shown(cost, gap, shown):
    """Found by hand: a notebook could not show a Fraction, and inf - inf was a gap of NaN."""
    found = DecisionTable([[0], [1]], [0, 1]).minimum_tree(cost)
    assert found.gap == gap
    assert f">{shown}<" in found._repr_html_()
