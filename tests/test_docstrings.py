"""Every example in a docstring runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from io import StringIO
from pathlib import Path

import pytest

import treewright

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = ["treewright"] + [
    module.name
    for module in pkgutil.walk_packages(treewright.__path__, "treewright.")
    if not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report = StringIO()
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for example in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name), name):
        runner.run(example, out=report.write)
    assert runner.summarize(verbose=False).failed == 0, report.getvalue()
