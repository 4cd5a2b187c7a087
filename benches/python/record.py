"""Records of runs: one line for each case and tool."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import machine, tools
from .cases import Case
from .figures import Figure
from .floors import ratio_of

FOLDER = Path(__file__).resolve().parents[1] / "record"


def default_path() -> Path:
    """Return where a run of today on this machine is kept."""
    return FOLDER / f"{machine.today()}-{machine.name()}.csv"


def lines(case: Case, figures: Mapping[str, Figure], yardstick: Figure, load: str) -> list[dict[str, Any]]:
    """Return the lines of one case."""
    return [
        {
            "case": case.name,
            "tool": tool,
            "version": tools.version(tool) or "",
            "problem": figure.problem,
            "runs": len(figure.runs),
            "cpu_seconds": _short(figure.cpu_seconds),
            "cpu_least": _short(figure.cpu_range and figure.cpu_range[0]),
            "cpu_most": _short(figure.cpu_range and figure.cpu_range[1]),
            "wall_seconds": _short(figure.wall_seconds),
            "yardstick_seconds": _short(yardstick.cpu_seconds),
            "ours_over_this": _short(ratio_of(figures, tool)),
            "peak_megabytes": _short(figure.peak_megabytes),
            "megabytes_above_one_copy": _short(figure.megabytes_above_copy),
            "counters": " ".join(f"{name}={value:g}" for name, value in figure.counters.items()),
            "settings": tools.module(tool).SETTINGS[case.work],
            "load": load,
            **machine.facts(),
        }
        for tool, figure in figures.items()
    ]


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a record anew."""
    rows = list(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
