"""A grown tree as the library's `Tree`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.planes.encoding import Encoding
from treewright.planes.grown import GrownTree, LinearSplit
from treewright.trees.tree import Tree

MEAN, STOP = "mean", "stop"
"""What a missing value does: it counts as the mean of the rows at the node; or the sample stays there."""


def tree_of(grown: GrownTree, encoding: Encoding, classes: NDArray[Any], routing: str) -> Tree:
    """Return the tree; its planes are about the features, a nominal one having a weight for each level."""
    terms = _terms(encoding)
    nodes: dict[str, list[Any]] = {
        "kind": [],
        "test": [],
        "threshold": [None] * len(grown.nodes),
        "first_child": [],
        "n_children": [],
        "class": [node.label for node in grown.nodes],
        "weight": [float(node.class_weights.sum()) for node in grown.nodes],
        "class_weights": [node.class_weights.tolist() for node in grown.nodes],
    }
    planes: list[dict[str, Any]] = []
    for node in grown.nodes:
        nodes["kind"].append("leaf" if node.split is None else "linear")
        nodes["test"].append(None if node.split is None else len(planes))
        nodes["first_child"].append(None if node.children is None else node.children[0])
        nodes["n_children"].append(0 if node.children is None else 2)
        if node.split is not None:
            planes.append(_plane(node.split, terms, routing))
    document = {
        "format": "treewright-tree",
        "version": 1,
        "routing": routing,
        "schema": _schema(encoding, classes),
        "nodes": nodes,
        "planes": planes,
    }
    return Tree.from_json(json.dumps(document))


Term = tuple[int, int | None]
"""A feature, and the level that counts as 1 where it is nominal."""


def _terms(encoding: Encoding) -> list[Term]:
    terms: list[Term] = []
    for feature, levels in enumerate(encoding.levels):
        if levels is None:
            terms.append((feature, None))
        else:
            terms += [(feature, level) for level in range(len(levels) == 2, len(levels))]
    return terms


def _plane(split: LinearSplit, terms: list[Term], routing: str) -> dict[str, Any]:
    used = [terms[column] for column in split.columns]
    plane: dict[str, Any] = {
        "weights": [
            [feature, weight] for (feature, _), weight in zip(used, split.weights.tolist(), strict=True)
        ],
        "offset": split.offset,
    }
    if any(level is not None for _, level in used):
        plane["levels"] = [level for _, level in used]
    if routing == MEAN:
        plane["means"] = split.means.tolist()
    return plane


def _schema(encoding: Encoding, classes: NDArray[Any]) -> dict[str, Any]:
    pairs = zip(encoding.names, encoding.levels, strict=True)
    return {
        "features": [
            {"name": name, "levels": None if levels is None else [_plain(level) for level in levels]}
            for name, levels in pairs
        ],
        "classes": [_plain(label) for label in classes.tolist()],
    }


def _plain(value: Any) -> Any:
    """Return a label as JSON has it."""
    return value.item() if isinstance(value, np.generic) else value
