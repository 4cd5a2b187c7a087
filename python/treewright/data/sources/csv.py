"""CSV files as they are found, read into columns in one pass.

`layout` tells from the beginning of a file what it is like; the core reads all of it and keeps the columns
that are wanted. If a later line shows that a conclusion was wrong (the text is not UTF-8 after all, a line
is a comment, a column of numbers holds a text), the file is read once more. Whatever is wrong with it is
reported with its line and column.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from treewright import _core
from treewright._base.errors import DataError
from treewright._base.warn import DataWarning, warn
from treewright._base.wording import Param
from treewright.data.sources.blanks import aligned_pieces
from treewright.data.sources.layout import CsvOptions, Layout, find_layout
from treewright.data.sources.marks import Marks, find_marks
from treewright.data.sources.streams import NotDecodedError, TextFile, not_text, without_utf8
from treewright.data.types import CodeArray, IntArray

MOST_PASSES = 6


@dataclass(frozen=True)
class ColumnWish:
    """What is known of a column before it is read."""

    keeps_text: bool
    is_numeric: bool
    missing: list[str]
    decimal: str | None
    thousands: str | None


@dataclass(frozen=True)
class Wanted:
    """Which columns of a file are read, and what is known of them.

    `texts` are those whose texts are needed, `numbers` those that are numeric whatever they look like;
    `missing` are the spellings of missing values of each.
    """

    names: Collection[str]
    texts: Collection[str]
    numbers: Collection[str]
    missing: Mapping[str, Collection[str]]


class Fields(NamedTuple):
    """The fields of a column: its different texts, the code of each row's, and their first rows."""

    texts: list[str]
    codes: CodeArray
    first_rows: IntArray


@dataclass(frozen=True)
class CsvTable:
    """A CSV file that was read.

    `path` is what messages call it; `left_out` are lines below the table that are no rows.
    """

    path: str
    layout: Layout
    options: CsvOptions
    core: _core.FileTable
    surveys: Mapping[str, _core.Survey]
    marks: Marks
    left_out: Sequence[tuple[int, str]] = ()
    _position: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        position = {name: i for i, name in enumerate(self.layout.names)}
        object.__setattr__(self, "_position", position)

    @property
    def names(self) -> list[str]:
        """Names of all columns."""
        return self.layout.names

    @property
    def n_rows(self) -> int:
        """How many rows the file has below its header."""
        return self.core.n_rows

    def position(self, name: str) -> int:
        """Return where a column is, from 0."""
        return self._position[name]

    def line(self, row: int) -> int:
        """Return the line on which a row ends, from 1."""
        return self.core.line(row)

    def where(self, name: str, row: int | None = None) -> str:
        """Say which column, and which line if `row` is given, as messages put it."""
        column = f"column {name!r} ({self._position[name] + 1})"
        return f"{self.path}, {column}" if row is None else f"{self.path}, line {self.line(row)}, {column}"

    def fields(self, name: str) -> Fields:
        """Return the fields of a column whose texts were kept."""
        i = self._position[name]
        return Fields(self.core.column_texts(i), self.core.text_codes(i), self.core.first_rows(i))


@dataclass(frozen=True)
class CsvSource:
    """A CSV file of which it is known what it is like."""

    file: TextFile
    options: CsvOptions
    layout: Layout

    @classmethod
    def of(cls, file: TextFile, options: CsvOptions, known: Collection[str] = ()) -> CsvSource:
        """Look at the beginning of a file; `known` are names that its columns are expected to have."""
        options = options.checked()
        return cls(file, options, find_layout(file, options, known))

    def read(self, wanted: Wanted) -> CsvTable:
        """Read the wanted columns."""
        pass_ = _Pass(self, self.layout, wanted)
        for _ in range(MOST_PASSES):
            outcome = pass_.run()
            if isinstance(outcome, CsvTable):
                return outcome
            pass_ = outcome
        raise AssertionError("each further pass has a reason that is gone then")


