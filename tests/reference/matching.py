"""The reference's trees beside the core's, node by node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reference.bridge import BY_VALUE, LEAF, THRESHOLD, core_nodes
from reference.grow import Node, Tree
from reference.numbers import weight_of
from treewright import _core


def matched(root: Node, core: _core.Tree) -> Iterator[tuple[Node, int]]:
    """Pair the reference's nodes with the core's, as far as the shapes agree."""
    first, counts = core.first_child.tolist(), core.n_children.tolist()
    pairs = [(root, 0)]
    while pairs:
        node, i = pairs.pop()
        yield node, i
        pairs.extend(zip(node.children, range(first[i], first[i] + counts[i]), strict=False))


def described(node: Node) -> dict[str, Any]:
    is_leaf = node.feature is None
    return {
        "kind": LEAF if is_leaf else BY_VALUE if node.threshold is None else THRESHOLD,
        "feature": -1 if is_leaf else node.feature,
        "threshold": node.threshold,
        "n_children": len(node.children),
        "depth": node.depth,
        "node_class": node.node_class,
        "weight": weight_of(node.mass),
        "class_weights": [weight_of(mass) for mass in node.class_masses],
    }


def assert_same_tree(expected: Tree, core: _core.Tree, context: object) -> None:
    pairs = list(matched(expected.root, core))
    got = core_nodes(core)
    for node, i in pairs:
        assert got[i] == described(node), f"node {i} of\n{context}"
    assert core.n_nodes == len(pairs), context
    assert core.used_features == expected.used_features, context
    assert core.routing == expected.routing, context
    assert core.n_leaves == sum(node.feature is None for node, _ in pairs), context
    assert core.max_depth == max(node.depth for node, _ in pairs), context
