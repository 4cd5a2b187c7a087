"""The figures of docs/explore.md are those of the records."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "explore.md").read_text(encoding="utf-8")
RIVALS = ("error", "c45", "sklearn", "pystreed")
"""Columns of errors, in the order of the page."""


def record(name: str) -> list[dict[str, str]]:
    with (ROOT / "benches" / "record" / f"2026-11-30-explore{name}.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def leaves(rival: str) -> str:
    return "leaves" if rival == "error" else f"{rival}_leaves"


def cells(begin: str) -> list[tuple[float, float]]:
    """Return errors and leaves of the line of the table that begins so."""
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| {begin} |"))
    return [(float(error), float(n)) for error, n in re.findall(r"([\d.]+) \(([\d.]+)\)", line)]


def test_the_table_is_that_of_the_record() -> None:
    rows = record("")
    for row in rows:
        told = [(float(row[rival]), float(row[leaves(rival)])) for rival in RIVALS]
        assert np.abs(np.array(cells(f"{row['set']} | {row['rows']}")) - told).max() < 0.0501
    for begin, part in (("mean of the first 18, geometric mean of leaves", rows[:18]), ("of all", rows)):
        begin = begin if begin != "of all" else f"of all {len(rows)}"
        means = [
            (
                np.mean([float(row[rival]) for row in part]),
                np.exp(np.mean([np.log(float(row[leaves(rival)])) for row in part])),
            )
            for rival in RIVALS
        ]
        assert np.abs(np.array(cells(begin)) - means).max() < 0.0501


def test_promises_are_those_of_the_records() -> None:
    noise, halves = record("-noise"), record("-halves")
    held, told = (sum(row[name] == "True" for row in noise) for name in ("is_held", "is_told"))
    assert f"noise: {len(noise)} of 200 sets" in PAGE
    assert f"within the interval in {held}; {told} reports" in PAGE
    names = list(dict.fromkeys(row["set"] for row in halves))
    assert len({sum(row["set"] == name for row in halves) for name in names}) == 1
    means = [
        100 * np.mean([float(row["promised"]) - float(row["later"]) for row in halves if row["set"] == name])
        for name in names
    ]
    n_splits = len({row["seed"] for row in halves})
    told_of = f"{len(names)} sets split in half {n_splits} times, both ways ({2 * n_splits} promises a set)"
    assert told_of in PAGE
    assert f"{np.mean(means):+.1f} points" in PAGE
