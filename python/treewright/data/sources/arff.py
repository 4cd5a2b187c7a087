"""Weka's attribute-relation files (ARFF), dense and sparse.

The grammar is that of Weka's loader: a header of ``@attribute`` lines, then ``@data`` and one row a line.
Commas and blanks part values; names and values with other characters stand in quotes, in which a backslash
escapes; ``%`` starts a comment; an unquoted ``?`` is a missing value. A nominal attribute declares its domain
in order. A row may end in its weight, ``{2.5}``. In a sparse row, ``{1 X, 3 Y}``, what is left out is 0: the
number, or the first value of a domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NoReturn

import numpy as np

from treewright._base.errors import DataError
from treewright.data.intake.column import Column
from treewright.data.intake.objects import read_number
from treewright.data.sources.dates import DateColumn, epoch, read_java_dates
from treewright.data.sources.file import DataFile
from treewright.data.sources.typed import TypedTable
from treewright.data.sources.words import Words, first_double
from treewright.data.types import FloatArray

_TOKEN = re.compile(
    r"""(?P<blank>[\x00-\x20]+)|(?P<comma>,)|(?P<comment>%.*)|(?P<brace>[{}])
    |(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<open>['"])|(?P<word>[^\x00-\x20,%{}'"]+)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\([0-3]?[0-7]{1,2}|.)", re.DOTALL)
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_LINES = re.compile("\r\n|\r|\n")
NUMERIC = ("numeric", "real", "integer")
DATE_FORMAT = "yyyy-MM-dd'T'HH:mm:ss"


@dataclass(frozen=True)
class Token:
    """A word, a quoted text, a brace or a comma."""

    text: str
    kind: str

    @property
    def is_value(self) -> bool:
        """Whether it is a name or a value."""
        return self.kind in ("word", "quoted")

    @property
    def is_missing(self) -> bool:
        """Whether it is a question mark without quotes."""
        return self.kind == "word" and self.text == "?"


@dataclass
class Attribute:
    """A column as the header declares it: its type in small letters, ``nominal`` with a domain."""

    name: str
    kind: str
    domain: list[str] = field(default_factory=list)
    format: str = ""

    def of_zero(self) -> Token:
        """Return what a sparse row means where it says nothing."""
        if self.kind == "date":
            return Token(epoch(self.format), "quoted")
        return Token(self.domain[0] if self.domain else "0", "quoted" if self.domain else "word")


def open_arff(file: DataFile, encoding: str | None = None) -> TypedTable:
    """Read an ARFF file; its class is the last attribute if that is nominal."""
    reader = _Reader(file.shown, _LINES.split(file.text(encoding)))
    attributes = reader.header()
    columns = reader.columns(attributes)
    return TypedTable(
        file.shown,
        list(columns),
        lambda names: [columns[name].column() for name in names],
        called=lambda row: f"line {reader.lines_of[row]}",
        target=attributes[-1].name if attributes[-1].kind == "nominal" else None,
        weights=reader.weights(),
        is_text=True,
        options={"format": "arff", **({} if encoding is None else {"encoding": encoding})},
    )


class _Reader:
    """Lines of a file, the first of them read as its header."""

    def __init__(self, path: str, lines: Sequence[str]) -> None:
        self.path, self.lines = path, lines
        self.at = 0
        self.lines_of: list[int] = []
        self._weights: dict[int, float] = {}

    def refuse(self, what: str) -> NoReturn:
        """Raise an error at the current line."""
        raise DataError(f"{self.path}, line {self.at}: {what}")

    def tokens(self) -> list[Token]:
        """Return what the current line holds, commas included."""
        found = []
        before = "blank"
        for match in _TOKEN.finditer(self.lines[self.at - 1]):
            kind, text = str(match.lastgroup), match[0]
            if kind == "open":
                self.refuse(f"the quotation mark before {text_after(match)!r} is never closed; close it")
            if {kind, before} <= {"word", "quoted"}:
                self.refuse(
                    f"{text!r} follows a value without a comma; a value with a quotation mark in it is "
                    "quoted as a whole, and the mark has a backslash before it"
                )
            before = kind
            if kind not in ("blank", "comment"):
                found.append(Token(unquoted(text) if kind == "quoted" else text, kind))
        return found

    def header(self) -> list[Attribute]:
        """Read the declarations up to ``@data``."""
        attributes: list[Attribute] = []
        while self.at < len(self.lines):
            self.at += 1
            tokens = self.tokens()
            if not tokens:
                continue
            word = tokens[0].text.lower()
            if word == "@data":
                self._refuse_doubles(attributes)
                return attributes
            if word == "@attribute":
                attributes.append(self._attribute(tokens[1:]))
            elif word != "@relation":
                self.refuse(
                    f"{tokens[0].text!r} is none of @relation, @attribute and @data; correct the header"
                )
        raise DataError(f"{self.path}: there is no line @data; the rows follow it")

    def _refuse_doubles(self, attributes: Sequence[Attribute]) -> None:
        if not attributes:
            self.refuse("no @attribute is declared before @data; declare one for each column")
        double = first_double([one.name for one in attributes])
        if double is not None:
            self.refuse(f"two attributes are named {double!r}; rename one")

    def _attribute(self, tokens: Sequence[Token]) -> Attribute:
        values = [token for token in tokens if token.kind != "comma"]
        if len(values) < 2 or not values[0].is_value:
            self.refuse("@attribute is followed by a name and a type, such as: @attribute age numeric")
        name, first = values[0].text, values[1]
        if first.kind == "brace":
            return Attribute(name, "nominal", self._domain(name, values[1:]))
        kind = first.text.lower()
        if kind == "relational":
            self.refuse(
                f"the attribute {name!r} is relational (a table for each row), which no tree takes; write "
                "its numbers as attributes of their own"
            )
        if kind == "date":
            return Attribute(name, "date", format=values[2].text if len(values) > 2 else DATE_FORMAT)
        if kind not in (*NUMERIC, "string"):
            self.refuse(
                f"the attribute {name!r} has the type {first.text!r}; the types are numeric, real, integer, "
                "string, date and a domain in braces"
            )
        return Attribute(name, "string" if kind == "string" else "numeric")

    def _domain(self, name: str, tokens: Sequence[Token]) -> list[str]:
        *values, last = tokens[1:] or [Token("", "comma")]
        if last.text != "}" or last.kind != "brace" or not all(value.is_value for value in values):
            self.refuse(f"the domain of {name!r} does not end in a brace on its line; close it")
        domain = [value.text for value in values]
        double = first_double(domain)
        if double is not None:
            self.refuse(f"the domain of {name!r} has {double!r} twice; name each value once")
        return domain

    def columns(self, attributes: Sequence[Attribute]) -> dict[str, _Values]:
        """Read all rows, as words."""
        rows = list(self._rows(attributes))
        if not rows:
            raise DataError(f"{self.path}: there is no row below @data")
        read = zip(attributes, zip(*rows, strict=True), strict=True)
        return {attribute.name: _Values(self, attribute, values) for attribute, values in read}

    def _rows(self, attributes: Sequence[Attribute]) -> Iterator[Sequence[str | Token]]:
        n = len(attributes)
        for at in range(self.at + 1, len(self.lines) + 1):
            self.at, line = at, self.lines[at - 1]
            words = _quick(line, n)
            tokens = [] if words else self.tokens()
            if words or tokens:
                row = words or self._row(tokens, attributes)
                self.lines_of.append(at)
                yield row

    def _row(self, tokens: list[Token], attributes: Sequence[Attribute]) -> Sequence[Token]:
        is_sparse = tokens[0].kind == "brace"
        end = next((i for i, one in enumerate(tokens) if one.text == "}" and one.kind == "brace"), 0)
        body, rest = (tokens[1:end], tokens[end + 1 :]) if is_sparse else (tokens, [])
        if is_sparse and not end:
            self.refuse("the brace of the sparse row is not closed on its line; close it")
        starts = [i for i, token in enumerate(body) if token.kind == "brace"]
        if starts and not is_sparse:
            body, rest = body[: starts[0]], body[starts[0] :]
        self._weigh(rest)
        return self._sparse(body, attributes) if is_sparse else self._dense(body, attributes)

    def _weigh(self, rest: Sequence[Token]) -> None:
        """Keep the weight that stands in braces behind a row."""
        shown = [token.text for token in rest if token.kind != "comma"]
        if not shown:
            return
        number = read_number(shown[1]) if len(shown) == 3 and (shown[0], shown[2]) == ("{", "}") else None
        if number is None or not 0 <= number < float("inf"):
            self.refuse(
                f"{' '.join(shown)!r} behind the row is no weight; a weight is a number of at least 0 in "
                "braces, such as {2.5}"
            )
        self._weights[len(self.lines_of)] = float(number)

    def _dense(self, tokens: Sequence[Token], attributes: Sequence[Attribute]) -> Sequence[Token]:
        for before, after in pairwise(tokens):
            if before.kind == after.kind == "comma":
                self.refuse("there is nothing between two commas; ARFF writes a missing value as ?")
        values = [token for token in tokens if token.is_value]
        if len(values) != len(attributes):
            found = "1 value" if len(values) == 1 else f"{len(values)} values"
            self.refuse(
                f"{found} where the header declares {len(attributes)} attributes; complete the row (a "
                "missing value is ?), or quote a value that has blanks or commas"
            )
        return values

    def _sparse(self, tokens: Sequence[Token], attributes: Sequence[Attribute]) -> Sequence[Token]:
        values = [token for token in tokens if token.is_value]
        row = [attribute.of_zero() for attribute in attributes]
        last = -1
        for index, value in zip(values[::2], values[1::2], strict=False):
            position = int(index.text) if index.text.isascii() and index.text.isdigit() else -1
            if not last < position < len(attributes):
                self.refuse(
                    f"{index.text!r} is no position of a sparse row; positions count from 0 to "
                    f"{len(attributes) - 1} and ascend"
                )
            row[position], last = value, position
        if len(values) % 2:
            self.refuse("a sparse row is pairs of a position and a value, parted by commas; complete it")
        return row

    def weights(self) -> FloatArray | None:
        """Return the weights of the rows; None where none has one."""
        if not self._weights:
            return None
        return np.array([self._weights.get(row, 1.0) for row in range(len(self.lines_of))])


def text_after(match: re.Match[str]) -> str:
    """Return some of the text behind a match."""
    return match.string[match.end() : match.end() + 20]


def unquoted(text: str) -> str:
    """Return what a quoted text says."""
    return _ESCAPE.sub(_unescaped, text[1:-1]) if "\\" in text else text[1:-1]


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code, 8)) if code[0] in "01234567" else _ESCAPED.get(code, code)


