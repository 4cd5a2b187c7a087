"""Draw the lattice of feature subsets in docs/distinct.md, each subset with the tree that it gives.

Run `python docs/draw_lattice.py` after a change to the mangoes of that page; it writes
docs/images/lattice.svg.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from itertools import combinations
from pathlib import Path

import pandas as pd

from treewright.distinct import DistinctTree, enumerate_distinct_trees

HERE = Path(__file__).parent
IMAGE = HERE / "images" / "lattice.svg"
N_BUILDING = 8

WIDTH, HEIGHT = 720, 400
BOX_WIDTH, BOX_HEIGHT = 196, 46
FILLS = ("#cfe3f3", "#fbe3c8", "#d8efd9", "#f3d9e8", "#ececec")
"""Light enough to be read on, in colour and in grey; the letters tell trees apart anyway."""

Subset = tuple[int, ...]


def mangoes() -> tuple[pd.DataFrame, pd.Series]:
    """Return the rows of the page that grow trees."""
    page = (HERE / "distinct.md").read_text(encoding="utf-8")
    block = re.search(r"^```csv mangoes.csv\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert block is not None, "the page begins with its table"
    rows = pd.read_csv(StringIO(block[1]))[:N_BUILDING]
    return rows.drop(columns="ripe"), rows["ripe"]


def place(subset: Subset, n_features: int) -> tuple[float, float]:
    """Return the middle of a subset's box: all features on top, in one row those of one size."""
    of_size = list(combinations(range(n_features), len(subset)))
    x = WIDTH * (of_size.index(subset) + 0.5) / len(of_size)
    y = 40 + (HEIGHT - 80) * (n_features - len(subset)) / n_features
    return x, y


def edges(n_features: int, letters: dict[Subset, int]) -> Iterator[str]:
    """Yield a line from every subset to those with one feature less, thick where the tree is the same."""
    for upper, tree in letters.items():
        for lower in combinations(upper, len(upper) - 1) if upper else ():
            (x1, y1), (x2, y2) = place(upper, n_features), place(lower, n_features)
            look = 'stroke="#1a1a1a" stroke-width="4"' if letters[lower] == tree else 'stroke="#999999"'
            yield f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" {look}/>'


def boxes(names: list[str], letters: dict[Subset, int], trees: list[DistinctTree]) -> Iterator[str]:
    """Yield a box a subset; the one that the tree tests all of has a thick frame."""
    for subset, number in letters.items():
        x, y = place(subset, len(names))
        frame = 3 if trees[number].used_features == subset else 1
        yield (
            f'<rect x="{x - BOX_WIDTH / 2:g}" y="{y - BOX_HEIGHT / 2:g}" width="{BOX_WIDTH}" '
            f'height="{BOX_HEIGHT}" rx="7" fill="{FILLS[number]}" stroke="#1a1a1a" stroke-width="{frame}"/>'
        )
        text = ", ".join(names[i] for i in subset) or "no feature"
        yield f'<text x="{x:g}" y="{y - 4:g}">{text}</text>'
        yield f'<text x="{x:g}" y="{y + 15:g}" font-weight="bold">tree {"ABCDE"[number]}</text>'


def drawn() -> str:
    """Return the picture."""
    X, y = mangoes()
    trees = list(enumerate_distinct_trees(X, y))
    letters = {subset: i for i, tree in enumerate(trees) for subset in tree.equivalent_subsets}
    lines = [*edges(X.shape[1], letters), *boxes(list(X.columns), letters, trees)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="sans-serif" font-size="14" text-anchor="middle">'
    )
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    return "\n".join([head, ground, *lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    IMAGE.write_text(drawn(), encoding="utf-8", newline="\n")
