"""Our own package, through its public estimators, on one thread."""

from __future__ import annotations

from typing import Any

from ...data import Table
from .job import Job

PACKAGE = "treewright"
SETTINGS = {
    "grow": "GreedyTreeClassifier().fit(X, y)",
    "eliminate": "BackwardEliminationSelector(validation_set=mask).fit(X, y), "
    "the last tree on all rows included",
}


def grow(table: Table) -> Job:
    """Grow a full tree."""
    from treewright import GreedyTreeClassifier

    X = callers_table(table)
    return Job(lambda: GreedyTreeClassifier().fit(X, table.y), lambda model: _shape(model.tree_))


def eliminate(table: Table, strategy: str = "incremental") -> Job:
    """Eliminate features until no removal helps."""
    from treewright import BackwardEliminationSelector

    X = callers_table(table)
    selector = BackwardEliminationSelector(validation_set=table.search, strategy=strategy)
    return Job(lambda: selector.fit(X, table.y), _selection)


def callers_table(table: Table) -> Any:
    """Return the array, or a frame with categories if there are nominal columns."""
    if table.is_numeric:
        return table.X
    import pandas as pd

    return pd.DataFrame(table.columns())


def _shape(tree: Any) -> dict[str, float]:
    return {"nodes": tree.n_nodes, "leaves": tree.n_leaves, "depth": tree.max_depth}


def _selection(selector: Any) -> dict[str, float]:
    return {
        "trees": selector.n_trees_built_,
        "steps": len(selector.history_) - 1,
        "features": int(selector.support_.sum()),
        "tested": len(selector.used_features_),
        "first_errors": selector.history_["errors"][0],
        "errors": selector.n_validation_errors_,
        "search_wall_seconds": round(selector.search_.elapsed, 6),
    }
