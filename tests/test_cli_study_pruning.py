"""`treewright study pruning`.

Inner names, as in unit tests: `cli._signature`: parts of the command line are tested without a
process. `studies.pruning.design`: statistics and rivals are compared with other libraries, one by
one.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Run, assert_refused
from treewright.cli._signature import parameters_of
from treewright.evolution import LearnedPruning
from treewright.studies import compare_pruning
from treewright.studies.pruning.design import NAMED

TWO = ("study", "pruning", "monks-1", "monks-3", "--rule", "none", "--rule", "naive", "--repeats", 1)
DRAWN = ("study", "pruning", "--generator", "paper_table", "--sets", "60x2")


def test_every_rule_with_a_name_is_told() -> None:
    assert parameters_of("treewright.studies.compare_pruning")["rules"].choices == tuple(NAMED)


def test_table_is_that_of_the_study(run: Run) -> None:
    ended = run(*TWO, "--folds", 4)
    assert (ended.code, ended.err) == (0, "")
    study = compare_pruning(["monks-1", "monks-3"], rules=["none", "naive"], cv=4, repeats=1, progress=False)
    assert ended.out == study.to_text(80) + "\n"
    assert max(map(len, ended.out.splitlines())) <= 80


def test_generated_sets_write_files_and_json(run: Run) -> None:
    ended = run(*DRAWN, "--plot", "ranks.png", "--csv", "sets.csv", "--json", "--seed", 3)
    facts = json.loads(ended.out)
    assert facts["settings"]["generator"] == "paper_table"
    assert facts["settings"]["n_sets"] == 120
    assert facts["settings"]["rules"]["none"] is None
    assert sum(row["n_sets"] for row in facts["data_sets"]) == 120
    assert [row["method"] for row in facts["tests"]] == [*facts["settings"]["rules"]]
    assert facts["friedman"]["p_value"] < 0.001
    assert Path("ranks.png").read_bytes().startswith(b"\x89PNG")
    assert len(Path("sets.csv").read_text().splitlines()) == 1 + 120 * 5
    study = compare_pruning(generator="paper_table", n_sets=120, random_state=3, progress=False)
    assert [row["error"] for row in facts["summary"]] == study.summary["error"].tolist()


def test_reference_and_latex(run: Run) -> None:
    out = run(*DRAWN, "--reference", "none", "--latex").out
    assert r"\begin{tabular}" in out
    assert "worse than none" in out


@pytest.mark.parametrize("growth", ["standard", "c45"])
def test_other_growing_takes_numbers(run: Run, growth: str) -> None:
    options = ("--growth", growth, "--max-depth", 3, "--repeats", 1, "--folds", 3)
    ended = run(
        "study",
        "pruning",
        "weather.csv",
        "--target",
        "play",
        *options,
        "--rule",
        "none",
        "--rule",
        "error_based",
    )
    assert ended.code == 0
    assert "weather.csv" in ended.out


@pytest.mark.parametrize("command", [("study", "pruning"), ("fit",)])
def test_numeric_columns_are_refused_with_the_options_that_help(run: Run, command: tuple[str, ...]) -> None:
    asked = (*command, "weather.csv", "--target", "play", "--growth", "id3")
    assert_refused(run(*asked), 1, "weather.csv: trees grow by --growth id3")
    ended = run(*asked)
    assert "column 'temperature' is numeric" in ended.err
    assert "--growth standard" in ended.err
    assert "--nominal COL" in ended.err
    few = ("--folds", 3, "--repeats", 1) if command[0] == "study" else ()
    assert run(*asked, "--nominal", "temperature", "--nominal", "humidity", *few).code == 0


def test_a_narrow_table_begins_with_the_ranks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("study", "pruning", "monks-1", "--repeats", 1, "--folds", 3).out.splitlines()
    assert " rank " in lines[2]
    assert lines[3].split() == ["data", "none", "naive", "error_based_no_grafting", "tuned", "published"]
    assert "all" not in lines


def test_published_sets_need_a_folder(run: Run) -> None:
    ended = run("study", "pruning", "--paper")
    assert ended.code == 1
    assert "no folder is named" in ended.err
    assert "mushroom, audiology, car" in ended.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "one of the three"),
        (("monks-1", "--paper"), "one of the three"),
        (("--paper", "--generator", "paper_text"), "one of the three"),
        (("monks-1", "--sets", "60"), "'--sets': 60 counts sets that a generator draws; leave it out"),
        (("--paper", "--target", "x"), "--target does not go with --paper"),
        (("--paper", "--delimiter", ","), "--delimiter does not go with --paper"),
        (("--generator", "paper_text", "--folds", "10"), "'--folds': 10 is for data, not for a generator"),
        (("--generator", "paper_text", "--repeats", "3"), "'--repeats': 3 is for data, not for a generator"),
        (("--generator", "paper_text", "--target", "x"), "--target does not go with --generator"),
        (("--generator", "paper_text", "--folder", "."), "--folder does not go with --generator"),
        (("--generator", "paper_text", "--drop", "x"), "--drop does not go with --generator"),
        (("--generator", "paper_text", "--sets", "60y2"), "60x1000"),
        (("--generator", "paper_text", "--sets", "0"), "60x1000"),
        (("--generator", "paper"), "--generator"),
        (("monks-1", "monks-1"), "more than once"),
        (("monks-1", "--rule", "cart"), "--rule"),
        (("monks-1", "--rule", "none"), "two or more"),
        (("monks-1", "--reference", "ebp"), "--reference"),
        (("monks-1", "--json", "--latex"), "--json and --latex"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(run: Run, arguments: tuple[str, ...], message: str) -> None:
    assert_refused(run("study", "pruning", *arguments), 2, message)


def test_learned_rules_are_compared(run: Run) -> None:
    preset = LearnedPruning.presets()[0]
    Path("mine.json").write_text(LearnedPruning.preset(preset).to_json(), encoding="utf-8")
    line = (
        "study",
        "pruning",
        "monks-1",
        "--rule",
        "none",
        "--rule",
        "mine.json",
        "--repeats",
        1,
        "--folds",
        3,
    )
    rows = json.loads(run(*line, "--rule", f"learned:{preset}", "--json").out)["summary"]
    errors = {row["method"]: (row["error"], row["n_nodes"]) for row in rows if row["data"] == "all"}
    assert list(errors) == ["none", "mine", preset]
    assert errors["mine"] == errors[preset]
    rule = LearnedPruning.preset(preset)
    study = compare_pruning("monks-1", rules={"none": None, "mine": rule}, cv=3, repeats=1, progress=False)
    assert errors["mine"][0] == study.summary.records()[-1]["error"]
    for more, words in (
        (("--rule", "./mine.json"), "Two rules are called 'mine'"),
        (("--rule", "cart"), "nor a file that `treewright evolve --out` wrote"),
        (("--rule", "learned:cart"), "learned:cart is not known"),
    ):
        ended = run(*line, *more)
        assert ended.code == 2
        assert words in " ".join(ended.err.split())
