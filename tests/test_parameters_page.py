"""docs/parameters.md says what the signatures and docstrings say."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def test_the_page_is_made_of_the_code() -> None:
    made = runpy.run_path(str(DOCS / "make_parameters.py"))
    assert (DOCS / "parameters.md").read_text(encoding="utf-8") == made["page"]()


def test_no_meaning_is_cut_off_or_missing() -> None:
    lines = (DOCS / "parameters.md").read_text(encoding="utf-8").splitlines()
    meanings = [line.split(" | ")[1] for line in lines if line.startswith("| `")]
    assert meanings
    for meaning in meanings:
        assert meaning != "–"
        assert meaning.count("(") == meaning.count(")"), meaning
        assert meaning.count("``") % 2 == 0, meaning
        assert meaning.count("`") % 2 == 0, meaning
