"""Results in a folder: one JSON file a group."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Results = dict[str, Any]


def path_of(folder: Path, group: str) -> Path:
    """Return the file of a group."""
    return folder / f"{group}.json"


def read_group(folder: Path, group: str) -> Results:
    """Return the results of a group; none if it has no file."""
    path = path_of(folder, group)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def write_group(folder: Path, group: str, results: Results) -> None:
    """Write the results of a group."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(results, indent=1, ensure_ascii=False, allow_nan=False)
    path_of(folder, group).write_text(text + "\n", encoding="utf-8")


def read_all(folder: Path) -> Results:
    """Return the results of all groups of a folder by their ids."""
    if not folder.is_dir():
        raise SystemExit(f"{folder} is no folder")
    found: Results = {}
    for path in sorted(folder.glob("*.json")):
        found.update(read_group(folder, path.stem))
    return found
