"""Help screens, and what every command has alike: options in files, --quiet, completion.

Inner names, as in unit tests: `cli._option`: the options of every command are gone through.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from commands import Ended, Run, assert_refused, without_origin
from treewright.cli import treewright
from treewright.cli._option import Option

ROOT = click.Context(treewright, info_name="treewright")


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command with its words."""
    for name in treewright.list_commands(ROOT):
        command = treewright.get_command(ROOT, name)
        assert command is not None
        yield (name,), command
        if isinstance(command, click.Group):
            yield from (((name, inner), found) for inner, found in command.commands.items())


ALL = dict(commands())
WITH_OPTIONS = {words: one for words, one in ALL.items() if not isinstance(one, click.Group)}


def shown(words: tuple[str, ...]) -> str:
    return " ".join(words)


@pytest.mark.parametrize("command", [(), *ALL], ids=shown)
def test_help_is_one_screen(run: Run, command: tuple[str, ...]) -> None:
    ended = run(*command, "--help")
    lines = ended.out.splitlines()
    assert ended.code == 0
    assert max(map(len, lines)) <= 80
    assert 15 <= len(lines) <= 40


@pytest.mark.parametrize("command", WITH_OPTIONS, ids=shown)
def test_all_options_are_in_the_long_list(run: Run, command: tuple[str, ...]) -> None:
    ended = run(*command, "--help-all")
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) <= 80
    for option in WITH_OPTIONS[command].params:
        if isinstance(option, Option):
            assert f"  {option.opts[0]}" in ended.out


def test_the_short_list_names_the_words_that_can_be_chosen(run: Run) -> None:
    told = " ".join(run("fit", "--help").out.split()).replace("- ", "-")
    assert "How the tree is grown: standard, id3 or c45. [default: standard]" in told
    assert "Prune by this rule. [default: error-based-no-grafting; id3: none, c45: error-based]" in told
    assert "--confidence P Probability that the errors exceed the limit by chance." in told


def test_commands_are_listed_by_what_one_wants(run: Run) -> None:
    out = run("--help").out
    heads = [line for line in out.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert heads == ["Options:", "Learn:", "Look:", "Use:", "Study:"]
    for name, *_ in ALL:
        assert f"\n  {name} " in out


# Options in files.


def test_a_file_of_options_is_what_the_line_was(run: Run) -> None:
    line = ("weather.csv", "--target", "play", "--drop", "windy", "--drop", "humidity", "--max-depth", 3)
    plain = run("fit", *line, "--no-mdl-correction", "--cost-matrix", "yes:no=2.5", "--json")
    saved = run(
        "fit", *line, "--no-mdl-correction", "--cost-matrix", "yes:no=2.5", "--save-config", "job.toml"
    )
    assert saved.code == 0
    facts = tomllib.loads(Path("job.toml").read_text(encoding="utf-8"))
    assert facts == {
        "command": "fit",
        "data": "weather.csv",
        "target": "play",
        "drop": ["windy", "humidity"],
        "max_depth": 3,
        "mdl_correction": False,
        "cost_matrix": ["yes:no=2.5"],
    }
    again = run("fit", "--config", "job.toml", "--json")
    assert without_origin(again.out) == without_origin(plain.out)
    assert json.loads(again.out)["provenance"]["command"].endswith("--json weather.csv")


def test_the_line_wins_over_the_file(run: Run) -> None:
    Path("job.toml").write_text('data = "weather.csv"\ntarget = "play"\nmax-depth = 5\ndrop = ["windy"]\n')
    ended = run("fit", "--config", "job.toml", "--max-depth", 1, "--drop", "outlook", "--json")
    facts = json.loads(ended.out)
    assert facts["provenance"]["parameters"]["max_depth"] == 1
    assert [feature["name"] for feature in facts["schema"]["features"]] == [
        "temperature",
        "humidity",
        "windy",
    ]


def test_commands_within_a_group_have_files_too(run: Run) -> None:
    ended = run("study", "greedy", "--n-tables", 3, "--save-config", "job.toml", "--json")
    assert 'command = "study greedy"' in Path("job.toml").read_text(encoding="utf-8")
    again = json.loads(run("study", "greedy", "--config", "job.toml").out)
    assert again["means"] == json.loads(ended.out)["means"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max_dept = 3", "'max_dept' is no option of 'fit'; did you mean 'max_depth'?"),
        ('command = "select"', "is for `treewright select`, not for 'fit'"),
        ("max_depth = [1, 2]", "'max_depth' takes one value"),
        ("json = 1", "'json' is true or false, not 1"),
        ("max_depth = true", "'max_depth' is a text or a number, not True"),
        ("max_depth = ", "is no TOML file"),
        ('max_depth = "deep"', "'deep' is not a valid integer"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(run: Run, text: str, message: str) -> None:
    Path("job.toml").write_text(text, encoding="utf-8")
    assert_refused(run("fit", "wine", "--config", "job.toml"), 2, message)


def test_a_file_that_is_not_there_is_named(run: Run) -> None:
    assert_refused(run("fit", "wine", "--config", "none.toml"), 2, "none.toml: No such file")
    assert_refused(run("fit", "wine", "--save-config", "no/job.toml"), 2, "'no' is no folder")


# Nothing but the answer.


def test_quiet_says_nothing_but_the_answer(run: Run) -> None:
    assert run("fit", "wine", "--out", "tree.json", "--quiet") == Ended(0, "", "")
    Path("new.csv").write_text("outlook,humidity,windy\nfog,1,no\nsunny,2,no\n", encoding="utf-8")
    run("fit", "weather.csv", "--target", "play", "--out", "tree.json")
    assert run("predict", "tree.json", "new.csv").err.startswith("Note: ")
    ended = run("predict", "tree.json", "new.csv", "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("prediction\n")
    ids = "\n".join(["id,y", *(f"p{i},{i % 2}" for i in range(60))])
    Path("ids.csv").write_text(ids, encoding="utf-8")
    assert "Warning" in run("fit", "ids.csv", "--target", "y").err
    assert run("fit", "ids.csv", "--target", "y", "--quiet").err == ""
    assert "no column" in run("fit", "ids.csv", "--target", "z", "--quiet").err


@pytest.mark.parametrize("line", ["fit wine --show-depth 2", "describe iris", "--help", "fit wine --target"])
def test_nothing_is_coloured(line: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "treewright", *line.split()], capture_output=True, check=False
    )
    assert b"\x1b" not in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("treewright fi", {"fit", "fixed-depth"}),
        ("treewright fit --max-d", {"--max-depth"}),
        ("treewright fit --criterion g", {"gain_ratio", "gini"}),
        ("treewright fit wi", {"wine", "wi"}),  # a named set, or a file that begins so
        ("treewright predict tr", {"tr"}),
        ("treewright study pl", {"planes"}),
    ],
)
def test_a_shell_completes(line: str, wanted: set[str]) -> None:
    script = "import sys; sys.argv = ['treewright']; from treewright.cli import main; main()"
    environment = {
        "_TREEWRIGHT_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
        "PATH": "",
        "PYTHONPATH": ":".join(sys.path),
    }
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
    )
    assert {found.partition(",")[2] for found in ended.stdout.split()} == wanted
