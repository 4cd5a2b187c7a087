"""How long a search may take, and how its parts learn that it has to end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self


class HaltError(Exception):
    """A search ends early; it never reaches the user, who reads the status in the result.

    The message is the solver's own words, empty where the status says it all.
    """

    def __init__(self, status: str, message: str = "") -> None:
        super().__init__(status, message)
        self.status, self.message = status, message


class Ending:
    """Catches what ends a piece of work early, and says how it ended, with None if nothing did."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.status: str | None = None
        self.message = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, HaltError):
            self.status, self.message = error.status, error.message
        elif isinstance(error, KeyboardInterrupt):
            self._clock.stop(interrupted=True)
        elif error is not None:
            return False
        if self._clock.stopped:
            self.status, self.message = "stopped", ""
        return True


Watch = Callable[[int, float | None, float], bool]
"""Takes the steps done, the best cost so far and the seconds; returns whether the search has to stop."""

WAKE_UP = 0.05
"""Seconds between two looks at the watch."""


class Clock:
    """Seconds and steps since a search began, and whether it has to end.

    A clock that times a part of some work goes by that of the `whole`. The `watch` is asked now and then
    whether to stop. Searches keep the least cost so far as `best`, and the proven lower bound as `bound`;
    `stopped` and `interrupted` say whether the user stopped the work, and whether by Ctrl-C.
    """

    def __init__(
        self, time_limit: float | None, whole: Clock | None = None, *, watch: Watch | None = None
    ) -> None:
        self._begin = self._looked = time.monotonic()
        self._whole, self._watch, self._n_done = whole, watch, 0
        self.best: float | None = None
        self.bound: float | None = None
        self.stopped = self.interrupted = False
        self._end = math.inf if time_limit is None else self._begin + time_limit

    def elapsed(self) -> float:
        """Return the seconds since the beginning."""
        return time.monotonic() - self._begin

    def left(self) -> float:
        """Return the seconds that are left; infinite without a limit."""
        return self._end - time.monotonic()

    def limit(self) -> float | None:
        """Return the seconds that are left as the time limit of work on another clock."""
        left = self.left()
        return None if math.isinf(left) and left > 0 else left

    def check(self) -> None:
        """Raise `HaltError` if no time is left."""
        if self.left() <= 0:
            raise HaltError("stopped" if self.stopped else "time_limit")

    def step(self) -> None:
        """Count a step before it is done; raise `HaltError` if the search has to end."""
        self.check()
        whole = self._whole
        while whole is not None:
            whole._n_done += 1
            whole = whole._whole
        self._n_done += 1
        self.look()

    def look(self) -> None:
        """Ask the watch, if it was not asked just now; raise `HaltError` if it stops the search."""
        if self.stopped:
            raise HaltError("stopped")
        if self._whole is not None:
            self._whole.look()
        elif self._watch is not None and time.monotonic() >= self._looked + WAKE_UP:
            self._looked = time.monotonic()
            if self._watch(self._n_done, self.best, self.elapsed()):
                self.stop()
                raise HaltError("stopped")

    def part(self, seconds: float | None) -> Clock:
        """Return a clock that starts now and ends with this one at the latest."""
        left = self.left()
        limit = left if seconds is None else min(left, seconds)
        return Clock(None if math.isinf(limit) else limit, self)

    def go_on(self, seconds: float | None) -> None:
        """End so many seconds from now, not when it was said before; a stopped clock stays stopped."""
        if not self.stopped:
            self._end = math.inf if seconds is None else time.monotonic() + seconds

    def stop(self, *, interrupted: bool = False) -> None:
        """End all work that goes by this clock; `interrupted` if the user pressed Ctrl-C."""
        self._end, self.stopped = -math.inf, True
        self.interrupted = self.interrupted or interrupted
        if self._whole is not None:
            self._whole.stop(interrupted=interrupted)

    def ending(self) -> Ending:
        """Return the context in which work may end early.

        Ctrl-C stops the clock: other work on it ends too, and whoever began all of it raises
        `KeyboardInterrupt` once the best so far is kept.
        """
        return Ending(self)
