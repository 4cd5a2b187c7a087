"""A description as a page: warnings first, the classes, a line with a small histogram for each column."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from treewright._base.html import element, escaped, key_of, sentence, stacked_bars, table
from treewright._base.html import fragment as html_fragment
from treewright._base.html import page as html_page
from treewright._base.shown import shown_values
from treewright.data.description.facts import ColumnDescription, Facts, Histogram, TargetDescription
from treewright.data.description.text import brief, row_sentences, short_share, size_of, summary

WIDTH, HEIGHT = 150, 34
MOST_DRAWN = 400
"""Columns beyond these are listed without a histogram, so that the page stays small."""


def page(facts: Facts) -> str:
    """Return a page of its own."""
    return html_page(facts.name or "Description of a data set", *_parts(facts))


def fragment(facts: Facts) -> str:
    """Return what stands within another page."""
    return html_fragment(*_parts(facts))


def _parts(facts: Facts) -> list[str]:
    return [
        element("h1", escaped(facts.name or "Data set")),
        element("p", sentence(size_of(facts))),
        element("p", escaped(facts.content_hash), class_="soft"),
        _remarks(facts),
        "" if facts.target is None else element("h2", "Classes") + classes_table(facts.target),
        element("h2", "Features"),
        "" if facts.target is None else key_of(shown_values(facts.target.classes)),
        columns_table(facts.columns, [] if facts.target is None else shown_values(facts.target.classes)),
        element("h2", "Rows"),
        element("p", " ".join(map(sentence, row_sentences(facts.rows, facts.n_samples)))),
    ]


def _remarks(facts: Facts) -> str:
    if not facts.remarks:
        return element("p", "Nothing looks wrong.")
    items = (element("li", sentence(remark)) for remark in facts.remarks)
    return element("h2", "Worth a look") + element("div", element("ul", *items), class_="box")


def classes_table(target: TargetDescription) -> str:
    """List the classes."""
    cells = zip(shown_values(target.classes), target.counts, target.shares, strict=True)
    rows = [(escaped(label), f"{count:,}", sentence(short_share(share))) for label, count, share in cells]
    return table((escaped(target.name or "class"), "rows", "share"), rows, (1, 2))


def columns_table(columns: Sequence[ColumnDescription], labels: Sequence[str]) -> str:
    """List columns, the first ones with a histogram."""
    rows = [
        (
            escaped(column.name),
            column.kind,
            f"{column.n_missing:,}" if column.n_missing else "-",
            f"{column.n_different:,}",
            sentence(summary(column)),
            _drawn(column, labels) if place < MOST_DRAWN else "",
        )
        for place, column in enumerate(columns)
    ]
    return table(("feature", "kind", "missing", "values", "", ""), rows, (2, 3))


def _drawn(column: ColumnDescription, labels: Sequence[str]) -> str:
    bars = column.histogram
    if bars is None or bars.n_others > bars.counts.sum():
        return ""
    counts = bars.counts.tolist()
    titles = [f"{name}: {_by_class(count, labels)}" for name, count in zip(_names(bars), counts, strict=True)]
    return stacked_bars(counts, titles, width=WIDTH, height=HEIGHT)


def _names(bars: Histogram) -> list[str]:
    if bars.edges is None:
        return shown_values(bars.labels)
    ends = pairwise(map(brief, bars.edges.tolist()))
    return [one if one == other else f"{one} to {other}" for one, other in ends]


def _by_class(counts: list[int], labels: Sequence[str]) -> str:
    """Say how many rows there are, by class where there are few."""
    if not 1 < len(labels) <= 6:
        return f"{sum(counts):,}"
    return ", ".join(f"{label} {count:,}" for label, count in zip(labels, counts, strict=True))
