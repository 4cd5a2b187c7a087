"""The limits of a whole call, of which the engine's search is the last part."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from treewright.results import Progress

WAKE = 0.05
"""Seconds between two looks at clock and callback."""

AT_ONCE = 1e-9
"""A time limit that is reached before anything is searched."""


class Limits:
    """The time limit and the callback of a call, counted from its start.

    Attributes
    ----------
    status : {"time_limit", "stopped"} or None
        What ended the work before the search; None if nothing did.
    is_given_up : bool
        Whether nobody waits for results any more.
    """

    def __init__(
        self, time_limit: float | None, callback: Callable[[Progress], object] | None, total: int
    ) -> None:
        self._limit = time_limit
        self._callback = callback
        self._total = total
        self._began = time.perf_counter()
        self._next = 0.0
        self.status: str | None = None
        self.is_given_up = False

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._began

    @property
    def time_left(self) -> float | None:
        """Seconds for what is still to be done, if they are limited."""
        if self.status is not None:
            return AT_ONCE
        return None if self._limit is None else max(self._limit - self.elapsed, AT_ONCE)

    def look(self, text: str) -> None:
        """Look at the clock and, now and then, show `text` to the callback; on the caller's thread."""
        elapsed = self.elapsed
        if self.status is not None:
            return
        if self._limit is not None and elapsed >= self._limit:
            self.status = "time_limit"
        elif self._callback is not None and elapsed >= self._next:
            self._next = elapsed + WAKE
            if self._callback(Progress(0, self._total, best=None, elapsed=elapsed, text=text)):
                self.status = "stopped"

    def callback(self) -> Callable[[Progress], object] | None:
        """Return the callback for the engine, whose clock starts later; None once the work is to end."""
        call, before = self._callback, self.elapsed
        if call is None or self.status is not None:
            return None
        return lambda progress: call(replace(progress, elapsed=progress.elapsed + before))
