"""A table that prints as text and as LaTeX."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from treewright._base.params import whole_number_or_none
from treewright._base.shown import on_one_line

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    ">": r"$>$",
    "<": r"$<$",
    "≈": r"$\approx$",
    "|": r"$|$",
}

_MARKDOWN = frozenset("\\`*_[]|~$#!^")
"""Marks that mean something within a line of Markdown, the ends of code and formulas among them."""


@dataclass(frozen=True)
class Column:
    """One column of a table: its heading, the group heading over it, and its cells as text.

    Attributes
    ----------
    name : str
        Heading.
    cells : sequence of str
        One for each row.
    group : str, default=""
        Heading over this and the neighbouring columns of the same group; "" for none.
    align : {"right", "left"}, default="right"
        Side on which the cells line up.
    """

    name: str
    cells: Sequence[str]
    group: str = ""
    align: Literal["right", "left"] = "right"

    @property
    def _width(self) -> int:
        """Characters of the widest entry."""
        return max(map(len, self._entries))

    @property
    def _entries(self) -> list[str]:
        """Heading and cells, what cannot be seen in them escaped."""
        return [on_one_line(entry) for entry in (self.name, *self.cells)]

    def _aligned(self, width: int) -> list[str]:
        """Return heading and cells, all of one width."""
        is_right = self.align == "right"
        return [entry.rjust(width) if is_right else entry.ljust(width) for entry in self._entries]


@dataclass(frozen=True)
class Table:
    r"""A table of columns, some of them under a group heading.

    Attributes
    ----------
    title : str
        What the numbers are.
    columns : sequence of Column
        All with the same number of cells.
    notes : sequence of str
        Lines below the text; comments in LaTeX.

    Examples
    --------
    >>> from treewright.reporting import Column, Table
    >>> table = Table(
    ...     "Two trees",
    ...     [
    ...         Column("tree", ["top", "best"], align="left"),
    ...         Column("mean", ["4.5", "3.25"], group="error in %"),
    ...         Column("std", ["1.5", "0.5"], group="error in %"),
    ...     ],
    ... )
    >>> print(table.to_text())
    Two trees
    <BLANKLINE>
          - error in % -
    tree       mean  std
    top         4.5  1.5
    best       3.25  0.5
    >>> table.to_latex().splitlines()[1]
    '\\begin{tabular}{lrr}'
    """

    title: str
    columns: Sequence[Column]
    notes: Sequence[str] = ()

    def to_text(self, max_width: int | None = None) -> str:
        """Return the table for a screen.

        Parameters
        ----------
        max_width : int, default=None
            Largest number of characters in a line. A wider table is split into parts, one below the other.
            Groups of columns stay together, and each part starts with the first column, which names the rows.
            Columns between it and the first group come last if there is no room for them. A row without an
            entry in a part is omitted there. None does not split the table.

        Returns
        -------
        text : str
            Title, headings, one line for each row, notes.

        Raises
        ------
        ParameterError
            If the width is not an int of at least 1.
        """
        max_width = whole_number_or_none("max_width", max_width, least=1, remedy="None breaks nothing")
        parts = ["\n".join(part) for part in self._parts(max_width)]
        notes = [_filled(note, max_width) for note in self.notes]
        below = ["\n".join(notes)] if notes else []
        return "\n\n".join([_filled(self.title, max_width), *parts, *below])

    def _parts(self, max_width: int | None) -> list[list[str]]:
        """Put blocks of columns side by side, as many as the width has room for."""
        (group, first), *spans = self._spans()
        key, parts = _block("", first[:1]), [_block(group, first)]
        blocks = [_block(group, columns) for group, columns in spans]
        if blocks and not group and not _have_room(parts[0], blocks[0], max_width):
            facts = [_block("", first[1:])] if len(first) > 1 else []
            parts, blocks = [_beside(key, blocks[0])], [*blocks[1:], *facts]
        for block in blocks:
            if _have_room(parts[-1], block, max_width):
                parts[-1] = _beside(parts[-1], block)
            else:
                parts.append(_beside(key, block))
        return [_without_blanks(_telling(part, len(key[0]))) for part in parts]

    def to_latex(self) -> str:
        r"""Return the table as a ``tabular`` with the rules of the package booktabs.

        Returns
        -------
        source : str
            Title and notes are comments above and below.
        """
        sides = "".join("l" if column.align == "left" else "r" for column in self.columns)
        return "\n".join(
            [
                f"% {self.title}",
                rf"\begin{{tabular}}{{{sides}}}",
                r"\toprule",
                *self._latex_groups(),
                _latex_row([column.name for column in self.columns]),
                r"\midrule",
                *(_latex_row(row) for row in zip(*(column.cells for column in self.columns), strict=True)),
                r"\bottomrule",
                r"\end{tabular}",
                *(f"% {line}" for line in self.notes),
            ]
        )

    def to_markdown(self) -> str:
        """Return the table as Markdown.

        Returns
        -------
        source : str
            Title, a table, and the notes, with blank lines between them; what has a meaning in Markdown is
            escaped.
        """
        heads = [f"{column.group}: {column.name}" if column.group else column.name for column in self.columns]
        sides = [":---" if column.align == "left" else "---:" for column in self.columns]
        rows = zip(*(column.cells for column in self.columns), strict=True)
        lines = [_markdown_row(heads), f"| {' | '.join(sides)} |", *map(_markdown_row, rows)]
        notes = [in_markdown(note) for note in self.notes]
        return "\n\n".join([in_markdown(self.title), "\n".join(lines), *notes])

    def _spans(self) -> list[tuple[str, list[Column]]]:
        """Put neighbours of one group together."""
        return [(group, list(part)) for group, part in groupby(self.columns, lambda column: column.group)]

    def _latex_groups(self) -> list[str]:
        spans = self._spans()
        if not any(group for group, _ in spans):
            return []
        cells, rules, start = [], [], 1
        for group, columns in spans:
            end = start + len(columns) - 1
            cells.append(rf"\multicolumn{{{len(columns)}}}{{c}}{{{_escaped(group)}}}")
            rules += [rf"\cmidrule(lr){{{start}-{end}}}"] if group else []
            start = end + 1
        return [" & ".join(cells) + r" \\", " ".join(rules)]


def _have_room(left: Sequence[str], right: Sequence[str], max_width: int | None) -> bool:
    return max_width is None or len(left[0]) + 2 + len(right[0]) <= max_width


def _beside(left: Sequence[str], right: Sequence[str]) -> list[str]:
    return [f"{a}  {b}" for a, b in zip(left, right, strict=True)]


def _telling(lines: Sequence[str], key_width: int) -> list[str]:
    """Return lines without the rows of which there is only the name; a table of names keeps them all."""
    if not lines[1][key_width:].strip():
        return list(lines)
    return [*lines[:2], *(line for line in lines[2:] if line[key_width:].strip())]


def _without_blanks(lines: Sequence[str]) -> list[str]:
    """Return lines without blanks at their ends, and without the first if no heading is shared."""
    stripped = [line.rstrip() for line in lines]
    return stripped if stripped[0] else stripped[1:]


def _filled(text: str, width: int | None) -> str:
    return text if width is None else textwrap.fill(text, width, break_on_hyphens=False)


def _block(group: str, columns: Sequence[Column]) -> list[str]:
    """Return the lines of neighbouring columns, below the heading they share."""
    widths = [column._width for column in columns]
    wanted = len(group) + 4 if group else 0
    widths[0] += max(0, wanted - sum(widths) - 2 * (len(widths) - 1))
    lines = [
        "  ".join(parts)
        for parts in zip(
            *(column._aligned(width) for column, width in zip(columns, widths, strict=True)), strict=True
        )
    ]
    heading = f" {group} ".center(len(lines[0]), "-") if group else " " * len(lines[0])
    return [heading, *lines]


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(_escaped(cell.strip()) for cell in cells) + r" \\"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(in_markdown(cell.strip()) for cell in cells)} |"


def in_markdown(text: str) -> str:
    """Write text of one line so that Markdown, or a table in it, shows it as it is."""
    marked = "".join(f"\\{mark}" if mark in _MARKDOWN else mark for mark in on_one_line(text))
    return marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("  ", " &nbsp;")


def _escaped(text: str) -> str:
    """Write text of one line so that LaTeX shows it as it is, blanks beside one another too."""
    plain = "".join(_LATEX.get(mark, mark) for mark in on_one_line(re.sub(r"[\t\n\r]", " ", text)))
    return re.sub(" {2,}", lambda run: " " + "\\ " * (len(run[0]) - 1), plain)
