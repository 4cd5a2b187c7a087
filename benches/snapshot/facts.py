"""What is read of results, under names of the snapshot's own.

Where a public name changes, the change belongs here or in ``calls``; the stored keys stay as they are.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from benches.snapshot.masks import masked_keys, masked_text

Facts = dict[str, Any]


def tree(found: Any) -> Facts | None:
    """Return a tree by its document, its sizes and, if it was pruned, its estimates."""
    if found is None:
        return None
    document = json.loads(found.to_json())
    sizes = [found.n_nodes, found.n_leaves, found.max_depth]
    schema = document["schema"]
    return {
        "nodes, leaves, depth": sizes,
        "routing": document["routing"],
        "features": schema["features"],
        "classes": schema["classes"],
        "nodes": document["nodes"],
        "planes": document.get("planes"),
        "used": found.used_features.tolist(),
    }


def sizes(found: Any) -> list[int]:
    """Return numbers of nodes, of leaves, and the depth."""
    return [found.n_nodes, found.n_leaves, found.max_depth]


def answers(model: Any, X: Any) -> Facts:
    """Return what a tree or classifier says about samples, in all ways there are."""
    return {
        "predictions": model.predict(X),
        "shares": model.predict_proba(X),
        "leaves": model.apply(X),
        "paths": model.decision_path(X),
        "leaf shares": model.leaf_shares(X),
    }


def classifier(model: Any, X: Any, *, everything: bool = False) -> Facts:
    """Return a fitted tree classifier: its tree, what it predicts, and what it learned about the data."""
    told = answers(model, X) if everything else {"predictions": model.predict(X)}
    return {
        "tree": tree(model.tree_),
        "classes": model.classes_,
        "n features": model.n_features_in_,
        "names": getattr(model, "feature_names_in_", None),
        "importances": model.feature_importances_,
        **told,
    }


def search(found: Any) -> Facts:
    """Return a search result without its tree and its time."""
    return {
        "cost": found.cost,
        "bound": found.bound,
        "gap": found.gap,
        "status": found.status,
        "success": found.success,
        "searched": found.n_searched,
        "message": masked_text(found.message),
    }


def selector(model: Any, X: Any) -> Facts:
    """Return a fitted selector."""
    return {
        "support": np.flatnonzero(model.support_),
        "used": model.used_features_,
        "errors": model.n_validation_errors_,
        "error": model.validation_error_,
        "built": model.n_trees_built_,
        "judges": model.validation_rows_,
        "search": search(model.search_),
        "tree": tree(model.tree_),
        "tree of all": tree(model.refit_tree_),
        "predictions": model.predict(X),
        "importances": model.feature_importances_,
        "kept names": model.get_feature_names_out(),
        "used names": model.used_feature_names_out(),
    }


def stepwise(model: Any, X: Any) -> Facts:
    """Return a fitted stepwise selector with its steps."""
    fields = ("dropped", "added", "changed", "errors", "n_features", "n_trees_built")
    steps = [model.history_[name].tolist() for name in fields]
    rows = [list(row) for row in zip(*steps, strict=True)]
    return {**selector(model, X), "steps": {"columns": list(fields), "rows": rows}}


def complete(model: Any, X: Any) -> Facts:
    """Return a fitted complete search with its best trees."""
    best = [
        [one.used_features, one.n_validation_errors, one.blocked_features, one.n_subsets]
        for one in model.best_trees_
    ]
    return {**selector(model, X), "best": best, "ties": model.n_ties_}


def distinct(trees: Any, *, with_trees: int = 0) -> Facts:
    """Return what an enumeration yields, to its end or its limit, and the first of its trees."""
    found = list(trees)
    rows = [
        [one.used_features, one.blocked_features, one.n_subsets, one.n_validation_errors] for one in found
    ]
    return {
        "trees": rows,
        "first": [tree(one.tree) for one in found[:with_trees]],
        "distinct": trees.n_distinct,
        "built": trees.n_built,
        "certificate": trees.certificate,
        "status": trees.status,
        "judges": trees.validation_rows,
    }


def count(found: Any, *, is_parallel: bool = False) -> Facts:
    """Return a count of distinct trees; one by many workers may build some trees more than once."""
    facts = {
        "distinct": found.n_distinct,
        "by features": found.by_n_features,
        "certificate": found.certificate,
        "status": found.status,
        "judges": found.validation_rows,
        "subsets": found.n_subsets,
    }
    if not is_parallel:
        facts |= {"built": found.n_built, "overhead": found.overhead, "text": masked_text(str(found))}
    return facts


def result_with_tree(found: Any) -> Facts:
    """Return a search result and its tree."""
    return {**search(found), "tree": tree(found.tree)}


def table(found: Any) -> Facts:
    """Return a table of a report: title, columns and notes, those with times masked."""
    cells = [
        [column.group, column.name, column.align, "<times>" if is_time(column) else list(column.cells)]
        for column in found.columns
    ]
    return {"title": found.title, "columns": cells, "notes": [masked_text(note) for note in found.notes]}


def is_time(column: Any) -> bool:
    """Tell whether a column of a report shows times or what is made of times."""
    words = f"{column.group} {column.name}".lower()
    return any(word in words for word in ("second", "time", "speed", " ms", "faster"))


def document(text: str) -> Any:
    """Return JSON text as an object, times masked."""
    return masked_keys(json.loads(text))
