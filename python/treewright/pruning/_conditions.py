"""What leads from a node to each of its children, in words."""

from __future__ import annotations

from typing import Any

from treewright.tree import LISTED, Tree


def branch_texts(tree: Tree) -> list[str]:
    """Return for every node the condition on its branch; the root has a name of its own."""
    texts = ["all samples"] * tree.n_nodes
    names, levels, listed = tree.feature_names, tree.levels, tree.branch_levels
    for node in range(tree.n_nodes):
        first, feature = int(tree.first_child[node]), int(tree.feature[node])
        for branch in range(int(tree.n_children[node])):
            own = listed[node] if tree.kind[node] == LISTED else None
            level = branch if own is None else own[branch]
            name = names[feature] if feature >= 0 else "plane"
            texts[first + branch] = _text(name, tree.threshold[node], levels[feature], branch, level)
    return texts


def _text(name: str, threshold: float, levels: list[Any] | None, branch: int, level: int) -> str:
    if levels is None:
        sign = "<=" if branch == 0 else ">"
        return f"{name} {sign} {threshold:.6g}"
    return f"{name} = {levels[level] if level < len(levels) else 'missing'}"
