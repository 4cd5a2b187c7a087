"""Trees of any shape, and what is read back from their pictures.

Inner names, as in unit tests: `trees.drawing.options`, `trees.drawing.picture`: places are read off before
anything is written.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from treewright import Tree
from treewright.trees.drawing.options import look_of
from treewright.trees.drawing.picture import Picture, picture_of

SVG = "{http://www.w3.org/2000/svg}"

HOSTILE = (
    'say "no"',
    "it's",
    "<script>alert(1)</script>",
    "two\nlines",
    "'; DROP TABLE rows; --",
    'x"]; evil [label="y',
    "a -> b; n0 -> n1",
    "strict digraph",
    "]]> <!-- & &amp; \\N \\",
    "$x^2$ and $",
    "long " * 2000,
    "\u05e9\u05dc\u05d5\u05dd \u202e reversed",
    "two  blanks",
    "two   blanks",
    "\x00\x1b[31m\ufffe",
    "\U0001f333 \u6728",
    "",
    'fill="url(#-0-1)"',
)


def tree_document(
    kinds: Sequence[int],
    *,
    names: Sequence[str] = (),
    classes: Sequence[str] = ("no", "so", "yes"),
    seed: int = 0,
) -> dict[str, Any]:
    """Return the JSON of a multiway tree: `kinds` are the numbers of children, level by level.

    Every node tests a feature of its own, so that any shape is a tree.
    """
    n = len(kinds)
    rng = random.Random(seed)
    inner = [node for node in range(n) if kinds[node]]
    first, end = [], 1
    for count in kinds:
        first.append(end if count else None)
        end += count
    assert end == n
    parent = [0] * n
    for node in inner:
        parent[first[node] : first[node] + kinds[node]] = [node] * kinds[node]
    weights = [[0.0] * len(classes) for _ in range(n)]
    for node in range(n - 1, -1, -1):
        if not kinds[node]:
            weights[node][rng.randrange(len(classes))] += rng.randrange(0, 40)
        if node:
            weights[parent[node]] = [a + b for a, b in zip(weights[parent[node]], weights[node], strict=True)]
    label = [max(range(len(classes)), key=row.__getitem__) for row in weights]
    for node in range(1, n):
        if not sum(weights[node]):
            label[node] = label[parent[node]]
    called = [names[i] if i < len(names) else f"feature {i}" for i in range(len(inner))]
    return {
        "format": "treewright-tree",
        "version": 2,
        "routing": "distribute",
        "schema": {
            "features": [
                {"name": name, "kind": "nominal", "levels": [f"v{j}" for j in range(kinds[node])]}
                for name, node in zip(called, inner, strict=True)
            ],
            "classes": list(classes),
        },
        "decision": {"source": "given", "tie": "kept"},
        "nodes": {
            "kind": ["value" if count else "leaf" for count in kinds],
            "test": _places(kinds),
            "threshold": [None] * n,
            "first_child": first,
            "n_children": list(kinds),
            "class": label,
            "weight": [sum(row) for row in weights],
            "class_weights": weights,
            "class_counts": weights,
        },
        "planes": [],
    }


def _places(kinds: Sequence[int]) -> list[int | None]:
    found: list[int | None] = []
    n_inner = 0
    for count in kinds:
        found.append(n_inner if count else None)
        n_inner += count > 0
    return found


def tree_of(kinds: Sequence[int], **how: Any) -> Tree:
    return Tree.from_json(json.dumps(tree_document(kinds, **how)))


def shape(seed: int, n_nodes: int, widest: int) -> list[int]:
    """Return the numbers of children of a random tree, level by level."""
    rng = random.Random(seed)
    kinds: list[int] = []
    total = 1
    while len(kinds) < total:
        last = len(kinds) + 1 == total
        count = rng.choice([0, 0, 1, 2, 2, 3, widest]) if total < n_nodes else 0
        count = max(count, 2) if last and total < n_nodes else count
        kinds.append(count)
        total += count
    return kinds


def picture(tree: Tree, **options: Any) -> Picture:
    return picture_of(tree._core, look_of(options, tree.classes_.tolist()))


def texts_of(svg: str) -> list[str]:
    """Return all texts that are shown or hovered."""
    root = ElementTree.fromstring(svg)
    return ["".join(one.itertext()) for one in root.iter() if one.tag in (f"{SVG}text", f"{SVG}title")]
