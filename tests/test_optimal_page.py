"""The figures of docs/optimal.md are those of the record of its study."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from treewright.studies import compare_ranks

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "benches" / "record" / "2026-11-30-optimal-out-of-sample.csv"
PAGE = (ROOT / "docs" / "optimal.md").read_text(encoding="utf-8")
METHODS = ("depth 2", "depth 3", "penalty_cv", "depth_cv", "c45", "cost_complexity", "fit")


def means() -> dict[str, dict[str, dict[str, float]]]:
    """Return mean errors in percent, and leaves, by data set and method."""
    with RECORD.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name in dict.fromkeys(row["data"] for row in rows):
        for method in METHODS:
            own = [row for row in rows if (row["data"], row["method"]) == (name, method)]
            errors, leaves = ([float(row[field]) for row in own] for field in ("error", "n_leaves"))
            told = {"error": 100 * float(np.mean(errors)), "leaves": float(np.mean(leaves))}
            found.setdefault(name, {})[method] = told
    return found


def table() -> list[str]:
    """Return the lines of the page's table."""
    found = means()
    every = [list(of_set.values()) for of_set in found.values()]
    average = [
        {field: float(np.mean([of_set[i][field] for of_set in every])) for field in ("error", "leaves")}
        for i in range(len(METHODS))
    ]
    lines = [(name, list(of_set.values())) for name, of_set in found.items()] + [("mean", average)]
    return [
        "| " + " | ".join([name, *(f"{one['error']:.1f} / {one['leaves']:.0f}" for one in row)]) + " |"
        for name, row in lines
    ]


def test_the_table_is_that_of_the_record() -> None:
    assert "\n".join(table()) in PAGE


def test_the_ranks_are_those_of_the_record() -> None:
    errors = [[round(one["error"], 10) for one in of_set.values()] for of_set in means().values()]
    ranks = compare_ranks(errors, METHODS, reference="c45")
    told = ", ".join(f"{rank:.2f}" for rank in ranks.ranks)
    assert f"{told} (Friedman's p is {ranks.p_value:.2f})" in " ".join(PAGE.split())


if __name__ == "__main__":
    print("\n".join(table()))
