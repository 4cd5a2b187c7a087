"""Comma-separated files, read into columns without a data-frame library.

A file has one header row. An empty field is a missing value; other spellings are missing only when the
caller says so. A column of which every known field is a number is numeric, any other is nominal, unless the
caller declares its kind. Whatever is wrong with a file is reported with its line and column.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, Protocol

from treewright._base.errors import DataError, ParameterError

_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True)
class TextTable:
    """The fields of a file, column by column, as text.

    `names` are those of its header, `lines` the lines of the file, from 1, on which its rows end; `path` is
    for messages; `delimiter` and `encoding` are how it was read.
    """

    path: str
    names: list[str]
    columns: list[tuple[str, ...]]
    lines: list[int]
    delimiter: str = ","
    encoding: str = "utf-8"
    _position: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_position", {name: i for i, name in enumerate(self.names)})

    def __contains__(self, name: str) -> bool:
        return name in self._position

    @property
    def n_rows(self) -> int:
        """How many rows the file has below its header."""
        return len(self.lines)

    def column(self, name: str) -> tuple[str, ...]:
        """Return the fields of one column."""
        return self.columns[self._position[name]]

    def where(self, name: str, row: int | None = None) -> str:
        """Say which column, and which line if `row` is given, as messages put it."""
        column = f"column {name!r} ({self._position[name] + 1})"
        return f"{self.path}, {column}" if row is None else f"{self.path}, line {self.lines[row]}, {column}"

    def without(self, names: Collection[str]) -> TextTable:
        """Return the table without the named columns."""
        kept = [i for i, name in enumerate(self.names) if name not in names]
        names, columns = [self.names[i] for i in kept], [self.columns[i] for i in kept]
        return replace(self, names=names, columns=columns)


def read_text(path: str | os.PathLike[str], *, delimiter: str = ",", encoding: str = "utf-8") -> TextTable:
    """Read a file, gzip-compressed or not, into columns of text."""
    path = os.fspath(path)
    with _fields(path, delimiter, encoding) as reader:
        names = _header(path, reader, delimiter)
        lines, rows = _rows(path, reader, names)
    return TextTable(path, names, list(zip(*rows, strict=True)), lines, delimiter, encoding)


def read_header(path: str | os.PathLike[str], *, delimiter: str = ",", encoding: str = "utf-8") -> list[str]:
    """Read the names of a file's columns.

    Parameters
    ----------
    path : str or path-like
        The file, as `read_csv` takes it.
    delimiter : str, default=","
        The character between fields.
    encoding : str, default="utf-8"
        How the file's text is encoded.

    Returns
    -------
    names : list of str
        In the order of the file.

    Raises
    ------
    DataError
        If there is no header, or a name is empty or repeated.
    OSError
        If the file cannot be opened.
    """
    path = os.fspath(path)
    with _fields(path, delimiter, encoding) as reader:
        return _header(path, reader, delimiter)


class _Reader(Protocol):
    """What `csv.reader` returns."""

    @property
    def line_num(self) -> int: ...
    def __iter__(self) -> Iterator[list[str]]: ...
    def __next__(self) -> list[str]: ...


@contextmanager
def _fields(path: str, delimiter: str, encoding: str) -> Iterator[_Reader]:
    """Open a file for reading by rows; what goes wrong leaves as a `DataError`."""
    if len(delimiter) != 1:
        raise ParameterError("delimiter", delimiter, "must be one character")
    with _explained(path, encoding), _opened(path, encoding) as stream:
        reader: _Reader = csv.reader(stream, delimiter=delimiter, strict=True)
        try:
            yield reader
        except csv.Error as error:
            raise DataError(
                f"{path}, line {reader.line_num}: {error}; look for a quotation mark that is never closed, "
                "or for text behind a closing one (inside a quoted field a quotation mark is written twice)"
            ) from error


def _header(path: str, reader: _Reader, delimiter: str) -> list[str]:
    names = next((row for row in reader if row), None)
    if names is None:
        raise DataError(f"{path}: the file is empty; its first line must name the columns")
    earlier: dict[str, int] = {}
    for position, name in enumerate(names, start=1):
        if not name.strip():
            raise DataError(
                f"{path}, line 1, column {position}: the column has no name; name it in the header "
                "(a data frame's index is left out by writing it with index=False)"
            )
        first = earlier.setdefault(name, position)
        if first != position:
            raise DataError(
                f"{path}, line 1: columns {first} and {position} are both named {name!r}; rename one"
            )
    if len(names) == 1:
        _refuse_other_delimiter(path, names[0], delimiter)
    return names


def _refuse_other_delimiter(path: str, header: str, delimiter: str) -> None:
    for other in (",", ";", "\t", "|"):
        if other != delimiter and other in header:
            raise DataError(
                f"{path}, line 1: with delimiter {delimiter!r} there is one column, named {header[:60]!r}; "
                f"the delimiter seems to be {other!r}"
            )


def _rows(path: str, reader: _Reader, names: list[str]) -> tuple[list[int], list[list[str]]]:
    lines: list[int] = []
    rows: list[list[str]] = []
    for row in reader:
        if len(row) != len(names):
            if not row:
                continue
            raise _ragged(path, reader.line_num, row, names)
        rows.append(row)
        lines.append(reader.line_num)
    if not rows:
        raise DataError(f"{path}: there is a header but no row below it")
    return lines, rows


def _ragged(path: str, line: int, row: list[str], names: list[str]) -> DataError:
    if len(row) < len(names):
        detail = f"column {names[len(row)]!r} ({len(row) + 1}) and those after it have no field"
    else:
        detail = f"column {len(names) + 1} has no name, yet holds {row[len(names)][:40]!r}"
    found = "1 field" if len(row) == 1 else f"{len(row)} fields"
    return DataError(
        f"{path}, line {line}: {found} where the header names {len(names)}; {detail}. "
        "Complete the line, or quote a field that holds the delimiter"
    )


@contextmanager
def _opened(path: str, encoding: str) -> Iterator[io.TextIOWrapper]:
    with Path(path).open("rb") as raw:
        yield io.TextIOWrapper(_decompressed(raw), encoding=_with_mark(encoding), newline="")


def _decompressed(raw: BinaryIO) -> BinaryIO:
    magic = raw.read(2)
    raw.seek(0)
    return gzip.GzipFile(fileobj=raw) if magic == _GZIP_MAGIC else raw  # type: ignore[return-value]


def _with_mark(encoding: str) -> str:
    """Let a leading byte order mark pass, as spreadsheets write one."""
    return "utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding


@contextmanager
def _explained(path: str, encoding: str) -> Iterator[None]:
    try:
        with _whole(path):
            yield
    except UnicodeDecodeError as error:
        with _whole(path):
            reason = _undecodable(path, encoding)
        raise DataError(reason) from error
    except LookupError as error:
        raise DataError(
            f"{path}: {error}; name an encoding Python knows, such as 'utf-8' or 'latin-1'"
        ) from error


@contextmanager
def _whole(path: str) -> Iterator[None]:
    """Say so where a compressed file is damaged."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(
            f"{path}: the compressed file is damaged ({error}); fetch or write it again"
        ) from error


def _undecodable(path: str, encoding: str) -> str:
    with Path(path).open("rb") as raw:
        for number, line in enumerate(_decompressed(raw), start=1):
            try:
                line.decode(encoding)
            except UnicodeDecodeError as error:
                column = line[: error.start].count(b",") + 1
                return (
                    f"{path}, line {number}, column {column}: byte 0x{line[error.start]:02x} is not "
                    f"{encoding}; save the file as UTF-8 or name its encoding (often 'latin-1' or 'cp1252')"
                )
    return f"{path}: the file is not {encoding}; save it as UTF-8 or name its encoding"
