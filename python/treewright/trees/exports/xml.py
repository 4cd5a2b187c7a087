"""XML of exports: elements as text, one escape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from treewright.trees.exports.refusal import refusal, shortened

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has no way to write."""

NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}

MOST_NESTED = 256
"""Elements within one another that common readers of XML take (libxml2)."""


def escaped(text: str, target: str) -> str:
    """Write a text as the value of an attribute, or between tags."""
    found = FORBIDDEN.search(text)
    if found is not None:
        what = f"is XML, which has no character {ord(found[0]):#x}, as in '{shortened(text)}'"
        raise refusal(target, what, "rename it")
    return "".join(NAMED.get(letter, letter) for letter in text)


class Writer:
    """Collects elements, each on a line of its own."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.lines = ['<?xml version="1.0" encoding="UTF-8"?>']
        self.open: list[str] = []

    def start(self, tag: str, **attributes: str) -> None:
        """Open an element."""
        self._line(f"<{tag}{''.join(self._attributes(attributes))}>")
        self.open.append(tag)
        if len(self.open) > MOST_NESTED:
            reason = f"nests elements, and readers take at most {MOST_NESTED} in one another"
            raise refusal(self.target, reason, "prune the tree, or use a format of tables and a loop")

    def end(self) -> None:
        """Close the last element."""
        tag = self.open.pop()
        self._line(f"</{tag}>")

    def empty(self, tag: str, **attributes: str) -> None:
        """Write an element without content."""
        self._line(f"<{tag}{''.join(self._attributes(attributes))}/>")

    def text(self, tag: str, content: str, **attributes: str) -> None:
        """Write an element with a text."""
        body = escaped(content, self.target)
        self._line(f"<{tag}{''.join(self._attributes(attributes))}>{body}</{tag}>")

    def document(self) -> str:
        """Return the whole document."""
        return "\n".join(self.lines) + "\n"

    def _line(self, line: str) -> None:
        self.lines.append(" " * len(self.open) + line)

    def _attributes(self, attributes: Mapping[str, str]) -> Iterator[str]:
        for name, value in attributes.items():
            yield f' {name.rstrip("_")}="{escaped(value, self.target)}"'
