"""Running the command `treewright` within a test.

Inner names, as in unit tests: `cli._running`: parts of the command line are tested without a
process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from treewright import Tree
from treewright.cli import treewright
from treewright.cli._running import exit_code

WEATHER = """\
outlook,temperature,humidity,windy,play
sunny,85,85,no,no
sunny,80,90,yes,no
overcast,83,86,no,yes
rainy,70,96,no,yes
rainy,68,80,no,yes
rainy,65,70,yes,no
overcast,64,65,yes,yes
sunny,72,95,no,no
sunny,69,70,no,yes
rainy,75,80,no,yes
sunny,75,70,yes,yes
overcast,72,90,yes,yes
overcast,81,75,no,yes
rainy,71,91,yes,no
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> Run:
    """Return what runs the command in a folder with weather.csv, on a screen 80 wide."""
    monkeypatch.chdir(folder)
    monkeypatch.delenv("TREEWRIGHT_DATA", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    Path("weather.csv").write_text(WEATHER, encoding="utf-8")

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["treewright", *map(str, arguments)])
        code = exit_code(treewright)
        printed = capsys.readouterr()
        return Ended(code, printed.out, printed.err)

    return run


def lines_of(path: str) -> list[dict[str, Any]]:
    """Return the trees of a file, its header left out."""
    text = Path(path).read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()[1:]]


def file_of_trees(path: str) -> tuple[dict[str, Any], bytes]:
    """Return what a file of trees holds: its header without the command line, and the bytes of its trees."""
    first, _, trees = Path(path).read_bytes().partition(b"\n")
    header: dict[str, Any] = json.loads(first)
    del header["command"]
    return header, trees


def tree_in(path: str) -> Tree:
    """Return the tree that a result in a file has."""
    return Tree.from_json(json.dumps(json.loads(Path(path).read_text(encoding="utf-8"))["tree"]))


def without_origin(text: str) -> dict[str, Any]:
    """Return a tree as a command printed it, without how it was found: that is told by the command line."""
    facts: dict[str, Any] = json.loads(text)
    del facts["provenance"]
    return facts


def assert_refused(ended: Ended, code: int, message: str) -> None:
    """Check that a command printed no result, but a message."""
    assert (ended.code, ended.out) == (code, "")
    assert message in ended.err
