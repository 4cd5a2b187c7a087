"""What a piece of work takes: seconds of processor, seconds of the clock, memory."""

from __future__ import annotations

import gc
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENOUGH_SECONDS = 0.2
"""Short work is repeated until it has taken this long, at most `MOST_REPEATS` times."""

MOST_REPEATS = 25

STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Spending:
    """What one piece of work took.

    Attributes
    ----------
    cpu_seconds : float
        Of all threads of the process, user and system; the median of the repeats.
    wall_seconds : float
        By the clock, of the same repeats.
    peak_bytes : int
        The most memory that was resident during the first run, above what was resident before it.
    n_repeats : int
        How often the work was done.
    """

    cpu_seconds: float
    wall_seconds: float
    peak_bytes: int
    n_repeats: int


def measure(work: Callable[[], Any]) -> tuple[Any, Spending]:
    """Do the work, once or, if it is short, several times; return its first result and what it took."""
    gc.collect()
    before = _forget_peak()
    result, *first = _timed(work)
    peak = _peak() - before
    times = [first]
    while len(times) < MOST_REPEATS and sum(cpu for cpu, _ in times) < ENOUGH_SECONDS:
        times.append(_timed(work)[1:])
    cpu, wall = (statistics.median(column) for column in zip(*times, strict=True))
    return result, Spending(cpu, wall, peak, len(times))


def _timed(work: Callable[[], Any]) -> list[Any]:
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return [result, time.process_time() - cpu, time.perf_counter() - wall]


def _forget_peak() -> int:
    """Let the peak start anew where the system can; return the bytes from which to count."""
    if not STATUS.exists():
        return _peak()
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def _peak() -> int:
    """Return the most bytes ever resident, or since `_forget_peak`."""
    if STATUS.exists():
        return _status("VmHWM")
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _status(field: str) -> int:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(f"{field}:"))
    return int(line.split()[1]) * 1024
