"""What tells the formats of files apart, by their first bytes and their names.

The readers themselves are imported where they are needed.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from treewright.data.sources.file import DataFile

NAMES = ".names"
ROWS = (".data", ".test")
"""Endings of C4.5's files."""

URL = re.compile(r"([a-z][a-z0-9+.\-]*)://")
SQLITE, _DUCKDB = b"SQLite format 3\0", b"DUCK"
STREAM = b"\xff\xff\xff\xff"
"""How a stream of Arrow begins."""

_RELATION = re.compile(rb"(?:[\x00-\x20]|\xef\xbb\xbf|%[^\r\n]*)*@relation\b", re.IGNORECASE)
_MEMBERS = ("xl/workbook.xml", "xl/workbook.bin")
_SPREADSHEET = b"application/vnd.oasis.opendocument.spreadsheet"
_OLD = b"\xd0\xcf\x11\xe0"
_SPARSE = re.compile(
    rb"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?:\s+qid:\d+)?(?:[ \t]+\d+:[^\s:,;]+)*[ \t]*(?:#.*)?\r?"
)


def names_of(path: Path) -> Path | None:
    """Return the ``.names`` file that goes with a path; None where there is none."""
    if path.suffix == NAMES:
        return path if path.is_file() else None
    if path.suffix not in ROWS and path.is_file():
        return None
    stem = path.with_suffix("") if path.suffix in ROWS else path
    found = stem.with_name(stem.name + NAMES)
    return found if found.is_file() else None


def is_database(file: DataFile) -> bool:
    """Tell a database by its URL, or its file by its first bytes."""
    return bool(URL.match(file.shown)) or file.head.startswith(SQLITE) or file.head[8:12] == _DUCKDB


def is_arff(file: DataFile) -> bool:
    """Tell ARFF by its first word that is no comment."""
    return _RELATION.match(_plain(file.head)) is not None


def _plain(head: bytes) -> bytes:
    return head.decode("utf-16", "ignore").encode() if head[:2] in (b"\xff\xfe", b"\xfe\xff") else head


def is_arrow(file: DataFile) -> bool:
    """Tell Parquet, Feather of either version, Arrow's files and its streams by their first bytes."""
    return file.head.startswith((b"PAR1", b"ARROW1", b"FEA1", STREAM))


def is_workbook(file: DataFile) -> bool:
    """Tell a workbook by what its archive holds."""
    if file.head.startswith(_OLD):
        return b"W\0o\0r\0k\0b\0o\0o\0k" in file.path.read_bytes()
    if not file.head.startswith(b"PK\x03\x04") or not zipfile.is_zipfile(file.path):
        return False
    with zipfile.ZipFile(file.path) as archive:
        names = archive.namelist()
        kind = archive.read("mimetype") if "mimetype" in names else b""
        return kind.startswith(_SPREADSHEET) or any(name in names for name in _MEMBERS)


def is_orange(file: DataFile) -> bool:
    """Tell Orange's tables, which have tabs, by their header."""
    if b"\t" not in file.head:
        return False
    from treewright.data.sources.orange import has_header

    return has_header(file)


def is_libsvm(file: DataFile) -> bool:
    """Tell libsvm's sparse rows by the first lines."""
    lines = [line for line in file.head.split(b"\n")[:-1] or [file.head] if line.strip()][:20]
    rows = [line for line in lines if not line.startswith(b"#")]
    return any(b":" in row for row in rows) and all(_SPARSE.fullmatch(row) for row in rows)
