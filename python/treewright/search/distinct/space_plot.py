"""The calls of an enumeration, drawn as a tree of boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.reporting.matplotlib_glue import Shade, add_boxes, add_paths, axes, in_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Sets = tuple[str, str, str]
"""What a call must use, may use, and does use, in words."""

INK, FAINT, FILL, PAPER = "#1b1f24", "#7a838d", "#cfe3f3", "#ffffff"
HEIGHT, GAP, ROW = 0.62, 0.16, 1.12
"""Of a box, between two boxes, and from row to row, in inches."""
CHARACTER, PADDING = 0.072, 0.24
LONGEST_SIDE = 190.0
"""A page of PDF has at most 200 inches."""
MOVE, LINE = 1, 2
"""Codes of paths."""


def plot_calls(
    sets: Sequence[Sets],
    parents: Sequence[int | None],
    is_new: Sequence[bool],
    ax: Axes | None,
    *,
    is_whole: bool,
) -> Axes:
    """Draw a box for each call below the one around it; the frame of one that built in vain is dashed.

    Where these are not all calls, the picture says so.
    """
    texts = [f"must {must}\nmay {may}\ntests {tests}" for must, may, tests in sets]
    width = PADDING + CHARACTER * max(len(line) for text in texts for line in text.split("\n"))
    places = _places(parents)
    right, lowest = max(x for x, _ in places), max(y for _, y in places)
    wide, high = (right + 1) * (width + GAP) + GAP, lowest * ROW + HEIGHT + (2 if is_whole else 4) * GAP
    ax = axes(ax, "SearchSpace.plot", width=min(wide, LONGEST_SIDE), height=min(high, LONGEST_SIDE))
    ax.set_xlim(0, wide)
    ax.set_ylim(high, 0)
    ax.set_axis_off()
    middles = [(GAP + width / 2 + x * (width + GAP), GAP + HEIGHT / 2 + y * ROW) for x, y in places]
    _edges(ax, middles, parents)
    looks: dict[bool, Shade] = {
        True: {"facecolor": FILL, "edgecolor": INK, "linewidth": 1.2, "zorder": 2},
        False: {"facecolor": PAPER, "edgecolor": FAINT, "linewidth": 1.2, "linestyle": "dashed", "zorder": 2},
    }
    for new, look in looks.items():
        chosen = [middle for middle, one in zip(middles, is_new, strict=True) if one == new]
        boxes = [(x - width / 2, y - HEIGHT / 2, width, HEIGHT) for x, y in chosen]
        add_boxes(ax, boxes, rounding=0.07, **look)
    for (x, y), text, new in zip(middles, texts, is_new, strict=True):
        colour = INK if new else FAINT
        lines = _in_lines(text)
        ax.text(x, y, lines, color=colour, ha="center", va="center", fontsize=8, linespacing=1.3, zorder=3)
    if not is_whole:
        more = f"The first {len(sets)} calls; the search goes on."
        ax.text(GAP, high - GAP / 2, more, ha="left", va="bottom", fontsize=8, color=INK)
    return ax


def _in_lines(text: str) -> str:
    """Return lines as a picture shows them."""
    return "\n".join(map(in_picture, text.split("\n")))


def _places(parents: Sequence[int | None]) -> list[tuple[float, int]]:
    """Return column and row of every call: those without others below side by side, each above its own."""
    rows: list[int] = []
    below: list[list[int]] = [[] for _ in parents]
    for i, parent in enumerate(parents):
        rows.append(0 if parent is None else rows[parent] + 1)
        if parent is not None:
            below[parent].append(i)
    columns, n_ends = [0.0] * len(parents), 0
    for i, calls in enumerate(below):  # numbered from left to right
        if not calls:
            columns[i], n_ends = float(n_ends), n_ends + 1
    for i in reversed(range(len(parents))):
        if below[i]:
            columns[i] = (columns[below[i][0]] + columns[below[i][-1]]) / 2
    return list(zip(columns, rows, strict=True))


def _edges(ax: Axes, middles: Sequence[tuple[float, float]], parents: Sequence[int | None]) -> None:
    """Draw a line from every call to the one around it."""
    lines = []
    for (x, y), parent in zip(middles, parents, strict=True):
        if parent is not None:
            above = middles[parent]
            lines.append((((above[0], above[1] + HEIGHT / 2), (x, y - HEIGHT / 2)), (MOVE, LINE)))
    add_paths(ax, lines, facecolor="none", edgecolor=FAINT, linewidth=1.0, zorder=1)
