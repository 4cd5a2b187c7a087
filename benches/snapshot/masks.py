"""What differs from run to run or from machine to machine, taken out of texts."""

from __future__ import annotations

import os
import re
from typing import Any

from benches.snapshot.neutral import MASK, is_masked
from benches.snapshot.renamed import stored_name

NUMBER = r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?"
SECONDS = re.compile(rf"(?:under )?{NUMBER}\s+(?:s|ms|seconds|minutes|min|h)\b")
HEADINGS = re.compile(r" *-+ seconds -+|(?<=\S) {2,}seconds$")
VERSION = re.compile(r"\b\d+\.\d+\.\d+(?:[-+.]?(?:a|b|rc|dev|alpha|beta)[-.]?\d*)?\b")


def masked_paths(value: Any, folder: str) -> Any:
    """Return a result with the names of folders of this machine taken out of its texts."""
    if isinstance(value, dict):
        return {masked_paths(key, folder): masked_paths(item, folder) for key, item in value.items()}
    if isinstance(value, list):
        return [masked_paths(item, folder) for item in value]
    if not isinstance(value, str):
        return value
    for place, name in ((folder, "<folder>"), (os.environ.get("TREEWRIGHT_DATA"), "<data>")):
        value = value.replace(place, name) if place else value
    return value


def masked_text(text: str) -> str:
    """Return a text without seconds and versions; where there were seconds, lines may break anywhere."""
    blocks = [" ".join(block.split()) if SECONDS.search(block) else block for block in text.split("\n\n")]
    return VERSION.sub("<version>", SECONDS.sub("<seconds>", "\n\n".join(blocks)))


def masked_keys(value: Any) -> Any:
    """Return a parsed document with times and versions masked, and seconds taken out of its texts."""
    if isinstance(value, dict):
        return {key: MASK if is_masked(key) else masked_keys(item) for key, item in value.items()}
    if isinstance(value, list):
        return [masked_keys(item) for item in value]
    return masked_text(value) if isinstance(value, str) else value


def masked_csv(rows: list[list[str]]) -> list[list[str]]:
    """Return a CSV file with its columns of times masked."""
    if not rows:
        return rows
    hidden = [is_masked(name) for name in rows[0]]
    masked = [[MASK if hide else cell for cell, hide in zip(row, hidden, strict=False)] for row in rows[1:]]
    return [[stored_name(name) for name in rows[0]], *masked]


def without_seconds(text: str) -> str:
    """Return a text whose tables have no columns of seconds."""
    lines = text.splitlines(keepends=True)
    for i, line in enumerate(lines):
        for found in reversed(list(HEADINGS.finditer(line))):
            if is_heading(lines, i):
                cut_column(lines, i, found.start(), found.end())
    return "".join(lines)


def is_heading(lines: list[str], i: int) -> bool:
    """Tell whether a line stands above a table: the one after next has numbers, this one none."""
    below = "".join(lines[i + 1 : i + 3])
    return bool(re.search(r"\d", below)) and "|" not in lines[i]


def cut_column(lines: list[str], i: int, start: int, end: int) -> None:
    """Take a column out of a table, from its heading down to the next empty line."""
    for j in range(i, len(lines)):
        if not lines[j].strip():
            break
        ending = "\n" if lines[j].endswith("\n") else ""
        body = lines[j].removesuffix("\n")
        lines[j] = (
            body[:start].rstrip() + body[end:] + ending if end < len(body) else body[:start].rstrip() + ending
        )
