"""docs/parameters.md says what the signatures and docstrings say."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def test_the_page_is_made_of_the_code() -> None:
    made = runpy.run_path(str(DOCS / "make_parameters.py"))
    assert (DOCS / "parameters.md").read_text(encoding="utf-8") == made["page"]()
