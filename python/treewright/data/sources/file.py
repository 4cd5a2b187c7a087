"""A file on its way in: where its bytes are, what messages call it, and what compression hides."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, cast

from treewright._base.errors import DataError

STANDARD_INPUT = "-"
_HEAD = 65536
"""Bytes from which a file's kind is told."""

_UNPACKERS: Mapping[bytes, Callable[[BinaryIO], object]] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"BZh": bz2.BZ2File,
}
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


@dataclass(frozen=True)
class DataFile:
    """A file: `path` is where its bytes are, `shown` what messages call it."""

    path: Path
    shown: str

    @cached_property
    def head(self) -> bytes:
        """The first bytes, uncompressed; of a damaged file those that can be read."""
        with self.path.open("rb") as raw:
            try:
                return _unpacked(raw).read(_HEAD)
            except (EOFError, OSError, zlib.error, lzma.LZMAError):
                return b""

    @property
    def name(self) -> str:
        """What the data are called: the file without its folder."""
        return Path(self.shown).name

    def beside(self, path: Path) -> DataFile:
        """Return another file of the same folder."""
        return DataFile(path, str(Path(self.shown).with_name(path.name)))

    def text(self, encoding: str | None = None) -> str:
        """Return the text; without an encoding it is UTF-8 or what its mark says, else cp1252."""
        raw = self._content()
        if encoding is not None:
            return self._decoded(raw, encoding)
        marked = next((known for mark, known in _MARKS.items() if raw.startswith(mark)), "utf-8")
        try:
            return raw.decode(marked)
        except UnicodeDecodeError:
            return raw.decode("cp1252", errors="replace") if marked == "utf-8" else self._decoded(raw, marked)

    def _decoded(self, raw: bytes, encoding: str) -> str:
        try:
            return raw.decode("utf-8-sig" if encoding.lower() in ("utf-8", "utf8") else encoding)
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            raise DataError(
                f"{self.shown}, line {line}: byte 0x{raw[error.start]:02x} is not {encoding}; save the file "
                "as UTF-8 or name its encoding (often 'latin-1' or 'cp1252')"
            ) from error
        except LookupError as error:
            raise DataError(
                f"{self.shown}: {error}; name an encoding Python knows, such as 'utf-8' or 'latin-1'"
            ) from error

    def _content(self) -> bytes:
        with self.path.open("rb") as raw:
            try:
                return _unpacked(raw).read()
            except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError) as error:
                raise DataError(
                    f"{self.shown}: the compressed file is damaged ({error}); fetch or write it again"
                ) from error


def _unpacked(raw: BinaryIO) -> BinaryIO:
    magic = raw.read(6)
    raw.seek(0)
    opener = next((known for mark, known in _UNPACKERS.items() if magic.startswith(mark)), None)
    return raw if opener is None else cast(BinaryIO, opener(raw))


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[DataFile]:
    """Yield the file of a path; what comes from standard input is kept in a file meanwhile."""
    shown = os.fspath(path)
    if shown != STANDARD_INPUT:
        yield DataFile(Path(shown), shown)
        return
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, "standard input")
        stream = cast(io.TextIOWrapper, sys.stdin).buffer
        kept.write_bytes(stream.read())
        yield DataFile(kept, kept.name)
