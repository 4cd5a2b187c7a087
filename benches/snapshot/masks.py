"""What differs from run to run or from machine to machine, taken out of texts."""

from __future__ import annotations

import os
import re
from typing import Any

from benches.snapshot.neutral import MASK, is_masked

NUMBER = r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?"
SECONDS = re.compile(rf"(?:under )?{NUMBER}\s+(?:s|ms|seconds|minutes|min|h)\b")
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
        hidden = hidden_keys(value)
        return {key: MASK if key in hidden else masked_keys(item) for key, item in value.items()}
    if isinstance(value, list):
        return [masked_keys(item) for item in value]
    return masked_text(value) if isinstance(value, str) else value


def hidden_keys(given: dict[str, Any]) -> set[str]:
    """Return the keys of an object whose values differ from run to run."""
    hidden = {key for key in given if is_masked(key)}
    if "seconds_grown" in given:  # of times
        hidden.add("std_error")
    if given.get("claim") == "planes_":  # addresses of objects
        hidden |= {"value", "checked"}
    return hidden
