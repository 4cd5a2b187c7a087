"""What leads from a node to each of its children, in the words of the tree's own text."""

from __future__ import annotations

from treewright.trees.tree import LISTED, Tree

BY_VALUE, THRESHOLD = 1, 2
SIGNS = ("<=", ">")


def branch_texts(tree: Tree) -> list[str]:
    """Return for every node the condition on its branch; the root has a name of its own."""
    words = _Words(tree)
    texts = ["all samples"] * tree.n_nodes
    for node in range(tree.n_nodes):
        first = int(tree.first_child[node])
        for branch, text in enumerate(words.of_branches(node)):
            texts[first + branch] = text
    return texts


class _Words:
    """A tree with the lists that its conditions are made of, taken out of it once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.names, self.levels, self.listed = tree.feature_names, tree.levels, tree.branch_levels
        self.plane, self.planes = tree._core.plane, tree._core.planes

    def of_branches(self, node: int) -> list[str]:
        """Return the conditions of a node, none for a leaf."""
        n_children, kind = int(self.tree.n_children[node]), int(self.tree.kind[node])
        if not n_children:
            return []
        if kind in (BY_VALUE, LISTED):
            return self._values(node, n_children)
        left, right = self._threshold(node) if kind == THRESHOLD else self._plane(node)
        return [f"{left} {sign} {right:.6g}" for sign in SIGNS]

    def _values(self, node: int, n_children: int) -> list[str]:
        """Return a condition a level; the position after the last one is "missing"."""
        feature, listed = int(self.tree.feature[node]), self.listed[node]
        levels = self.levels[feature] or []
        return [
            f"{self.names[feature]} = {levels[level] if level < len(levels) else 'missing'}"
            for level in (range(n_children) if listed is None else listed)
        ]

    def _threshold(self, node: int) -> tuple[str, float]:
        return self.names[self.tree.feature[node]], float(self.tree.threshold[node])

    def _plane(self, node: int) -> tuple[str, float]:
        """Return the weighted sum that a plane compares, and with what."""
        features, weights, offset = self.planes[int(self.plane[node])]
        terms = [f"{w:.4g}*{self.names[f]}" for f, w in zip(features, weights, strict=True)]
        return " + ".join(terms).replace("+ -", "- "), offset
