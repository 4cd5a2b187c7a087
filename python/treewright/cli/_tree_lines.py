"""A distinct tree as one line of JSON, features by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from treewright._base.numbers import for_json

if TYPE_CHECKING:
    from treewright.trees.distinct_tree import DistinctTree


def line_of(names: list[str], *, with_tree: bool) -> Callable[[DistinctTree], str]:
    """Return what writes a tree as a line, with its nodes or without."""

    def as_json(tree: DistinctTree) -> str:
        text = json.dumps(facts_of(tree, names), ensure_ascii=False)
        return f'{text[:-1]}, "tree": {tree.tree.to_json()}}}' if with_tree else text

    return as_json


def facts_of(tree: DistinctTree, names: list[str]) -> dict[str, Any]:
    """Return what identifies a tree, the subsets that give it, and its errors.

    These subsets have all used features and any of the optional ones.
    """
    return {
        "used_features": [names[i] for i in tree.used_features],
        "optional_features": [names[i] for i in tree.equivalent_subsets.optional_features],
        "n_subsets": for_json(tree.n_subsets),
        "n_validation_errors": tree.n_validation_errors,
    }
