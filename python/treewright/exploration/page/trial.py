"""The tree to ask: the values of a row are typed in, and its path is marked."""

from __future__ import annotations

from treewright.exploration.findings import Findings
from treewright.exploration.page.parts import paragraph
from treewright.trees.drawing.options import RIGHT, look_of
from treewright.trees.drawing.page import part_of
from treewright.trees.drawing.picture import picture_of

MOST_NODES = 301
"""A larger tree is asked by commands only."""
LARGEST = 600_000
"""Characters of the part; a longer one is left out."""

ON_OPENING = """for (const one of document.querySelectorAll("details.trial"))
  one.addEventListener("toggle", () => { if (one.open) one.querySelector("button.fit").click(); });"""
"""What was laid out while it was folded is fitted to its room."""


def trial(found: Findings) -> str:
    """Return the tree to ask, folded; it is not printed."""
    tree = found.tree_
    if tree.n_leaves < 2 or tree.n_nodes > MOST_NODES:
        return ""
    look = look_of({"orientation": RIGHT, "max_nodes": MOST_NODES}, tree.classes_.tolist())
    part = part_of(picture_of(tree._core, look), tree._core)
    if len(part) > LARGEST:
        return ""
    words = (
        "Type in the values of one row: the tree asks for the next one until a leaf answers, and marks the "
        "path. Nothing leaves this page. A click folds what is below a box."
    )
    summary = "<summary>Try the tree on a row</summary>"
    return f'<details class="screen trial">{summary}{paragraph(words)}{part}</details>'
