"""A hospital's file, from raw to an honest error in three commands, without pandas."""

from __future__ import annotations

import csv
import datetime
import io
import json
import random
import shlex
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from commands import Run

HEADS = ["Fallnummer", "Aufnahme", "Alter", "Station", "CRP", "Hb", "ASA", "Sepsis"]
N_ROWS, N_POSITIVE = 800, 56


def hospital_file(path: str, seed: int) -> None:
    """Write a title, semicolons, decimal commas, dates, an id, codes of what is missing, 7 % positives."""
    draw, rows = random.Random(seed), []
    for case in range(N_ROWS):
        is_ill = case < N_POSITIVE
        crp = draw.lognormvariate(3.4 if is_ill else 2.0, 0.7)
        admitted = datetime.date(2021, 1, 1) + datetime.timedelta(draw.randrange(900))
        rows.append(
            [
                f"P{100_000 + draw.randrange(10**5) + case * 10**5}",
                admitted.strftime("%d.%m.%Y"),
                draw.randint(18, 95),
                draw.choice(["Innere", "Chirurgie", "Gyn\u00e4kologie"]),
                f"{crp:.1f}".replace(".", ",") if draw.random() > 0.05 else "n/a",
                f"{draw.gauss(13, 2):.1f}".replace(".", ","),
                draw.choice([-9, 1, 2, 3]),
                "ja" if is_ill else "nein",
            ]
        )
    draw.shuffle(rows)
    table = io.StringIO()
    csv.writer(table, delimiter=";", lineterminator="\r\n").writerows([HEADS, *rows])
    Path(path).write_bytes(f"Klinikum, Auswertung 2021-2023\r\n\r\n{table.getvalue()}".encode("cp1252"))


class Uninstalled(MetaPathFinder):
    """Packages that cannot be imported, as where they are not installed."""

    def __init__(self, *packages: str) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in self.packages:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_three_commands(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Uninstalled("pandas", "polars", "pyarrow")
    for name in list(sys.modules):
        if name.partition(".")[0] in gone.packages:
            # Not None in its place: scikit-learn before 1.8 takes that for pandas.
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [gone, *sys.meta_path])
    hospital_file("sepsis.csv", seed=0)
    described = run("describe", "sepsis.csv", "--target", "Sepsis")
    assert described.code == 0
    assert "sepsis.csv: semicolons, decimal commas, cp1252, header on line 3; 800 rows" in described.err
    assert "7.0%" in described.out
    line = shlex.split(described.out.splitlines()[-1])
    for words in (["--drop", "Fallnummer"], ["--dates", "Aufnahme"], ["--missing-value", "ASA:-9"]):
        assert words in [line[i : i + 2] for i in range(len(line))]
    assert line[:2] == ["treewright", "explore"]
    quick = ("--family", "c45_pruned", "--cv", 3, "--inner-cv", 2)
    fitted = run(*line[1:], *quick, "--out", "tree.json")
    assert fitted.code == 0
    assert "CRP <= " in fitted.out
    found = json.loads(run("evaluate", "tree.json", "sepsis.csv", "--cv", 5, "--json").out)
    assert found["n_samples"] == N_ROWS
    assert 0.01 < found["error"]["value"] < 0.12
    hospital_file("new.csv", seed=1)
    kept = ("Fallnummer", "Aufnahme", "CRP")
    predicted = run("predict", "tree.json", "new.csv", *(f"--keep={name}" for name in kept))
    rows = list(csv.DictReader(io.StringIO(predicted.out)))
    assert (predicted.code, len(rows)) == (0, N_ROWS)
    with Path("new.csv").open(encoding="cp1252") as stream:
        written = list(csv.DictReader(list(stream)[2:], delimiter=";"))
    for name in kept:
        assert [row[name] for row in rows] == [row[name] for row in written]
