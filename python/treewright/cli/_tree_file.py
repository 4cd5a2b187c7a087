"""The file of trees that `treewright enumerate --all` writes, which one process at a time may change."""

from __future__ import annotations

import errno
import os
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Self

from treewright import FormatError
from treewright._base.checkpoint import Checkpoint
from treewright.cli._running import note
from treewright.cli._text import filled, plural

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_BEHIND_ALL = 2**40
_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
"""What the systems say of a lock that another process has; anything else is that there are no locks."""

_MOST_WAITING = 256
_LONGEST_WAIT = 0.5


def _lock(stream: BinaryIO) -> None:
    """Lock a file, or raise an `OSError`."""
    if sys.platform == "win32":
        stream.seek(_BEHIND_ALL)  # the locked byte cannot be read, so it is none of the content
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            stream.seek(0)
    else:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def open_locked(path: Path) -> BinaryIO:
    """Open a file for reading and writing, an empty one if there is none, and lock it.

    A file system without locks locks nothing; a lock of another process is a `BlockingIOError`.
    """
    path.touch()
    stream = path.open("r+b", buffering=0)
    try:
        _lock(stream)
    except OSError as error:
        if error.errno in _TAKEN:
            stream.close()
            refusal = "another treewright process is writing it; wait for its end, or name another file"
            raise BlockingIOError(errno.EAGAIN, refusal, os.fspath(path)) from None
    return stream


class TreeFile:
    """An open file of trees, to be used in a `with` block; it is whole at the end of that.

    It is locked meanwhile, so that no other process writes between its lines. A checkpoint, if there is one,
    holds how far it has come, and a check sum of that; a file that is not as it says is refused.
    """

    def __init__(self, path: Path, header: str, checkpoint: Checkpoint | None = None) -> None:
        self.path, self._checkpoint, self.can_go_on = path, checkpoint, checkpoint is not None
        state = None if checkpoint is None else checkpoint.load()
        self._stream = open_locked(path)
        self.n_found = self._n_written = self._n_bytes = self._sum = 0
        self._waiting: list[str] = []
        self._written_at = time.monotonic()
        if isinstance(state, dict):
            self.n_found, self._n_bytes, self._sum = state["n_trees"], state["n_bytes"], state["crc"]
            self._n_written = self.n_found
            self._check()
        self._stream.truncate(self._n_bytes)
        if not self._n_bytes:
            self._append(f"{header}\n".encode(), n_trees=0)

    @property
    def n_trees(self) -> int:
        """How many trees are in the file or wait to be written."""
        return self._n_written + len(self._waiting)

    def add(self, line: str) -> None:
        """Take in the next tree, as JSON."""
        self._waiting.append(line)
        if len(self._waiting) >= _MOST_WAITING or time.monotonic() - self._written_at > _LONGEST_WAIT:
            self._write()

    def _write(self) -> None:
        lines = self._waiting
        if lines:
            self._append("".join(f"{line}\n" for line in lines).encode(), n_trees=len(lines))
            self._waiting = []
            if self._checkpoint is not None:
                self._checkpoint.keep(self._state)
        self._written_at = time.monotonic()

    def _append(self, whole_lines: bytes, n_trees: int) -> None:
        """Write behind the last whole line; only when all is written does it count."""
        self._stream.seek(self._n_bytes)
        rest = memoryview(whole_lines)
        while rest:
            rest = rest[self._stream.write(rest) :]
        self._n_bytes, self._n_written = self._n_bytes + len(whole_lines), self._n_written + n_trees
        self._sum = zlib.crc32(whole_lines, self._sum)

    def _state(self) -> dict[str, int]:
        os.fsync(self._stream.fileno())
        return {"n_trees": self._n_written, "n_bytes": self._n_bytes, "crc": self._sum}

    def _check(self) -> None:
        """Refuse a file that is not as the checkpoint left it; what was written since is cut off."""
        left, found = self._n_bytes, 0
        while left and (part := self._stream.read(min(left, 2**20))):
            left, found = left - len(part), zlib.crc32(part, found)
        if left or found != self._sum:
            self._stream.close()
            raise FormatError(
                f"{self.path} was changed since it was written: its {self.n_found:,} trees are not those of "
                "the checkpoint; name other files"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Write what waits, and cut off what an interrupted write may have left."""
        try:
            self._write()
        finally:
            self._stream.truncate(self._n_bytes)
            if self._checkpoint is not None:
                self._checkpoint.write(self._state())
            self._stream.close()


@contextmanager
def kept(file: TreeFile | None) -> Iterator[None]:
    """Leave a whole file behind, and say how to go on if that is before the end."""
    if file is None:
        yield
        return
    try:
        with file:
            yield
    except KeyboardInterrupt:
        note(whereabouts(file, "stopped"))
        raise


def whereabouts(file: TreeFile, status: str) -> str:
    """Say where the trees are, and how to come to the others."""
    is_in = f"{plural(file.n_trees, 'tree')} {'is' if file.n_trees == 1 else 'are'} in {file.path}"
    if status == "complete":
        before = f", {file.n_found:,} of them from an earlier run" if file.n_found else ""
        return filled(f"Complete: {is_in}{before}.")
    if not file.can_go_on:
        return filled(f"So far {is_in}. To be able to resume, use --checkpoint FILE.")
    larger = " and a larger --node-limit" if status == "node_limit" else ""
    return filled(f"So far {is_in}. To continue, repeat the command with --resume{larger}.")
