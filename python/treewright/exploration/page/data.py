"""What the data are, the warnings first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import treewright.exploration.sentences as sentences
from treewright._base.html import element, key_of
from treewright._base.shown import shown_values
from treewright.data.description.facts import ColumnDescription, TargetDescription
from treewright.data.description.page import classes_table, columns_table
from treewright.data.description.text import row_sentences, size_of
from treewright.exploration.findings import Findings
from treewright.exploration.page.parts import brief, code, folded, from_rows, paragraph, section, told

MOST_REMARKS = 10
MOST_USED = 14
LONGEST_REMARK = 400
MOST_VALUES = 40
"""A feature of more values has no histogram here."""


def data(found: Findings, n_columns: int) -> str:
    """Return what is worth a look, the classes, and the features, those of the tree first."""
    facts = found.description
    target = facts.target
    assert target is not None, "rows to learn from have classes"
    names = shown_values(target.classes)
    labels = [brief(name, 40) for name in names]
    used, others = _shown(found, n_columns)
    return section(
        "The data",
        paragraph(f"{size_of(facts)}.", *row_sentences(facts.rows, facts.n_samples)),
        _remarks(found),
        element("h3", "Classes"),
        classes_table(_short_target(target)),
        element("h3", "Features that the tree asks for"),
        key_of(labels) + columns_table(used, labels) if used else paragraph("None."),
        paragraph(_unlisted(found, len(used))),
        _others(found, others, labels),
        from_rows(found),
    )


def _unlisted(found: Findings, n_listed: int) -> str:
    """Say how many of its features are not listed."""
    n_more = len(found.tree_.used_features) - n_listed
    return f"It asks for {sentences.plural(n_more, 'more feature')}, not listed here." if n_more else ""


def _others(found: Findings, others: Sequence[ColumnDescription], labels: Sequence[str]) -> str:
    """Return the features that the tree does not ask for, as many as there is room for."""
    n_more = found.dataset.n_features - len(found.tree_.used_features)
    if not n_more:
        return ""
    all_of_it = element(
        "p",
        told("All columns: "),
        code("treewright describe DATA --target COL --out data.html"),
        class_="soft",
    )
    title = f"{sentences.plural(n_more, 'other feature')}, which the tree does not ask for"
    if not others:
        return paragraph(f"{title}.") + all_of_it
    first = "" if len(others) == n_more else f"; the first {len(others)}"
    return folded(f"{title}{first}", columns_table(others, labels), all_of_it)


def _remarks(found: Findings) -> str:
    remarks = [brief(f"{one}.", LONGEST_REMARK) for one in found.description.remarks]
    if not remarks:
        return paragraph("Nothing looks wrong in the data.")
    more = len(remarks) - MOST_REMARKS
    rest = (
        [f"… and {sentences.plural(more, 'more point')}, which treewright describe lists."]
        if more > 0
        else []
    )
    items = (element("li", told(one)) for one in [*remarks[:MOST_REMARKS], *rest])
    return element("div", element("strong", "Worth a look:"), element("ul", *items), class_="box")


def _short_target(target: TargetDescription) -> TargetDescription:
    name = None if target.name is None else brief(target.name)
    labels = tuple(brief(label) if isinstance(label, str) else label for label in target.classes)
    return replace(target, name=name, classes=labels)


def _shown(found: Findings, most: int) -> tuple[list[ColumnDescription], list[ColumnDescription]]:
    """Return the columns to list, those of the tree and others; of long names the ends."""
    used = found.tree_.used_features.tolist()[: min(most, MOST_USED)]
    tested = set(found.tree_.used_features.tolist())
    others = [place for place in range(found.dataset.n_features) if place not in tested]
    columns = found.description.columns
    return [_short(columns[i]) for i in used], [_short(columns[i]) for i in others[: most - len(used)]]


def _short(column: ColumnDescription) -> ColumnDescription:
    bars = column.histogram
    if bars is not None and bars.labels:
        shown = bars.labels[:MOST_VALUES]
        labels = tuple(brief(label) if isinstance(label, str) else label for label in shown)
        n_others = bars.n_others + int(bars.counts[MOST_VALUES:].sum())
        bars = replace(bars, labels=labels, counts=bars.counts[:MOST_VALUES], n_others=n_others)
    return replace(column, name=brief(column.name), histogram=bars)
