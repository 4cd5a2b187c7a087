"""Decision tables: graphs, least costs, fronts, sixteen greedy trees, branch and bound."""

from __future__ import annotations

import pickle
from functools import cache
from functools import partial as case
from typing import Any

import numpy as np

from benches.snapshot import data, facts
from benches.snapshot.neutral import first
from treewright.tables import Cost, DecisionTable, tree_cost

NAME = "table"

COSTS = ("depth", "total_path_length", "average_depth", "n_nodes", "n_internal", "n_leaves")
OWN = Cost(leaf=3, per_row=1, per_node=5)
DEEPEST = Cost(leaf=1, per_node=2, combine="max")
NAMED_COSTS: dict[str, Any] = {name: name for name in COSTS} | {"own": OWN, "deepest": DEEPEST}


@cache
def table(name: str) -> DecisionTable:
    """Return a table of a named set, or one drawn here."""
    if name == "random":
        rng = np.random.default_rng(3)
        values = rng.integers(0, 3, (40, 6))
        return DecisionTable(values.tolist(), rng.integers(0, 3, 40).tolist(), on_conflict="most_common")
    if name == "words":
        rows = [["sunny", 1], ["sunny", 0], ["rainy", 1], ["rainy", None], [None, 2.5]]
        return DecisionTable(rows, ["swim", "walk", "read", "read", "swim"], feature_names=["sky", "warm"])
    bins = {"iris": 3, "wine": 2, "heart-c": 2, "hepatitis": 2}.get(name)
    return DecisionTable.from_data(data.named(name), bins=bins, on_conflict="most_common")


def contents(name: str) -> facts.Facts:
    """Say what a table holds."""
    made = table(name)
    return {
        "sizes": [made.n_rows, made.n_features, made.n_pairs],
        "names": made.feature_names,
        "values": made.values,
        "decisions": made.decisions,
        "classes": made.classes,
        "first rows": made.first_rows,
        "edges": made.bin_edges,
        "columns": [made.column(i) for i in range(made.n_features)],
        "text": repr(made),
        "pickled": repr(pickle.loads(pickle.dumps(made))),
    }


def graph(name: str, *, costs: Any = NAMED_COSTS, n_trees: int = 3, **options: Any) -> facts.Facts:
    """Say all that a graph of subtables knows."""
    found = table(name).subtable_graph(**options)
    told = sizes_of(found)
    for key, cost in costs.items():
        told[key] = {
            "least": found.minimum(cost),
            "trees": found.count_optimal(cost),
            "with best subtrees": found.count_optimal(cost, every_subtree=True),
            "tree": facts.tree(found.tree(cost)),
            "first trees": [facts.tree(one) for one in first(found.enumerate_optimal(cost), n_trees)],
            "cost again": tree_cost(found.tree(cost), table(name), cost),
        }
    return told


def sizes_of(found: Any) -> facts.Facts:
    """Say how large a graph is and what it proves."""
    return {
        "status": found.status,
        "max_pairs": found.max_pairs,
        "sizes": [found.n_subtables, found.n_nonterminal, found.n_terminal, found.n_bundles, found.n_edges],
        "bounds": {name: list(found.bounds[name]) for name in found.bounds},
        "text": repr(found),
    }


def cut_graph(name: str, **options: Any) -> facts.Facts:
    """Say what is known of a graph that reached a limit."""
    return sizes_of(table(name).subtable_graph(**options))


def then(name: str, *costs: Any) -> facts.Facts:
    """Return the tree of least cost, ties decided by further costs."""
    return facts.tree(table(name).subtable_graph().tree(costs[0], then=list(costs[1:])))


def all_optimal(name: str, cost: Any) -> list[Any]:
    """Return every tree of least cost."""
    return [facts.tree(one) for one in table(name).subtable_graph().enumerate_optimal(cost)]


