r"""C4.5's files: ``.names`` declares classes and attributes, ``.data`` and ``.test`` hold rows.

The grammar is that of Quinlan's ``ReadName``: names end at a comma, a colon, the end of the line or a dot
before a blank; ``|`` starts a comment; a backslash takes away a character's meaning; runs of blanks are one.
An attribute is ``continuous``, ``discrete n``, ``ignore`` or the list of its values; ``1..5`` stands for the
whole numbers in between. As in See5, the first line may name the attribute that is the class, and an
attribute may be a ``label``, which is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from treewright._base.errors import DataError
from treewright.data.intake.column import Column
from treewright.data.sources.file import DataFile
from treewright.data.sources.recognise import NAMES, ROWS, names_of
from treewright.data.sources.typed import TypedTable
from treewright.data.sources.words import Words, first_double

_NAME = re.compile(
    r"(?P<text>(?:\\(?:.|\n)|\.(?![ \t\n|]|\Z)|[^:,\n|.\\])*)"
    r"(?:\.(?=[ \t\n|]|\Z)(?P<dot>))?(?:[ \t]*\|[^\n]*)?(?P<end>[:,\n]|\Z)?"
)
_BLANK = re.compile(r"(?:[ \t\n\r]|\|[^\n]*)*")
_PIECE = re.compile(r"\\([^ \t\n])|\\?[ \t\n] *")
_BLANKS = re.compile(r"[ \t]+")
_RANGE = re.compile(r"(-?\d+)\s*\.\.\s*(-?\d+)")
_CARE = re.compile(r"[\\|:]|\.[ \t]")
_BODY = re.compile(r"(?:\\.|[^\\|])*")
_OPEN_END = re.compile(r"(?<!\\)(?:\\\\)*,$")
_MOST_OF_RANGE = 10_000
ORDERED = "[ordered]"
"""Before values that are listed from low to high, as See5 has it."""


@dataclass(frozen=True)
class Name:
    """A name, what ended it (a comma, a colon, or else the end of its list), and its line."""

    text: str
    end: str
    line: int


@dataclass(frozen=True)
class Attribute:
    """An attribute: ``continuous``, ``discrete``, ``ignore`` or ``listed`` with its values."""

    name: str
    kind: str
    values: Sequence[str] = ()
    most: int = 0
    is_ordered: bool = False


@dataclass(frozen=True)
class Names:
    """What a ``.names`` file declares; `target` is an attribute where the first line names it."""

    attributes: Sequence[Attribute]
    target: str


def names_in(text: str) -> Iterator[Name]:
    """Yield names as C4.5 reads them."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    at, line, counted = 0, 1, 0
    while True:
        blank = _BLANK.match(text, at)
        at = blank.end() if blank else at
        if at >= len(text):
            return
        found = _NAME.match(text, at)
        assert found is not None, "every text begins with a name, an empty one at least"
        line, counted = line + text.count("\n", counted, at), at
        end = "" if found["dot"] is not None else (found["end"] or "")
        yield Name(_plain(found["text"]), end, line)
        at = max(found.end(), at + 1)


def _plain(raw: str) -> str:
    """Return what a name says: escapes undone, runs of blanks as one, none at its end."""
    return _PIECE.sub(lambda found: found[1] or " ", raw).rstrip(" ")


def read_names(path: str, text: str) -> Names:
    """Read the declarations of a ``.names`` file."""
    lists = list(_lists(names_in(text)))
    if not lists:
        raise DataError(f"{path}: the file is empty; it declares the classes and the attributes")
    classes, *declared = lists
    if classes[0].end == ":":
        raise DataError(
            f"{path}, line {classes[0].line}: the file begins with an attribute; before it come the classes, "
            "such as: yes, no."
        )
    attributes = [_attribute(path, one) for one in declared]
    if not attributes:
        raise DataError(f"{path}: no attribute is declared below the classes, such as: age: continuous.")
    double = first_double([one.name for one in attributes])
    if double is not None:
        raise DataError(f"{path}: two attributes are named {double!r}; rename one")
    names = [one.name for one in attributes]
    if len(classes) == 1 and classes[0].text in names:
        return Names(attributes, classes[0].text)
    target = "class" if "class" not in names else next(f"class_{i}" for i in range(len(names) + 1))
    values = [name.text for name in classes]
    _refuse_double(path, classes[0], values)
    return Names([*attributes, Attribute(target, "listed", values)], target)


def _lists(names: Iterator[Name]) -> Iterator[list[Name]]:
    """Yield what belongs together: names that commas and a colon join."""
    joined: list[Name] = []
    for name in names:
        joined.append(name)
        if name.end not in (",", ":"):
            yield joined
            joined = []
    if joined:
        yield joined


def _attribute(path: str, names: Sequence[Name]) -> Attribute:
    name, *values = names
    where = f"{path}, line {name.line}"
    if name.end != ":":
        raise DataError(f"{where}: {name.text!r} is followed by no colon; write {name.text}: continuous.")
    if not values or not name.text:
        raise DataError(f"{where}: the attribute {name.text!r} has no type; write continuous or its values")
    is_ordered = values[0].text.startswith(ORDERED)
    texts = [values[0].text.removeprefix(ORDERED).lstrip(), *(value.text for value in values[1:])]
    if len(texts) > 1:
        _refuse_double(path, name, texts)
        return Attribute(name.text, "listed", texts, is_ordered=is_ordered)
    return _of_one_word(where, name.text, texts[0])


