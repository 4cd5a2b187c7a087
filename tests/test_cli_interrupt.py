"""Ctrl-C on the command line: what was found is printed and written, and the exit code tells of it.

Inner names, as in unit tests: `planes.proof`: the programs, proofs and trees behind the estimators
are checked one by one.
"""

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


def pressed(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("as_json", [False, True])
def test_plane_is_shown_and_written_with_its_bound(
    run: Run, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    """Ctrl-C in the proof, where the plane is there."""
    from treewright.planes.proof import Proof

    monkeypatch.setattr(Proof, "run", pressed)
    plane = ("plane", "wdbc", "--perturbation", 0.02, "--prove", 1000, "--out", "plane.json", "--verify")
    ended = run(*plane, *(["--json"] if as_json else []))
    assert ended.code == 130
    assert ended.err.endswith("Stopped.\n")
    assert written("plane.json")["tree"]["planes"]
    if as_json:
        facts = json.loads(ended.out)
        assert (facts["status"], facts["n_features_used"], facts["lower_bound"]) == ("stopped", 4, 1)
        assert facts["verified"]["holds"]
    else:
        assert "Ctrl-C asked to stop; the best found so far is kept." in " ".join(ended.out.split())
        assert "4 features of 30; at least 1 is proven to be necessary." in ended.out
        assert "if the sum is above" in ended.out


@pytest.mark.parametrize("as_json", [False, True])
def test_tree_of_planes_is_shown_as_far_as_it_is(
    run: Run, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    monkeypatch.setattr("treewright.planes.tree_classifier.cross_validate", pressed)
    ended = run("plane", "iris", "--depth", 2, "--out", "tree.json", *(["--json"] if as_json else []))
    assert ended.code == 130
    assert ended.err.endswith("Stopped.\n")
    assert written("tree.json")["tree"]["planes"]
    if as_json:
        assert json.loads(ended.out)["status"] == "stopped"
    else:
        assert ".;" not in ended.out
        assert ".." not in ended.out
        assert "The callback or Ctrl-C asked to stop; the best found so far is kept.\n" in ended.out


def test_nothing_is_shown_where_nothing_was_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from treewright import RobustLinearClassifier

    monkeypatch.setattr(RobustLinearClassifier, "fit", pressed)
    ended = run("plane", "iris", "--out", "plane.json")
    assert (ended.code, ended.out, ended.err) == (130, "", "\nStopped.\n")
    assert not Path("plane.json").exists()
