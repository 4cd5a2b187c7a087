"""Draw one tree under six pruning rules, for docs/pruning.md.

Run `python docs/draw_pruning.py` after a change to a rule; it writes docs/images/pruning.svg.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.model_selection import train_test_split

from treewright import Dataset, GreedyTreeClassifier, Tree, datasets
from treewright.pruning import (
    CostComplexityPruning,
    ErrorBasedPruning,
    MinimumErrorPruning,
    NaiveErrorPruning,
    PessimisticPruning,
    PruningExplanation,
    PruningRule,
    ReducedErrorPruning,
    explain_pruning,
)

IMAGE = Path(__file__).parent / "images" / "pruning.svg"

SEED = 0
WIDTH, PANEL, HEADING, GAP = 720, 150, 40, 14
N_COLUMNS = 3
PANEL_WIDTH = (WIDTH - GAP * (N_COLUMNS + 1)) / N_COLUMNS
FILLS = ("#f0a030", "#2166ac", "#b2182b")
"""A colour a class; the middle one is the darkest in grey."""

RULES: tuple[PruningRule, ...] = (
    NaiveErrorPruning(),
    PessimisticPruning(),
    MinimumErrorPruning(m=10),
    ErrorBasedPruning(),
    CostComplexityPruning(alpha=2),
    ReducedErrorPruning(),
)

Places = list[tuple[float, float]]


def parts() -> tuple[Dataset, Dataset]:
    """Return two thirds of balance-scale, which grow the tree, and the rest, which judges it."""
    data = datasets.load("balance-scale")
    growing, judges = train_test_split(
        np.arange(data.n_samples), test_size=1 / 3, stratify=data.target, random_state=SEED
    )
    return data[growing], data[judges]


def places_of(tree: Tree) -> Places:
    """Return where every node stands: leaves side by side, the others in the middle above their children."""
    x = np.zeros(tree.n_nodes)
    leaves = [node for node in in_order(tree) if not tree.n_children[node]]
    x[leaves] = (np.arange(len(leaves)) + 0.5) / len(leaves)
    for node in reversed(range(tree.n_nodes)):
        first, n_children = int(tree.first_child[node]), int(tree.n_children[node])
        if n_children:
            x[node] = (x[first] + x[first + n_children - 1]) / 2
    y = tree.depth / tree.max_depth
    return list(zip((x * PANEL_WIDTH).tolist(), (y * (PANEL - 20) + 10).tolist(), strict=True))


def in_order(tree: Tree) -> Iterator[int]:
    """Yield the nodes from left to right, each before those below it."""
    waiting = [0]
    while waiting:
        node = waiting.pop()
        yield node
        first = int(tree.first_child[node])
        waiting += reversed(range(first, first + int(tree.n_children[node])))


def line(places: Places, upper: int, lower: int, look: str) -> str:
    """Return an edge."""
    (x1, y1), (x2, y2) = places[upper], places[lower]
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {look}/>'


def drawn_tree(found: PruningExplanation, places: Places) -> Iterator[str]:
    """Yield what was there in grey, what is left over it, and over that its leaves."""
    before, tree = found.before, found.tree
    for node in range(1, before.n_nodes):
        yield line(places, int(before.parent[node]), node, 'stroke="#d4d4d4" stroke-width="1.2"')
    stands = np.flatnonzero(found.nodes["new_node"] >= 0)
    origin = dict(zip(found.nodes["new_node"][stands].tolist(), stands.tolist(), strict=True))
    for node in range(1, tree.n_nodes):
        upper, lower = origin[int(tree.parent[node])], origin[node]
        is_moved = int(before.parent[lower]) != upper
        look = 'stroke="#111111" stroke-width="1.8"' + (' stroke-dasharray="4 3"' if is_moved else "")
        yield line(places, upper, lower, look)
    for node in range(tree.n_nodes):
        x, y = places[origin[node]]
        if not tree.n_children[node]:
            fill = FILLS[int(tree.node_class[node])]
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="#111111"/>'


def panel(number: int, found: PruningExplanation, judges: Dataset, places: Places) -> Iterator[str]:
    """Yield one tree under its heading."""
    row, column = divmod(number, N_COLUMNS)
    left = GAP + column * (PANEL_WIDTH + GAP)
    top = 24 + row * (PANEL + HEADING + GAP)
    assert judges.classes is not None, "balance-scale has classes"
    n_wrong = int((found.tree.predict(judges) != judges.classes[judges.target]).sum())
    yield f'<g transform="translate({left:.1f} {top})">'
    yield f'<text x="0" y="0" font-weight="bold" font-size="11.5">{found.rule}</text>'
    yield f'<text x="0" y="17">{found.tree.n_nodes} nodes, {n_wrong} errors</text>'
    yield f'<g transform="translate(0 {HEADING - 16})">'
    yield from drawn_tree(found, places)
    yield "</g></g>"


def drawn() -> str:
    """Return the picture."""
    growing, judges = parts()
    tree = GreedyTreeClassifier(min_samples_split=10).fit(growing).tree_
    places = places_of(tree)
    found = [
        explain_pruning(tree, rule, judges if isinstance(rule, ReducedErrorPruning) else growing)
        for rule in RULES
    ]
    lines = [text for i, one in enumerate(found) for text in panel(i, one, judges, places)]
    height = 24 + 2 * (PANEL + HEADING + GAP)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="sans-serif" font-size="12.5">'
    )
    ground = f'<rect width="{WIDTH}" height="{height}" fill="white"/>'
    return "\n".join([head, ground, *lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    IMAGE.write_text(drawn(), encoding="utf-8", newline="\n")
