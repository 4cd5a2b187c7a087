"""The page of an exploration, whole and short."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

import treewright.exploration.sentences as sentences
from treewright._base.html import element, fragment
from treewright.exploration.findings import Findings
from treewright.exploration.page.answer import answer, tree_picture
from treewright.exploration.page.chart import chart
from treewright.exploration.page.compared import choices, families, sizes
from treewright.exploration.page.data import data
from treewright.exploration.page.judged import answers, costs, rules, subgroups
from treewright.exploration.page.parts import brief, paragraph, told
from treewright.exploration.page.trial import ON_OPENING, trial
from treewright.exploration.page.trust import steadiness, trust
from treewright.exploration.page.use import embedded, made, use, words

LARGEST = 1_900_000
"""Bytes of a page; of a larger one less is shown."""

CLOSED = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'\">"
)
"""A page that loads nothing from anywhere."""

SCRIPT = f"""<script>(() => {{
  let closed = [];
  addEventListener("beforeprint", () => {{
    closed = [...document.querySelectorAll("details:not([open]):not(.screen)")];
    for (const one of closed) one.open = true;
  }});
  addEventListener("afterprint", () => {{ for (const one of closed) one.open = false; }});
  {ON_OPENING}
}})();</script>"""
"""Opens all sections for the printer."""


@dataclass(frozen=True)
class Extent:
    """How much is shown."""

    n_nodes: int = 63
    n_columns: int = 20
    n_rules: int = 30
    holds_tree: bool = True


EXTENTS = (
    Extent(),
    Extent(31, 12, 25),
    Extent(31, 12, 25, holds_tree=False),
    Extent(7, 3, 8, holds_tree=False),
)


def page_of(found: Findings) -> str:
    """Return the page."""
    for extent in EXTENTS:
        text = _page(found, extent)
        if len(text.encode()) <= LARGEST:
            break
    return text


def _page(found: Findings, extent: Extent) -> str:
    title = f"A small tree for {_name(found)}"
    style = files("treewright.exploration.page").joinpath("page.css").read_text(encoding="utf-8")
    head = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width">{CLOSED}'
        f"{element('title', told(title))}"
        "<style>body{margin:0}@media screen and (prefers-color-scheme:dark){body{background:#15181c}}</style>"
    )
    body = fragment(f"<style>{style}</style>", element("h1", told(title)), *_sections(found, extent))
    tree = embedded(found) if extent.holds_tree else ""
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}{tree}{SCRIPT}</body></html>\n'


def _name(found: Findings) -> str:
    return brief(found.description.name or "these data", 60)


def _sections(found: Findings, extent: Extent) -> list[str]:
    return [
        paragraph(sentences.opening(found), class_="soft"),
        answer(found, extent.n_nodes),
        trial(found) if extent.holds_tree else "",
        data(found, extent.n_columns),
        sizes(found),
        rules(found, extent.n_rules),
        answers(found),
        subgroups(found),
        costs(found),
        families(found),
        choices(found),
        trust(found),
        steadiness(found),
        use(found, holds_tree=extent.holds_tree),
        made(found),
        words(),
    ]


def _beside(found: Findings) -> Iterator[str]:
    yield from filter(None, [sentences.beyond_limit(found)])
    yield sentences.beside_majority(found)
    yield sentences.beside_ceiling(found)
    yield from sentences.cautions(found, "describe() tells them")


def short_form(found: Findings) -> str:
    """Return what a notebook shows."""
    style = files("treewright.exploration.page").joinpath("page.css").read_text(encoding="utf-8")
    return fragment(
        f"<style>{style}</style>",
        element("p", element("strong", told(sentences.promise(found)))),
        paragraph(sentences.recommended(found)),
        *(paragraph(text) for text in _beside(found)),
        element("div", tree_picture(found.tree_, 31), class_="wide"),
        chart(found),
        paragraph(
            "to_html(path) writes the page, recommended_ is the fitted tree, at(max_leaf_nodes=8) a "
            "smaller one, front_ and families_ are tables.",
            class_="soft",
        ),
    )
