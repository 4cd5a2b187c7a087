"""`treewright rerun` and `treewright diff`: a result made again, and two of them side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import WEATHER, Run, assert_refused

FIT = ("fit", "weather.csv", "--target", "play", "--drop", "windy", "--prune", "none")


@pytest.mark.parametrize(
    "line",
    [
        FIT,
        ("select", "wine", "--max-depth", 2),
        ("enumerate", "wine", "--min-samples-split", 32, "--top", 2),
        ("table", "monks-1", "--cost", "depth"),
        ("fixed-depth", "monks-3", "--depth", 2),
        ("describe", "weather.csv"),
    ],
    ids=lambda line: line[0],
)
def test_a_result_is_made_again(run: Run, line: tuple[object, ...]) -> None:
    assert run(*line, "--out", "found.json").code == 0
    ended = run("rerun", "found.json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.endswith("The same result.\n")


def test_files_are_looked_for_beside_the_result(run: Run) -> None:
    Path("there").mkdir()
    Path("there/table.csv").write_text(WEATHER, encoding="utf-8")
    run("fit", "there/table.csv", "--target", "play", "--out", "there/tree.json")
    assert run("rerun", "there/tree.json").code == 0


def test_what_differs_is_said(run: Run) -> None:
    run(*FIT, "--out", "tree.json")
    Path("weather.csv").write_text(WEATHER.replace("sunny,85", "sunny,99"), encoding="utf-8")
    ended = run("rerun", "tree.json")
    assert ended.code == 1
    assert "Another result. The data are others: their hash was" in " ".join(ended.out.split())
    assert "99" in ended.out
    facts = json.loads(run("rerun", "tree.json", "--json").out)
    assert facts["is_same"] is False
    assert facts["old"]["data"][0]["hash"] != facts["new"]["data"][0]["hash"]
    old = json.loads(Path("tree.json").read_text(encoding="utf-8"))
    old["provenance"]["version"] = "0.0.1"
    Path("old.json").write_text(json.dumps(old), encoding="utf-8")
    assert "It was made by release 0.0.1; this is " in run("rerun", "old.json").out


def test_what_cannot_be_made_again_is_refused(run: Run) -> None:
    Path("plain.json").write_text("{}", encoding="utf-8")
    assert_refused(run("rerun", "plain.json"), 1, "does not say which command made it")
    Path("list.json").write_text("[]", encoding="utf-8")
    assert_refused(run("rerun", "list.json"), 1, "holds no result of a command")
    Path("text.json").write_text("tree", encoding="utf-8")
    assert_refused(run("diff", "text.json", "list.json"), 1, "text.json is no JSON")
    run(*FIT, "--out", "tree.json")
    Path("weather.csv").unlink()
    assert_refused(run("rerun", "tree.json"), 1, "weather.csv")


def test_two_trees_are_compared(run: Run) -> None:
    run(*FIT, "--out", "one.json")
    run(*FIT, "--max-depth", 1, "--out", "two.json")
    ended = run("diff", "one.json", "two.json")
    assert (ended.code, ended.err) == (0, "")
    assert "No longer tested: humidity, temperature." in ended.out
    assert "  outlook = sunny: tests humidity <= 75 -> answers no" in ended.out
    facts = json.loads(run("diff", "one.json", "two.json", "--json").out)
    assert "outlook = sunny" in [node["path"] for node in facts["nodes"]]
    assert facts["no_longer_tested"] == ["humidity", "temperature"]
    assert facts["sizes"]["old"]["depth"] > facts["sizes"]["new"]["depth"] == 1
    assert run("diff", "one.json", "one.json").out == "The trees are the same.\n"


def test_two_other_results_are_compared(run: Run) -> None:
    run("describe", "weather.csv", "--out", "one.json")
    run("describe", "weather.csv", "--target", "play", "--out", "two.json")
    out = run("diff", "one.json", "two.json").out
    assert 'target: nothing -> "5 entries"' in out or "target" in out
    assert "The" in run("diff", "one.json", "one.json").out
