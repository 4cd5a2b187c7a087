"""What a study of distinct trees found, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from treewright.results import MESSAGES, ResultTable
from treewright.search.distinct.count import DistinctTreeCount
from treewright.studies.distinct_trees.run import Found
from treewright.studies.selection.run import FOLD, text_type
from treewright.trees.distinct_tree import ORDERS

SIZE = ("min_samples_split", "float64")

COUNTS = [
    SIZE,
    ("order", text_type(ORDERS)),
    ("n_distinct", "int64"),
    ("n_built", "int64"),
    ("overhead", "float64"),
    ("share", "float64"),
    ("seconds", "float64"),
    ("status", text_type(MESSAGES)),
]

DISTRIBUTION = [
    SIZE,
    ("n_features", "int64"),
    ("n_trees", "int64"),
    ("n_subsets", "object"),
    ("is_complete", "bool"),
]
"""Numbers of subsets are ints of any size."""

EXHAUSTIVE = [
    SIZE,
    ("n_grown", "int64"),
    ("seconds_grown", "float64"),
    ("seconds", "float64"),
    ("std_error", "float64"),
    ("is_estimated", "bool"),
]


def tables_of(found: Found) -> dict[str, ResultTable]:
    """Return the tables by their names in the study."""
    counts = [_count(size, order, count) for size, order, count in found.counts]
    return {
        "counts": ResultTable.from_rows(counts, COUNTS),
        "distribution": ResultTable.from_rows(_distribution(found), DISTRIBUTION),
        "exhaustive": ResultTable.from_rows([(size, *spent) for size, spent in found.exhaustive], EXHAUSTIVE),
        "per_fold": ResultTable.from_rows(found.folds, [SIZE, *FOLD]),
    }


def _count(size: float, order: str, count: DistinctTreeCount) -> tuple[Any, ...]:
    """Return one count as a row; the overhead of no tree is unknown."""
    overhead = count.overhead if count.n_distinct else math.nan
    share = count.certificate / count.n_subsets
    return (size, order, count.n_distinct, count.n_built, overhead, share, count.elapsed, count.status)


def _distribution(found: Found) -> Iterator[tuple[Any, ...]]:
    for size, count in _fullest(found).items():
        is_complete = count.status == "complete"
        for k, n_trees in enumerate(count.by_n_features):
            yield (size, k, n_trees, math.comb(count.n_features, k), is_complete)


def _fullest(found: Found) -> dict[float, DistinctTreeCount]:
    """Return one count of each m: the first complete one, or else the first."""
    fullest: dict[float, DistinctTreeCount] = {}
    for size, _, count in found.counts:
        known = fullest.setdefault(size, count)
        if known.status != "complete" and count.status == "complete":
            fullest[size] = count
    return fullest
