"""All folds, one after another or side by side, and a line of progress; what comes out is the same."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, Protocol

from joblib import Parallel, delayed

from treewright._base.errors import TreewrightError
from treewright._base.params import callable_or_none
from treewright.results import Callback, Progress

Row = tuple[Any, ...]
Watch = Callable[[Progress], bool]
RunFold = Callable[[Any, Any], Iterable[Row]]


class Place(Protocol):
    """A fold, or whatever else is run on its own: what messages call it."""

    @property
    def name(self) -> str:
        """Name of the data set."""

    @property
    def repeat(self) -> int:
        """Number of the repetition."""

    @property
    def number(self) -> int:
        """Number within it."""


def run_all(
    folds: Sequence[Place], plan: Any, n_jobs: int | None, watch: Watch, run: RunFold
) -> tuple[list[Row], bool]:
    """Run every fold; return one row a fold and method, in order, and whether all folds were run.

    `run` is what makes the rows of a fold, a function that can be pickled.
    """
    started = time.perf_counter()
    parts: dict[int, list[Row]] = {}
    with closing(_Finished(folds, plan, n_jobs, run)) as finished:
        for place, rows in finished:
            parts[place] = rows
            progress = Progress(len(parts), len(folds), best=None, elapsed=time.perf_counter() - started)
            if watch(progress) and len(parts) < len(folds):
                break
    return [row for place in sorted(parts) for row in parts[place]], len(parts) == len(folds)


class _Finished:
    """Place and rows of each fold when it is done, in whatever order; closing it cancels the others."""

    def __init__(self, folds: Sequence[Place], plan: Any, n_jobs: int | None, run: RunFold) -> None:
        tasks = (delayed(_run_one)(place, fold, plan, run) for place, fold in enumerate(folds))
        self._parts = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(tasks)

    def __iter__(self) -> Iterator[tuple[int, list[Row]]]:
        return iter(self._parts)

    def close(self) -> None:
        """Stop without joblib's advice about work that is thrown away, for that is what was asked."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*tasks", UserWarning, "joblib")
            self._parts.close()


def _run_one(place: int, fold: Place, plan: Any, run: RunFold) -> tuple[int, list[Row]]:
    try:
        return place, list(run(fold, plan))
    except TreewrightError as error:
        error.add_note(
            f"data set {fold.name!r}, repeat {fold.repeat}, fold {fold.number}: rows are counted among those "
            "that the fold learns from"
        )
        raise


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


def watcher(line: StudyLine, callback: Callback | None) -> Watch:
    """Return what is called after each fold: it shows the progress and tells whether to stop."""
    checked = callable_or_none("callback", callback)

    def watch(progress: Progress) -> bool:
        line.show(progress)
        return checked is not None and bool(checked(progress))

    return watch
