"""Draw the house, for docs/architecture.md: the floors of the Python package and the layers of the Rust core.

Run `python docs/draw_house.py` after a change to the plan; it writes docs/images/house.svg. The rooms are
those of `tests/test_layers.py`, the layers those of the table in `rust/core/src/lib.rs`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
IMAGE = ROOT / "docs" / "images" / "house.svg"

WIDTH, MARGIN, LABEL, ROW, GAP = 760, 16, 128, 34, 8
INK, GREY, PYTHON, RUST = "#1f2328", "#57606a", "#ddf4ff", "#fff1e5"

SAYS = {
    "cli": "the commands; public names only",
    "exploration": "explore: families, folds, front",
    "doctor, explain, studies": "self-check; explanations; experiments",
    "selection, search, planes": "searches over features, tables, planes",
    "trees": "estimators, Tree, pruning, drawing, exports",
    "results": "what a search reports",
    "reporting, data": "tables and marks; the one door for data",
    "_base": "parameters, errors, clock, wording",
    "engines": "one folder a search",
    "model": "data, tree, score, program",
    "base": "errors, limits, ordering, units",
}


def floors() -> list[tuple[str, ...]]:
    """Return the rooms of the Python package by floor, the highest first."""
    source = ast.parse((ROOT / "tests" / "test_layers.py").read_text(encoding="utf-8"))
    for node in source.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FLOORS":
            return [*reversed(ast.literal_eval(node.value))]
    raise LookupError("tests/test_layers.py has no FLOORS")


def layers() -> list[tuple[str, tuple[str, ...]]]:
    """Return the layers of the core, the highest first, each with its modules."""
    text = (ROOT / "rust" / "core" / "src" / "lib.rs").read_text(encoding="utf-8")
    rows = re.findall(r"^//! \| \d (\w+) \| ([^|]+) \|", text, re.M)
    return [(name, tuple(re.findall(r"`(\w+)`", modules))) for name, modules in rows]


def band(y: float, label: str, rooms: tuple[str, ...], fill: str) -> Iterator[str]:
    """Yield one floor: what it is for, and its rooms side by side."""
    yield f'<text x="{MARGIN}" y="{y + ROW / 2 + 4}" fill="{GREY}" font-size="11">{escape(label)}</text>'
    left, wide = MARGIN + 2 * LABEL, WIDTH - 2 * MARGIN - 2 * LABEL
    size = (wide - GAP * (len(rooms) - 1)) / len(rooms)
    for place, room in enumerate(rooms):
        x = left + place * (size + GAP)
        box = f'x="{x:.1f}" y="{y}" width="{size:.1f}" height="{ROW}" rx="4"'
        yield f'<rect {box} fill="{fill}" stroke="{GREY}"/>'
        yield f'<text x="{x + size / 2:.1f}" y="{y + ROW / 2 + 4}" text-anchor="middle">{escape(room)}</text>'


def heading(y: float, text: str) -> str:
    """Return a line of text across the drawing."""
    return f'<text x="{MARGIN}" y="{y}" font-weight="bold">{escape(text)}</text>'


def in_lines(modules: tuple[str, ...], longest: int = 4) -> list[tuple[str, ...]]:
    """Return the modules of a layer in lines that fit the drawing."""
    return [modules[start : start + longest] for start in range(0, len(modules), longest)]


def rows() -> Iterator[tuple[str, tuple[str, ...] | None, str]]:
    """Yield the lines of the drawing from above: a text and its rooms, or a heading (None)."""
    yield "python/treewright: a room may import the floors below it", None, ""
    for rooms in floors():
        yield SAYS.get(", ".join(rooms), ""), rooms, PYTHON
    yield "rust/py: the gateway (Ctrl-C, progress, limits), one thin file an engine", None, ""
    yield "rust/core: no Python, no unsafe", None, ""
    for name, modules in layers():
        for place, line in enumerate(in_lines(modules)):
            yield f"{name}: {SAYS.get(name, '')}" if place == 0 else "", line, RUST


def drawn() -> str:
    """Return the drawing as SVG."""
    y, parts = float(MARGIN), []
    for text, rooms, fill in rows():
        if rooms is None:
            parts.append(heading(y + 16, text))
            y += 28
        else:
            parts += band(y, text, rooms, fill)
            y += ROW + GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + MARGIN:.0f}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}">'
    )
    back = f'<rect width="{WIDTH}" height="{y + MARGIN:.0f}" fill="white"/>'
    return "\n".join([head, back, *parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    IMAGE.write_text(drawn(), encoding="utf-8")
