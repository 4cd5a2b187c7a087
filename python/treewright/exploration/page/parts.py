"""What the sections of a page are made of: text that cannot break out, tables, sections that fold."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import groupby

from treewright._base.html import element
from treewright._base.shown import on_one_line
from treewright.exploration.findings import Findings
from treewright.reporting import Table

LONGEST = 70
"""Characters of a name that the page shows; of a longer one its beginning and its end."""
TAIL = 18

FROM_RIGHT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?:[^\\w<>=,;:()]+[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*"
)
"""Words that are read from right to left; they stand by themselves, so that they turn nothing around."""


def told(text: object) -> str:
    """Return text that is worded already as HTML.

    >>> told("a < b")
    'a &lt; b'
    """
    safe = html.escape(on_one_line(str(text)), quote=True)
    return FROM_RIGHT.sub("\u2068\\g<0>\u2069", safe)


def brief(text: str, longest: int = LONGEST) -> str:
    """Return the beginning and the end of a text that is too long.

    >>> brief("abc"), len(brief("abc" * 4000))
    ('abc', 70)
    """
    if len(text) <= longest:
        return text
    tail = min(TAIL, longest // 3)
    return f"{text[: longest - tail - 1]}…{text[-tail:]}"


def paragraph(*texts: str, class_: str = "") -> str:
    """Return sentences as a paragraph; empty ones are left out."""
    inner = " ".join(told(text) for text in texts if text)
    if not inner:
        return ""
    return element("p", inner, class_=class_) if class_ else element("p", inner)


def section(title: str, *parts: str, opened: bool = True) -> str:
    """Return a section that folds; on paper it is open."""
    summary = element("summary", element("h2", told(title)))
    return f"<details{' open' if opened else ''}>{summary}{''.join(parts)}</details>"


def folded(title: str, *parts: str) -> str:
    """Return what is looked at on a screen only, folded."""
    return f'<details class="screen"><summary>{told(title)}</summary>{"".join(parts)}</details>'


def code(text: str) -> str:
    """Return a command within a sentence."""
    return element("code", told(text))


def lines(text: str) -> str:
    """Return lines as they stand."""
    return element("pre", "\n".join(told(line) for line in text.split("\n")))


def facts(pairs: Sequence[tuple[str, str]], class_: str = "") -> str:
    """Return names and values; the values are HTML already."""
    items = (element("dt", told(name)) + element("dd", value) for name, value in pairs)
    return element("dl", *items, class_=class_)


def of_table(table: Table, *, title: bool = True, class_: str = "", longest: int = 2 * LONGEST) -> str:
    """Return a table of a report."""
    columns = table.columns
    sides = ["" if column.align == "left" else "number" for column in columns]
    heads = [
        element("th", told(brief(column.name, 40)), class_=side)
        for column, side in zip(columns, sides, strict=True)
    ]
    groups = _groups(table) + element("tr", *heads)
    rows = zip(*(column.cells for column in columns), strict=True)
    body = [
        element(
            "tr",
            *(
                element("td", told(brief(cell.strip(), longest)), class_=_class(side, class_, at, place))
                for at, (cell, side) in enumerate(zip(row, sides, strict=True))
            ),
        )
        for place, row in enumerate(rows)
    ]
    name = element("h3", told(table.title)) if title and table.title else ""
    made = element("table", element("thead", groups), element("tbody", *body), class_=class_)
    return name + element("div", made, class_="wide")


def _class(side: str, kind: str, column: int, row: int) -> str:
    """Mark the right answers of a confusion matrix."""
    return f"{side} right" if kind == "answers" and column == row + 1 else side


def _groups(table: Table) -> str:
    """Return the headings over headings."""
    if not any(column.group for column in table.columns):
        return ""
    spans = [(group, len(list(part))) for group, part in groupby(table.columns, lambda one: one.group)]
    return element(
        "tr", *(element("th", told(group), colspan=n, class_="number" if group else "") for group, n in spans)
    )


# Which rows made a figure.


def from_outer(found: Findings) -> str:
    """Say that figures are of rows that no choice has seen."""
    n = found.evaluation_.n_samples
    return paragraph(
        f"Made from {n:,} rows on the outer folds: each row was answered by a tree that was chosen and grown "
        "without it. So these figures hold for new rows of the same kind.",
        class_="rows",
    )


def from_inner(found: Findings) -> str:
    """Say that figures are of rows that the choice has seen."""
    return paragraph(
        f"Made from all {found.dataset.n_samples:,} rows on the inner folds: each row was answered by a tree "
        "that was grown without it, but trees were chosen by these answers. So the errors of the chosen ones "
        "are a little too low.",
        class_="rows",
    )


def from_rows(found: Findings) -> str:
    """Say that the data themselves are told."""
    return paragraph(f"Made from all {found.dataset.n_samples:,} rows.", class_="rows")


def from_all(found: Findings, what: str) -> str:
    """Say that figures are of the rows that the tree was made from."""
    return paragraph(
        f"{what} all {found.dataset.n_samples:,} rows, which the tree was made from. So they do not say how "
        "often the tree errs on new rows.",
        class_="rows",
    )
