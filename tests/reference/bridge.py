"""Between the reference's tables and the Rust core: the one file that names numpy.

Inner names: `_base.params`: the engines are called with its limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reference.prune import Node
from reference.table import Column, Growing, Table, Value
from treewright import _core
from treewright._base.params import Limits

Array = NDArray[Any]
LEAF, BY_VALUE, THRESHOLD = 0, 1, 2


def core_dataset(table: Table, *, text_labels: bool = True) -> _core.Dataset:
    """Table as the core's data set, features x0, x1, ... and classes c0, c1, ...

    Labels of levels and classes are ints instead of text where asked.
    """

    def labels(letter: str, n_labels: int) -> list[Any]:
        return [f"{letter}{code}" if text_labels else code for code in range(n_labels)]

    weights = None if table.weights is None else np.array(table.weights, dtype=float)
    return _core.Dataset.from_columns(
        [f"x{i}" for i in range(table.n_features)],
        [core_column(column) for column in table.columns],
        [None if column.n_levels is None else labels("v", column.n_levels) for column in table.columns],
        np.array(table.target, dtype=np.int32),
        labels("c", table.n_classes),
        weights,
    )


def core_column(column: Column) -> Array:
    """Column as numbers with NaN, or as codes with -1, for what is missing."""
    if column.is_nominal:
        codes = [-1 if value is None else value for value in column.values]
        return np.array(codes, dtype=np.int32)
    return np.array([np.nan if v is None else v for v in column.values], dtype=float)


def core_rows(table: Table, rows: Sequence[Sequence[Value]]) -> list[Array]:
    """Turn samples to predict into columns of the table's kinds."""
    return [
        core_column(Column(tuple(row[i] for row in rows), column.n_levels))
        for i, column in enumerate(table.columns)
    ]


def core_growth(growing: Growing) -> _core.GrowthParameters:
    """Growing parameters as the core has them."""
    return _core.GrowthParameters(**vars(growing), cost_matrix=None, probability="weighted", smoothing=None)


def core_grow(
    table: Table | _core.Dataset,
    growing: Growing,
    features: Sequence[int] | None = None,
    n_threads: int = 1,
) -> _core.Tree:
    """Grow the core's tree of a table."""
    return _core.grow(
        core_dataset(table) if isinstance(table, Table) else table,
        growth=core_growth(growing),
        features=None if features is None else list(features),
        n_threads=n_threads,
    )


class Elimination(NamedTuple):
    """What the core's elimination found; steps as (dropped feature or -1, errors, trees built)."""

    selected: list[int]
    used: list[int]
    errors: float
    n_trees_built: int
    status: str
    steps: list[tuple[int, float, int]]
    tree: _core.Tree


def core_eliminate(
    table: Table | _core.Dataset,
    growing: Growing,
    building: Sequence[int],
    search: Sequence[int],
    strategy: str,
    n_threads: int = 1,
) -> Elimination:
    """Run the core's backward elimination on a table."""
    dataset = core_dataset(table) if isinstance(table, Table) else table
    rows = (np.array(part, dtype=np.int64) for part in (building, search))
    singles = [[feature] for feature in range(dataset.n_features)]
    found = _core.select_features(
        [_core.SearchData(dataset, *rows, core_growth(growing))],
        rules=_core.SelectionRules("backward", False, 0.0, 0.0, 0.0, False, 0, None, singles, [], None),
        strategy=strategy,
        limits=Limits(n_threads),
    )
    steps = [(min(step.changed, default=-1), step.n_errors, step.n_trees_built) for step in found.history]
    return Elimination(
        found.selected,
        found.used_features,
        found.n_errors,
        found.n_trees_built,
        found.status,
        steps,
        found.tree,
    )


def core_nodes(tree: _core.Tree) -> list[dict[str, Any]]:
    """Nodes of the core's tree in its own order, one dictionary each."""
    names = ("kind", "feature", "threshold", "n_children", "depth", "node_class", "weight", "class_weights")
    columns = [getattr(tree, name).tolist() for name in names]
    nodes = [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]
    for node in nodes:
        node["threshold"] = node["threshold"] if node["kind"] == THRESHOLD else None
    return nodes


def pruning_node(tree: _core.Tree, node: int = 0) -> Node:
    """Node of the core's tree, and all below it, as the pruning reference has them."""
    arrays = {name: getattr(tree, name).tolist() for name in ("kind", "feature", "threshold", "node_class")}
    counts, first, n_children = (
        getattr(tree, name).tolist() for name in ("class_weights", "first_child", "n_children")
    )

    def at(i: int) -> Node:
        kind, feature, threshold, label = (values[i] for values in arrays.values())
        children = tuple(at(first[i] + branch) for branch in range(n_children[i]))
        return Node(
            label,
            tuple(counts[i]),
            None if kind == LEAF else feature,
            threshold if kind == THRESHOLD else None,
            children,
        )

    return at(node)
