"""What a CSV file is like, told from its beginning: delimiter, quotation marks, comments, titles, header."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import Param
from treewright.data.sources.blanks import aligned
from treewright.data.sources.kinds import SPELLINGS
from treewright.data.sources.streams import HEAD, TextFile, decoded_head, found_encoding, known_encoding

DELIMITERS = (",", ";", "\t", "|")
BLANK = " "
FEWEST_ALIGNED = 5
"""Lines from which on blanks are taken for delimiters where no column is asked for by name."""
MOST_RECORDS = 300
MOST_TITLES = 20
SEPARATOR = re.compile(r"sep=(.|\\t)\r?\n?", re.IGNORECASE)
NUMBER = re.compile(
    r"(?:[$€£¥] ?)?[-+\u2212]?(?:\d[\d.,'\u2019 \u00a0\u202f]*|[.,]\d+)(?:[eE][-+]?\d+)?"
    r"(?: ?(?:[%‰€$£¥]|°[CF]?|[^\W\d_]{1,9}[23²³]?))?"
)
"""What may be a number or a number with a unit: a first look, not a reading."""


@dataclass(frozen=True)
class CsvOptions:
    """What a user says of a file; None is for its content to say."""

    delimiter: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    header: bool | None = None
    skip_rows: int | None = None
    skip_footer: int | None = None
    quote: str | None = None
    comment: str | None = None

    def checked(self) -> CsvOptions:
        r"""Refuse what cannot be; ``\t`` as two characters is a tab."""
        delimiter = "\t" if self.delimiter == "\\t" else self.delimiter
        _check(delimiter is None or len(delimiter) == 1, "delimiter", self.delimiter, "must be one character")
        for name in ("quote", "comment"):
            mark = getattr(self, name)
            fits = mark is None or (len(mark) <= 1 and mark.isascii())
            _check(fits, name, mark, "must be one ASCII character, or empty for none")
        _check(self.decimal in (None, ".", ","), "decimal", self.decimal, "must be '.' or ','")
        fits = self.thousands is None or self.thousands in THOUSANDS
        _check(fits, "thousands", self.thousands, "must be '.', ',', \"'\", a blank, or empty for none")
        _check(
            not self.decimal or self.decimal != self.thousands,
            "thousands",
            self.thousands,
            "is the decimal mark",
        )
        for name in ("skip_rows", "skip_footer"):
            n = getattr(self, name)
            fits = n is None or (isinstance(n, int) and not isinstance(n, bool) and n >= 0)
            _check(fits, name, n, "must be an int of at least 0")
        return replace(self, delimiter=delimiter)

    def given(self) -> dict[str, object]:
        """Return what is not left to the content."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


THOUSANDS = ("", ".", ",", "'", "\u2019", " ", "\u00a0", "\u202f", "\u2009")


def _check(is_fine: bool, name: str, value: object, allowed: str) -> None:
    if not is_fine:
        raise ParameterError(name, value, allowed)


@dataclass(frozen=True)
class Layout:
    """What a file is like.

    `names` are those of the columns, `skip_lines` the lines above the first row, `header_line` the one that
    names the columns (0 where none does), `titles` the lines above it that hold a title; where columns are
    `aligned`, a run of blanks is one delimiter.
    """

    delimiter: str
    quote: str
    comment: str
    encoding: str
    names: list[str]
    header_line: int
    skip_lines: int
    titles: int = 0
    aligned: bool = False


@dataclass(frozen=True)
class _Record:
    """Fields, and the lines on which they begin and end."""

    fields: list[str]
    first: int
    last: int

    @cached_property
    def n_filled(self) -> int:
        return sum(map(bool, self.fields))

    @cached_property
    def width(self) -> int:
        """The number of fields without empty ones at the end."""
        width = len(self.fields)
        while width and not self.fields[width - 1]:
            width -= 1
        return width


def find_layout(file: TextFile, options: CsvOptions, known: Collection[str]) -> Layout:
    """Tell what a file is like; `known` are names of columns that it is expected to have.

    Raises
    ------
    DataError
        If there is nothing in it, or it can be read in two ways.
    """
    if options.encoding is None:
        encoding = found_encoding(file.head)
    else:
        encoding = known_encoding(options.encoding, file.shown)
    if not file.head:
        file.first_bytes()  # which fails where there is no file
    text = decoded_head(file.head, encoding)
    if "\0" in text:
        raise DataError(f"{file.shown} is a binary file, not a table of text; name a table")
    is_whole = len(file.head) < HEAD
    return _Finder(file.shown, text, is_whole, options, frozenset(known)).layout(encoding)


