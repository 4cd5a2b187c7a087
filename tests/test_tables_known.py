"""Known minima and graph sizes of real tables."""

from __future__ import annotations

import os
import time

import pytest

from treewright import datasets
from treewright.tables import DecisionTable

pytestmark = pytest.mark.skipif(
    not os.environ.get("TREEWRIGHT_DATA"), reason="TREEWRIGHT_DATA names no folder of data sets"
)

# rows, features; subtables to part and to stop at, bundles, edges;
# depth, path length, nodes, internal nodes, leaves
KNOWN = {
    "monks-1": (432, 6, 1224, 1548, 2742, 7878, 3, 1080, 37, 10, 27),
    "balance-scale": (625, 4, 491, 721, 684, 3420, 4, 2220, 501, 100, 401),
    "folder:car": (1728, 6, 3008, 3999, 5837, 19886, 6, 5093, 396, 104, 290),
    "folder:zoo": (59, 16, 4138, 430, 38693, 83043, 4, 135, 17, 7, 10),
    "folder:breast-cancer": (266, 9, 4405, 1633, 20671, 61458, 5, 855, 156, 47, 99),
    "tic-tac-toe": (958, 9, 26678, 15854, 108155, 294771, 6, 4171, 244, 88, 155),
    "folder:lymph": (148, 18, 30639, 10289, 312981, 814815, 4, 395, 53, 18, 31),
    "folder:nursery": (12960, 8, 53716, 61484, 134062, 434338, 8, 44696, 1066, 286, 759),
    "folder:mushroom": (8124, 22, 58800, 87247, 668089, 1984576, 3, 12380, 21, 5, 14),
    "folder:vote": (342, 16, 118743, 93129, 1121843, 2651730, 5, 961, 50, 20, 29),
}
# The same without the number of subtables to stop at.
SLOW = {
    "folder:promoters": (106, 57, 227659, 12027933, 33791392, 3, 233, 30, 8, 22),
    "folder:soybean": (630, 35, 2863746, 61816185, 160756358, 6, 2161, 107, 38, 68),
}
COSTS = ("depth", "total_path_length", "n_nodes", "n_internal", "n_leaves")
BOUNDED_SECONDS = 60


def table_of(name):
    return DecisionTable.from_data(datasets.load(name), on_conflict="most_common")


@pytest.mark.parametrize("name", KNOWN)
def test_graph_and_minima_are_the_known_ones(name):
    table = table_of(name)
    graph = table.subtable_graph()
    sizes = (graph.n_nonterminal, graph.n_terminal, graph.n_bundles, graph.n_edges)
    assert (table.n_rows, table.n_features, *sizes, *map(graph.minimum, COSTS)) == KNOWN[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_large_graphs_and_minima_are_the_known_ones(name):
    table = table_of(name)
    graph = table.subtable_graph(memory_limit="400MB")
    sizes = (graph.n_nonterminal, graph.n_bundles, graph.n_edges)
    assert (table.n_rows, table.n_features, *sizes, *map(graph.minimum, COSTS)) == SLOW[name]


@pytest.mark.parametrize("name", ["folder:mushroom", "folder:promoters", "folder:vote", "tic-tac-toe"])
@pytest.mark.parametrize("cost", ["depth", "total_path_length"])
def test_branch_and_bound_proves_depth_and_path_length(name, cost, record_property):
    known = {**KNOWN, **SLOW}[name]
    table, started = table_of(name), time.process_time()
    result = table.minimum_tree(cost)
    record_property("seconds", time.process_time() - started)
    assert (result.status, result.cost) == ("optimal", known[-5 + COSTS.index(cost)])


def test_numbers_of_least_trees_are_the_known_ones():
    graph = table_of("folder:hayes-roth").subtable_graph()
    assert graph.count_optimal("depth") == 41472
    assert graph.count_optimal("depth", every_subtree=True) == 10464
    car = table_of("folder:car").subtable_graph()
    assert f"{car.count_optimal('depth'):.0e}" == "4e+69"


def test_lexicographic_optimum_that_node_by_node_elimination_misses():
    tree = table_of("folder:breast-cancer").subtable_graph().tree("depth", then="n_nodes")
    assert (tree.max_depth, tree.n_nodes) == (5, 164)


@pytest.mark.slow
def test_audiology_is_proven_within_half_a_minute():
    table, started = table_of("folder:audiology"), time.monotonic()
    result = table.minimum_tree("depth", time_limit=BOUNDED_SECONDS)
    assert (result.status, result.cost) == ("optimal", 6)
    assert time.monotonic() - started < BOUNDED_SECONDS
