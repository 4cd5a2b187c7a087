"""How a command runs and ends: a line of progress, Ctrl-C and SIGTERM, and every end as an exit code."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import TYPE_CHECKING, ClassVar, Self

import click

if TYPE_CHECKING:
    from treewright.results import Callback, Progress

DONE, DATA, INTERRUPTED, TERMINATED = 0, 1, 128 + signal.SIGINT, 128 + signal.SIGTERM


def exit_code(command: click.Command) -> int:
    """Run a command on the process's arguments; print what went wrong and return the exit code."""
    from treewright import TreewrightError

    ending = Termination()
    ending.forget()
    try:
        with warnings.catch_warnings(), ending:
            _warn_in_one_line()
            result = command.main(prog_name="treewright", standalone_mode=False)
        code = result if isinstance(result, int) else DONE
        return _failed("Stopped.", code) if code in (INTERRUPTED, TERMINATED) else code
    except (click.Abort, KeyboardInterrupt):
        return _failed("Stopped.", ending.exit_code)
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


SAME_SECONDS = 0.3
"""A signal that comes again so soon is the same one: `timeout` sends it to a command and to its group."""


class _Signals:
    """While it is entered, signals are heard here; not outside the main thread, where none is."""

    numbers: tuple[signal.Signals, ...] = ()
    _last: ClassVar[dict[int, float]] = {}
    """When each signal was heard last, by whatever was entered."""

    def __init__(self) -> None:
        self.heard: int | None = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._receive) for number in self.numbers}
        return self

    def __exit__(self, *_: object) -> None:
        if threading.current_thread() is threading.main_thread():
            for number, handler in self._before.items():
                signal.signal(number, handler)

    def forget(self) -> None:
        """Take the next signal for a new one."""
        self._last.clear()

    @property
    def is_heard(self) -> bool:
        """Whether there was a signal."""
        return self.heard is not None

    @property
    def exit_code(self) -> int:
        """How the command ends."""
        return DONE if self.heard is None else 128 + self.heard

    def _receive(self, number: int, frame: FrameType | None) -> None:
        """Hear a signal that is not the last one again."""
        now = time.monotonic()
        last, self._last[number] = self._last.get(number, -math.inf), now
        if now - last > SAME_SECONDS:
            self._hear(number)

    def _hear(self, number: int) -> None:
        self.heard = number


class FirstCtrlC(_Signals):
    """The first Ctrl-C or SIGTERM asks the work to stop, by `is_heard`; the second one interrupts it."""

    numbers = (signal.SIGINT, signal.SIGTERM)

    def after(self, callback: Callback) -> Callback:
        """Return a callback that calls another and then says whether to stop."""

        def watch(progress: Progress) -> bool:
            return bool(callback(progress)) or self.is_heard

        return watch

    def _hear(self, number: int) -> None:
        if self.is_heard:
            raise KeyboardInterrupt
        super()._hear(number)


class Interruption(_Signals):
    """Ctrl-C and SIGTERM interrupt the work, and it is known which of them did."""

    numbers: tuple[signal.Signals, ...] = (signal.SIGINT, signal.SIGTERM)

    @property
    def exit_code(self) -> int:
        """How a command ends that was interrupted."""
        return INTERRUPTED if self.heard is None else 128 + self.heard

    def _hear(self, number: int) -> None:
        super()._hear(number)
        raise KeyboardInterrupt


class Termination(Interruption):
    """SIGTERM interrupts the work as Ctrl-C does."""

    numbers: tuple[signal.Signals, ...] = (signal.SIGTERM,)


_QUIET_SECONDS = 0.5
_PAUSE_SECONDS = 1.0


class ProgressLine:
    """A callback that shows how far the work has come: of a known total, or of what it is at `most`.

    On a terminal one line is rewritten and wiped at the end; elsewhere a line is added now and then. Work
    that is done within half a second shows nothing, unless it was asked for.
    """

    def __init__(
        self,
        wanted: bool,
        counted: str = "trees built",
        best: str = "validation errors at best",
        most: str | None = None,
    ) -> None:
        self._most = "" if most is None else f" of at most {most}"
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
        total = f" of {progress.total:,}" if progress.total else self._most
        text = "" if progress.text is None else f", {progress.text}"
        best = "" if progress.best is None else f", {progress.best:g} {self._best}"
        bound = "" if progress.bound is None else f", at least {progress.bound:g}"
        return f"{progress.done:,}{total} {self._counted}{text}{best}{bound}, {progress.elapsed:.1f} s"
