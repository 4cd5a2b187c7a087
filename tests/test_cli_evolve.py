"""`treewright evolve`.

Inner names, as in unit tests: `cli.evolve`: parts of the command line are tested without a process.
"""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from commands import Run, assert_refused
from treewright import Tree
from treewright.cli.evolve import FrontView
from treewright.evolution import LearnedPruning, learn_pruner
from treewright.pruning import prune
from treewright.results import Progress

FEW = ("--budget", 600, "--trees", 30, "--validation-trees", 20, "--test-trees", 20)
DRAWN = ("evolve", "--generator", "paper_table", *FEW)


def with_budget(asked: tuple[object, ...], budget: int) -> tuple[object, ...]:
    """Return the same with another number after ``--budget``."""
    place = asked.index("--budget") + 1
    return *asked[:place], budget, *asked[place + 1 :]


def test_report_is_that_of_the_function(run: Run) -> None:
    ended = run(*DRAWN, "--seed", 2, "--out", "rule.json")
    assert ended.code == 0
    rule = LearnedPruning.from_json(Path("rule.json").read_text(encoding="utf-8"))
    assert ended.out == rule.report()
    again = learn_pruner("paper_table", budget=600, n_train=30, n_validation=20, n_test=20, random_state=2)
    assert again == rule
    assert again.front_ == rule.front_


def test_sets_of_two_generators_are_learned_from(run: Run) -> None:
    both = json.loads(run(*DRAWN, "--generator", "paper_text", "--json").out)
    sizes = {"budget": 600, "n_train": 30, "n_validation": 20, "n_test": 20}
    assert LearnedPruning(both["program"]) == learn_pruner(["paper_table", "paper_text"], **sizes)
    assert both["record"]["data"] == "generated data (paper_table, paper_text)"


def test_training_trees_become_as_many_as_asked_for(run: Run) -> None:
    for options, n_train in (((), 120), (("--most-trees", 50), 50)):
        grown = json.loads(run(*with_budget(DRAWN, 11_000), "--json", *options).out)
        assert grown["record"]["n_trees"] == [n_train, 20, 20]


def test_checkpoints_are_gone_on_with(run: Run) -> None:
    first = json.loads(run(*DRAWN, "--checkpoint", "run.json", "--resume", "--json").out)
    more = with_budget(DRAWN, 1500)
    gone_on = json.loads(run(*more, "--checkpoint", "run.json", "--resume", "--json").out)
    straight = json.loads(run(*more, "--json").out)
    assert first["record"]["n_programs"] < gone_on["record"]["n_programs"]
    for document in (gone_on, straight):
        del document["record"]["elapsed"], document["command"]
    assert gone_on == straight


def test_rules_in_files_prune_and_are_gone_on_from(run: Run) -> None:
    assert run(*DRAWN, "--out", "rule.json").code == 0
    rule = LearnedPruning.from_json(Path("rule.json").read_text(encoding="utf-8"))
    assert run("fit", "weather.csv", "--target", "play", "--out", "tree.json").code == 0
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    for name, expected in (
        ("rule.json", rule),
        ("learned:paper_table", LearnedPruning.preset("paper_table")),
    ):
        pruned = Tree.from_json(run("prune", "tree.json", "--rule", name, "--json").out)
        assert pruned == prune(tree, expected)
        fitted = run("fit", "weather.csv", "--target", "play", "--prune", name, "--json")
        assert Tree.from_json(fitted.out) == pruned
        start = run(*with_budget(DRAWN, 1), "--start", name, "--json")
        assert LearnedPruning.from_json(start.out).record_.scores[-2].name == "start"
    shown = run("prune", "tree.json", "--rule", "rule.json")
    assert shown.code == 0
    assert "LearnedPruning" in shown.out


NO_RULE = [
    ("none.json", 1, "none.json"),
    ("weather.csv", 1, "weather.csv holds no learned rule"),
    ("tree.json", 1, "give a file that `treewright evolve --out` wrote"),
    ("learned:best", None, "learned:paper_table"),
    ("best", 2, "'best'"),
]


@pytest.mark.parametrize(("name", "code", "message"), NO_RULE)
def test_files_that_hold_no_rule_are_refused(run: Run, name: str, code: int | None, message: str) -> None:
    assert run("fit", "weather.csv", "--target", "play", "--out", "tree.json").code == 0
    for command in (
        ("prune", "tree.json", "--rule", name),
        ("fit", "weather.csv", "--target", "play", "--prune", name),
        (*DRAWN, "--start", name),
    ):
        ended = run(*command)
        assert ended.out == ""
        assert ended.code == code or (code is None and ended.code in (1, 2))
        assert message in " ".join(ended.err.split())


def test_parameters_of_other_rules_are_refused(run: Run) -> None:
    fitting = ("fit", "weather.csv", "--target", "play", "--prune", "learned:paper_table")
    assert_refused(run(*fitting, "--confidence", 0.1), 2, "--confidence does not go with --prune learned:")


def test_patience_ends_a_run(run: Run) -> None:
    ended = run(*with_budget(DRAWN, 10**9), "--patience", 1)
    assert ended.code == 0
    assert "(stalled)" in ended.out


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def drawn(text: str) -> list[str]:
    """Return what stands on a screen after text with moves of the cursor."""
    lines, row = [""], 0
    for part in re.split(r"(\x1b\[\d*[AJ]|\r|\n)", text):
        if part == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif part.endswith("A"):
            row -= int(part[2:-1])
        elif part.endswith("J"):
            lines[row:] = [""]
        elif part != "\r":
            lines[row] += part
    return lines


