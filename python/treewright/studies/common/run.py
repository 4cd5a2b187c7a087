"""The way through a study: steps in turn or side by side, kept in a checkpoint, until an end is asked for."""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol, Self, TypedDict, TypeVar, cast

from joblib import Parallel, delayed

from treewright._base.checkpoint import Checkpoint, PathLike, checked_place
from treewright._base.errors import TreewrightError
from treewright._base.params import callable_or_none, flag, n_threads, seconds_or_none
from treewright.data.dataset import Dataset
from treewright.results import Callback, Columns, Progress, ResultTable, ints, texts
from treewright.studies.common.folds import Fold, Splitting, folds_of
from treewright.studies.common.parameters import design_of, sizes_of

Row = tuple[object, ...]
Parts = dict[int, Any]
"""What steps found, by their places; each study has a form of its own, which a checkpoint can hold."""


class State(TypedDict):
    """What a checkpoint holds; the places are texts there."""

    parts: Parts
    n_done: int
    elapsed: float


Design = Mapping[str, object]
Result = TypeVar("Result")


class StudyInterruptedError(KeyboardInterrupt):
    """Ctrl-C ended a study; the finished folds are kept.

    Attributes
    ----------
    result : object
        The result of the study for the finished folds.

    Examples
    --------
    >>> from treewright.studies import StudyInterruptedError
    >>> issubclass(StudyInterruptedError, KeyboardInterrupt)
    True
    """

    def __init__(self, result: object) -> None:
        super().__init__("the study was interrupted; what is finished is in the attribute result")
        self.result = result


class Place(Protocol):
    """A fold, or whatever else is run on its own."""

    @property
    def place(self) -> tuple[str, int, int, int]:
        """Name of the data set, repetition, number within it, seed."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to do on every fold; each study says more."""

    search_time_limit: float | None = None
    """Seconds after which a single search ends with its best."""

    def within(self, seconds: float) -> Self:
        """Return the same plan with no more than so many seconds for a search."""
        own = math.inf if self.search_time_limit is None else self.search_time_limit
        return replace(self, search_time_limit=min(own, seconds))


PlaceT = TypeVar("PlaceT", bound=Place)
PlanT = TypeVar("PlanT", bound=Plan)
RunFold = Callable[[PlaceT, PlanT], Iterable[Row]]
"""Makes the rows of a fold by a plan; a function that can be pickled."""

Watch = Callable[[Progress], bool]
"""Called with the progress of a batch; returns whether to stop."""


class Batch(NamedTuple):
    """What was found of some items in a row, of how many, and how that ended."""

    part: object
    n_done: int
    status: str


RunBatch = Callable[[int, int, Watch, float | None], Batch]
"""Does so many items from one on, within so many seconds."""

FIRST_BATCH, BATCH_SECONDS = 16, 1.0
"""Items of the first batch, and how long a batch may take before the next is no larger."""


@dataclass(frozen=True)
class Conduct:
    """How a study is to be run, as its parameters say; checked before any work is done."""

    n_jobs: int | None
    progress: bool
    callback: Callback | None
    time_limit: float | None
    checkpoint: PathLike | None
    resume: bool

    def __post_init__(self) -> None:
        n_threads(self.n_jobs)
        callable_or_none("callback", self.callback)
        seconds_or_none("time_limit", self.time_limit)
        flag("progress", self.progress)
        checked_place(self.checkpoint, self.resume)

    def course(self, work: str, design: Callable[[], Design], n_steps: int, counted: str = "folds") -> Course:
        """Start the study `work` of so many steps."""
        file = Checkpoint.of(self.checkpoint, self.resume, work=work, design=design)
        return Course(self, file, n_steps, counted)


