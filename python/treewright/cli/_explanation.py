"""What became of every node, as JSON."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.trees.pruning.explain import PruningExplanation


def as_document(found: PruningExplanation) -> str:
    """Return rule, pruned tree and the nodes of the tree before as the text of one object."""
    names = found.nodes.dtype.names or ()
    document = {
        "rule": str(found.rule),
        "tree": json.loads(found.tree.to_json()),
        "nodes": [
            {name: _value(value) for name, value in zip(names, record, strict=True)}
            for record in found.nodes.tolist()
        ],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


def _value(value: Any) -> Any:
    """Return what JSON can hold: null where there is no number, a word for an infinite one."""
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else "infinity" if value > 0 else "-infinity"
