"""The bytes of a file of text: unpacked, decoded, and handed over in pieces of UTF-8."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, cast

from treewright import _core
from treewright._base.errors import DataError

PIECE = 1 << 17
HEAD = 1 << 18
"""Bytes from which it is told what a file is like."""
LONGEST_HEAD = 1 << 25

_DAMAGES = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@dataclass(frozen=True)
class TextFile:
    """A file of text: `path` is where its bytes are, `shown` what messages call it."""

    path: Path
    shown: str

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unpacked."""
        return self.first_bytes()

    def first_bytes(self) -> bytes:
        """Read the first bytes, with two lines at least if there are so many."""
        wanted, found = HEAD, b""
        with self.unpacked() as stream:
            while len(found) < wanted:
                piece = stream.read(wanted - len(found))
                if not piece:
                    break
                found += piece
                if len(found) == wanted < LONGEST_HEAD and found.count(b"\n") + found.count(b"\r") < 3:
                    wanted *= 2
        return found

    @contextmanager
    def unpacked(self) -> Iterator[BinaryIO]:
        """Open the file, unpacked; say so where it is damaged."""
        try:
            with self.path.open("rb") as raw, _unpacked(raw, self.shown) as stream:
                yield stream
        except _DAMAGES as error:
            reason = f"the compressed file is damaged ({error}); fetch or write it again"
            raise DataError(f"{self.shown}: {reason}") from error

    def pieces(self, encoding: str) -> Iterator[bytes]:
        """Yield the text in pieces of UTF-8, without a byte order mark.

        What claims to be UTF-8 is handed over as it is: whoever takes it looks at every field.
        """
        with self.unpacked() as stream:
            is_utf8 = encoding == "utf-8"
            piece = stream.read(PIECE)
            if is_utf8 and piece.startswith(codecs.BOM_UTF8):
                piece = piece[len(codecs.BOM_UTF8) :]
            decoder = codecs.getincrementaldecoder(encoding)()
            n_lines = 0
            while piece:
                if not is_utf8:
                    piece = self._decoded(decoder, piece, encoding, n_lines)
                    n_lines += piece.count(b"\n")
                yield piece
                piece = stream.read(PIECE)
            if not is_utf8:
                yield self._decoded(decoder, b"", encoding, n_lines)

    def _decoded(
        self, decoder: codecs.IncrementalDecoder, piece: bytes, encoding: str, n_lines: int
    ) -> bytes:
        try:
            return decoder.decode(piece, final=not piece).encode()
        except UnicodeError as error:
            raise self._undecodable(error, encoding, n_lines) from error

    def _undecodable(self, error: UnicodeError, encoding: str, n_lines: int) -> NotDecodedError:
        if not isinstance(error, UnicodeDecodeError):
            return NotDecodedError(f"{self.shown}: the text is not {encoding} ({error}); name its encoding")
        line = n_lines + error.object.count(b"\n", 0, error.start) + 1
        byte = error.object[error.start] if error.start < len(error.object) else 0
        return NotDecodedError(not_text(f"{self.shown}, line {line}", byte, encoding))


class NotDecodedError(ValueError):
    """Bytes are not text in an encoding; another one may do."""


def not_text(where: str, byte: int, encoding: str) -> str:
    """Say that a byte is not in an encoding."""
    return (
        f"{where}: byte 0x{byte:02x} is not {encoding}; save the file as UTF-8 or name its encoding "
        "(often 'latin-1' or 'cp1252')"
    )


@contextmanager
def _unpacked(raw: BinaryIO, shown: str) -> Iterator[BinaryIO]:
    magic = raw.read(6)
    raw.seek(0)
    opener = next((known for mark, known in _UNPACKERS.items() if magic.startswith(mark)), None)
    if opener is not None:
        yield cast(BinaryIO, opener(raw))
    elif magic.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(raw) as archive:
            member = _only_file(archive, shown)
            if member is None:
                raw.seek(0)
                yield raw
            else:
                with archive.open(member) as stream:
                    yield cast(BinaryIO, stream)
    else:
        yield raw


