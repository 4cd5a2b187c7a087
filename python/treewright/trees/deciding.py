"""A tree of two classes that answers the second one above a share of one's own."""

from __future__ import annotations

import json

from treewright._base.errors import ParameterError
from treewright._base.params import number
from treewright._base.wording import UNSET, Param


def decided_above(text: str, threshold: object) -> str:
    """Return a tree, as JSON, with a threshold in place of the largest share; no node keeps its old class."""
    share = number("threshold", threshold, least=0, remedy="give a share from 0 to 1")
    facts = json.loads(text)
    n_classes = len(facts["schema"]["classes"])
    if share > 1 or n_classes != 2:
        reason = "is no share" if share > 1 else f"is for two classes, and there are {n_classes}"
        raise ParameterError("threshold", UNSET, reason, "give a share from 0 to 1, for two classes")
    if facts["decision"].get("cost_matrix") is not None:
        remedy = ("grow the tree without ", Param("cost_matrix"))
        raise ParameterError("threshold", UNSET, "goes with no cost matrix, which decides itself", remedy)
    facts["decision"] |= {"source": "weights", "tie": "lowest", "threshold": share}
    nodes = facts["nodes"]
    nodes["class"] = _classes(share, nodes["class_weights"], nodes["n_children"], nodes["first_child"])
    return json.dumps(facts)


def _classes(
    share: float, weights: list[list[float]], n_children: list[int], first_child: list[int]
) -> list[int]:
    """Return the class of each node; one that no sample reaches has its parent's, which comes before it."""
    classes = [0] * len(weights)
    for node, (zero, one) in enumerate(weights):
        if zero + one:
            classes[node] = int(one - share * (zero + one) > 0)
        for branch in range(n_children[node]):
            classes[first_child[node] + branch] = classes[node]
    return classes
