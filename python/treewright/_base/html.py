"""Pages of HTML that need nothing from outside: escaped text, elements, a style for light, dark and print."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from treewright._base.shown import on_one_line, shown_text

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
"""Fills of classes; colour-blind readers tell them apart (Okabe and Ito)."""

PLAIN = "#7A8CA3"
"""Fill where there are no classes, or more than colours."""

STYLE = """
.treewright{color-scheme:light dark;--ink:#1b1f24;--soft:#5c6670;--line:#d5dae0;--back:#fff;--tint:#f4f6f8;
--warn:#8a4b00;color:var(--ink);background:var(--back);font:15px/1.45 system-ui,sans-serif;max-width:64rem;
padding:1rem;box-sizing:border-box}
.treewright h1{font-size:1.5rem;margin:0 0 .25rem;overflow-wrap:anywhere}
.treewright h2{font-size:1.1rem;margin:1.6rem 0 .5rem}
.treewright p{margin:.3rem 0;overflow-wrap:anywhere}.treewright .soft{color:var(--soft)}
.treewright table{border-collapse:collapse;font-variant-numeric:tabular-nums}
.treewright th,.treewright td{padding:.25rem .7rem .25rem 0;text-align:left;vertical-align:middle;
border-bottom:1px solid var(--line);background:none;color:inherit;max-width:22rem;overflow-wrap:anywhere}
.treewright th{font-weight:600;color:var(--soft)}.treewright .number{text-align:right;white-space:nowrap}
.treewright .wide{overflow-x:auto}.treewright svg{display:block}
.treewright ul{padding-left:1.2rem}.treewright li{margin:.35rem 0;overflow-wrap:anywhere}
.treewright .box{border-left:4px solid #E69F00;background:var(--tint);padding:.4rem .9rem}
.treewright .key{display:inline-block;width:.8em;height:.8em;margin:0 .35em 0 .9em;border-radius:2px}
@media (prefers-color-scheme:dark){.treewright{--ink:#e6e8ea;--soft:#9aa5b1;--line:#39424d;--back:#15181c;
--tint:#1f242a}}
@media print{.treewright{--ink:#000;--soft:#444;--line:#bbb;--back:#fff;--tint:#fff;max-width:none;
font-size:11px}.treewright tr,.treewright li{break-inside:avoid}}
"""


def escaped(text: object) -> str:
    r"""Return a text as HTML shows it, in quotes if something in it cannot be seen.

    >>> escaped('<b onclick="x">'), escaped("a\nb")
    ('&lt;b onclick=&quot;x&quot;&gt;', '&#x27;a\\nb&#x27;')
    """
    return html.escape(shown_text(text), quote=True)


def sentence(text: object) -> str:
    """Return a text in which names stand in quotes already."""
    return html.escape(on_one_line(str(text)), quote=True)


def element(tag: str, *parts: str, **attributes: object) -> str:
    """Return an element of parts that are HTML already; `class_` is its class.

    >>> element("td", "3", class_="number")
    '<td class="number">3</td>'
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(str(value), quote=True)}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{given}>{''.join(parts)}</{tag}>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """Return a table of cells that are HTML already, those of the columns `numbers` to the right."""

    def line(tag: str, cells: Sequence[str]) -> str:
        made = (
            element(tag, cell, class_="number") if i in numbers else element(tag, cell)
            for i, cell in enumerate(cells)
        )
        return element("tr", *made)

    head = element("thead", line("th", heads))
    body = element("tbody", *(line("td", row) for row in rows))
    return element("div", element("table", head, body), class_="wide")


def fragment(*parts: str) -> str:
    """Return parts with their style, to stand within another page."""
    return element("div", f"<style>{STYLE}</style>", *parts, class_="treewright")


def page(title: str, *parts: str) -> str:
    """Return a page of its own."""
    about = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head = about + element("title", escaped(title))
    around = "<style>body{margin:0}@media (prefers-color-scheme:dark){body{background:#15181c}}</style>"
    body = element("body", fragment(*parts))
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}{around}</head>{body}</html>\n'


def stacked_bars(counts: Sequence[Sequence[int]], titles: Sequence[str], *, width: int, height: int) -> str:
    """Return small upright bars as SVG, the classes of each stacked; `titles` are shown on hover."""
    largest = max(map(sum, counts), default=0) or 1
    step = width / max(len(counts), 1)
    n_classes = max(map(len, counts), default=0)
    fills = COLOURS if 1 < n_classes <= len(COLOURS) else (PLAIN,)
    shapes = []
    for place, (bar, title) in enumerate(zip(counts, titles, strict=True)):
        parts = [sum(bar)] if len(fills) == 1 else bar
        boxes = _stack(parts, place * step, max(step - 1, 0.5), height, largest, fills)
        shapes.append(element("g", element("title", escaped(title)), *boxes))
    return element("svg", *shapes, viewBox=f"0 0 {width} {height}", width=width, height=height, role="img")


def _stack(
    parts: Sequence[int], x: float, width: float, height: int, largest: int, fills: Sequence[str]
) -> Iterable[str]:
    bottom = float(height)
    for part, fill in zip(parts, fills, strict=False):
        if part:
            tall = max(height * part / largest, 0.6)
            bottom -= tall
            size = f'width="{width:.1f}" height="{tall:.1f}"'
            yield f'<rect x="{x:.1f}" y="{bottom:.1f}" {size} fill="{fill}"/>'


def key_of(labels: Sequence[str]) -> str:
    """Return what the colours of classes mean; nothing where they have none."""
    if not 1 < len(labels) <= len(COLOURS):
        return ""
    keys = (
        element("span", class_="key", style=f"background:{fill}") + escaped(label)
        for label, fill in zip(labels, COLOURS, strict=False)
    )
    return element("p", *keys, class_="soft")