def _only_file(archive: zipfile.ZipFile, shown: str) -> zipfile.ZipInfo | None:
    """Return the one file in an archive; None where there are several, as in a workbook."""
    files = [
        one for one in archive.infolist() if not one.is_dir() and not one.filename.startswith("__MACOSX/")
    ]
    if len(files) != 1:
        return None
    if files[0].flag_bits & 1:
        raise DataError(f"{shown}: the archive is encrypted; unpack it first")
    return files[0]


class _Zstandard(io.RawIOBase):
    """A stream of what a file compressed with zstd holds."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._decoder = _core.ZstdDecoder()
        self._packed, self._ready = b"", memoryview(b"")

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill a buffer; 0 bytes are the end."""
        while not self._ready:
            self._packed = self._packed or self._raw.read(PIECE)
            is_over = not self._packed
            self._ready = memoryview(self._unpack())
            if is_over and not self._ready:
                return 0
        n = min(len(buffer), len(self._ready))
        buffer[:n] = self._ready[:n]
        self._ready = self._ready[n:]
        return n

    def _unpack(self) -> bytes:
        try:
            unpacked, n_taken = self._decoder.decode(self._packed)
        except ValueError as error:
            raise EOFError(str(error)) from error
        self._packed = self._packed[n_taken:]
        return unpacked


_UNPACKERS: Mapping[bytes, Callable[[BinaryIO], object]] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"BZh": bz2.BZ2File,
    b"\x28\xb5\x2f\xfd": lambda raw: io.BufferedReader(_Zstandard(raw)),
}


def known_encoding(name: str, shown: str) -> str:
    """Return the usual name of an encoding, as messages and models have it."""
    try:
        usual = codecs.lookup(name).name
    except LookupError as error:
        raise DataError(
            f"{shown}: {error}; name an encoding Python knows, such as 'utf-8' or 'latin-1'"
        ) from error
    return {"utf-8-sig": "utf-8", "iso8859-1": "latin-1", "ascii": "utf-8"}.get(usual, usual)


def found_encoding(head: bytes) -> str:
    r"""Tell the encoding of a text from its first bytes.

    UTF-16 without a mark has a zero byte in every ASCII character. What is not UTF-8 is cp1252, or Latin-1
    where a byte is not in cp1252.

    >>> found_encoding("a;ä".encode()), found_encoding("a;ä".encode("cp1252")), found_encoding(b"a;\x81")
    ('utf-8', 'cp1252', 'latin-1')
    """
    for mark, name in _MARKS.items():
        if head.startswith(mark):
            return name
    for first, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        some = head[first:4096:2]
        if len(some) > 1 and some.count(0) > len(some) // 2 and not head[1 - first : 4096 : 2].count(0):
            return name
    return "utf-8" if _is_mostly_utf8(head) else without_utf8(head)


def without_utf8(text: bytes) -> str:
    """Return the encoding of a text that is not UTF-8."""
    return "latin-1" if any(byte in text for byte in b"\x81\x8d\x8f\x90\x9d") else "cp1252"


def _is_mostly_utf8(head: bytes) -> bool:
    """Tell whether bytes are UTF-8, apart from damage: what is not is seldom so by chance."""
    text = codecs.getincrementaldecoder("utf-8")(errors="replace").decode(head, final=len(head) < HEAD)
    n_wrong = text.count("\ufffd")
    return not n_wrong or sum(not c.isascii() for c in text) >= 2 * n_wrong


def decoded_head(head: bytes, encoding: str) -> str:
    """Decode the first bytes of a file for a look; what cannot be decoded is reported when all is read."""
    text = codecs.getincrementaldecoder(encoding)(errors="replace").decode(head)
    return text.removeprefix("\ufeff")
