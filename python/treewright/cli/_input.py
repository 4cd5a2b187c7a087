"""Standard input as DATA that is looked at more than once."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import BinaryIO, TextIO, cast

from treewright.cli._source import STANDARD_INPUT


class _Kept:
    """Standard input that is kept in a file: what comes after its end is its beginning."""

    def __init__(self, stream: BinaryIO) -> None:
        self.buffer, self._stream = self, stream

    def read(self, size: int = -1) -> bytes:
        """Return some bytes."""
        piece = self._stream.read(size)
        if not piece:
            self._stream.seek(0)
        return piece


@contextmanager
def input_kept(data: str) -> Iterator[None]:
    """Let standard input, if it is the DATA, be read again from its beginning."""
    if data != STANDARD_INPUT:
        yield
        return
    with TemporaryFile() as stream:
        shutil.copyfileobj(sys.stdin.buffer, stream)
        stream.seek(0)
        given, sys.stdin = sys.stdin, cast(TextIO, _Kept(stream))
        try:
            yield
        finally:
            sys.stdin = given