def _quick(line: str, n: int) -> list[str] | None:
    """Part a row of plain words; None where a row needs more care."""
    if "'" in line or '"' in line or "%" in line or "{" in line or "}" in line:
        return None
    fields = line.split(",")
    if len(fields) != n:
        return None
    words = [text.strip(_BLANKS) for text in fields]
    return words if all(words) and _INNER_BLANK.search("\n".join(words)) is None else None


_BLANKS = "".join(map(chr, range(33)))
_INNER_BLANK = re.compile(r"[\x00-\x09\x0b-\x20]")


@dataclass(frozen=True)
class _Values:
    """The values of one attribute, words as plain text."""

    reader: _Reader
    attribute: Attribute
    values: Sequence[str | Token]

    def column(self) -> Column:
        """Return the column by its type."""
        attribute = self.attribute
        read = [_read(value) for value in self.values]
        words = Words(self.reader.path, attribute.name, read, self.reader.lines_of)
        if attribute.kind == "numeric":
            return words.numbers(java_number)
        if attribute.kind == "nominal":
            return words.categories(attribute.domain)
        if attribute.kind == "date":
            return DateColumn(*read_java_dates(read, attribute.format, words.refuse))
        return words.texts()


def _read(value: str | Token) -> str | None:
    """Return a value as text, None where it is missing."""
    if isinstance(value, Token):
        return None if value.is_missing else value.text
    return None if value == "?" else value


def java_number(text: str) -> float | None:
    """Return the number that Java reads in a text; None if it is none.

    >>> java_number("1e3"), java_number("2d"), java_number("Infinity"), java_number("1_0")
    (1000.0, 2.0, inf, None)
    """
    usual = text.strip(_BLANKS)
    if usual.lstrip("+-") in ("NaN", "Infinity"):
        return float(usual)
    if not _JAVA_NUMBER.fullmatch(usual):
        return None
    return float(usual.rstrip("dDfF"))


_JAVA_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[dDfF]?")


def quoted(text: str) -> str:
    r"""Write a name or a value, in quotes where it needs them.

    >>> quoted("red"), quoted("it's"), quoted("?"), quoted("")
    ('red', "'it\\'s'", "'?'", "''")
    """
    if text and text != "?" and _PLAIN.fullmatch(text):
        return text
    return "'" + "".join(_WRITTEN.get(letter, letter) for letter in text) + "'"


_PLAIN = re.compile(r"[^\x00-\x20,%{}'\"\\@]+")
_WRITTEN: Mapping[str, str] = {
    "\\": "\\\\",
    "'": "\\'",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\f": "\\f",
    "\b": "\\b",
    "\a": "\\a",
}
