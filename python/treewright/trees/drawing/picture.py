"""A tree laid out: every box in its place, the lines between them, and what the colours mean."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from treewright import _core
from treewright.trees.drawing.boxes import Box, Boxes
from treewright.trees.drawing.chosen import Chosen, chosen_of
from treewright.trees.drawing.histogram import Histograms
from treewright.trees.drawing.layout import side_by_side
from treewright.trees.drawing.measure import cut_within, told_apart, width_of
from treewright.trees.drawing.options import Look
from treewright.trees.drawing.parts import SMALL
from treewright.trees.drawing.words import Words

MARGIN = 10.0
BESIDE, BELOW = 14.0, 34.0
"""Least distances of boxes: within a level, and between levels."""
CHIP, KEY_LINE = 11.0, 18.0
LEAST_KEY, LONGEST_KEY = 140.0, 600.0
"""So much room a class has at least, and at most where the picture is as wide."""
MOST_KEYS = 32
LEAST_KEY_WIDTH = 260.0


@dataclass(frozen=True)
class Key:
    """What the colour of a class means: a small square, and the class beside it."""

    x: float
    y: float
    text: str
    colour: int


@dataclass(frozen=True)
class Picture:
    """A tree laid out; coordinates run from the upper left corner, to the right and down.

    Attributes
    ----------
    top : float
        Where the tree begins, below the keys; boxes and lines are given from there, and from the left margin.
    boxes : list of Box
        Level by level, the root first.
    parent : list of int
        Position of each box's parent; -1 for the root.
    keys : list of Key
        The classes, above the tree.
    note : str
        What is to be known of shares.
    """

    width: float
    height: float
    top: float
    boxes: list[Box]
    parent: list[int]
    keys: list[Key]
    look: Look
    about: str
    note: str


def picture_of(core: _core.Tree, look: Look, path: Collection[int] = ()) -> Picture:
    """Lay a tree out; the nodes of a path are marked."""
    chosen = chosen_of(core, look, path)
    words = Words(core, look.decimals, chosen.node)
    boxes = _boxes(core, words, chosen, look, path)
    _place(boxes, chosen, look)
    keys, top = _keys(words.classes, words.note, max(_end(boxes, look), LEAST_KEY_WIDTH))
    width = max(MARGIN + _end(boxes, look), *(_right_of(key) for key in keys)) + MARGIN
    height = top + max([box.y + box.height for box in boxes]) + MARGIN
    about = f"Decision tree: {core.n_nodes:,} nodes, {core.n_leaves:,} leaves, depth {core.max_depth:,}"
    return Picture(width, height, top, boxes, chosen.parent, keys, look, about, words.note)


def _boxes(core: _core.Tree, words: Words, chosen: Chosen, look: Look, path: Collection[int]) -> list[Box]:
    table = core.class_weights if core.class_counts is None else core.class_counts
    largest = float(table[core.n_children == 0].sum(axis=1).max())
    maker = Boxes(core, words, look, largest, Histograms(core))
    found = []
    for node, more in zip(chosen.node, chosen.more, strict=True):
        box = maker.of(node) if more is None else maker.more(node, *more)
        box.is_on_path = more is None and node in path
        found.append(box)
    return found


def _place(boxes: Sequence[Box], chosen: Chosen, look: Look) -> None:
    """Give boxes their places; levels are as thick as their thickest box."""
    level = chosen.levels()
    across = [max(box.width, box.answer_width) if look.is_down else _tall(box) for box in boxes]
    middles = side_by_side(chosen.first_child, chosen.n_children, across, BESIDE)
    answers, thick = [0.0] * (level[-1] + 1), [0.0] * (level[-1] + 1)
    for box, at in zip(boxes, level, strict=True):
        own = box.rise if look.is_down else box.answer_width + (8 if box.answer else 0)
        answers[at] = max(answers[at], own)
        thick[at] = max(thick[at], box.height if look.is_down else box.width)
    starts, end = [], 0.0
    for before, extent in zip(answers, thick, strict=True):
        starts.append(end + before)
        end += before + extent + BELOW
    for place, (box, at) in enumerate(zip(boxes, level, strict=True)):
        if look.is_down:
            box.x, box.y = middles[place] - box.width / 2, starts[at]
        else:
            box.x, box.y = starts[at], middles[place] - box.height / 2
        above = chosen.parent[place]
        if above >= 0:
            turn = starts[at] - answers[at] - BELOW
            box.edge = _edge(boxes[above], box, turn, starts[at] - answers[at], look)


def _tall(box: Box) -> float:
    """Return the height that a box needs at the left of which its answer stands above a line."""
    return max(box.height, 2 * box.rise)


def _edge(above: Box, box: Box, turn: float, end: float, look: Look) -> tuple[float, ...]:
    """Return the points of the line to a box: straight to the end of its level, bent to the next, straight.

    Within a level it stays over or beside the box that it leaves or comes to, so it crosses no other.
    """
    if look.is_down:
        start = above.x + above.width / 2
        to = box.x + box.width / 2
        return (
            start,
            above.y + above.height,
            start,
            turn,
            to,
            end,
            to,
            box.y - box.rise,
        )
    start, to = above.y + above.height / 2, box.y + box.height / 2
    return (above.x + above.width, start, turn, start, end, to, box.x, to)


def _end(boxes: Sequence[Box], look: Look) -> float:
    """Return how far the boxes reach to the right, with the answers over them."""
    if not look.is_down:
        return max([box.x + box.width for box in boxes])
    return max([box.x + (box.width + max(box.width, box.answer_width)) / 2 for box in boxes])


def _right_of(key: Key) -> float:
    return key.x + CHIP + 5 + width_of(key.text, SMALL)


def _keys(classes: Sequence[str], note: str, width: float) -> tuple[list[Key], float]:
    """Return the classes with their colours in lines, and the height of these."""
    x, y = MARGIN, MARGIN
    keys, room = [], min(max(width - MARGIN - CHIP - 5, LEAST_KEY), LONGEST_KEY)
    numbers = told_apart(classes, lambda name: cut_within(name, room, SMALL))
    for label, name in enumerate(classes[:MOST_KEYS]):
        text = f"{cut_within(name, room, SMALL)}{numbers.get(name, '')}"
        wide = CHIP + 5 + width_of(text, SMALL)
        if x > MARGIN and x + wide > width:
            x, y = MARGIN, y + KEY_LINE
        keys.append(Key(x, y, text, label))
        x += wide + 16
    if len(classes) > MOST_KEYS:
        keys.append(Key(x, y, f"... {len(classes) - MOST_KEYS:,} more classes", -1))
        x += LEAST_KEY
    if note:
        if x > MARGIN and x + width_of(note, SMALL) > width:
            x, y = MARGIN - CHIP - 5, y + KEY_LINE
        keys.append(Key(x, y, note, -1))
    return keys, y + KEY_LINE + 4
