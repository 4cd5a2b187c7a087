"""What a start imports: modules are counted, not seconds.

Each case runs in an interpreter of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from commands import WEATHER, Run

NUMBERS = {"numpy", "scipy", "sklearn", "pandas", "pyarrow", "polars", "joblib", "narwhals", "matplotlib"}
LEARNING = NUMBERS - {"numpy", "narwhals"}


def imported(script: str, *arguments: str) -> set[str]:
    """Run a script and return the packages that are imported at its end."""
    told = f"import sys\nsys.argv[1:] = {list(arguments)}\ntry:\n    {script}\nfinally:\n"
    told += "    print('', *{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)\n"
    ended = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return set(ended.stderr.splitlines()[-1].split())


COMMAND = "from treewright.cli import main; main()"


def test_importing_the_package_imports_no_other() -> None:
    assert imported("import treewright") & NUMBERS == set()
    assert imported("from treewright import DataError, __version__") & NUMBERS == set()


@pytest.mark.parametrize("command", ["--help", "--version", "fit --help", "predict --help", "study --help"])
def test_help_needs_no_numbers(command: str) -> None:
    assert imported(COMMAND, *command.split()) & NUMBERS == set()


@pytest.mark.parametrize("options", [[], ["--proba"], ["--path"], ["--target", "play"]])
def test_predicting_needs_no_learning(run: Run, options: list[str]) -> None:
    run("fit", "weather.csv", "--target", "play", "--out", "tree.json")
    found = imported(COMMAND, "predict", "tree.json", "weather.csv", *options)
    assert "numpy" in found
    assert found & LEARNING == set()


def test_reading_a_table_needs_no_learning(run: Run) -> None:
    Path("again.csv").write_text(WEATHER, encoding="utf-8")
    script = "from treewright.datasets import read_csv; read_csv('again.csv', target='play')"
    assert imported(script) & LEARNING == set()
