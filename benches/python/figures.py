"""What was measured of one tool on one case."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Any

MEGABYTE = 1e6


@dataclass
class Figure:
    """The runs of one tool on one case.

    Attributes
    ----------
    runs : list of dict
        What each measuring process said.
    problem : str
        Why there are no runs; empty if there are.
    """

    runs: list[dict[str, Any]] = field(default_factory=list)
    problem: str = ""

    @property
    def cpu_seconds(self) -> float | None:
        """Median of the runs' processor seconds."""
        return self._median("cpu_seconds")

    @property
    def wall_seconds(self) -> float | None:
        """Median of the runs' seconds by the clock."""
        return self._median("wall_seconds")

    @property
    def cpu_range(self) -> tuple[float, float] | None:
        """Fewest and most processor seconds of a run."""
        seconds = [run["cpu_seconds"] for run in self.runs]
        return (min(seconds), max(seconds)) if seconds else None

    @property
    def peak_megabytes(self) -> float | None:
        """Most memory above what was there before the work began; the largest of the runs."""
        return max((run["peak_bytes"] / MEGABYTE for run in self.runs), default=None)

    @property
    def megabytes_above_copy(self) -> float | None:
        """The same less one copy of the caller's array; below zero where no copy is made."""
        above = ((run["peak_bytes"] - run["array_bytes"]) / MEGABYTE for run in self.runs)
        return max(above, default=None)

    @property
    def counters(self) -> dict[str, float]:
        """Counters of the first run; every run does the same work."""
        return self.runs[0]["counters"] if self.runs else {}

    def _median(self, name: str) -> float | None:
        return statistics.median(run[name] for run in self.runs) if self.runs else None
