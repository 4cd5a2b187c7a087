"""c50py: C5.0 in Python, its single tree without pruning."""

from __future__ import annotations

from typing import Any

from ...data import Table
from .job import Job

PACKAGE = "c50py"
SETTINGS = {
    "grow": "C5Classifier(pruning=False, min_samples_leaf=1, numeric_min_split=False).fit(frame, y), a frame "
    "with categories"
}


def grow(table: Table) -> Job:
    """Grow a full tree."""
    import pandas as pd
    from c50py import C5Classifier

    frame = pd.DataFrame(table.columns())
    model = C5Classifier(pruning=False, min_samples_leaf=1, numeric_min_split=False)
    return Job(lambda: model.fit(frame, table.y), lambda model: _shape(model.tree_))


def _shape(root: Any) -> dict[str, float]:
    nodes = leaves = 0
    pending = [root]
    while pending:
        node = pending.pop()
        nodes += 1
        leaves += node.is_leaf
        pending += node.children.values()
    return {"nodes": nodes, "leaves": leaves}
