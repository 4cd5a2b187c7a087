"""Where a new sample ends, and the class and probabilities that follow."""

from __future__ import annotations

from collections.abc import Sequence

from reference.grow import Node, Tree
from reference.numbers import weight_of
from reference.table import Value


def leaf_shares(tree: Tree, row: Sequence[Value]) -> list[tuple[Node, float]]:
    """Leaves a sample reaches, from left to right, and its share at each.

    ``row`` is in the training domain: a level not seen there is missing (None).
    """
    return _shares_below(tree, tree.root, _filled_row(tree, row), 1.0)


def _filled_row(tree: Tree, row: Sequence[Value]) -> list[Value]:
    pairs = zip(row, tree.fillings, strict=True)
    return [fill if value is None else value for value, fill in pairs]


def _shares_below(tree: Tree, node: Node, row: Sequence[Value], share: float) -> list[tuple[Node, float]]:
    if node.feature is None:
        return [(node, share)]
    return [
        leaf
        for child, part in _next_nodes(tree, node, row[node.feature])
        for leaf in _shares_below(tree, child, row, share * part)
    ]


def _next_nodes(tree: Tree, node: Node, value: Value) -> list[tuple[Node, float]]:
    """Children a sample goes on to, each with the part of it that goes there."""
    if value is not None:
        return [(node.children[_branch(node, value)], 1.0)]
    if tree.routing == "node_majority":
        return [(max(node.children, key=lambda child: child.mass), 1.0)]
    whole = weight_of(node.mass)
    heavy = [child for child in node.children if child.mass > 0]
    return [(child, weight_of(child.mass) / whole) for child in heavy]


def _branch(node: Node, value: int | float) -> int:
    if node.threshold is None:
        return int(value)
    return 0 if value <= node.threshold else 1


def _votes(tree: Tree, row: Sequence[Value]) -> list[int]:
    """Class distribution of the leaves by share, in whole units of 2**-52."""
    votes = [0] * tree.n_classes
    for leaf, share in leaf_shares(tree, row):
        for label, part in enumerate(_distribution(leaf, tree.n_classes)):
            votes[label] += round(share * part * 2.0**52)
    return votes


def _distribution(leaf: Node, n_classes: int) -> list[float]:
    if leaf.mass == 0:
        return [float(label == leaf.node_class) for label in range(n_classes)]
    n = weight_of(leaf.mass)
    return [weight_of(mass) / n for mass in leaf.class_masses]


def predict(tree: Tree, row: Sequence[Value]) -> int:
    """Class of the one leaf a sample reaches, or of the largest sum of votes (lowest of equals)."""
    leaves = leaf_shares(tree, row)
    if len(leaves) == 1:
        return leaves[0][0].node_class
    votes = _votes(tree, row)
    return votes.index(max(votes))


def predict_proba(tree: Tree, row: Sequence[Value]) -> list[float]:
    """Probability of each class."""
    votes = _votes(tree, row)
    return [vote / sum(votes) for vote in votes]
