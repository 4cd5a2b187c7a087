"""How long a search may take, and how it is told that time is over."""

from __future__ import annotations

import math
import time


class OutOfTimeError(Exception):
    """The time limit is over; whoever keeps the best so far catches this."""


class SolverError(Exception):
    """The LP solver gave up; the message is its own word for it."""


class Clock:
    """Seconds since a search began, and whether they are used up.

    Parameters
    ----------
    time_limit : float or None
        Seconds until the end.
    whole : Clock, default=None
        The clock of the work that this one times a part of.

    Examples
    --------
    >>> from treewright._base.clock import Clock
    >>> Clock(None).left()
    inf
    """

    def __init__(self, time_limit: float | None, whole: Clock | None = None) -> None:
        self._begin = time.monotonic()
        self._whole = whole
        self.stopped = False
        self._end = math.inf if time_limit is None else self._begin + time_limit

    def elapsed(self) -> float:
        """Return the seconds since the beginning."""
        return time.monotonic() - self._begin

    def left(self) -> float:
        """Return the seconds that are left; infinite without a limit."""
        return self._end - time.monotonic()

    def limit(self) -> float | None:
        """Return what is left as the time limit of a part that does not share this clock."""
        left = self.left()
        return None if math.isinf(left) and left > 0 else left

    def check(self) -> None:
        """Raise `OutOfTimeError` if no time is left."""
        if self.left() <= 0:
            raise OutOfTimeError

    def part(self, seconds: float | None) -> Clock:
        """Return a clock that starts now and ends with this one at the latest."""
        left = self.left()
        limit = left if seconds is None else min(left, seconds)
        return Clock(None if math.isinf(limit) else limit, self)

    def stop(self) -> None:
        """End all work that goes by this clock, because somebody pressed Ctrl-C."""
        self._end, self.stopped = -math.inf, True
        if self._whole is not None:
            self._whole.stop()
