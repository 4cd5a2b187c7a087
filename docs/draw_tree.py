"""Draw a tree with histograms and the path of a row, for the README and docs/drawing.md.

Run `python docs/draw_tree.py` after a change to the drawing; it writes docs/images/tree.svg.
"""

from __future__ import annotations

from pathlib import Path

from treewright import GreedyTreeClassifier, datasets

IMAGE = Path(__file__).parent / "images" / "tree.svg"
ROW = {"flavanoids": 2.0, "proline": 900.0, "alcohol": 13.2, "color_intensity": 5.0}


def drawn() -> str:
    """Return the picture."""
    wine = datasets.load("wine")
    tree = GreedyTreeClassifier(max_depth=3, pruning="error_based").fit(wine, keep_counts=True).tree_
    return tree.to_svg(row=ROW)


if __name__ == "__main__":
    IMAGE.write_text(drawn(), encoding="utf-8")
