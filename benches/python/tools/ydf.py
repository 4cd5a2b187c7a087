"""ydf: its CART learner as one full, unpruned tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data import Table
from .job import Job

PACKAGE = "ydf"
SETTINGS = {
    "grow": "CartLearner(max_depth=-1, min_examples=1, validation_ratio=0, num_threads=1).train(columns): "
    "splits by information gain, no depth limit, no rows held back for pruning"
}
LABEL = "label"


def grow(table: Table) -> Job:
    """Grow a full tree."""
    import ydf

    ydf.verbose(0)
    learner = ydf.CartLearner(
        label=LABEL,
        features=_features(table, ydf),
        max_depth=-1,
        min_examples=1,
        validation_ratio=0.0,
        num_threads=1,
    )
    columns = _columns(table)
    return Job(lambda: learner.train(columns), lambda model: _shape(model.get_tree(0).root))


def _features(table: Table, ydf: Any) -> list[Any]:
    """Declare every column, so that none is taken for another kind."""
    kinds = [
        ydf.Semantic.NUMERICAL if levels is None else ydf.Semantic.CATEGORICAL for levels in table.levels
    ]
    settings = [{} if levels is None else {"min_vocab_frequency": 1} for levels in table.levels]
    return [
        ydf.Column(f"x{i:04}", kind, **more)
        for i, (kind, more) in enumerate(zip(kinds, settings, strict=True))
    ]


def _columns(table: Table) -> dict[str, Any]:
    """Return contiguous columns; text where nominal, empty text where missing."""
    columns = {}
    for i, levels in enumerate(table.levels):
        values = table.X[:, i].copy()
        columns[f"x{i:04}"] = values if levels is None else np.array([*levels, ""])[values.astype(int)]
    return {**columns, LABEL: table.y}


def _shape(root: Any) -> dict[str, float]:
    nodes = leaves = deepest = 0
    pending = [(root, 0)]
    while pending:
        node, depth = pending.pop()
        nodes += 1
        deepest = max(deepest, depth)
        if node.is_leaf:
            leaves += 1
        else:
            pending += [(node.pos_child, depth + 1), (node.neg_child, depth + 1)]
    return {"nodes": nodes, "leaves": leaves, "depth": deepest}
