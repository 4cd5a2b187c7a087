"""A tree as a notebook shows it: a small picture, key figures, how it was found and what is proven."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from treewright import _core
from treewright._base.html import element, fragment, sentence
from treewright._base.shown import shown_text
from treewright.results import MESSAGES
from treewright.trees.drawing.options import look_of
from treewright.trees.drawing.picture import picture_of
from treewright.trees.drawing.svg import svg_of

MOST_NODES, MOST_BRANCHES, MOST_LEVELS = 30, 8, 4
"""What is drawn of a larger tree."""


def summary_of(core: _core.Tree) -> str:
    """Return HTML to stand within another page."""
    look = look_of(
        {"max_nodes": MOST_NODES, "max_branches": MOST_BRANCHES, "max_depth": MOST_LEVELS}, core.classes
    )
    figures = [
        element("p", element("strong", sentence(text)) if place == 0 else sentence(text))
        for place, text in enumerate(_figures(core))
    ]
    picture = element("div", svg_of(picture_of(core, look)), class_="wide")
    return fragment(*figures, picture)


def _figures(core: _core.Tree) -> Iterator[str]:
    plural = "leaf" if core.n_leaves == 1 else "leaves"
    sizes = f"{core.n_nodes:,} nodes, {core.n_leaves:,} {plural}, depth {core.max_depth:,}"
    yield f"Decision tree: {sizes}, {len(core.used_features):,} of {core.n_features:,} features tested"
    if core.class_counts is not None:
        leaves = core.n_children == 0
        counts, answers = core.class_counts[leaves], core.node_class[leaves]
        n = float(counts.sum())
        wrong = n - float(counts[range(len(answers)), answers].sum())
        share = f" ({wrong / n:.1%})" if n > 0 else ""
        yield f"{wrong:,.6g} of {n:,.6g} training samples are of another class than their leaf{share}"
    facts = {} if core.provenance is None else json.loads(core.provenance)
    if isinstance(facts, dict):
        yield from _found(facts)


def _found(facts: Mapping[str, object]) -> Iterator[str]:
    """Say what found the tree, in which data, and what is proven of it."""
    data = facts.get("data")
    name = data.get("name") if isinstance(data, dict) else None
    if facts.get("class"):
        yield f"Found by {shown_text(facts['class'])}{f' in {shown_text(name)}' if name else ''}"
    proven = facts.get("proven")
    if isinstance(proven, dict) and proven.get("status") in MESSAGES:
        known = {what: proven.get(what) for what in ("cost", "bound")}
        numbers = [f"{what} {value:,.6g}" for what, value in known.items() if isinstance(value, int | float)]
        yield f"{MESSAGES[proven['status']]} {', '.join(numbers).capitalize()}".rstrip()
