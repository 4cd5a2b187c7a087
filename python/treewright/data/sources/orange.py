"""Orange's tab-separated tables, whose header gives each column a type and a role.

The header has three rows (names; types; roles) or one, in which each name has them before it: ``cD#kind`` is
a class of discrete values, ``m`` marks what is no feature, ``i`` what is ignored, ``w`` the weight; ``C`` or
``N`` is a number, ``D`` discrete, ``S`` text and ``T`` a time.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from treewright._base.errors import DataError
from treewright.data.intake.column import Column
from treewright.data.sources.file import DataFile
from treewright.data.sources.typed import TypedTable
from treewright.data.sources.words import Words, first_double
from treewright.data.types import FloatArray

MISSING = frozenset({"", "?", "nan", ".", "NA", "~"})
"""What Orange takes as missing."""

_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("continuous", "c", "numeric", "n"), "numeric"),
    **dict.fromkeys(("discrete", "d", "categorical"), "discrete"),
    **dict.fromkeys(("string", "s", "text"), "string"),
    **dict.fromkeys(("time", "t"), "time"),
    "": "",
}
_ROLES: Mapping[str, str] = {
    **dict.fromkeys(("class", "c"), "class"),
    **dict.fromkeys(("meta", "m"), "meta"),
    **dict.fromkeys(("ignore", "i", "skip"), "ignore"),
    **dict.fromkeys(("weight", "w"), "weight"),
}
_PREFIX = re.compile(r"(?P<role>[cmiw]?)(?P<type>[CDSTN]?)#(?P<name>.*)", re.DOTALL)
_LETTERS = {"C": "numeric", "N": "numeric", "D": "discrete", "S": "string", "T": "time", "": ""}
_ESCAPED_BLANK = "\0"


@dataclass(frozen=True)
class Declared:
    """A column as the header has it; `values` where it lists them."""

    name: str
    kind: str
    role: str
    values: Sequence[str] = ()


def has_header(file: DataFile) -> bool:
    """Tell whether a file has the header of Orange's tables."""
    text = file.head.decode("utf-8-sig", "replace")
    if "\0" in text:
        return False
    rows = list(_first(text))
    return bool(rows) and (_has_prefixes(rows[0]) or _has_three(rows))


def _first(text: str) -> Iterator[Sequence[str]]:
    """Yield the fields of the first three lines, of a table with tabs."""
    lines = text.splitlines()[:3]
    if lines and "\t" in lines[0]:
        yield from csv.reader(lines, delimiter="\t")


def _has_prefixes(names: Sequence[str]) -> bool:
    found = [_PREFIX.fullmatch(name) for name in names]
    return any(one is not None and one["role"] + one["type"] for one in found)


def _has_three(rows: Sequence[Sequence[str]]) -> bool:
    if len(rows) < 3 or len({len(row) for row in rows}) != 1:
        return False
    _, types, roles = rows
    words = {word for one in roles for word in one.split()}
    is_named = bool(words & {"class", "meta", "ignore", "skip", "weight"})
    is_typed = any(one in _TYPES and one for one in types) or any(" " in one for one in types)
    is_known = is_named or all(one in _TYPES or " " in one for one in types)
    return is_typed and is_known and all(map(_is_role, roles)) and not any(map(_is_number, types))


def _is_role(text: str) -> bool:
    return all(word in _ROLES or "=" in word for word in text.split())


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def open_orange(file: DataFile, encoding: str | None = None) -> TypedTable:
    """Read a table of Orange."""
    lines = io.StringIO(file.text(encoding), newline="")
    reader = csv.reader(lines, delimiter="\t", strict=True)
    try:
        declared = _header(file.shown, reader)
        numbers, columns = _rows(file.shown, reader, declared)
    except csv.Error as error:
        raise DataError(
            f"{file.shown}, line {reader.line_num}: {error}; look for a quotation mark that is never closed"
        ) from error
    words = {
        one.name: _Column(one, Words(file.shown, one.name, values, numbers, "an empty field or ?"))
        for one, values in zip(declared, columns, strict=True)
    }
    classes = [one.name for one in declared if one.role == "class"]
    return TypedTable(
        file.shown,
        list(words),
        lambda names: [words[name].column() for name in names],
        called=lambda row: f"line {numbers[row]}",
        target=classes[0] if len(classes) == 1 else None,
        weights=_weights(words),
        is_text=True,
        options={"format": "orange", **({} if encoding is None else {"encoding": encoding})},
        ignored=[one.name for one in declared if one.role in ("meta", "ignore", "weight")],
    )


