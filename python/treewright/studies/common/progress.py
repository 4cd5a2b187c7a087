"""How far a study has come, one line on the error stream."""

from __future__ import annotations

import sys

from treewright.results import Progress

_PAUSE_SECONDS = 10.0
"""Between lines where the error stream is not a terminal; quick studies show nothing there."""


class StudyLine:
    """A line that a terminal shows in place, and anything else gets now and then."""

    def __init__(self, wanted: bool, counted: str = "folds") -> None:
        self._wanted = wanted
        self._counted = counted
        self._in_place = wanted and sys.stderr.isatty()
        self._next = 0.0 if self._in_place else _PAUSE_SECONDS
        self._is_shown = False

    def show(self, progress: Progress) -> None:
        """Show the progress if it is time to."""
        if self._wanted and progress.elapsed >= self._next:
            self._next = progress.elapsed + (0.0 if self._in_place else _PAUSE_SECONDS)
            self._is_shown = True
            start, end = ("\r\x1b[K", "") if self._in_place else ("", "\n")
            print(f"{start}{self._described(progress)}", end=end, file=sys.stderr, flush=True)

    def __enter__(self) -> StudyLine:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave a terminal as it was."""
        if self._in_place and self._is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _described(self, progress: Progress) -> str:
        return f"{progress.done} of {progress.total} {self._counted}, {progress.elapsed:.0f} s"
