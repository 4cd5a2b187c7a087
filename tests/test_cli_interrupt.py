"""Ctrl-C on the command line: what was found is printed and written, and the exit code tells of it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import Ended, Run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT to one process")

ENDLESS = ("breast-cancer", "--min-samples-split", "8", "--progress")
NOTICE = "trees built"


def interrupted(*arguments: str) -> Ended:
    """Press Ctrl-C once the progress shows that the search is on."""
    command = [sys.executable, "-m", "treewright", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if NOTICE in line and not line.startswith("0 "):
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    return Ended(process.returncode, out, err)


def written(path: str) -> Any:
    return json.loads(Path(path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("top", [0, 2])
def test_enumeration_shows_what_it_found(run: Run, top: int) -> None:
    ended = interrupted("enumerate", *ENDLESS, "--top", str(top), "--out", "found.json")
    assert ended.code == 130
    assert ended.err.endswith("Stopped.\n")
    assert "subsets of 30 features so far" in ended.out
    assert ended.out.count("tested, given by") == top
    found = written("found.json")
    assert found["search"]["status"] == "stopped"
    assert "Ctrl-C" in found["search"]["message"]
    assert found["n_distinct"] > 0
    assert len(found["best"]) == top


def test_complete_selection_shows_the_best_so_far(run: Run) -> None:
    ended = interrupted("select", *ENDLESS, "--complete", "--out", "found.json")
    assert ended.code == 130
    assert ended.err.endswith("Stopped.\n")
    assert "Ctrl-C asked to stop" in " ".join(ended.out.split())
    found = written("found.json")
    assert found["search"]["status"] == "stopped"
    assert found["tested"]


def test_file_of_trees_is_gone_on_with(run: Run) -> None:
    ended = interrupted("enumerate", *ENDLESS, "--all", "t.jsonl", "--time-limit", "600")
    n_trees = len(Path("t.jsonl").read_text(encoding="utf-8").splitlines()) - 1
    assert ended.code == 130
    assert f"{n_trees:,} distinct trees" in ended.out
    assert f"So far {n_trees:,} trees are in t.jsonl" in ended.out
