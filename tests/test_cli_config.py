"""What every command does with `--config`, `--save-config`, `rerun` and `diff`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from commands import Run
from result_cases import CASES, FILES, commands
from treewright.cli import treewright

WRITING = [
    name for name, one in commands(treewright) if name in CASES and any("--out" in p.opts for p in one.params)
]


@pytest.mark.parametrize("command", WRITING)
def test_options_in_a_file_are_those_on_the_line_and_results_are_made_again(run: Run, command: str) -> None:
    for name, line in FILES.items():
        run(*line, "--out", name, "--quiet")
    words, options = command.split(), CASES[command][-1]
    first = run(*words, *options, "--save-config", "job.toml", "--json")
    assert tomllib.loads(Path("job.toml").read_text(encoding="utf-8"))["command"] == command
    again = run(*words, "--config", "job.toml", "--out", "again.json")
    assert (again.code, first.code) == (0, 0)
    Path("first.json").write_text(first.out, encoding="utf-8")
    assert json.loads(run("diff", "first.json", "again.json", "--json").out)["is_same"]
    made = run("rerun", "again.json")
    assert (made.code, "The same result." in made.out) == (0, True), made
