"""A file on its way in: where its bytes are, what messages call it, and what compression hides."""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, cast

from treewright._base.errors import DataError
from treewright.data.sources.streams import PIECE, TextFile, found_encoding, known_encoding, not_text

STANDARD_INPUT = "-"


@dataclass(frozen=True)
class DataFile(TextFile):
    """A file: `path` is where its bytes are, `shown` what messages call it."""

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unpacked; none of what is no file: a database, or the stem of several files."""
        is_file = "://" not in self.shown and self.path.exists()
        return self.first_bytes() if is_file else b""

    @property
    def name(self) -> str:
        """What the data are called: the file without its folder."""
        return Path(self.shown).name

    def beside(self, path: Path) -> DataFile:
        """Return another file of the same folder."""
        return DataFile(path, str(Path(self.shown).with_name(path.name)))

    def text(self, encoding: str | None = None) -> str:
        """Return the text; without an encoding it is what the content says."""
        with self.unpacked() as stream:
            raw = stream.read()
        name = found_encoding(raw) if encoding is None else known_encoding(encoding, self.shown)
        try:
            return raw.decode(name).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            place = f"{self.shown}, line {line}"
            raise DataError(not_text(place, raw[error.start], name)) from error


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[DataFile]:
    """Yield the file of a path; what comes from standard input is kept in a file meanwhile."""
    shown = os.fspath(path)
    if shown != STANDARD_INPUT:
        yield DataFile(Path(shown), shown)
        return
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, "standard input")
        with kept.open("wb") as stream:
            shutil.copyfileobj(cast(BinaryIO, cast(io.TextIOWrapper, sys.stdin).buffer), stream, PIECE)
        yield DataFile(kept, kept.name)
