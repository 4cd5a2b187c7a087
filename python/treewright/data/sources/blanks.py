"""Columns put below one another by blanks: a run of blanks or tabs is one delimiter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache


def aligned(text: str, quote: str) -> str:
    r"""Return text with one blank for every run outside quoted fields, and none at the ends of lines.

    >>> aligned("  a   b\n1.5 'x  y' \n", "'")
    "a b\n1.5 'x  y'\n"
    """
    return aligned_bytes(text.encode(), quote).decode()


def aligned_bytes(text: bytes, quote: str) -> bytes:
    """Return the same of bytes that begin a line."""
    return _runs(quote).sub(_one, text.lstrip(b" \t"))


def aligned_pieces(pieces: Iterable[bytes], quote: str) -> Iterator[bytes]:
    """Yield pieces of a text so, cut where lines end."""
    rest = b""
    for piece in pieces:
        lines, end, rest = (rest + piece).rpartition(b"\n")
        if end:
            yield aligned_bytes(lines + end, quote)
    yield aligned_bytes(rest, quote)


@cache
def _runs(quote: str) -> re.Pattern[bytes]:
    """Find quoted fields, ends of lines with the blanks around them, and runs of blanks."""
    mark = re.escape(quote).encode()
    quoted = rb"(?<![^ \t\r\n])" + mark + rb"[^" + mark + rb"\n]*" + mark + rb"|" if quote else b""
    return re.compile(quoted + rb"[ \t]*(?P<end>\r?\n|\r|\Z)[ \t]*|[ \t]+")


def _one(found: re.Match[bytes]) -> bytes:
    end = found["end"]
    if end is not None:
        return end
    return b" " if found[0].isspace() else found[0]
