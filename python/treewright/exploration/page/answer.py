"""First the answer: what the tree errs, what is to be careful of, and the tree."""

from __future__ import annotations

import re
from collections.abc import Iterator

import treewright.exploration.sentences as sentences
from treewright._base.html import element
from treewright._base.shown import shown_values
from treewright.exploration.findings import Findings
from treewright.exploration.page.parts import brief, code, from_all, paragraph, told
from treewright.trees.tree import Tree

WIDEST = 1000
"""Pixels of a tree that grows down; a wider one is drawn from left to right."""
MOST_BRANCHES = 12
LARGEST = 450_000
"""Characters of a picture; of a larger one fewer nodes are drawn."""


def answer(found: Findings, n_nodes: int) -> str:
    """Return what is promised, warnings, and the tree."""
    big = paragraph(_first(found), class_="big")
    lead = element("div", big, *map(paragraph, _beside(found)), class_="lead")
    return lead + _warnings(found) + element("h2", "The recommended tree") + _drawn(found, n_nodes)


def _first(found: Findings) -> str:
    """Return the sentence that a reader must take away."""
    if not sentences.is_better(found):
        return "No tree was found that is surely better than to answer always alike, without any question."
    mean = found.evaluation_.mean_cost
    if mean is None:
        return _promise(found)
    return f"Answers of trees chosen this way cost {mean:.4g} each on rows that no choice has seen."


def _promise(found: Findings) -> str:
    error = found.error_
    verb = "err" if found.settings.metric == "error" else f"have {sentences.name_of_error(found)} of"
    return (
        f"Trees chosen this way {verb} {error.value:.1%} ({error.low:.1%} to {error.high:.1%}) on rows that "
        "no choice has seen."
    )


def _often(found: Findings) -> str:
    """Say how many answers are wrong, of a hundred or more."""
    value = found.error_.value
    if found.settings.metric != "error" or value == 0:
        return ""
    whole = 100 if value >= 0.02 else 1000 if value >= 0.002 else 10_000
    return f"About {value * whole:.0f} of {whole:,} answers are wrong. "


def _beside(found: Findings) -> Iterator[str]:
    error = found.error_
    mean, is_better = found.evaluation_.mean_cost, sentences.is_better(found)
    if _first(found) != _promise(found):
        yield _promise(found)
    if mean is not None and not is_better:
        yield f"An answer costs {mean:.4g} on the mean, by the costs that were given."
    if found.settings.metric != "error":
        alike = "Every class counts alike in this error, however many rows it has."
        yield f"{alike}{sentences.of_classes(found)}"
    yield (
        f"{_often(found)}The true error lies between {error.low:.1%} and {error.high:.1%} with 95 % "
        "confidence, as "
        "long as new rows come from where these rows came from."
    )
    yield (
        f"The tree has {sentences.size_told(found)}; the data have "
        f"{sentences.plural(found.dataset.n_features, 'feature')}."
    )
    yield from filter(None, [sentences.beyond_limit(found)])
    if is_better:
        alone = found.figure_of(sentences.MAJORITY)
        yield f"Without any question, always the most frequent class: {sentences.rate(found, alone)}."
    else:
        yield sentences.beside_majority(found)
    yield sentences.beside_ceiling(found)


def _warnings(found: Findings) -> str:
    items = [element("li", told(text)) for text in sentences.cautions(found, "see The data, below")]
    return (
        element("div", element("strong", "Be careful:"), element("ul", *items), class_="box") if items else ""
    )


def _drawn(found: Findings, n_nodes: int) -> str:
    tree = found.tree_
    picture = tree_picture(tree, n_nodes if tree.n_nodes <= n_nodes else n_nodes // 2)
    words = (
        "Begin at the first box and answer its question for the row at hand; follow the line with your "
        "answer to the next box. The last box, a leaf, has the tree's answer."
    )
    more = ""
    if picture.count('<g class="') < tree.n_nodes:
        command = code("treewright draw report.html --out tree.html")
        more = element(
            "p",
            told(f"The picture shows the upper part of {tree.n_nodes:,} boxes. With "),
            command,
            told(" you get all of it, where report.html is this file."),
        )
    if _width(picture) > WIDEST:
        more = (
            element("p", told("The picture is wider than a screen: move it to the side."), class_="screen")
            + more
        )
    figure = element("figure", element("div", picture, class_="wide"))
    return (
        paragraph(_named(found))
        + paragraph(words)
        + figure
        + more
        + from_all(found, "Numbers in the picture are of")
    )


def _named(found: Findings) -> str:
    classes = found.dataset.classes
    names = [] if classes is None else [brief(one, 30) for one in shown_values(classes.tolist())]
    shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    return (
        f"It was found by {found.choice_.words}, and is {sentences.rule_of_choice(found)}. It answers one "
        f"of: {shown}."
    )


def tree_picture(tree: Tree, n_nodes: int) -> str:
    """Draw a tree so that it fits a page."""
    for most in (n_nodes, n_nodes // 2, n_nodes // 4, n_nodes // 8, 3, 1):
        svg = tree.to_svg(max_nodes=max(most, 1), max_branches=MOST_BRANCHES)
        if _width(svg) > WIDEST:
            svg = tree.to_svg(max_nodes=max(most, 1), max_branches=MOST_BRANCHES, orientation="left-right")
        if len(svg) <= LARGEST:
            break
    return svg


def _width(svg: str) -> float:
    found = re.search(r' width="(\d+)"', svg)
    assert found is not None, "a picture has a width"
    return float(found[1])