@dataclass(frozen=True)
class _Finder:
    """A look at the beginning of a file."""

    path: str
    text: str
    is_whole: bool
    options: CsvOptions
    known: frozenset[str]

    @cached_property
    def separator(self) -> re.Match[str] | None:
        """The line ``sep=;`` with which a spreadsheet's file may begin."""
        return None if self.options.skip_rows else SEPARATOR.match(self.text)

    @cached_property
    def n_skipped(self) -> int:
        """Lines that are not looked at."""
        return 1 if self.separator else self.options.skip_rows or 0

    @cached_property
    def lines(self) -> list[str]:
        return re.split(r"(?<=\n)|(?<=\r)(?!\n)", self.text)

    def layout(self, encoding: str) -> Layout:
        quote = self._quote()
        comment = self._comment()
        delimiter = self._delimiter(quote, comment)
        is_aligned = delimiter == BLANK and self._is_aligned(quote, comment)
        records = self.records(delimiter, quote, comment, is_aligned=is_aligned)
        if not records:
            raise DataError(f"{self.path}: the file is empty; its first line must name the columns")
        top = self._top(records)
        has_header = self._has_header(records[top:])
        first = records[top]
        if not has_header:
            names = [f"x{i}" for i in range(_usual_width(records[top:]))]
            return Layout(delimiter, quote, comment, encoding, names, 0, first.first - 1, top, is_aligned)
        names = self._names(first, delimiter)
        return Layout(delimiter, quote, comment, encoding, names, first.last, first.last, top, is_aligned)

    def records(self, delimiter: str, quote: str, comment: str, *, is_aligned: bool = False) -> list[_Record]:
        """Cut the beginning into records, comments and blank lines left out."""
        lines = self._lines_for_csv(comment)
        reader = csv.reader(
            (aligned(line, quote) for line in lines) if is_aligned else lines,
            delimiter=delimiter,
            quotechar=quote or None,
            quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
            skipinitialspace=delimiter != BLANK,
        )
        found, last = [], 0
        try:
            for row in reader:
                first, last = last + 1, reader.line_num
                fields = [text.strip(" \t") for text in row]
                if row and fields != [""] and not (len(fields) == 1 and fields[0] == _COMMENT):
                    found.append(_Record(fields, first + self.n_skipped, last + self.n_skipped))
                if len(found) > MOST_RECORDS:
                    return found
        except csv.Error:
            return found  # a field above the limit of the module: whoever reads it all says where
        return found if self.is_whole or len(found) < 2 else found[:-1]

    def _lines_for_csv(self, comment: str) -> Iterator[str]:
        for line in self.lines[self.n_skipped :]:
            yield f"{_COMMENT}\n" if comment and line.startswith(comment) else line

    def _quote(self) -> str:
        """Return the quotation mark: double ones, or single ones where whole fields stand in them."""
        if self.options.quote is not None:
            return self.options.quote
        single, double = (self._n_quoted(mark) for mark in "'\"")
        return "'" if single > max(double, 1) else '"'

    def _n_quoted(self, mark: str) -> int:
        """Count fields that stand in quotation marks; one more if some field needs them."""
        between = f",;\\t|{re.escape(self.options.delimiter or '')}"
        inner = f"(?:[^{mark}\\n]|{mark}{mark})*"
        lines = rf"[^{mark}\n{between}]*\n[^{mark}\n{between}]*"
        quoted = rf"(?:^|[{between}]) *{mark}({inner}|{lines}){mark} *(?=[\n{between}]|$)"
        text = self.text[:HEAD].replace("\r\n", "\n").replace("\r", "\n")
        found = re.findall(quoted, text, re.MULTILINE)
        return len(found) + any(re.search(f"[\n{between}]|{mark}{mark}", field) for field in found)

    def _comment(self) -> str:
        """Return ``#`` if some line that begins with it cannot be a row or the header."""
        if self.options.comment is not None:
            return self.options.comment
        lines = [line for line in self.lines[self.n_skipped :] if line.strip()]
        marked = [line for line in lines[:MOST_RECORDS] if line.startswith("#")]
        others = [line for line in lines[:MOST_RECORDS] if not line.startswith("#")]
        if not marked or not others:
            return ""
        delimiter = self.options.delimiter or max(DELIMITERS, key=others[0].count)
        widths = {line.count(delimiter) for line in others}
        return "#" if any(line.count(delimiter) not in widths for line in marked) or len(marked) > 1 else ""

    def _delimiter(self, quote: str, comment: str) -> str:
        if self.options.delimiter is not None:
            return self.options.delimiter
        if self.separator:
            return "\t" if self.separator[1] == "\\t" else self.separator[1]
        ways = {mark: self.records(mark, quote, comment) for mark in DELIMITERS if mark in self.text}
        ways = {mark: records for mark, records in ways.items() if _share_of_usual_width(records) >= 0.7}
        named = {mark: records for mark, records in ways.items() if self._names_known(records)}
        ways = named or ways
        if not ways:
            return self._blank_or_comma(quote, comment)
        unexplained = {mark: _n_unexplained(mark, records, ways) for mark, records in ways.items()}
        least = min(unexplained.values())
        best = [mark for mark, n in unexplained.items() if n == least]
        if len(best) > 1:
            shares = {mark: _share_of_usual_width(ways[mark]) for mark in best}
            best = [mark for mark in best if shares[mark] == max(shares.values())]
        if len(best) > 1:
            raise self._ambiguous(best, ways)
        return best[0]

    def _blank_or_comma(self, quote: str, comment: str) -> str:
        """Return a blank where it gives columns, a comma for a table of one column."""
        records = self.records(BLANK, quote, comment, is_aligned=self._is_aligned(quote, comment))
        share = _share_of_usual_width(records)
        if self._names_known(records) and share >= 0.7:
            return "," if self._names_known(self.records(",", quote, comment)) else BLANK
        has_columns = share == 1.0 and len(records) >= FEWEST_ALIGNED and _has_numbers(records[1:])
        return BLANK if has_columns and not self.known else ","

    def _is_aligned(self, quote: str, comment: str) -> bool:
        """Tell whether lines are more alike where a run of blanks is one delimiter."""
        plain, as_runs = (self.records(BLANK, quote, comment, is_aligned=so) for so in (False, True))
        return _share_of_usual_width(as_runs) > _share_of_usual_width(plain) or (
            any(not record.fields[0] for record in plain) and _share_of_usual_width(as_runs) >= 0.7
        )

    def _names_known(self, records: Sequence[_Record]) -> bool:
        """Tell whether a column that is expected stands among the first records."""
        return any(self.known.intersection(record.fields) for record in records[:MOST_TITLES])

    def _ambiguous(self, marks: Sequence[str], ways: dict[str, list[_Record]]) -> DataError:
        read = [
            f"{mark!r} gives {_usual_width(ways[mark])} columns ({_shown(ways[mark][0])})"
            for mark in marks[:2]
        ]
        return DataError(
            f"{self.path}, line {ways[marks[0]][0].first}: the file can be read in two ways: the delimiter "
            f"{' and '.join(read)}; say which it is (",
            Param("delimiter", *marks[:2]),
            ")",
        )

    def _top(self, records: Sequence[_Record]) -> int:
        """Return which record is the first of the table: titles above it hold one field."""
        usual = _usual_width(records)
        if self.options.skip_rows is not None or usual < 2:
            return 0
        for top, record in enumerate(records[:MOST_TITLES]):
            if self.known and self.known <= set(record.fields):
                return top
            if record.n_filled > 1:
                return self._strong_header(records, top, usual)
        return 0

    def _strong_header(self, records: Sequence[_Record], top: int, usual: int) -> int:
        """Return the first record that names the columns without doubt, if those above are narrower."""
        for place in range(top, min(len(records), MOST_TITLES)):
            if records[place].width >= usual:
                is_strong = place == top or _names_numbers(records[place:])
                return place if is_strong else top
        return top

    def _has_header(self, records: Sequence[_Record]) -> bool:
        """Tell whether the first record names the columns.

        It does if a name that is expected is among it, or if it holds text above a column of numbers. It does
        not if it holds numbers above numbers, or if most of its texts come again in their columns.
        """
        if self.options.header is not None:
            return self.options.header
        first = records[0]
        if len(records) == 1 or self.known & set(first.fields) or _names_numbers(records):
            return True
        if _has_numbers_above_numbers(records):
            return False
        columns = [(name, {*_column(records[1:], i)}) for i, name in enumerate(first.fields) if name]
        n_again = sum(name in values for name, values in columns)
        if not n_again:
            return True
        if 2 * n_again > len(columns):
            return False
        raise DataError(
            f"{self.path}, line {first.first}: the line may name the columns or be the first row: "
            f"{_shown(first)}; say which it is (",
            Param("header", True),
            " or ",
            Param("header", False),
            ")",
        )

    def _names(self, header: _Record, delimiter: str) -> list[str]:
        """Return the names in a header, those of empty columns at its end left out."""
        names, line = header.fields[: max(header.width, 1)], header.last
        if names[0].startswith("#") and len(names) > 1:
            names = [names[0].removeprefix("#").strip(), *names[1:]]
        earlier: dict[str, int] = {}
        for position, name in enumerate(names, start=1):
            if not name:
                raise DataError(
                    f"{self.path}, line {line}, column {position}: the column has no name; name it in the "
                    "header (a data frame's index is left out by writing it with index=False)"
                )
            first = earlier.setdefault(name, position)
            if first != position:
                raise DataError(
                    f"{self.path}, line {line}: columns {first} and {position} are both named {name!r}; "
                    "rename one"
                )
        if len(names) == 1:
            self._refuse_other_delimiter(names[0], delimiter, line)
        return names

    def _refuse_other_delimiter(self, header: str, delimiter: str, line: int) -> None:
        for other in DELIMITERS:
            if other != delimiter and other in header:
                raise DataError(
                    f"{self.path}, line {line}: with delimiter {delimiter!r} there is one column, named "
                    f"{header[:60]!r}; the delimiter seems to be {other!r}"
                )


