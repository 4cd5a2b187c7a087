"""`treewright evolve`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Run, assert_refused
from treewright import learn_pruner
from treewright.evolution import LearnedPruning

FEW = ("--budget", 600, "--trees", 30, "--validation-trees", 20, "--test-trees", 20)
DRAWN = ("evolve", "--generator", "paper_table", *FEW)


def test_report_is_that_of_the_function(run: Run) -> None:
    ended = run(*DRAWN, "--seed", 2, "--out", "rule.json")
    assert ended.code == 0
    rule = LearnedPruning.from_json(Path("rule.json").read_text(encoding="utf-8"))
    assert ended.out == rule.report()
    again = learn_pruner("paper_table", budget=600, n_train=30, n_validation=20, n_test=20, random_state=2)
    assert again == rule
    assert again.front_ == rule.front_


def test_checkpoints_are_gone_on_with(run: Run) -> None:
    first = json.loads(run(*DRAWN, "--checkpoint", "run.json", "--resume", "--json").out)
    more = ("--budget", 1500)
    gone_on = json.loads(run(*DRAWN, "--checkpoint", "run.json", "--resume", "--json", *more).out)
    straight = json.loads(run(*DRAWN, "--json", *more).out)
    assert first["record"]["n_programs"] < gone_on["record"]["n_programs"]
    for document in (gone_on, straight):
        del document["record"]["elapsed"]
    assert gone_on == straight


def test_data_of_ones_own_and_code(run: Run) -> None:
    own = ("evolve", "weather.csv", "--target", "play", *FEW)
    assert "not independent" in run(*own).out
    assert "def estimate(c, n)" in run(*own, "--code", "python").out
    assert r"\frac" in run(*own, "--code", "latex", "--start", "(n - c + 0.5) / n", "--budget", 1).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("evolve",), "Give DATA or --generator"),
        (("evolve", "iris", "--generator", "paper_text"), "Give DATA or --generator"),
        ((*DRAWN, "--resume"), "--resume goes with --checkpoint"),
        ((*DRAWN, "--trees", 0), "--trees"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, arguments: tuple[object, ...], message: str) -> None:
    assert_refused(run(*arguments), 2, message)


def test_a_start_that_is_no_rule_is_an_error(run: Run) -> None:
    assert_refused(
        run(*DRAWN, "--start", "n + x"), 2, "the formula 'n + x' cannot be read: column 5: no variable 'x'"
    )
