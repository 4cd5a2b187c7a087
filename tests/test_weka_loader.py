"""ARFF files read as Weka's own loader reads them: generated ones, and every set of the folder written."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

import file_grammars as grammars
import weka
from treewright import Dataset, datasets

DUMP = Path(__file__).parent / "weka_java" / "Dump.java"
ABSENT = weka.why_absent() or (None if shutil.which("javac") else "no javac is on the path")
N_FILES = int(os.environ.get("TREEWRIGHT_FILES", "40"))
MOST_VALUES = 3e5 if "TREEWRIGHT_FILES" in os.environ else 1e4
"""More files, and larger ones, by this variable; with 150 and all sets below 300 000 values they agreed."""

pytestmark = [
    pytest.mark.weka,
    pytest.mark.skipif(ABSENT is not None, reason=f"Weka: {ABSENT}"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


@dataclass
class Loaded:
    """What Weka made of a file: names, domains (None: numbers), rows with None where missing, weights."""

    names: list[str] = field(default_factory=list)
    domains: list[list[str] | None] = field(default_factory=list)
    rows: list[list[object]] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    refused: str = ""


def text_of(shown: str) -> str:
    units = bytes.fromhex(shown)
    return units.decode("utf-16-be", "surrogatepass")


def loaded(paths: Sequence[Path]) -> Iterator[Loaded]:
    """Read files by Weka, all in one start of Java."""
    command = ["java", "-Duser.timezone=UTC", "-XX:TieredStopAtLevel=1", "-cp", str(weka.JAR), str(DUMP)]
    told = subprocess.run([*command, *map(str, paths)], capture_output=True, text=True, check=True).stdout
    for part in told.split("file ")[1:]:
        found = Loaded()
        for line in part.splitlines()[1:]:
            kind, *words = line.split(" ")
            if kind == "attribute":
                found.names.append(text_of(words[1]))
                found.domains.append([text_of(word) for word in words[2:]] if words[0] == "1" else None)
            elif kind == "row":
                found.weights.append(float(words[0]))
                found.rows.append([_value(word) for word in words[1:]])
            else:
                found.refused = line
        yield found


def _value(word: str) -> object:
    if word == "?":
        return None
    return text_of(word[1:]) if word.startswith('"') else float(word)


def assert_same(found: Loaded, data: Dataset) -> None:
    """Hold a data set against what Weka loaded; its class is the last attribute."""
    assert found.refused == ""
    assert data.feature_names == found.names[:-1]
    classes = [str(label) for label in data.classes.tolist()]
    for i, domain in enumerate(found.domains):
        own = [row[i] for row in found.rows]
        if i == data.n_features:
            assert [classes[code] for code in data.target] == [domain[int(value)] for value in own]
        elif domain is None:
            np.testing.assert_array_equal(data.column(i), [math.nan if v is None else v for v in own])
        else:
            assert [str(level) for level in data.levels[i]] == domain
            assert data.column(i).tolist() == [-1 if v is None else int(v) for v in own]
    weights = data.sample_weight
    assert found.weights == ([1.0] * data.n_samples if weights is None else weights.tolist())


def generated(n_files: int) -> list[str]:
    """Draw files of the grammar, shared with the tests of the reader."""
    texts: list[str] = []

    @given(grammars.arff_files())
    @settings(
        max_examples=n_files,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def collect(drawn: tuple[str, grammars.Truth]) -> None:
        texts.append(drawn[0])

    collect()
    return texts


def test_generated_files_are_loaded_alike(tmp_path: Path) -> None:
    paths = []
    for i, text in enumerate(generated(N_FILES)):
        paths.append(tmp_path / f"{i}.arff")
        paths[-1].write_text(text, encoding="utf-8", newline="")
    for path, found in zip(paths, loaded(paths), strict=True):
        assert_same(found, datasets.read(path))


@pytest.mark.skipif(not os.environ.get("TREEWRIGHT_DATA"), reason="TREEWRIGHT_DATA names no folder")
def test_every_set_of_the_folder_is_loaded_alike(tmp_path: Path) -> None:
    small = [
        one.name
        for one in datasets.catalogue()
        if one.n_samples * (one.n_numeric + one.n_nominal) < MOST_VALUES
    ]
    paths = []
    for name in small:
        paths.append(tmp_path / f"{name.replace(':', '-')}.arff")
        datasets.write(datasets.load(name), paths[-1])
    for name, path, found in zip(small, paths, loaded(paths), strict=True):
        assert_same(found, datasets.load(name))
        assert_same(found, datasets.read(path))
