"""Distinct trees: enumeration, counts, subsets."""

from __future__ import annotations

import pickle
from functools import partial as case
from typing import Any

from benches.snapshot import data, facts
from treewright import GreedyTreeClassifier
from treewright.distinct import (
    SubsetInterval,
    count_distinct_trees,
    enumerate_distinct_trees,
    feature_subsets,
)

NAME = "distinct"

SPLIT_16 = {"min_samples_split": 16}
SPLIT_32 = {"min_samples_split": 32}


def grower(growing: Any) -> GreedyTreeClassifier:
    """Return the estimator that grows the trees, with its parameters."""
    return GreedyTreeClassifier(**(growing or {}))


def options_of(growing: Any, judges: Any, weight: Any) -> dict[str, Any]:
    """Return what grows, judges and weighs, by the names that both calls give it."""
    return {
        "estimator": grower(growing),
        "validation_set": judges,
        "random_state": 0,
        "sample_weight": weight,
    }


def trees(
    given: Any, *, judges: Any = None, growing: Any = None, weight: Any = None, n: int = 2, **options: Any
) -> Any:
    """Enumerate to the end, or to a limit, and say all about it."""
    sample = data.of(given() if callable(given) else given)
    drawn = options_of(growing, judges, weight)
    with enumerate_distinct_trees(*sample, **drawn, **options) as found:
        return facts.distinct(found, with_trees=n)


def count(
    given: Any, *, judges: Any = None, growing: Any = None, weight: Any = None, **options: Any
) -> facts.Facts:
    """Count the trees."""
    sample = data.of(given() if callable(given) else given)
    drawn = options_of(growing, judges, weight)
    found = count_distinct_trees(*sample, **drawn, **options)
    is_parallel = bool(options.get("distribute")) or options.get("n_jobs", 1) != 1
    return facts.count(found, is_parallel=is_parallel)


def paused() -> facts.Facts:
    """Enumerate to a limit, go on to the end, and compare with a run in one go."""
    options = {"estimator": grower(SPLIT_32), "validation_set": 0.3, "random_state": 0}
    found = enumerate_distinct_trees(data.named("wine"), **options, node_limit=50)
    before = facts.distinct(found)
    rest = facts.distinct(found.resume(node_limit=10**6))
    return {"before": before, "rest": rest}


def subsets() -> facts.Facts:
    """Ask everything of a tree's subsets."""
    tree = next(enumerate_distinct_trees(data.named("iris")))
    interval = tree.equivalent_subsets
    own = SubsetInterval(required_features=(1, 4), optional_features=(0, 2))
    return {
        "of a tree": [
            interval.required_features,
            interval.optional_features,
            interval.n_subsets,
            list(interval),
        ],
        "own": [own.n_subsets, list(own), [4, 1] in own, [0, 1] in own],
        "walk": list(feature_subsets([3], [0, 1, 2])),
    }


def pickled() -> facts.Facts:
    """Pickle a tree of an enumeration and read it again."""
    found = list(enumerate_distinct_trees(data.named("iris")))[3]
    again = pickle.loads(pickle.dumps(found))
    return {"used": again.used_features, "tree": facts.tree(again.tree), "same": again.tree == found.tree}


def each_order() -> facts.Facts:
    """Count in every order; numbers of trees built may differ."""
    orders = ("frontier", "frontier_descending", "index", "index_descending")
    return {order: count("wine", growing=SPLIT_32, order=order) for order in orders}


CASES = {
    "enumerate/iris/default": case(trees, "iris", n=15),
    "enumerate/wine/split=16": case(trees, "wine", growing=SPLIT_16),
    "enumerate/wine/split=16,judges": case(trees, "wine", growing=SPLIT_16, judges=0.3),
    "enumerate/wine/split=32,judges=positions": case(trees, "wine", growing=SPLIT_32, judges=list(range(40))),
    "enumerate/wine/split=32,order=index": case(trees, "wine", growing=SPLIT_32, order="index"),
    "enumerate/wine/split=32,order=index_descending": case(
        trees, "wine", growing=SPLIT_32, order="index_descending"
    ),
    "enumerate/wine/split=32,order=frontier_descending": case(
        trees, "wine", growing=SPLIT_32, order="frontier_descending"
    ),
    "enumerate/wine/split=32,n_jobs=1": case(trees, "wine", growing=SPLIT_32, judges=0.3, n_jobs=1),
    "enumerate/wine/split=32,n_jobs=2": case(trees, "wine", growing=SPLIT_32, judges=0.3, n_jobs=2),
    "enumerate/wine/split=32,node_limit=100": case(trees, "wine", growing=SPLIT_32, node_limit=100),
    "enumerate/wine/split=32,memory=64kB": case(trees, "wine", growing=SPLIT_32, memory_limit="64kB"),
    "enumerate/wine/resume": paused,
    "enumerate/mixed/judges": case(trees, data.mixed, judges=0.3, n=6),
    "enumerate/mixed/weights": case(trees, data.mixed, judges=0.3, weight=data.weights(120)),
    "enumerate/heart-c/split=32,gini": case(
        trees, "heart-c", growing={**SPLIT_32, "criterion": "gini", "max_depth": 3}, judges=0.3
    ),
    "enumerate/known/id3": case(trees, data.known, growing={"growth": "id3"}, judges=0.4),
    "count/iris": case(count, "iris"),
    "count/wine/split=16": case(count, "wine", growing=SPLIT_16),
    "count/wine/split=16,n_jobs=1": case(count, "wine", growing=SPLIT_16, n_jobs=1),
    "count/wine/split=16,n_jobs=2": case(count, "wine", growing=SPLIT_16, n_jobs=2),
    "count/wine/split=32,distribute": case(count, "wine", growing=SPLIT_32, distribute=True),
    "count/wine/split=16,node_limit=200": case(count, "wine", growing=SPLIT_16, node_limit=200),
    "count/wine/orders": each_order,
    "count/heart-c/split=32": case(count, "heart-c", growing=SPLIT_32),
    "count/hepatitis/split=32,judges,mdl": case(
        count,
        "hepatitis",
        growing={**SPLIT_32, "mdl_correction": True, "criterion": "gain_ratio"},
        judges=0.3,
    ),
    "count/numbers/weights": case(count, data.numbers, weight=data.weights(90, whole=True)),
    "subsets": subsets,
    "pickle": pickled,
}