def test_the_front_is_drawn_in_place_and_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    table = "\n".join(["bits  formula", *(f"{bits:>4}  n" for bits in range(40))])
    before = "Before.\n"
    with FrontView(wanted=True) as view:
        assert not view(Progress(0, 900, None, 0.1, "3 of 9 trees grown"))
        assert drawn(before + screen.getvalue()) == ["Before.", "3 of 9 trees grown, 0.1 s"]
        assert not view(Progress(300, 900, 0.25, 1.1, table))
        shown = drawn(before + screen.getvalue())
        assert shown[:2] == ["Before.", "bits  formula"]
        assert shown[-1] == "300 of 900 programs, 0.25 at best in training, 1.1 s, 300 programs a second"
        assert shown[-2] == "  39  n", "the largest rules stay"
        assert len(shown) == 24, "no more than the screen holds"
        assert not view(Progress(600, 900, 0.2, 1.15, table)), "too soon"
        assert not view(Progress(900, 900, 0.2, 2.1, "bits  formula\n" + "x" * 200))
        assert drawn(before + screen.getvalue())[1:] == [
            "bits  formula",
            "x" * 79,
            "900 of 900 programs, 0.2 at best in training, 2.1 s, 450 programs a second",
        ]
    assert drawn(before + screen.getvalue()) == ["Before.", ""]


def test_what_ctrl_c_says_stays_until_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    table = "bits  formula\n   4  c"
    for is_terminal in (True, False):
        screen = io.StringIO()
        monkeypatch.setattr(screen, "isatty", lambda is_terminal=is_terminal: is_terminal)
        monkeypatch.setattr(sys, "stderr", screen)
        with FrontView(wanted=True) as view:
            view(Progress(300, 900, 0.25, 1.1, table))
            view.end()
            view.end()
            view(Progress(600, 900, 0.25, 9.1, table))
            assert screen.getvalue().endswith("ends without it." + "\n" * (not is_terminal))
            assert screen.getvalue().count("Stopped. The report follows") == 1


def test_without_a_terminal_there_are_lines(run: Run) -> None:
    assert run(*DRAWN).err == ""
    lines = run(*DRAWN, "--progress").err.splitlines()
    assert lines
    assert all("\x1b" not in line for line in lines)


def test_data_of_ones_own_and_code(run: Run) -> None:
    own = ("evolve", "weather.csv", "--target", "play", *FEW)
    assert "not independent" in run(*own).out
    assert "def estimate(c, n)" in run(*own, "--code", "python").out
    assert r"\frac" in run(*with_budget(own, 1), "--code", "latex", "--start", "(n - c + 0.5) / n").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("evolve",), "Give DATA or --generator"),
        (("evolve", "iris", "--generator", "paper_text"), "Give DATA or --generator"),
        ((*DRAWN, "--resume"), "--resume goes with --checkpoint"),
        ((*DRAWN, "--trees", 0), "--trees"),
        (
            (*DRAWN, "--most-trees", 29),
            "'--most-trees': 29 must be an int of at least 30",
        ),
        ((*DRAWN, "--json", "--code", "python"), "--json and --code are two forms of one answer"),
        ((*DRAWN, "--time-limit", 0), "give seconds, or leave it out for no limit"),
        ((*DRAWN, "--checkpoint", "no/run.json"), "'no' is no folder"),
        ((*DRAWN, "--start", "."), "it is a folder: give a file that `treewright evolve --out` wrote"),
        ((*DRAWN, "--start", "rule.jso"), "found '.'; there is no file of that name either"),
        ((*DRAWN, "--start", "results/rule"), "there is no file of that name either"),
        ((*DRAWN, "--generator", "paper_table"), "--generator names 'paper_table' more than once"),
        ((*DRAWN, "--target", "play"), "--target says how DATA is read; --generator draws its sets"),
        ((*DRAWN, "--checkpoint", "a.json", "--out", "a.json"), "both name the file 'a.json'"),
        ((*DRAWN, "--checkpoint", "weather.csv"), "'weather.csv' is there already; go on with --resume"),
        ((*DRAWN, "--start", ""), "Invalid value for '--start': '' is empty"),
        (("fit", "weather.csv", "--target", "play", "--prune", "."), "'.' is a folder; give a file that"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, arguments: tuple[object, ...], message: str) -> None:
    assert_refused(run(*arguments), 2, message)


def test_an_error_tells_the_rules_that_the_help_tells(run: Run) -> None:
    for command, option, is_told in (("prune", "--rule", False), ("fit", "--prune", True)):
        ended = run(command, "weather.csv", option, "best")
        assert ended.code == 2
        assert ("tuned-error-based" in ended.err) is is_told
        told = run(command, "--help-all").out.partition(f"{option} RULE")[2].partition("learned:NAME")[0]
        assert ("tuned-error-based" in re.sub(r"-\s+", "-", told)) is is_told


def test_a_file_that_is_no_checkpoint_is_named(run: Run) -> None:
    assert run(*DRAWN, "--out", "rule.json").code == 0
    assert_refused(run(*DRAWN, "--checkpoint", "rule.json", "--resume"), 1, "'rule.json' is no checkpoint")


def test_a_start_that_is_no_rule_is_an_error(run: Run) -> None:
    assert_refused(run(*DRAWN, "--start", "n + x"), 2, "'n + x' cannot be read: column 5: no variable 'x'")