def _header(path: str, reader: Iterator[Sequence[str]]) -> list[Declared]:
    names = next(reader, [])
    if _has_prefixes(names):
        declared = [_prefixed(name) for name in names]
    else:
        types, roles = next(reader, []), next(reader, [])
        if not len(names) == len(types) == len(roles):
            raise DataError(
                f"{path}: the three header rows have {len(names)}, {len(types)} and {len(roles)} fields; "
                "give each column a name, a type and a role, empty where there is none"
            )
        declared = [_declared(path, *one) for one in zip(names, types, roles, strict=True)]
    double = first_double([one.name for one in declared])
    if double is not None:
        raise DataError(f"{path}, line 1: two columns are named {double!r}; rename one")
    empty = next((i for i, one in enumerate(declared, start=1) if not one.name.strip()), None)
    if empty is not None:
        raise DataError(f"{path}, line 1: column {empty} has no name; name it")
    return declared


def _prefixed(name: str) -> Declared:
    found = _PREFIX.fullmatch(name)
    if found is None:
        return Declared(name, "", "")
    return Declared(found["name"], _LETTERS[found["type"]], _ROLES.get(found["role"], ""))


def _declared(path: str, name: str, kind: str, roles: str) -> Declared:
    known = [word for word in roles.split() if "=" not in word]
    if not _is_role(roles):
        raise DataError(
            f"{path}, line 3, column {name!r}: {roles!r} is no role; write class, meta, ignore, weight or "
            "nothing"
        )
    role = _ROLES[known[0]] if known else ""
    if kind in _TYPES:
        return Declared(name, _TYPES[kind], role)
    values = [text.replace(_ESCAPED_BLANK, " ") for text in kind.replace("\\ ", _ESCAPED_BLANK).split()]
    double = first_double(values)
    if double is not None or kind == "basket":
        what = "basket, which no tree takes" if double is None else f"a list with {double!r} twice"
        raise DataError(f"{path}, line 2, column {name!r}: the type is {what}; correct the type")
    return Declared(name, "discrete", role, values)


def _rows(
    path: str, reader: Iterator[Sequence[str]], declared: Sequence[Declared]
) -> tuple[list[int], list[tuple[str | None, ...]]]:
    numbers: list[int] = []
    rows: list[list[str | None]] = []
    for row in reader:
        line: int = reader.line_num  # type: ignore[attr-defined]
        if not any(row):
            continue
        if len(row) != len(declared):
            raise DataError(
                f"{path}, line {line}: {len(row)} fields where the header has {len(declared)} columns; "
                "complete the line"
            )
        numbers.append(line)
        rows.append([None if text.strip() in MISSING else text for text in row])
    if not rows:
        raise DataError(f"{path}: there is a header but no row below it")
    return numbers, list(zip(*rows, strict=True))


@dataclass(frozen=True)
class _Column:
    declared: Declared
    words: Words

    def column(self) -> Column:
        """Return the column by its type."""
        if self.declared.kind == "numeric":
            return self.words.numbers()
        if self.declared.values:
            return self.words.categories(self.declared.values)
        return self.words.texts(reads_numbers=not self.declared.kind)


def _weights(words: Mapping[str, _Column]) -> FloatArray | None:
    """Return the weights, where one column is marked as such."""
    marked = [one for one in words.values() if one.declared.role == "weight"]
    return marked[0].words.numbers().values if len(marked) == 1 else None