@dataclass(frozen=True)
class _Pass:
    """One reading of a file, from its beginning to its end."""

    source: CsvSource
    layout: Layout
    wanted: Wanted
    kept: frozenset[str] = frozenset()
    """Columns whose texts turned out to be needed."""

    @property
    def path(self) -> str:
        return self.source.file.shown

    @cached_property
    def core(self) -> _core.FileTable:
        layout = self.layout
        wishes = [self._wish(name) if name in self.wanted.names else None for name in layout.names]
        return _core.FileTable(
            layout.delimiter, layout.quote or None, layout.comment or None, layout.skip_lines, wishes
        )

    def _wish(self, name: str) -> ColumnWish:
        wanted, options = self.wanted, self.source.options
        missing = sorted(wanted.missing.get(name, ()))
        is_text, is_numeric = name in wanted.texts or name in self.kept, name in wanted.numbers
        return ColumnWish(is_text, is_numeric, missing, options.decimal, options.thousands or None)

    def run(self) -> CsvTable | _Pass:
        """Return the table, or another pass where this one went wrong."""
        try:
            fault = self._fed()
        except NotDecodedError as error:
            if self.layout.encoding == "cp1252" and self.source.options.encoding is None:
                return self._again(encoding="latin-1")
            raise DataError(str(error)) from error
        left_out: list[tuple[int, str]] = []
        if fault is None:
            left_out = footer(self.core.held(), self.layout.names, self.source.options.skip_footer)
            fault = self.core.close(len(left_out))
        if fault is not None:
            return self._after(fault)
        if not self.core.n_rows:
            raise DataError(f"{self.path}: there is a header but no row below it")
        return self._surveyed(left_out)

    def _fed(self) -> _core.FileFault | None:
        layout = self.layout
        pieces = self.source.file.pieces(layout.encoding)
        for piece in aligned_pieces(pieces, layout.quote) if layout.aligned else pieces:
            fault = self.core.feed(piece, False)
            if fault is not None:
                return fault
        return self.core.feed(b"", True)

    def _again(self, *, encoding: str | None = None, comment: str | None = None) -> _Pass:
        old = self.layout
        new = replace(old, encoding=encoding or old.encoding, comment=comment or old.comment)
        return replace(self, layout=new)

    def _after(self, fault: _core.FileFault) -> _Pass:
        """Return another pass for what may be read otherwise; refuse anything else."""
        options, layout = self.source.options, self.layout
        if fault.kind == "ragged" and fault.is_marked and options.comment is None and not layout.comment:
            return self._again(comment="#")
        if fault.kind == "not_text" and options.encoding is None and self.source.file.head.isascii():
            return self._again(encoding=without_utf8(bytes([fault.found])))
        raise self._error(fault)

    def _surveyed(self, left_out: list[tuple[int, str]]) -> CsvTable | _Pass:
        names = self.layout.names
        surveys = self.core.surveys(len(names), os.cpu_count() or 1)
        seen = {name: survey for name, survey in zip(names, surveys, strict=True) if survey is not None}
        again = [
            name for name, survey in seen.items() if survey.needs_text and name not in self.wanted.numbers
        ]
        if again:
            return self._with_texts(again)
        marks = self._marks(seen)
        mark = marks.decimal or "."
        again = [
            name
            for name, survey in seen.items()
            if survey.read_by not in (None, mark) and (survey.decimals or survey.eithers)
        ]
        if again:
            return self._with_texts(again)
        table = CsvTable(self.path, self.layout, self.source.options, self.core, seen, marks, left_out)
        _warn_of_footer(table)
        return table

    def _marks(self, seen: Mapping[str, _core.Survey]) -> Marks:
        layout, options = self.layout, self.source.options
        features = {name: survey for name, survey in seen.items() if name not in self.wanted.texts}
        table = CsvTable(self.path, layout, options, self.core, features, Marks(None, None))
        return find_marks(table, self.wanted.numbers, layout.delimiter, options.decimal, options.thousands)

    def _with_texts(self, names: Collection[str]) -> _Pass:
        """Return a pass that keeps the texts of further columns."""
        return replace(self, kept=self.kept.union(names))

    def _error(self, fault: _core.FileFault) -> DataError:
        where = f"{self.path}, line {fault.line}"
        if fault.kind == "ragged":
            return self._ragged(fault, where)
        if fault.kind == "not_text":
            name = self.layout.names[fault.column]
            place = f"{where}, column {name!r} ({fault.column + 1})"
            return DataError(not_text(place, fault.found, self.layout.encoding))
        if fault.kind == "too_many_rows":
            return DataError(f"{self.path} has more rows than fit in a table (2^32 - 2); read a part of it")
        what = "a field opens with a quotation mark that is never closed"
        if fault.kind == "behind_quote":
            where, what = (
                f"{where}, column {fault.column + 1}",
                "there is text behind a closing quotation mark",
            )
        return DataError(
            f"{where}: {what}; inside a quoted field a quotation mark is written twice, and if the file has "
            "none, use ",
            Param("quote", ""),
        )

    def _ragged(self, fault: _core.FileFault, where: str) -> DataError:
        names, found = self.layout.names, fault.found
        if found < len(names):
            detail = f"column {names[found]!r} ({found + 1}) and those after it have no field"
        else:
            detail = f"column {len(names) + 1} has no name, yet holds {fault.text[:40]!r}"
        n_fields = "1 field" if found == 1 else f"{found} fields"
        what = "the header names" if self.layout.header_line else "other lines have"
        return DataError(
            f"{where}: {n_fields} where {what} {len(names)}; {detail}. "
            "Complete the line, or quote a field that holds the delimiter; lines above the header or below "
            "the last row are left out with ",
            Param("skip_rows"),
            " and ",
            Param("skip_footer"),
        )


