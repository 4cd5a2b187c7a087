"""What differs between two folders of results."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benches.snapshot.groups import is_asked
from benches.snapshot.store import read_all

Difference = tuple[str, str]

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
MOST_TEXT = 110
MOST_LINES = 12


def compare(before: Path, after: Path, pattern: str | None, n_leaves: int, *, by_numbers: bool) -> int:
    """Print every difference between two folders and return the exit code.

    `by_numbers` looks at the numbers in texts only, so that other words in the same places are no difference.
    """
    old, new = (
        {k: v for k, v in read_all(folder).items() if is_asked(k, pattern)} for folder in (before, after)
    )
    both = [name for name in old if name in new]
    read = numbers_of if by_numbers else as_it_is
    differing = [name for name in both if print_differences(name, read(old[name]), read(new[name]), n_leaves)]
    only_old = [name for name in old if name not in new]
    only_new = [name for name in new if name not in old]
    for title, names in (("only before", only_old), ("only after", only_new)):
        for name in names:
            print(f"{title}: {name}")
    print(
        f"{len(both)} ids on both sides, {len(differing)} differ; "
        f"{len(only_old)} only before, {len(only_new)} only after"
    )
    return int(bool(differing or only_old or only_new or not both))


def as_it_is(value: Any) -> Any:
    """Return a result as it is."""
    return value


def numbers_of(value: Any) -> Any:
    """Return a result with only the numbers of its texts; a single word stays."""
    if isinstance(value, dict):
        return {key: numbers_of(item) for key, item in value.items()}
    if isinstance(value, list):
        return [numbers_of(item) for item in value]
    if isinstance(value, str) and len(value.split()) > 1:
        return f"text of {NUMBER.findall(value)}"
    return value


def print_differences(name: str, old: Any, new: Any, n_leaves: int) -> bool:
    """Print where two results differ, and tell whether they do."""
    found = list(differences(old, new))
    if not found:
        return False
    print(f"differs: {name}")
    for path, text in found[:n_leaves]:
        print(f"    at {path or 'the top'}:")
        print(*(f"        {line}" for line in text.splitlines()), sep="\n")
    if len(found) > n_leaves:
        print(f"    and {len(found) - n_leaves} more places")
    return True


def differences(old: Any, new: Any, path: str = "") -> Iterator[Difference]:
    """Yield the leaves that differ, each with a text of both; 1, 1.0 and true are three values."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({**old, **new}, key=lambda key: key not in ("error", "message")):
            yield from of_key(old, new, key, f"{path}.{key}" if path else key)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield path, f"length {len(old)} -> {len(new)}"
        for i, (a, b) in enumerate(zip(old, new, strict=False)):
            yield from differences(a, b, f"{path}[{i}]")
    elif json.dumps(old) != json.dumps(new):
        yield path, both_texts(old, new)


def of_key(old: dict[str, Any], new: dict[str, Any], key: str, path: str) -> Iterator[Difference]:
    """Yield the differences under a key that one of two objects may lack."""
    if key not in new:
        yield path, f"- {short(old[key])}\n+ (nothing)"
    elif key not in old:
        yield path, f"- (nothing)\n+ {short(new[key])}"
    else:
        yield from differences(old[key], new[key], path)


def both_texts(old: Any, new: Any) -> str:
    """Return two different leaves one below the other; of long texts the lines that differ."""
    if isinstance(old, str) and isinstance(new, str) and "\n" in old + new:
        lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0))[2:]
        more = [f"... {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
        return "\n".join([*lines[:MOST_LINES], *more])
    return f"- {short(old)}\n+ {short(new)}"


def short(value: Any) -> str:
    """Return a value in one line."""
    text = json.dumps(value)
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}..."
