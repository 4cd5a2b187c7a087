"""How exports are laid out: long lists over lines, and numbers that are read back bit for bit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

WIDTH = 100
"""Columns of a line of tables."""


def number(value: float) -> str:
    """Write a finite number so that it is read back bit for bit, as almost every language reads it."""
    return repr(float(value))


def wrapped(texts: Iterable[str], indent: str = "    ") -> str:
    """Put texts behind one another, each with a comma, over as many lines as they need."""
    return "\n".join(indent + line for line in _lines(texts))


def _lines(texts: Iterable[str]) -> Iterator[str]:
    line: list[str] = []
    length = 0
    for text in texts:
        if line and length + len(text) + 2 > WIDTH:
            yield " ".join(line)
            line, length = [], 0
        line.append(text + ",")
        length += len(text) + 2
    if line:
        yield " ".join(line)