_COMMENT = "\x1e#"
"""Stands for a line that is a comment."""


def _column(records: Sequence[_Record], i: int) -> Iterator[str]:
    """Yield what is known of a column."""
    for record in records:
        if i < len(record.fields) and record.fields[i].lower() not in SPELLINGS:
            yield record.fields[i]


def _usual_width(records: Sequence[_Record]) -> int:
    """Return how many fields most records have; of equal numbers the larger."""
    counts = Counter(record.width for record in records)
    spread = Counter(len(record.fields) for record in records)
    full = max(spread, key=lambda width: (spread[width], width))
    return max((width for width in counts if width <= full), default=1)


def _share_of_usual_width(records: Sequence[_Record]) -> float:
    """Return the share of records with the usual number of fields, 0 where that is one.

    Empty fields at the end of a line count, or do not, whichever makes lines more alike.
    """
    filled = [record for record in records if record.n_filled > 1]
    if not filled or 2 * len(filled) < sum(record.n_filled > 0 for record in records):
        return 0.0
    ways = [Counter(len(record.fields) for record in filled), Counter(record.width for record in filled)]
    return max(_n_usual(counts) / len(filled) for counts in ways)


def _n_usual(counts: Counter[int]) -> float:
    """Return how often the usual width comes, 0 where that is one; one field more or less is nearly alike."""
    usual = max(counts, key=lambda width: (counts[width], width))
    alike = sum(n for width, n in counts.items() if abs(width - usual) <= 1)
    return 0.0 if usual < 2 else max(counts[usual], alike * 0.95)


