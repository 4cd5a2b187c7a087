"""Pictures of the documentation are what their scripts draw."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "docs" / "draw_lattice.py"


def test_lattice_is_that_of_the_page() -> None:
    spec = importlib.util.spec_from_file_location("draw_lattice", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.drawn() == script.IMAGE.read_text(encoding="utf-8")
