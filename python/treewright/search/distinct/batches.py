"""Fetching trees from the engine: few at first, then as many as a moment gives."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace

from treewright import _core
from treewright._base.params import Limits
from treewright.results import Callback, Progress
from treewright.search.distinct.problem import Problem

MOMENT = 0.02
"""Seconds that a batch should take: long against the cost of a call, short for who waits."""

LARGEST = 1024


class Batches:
    """Hands out rows one at a time, and knows why there are no more.

    Whatever ends a batch early (a limit, the callback, an error in it, Ctrl-C), the trees found until
    then are kept and handed out before anything else: the engine holds them until they are known to
    have arrived. `waiting` are the rows that were found and not handed out yet.
    """

    def __init__(self, problem: Problem, callback: Callback | None) -> None:
        self.n_built = self.n_distinct = 0
        self.waiting: deque[_core.FoundTree] = deque()
        self._n_threads = problem.growing.n_threads
        self._callback = callback
        self._ended: str | None = None
        self._watch: Watch | None = None
        self._size = 1
        self._seconds_left: float | None = None
        self._seconds_gone = 0.0
        self._engine = _core.DistinctTrees(problem.of_engine, rules=problem.rules)

    @property
    def status(self) -> str | None:
        """Why there are no more rows, None while there are or may be."""
        return None if self.waiting else self._ended

    def go_on(self, seconds: float | None, node_limit: int | None = None) -> None:
        """Allow so many seconds of work from here, or any number; and so many trees in all, or as before."""
        self._seconds_left = seconds
        if node_limit is not None:
            self._engine.limit(node_limit)
        if self._ended in ("time_limit", "stopped") or (self._ended == "node_limit" and node_limit):
            self._ended = None

    def close(self) -> None:
        """Let everything go; from within the callback, as soon as that returns."""
        self.waiting.clear()
        self._ended = self._ended if self._ended in ("complete", "node_limit") else "closed"
        if self._watch is None:
            self._engine.close()
        else:
            self._watch.asked_to_stop = True

    def next(self) -> _core.FoundTree | None:
        """Return the first of those that wait, None if there is none for now; the taker drops it."""
        if not self.waiting and self._ended is None:
            self._fetch()
        return self.waiting[0] if self.waiting else None

    def _fetch(self) -> None:
        watch = Watch(self._callback, self._seconds_gone) if self._callback else None
        rows = self._next_batch(watch)
        if self._ended == "closed":
            self._engine.close()
            return
        self._keep(rows)
        self._ended = self._engine.status
        if watch is not None:
            self._heed(watch)

    def _next_batch(self, watch: Watch | None) -> list[_core.FoundTree]:
        self._watch, begun = watch, time.monotonic()
        limits = Limits(self._n_threads, self._seconds_left, watch)
        try:
            return self._engine.next_batch(self._size, self.n_distinct, limits)
        finally:
            self._watch = None
            self._account(time.monotonic() - begun)

    def _heed(self, watch: Watch) -> None:
        """Stop if the callback asked for it, even after the batch; raise what it raised."""
        if self._ended is None and watch.asked_to_stop:
            self._ended = "stopped"
        if watch.error is not None:
            self._ended = None if self._ended == "stopped" else self._ended
            raise watch.error

    def _account(self, seconds: float) -> None:
        """Note the time, and make the next batch larger or smaller by it."""
        self._seconds_gone += seconds
        if self._seconds_left is not None:
            self._seconds_left = max(self._seconds_left - seconds, 0.0)
        if seconds < MOMENT / 2:
            self._size = min(2 * self._size, LARGEST)
        elif seconds > MOMENT:
            self._size = max(self._size // 2, 1)

    def _keep(self, rows: list[_core.FoundTree]) -> None:
        n_built, n_distinct = self._engine.n_built, self._engine.n_distinct
        n_found = n_distinct - self.n_distinct
        if len(rows) != n_found:
            raise AssertionError(
                f"{n_found} trees were found and {len(rows)} handed over: "
                "this is an error in treewright; please report it"
            )
        waiting = deque(rows)
        # Nothing is called here, so that no signal can part what belongs together.
        self.waiting, self.n_built, self.n_distinct = waiting, n_built, n_distinct


class Watch:
    """Passes progress on to the callback of a user, counted from the first batch.

    An error that the callback raises is kept rather than raised, and ends the batch in order.
    """

    def __init__(self, callback: Callback, seconds_before: float) -> None:
        self.asked_to_stop = False
        self.error: BaseException | None = None
        self._callback = callback
        self._seconds_before = seconds_before

    def __call__(self, progress: Progress) -> bool:
        """Report; True ends the batch."""
        if self.asked_to_stop:
            return True
        try:
            seen = replace(progress, elapsed=self._seconds_before + progress.elapsed)
            self.asked_to_stop |= bool(self._callback(seen))
        except BaseException as error:
            self.error, self.asked_to_stop = error, True
        return self.asked_to_stop