def _n_unexplained(delimiter: str, records: Sequence[_Record], ways: Collection[str]) -> float:
    """Count records with another delimiter within a field that is neither number nor prose."""
    others = [mark for mark in ways if mark != delimiter]
    n = 0
    for record in records[:200]:
        n += any(
            mark in text.replace(f"{mark} ", "") and not NUMBER.fullmatch(text)
            for mark in others
            for text in record.fields
        )
    return n


def _names_numbers(records: Sequence[_Record]) -> bool:
    """Tell whether the first record holds text above a column that otherwise holds numbers."""
    for i, name in enumerate(records[0].fields):
        if name.lower() not in SPELLINGS and not NUMBER.fullmatch(name):
            values = [*_column(records[1:], i)]
            n_numbers = sum(NUMBER.fullmatch(text) is not None for text in values)
            if n_numbers and n_numbers >= 0.9 * len(values):
                return True
    return False


def _has_numbers(records: Sequence[_Record]) -> bool:
    """Tell whether some column holds nothing but numbers."""
    columns = zip(*(record.fields for record in records), strict=False)
    return any(all(NUMBER.fullmatch(text) for text in column) for column in columns)


def _has_numbers_above_numbers(records: Sequence[_Record]) -> bool:
    for i, name in enumerate(records[0].fields):
        if NUMBER.fullmatch(name) and any(NUMBER.fullmatch(text) for text in _column(records[1:], i)):
            return True
    return False


def _shown(record: _Record) -> str:
    shown = ", ".join(repr(text[:30]) for text in record.fields[:4])
    return f"{shown}, …" if len(record.fields) > 4 else shown
