"""A lock on an open file, which no other process can have at the same time; closing the file frees it."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import BinaryIO

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
