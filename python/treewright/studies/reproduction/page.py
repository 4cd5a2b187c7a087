"""The page of tables that were made again: each as its paper has it, the verdict in every cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from treewright._base.html import element, escaped, fragment, page, sentence
from treewright.studies.reproduction.facts import PublishedTable, paper
from treewright.studies.reproduction.verdict import AGREES, DIFFERS, INCOMPARABLE, Verdict

MARKS = {AGREES: ("✓", "agrees"), DIFFERS: ("✗", "differs"), INCOMPARABLE: ("–", "neither")}
"""Sign and class of a verdict."""

STYLE = """
.treewright .agrees{border-left:4px solid #009E73}.treewright .differs{border-left:4px solid #D55E00}
.treewright .neither{border-left:4px solid var(--line)}
.treewright td.agrees,.treewright td.differs,.treewright td.neither{padding-left:.5rem;white-space:nowrap}
.treewright th{overflow-wrap:normal}.treewright tbody th{min-width:8rem}
.treewright td .ours{display:block}.treewright td .paper{display:block;color:var(--soft)}
"""


class Shown(Protocol):
    """A cell as a page shows it."""

    @property
    def row(self) -> str:
        """Name of its row."""

    @property
    def published(self) -> str:
        """The paper's number."""

    @property
    def measured(self) -> str:
        """Ours."""

    @property
    def difference(self) -> str:
        """Their difference."""

    @property
    def verdict(self) -> Verdict:
        """What comes of it."""

    @property
    def reason(self) -> str:
        """Why."""


Section = tuple[PublishedTable, Sequence[Shown]]


def page_of(told: str, sections: Iterable[Section]) -> str:
    """Return a page of its own."""
    return page("Published tables, made again", *_parts(told, list(sections), "h1"))


def fragment_of(told: str, sections: Iterable[Section]) -> str:
    """Return the same for a notebook."""
    return fragment(*_parts(told, list(sections), "h2"))


def _parts(told: str, sections: Sequence[Section], level: str) -> Iterator[str]:
    yield f"<style>{STYLE}</style>"
    yield element(level, "Published tables, made again")
    yield element("p", sentence(told))
    yield element(
        "p",
        "Every cell: ours, and below it the paper's number. ",
        *(f"{sign} {escaped(verdict)}. " for verdict, (sign, _) in MARKS.items()),
        "Agrees: the difference is at most two standard errors and the rounding of the paper.",
        class_="soft",
    )
    for table, cells in sections:
        yield from _section(table, cells)


def _section(table: PublishedTable, cells: Sequence[Shown]) -> Iterator[str]:
    yield element("h2", escaped(f"{table.id}: {table.title}"))
    yield element("p", escaped(f"{paper(table.paper).citation}: {table.settings}."), class_="soft")
    if not cells:
        return
    numbers = {reason: n for n, reason in enumerate(dict.fromkeys(_reasons(cells)), start=1)}
    yield _grid(table, cells, numbers)
    if numbers:
        yield element("ol", *(element("li", sentence(reason)) for reason in numbers))


def _reasons(cells: Sequence[Shown]) -> Iterator[str]:
    return (cell.reason for cell in cells if cell.reason)


def _grid(table: PublishedTable, cells: Sequence[Shown], numbers: Mapping[str, int]) -> str:
    heads = [element("th", ""), *(element("th", escaped(column.heading)) for column in table.columns)]
    rows = [
        element(
            "tr",
            element("th", escaped(table.shown(row))),
            *(_cell(cell, numbers) for cell in cells if cell.row == row),
        )
        for row in table.rows
    ]
    whole = element("table", element("thead", element("tr", *heads)), element("tbody", *rows))
    return element("div", whole, class_="wide")


def _cell(cell: Shown, numbers: Mapping[str, int]) -> str:
    """Return ours above the paper's, the sign of the verdict, and the number of the reason."""
    sign, kind = MARKS[cell.verdict.verdict]
    note = element("sup", f"{numbers[cell.reason]}") if cell.reason else ""
    hover = f"{cell.verdict.verdict}; difference {cell.difference}"
    return element(
        "td",
        element("span", f"{escaped(cell.measured)} {sign}{note}", class_="ours"),
        element("span", escaped(cell.published), class_="paper"),
        class_=kind,
        title=hover,
    )
