"""Progress of long work, one line on the error stream."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.results import Progress

_QUIET_SECONDS = 0.5
_PAUSE_SECONDS = 1.0


class ProgressLine:
    """A callback that shows how far the work has come.

    On a terminal one line is rewritten and wiped at the end; elsewhere a line is added now and then. Work
    that is done within half a second shows nothing, unless it was asked for.
    """

    def __init__(
        self, wanted: bool, counted: str = "trees built", best: str = "validation errors at best"
    ) -> None:
        self._counted = counted
        self._best = best
        self._rewrites = sys.stderr.isatty()
        self._shows = wanted or self._rewrites
        self._next = 0.0 if wanted else _QUIET_SECONDS
        self._is_shown = False

    def __call__(self, progress: Progress) -> bool:
        """Show the progress if it is time to; never ask to stop."""
        if self._shows and progress.elapsed >= self._next:
            self._next = progress.elapsed + (0.0 if self._rewrites else _PAUSE_SECONDS)
            self._write(self._described(progress))
        return False

    def _write(self, text: str) -> None:
        start, end = ("\r\x1b[K", "") if self._rewrites else ("", "\n")
        print(f"{start}{text}", end=end, file=sys.stderr, flush=True)
        self._is_shown = True

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown and self._rewrites:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _described(self, progress: Progress) -> str:
        best = "" if progress.best is None else f", {progress.best:g} {self._best}"
        return f"{progress.done:,} {self._counted}{best}, {progress.elapsed:.1f} s"
