"""Every file of the folder `cases/files` reads as its table says, in Python and on the command line."""

from __future__ import annotations

import json
import re
import tomllib
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import Run
from treewright import DataError, Dataset, DataWarning, datasets

FOLDER = Path(__file__).parent / "cases" / "files"
FILES: list[dict[str, Any]] = tomllib.loads((FOLDER / "index.toml").read_text(encoding="utf-8"))["file"]
FINE, REFUSED = ([one for one in FILES if ("error" in one) is bad] for bad in (False, True))


def told_name(one: Mapping[str, Any]) -> str:
    return str(one["name"])


def options_of(one: Mapping[str, Any]) -> dict[str, Any]:
    return {"target": "class", **one.get("options", {})}


def values_of(data: Dataset, name: str) -> list[object]:
    """Return the values of a column as the table writes them: "" is a missing text."""
    place = data.feature_names.index(name)
    column, levels = data.column(place).tolist(), data.levels[place]
    return column if levels is None else [levels[code] if code >= 0 else "" for code in column]


def test_the_table_names_every_file() -> None:
    assert {told_name(one) for one in FILES} == {path.name for path in FOLDER.iterdir()} - {"index.toml"}
    assert len(FILES) >= 60


@pytest.mark.parametrize("one", FINE, ids=told_name)
def test_a_file_reads_as_it_must(one: dict[str, Any]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = datasets.read_csv(FOLDER / one["name"], **options_of(one))
    assert data.source is not None
    assert data.source.told == one.get("told")
    for name, values in one["columns"].items():
        np.testing.assert_equal(values_of(data, name), values)
    assert data.classes is not None
    assert data.classes[data.target].tolist() == one["classes"]
    found = [str(warning.message) for warning in caught if issubclass(warning.category, DataWarning)]
    assert len(found) == len(one.get("warns", []))
    for message, expected in zip(found, one.get("warns", []), strict=True):
        assert re.search(expected, message)


@pytest.mark.parametrize("one", REFUSED, ids=told_name)
def test_a_file_is_refused_by_place_and_remedy(one: dict[str, Any]) -> None:
    with pytest.raises(DataError) as caught:
        datasets.read(FOLDER / one["name"], **options_of(one))
    assert re.search(one["error"], str(caught.value))
    assert str(FOLDER / one["name"]) in str(caught.value)


def arguments_of(one: Mapping[str, Any]) -> list[str]:
    """Return the options of a file as the command line has them."""
    arguments: list[str] = []
    for name, value in options_of(one).items():
        option = f"--{name.replace('_', '-')}"
        if name == "kinds":
            arguments += [part for column, kind in value.items() for part in (f"--{kind}", column)]
        elif isinstance(value, bool):
            arguments.append(option)
        elif isinstance(value, list):
            arguments += [part for text in value for part in (option.removesuffix("s"), text)]
        else:
            arguments += [option, str(value)]
    return arguments


@pytest.mark.parametrize("one", FILES, ids=told_name)
def test_the_command_line_says_the_same(one: dict[str, Any], run: Run) -> None:
    ended = run("describe", FOLDER / one["name"], *arguments_of(one), "--json")
    if "error" in one:
        assert ended.code == 1
        assert ended.err.startswith("Error: ")
        return
    assert ended.code == 0, ended.err
    names = {column["name"] for column in json.loads(ended.out)["columns"]}
    assert {*one["columns"]} <= names
    assert f"{one['name']}: {one['told']}" in ended.err if "told" in one else ";" not in ended.err
