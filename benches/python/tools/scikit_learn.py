"""scikit-learn: its entropy tree, and its sequential selector around that tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data import Table
from .job import Job

PACKAGE = "scikit-learn"
SETTINGS = {
    "grow": 'DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X, y), nominal columns as '
    "integer codes",
    "eliminate": 'SequentialFeatureSelector(that tree, direction="backward", tol=1e-9, cv=PredefinedSplit): '
    "one fixed split, ends when no removal makes fewer errors",
}

LEAST_GAIN = 1e-9
"""Any fall in errors counts, equal errors end the search."""


def entropy_tree() -> Any:
    """Return the tree that every scikit-learn figure is about."""
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(criterion="entropy", random_state=0)


def grow(table: Table) -> Job:
    """Grow a full tree."""
    tree = entropy_tree()
    return Job(
        lambda: tree.fit(table.X, table.y),
        lambda model: {
            "nodes": model.tree_.node_count,
            "leaves": model.get_n_leaves(),
            "depth": model.get_depth(),
        },
    )


def eliminate(table: Table) -> Job:
    """Eliminate features by the general selector."""
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.model_selection import PredefinedSplit

    selector = SequentialFeatureSelector(
        entropy_tree(),
        n_features_to_select="auto",
        tol=LEAST_GAIN,
        direction="backward",
        cv=PredefinedSplit(np.where(table.search, 0, -1)),
    )
    return Job(lambda: selector.fit(table.X, table.y), lambda model: _selection(model, table))


def _selection(selector: Any, table: Table) -> dict[str, float]:
    kept = selector.get_support()
    n_all, n_kept = len(kept), int(kept.sum())
    tried = sum(n_all - step for step in range(n_all - n_kept + 1))
    return {
        "trees": tried,
        "steps": n_all - n_kept,
        "features": n_kept,
        "errors": validation_errors(table, kept),
    }


def validation_errors(table: Table, kept: Any) -> int:
    """Count the validation rows that scikit-learn's tree of the kept features gets wrong."""
    X, building = table.X[:, kept], ~table.search
    tree = entropy_tree().fit(X[building], table.y[building])
    return int((tree.predict(X[table.search]) != table.y[table.search]).sum())
