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
    return {name.partition(".")[0] for name in modules(script, *arguments)}


def modules(script: str, *arguments: str) -> set[str]:
    """Run a script and return the modules that are imported at its end."""
    told = f"import sys\nsys.argv[1:] = {list(arguments)}\ntry:\n    {script}\nfinally:\n"
    told += "    print('', *sys.modules, file=sys.stderr)\n"
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


UNUSED = {
    *(f"treewright.data.sources.{name}" for name in ("arff", "c45", "libsvm", "orange", "sheets", "sql")),
    *(
        "treewright.data.sources.arrow",
        "treewright.data.sources.typed_rows",
        "treewright.data.description.page",
    ),
    *("treewright.cli.fit", "treewright.cli._folds", "narwhals", "email", "multiprocessing", "asyncio"),
}
"""What predicting the rows of a CSV file has no use for."""


def test_predicting_imports_the_reader_of_its_format_alone(run: Run) -> None:
    run("fit", "weather.csv", "--target", "play", "--out", "tree.json")
    found = modules(COMMAND, "predict", "tree.json", "weather.csv")
    assert "treewright.data.sources.csv" in found
    assert found & UNUSED == set()
    assert len([name for name in found if name.startswith("treewright")]) <= 110


def test_reading_a_table_needs_no_learning(run: Run) -> None:
    Path("again.csv").write_text(WEATHER, encoding="utf-8")
    script = "from treewright.datasets import read_csv; read_csv('again.csv', target='play')"
    assert imported(script) & LEARNING == set()
