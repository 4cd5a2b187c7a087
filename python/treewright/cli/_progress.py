"""Long work on a terminal: a line of progress, and Ctrl-C."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from treewright.cli._exit import DONE, INTERRUPTED

if TYPE_CHECKING:
    from treewright import Dataset
    from treewright.results import Callback, Progress


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


def fitted(model: Any, dataset: Dataset) -> int:
    """Fit an estimator that keeps its best at Ctrl-C; return how the command ends."""
    try:
        model.fit(dataset)
    except KeyboardInterrupt:
        if not hasattr(model, "search_"):
            raise
        return INTERRUPTED
    return DONE


class FirstCtrlC:
    """While it is entered, the first Ctrl-C asks the work to stop; the second one interrupts it.

    Attributes
    ----------
    is_pressed : bool
        Whether the work is to stop.
    """

    def __init__(self) -> None:
        self.is_pressed = False

    def after(self, callback: Callback) -> Callback:
        """Return a callback that calls another and then says whether to stop."""

        def watch(progress: Progress) -> bool:
            return bool(callback(progress)) or self.is_pressed

        return watch

    @property
    def exit_code(self) -> int:
        """How the command ends."""
        return INTERRUPTED if self.is_pressed else DONE

    def __enter__(self) -> FirstCtrlC:
        self._is_heard = threading.current_thread() is threading.main_thread()
        if self._is_heard:
            self._before = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_heard:
            signal.signal(signal.SIGINT, self._before)

    def _press(self, *_: object) -> None:
        self.is_pressed = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
