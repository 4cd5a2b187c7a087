"""The front of an evolution, drawn anew on a terminal while it grows."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.cli._progress import ProgressLine

if TYPE_CHECKING:
    from treewright.results import Progress

_REDRAWN_SECONDS = 0.2
_SPEED_SECONDS = 10.0
"""Over how long programs per second are counted."""

_SMALL_SCREEN = os.terminal_size((80, 24))


class FrontView(ProgressLine):
    """A callback that shows the rules found so far on a terminal; elsewhere a line now and then.

    On a terminal the table of the front stands above a line of counts; both are wiped at the end. A table
    that is too high for the screen loses its smallest rules, a line that is too long its end.
    """

    def __init__(self, wanted: bool) -> None:
        super().__init__(wanted, "programs", "at best in training")
        self._n_lines = 0
        self._is_ended = False
        self._seen: deque[tuple[float, int]] = deque()

    def __enter__(self) -> FrontView:
        return self

    def __call__(self, progress: Progress) -> bool:
        """Show the front if it is time to; never ask to stop."""
        if self._is_ended:
            return False
        if progress.done == 0:
            self._seen.clear()
        self._seen.append((progress.elapsed, progress.done))
        while progress.elapsed - self._seen[0][0] > _SPEED_SECONDS:
            self._seen.popleft()
        if not self._rewrites:
            return super().__call__(progress)
        if progress.elapsed >= self._next:
            self._next = progress.elapsed + _REDRAWN_SECONDS
            self._draw([*_table(progress), self._described(progress)])
        return False

    def end(self) -> None:
        """Say, once, that the search ends here."""
        if self._is_ended:
            return
        self._is_ended = True
        text = "Stopped. The report follows; Ctrl-C again ends without it."
        if self._rewrites:
            self._draw([text])
        elif self._shows:
            self._write(text)

    def __exit__(self, *_: object) -> None:
        if self._n_lines:
            self._draw([""])

    def _draw(self, lines: Sequence[str]) -> None:
        """Put lines in place of those that stand there."""
        width, height = _screen()
        kept = [*lines[:1], *lines[1:][2 - height :]] if len(lines) > height - 1 else lines
        up = f"\x1b[{self._n_lines - 1}A" if self._n_lines > 1 else ""
        text = "\n".join(line[: width - 1] for line in kept)
        print(f"{up}\r\x1b[J{text}", end="", file=sys.stderr, flush=True)
        self._n_lines = len(kept)

    def _described(self, progress: Progress) -> str:
        if progress.done == 0:
            waiting = progress.text if progress.text and not _table(progress) else "growing trees"
            return f"{waiting}, {progress.elapsed:.1f} s"
        return f"{super()._described(progress)}, {self._speed():,.0f} programs a second"

    def _speed(self) -> float:
        (before, first), (now, last) = self._seen[0], self._seen[-1]
        return (last - first) / (now - before) if now > before else 0.0


def _table(progress: Progress) -> list[str]:
    """Return the lines of the front, if that is what there is to look at."""
    lines = (progress.text or "").splitlines()
    return lines if len(lines) > 1 else []


def _screen() -> os.terminal_size:
    try:
        return os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        return _SMALL_SCREEN
