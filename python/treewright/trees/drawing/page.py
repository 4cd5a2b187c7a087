"""A picture as a page to fold, zoom and search; it needs nothing from outside.

The boxes are those of the SVG. The script lays them out anew when some are folded, by the same algorithm.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files

from treewright import _core
from treewright._base.html import element
from treewright._base.html import sentence as html_text
from treewright.trees.drawing.picture import BELOW, BESIDE, CHIP, Picture
from treewright.trees.drawing.questions import questions_of
from treewright.trees.drawing.svg import STYLE, Writer, edge_of, escaped, filled, textures_of

OPEN_AT_FIRST = 30
"""Boxes that are not folded when the page opens."""

SCRIPTS = ("layout.js", "row.js", "page.js")
"""Parts of the script, which runs within one function: nothing in it has a global name."""

BACK = "<style>body{margin:0}@media screen and (prefers-color-scheme:dark){body{background:#15181c}}</style>"
CLOSED = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'\">"
)
"""A page that loads nothing from anywhere."""


def page_of(picture: Picture, core: _core.Tree) -> str:
    """Write a page."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width">{CLOSED}'
    title = element("title", html_text(picture.about))
    body = part_of(picture, core)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}{title}{BACK}</head><body>{body}</body></html>\n'


def part_of(picture: Picture, core: _core.Tree) -> str:
    """Write the part of a page that holds the tree; several may stand on one page."""
    room = files("treewright.trees.drawing")
    style, *parts = (room.joinpath(name).read_text(encoding="utf-8") for name in ("page.css", *SCRIPTS))
    script = f'(() => {{\n"use strict";\n{"".join(parts)}}})();\n'
    data = _data(picture, core)
    return "".join(
        [
            f'<div class="treewright-page"><style>{style}</style>',
            _bar(picture),
            _keys(picture),
            f'<div class="frame">{_view(picture)}<div class="facts" role="status" hidden></div></div>',
            _row(data),
            f'<script type="application/json">{_as_json(data)}</script><script>{script}</script></div>',
        ]
    )


def _as_json(data: object) -> str:
    """Return data as JSON in which nothing ends a script."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def _bar(picture: Picture) -> str:
    buttons = {"in": "+", "out": "-", "fit": "fit", "open": "unfold all", "close": "fold all"}
    search = '<input class="search" type="search" placeholder="search" aria-label="search">'
    return element(
        "div",
        element("span", html_text(picture.about), class_="about"),
        f'{search}<span class="found" role="status"></span>',
        *(element("button", text, type="button", class_=name) for name, text in buttons.items()),
        class_="bar",
    )


def _keys(picture: Picture) -> str:
    parts = []
    for key in picture.keys:
        chip = f'<rect width="{CHIP}" height="{CHIP}"{filled(picture.look, key.colour)}/>'
        square = f'<svg width="{CHIP}" height="{CHIP}">{chip}</svg>' if key.colour >= 0 else ""
        parts.append(element("span", square, html_text(key.text)))
    return element("div", *parts, class_="keys")


def _view(picture: Picture) -> str:
    edges = [edge_of(box, picture.look) for box in picture.boxes if box.edge]
    write = Writer(picture).box
    boxes = [write(box) for box in picture.boxes]
    world = element("g", "\n".join([*edges, *boxes]), class_="world")
    size = f'viewBox="-10 -10 {picture.width:.0f} {picture.height:.0f}"'
    about = f"<title>{escaped(picture.about)}</title>"
    style = f"<style>{STYLE}</style>{textures_of(picture)}"
    return f'<svg class="treewright-tree view" role="group" {size}>{about}{style}{world}</svg>'


def _row(data: Mapping[str, object]) -> str:
    if not data["steps"]:
        return ""
    forget = '<button class="forget" type="button">start again</button>'
    parts = f'<summary>Path of a row</summary><div class="fields"></div>{forget} <span class="ends"></span>'
    return f'<details class="row" open>{parts}</details>'


def _data(picture: Picture, core: _core.Tree) -> dict[str, object]:
    """Return what the script needs."""
    boxes = picture.boxes
    return {
        "parent": picture.parent,
        "width": [round(box.width, 1) for box in boxes],
        "height": [round(box.height, 1) for box in boxes],
        "answer": [round(box.answer_width, 1) for box in boxes],
        "weighs": [int(sum(box.weights) > 0) for box in boxes],
        "more": [box.n_more for box in boxes],
        "words": [" ".join(box.title.split("\n")[1:2])[len("tests ") :] for box in boxes],
        "on": [place for place, box in enumerate(boxes) if box.is_on_path],
        "down": picture.look.is_down,
        "rise": [box.rise for box in boxes],
        "gaps": {"beside": BESIDE, "below": BELOW},
        "open": OPEN_AT_FIRST,
        **questions_of(picture, core),
    }
