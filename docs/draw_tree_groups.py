"""Draw a tree with groups of values from left to right, for docs/drawing.md.

Run `python docs/draw_tree_groups.py` after a change to the drawing; it writes docs/images/tree-groups.svg.
"""

from __future__ import annotations

from pathlib import Path

from treewright import GreedyTreeClassifier, datasets

IMAGE = Path(__file__).parent / "images" / "tree-groups.svg"


def drawn() -> str:
    """Return the picture."""
    games = datasets.load("tic-tac-toe")
    model = GreedyTreeClassifier(nominal_splits="groups", max_depth=4, pruning="error_based")
    tree = model.fit(games, keep_counts=True).tree_
    return tree.to_svg(orientation="left-right", labels="full", max_nodes=21)


if __name__ == "__main__":
    IMAGE.write_text(drawn(), encoding="utf-8")