def _of_one_word(where: str, name: str, text: str) -> Attribute:
    """Read the type of an attribute that has no list."""
    word, _, rest = text.partition(" ")
    if text in ("continuous", "ignore"):
        return Attribute(name, text)
    if text == "label":
        return Attribute(name, "ignore")
    if text in ("date", "time", "timestamp"):
        return Attribute(name, "text")
    if word == "discrete" and (not rest or rest.isdigit()):
        return Attribute(name, "discrete", most=int(rest or 0))
    span = _RANGE.fullmatch(text)
    if span and 0 < int(span[2]) - int(span[1]) < _MOST_OF_RANGE:
        return Attribute(name, "listed", [str(i) for i in range(int(span[1]), int(span[2]) + 1)])
    raise DataError(
        f"{where}: the attribute {name!r} has only {text!r}; write continuous, discrete n, ignore, or two "
        "values or more"
    )


def _refuse_double(path: str, name: Name, values: Sequence[str]) -> None:
    double = first_double(values)
    if double is not None:
        raise DataError(f"{path}, line {name.line}: {double!r} is listed twice; name each value once")


def open_c45(file: DataFile, encoding: str | None = None) -> TypedTable:
    """Read the rows of ``.data``, or of ``.test`` where that is named."""
    path = names_of(file.path)
    if path is None:
        raise DataError(f"{file.shown}: there is no {NAMES} file beside it, which declares the attributes")
    declared = file.beside(path)
    names = read_names(declared.shown, declared.text(encoding))
    rows = file if file.path.suffix in ROWS else file.beside(path.with_suffix(ROWS[0]))
    reader = _Rows(rows.shown, len(names.attributes))
    words = reader.words(rows.text(encoding))
    columns = {one.name: column for one, column in zip(names.attributes, words, strict=True)}
    kinds = {one.name: one for one in names.attributes}
    return TypedTable(
        rows.shown,
        list(columns),
        lambda wanted: [_column(kinds[name], reader, columns[name]) for name in wanted],
        called=lambda row: f"line {reader.lines[row]}",
        target=names.target,
        is_text=True,
        options={"format": "c45", **({} if encoding is None else {"encoding": encoding})},
        ignored=[one.name for one in names.attributes if one.kind == "ignore"],
    )


def _continues(line: str) -> bool:
    """Tell whether a line ends in a comma that parts, comments left aside."""
    body = _BODY.match(line)
    return body is not None and _OPEN_END.search(body[0].rstrip()) is not None


class _Rows:
    """Rows of words, one a line unless a line ends in a comma."""

    def __init__(self, path: str, n: int) -> None:
        self.path, self.n = path, n
        self.lines: list[int] = []

    def words(self, text: str) -> Sequence[Sequence[str]]:
        """Return the words of each column."""
        rows = list(self._rows(text.replace("\r\n", "\n").replace("\r", "\n")))
        if not rows:
            raise DataError(f"{self.path}: there is no row")
        return list(zip(*rows, strict=True))

    def _rows(self, text: str) -> Iterator[Sequence[str]]:
        kept, start = "", 0
        for number, line in enumerate(text.split("\n"), start=1):
            start = start if kept else number
            kept += line
            if _continues(line):
                kept += "\n"
                continue
            words = self._parted(kept)
            kept = ""
            if words:
                self._check(words, start)
                self.lines.append(start)
                yield words
        if kept:
            self._check(self._parted(kept), start)

    def _parted(self, line: str) -> Sequence[str]:
        if _CARE.search(line) is None and "\n" not in line:
            bare = line.strip().removesuffix(".")
            return [_BLANKS.sub(" ", word.strip()) for word in bare.split(",")] if bare else []
        return [name.text for name in names_in(line)]

    def _check(self, words: Sequence[str], line: int) -> None:
        if len(words) != self.n:
            found = "1 value" if len(words) == 1 else f"{len(words)} values"
            raise DataError(
                f"{self.path}, line {line}: {found} where the {NAMES} file declares {self.n}, the class "
                "included; complete the row (a missing value is ?), or write a backslash before a comma, "
                "colon or dot that belongs to a value"
            )


def _column(attribute: Attribute, rows: _Rows, values: Sequence[str]) -> Column:
    words = Words(rows.path, attribute.name, [None if v == "?" else v for v in values], rows.lines)
    if attribute.kind == "continuous":
        return words.numbers()
    if attribute.kind == "listed":
        return replace(words.categories(attribute.values), is_ordered=attribute.is_ordered)
    n_values = len(set(words.values) - {None})
    if attribute.most and n_values > attribute.most:
        raise DataError(
            f"{rows.path}, column {attribute.name!r}: {n_values} different values, where the {NAMES} file "
            f"declares discrete {attribute.most}; correct the number"
        )
    return words.texts()


def escaped(text: str) -> str:
    r"""Write a name or a value so that C4.5 reads it.

    >>> escaped("a, b"), escaped("1.5"), escaped("end.")
    ('a\\, b', '1.5', 'end\\.')
    """
    if text == "?" or not text or "\n" in text or "\t" in text or "\r" in text or text != text.strip(" "):
        raise DataError(
            f"{text!r} cannot be written in C4.5's format, which has no empty values and no other blanks "
            "than single ones, and takes ? as missing; rename it, or write another format"
        )
    written = re.sub(r"([\\|:,])", r"\\\1", text)
    written = re.sub(r"\.(?=$|[ ])", r"\\.", written)
    return re.sub(r"(?<= ) ", r"\\ ", written)
