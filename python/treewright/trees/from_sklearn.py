"""A classification tree of scikit-learn, read into the package's own format.

scikit-learn rounds a number to 32 bits before it compares it with a threshold; `rounding32` says which
numbers pass.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from treewright._base.errors import DataError, DataTypeError
from treewright._base.wording import Param
from treewright.data.types import AnyArray, BoolArray, FloatArray, IntArray
from treewright.trees.rounding32 import last_that_passes

__all__ = ["document_of"]

SklearnTree = Any
"""scikit-learn has no types."""

NEARLY_WHOLE = 1e-9
"""Class weights closer to a whole number than this part of them are that number: they were divided
by the weight of their node and are multiplied by it again."""


def document_of(
    estimator: object, feature_names: Iterable[object] | None, class_names: Iterable[object] | None
) -> str:
    """Write the tree of an estimator, or a bare one, as text for `Tree.from_json`."""
    tree = _checked(estimator)
    asks_missing = (tree.children_left >= 0) & np.isposinf(tree.threshold)
    order, first_child = _by_levels(
        np.where(asks_missing, tree.children_right, tree.children_left),
        np.where(asks_missing, tree.children_left, tree.children_right),
    )
    asks_missing, is_leaf = asks_missing[order], first_child < 0
    weights = _adding_up(_class_weights(tree)[order], first_child)
    counts = {"class_counts": weights.tolist()} if _are_counts(tree, weights) else {}
    answers = np.where(is_leaf, tree.value[order, 0].argmax(axis=1), weights.argmax(axis=1))
    are_lowest = np.array_equal(answers, weights.argmax(axis=1)) and bool((weights > 0).any(axis=1).all())
    features = _feature_names(estimator, tree.n_features, feature_names)
    document = {
        "format": "treewright-tree",
        "version": 2,
        "routing": "node_majority",
        "schema": {
            "features": [{"name": name, "kind": "numeric", "levels": None} for name in features],
            "classes": _labels(estimator, int(tree.n_classes[0]), class_names),
        },
        "decision": {"tie": "lowest" if are_lowest else "kept"},
        "nodes": {
            "kind": np.where(is_leaf, "leaf", np.where(asks_missing, "missing", "threshold")).tolist(),
            "test": _or_null(tree.feature[order], is_leaf),
            "threshold": _or_null(last_that_passes(tree.threshold[order]), is_leaf | asks_missing),
            "first_child": _or_null(first_child, is_leaf),
            "n_children": np.where(is_leaf, 0, 2).tolist(),
            "class": answers.tolist(),
            "weight": weights.sum(axis=1).tolist(),
            "class_weights": weights.tolist(),
            **counts,
            **_routes(tree.missing_go_to_left[order], weights.sum(axis=1), first_child, asks_missing),
        },
        "planes": [],
    }
    return json.dumps(document)


# What can be taken over.


def _checked(estimator: object) -> SklearnTree:
    """Find the bare tree, and refuse one that has no equal here."""
    found: SklearnTree = estimator
    if hasattr(estimator, "get_params"):
        if not hasattr(estimator, "predict_proba") or hasattr(estimator, "estimators_"):
            raise _no_tree(estimator)
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(estimator)
        found = getattr(estimator, "tree_", None)
    if not all(hasattr(found, name) for name in ("children_left", "n_node_samples", "missing_go_to_left")):
        raise _no_tree(estimator)
    if found.n_outputs != 1:
        raise DataError(f"the tree has {found.n_outputs} outputs; fit one tree for each column of y")
    if found.n_classes[0] == 1 and (found.value != 1.0).any():
        raise _no_tree(estimator)
    return found


def _no_tree(found: object) -> DataTypeError:
    return DataTypeError(
        Param("estimator"),
        f" is of type {type(found).__name__}; give a fitted DecisionTreeClassifier or "
        "ExtraTreeClassifier of scikit-learn, or its tree_",
    )


# The arrays.


def _by_levels(left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
    """Renumber the nodes so that siblings are neighbours: old numbers in the new order, first children."""
    level = np.zeros(1, dtype=np.int64)
    levels, first_children, n_nodes = [], [], 1
    while level.size:
        is_inner = left[level] >= 0
        first_child = np.full(level.size, -1, dtype=np.int64)
        first_child[is_inner] = n_nodes + 2 * np.arange(is_inner.sum())
        levels.append(level)
        first_children.append(first_child)
        inner = level[is_inner]
        level = np.column_stack([left[inner], right[inner]]).ravel()
        n_nodes += level.size
    return np.concatenate(levels), np.concatenate(first_children)


def _class_weights(tree: SklearnTree) -> FloatArray:
    """Turn the class shares of every node into weights."""
    weights: FloatArray = tree.value[:, 0, :] * tree.weighted_n_node_samples[:, None]
    whole = np.round(weights)
    return np.where(np.abs(weights - whole) <= NEARLY_WHOLE * np.maximum(whole, 1.0), whole, weights)


def _adding_up(weights: FloatArray, first_child: IntArray) -> FloatArray:
    """Return the weights with inner nodes that hold what their leaves do.

    They do in every tree but one with monotonic constraints, where scikit-learn moves the shares of nodes.
    """
    inner = np.flatnonzero(first_child >= 0)
    below = weights[first_child[inner]] + weights[first_child[inner] + 1]
    if np.allclose(below, weights[inner], rtol=NEARLY_WHOLE, atol=NEARLY_WHOLE * weights[0].sum()):
        return weights
    sums = weights.copy()
    for node in inner[::-1]:
        sums[node] = sums[first_child[node]] + sums[first_child[node] + 1]
    return sums


def _routes(
    goes_left: BoolArray, weight: FloatArray, first_child: IntArray, asks_missing: BoolArray
) -> dict[str, list[object]]:
    """Return where missing values go, if this is somewhere else than down the heavier branch."""
    inner = first_child >= 0
    is_left = np.zeros(len(inner), dtype=bool)
    is_left[inner] = weight[first_child[inner]] >= weight[first_child[inner] + 1]
    differs = inner & ~asks_missing & (is_left != goes_left.astype(bool))
    if not differs.any():
        return {}
    return {"route": _or_null(np.where(goes_left, 0, 1), ~differs)}


def _are_counts(tree: SklearnTree, weights: FloatArray) -> bool:
    """Whether every sample has weight 1, so that weights are numbers of samples."""
    is_unweighted = np.array_equal(tree.weighted_n_node_samples, tree.n_node_samples)
    return bool(is_unweighted and (weights == np.round(weights)).all())


def _or_null(values: AnyArray, is_leaf: BoolArray) -> list[object]:
    return [None if leaf else value for value, leaf in zip(values.tolist(), is_leaf, strict=True)]


# Names.


def _feature_names(estimator: object, n_features: int, names: Iterable[object] | None) -> list[str]:
    given = names if names is not None else getattr(estimator, "feature_names_in_", None)
    if given is None:
        return [f"x{position}" for position in range(n_features)]
    return [str(name) for name in _as_many(given, n_features, "feature_names", "features")]


def _labels(estimator: object, n_classes: int, names: Iterable[object] | None) -> list[object]:
    given = names if names is not None else getattr(estimator, "classes_", None)
    if given is None:
        return list(range(n_classes))
    return [
        label.item() if isinstance(label, np.generic) else label
        for label in _as_many(given, n_classes, "class_names", "classes")
    ]


def _as_many(names: Iterable[object], n: int, what: str, of: str) -> list[object]:
    listed = list(names)
    if len(listed) != n:
        raise DataError(
            Param(what), f" has {len(listed)} entries, and the tree has {n} {of}; give one for each"
        )
    return listed
