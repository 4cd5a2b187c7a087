"""A picture as text of Graphviz, which lays it out itself."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.trees.drawing.boxes import Box
from treewright.trees.drawing.options import Look
from treewright.trees.drawing.picture import Picture
from treewright.trees.drawing.svg import FORBIDDEN

TABLE = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" '
BAR_WIDTH, BAR_HEIGHT = 90.0, 6


def escaped(text: str) -> str:
    """Return a text as it stands in a label of Graphviz that is like HTML.

    >>> escaped('a -> b"; x [label=<i>]')
    'a -&gt; b&quot;; x [label=&lt;i&gt;&#93;'
    """
    text = text.replace("  ", "\u00a0 ")  # labels would have one blank for several
    named = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "]": "&#93;", "\\": "&#92;"}
    return "".join(named.get(letter, letter) for letter in FORBIDDEN.sub("\ufffd", text))


def dot_of(picture: Picture) -> str:
    """Write a picture; the boxes are called n0, n1 and so on."""
    return "\n".join(["digraph tree {", *_lines(picture), "}", ""])


def _lines(picture: Picture) -> Iterator[str]:
    direction = "TB" if picture.look.is_down else "LR"
    note = f", label=<{escaped(picture.note)}>" if picture.note else ""
    yield f'  graph [rankdir={direction}, ordering=out, fontname="Helvetica"{note}];'
    yield '  node [shape=box, fontname="Helvetica", fontsize=10, color="#7a838d", margin="0.08,0.04"];'
    yield '  edge [fontname="Helvetica", fontsize=10, color="#7a838d", arrowsize=0.5];'
    for number, box in enumerate(picture.boxes):
        told = [f"label=<{_label(box, picture.look)}>", *_look(box, picture.look)]
        yield f"  n{number} [{', '.join(told)}];"
    for number, box in enumerate(picture.boxes):
        above = picture.parent[number]
        if above >= 0:
            answer = [f"label=<{'<BR/>'.join(map(escaped, box.answer))}>"] if box.answer else []
            thick = ["penwidth=3", 'color="#1b1f24"'] if box.is_on_path else []
            faint = [] if box.is_reached else ["style=dashed", 'color="#a9b1ba"']
            yield f"  n{above} -> n{number} [{', '.join([*answer, *thick, *faint])}];"


def _look(box: Box, look: Look) -> Iterator[str]:
    styles = [*(["rounded"] if box.kind == "leaf" else [])]
    if box.kind == "more" or not box.is_reached:
        styles.append("dashed")
    if styles:
        yield f'style="{",".join(styles)}"'
    if box.is_on_path:
        yield 'color="#1b1f24", penwidth=3'
    elif not box.is_reached:
        yield 'color="#a9b1ba", fontcolor="#767f89"'
    elif box.colour >= 0:
        yield f'color="{look.fill(box.colour)}", penwidth=1.5'


def _label(box: Box, look: Look) -> str:
    """Return the lines of a box, and a bar of the shares of the classes below them."""
    first, *others = (escaped(line) for line in box.lines)
    rows = [first if box.kind == "more" else f"<B>{first}</B>", *others]
    cells = [f"<TR><TD>{row}</TD></TR>" for row in rows]
    bar = _bar(box, look)
    if bar:
        cells.append(f'<TR><TD>{TABLE}CELLPADDING="0"><TR>{bar}</TR></TABLE></TD></TR>')
    return f'{TABLE}CELLPADDING="1">{"".join(cells)}</TABLE>'


def _bar(box: Box, look: Look) -> str:
    total = sum(box.weights)
    return "".join(
        f'<TD BGCOLOR="{look.fill(label)}" WIDTH="{max(round(BAR_WIDTH * weight / total), 1)}" '
        f'HEIGHT="{BAR_HEIGHT}" FIXEDSIZE="TRUE"></TD>'
        for label, weight in enumerate(box.weights)
        if weight > 0
    )
