"""How a command runs and ends: a line of progress, Ctrl-C and SIGTERM, and every end as an exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import TYPE_CHECKING, Self

import click

if TYPE_CHECKING:
    from treewright.results import Callback, Progress

DONE, DATA, INTERRUPTED, TERMINATED = 0, 1, 128 + signal.SIGINT, 128 + signal.SIGTERM


def exit_code(command: click.Command) -> int:
    """Run a command on the process's arguments; print what went wrong and return the exit code."""
    from treewright import TreewrightError

    try:
        with warnings.catch_warnings():
            _warn_in_one_line()
            result = command.main(prog_name="treewright", standalone_mode=False)
        if result == INTERRUPTED:
            return _failed("Stopped.", INTERRUPTED)
        return result if isinstance(result, int) else DONE
    except click.Abort:
        return _failed("Stopped.", INTERRUPTED)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except TreewrightError as error:
        return _failed(f"Error: {error}", DATA)
    except MemoryError as error:
        return _failed(f"Error: {error}" if error.args else "Error: memory ended", DATA)
    except OSError as error:
        named = "" if error.filename is None else f"{error.filename}: "
        return _failed(f"Error: {named}{error.strerror or error}", DATA)


QUIET: ContextVar[bool] = ContextVar("QUIET", default=False)
"""Whether nothing is said but the answer."""


@contextmanager
def quiet() -> Iterator[None]:
    """Say nothing but the answer and what went wrong."""
    token = QUIET.set(True)
    try:
        yield
    finally:
        QUIET.reset(token)


def note(text: str) -> None:
    """Say something beside the answer."""
    if not QUIET.get():
        click.echo(text, err=True)


def _failed(message: str, code: int) -> int:
    click.echo(message, err=True)
    return code


def _warn_in_one_line() -> None:
    """Show warnings as sentences, without the source line that raised them."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        note(f"Warning: {message}")

    warnings.simplefilter("always", UserWarning)
    warnings.showwarning = show


class _Signal:
    """While it is entered, a signal is heard here; not outside the main thread, where none is."""

    number = signal.SIGINT

    def __init__(self) -> None:
        self.is_heard = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(self.number, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.signal(self.number, self._before)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.is_heard = True


class FirstCtrlC(_Signal):
    """The first Ctrl-C asks the work to stop, by `is_heard`; the second one interrupts it."""

    def after(self, callback: Callback) -> Callback:
        """Return a callback that calls another and then says whether to stop."""

        def watch(progress: Progress) -> bool:
            return bool(callback(progress)) or self.is_heard

        return watch

    @property
    def exit_code(self) -> int:
        """How the command ends."""
        return INTERRUPTED if self.is_heard else DONE

    def _hear(self, number: int, frame: FrameType | None) -> None:
        super()._hear(number, frame)
        signal.signal(signal.SIGINT, signal.default_int_handler)


class Termination(_Signal):
    """SIGTERM interrupts the work as Ctrl-C does."""

    number = signal.SIGTERM

    def _hear(self, number: int, frame: FrameType | None) -> None:
        super()._hear(number, frame)
        raise KeyboardInterrupt


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
        self._shows = (wanted or sys.stderr.isatty()) and not QUIET.get()
        self._rewrites = self._shows and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown and self._rewrites:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _described(self, progress: Progress) -> str:
        best = "" if progress.best is None else f", {progress.best:g} {self._best}"
        return f"{progress.done:,} {self._counted}{best}, {progress.elapsed:.1f} s"
