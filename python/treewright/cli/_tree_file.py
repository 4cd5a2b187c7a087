"""The file of trees that `treewright enumerate --all` writes, which one process at a time may change."""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

from treewright import FormatError

if sys.platform == "win32":
    import msvcrt

    _BEHIND_ALL = 2**40

    def _lock(stream: BinaryIO) -> None:
        stream.seek(_BEHIND_ALL)  # the locked byte cannot be read, so it is none of the content
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            stream.seek(0)

else:
    import fcntl

    def _lock(stream: BinaryIO) -> None:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
"""What the systems say of a lock that another process has; anything else is that there are no locks."""


def try_lock(stream: BinaryIO) -> bool:
    """Lock a file; False if another process has it. A file system without locks locks nothing."""
    try:
        _lock(stream)
    except OSError as error:
        return error.errno not in _TAKEN
    return True


def open_locked(path: Path, *, refusal: str) -> BinaryIO:
    """Open a file for reading and writing, an empty one if there is none, and lock it.

    Raises
    ------
    BlockingIOError
        With `refusal` as its text, if another process has the lock.
    """
    path.touch()
    stream = path.open("r+b", buffering=0)
    if try_lock(stream):
        return stream
    stream.close()
    raise BlockingIOError(errno.EAGAIN, refusal, os.fspath(path))


_MOST_WAITING = 256
_LONGEST_WAIT = 0.5

_REFUSAL = "another treewright process is writing it; wait for its end, or name another file"

OTHERWISE = "give the same data and options, name another file, or replace this one with --overwrite"


class TreeFile:
    """An open file of trees, to be used in a `with` block; it is whole at the end of that.

    It is locked meanwhile, so that no other process writes between its lines.

    Parameters
    ----------
    path : Path
        Where it is.
    header : dict
        What the first line says of the trees: release, data and parameters.
    goes_on : bool
        Whether to keep the trees that are there; otherwise an existing file is emptied.

    Raises
    ------
    FormatError
        If it is to go on, and the file was not begun with this header.
    BlockingIOError
        If another process is writing it.
    """

    def __init__(self, path: Path, header: dict[str, Any], *, goes_on: bool) -> None:
        first = _line(json.dumps(header, ensure_ascii=False))
        self.path = path
        self._stream = open_locked(path, refusal=_REFUSAL)
        try:
            there = _read(path, self._stream, header, first) if goes_on else _NOTHING
        except BaseException:
            self._stream.close()
            raise
        self.n_found = there.n_trees
        self.last_found = there.last
        self._n_written = there.n_trees
        self._n_bytes = there.n_bytes
        self._waiting: list[str] = []
        self._written_at = time.monotonic()
        if not there.n_bytes:
            self._stream.truncate(0)
            self._append(first, n_trees=0)

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
            self._append(b"".join(map(_line, lines)), n_trees=len(lines))
            self._waiting = []
        self._written_at = time.monotonic()

    def _append(self, whole_lines: bytes, n_trees: int) -> None:
        """Write behind the last whole line; only when all is written does it count."""
        self._stream.seek(self._n_bytes)
        rest = memoryview(whole_lines)
        while rest:
            rest = rest[self._stream.write(rest) :]
        self._n_bytes, self._n_written = self._n_bytes + len(whole_lines), self._n_written + n_trees

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Write what waits, and cut off what an interrupted write may have left."""
        try:
            self._write()
        finally:
            self._stream.truncate(self._n_bytes)
            os.fsync(self._stream.fileno())
            self._stream.close()


@dataclass(frozen=True)
class _Found:
    """What an earlier run has left: whole lines behind the header, and the last of them."""

    n_trees: int
    n_bytes: int
    last: dict[str, Any] | None


_NOTHING = _Found(0, 0, None)


def _line(text: str) -> bytes:
    return text.encode() + b"\n"


def _read(path: Path, stream: BinaryIO, header: dict[str, Any], first: bytes) -> _Found:
    """Look at what is there; a header cut off while it was written counts as nothing."""
    with os.fdopen(os.dup(stream.fileno()), "rb") as lines:
        return _read_lines(path, lines, header, first)


def _read_lines(path: Path, lines: BinaryIO, header: dict[str, Any], first: bytes) -> _Found:
    begun = lines.readline()
    if not begun.endswith(b"\n") and first.startswith(begun):
        return _NOTHING
    _check_header(path, begun, header)
    n_trees, n_bytes, last = 0, len(begun), None
    for last in _whole_lines(lines):
        n_trees, n_bytes = n_trees + 1, n_bytes + len(last)
    return _Found(n_trees, n_bytes, None if last is None else _parsed(path, last))


def _whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    return (line for line in stream if line.endswith(b"\n"))


def _parsed(path: Path, line: bytes) -> dict[str, Any]:
    try:
        facts = json.loads(line)
    except ValueError:
        facts = None
    if not isinstance(facts, dict):
        raise FormatError(
            f"{path} holds no trees of `treewright enumerate --all`: {line[:40]!r} is no JSON object; "
            "name another file, or replace this one with --overwrite"
        )
    return facts


def _check_header(path: Path, line: bytes, header: dict[str, Any]) -> None:
    """Refuse trees of other data, of other parameters or of another release."""
    difference = next(_differences(_parsed(path, line), header), None)
    if difference is not None:
        raise FormatError(f"{path} holds the trees of another run: {_told(*difference)}; {OTHERWISE}")


def _told(name: str, there: str, here: str) -> str:
    """Say what differs; of a digest only what it stands for."""
    if name == "data.fingerprint":
        return "the rows or values of DATA, or which of its rows are validation rows, have changed since"
    return f"{name} is {there} there and {here} here"


def _differences(there: Any, here: Any, name: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield what differs between two headers: its name, and how either spells it."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in [*here, *(key for key in there if key not in here)]:
            yield from _differences(there.get(key), here.get(key), f"{name}.{key}" if name else key)
    elif there != here:
        yield name, _shown(there), _shown(here)


def _shown(value: Any, limit: int = 40) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
