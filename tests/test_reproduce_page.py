"""The page of all tables, made again: it is made of its record, and the record is of what the papers print.

Inner names, as in unit tests: `studies.reproduction.facts`, `studies.reproduction.verdict`: what the papers
print, and the verdicts.
"""

from __future__ import annotations

import csv
import runpy
from pathlib import Path

import pytest

from treewright.studies.reproduction.facts import all_tables
from treewright.studies.reproduction.verdict import DIFFERS, NOT_KNOWN, VERDICTS

DOCS = Path(__file__).parents[1] / "docs"
MADE = runpy.run_path(str(DOCS / "make_reproduced.py"))
MOST_BYTES = 300_000


@pytest.fixture(scope="module")
def cells() -> list[dict[str, str]]:
    with (MADE["FOLDER"] / MADE["CELLS"]).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_page_is_made_of_the_record_and_small() -> None:
    text = (DOCS / "reproduced.md").read_text(encoding="utf-8")
    assert text == MADE["page"]()
    assert len(text.encode()) < MOST_BYTES


def test_every_cell_of_the_papers_has_a_verdict(cells: list[dict[str, str]]) -> None:
    tables = [table for table in all_tables().values() if table.rows]
    expected = [
        (table.id, row, column.name, figure.told(column.digits))
        for table in tables
        for row, figures in table.rows.items()
        for column, figure in zip(table.columns, figures, strict=True)
    ]
    names = ("row", "column", "published")
    found = [(f"{cell['paper']}:{cell['table']}", *(cell[name] for name in names)) for cell in cells]
    assert found == expected
    assert {cell["verdict"] for cell in cells} <= set(VERDICTS)
    assert all(cell["reason"] for cell in cells if cell["verdict"] != "agrees")


def test_reasons_of_the_record_are_those_that_are_known(cells: list[dict[str, str]]) -> None:
    tables = all_tables()
    for cell in cells:
        table = tables[f"{cell['paper']}:{cell['table']}"]
        known = [reason.text for reason in table.reasons_of(cell["row"], cell["column"])]
        if cell["verdict"] == DIFFERS:
            assert cell["reason"].startswith(known[0] if known else NOT_KNOWN), cell


def test_a_cell_shows_ours_the_paper_s_the_sign_and_the_reason() -> None:
    row = {"ours": "1.0 ± 0.5", "published": "2.0 ± 0.1", "verdict": "differs", "reason": "why"}
    shown = "1.0_±_0.5 (2.0_±_0.1)_✗|<sup>3</sup>"  # it breaks before the paper's number, nowhere else
    unbroken = str.maketrans({"_": "\N{NO-BREAK SPACE}", "|": "\N{WORD JOINER}"})
    assert MADE["cell"](row, {"why": 3}) == shown.translate(unbroken)
    bare = {"ours": "1.0", "published": "-", "verdict": "cannot be compared", "reason": MADE["FIGURE"]}
    assert MADE["cell"](bare, {}) == "1.0"


TOLD = {
    ("C4.5, heart", "release 8", "decisions"): "with it {:.1f}) and cancer",
    ("C4.5, heart", "no correction", "decisions"): "but heart has {:.1f} (",
    ("C4.5, heart", "confidence 0.1", "decisions"): "A confidence of 0.1 gives {:.1f} on heart",
    ("C4.5, heart", "no raising", "decisions"): "without it heart has {:.1f}.",
    ("C4.5, cancer", "release 8", "decisions"): "(6.0 and {:.1f})",
    ("C4.5, cancer", "no correction", "decisions"): "and cancer {:.1f} (",
    ("C4.5, cancer", "confidence 0.1", "decisions"): "{:.1f} on cancer",
    ("C4.5, sonar", "release 8", "decisions"): "with it {:.1f})",
    ("C4.5, sonar", "no correction", "decisions"): "sonar has {:.1f} decisions",
    ("C4.5, sonar", "confidence 0.1", "decisions"): "but {:.1f} on sonar",
    ("C4.5, house", "confidence 0.1", "decisions"): "{:.1f} on house",
    ("pruning, nursery", "naive rule", "nodes, z = 0.69"): "nursery has {: .0f} nodes",
    ("pruning, nursery", "naive rule", "nodes, NEBP"): "it is {: .0f} and",
    ("pruning, car", "naive rule", "nodes, z = 0.69"): "but car has {:.0f},",
    ("pruning, car", "naive rule", "nodes, NEBP"): "and {:.0f}.",
    ("pruning, audiology", "? as a value", "error, NOP"): "audiology errs {:.1f} %",
    ("pruning, audiology", "? as a value", "error, WEBP"): "and {:.1f} % with error-based pruning",
    ("pruning, audiology", "? as a value", "nodes, NOP"): "but has {:.0f} nodes",
    ("pruning, audiology", "the most frequent value", "error, NOP"): "it errs {:.1f} % and",
    ("pruning, audiology", "the most frequent value", "error, WEBP"): "and {:.1f} % and has",
    ("pruning, audiology", "the most frequent value", "nodes, NOP"): "and has {:.0f} nodes",
    ("pruning, soybean", "? as a value", "error, NOP"): "and {:.1f} % with 321",
    ("pruning, soybean", "? as a value", "nodes, NOP"): "% with {:.0f} with `?`",
    ("pruning, soybean", "the most frequent value", "error, NOP"): "{:.1f} % with 256 nodes",
    ("pruning, soybean", "the most frequent value", "nodes, NOP"): "% with {:.0f} nodes with the most",
    ("elimination, soybean", "parsimonious=True", "error"): "soybean ({:.2f} ± 3.64 over 50 folds)",
    ("elimination, madelon", "parsimonious=True", "error"): "madelon ({:.2f} ± 3.53 over 30)",
    ("elimination, adult", "parsimonious=True", "error"): "Adult stays where it is ({:.2f} over ten folds",
}
"""How the page tells a number of the record of reasons."""


def test_what_is_told_of_cells_that_differ_is_of_the_record() -> None:
    page = " ".join((DOCS / "reproduce.md").read_text(encoding="utf-8").split())
    with (MADE["FOLDER"] / "2026-11-30-reasons.csv").open(encoding="utf-8", newline="") as file:
        record = {(row["about"], row["setting"], row["quantity"]): row for row in csv.DictReader(file)}
    for key, words in TOLD.items():
        number = float(record[key]["value"])
        told = words.replace("{: .0f}", f"{number:,.0f}".replace(",", " ")).format(number)
        assert told in page, f"{key}: {told}"