_TOTALS = re.compile(
    r"(?:grand |sub)?total(?:e|s|en)?|totaal|summen?|gesamt|insgesamt|somme|razem|i alt|yhteensä",
    re.IGNORECASE,
)
_MEANS = re.compile(r"sums?|suma|average|mean|media|mittelwert|durchschnitt|moyenne", re.IGNORECASE)
"""Words that may be values too: of a total where the row has gaps."""
_NOTES = re.compile(r"(?:source|quelle|note|hinweis|anmerkung|stand|legend|©|\(c\)|\*)", re.IGNORECASE)


def footer(
    held: Sequence[tuple[int, Sequence[str]]], names: Sequence[str], wanted: int | None
) -> list[tuple[int, str]]:
    """Return the lines below a table, with their first text: a total, a note, or nothing but delimiters.

    `held` are the last lines of a file with their fields.

    >>> footer([(7, ["5", "x"]), (8, ["Total", ""]), (9, ["Source: us"])], ["n", "class"], None)
    [(8, 'Total'), (9, 'Source: us')]
    """
    n = wanted
    if n is None:
        n = 0
        while n < len(held) and _is_below(held, len(held) - 1 - n, len(names)):
            n += 1
    kept = held[len(held) - min(n, len(held)) :]
    return [(line, next(filter(None, fields), "")) for line, fields in kept]


def _is_below(held: Sequence[tuple[int, Sequence[str]]], at: int, n_columns: int) -> bool:
    """Tell whether a line is no row: it holds a total, a note or nothing."""
    if n_columns < 2:
        return False
    fields = held[at][1]
    filled = [text for text in fields if text]
    if not filled:
        return True
    if len(filled) == 1 and (len(fields) < n_columns or n_columns > 2):
        is_after_gap = at > 0 and held[at][0] > held[at - 1][0] + 1 and "\n" not in filled[0]
        is_note = _NOTES.match(filled[0]) is not None or len(filled[0].split()) > 2 or is_after_gap
        if is_note and fields[0]:
            return True
    first = next(i for i, text in enumerate(fields) if text)
    elsewhere = {other[first] for i, (_, other) in enumerate(held) if i != at and first < len(other)}
    word = fields[first].rstrip(" :").split(" (")[0]
    has_gaps = len(filled) < n_columns
    is_total = bool(_TOTALS.fullmatch(word) or (has_gaps and _MEANS.fullmatch(word)))
    return is_total and fields[first] not in elsewhere


def _warn_of_footer(table: CsvTable) -> None:
    told = [(line, text) for line, text in table.left_out if text]
    if told and table.options.skip_footer is None:
        lines = ", ".join(f"line {line} ({text[:40]!r})" for line, text in told[:4])
        more = f" and {len(told) - 4} more" if len(told) > 4 else ""
        warn(
            DataWarning(
                f"{table.path}: {lines}{more} below the table {'is' if len(told) == 1 else 'are'} taken as "
                "total or note and left out; if it is a row, say so (--skip-footer 0, in Python "
                "skip_footer=0)",
            ),
            about=f"footer of {table.path}",
        )
