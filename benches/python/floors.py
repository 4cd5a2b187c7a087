"""What a figure of this package must reach, and whether it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from .figures import Figure

OURS = "treewright"
YARDSTICK_SECONDS = 0.080
"""The yardstick where the limits in seconds were set."""


@dataclass(frozen=True)
class Verdict:
    """A limit, what was measured against it, and whether it holds (None: it could not be measured)."""

    limit: str
    measured: str
    holds: bool | None


class Floor(Protocol):
    """A limit on a figure of this package."""

    def judge(self, figures: Mapping[str, Figure], yardstick: float | None) -> Verdict:
        """Hold the figures of one case, by tool, against the limit."""


@dataclass(frozen=True)
class Times:
    """At most so many times the seconds of another tool."""

    most: float
    other: str

    def judge(self, figures: Mapping[str, Figure], yardstick: float | None) -> Verdict:
        """Compare medians."""
        ratio = ratio_of(figures, self.other)
        return _verdict(f"at most {self.most:g} x {self.other}", "{:.3f} x", ratio, self.most)


@dataclass(frozen=True)
class Faster:
    """At least so many times faster than another tool."""

    least: float
    other: str

    def judge(self, figures: Mapping[str, Figure], yardstick: float | None) -> Verdict:
        """Compare medians."""
        ratio = ratio_of(figures, self.other)
        speed_up = None if ratio is None else -1 / ratio
        verdict = _verdict(f"at least {self.least:g} x faster than {self.other}", "", speed_up, -self.least)
        measured = verdict.measured if ratio is None else f"{1 / ratio:.1f} x faster"
        return Verdict(verdict.limit, measured, verdict.holds)


@dataclass(frozen=True)
class Seconds:
    """At most so many seconds, scaled by the yardstick."""

    most: float

    def judge(self, figures: Mapping[str, Figure], yardstick: float | None) -> Verdict:
        """Scale the median to the machine where the limit was set."""
        ours, scaled = figures.get(OURS), None
        if ours is not None and ours.cpu_seconds is not None and yardstick:
            scaled = ours.cpu_seconds * YARDSTICK_SECONDS / yardstick
        return _verdict(f"at most {self.most:g} s", "{:.4f} s scaled", scaled, self.most)


@dataclass(frozen=True)
class Megabytes:
    """At most so much memory above the caller's array and one copy of it."""

    most: float

    def judge(self, figures: Mapping[str, Figure], yardstick: float | None) -> Verdict:
        """Take the largest peak."""
        ours = figures.get(OURS)
        above = None if ours is None else ours.megabytes_above_copy
        return _verdict(f"at most {self.most:g} MB above one copy", "{:.1f} MB", above, self.most)


def ratio_of(figures: Mapping[str, Figure], other: str) -> float | None:
    """Return our seconds over those of another tool, None unless both were measured."""
    ours, theirs = (figures[tool].cpu_seconds if tool in figures else None for tool in (OURS, other))
    return None if ours is None or not theirs else ours / theirs


def _verdict(limit: str, form: str, value: float | None, most: float) -> Verdict:
    if value is None:
        return Verdict(limit, "not measured", None)
    return Verdict(limit, form.format(value), value <= most)