def fronts(name: str) -> facts.Facts:
    """Return the fronts of several pairs of costs."""
    pairs = (
        ("depth", "n_nodes"),
        ("average_depth", "n_leaves"),
        ("total_path_length", "n_internal"),
        (OWN, "depth"),
    )
    found = table(name).subtable_graph()
    return {
        f"pair {i}": [[a, b, facts.sizes(tree)] for a, b, tree in found.pareto_front(*pair)]
        for i, pair in enumerate(pairs)
    }


def minimum(name: str, cost: Any = "n_nodes", **options: Any) -> facts.Facts:
    """Return the tree of least cost as a search result."""
    return facts.result_with_tree(table(name).minimum_tree(cost, **options))


def greedy(name: str, alpha: int = 0) -> facts.Facts:
    """Return all sixteen greedy trees, and one that is asked for by name."""
    found = table(name).greedy_trees(max_pairs=alpha)
    one = table(name).greedy_tree(impurity="max", uncertainty="rt", max_pairs=alpha)
    return {", ".join(key): facts.tree(tree) for key, tree in found.items()} | {
        "max, rt again": facts.sizes(one)
    }


CASES = {
    "contents/words": case(contents, "words"),
    "contents/monks-1": case(contents, "monks-1"),
    "contents/iris-in-bins": case(contents, "iris"),
    "contents/hepatitis-in-bins": case(contents, "hepatitis"),
    "graph/words": case(graph, "words"),
    "graph/monks-1": case(graph, "monks-1"),
    "graph/random": case(graph, "random"),
    "graph/iris": case(graph, "iris"),
    "graph/random/alpha=20": case(graph, "random", max_pairs=20),
    "graph/tic-tac-toe": case(graph, "tic-tac-toe", costs={name: name for name in COSTS}),
    "graph/monks-3/n_jobs=1": case(graph, "monks-3", n_jobs=1),
    "graph/monks-3/n_jobs=2": case(graph, "monks-3", n_jobs=2),
    "graph/tic-tac-toe/node_limit=2000": case(cut_graph, "tic-tac-toe", node_limit=2000),
    "graph/tic-tac-toe/memory_limit": case(cut_graph, "tic-tac-toe", memory_limit="200kB"),
    "then/monks-1/depth,path,nodes": case(then, "monks-1", "depth", "total_path_length", "n_nodes"),
    "then/random/nodes,depth": case(then, "random", "n_nodes", "depth"),
    "then/random/own,leaves": case(then, "random", OWN, "n_leaves"),
    "optimal/monks-1/n_nodes": case(all_optimal, "monks-1", "n_nodes"),
    "optimal/words/depth": case(all_optimal, "words", "depth"),
    "fronts/random": case(fronts, "random"),
    "fronts/tic-tac-toe": case(fronts, "tic-tac-toe"),
    "minimum/monks-2/n_nodes": case(minimum, "monks-2"),
    "minimum/monks-1/depth,then=n_nodes": case(minimum, "monks-1", "depth", then="n_nodes"),
    "minimum/random/own": case(minimum, "random", OWN, then=["depth"]),
    "minimum/random/alpha=30": case(minimum, "random", "total_path_length", max_pairs=30),
    "minimum/tic-tac-toe/average_depth": case(minimum, "tic-tac-toe", "average_depth"),
    "minimum/tic-tac-toe/depth": case(minimum, "tic-tac-toe", "depth"),
    "minimum/tic-tac-toe/node_limit=3000": case(minimum, "tic-tac-toe", node_limit=3000),
    "minimum/tic-tac-toe/node_limit=3000,leaves": case(minimum, "tic-tac-toe", "n_leaves", node_limit=3000),
    "minimum/random/n_jobs=2": case(minimum, "random", n_jobs=2),
    "minimum/random/node_limit=5": case(minimum, "random", node_limit=5),
    "minimum/wine/bins": case(minimum, "wine", "n_internal"),
    "greedy/random": case(greedy, "random"),
    "greedy/monks-2": case(greedy, "monks-2"),
    "greedy/iris/alpha=10": case(greedy, "iris", 10),
}
