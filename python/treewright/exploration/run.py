"""The way through an exploration: families in turn, their problems side by side, within the time limit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import cast

from treewright._base.checkpoint import Checkpoint
from treewright._base.clock import Clock, HaltError
from treewright._base.errors import TreewrightError
from treewright.exploration.family import BlackBox, Candidates, Entry
from treewright.exploration.judging import Judge, Part
from treewright.exploration.problems import Problem
from treewright.results import Callback, Progress

Parts = dict[str, dict[int, Part]]
"""What is known, by family and place of the problem."""

MOST_FOLDS = 5
"""A black box is judged on so many outer folds."""

FAR_TOO_LONG = 10.0
"""Estimates are rough: a family begins unless it is estimated to take so many times what is left."""

FAIR = 1.25
"""The first folds of a family may take so many times their share of the time that is left."""


@dataclass(frozen=True)
class Dropped:
    """A family that was not judged in every fold, and why."""

    name: str
    title: str
    reason: str


@dataclass(frozen=True, eq=False)
class Trial:
    """What all families did."""

    parts: Parts
    dropped: tuple[Dropped, ...]
    status: str
    elapsed: float
    is_over: bool
    """Whether the essential families alone took longer than the limit."""
    interrupt: KeyboardInterrupt | None


class Course:
    """How far an exploration has come."""

    def __init__(
        self,
        judge: Judge,
        families: Sequence[Entry],
        *,
        n_threads: int,
        time_limit: float | None,
        callback: Callback | None,
        file: Checkpoint | None,
    ) -> None:
        self._judge, self._families, self._n_threads = judge, families, n_threads
        self._problems = judge.data.problems
        self._clock, self._limit = Clock(time_limit), time_limit
        self._callback, self._file = callback, file
        self._parts: Parts = {}
        self._before = 0.0
        self._dropped: list[Dropped] = []
        self._interrupt: KeyboardInterrupt | None = None
        self._is_cut = False

    def planned(self) -> float:
        """Return about how many seconds it takes."""
        asked = self._judge.asked
        needed = [one.seconds(asked) * self._n_fits(one) for one in self._families if not self._refusal(one)]
        return sum(needed) / self._n_threads

    def _n_fits(self, entry: Entry) -> int:
        """Return how often an entry is fitted to about all rows."""
        problems = self._problems_of(entry)
        return len(problems) if isinstance(entry, BlackBox) else sum(len(one.inner) for one in problems)

    def _refusal(self, entry: Entry) -> str:
        return entry.refusal(self._judge.data.training.dataset, self._judge.asked)

    def _problems_of(self, entry: Entry) -> list[Problem]:
        is_box = isinstance(entry, BlackBox)
        return self._problems[1 : MOST_FOLDS + 1] if is_box else self._problems

    def run(self) -> Trial:
        """Judge every family; those that need much come last, and black boxes behind them."""
        self._load()
        self._tell("")
        is_over = False
        for entry in sorted(self._families, key=self._turn):
            self._try(entry)
            if entry.is_essential:
                is_over = not self._clock.stopped and self._clock.left() <= 0
        if self._file is not None:
            self._file.write(self._state())
        order = {one.name: place for place, one in enumerate(self._families)}
        self._dropped.sort(key=lambda one: order[one.name])
        return Trial(
            {one.name: self._parts[one.name] for one in self._families if self._is_complete(one)},
            tuple(self._dropped),
            self._status,
            self._before + self._clock.elapsed(),
            is_over,
            self._interrupt,
        )

    def _turn(self, entry: Entry) -> tuple[bool, bool, float]:
        """Return what families are judged in the order of: what is essential, what is quick, black boxes."""
        return isinstance(entry, BlackBox), not entry.is_essential, entry.seconds(self._judge.asked)

    @property
    def _status(self) -> str:
        if self._interrupt is not None or self._clock.stopped:
            return "stopped"
        return "time_limit" if self._is_cut else "complete"

    def _is_complete(self, entry: Entry) -> bool:
        return len(self._parts.get(entry.name, ())) == len(self._problems_of(entry))

    def _try(self, entry: Entry) -> None:
        """Judge a family, or say why not."""
        reason = self._refusal(entry)
        if not reason and not self._is_complete(entry):
            reason = self._hindrance(entry) or self._judged(entry)
        if reason:
            self._dropped.append(Dropped(entry.name, entry.title, reason))

    def _hindrance(self, entry: Entry) -> str:
        """Say why a family is not begun; essential ones always are."""
        if self._status == "stopped":
            return "the exploration was stopped before it began"
        needed = entry.seconds(self._judge.asked) * self._n_fits(entry) / self._n_threads
        is_hopeless = needed / FAR_TOO_LONG > max(self._clock.left(), 0.0)
        return "" if entry.is_essential or not is_hopeless else self._cut(needed)

    def _too_slow(self, done: dict[int, Part], n_left: int) -> str:
        """Say that a family cannot be finished, as far as its problems took."""
        seconds = math.fsum(part.seconds for part in done.values()) / len(done)
        needed = seconds * n_left / min(self._n_threads, max(n_left, 1))
        return self._cut(needed) if needed > max(self._clock.left(), 0.0) else ""

    def _cut(self, needed: float) -> str:
        self._is_cut, left = True, self._clock.left()
        rest = f"{written_seconds(left)} of the limit were left" if left > 0 else "no time was left"
        return f"it needs about {written_seconds(needed)} more, and {rest}"

    def _share(self, n_waiting: int) -> float | None:
        """Return the seconds that the first folds may take: what takes longer does not end in time."""
        left = self._clock.limit()
        return None if left is None else left * min(FAIR * self._n_threads / n_waiting, 1.0)

    def _halted(self, error: HaltError, n_done: int, n_waiting: int, left: float) -> str:
        """Say how far a family came that ended early; so much was left when it began."""
        if self._clock.stopped:
            return "it was stopped"
        if error.status != "time_limit":
            return f"its search ended early ({error.status.replace('_', ' ')})"
        self._is_cut = True
        if n_done:
            return f"the time limit ended it after {n_done} of {n_waiting} folds"
        needed = FAIR * left if FAIR * self._n_threads < n_waiting else left
        rest = f"{written_seconds(left)} of the limit were left"
        return f"it needs more than {written_seconds(needed)}, and {rest}"

    def _judged(self, entry: Entry) -> str:
        """Judge a family on its problems; say what hindered it."""
        done = self._parts.setdefault(entry.name, {})
        waiting = [one for one in self._problems_of(entry) if one.place not in done]
        n_done, n_waiting, left = 0, len(waiting), self._clock.left()
        clock = Clock(None if entry.is_essential else self._share(n_waiting))
        try:
            for n_done, (place, part) in enumerate(self._finished(entry, waiting, clock), start=1):
                if not entry.is_essential:
                    clock.go_on(self._clock.limit())
                done[place] = part
                self._keep(entry)
                if not entry.is_essential and (reason := self._too_slow(done, n_waiting - n_done)):
                    return reason
        except HaltError as error:
            return self._halted(error, n_done, n_waiting, left)
        except TreewrightError as error:
            return str(error)
        except KeyboardInterrupt as error:
            self._interrupt = error
            self._clock.stop(interrupted=True)
            return "the exploration was interrupted"
        return ""

    def _finished(self, entry: Entry, waiting: Sequence[Problem], clock: Clock) -> Iterator[tuple[int, Part]]:
        """Yield place and part of every problem when it is done."""
        if self._n_threads == 1 or len(waiting) < 2:
            for one in waiting:
                self._heed(clock)
                yield one.place, self._part(entry, one, clock)
            return
        with ThreadPoolExecutor(self._n_threads) as pool:
            tasks = {pool.submit(self._part, entry, one, clock): one.place for one in waiting}
            try:
                yield from ((tasks[task], task.result()) for task in self._ended(tasks, clock))
            finally:
                clock.stop()
                pool.shutdown(cancel_futures=True)

    def _ended(self, tasks: dict[Future[Part], int], clock: Clock) -> Iterator[Future[Part]]:
        for task in as_completed(tasks):
            self._heed(clock)
            yield task

    def _heed(self, clock: Clock) -> None:
        """End the work of a family when the whole was stopped."""
        if self._clock.stopped:
            clock.stop()
            clock.check()

    def _part(self, entry: Entry, problem: Problem, clock: Clock) -> Part:
        """Judge a family on a problem; once more, if its share was over when another had ended within it."""
        try:
            return self._part_within(entry, problem, clock)
        except HaltError:
            if clock.left() <= 0:
                raise
            return self._part_within(entry, problem, clock)

    def _part_within(self, entry: Entry, problem: Problem, clock: Clock) -> Part:
        clock.check()
        if isinstance(entry, BlackBox):
            return self._judge.ceiling(entry, problem, clock)
        assert isinstance(entry, Candidates), "an entry has candidates or is a black box"
        return self._judge.part(entry, problem, clock)

    def _keep(self, entry: Entry) -> None:
        if self._file is not None:
            self._file.keep(self._state)
        self._tell(entry.title)

    def _tell(self, title: str) -> None:
        """Tell how far it is; True stops it."""
        if self._callback is None:
            return
        total = sum(len(self._problems_of(one)) for one in self._families)
        done = sum(len(parts) for parts in self._parts.values())
        text = title or f"about {written_seconds(self.planned())} on {self._n_threads} threads"
        if self._callback(Progress(done, total, None, self._before + self._clock.elapsed(), text)):
            self._clock.stop()

    # What a checkpoint holds.

    def _state(self) -> dict[str, object]:
        parts = {
            name: {str(place): vars(part) for place, part in of_one.items()}
            for name, of_one in self._parts.items()
        }
        return {"parts": parts, "elapsed": self._before + self._clock.elapsed()}

    def _load(self) -> None:
        state = None if self._file is None else self._file.load()
        if state is None:
            return
        found = cast("dict[str, dict[str, dict[str, dict[str, object]]]]", state)
        for name, of_one in found["parts"].items():
            self._parts[name] = {int(place): Part(**part) for place, part in of_one.items()}  # type: ignore[arg-type]
        self._before = cast("float", found["elapsed"])


def written_seconds(seconds: float) -> str:
    """Return a time in two digits."""
    if seconds < 1:
        return "1 s"
    digits = 10 ** max(math.floor(math.log10(seconds)) - 1, 0)
    return f"{round(seconds / digits) * digits:,} s"