class Course:
    """How far a study has come: what every step found, and whether to go on.

    Attributes
    ----------
    parts : dict
        What each finished step found, by the step's place.
    n_done : int
        How much is done, in what the study counts.
    """

    def __init__(self, conduct: Conduct, file: Checkpoint | None, n_steps: int, counted: str) -> None:
        self.parts: Parts = {}
        self.n_done = 0
        self._conduct, self._file, self._n_steps = conduct, file, n_steps
        self._line = StudyLine(conduct.progress, counted)
        self._started = time.monotonic()
        limit = seconds_or_none("time_limit", conduct.time_limit)
        self._end = math.inf if limit is None else self._started + limit
        self._elapsed_before = 0.0
        self._is_asked_to_stop = False
        self._interrupt: KeyboardInterrupt | None = None
        self._ended: str | None = None
        self._ended_at: float | None = None

    def __enter__(self) -> Self:
        """Take over what an earlier run found."""
        state = None if self._file is None else cast("State | None", self._file.load())
        if state is not None:
            self.parts = {int(place): part for place, part in state["parts"].items()}
            self.n_done, self._elapsed_before = state["n_done"], state["elapsed"]
        self._line.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Write what is done, and leave the terminal as it was."""
        self._line.__exit__()
        self._ended_at = time.monotonic()
        if self._file is not None:
            self._file.write(self._state())

    @property
    def elapsed(self) -> float:
        """Seconds that the study has taken, those of the runs that this one goes on from too."""
        ended = time.monotonic() if self._ended_at is None else self._ended_at
        return self._elapsed_before + ended - self._started

    @property
    def left(self) -> float:
        """Seconds that are left; infinite without a limit."""
        return self._end - time.monotonic()

    def is_over(self) -> bool:
        """Return whether no further step is to be begun."""
        is_stopped = self._is_asked_to_stop or self._interrupt is not None or self._ended is not None
        return is_stopped or self.n_done >= self._n_steps or self.left <= 0

    @property
    def status(self) -> str:
        """How the study ended."""
        if self.n_done >= self._n_steps:
            return "complete"
        is_stopped = self._is_asked_to_stop or self._interrupt is not None
        return "stopped" if is_stopped else self._ended or "time_limit"

    def handed_over(self, result: Result) -> Result:
        """Return the result of the study, or raise it where Ctrl-C ended the study."""
        if self._interrupt is not None:
            raise StudyInterruptedError(result) from self._interrupt
        return result

    @contextmanager
    def until_ctrl_c(self) -> Iterator[None]:
        """Let Ctrl-C end the work inside, and then the study."""
        try:
            yield
        except KeyboardInterrupt as error:
            self._interrupt = error

    def step(self, place: int, work: Callable[[], object]) -> None:
        """Take one step, if it is not done yet and there is time for it."""
        if place in self.parts or self.is_over():
            return
        with self.until_ctrl_c():
            self.keep(place, work())

    def side_by_side(
        self, folds: Sequence[PlaceT], plan: PlanT, run: RunFold[PlaceT, PlanT], *, first: int = 0
    ) -> list[Row]:
        """Run every fold that is not done yet; return the rows of all that are done, in order."""
        places = range(first, first + len(folds))
        waiting = [(place, folds[place - first]) for place in places if place not in self.parts]
        if waiting and not self.is_over():
            finished = _finished(waiting, plan, run, self._conduct.n_jobs, self._end)
            with self.until_ctrl_c(), closing(finished):
                for place, rows in finished:
                    if rows is not None:
                        self.keep(place, rows)
                    if self.is_over():
                        break
        return [tuple(row) for place in places for row in self.parts.get(place, ())]

    def in_batches(self, run: RunBatch) -> None:
        """Do everything that the study counts, some items at a time, more of them while that is quick."""
        size = FIRST_BATCH
        while not self.is_over():
            began, first, left = time.monotonic(), self.n_done, None if math.isinf(self.left) else self.left
            with self.until_ctrl_c():
                n = min(size, self._n_steps - first)
                batch = run(first, n, lambda progress: self.report(progress.done), left)
                if batch.status != "complete":
                    self._ended = batch.status
                if batch.n_done:
                    self.keep(first, batch.part, batch.n_done)
            size *= 2 if time.monotonic() - began < BATCH_SECONDS else 1

    def keep(self, place: int, part: object, count: int = 1) -> None:
        """Keep what a step found, tell how far the study is, and ask whether to go on."""
        self.parts[place] = part
        self.n_done += count
        if self._file is not None:
            self._file.keep(self._state)
        self.report()

    def report(self, ahead: int = 0) -> bool:
        """Tell how far the study is, with so much of a step that is not kept yet; return whether to stop."""
        progress = Progress(self.n_done + ahead, self._n_steps, best=None, elapsed=self.elapsed)
        self._line.show(progress)
        if self._conduct.callback is not None:
            self._is_asked_to_stop |= bool(self._conduct.callback(progress))
        return self._is_asked_to_stop

    def _state(self) -> State:
        return {"parts": self.parts, "n_done": self.n_done, "elapsed": self.elapsed}


class FoldFacts(TypedDict):
    """What the results of all studies by cross-validation hold, besides their settings."""

    data_sets: ResultTable
    methods: tuple[str, ...]
    per_fold: ResultTable
    status: str
    elapsed: float


@dataclass(frozen=True, eq=False)
class FoldStudy:
    """A study by cross-validation: data sets, their folds, and what is told of each method on each fold."""

    work: str
    """The function that the user called."""
    settings: Mapping[str, object]
    data_sets: Mapping[str, Dataset]
    splitting: Splitting
    methods: tuple[str, ...]
    columns: Columns
    """Of a row, after the place of the fold and the method."""

    @cached_property
    def folds(self) -> list[Fold]:
        """The folds of all data sets."""
        return [fold for item in self.data_sets.items() for fold in folds_of(*item, self.splitting)]

    def course(self, conduct: Conduct, n_more: int = 0) -> Course:
        """Start the study, which has so many steps besides its folds."""
        design = partial(design_of, self.settings, self.data_sets)
        return conduct.course(self.work, design, len(self.folds) + n_more)

    def facts(self, course: Course, rows: Iterable[Row]) -> FoldFacts:
        """Return what the result holds, of the rows of the folds that were run."""
        place = [texts("data", self.data_sets), *PLACE, texts("method", self.methods)]
        return {
            "data_sets": sizes_of(self.data_sets),
            "methods": self.methods,
            "per_fold": ResultTable.from_rows(rows, [*place, *self.columns]),
            "status": course.status,
            "elapsed": course.elapsed,
        }


PLACE = ints("repeat", "fold", "seed")
"""Where a row stands within its data set."""


def finished(
    items: Mapping[int, PlaceT], plan: PlanT, run: RunFold[PlaceT, PlanT], n_jobs: int | None, watch: Watch
) -> dict[int, list[Row]]:
    """Run every item, or as many as the watch allows; return their rows by place."""
    done: dict[int, list[Row]] = {}
    began = time.monotonic()
    with closing(_finished(list(items.items()), plan, run, n_jobs, math.inf)) as parts:
        for place, rows in parts:
            done[place] = rows or []
            progress = Progress(len(done), len(items), best=None, elapsed=time.monotonic() - began)
            if watch(progress) and len(done) < len(items):
                break
    return done


def _finished(
    waiting: Sequence[tuple[int, PlaceT]],
    plan: PlanT,
    run: RunFold[PlaceT, PlanT],
    n_jobs: int | None,
    end: float,
) -> Generator[tuple[int, list[Row] | None]]:
    """Yield place and rows of each fold when it is done, in whatever order; closing it cancels the others."""
    tasks = (delayed(_run_one)(place, fold, plan, run, end) for place, fold in waiting)
    parts = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(tasks)
    try:
        # "yield from" would close the parts before the warnings are silenced.
        for part in parts:  # noqa: UP028
            yield part
    finally:
        # Joblib warns of work that is thrown away, but that is what was asked.
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*tasks", UserWarning, "joblib")
            parts.close()


def _run_one(
    place: int, fold: PlaceT, plan: PlanT, run: RunFold[PlaceT, PlanT], end: float
) -> tuple[int, list[Row] | None]:
    """Run a fold; no rows if time was up before it was finished, as its searches may have been cut short."""
    left = end - time.monotonic()
    if left <= 0:
        return place, None
    try:
        rows = list(run(fold, plan if math.isinf(left) else plan.within(left)))
    except TreewrightError as error:
        name, repeat, number, _ = fold.place
        error.add_note(
            f"data set {name!r}, repeat {repeat}, fold {number}: rows are counted among those that the fold "
            "learns from"
        )
        raise
    return place, rows if time.monotonic() < end else None


_PAUSE_SECONDS = 10.0
"""Between lines where the error stream is not a terminal; quick studies show nothing there."""


class StudyLine:
    """A line that a terminal shows in place, and anything else gets now and then."""

    def __init__(self, wanted: bool, counted: str) -> None:
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave a terminal as it was."""
        if self._in_place and self._is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _described(self, progress: Progress) -> str:
        return f"{progress.done} of {progress.total} {self._counted}, {progress.elapsed:.0f} s"
