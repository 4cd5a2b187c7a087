"""A picture as SVG: nothing from outside, light, dark and print."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

from treewright.trees.drawing.boxes import Box
from treewright.trees.drawing.options import Look
from treewright.trees.drawing.parts import ANSWER_LINE, AXIS, CUT, THINNEST, Bar, Part, Rect, Text
from treewright.trees.drawing.picture import CHIP, MARGIN, Key, Picture

FONT = "font-family=\"'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif\""

STYLE = """
.treewright-tree .back{fill:#fff}.treewright-tree text{fill:#1b1f24;font-size:10px;white-space:pre}
.treewright-tree .name{font-size:12px;font-weight:bold}.treewright-tree .tiny{font-size:8px;fill:#4d5761}
.treewright-tree .box{fill:#fff;stroke:#7a838d}.treewright-tree .leaf .box{fill:#f4f6f8;stroke-width:1.6}
.treewright-tree .edge{fill:none;stroke:#7a838d}.treewright-tree .axis{fill:#7a838d}
.treewright-tree .cut{fill:#1b1f24}.treewright-tree .more .box{stroke-dasharray:3 3;fill:none}
.treewright-tree .empty text{fill:#767f89}.treewright-tree .empty .box{stroke:#a9b1ba;stroke-dasharray:2 2}
.treewright-tree .empty.edge{stroke:#a9b1ba;stroke-dasharray:2 3}
.treewright-tree .on .box{stroke:#1b1f24;stroke-width:3}
.treewright-tree .on.edge{stroke:#1b1f24;stroke-width:3}
.treewright-tree .part{stroke:#fff;stroke-width:.5}
@media print{.treewright-tree{max-width:100%;height:auto}}
@media screen and (prefers-color-scheme:dark){.treewright-tree .back{fill:#15181c}
.treewright-tree text,.treewright-tree .cut{fill:#e6e8ea}.treewright-tree .tiny{fill:#b3bcc5}
.treewright-tree .box{fill:#1b1f24}.treewright-tree .leaf .box{fill:#252b32}
.treewright-tree .more .box{fill:none}.treewright-tree .empty text{fill:#8d97a2}
.treewright-tree .empty .box{stroke:#5c6670}.treewright-tree .empty.edge{stroke:#5c6670}
.treewright-tree .on .box,.treewright-tree .on.edge{stroke:#e6e8ea}.treewright-tree .part{stroke:#15181c}}
"""

RECT = '<rect %s x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>'
BAR_PART = '%s x="%.1f" width="%.1f"%s'
BAR_END = ' y="%.1f" height="%.1f"/>'
MARK = '<path class="cut" d="M%.1f %.1fl3 4h-6z"/>'
TEXT = '<text%s x="%.1f" y="%.1f"%s>%s</text>'
LINE_DOWN = '<path class="edge%s" d="M%.1f %.1fV%.1fC%.1f %.1f %.1f %.1f %.1f %.1fV%.1f"/>'
LINE_ACROSS = '<path class="edge%s" d="M%.1f %.1fH%.1fC%.1f %.1f %.1f %.1f %.1f %.1fH%.1f"/>'
BOX = (
    'transform="translate(%.1f %.1f)"><title>%s</title>'
    '<rect class="box" width="%.1f" height="%.1f" rx="%d"%s/>'
)
"""Elements; there are thousands, and these are filled in faster than f-strings."""

STYLES = {"name": ' class="name"', "small": "", "tiny": ' class="tiny"'}
ANCHORS = {"start": "", "middle": ' text-anchor="middle"', "end": ' text-anchor="end"'}
"""Attributes of a text."""

HARMLESS = re.compile(r"[\t\n !#-%'-;=?-~]*")
UNUSUAL = re.compile("[^\t\n -~]")
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has no way to write, and those that stand for none."""
DIRECTIONS = re.compile("[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]")
"""Letters from right to left, and marks of direction: such a text stands by itself."""


def escaped(text: str) -> str:
    r"""Return a text as it stands between tags and in attributes of SVG.

    >>> escaped('<script>"a" & b'), escaped("a\x00b")
    ('&lt;script&gt;&quot;a&quot; &amp; b', 'a\ufffdb')
    """
    if HARMLESS.fullmatch(text) is not None:
        return text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    if UNUSUAL.search(text) is None:
        return text
    text = FORBIDDEN.sub("\ufffd", text).replace("\r", "&#13;")
    return text if DIRECTIONS.search(text) is None else f"\u2068{text}\u2069"


def svg_of(picture: Picture) -> str:
    """Write a picture."""
    size = f'width="{picture.width:.0f}" height="{picture.height:.0f}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treewright-tree" role="img" {FONT} {size} '
        f'viewBox="0 0 {picture.width:.0f} {picture.height:.0f}" xml:space="preserve">'
    )
    title = f"<title>{escaped(picture.about)}</title>"
    body = "\n".join(['<rect class="back" width="100%" height="100%"/>', *parts_of(picture)])
    style = f"<style>{STYLE}</style>{textures_of(picture)}"
    return f"{head}\n{title}{style}\n{body}\n</svg>\n"


def textures_of(picture: Picture) -> str:
    """Return the fills of classes beyond the colours; nothing where there are none."""
    if not any(picture.look.texture(key.colour) for key in picture.keys if key.colour >= 0):
        return ""
    return _textures(picture.look)


def parts_of(picture: Picture) -> list[str]:
    """Return the elements of a picture: keys, lines, boxes."""
    keys = [_key(key, picture) for key in picture.keys]
    edges = [edge_of(box, picture.look) for box in picture.boxes if box.edge]
    write = Writer(picture).box
    boxes = [write(box) for box in picture.boxes]
    return [*keys, f'<g transform="translate({MARGIN:.0f} {picture.top:.0f})">', *edges, *boxes, "</g>"]


def _key(key: Key, picture: Picture) -> str:
    text = f'<text x="{key.x + CHIP + 5:.1f}" y="{key.y + CHIP - 1.5:.1f}">{escaped(key.text)}</text>'
    if key.colour < 0:
        return text
    square = f'<rect class="part" x="{key.x:.1f}" y="{key.y:.1f}" width="{CHIP}" height="{CHIP}"'
    return f"{square}{filled(picture.look, key.colour)}/>{text}"


def filled(look: Look, colour: int) -> str:
    """Return the fill of a class as an attribute."""
    if texture := look.texture(colour):
        return f' fill="url(#{_named(look)}-{colour % len(look.colours)}-{texture})"'
    return f' fill="{look.fill(colour)}"'


@lru_cache(maxsize=64)
def _named(look: Look) -> str:
    """Return the name of a picture's textures: that of its colours, so that two on one page stay apart."""
    return f"t{hashlib.sha256(''.join(look.colours).encode()).hexdigest()[:8]}"


def _state(box: Box) -> str:
    if box.is_reached and not box.is_on_path:
        return ""
    return f"{'' if box.is_reached else ' empty'}{' on' if box.is_on_path else ''}"


def edge_of(box: Box, look: Look) -> str:
    """Write the line to a box."""
    a, b, c, d, e, f, g, h = box.edge
    if look.is_down:
        middle = (d + f) / 2
        return LINE_DOWN % (_state(box), a, b, d, c, middle, e, middle, e, f, h)
    middle = (c + e) / 2
    return LINE_ACROSS % (_state(box), a, b, c, middle, d, middle, f, e, f, g)


class Writer:
    """Writes boxes; what is alike in all of a picture is made once."""

    def __init__(self, picture: Picture) -> None:
        self.look = look = picture.look
        n_classes = max(len(box.weights) for box in picture.boxes)
        self._looks = {label: f'class="part"{filled(look, label)}' for label in range(n_classes)}
        self._looks |= {AXIS: 'class="axis"', CUT: 'class="cut"'}
        self._starts = [f"<rect {self._looks[label]}" for label in range(n_classes)]

    def box(self, box: Box) -> str:
        """Write a box with all that stands in it, and the answer before it."""
        is_coloured = box.colour >= 0 and box.is_reached and not box.is_on_path
        style = f' style="stroke:{self.look.fill(box.colour)}"' if is_coloured else ""
        round_ = 7 if box.kind == "leaf" else 2
        return (
            f'<g class="{box.kind}{_state(box)}" '
            + BOX % (box.x, box.y, escaped(box.title), box.width, box.height, round_, style)
            + self._answer(box)
            + self._parts(box.parts)
            + "</g>"
        )

    def _answer(self, box: Box) -> str:
        answer, last = box.answer, len(box.answer) - 1
        if last < 0:
            return ""
        is_down = self.look.is_down
        x, y, anchor = (box.width / 2, -4, "middle") if is_down else (-4, box.height / 2 - 4, "end")
        if not last:
            return TEXT % ("", x, y, ANCHORS[anchor], escaped(answer[0]))
        return "".join(
            [
                TEXT % ("", x, y - ANSWER_LINE * (last - place), ANCHORS[anchor], escaped(line))
                for place, line in enumerate(answer)
            ]
        )

    def _parts(self, parts: Sequence[Part]) -> str:
        written: list[str] = []
        for part in parts:
            if isinstance(part, Text):
                x, y, text, style, anchor = part
                written.append(TEXT % (STYLES[style], x, y, ANCHORS[anchor], escaped(text)))
            elif isinstance(part, Bar):
                self._bar(part, written)
            elif isinstance(part, Rect):
                x, y, width, height, colour = part
                written.append(RECT % (self._looks[colour], x, y, width, height))
            else:
                written.append(MARK % (part.x, part.y))
        return "".join(written)

    def _bar(self, bar: Bar, written: list[str]) -> None:
        """Write a bar as `Bar.rects` parts it; most of a large picture is bars."""
        x, y, width, height, weights, total = bar
        starts, end = self._starts, BAR_END % (y, height)
        for label, weight in enumerate(weights):
            if weight > 0:
                long = width * weight / total
                if long >= THINNEST:
                    written.append(BAR_PART % (starts[label], x, long, end))
                x += long


def _textures(look: Look) -> str:
    """Return fills for classes beyond the colours: a colour with lines or dots over it."""
    shapes = {
        1: '<path d="M0 6L6 0" stroke="#000" stroke-width="1.2"/>',
        2: '<circle cx="3" cy="3" r="1.3" fill="#000"/>',
        3: '<path d="M0 3H6M3 0V6" stroke="#000" stroke-width=".8"/>',
    }
    own = _named(look)
    made = [
        f'<pattern id="{own}-{place}-{texture}" width="6" height="6" patternUnits="userSpaceOnUse">'
        f'<rect width="6" height="6" fill="{colour}"/>{shape}</pattern>'
        for texture, shape in shapes.items()
        for place, colour in enumerate(look.colours)
    ]
    return f"<defs>{''.join(made)}</defs>"
