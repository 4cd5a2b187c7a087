"""What a command may not write over, and options that contradict one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import WEATHER, Run, assert_refused

DATA = ("weather.csv", "--target", "play")


@pytest.mark.parametrize(
    "command",
    [
        ["enumerate", *DATA, "--out", "link"],
        ["enumerate", *DATA, "--all", "./link", "--overwrite"],
        ["enumerate", *DATA, "--all", "link", "--resume"],
        ["enumerate", "link.csv", "--target", "play", "--out", "link"],
        ["select", *DATA, "--out", "link"],
        ["fit", *DATA, "--out", "link"],
        ["predict", "tree.json", "weather.csv", "--out", "weather.csv"],
        ["study", "selection", "wine", *DATA, "--out", "link"],
        ["study", "distinct-trees", *DATA, "--csv", "weather.csv"],
    ],
)
def test_data_are_not_written_over(run: Run, command: list[str]) -> None:
    assert run("fit", *DATA, "--out", "tree.json").code == 0
    for link in ("link", "link.csv"):
        Path(link).symlink_to("weather.csv")
    assert_refused(run(*command), 2, "is the file that DATA is read from; name another.")
    assert Path("weather.csv").read_text(encoding="utf-8") == WEATHER


def test_model_is_not_written_over(run: Run) -> None:
    run("fit", *DATA, "--out", "tree.json")
    ended = run("predict", "tree.json", "weather.csv", "--out", "tree.json")
    assert_refused(ended, 2, "--out: 'tree.json' is the file that MODEL is read from; name another.")


def test_one_file_is_not_written_twice(run: Run) -> None:
    ended = run("enumerate", *DATA, "--all", "found", "--out", "./found")
    assert_refused(ended, 2, "--all and --out both name the file 'found'; name two.")
    assert not Path("found").exists()


def test_name_of_a_set_is_no_file(run: Run) -> None:
    assert run("fit", "iris", "--out", "iris").code == 0
    assert run("fit", "iris", "--out", "iris").code == 0


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["fit", *DATA, "--out", "tree.PDF"], "'--out': 'tree.PDF' must end in .json."),
        (["select", *DATA, "--out", "a.html"], "'--out': 'a.html' must end in .json."),
        (["optimal", *DATA, "--out", "a.svg"], "'--out': 'a.svg' must end in .json. --plot draws a picture."),
        (["study", "selection", *DATA, "--out", "a.csv"], "must end in .json. --csv writes the numbers."),
        (["study", "selection", *DATA, "--csv", "a.xlsx"], "'--csv': 'a.xlsx' must end in .csv."),
        (["explore", *DATA, "--save-model", "a.html"], "'--save-model': 'a.html' must end in .json."),
        (["predict", "tree.json", "weather.csv", "--out", "a.xlsx"], "must end in .csv, .txt or .json."),
        (["explain", "tree.json", "outlook=rain", "--out", "a.png"], "must end in .svg, .json, .txt or .md."),
        (["rules", "tree.json", "--out", "a.html"], "must end in .md, .tex, .csv, .json or .txt."),
    ],
)
def test_no_name_promises_another_form(run: Run, command: list[str], message: str) -> None:
    assert run("fit", *DATA, "--out", "tree.json").code == 0
    before = set(Path().iterdir())
    assert_refused(run(*command), 2, message)
    assert set(Path().iterdir()) == before


def test_a_name_that_promises_nothing_is_taken(run: Run) -> None:
    for name in ("tree", "tree.v2", "tree.model"):
        assert run("fit", *DATA, "--out", name).code == 0
        assert Path(name).read_text(encoding="utf-8").startswith("{")


def test_two_forms_of_one_answer_are_refused(run: Run) -> None:
    ended = run("study", "distinct-trees", *DATA, "--json", "--latex")
    assert_refused(ended, 2, "--json and --latex are two forms of one answer")


def test_zero_is_a_value(run: Run) -> None:
    """It was taken for an option that is not there."""
    ended = run("select", "wine", "--min-samples-split", 16, "--complete", "--max-features", 0)
    assert "The best tree tests no feature" in ended.out
    ended = run("select", "wine", "--forward", "--max-features", 0)
    assert ended.code == 2 or "The best tree tests no feature" in ended.out


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--m", 0], "Invalid value for '--m'"),
        (["--folds", 100], "too few for 100 folds; choose fewer folds"),
    ],
)
def test_study_speaks_of_options_that_it_has(run: Run, option: list[object], message: str) -> None:
    ended = run("study", "distinct-trees", *DATA, *option)
    assert message in " ".join(ended.err.split())
