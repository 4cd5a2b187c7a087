"""Reading the text of a learned rule, and saying what it lacks."""

from __future__ import annotations

import json
from typing import Any

from treewright._base.errors import FormatError
from treewright.search.evolution.record import LearningRecord

FORMAT, VERSION = "treewright-learned-pruning", 1
PARTS = ("format", "version", "program", "record")


def refusal(reason: str) -> FormatError:
    """Return the error for a text that is no rule."""
    return FormatError(f"the text is no learned rule ({reason}); give what to_json returned")


def stored_rule(text: object) -> dict[str, Any]:
    """Return the parts of a stored rule; all are there, and it is of the version that is read."""
    if not isinstance(text, str | bytes | bytearray):
        raise refusal(f"it is of type {type(text).__name__}, not text")
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refusal(f"no JSON: {error}" if text.strip() else "it is empty") from None
    if not isinstance(stored, dict):
        raise refusal("it holds no object with a program")
    if "format" in stored and stored["format"] != FORMAT:
        raise refusal(f"its format is {stored['format']!r}, not '{FORMAT}'")
    if missing := [part for part in PARTS if part not in stored]:
        raise refusal(f"it has no {_listed(missing)}")
    if stored["version"] != VERSION:
        raise refusal(f"it is of version {stored['version']!r}, and {VERSION} is read")
    return stored


def read_record(stored: object) -> LearningRecord:
    """Return the record of a stored rule."""
    if not isinstance(stored, dict):
        raise refusal(f"its record is of type {type(stored).__name__}, not an object")
    if missing := [part for part in LearningRecord.__dataclass_fields__ if part not in stored]:
        raise refusal(f"its record has no '{missing[0]}'")
    try:
        return LearningRecord.from_dict(stored)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise refusal(f"its record cannot be read: {error}") from None


def _listed(names: list[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    return " and no ".join(quoted) if len(quoted) < 3 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
