"""Several searches in a row, under one time limit, one callback and one Ctrl-C."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from treewright._base.clock import Clock
from treewright._base.params import Limits
from treewright.data.training import TrainingSet
from treewright.results import Callback, Progress
from treewright.trees.optimal.saving import Saving
from treewright.trees.optimal.search import Found, kept_tree
from treewright.trees.optimal.task import OptimalTask

SHORTEST = 1e-3
"""Seconds of a search for which no time is left: it has a tree at once."""


@dataclass(eq=False)
class _Told:
    """A callback of one search among several: seconds are those of all, a `text` may stand for the best."""

    asked: Callback
    n_done: int
    clock: Clock
    text: str | None = None
    is_stopped: bool = False

    def __call__(self, seen: Progress) -> bool:
        if self.is_stopped:
            return True
        told = replace(seen, elapsed=self.clock.elapsed())
        if self.text is not None:
            told = Progress(self.n_done, None, None, told.elapsed, self.text)
        self.is_stopped = bool(self.asked(told))
        return self.is_stopped


@dataclass(eq=False)
class Course:
    """Searches one after the other.

    `status` is what ended them before they were done, None if nothing did; limits of nodes and memory are
    those of each search. What a callback or Ctrl-C `raised` is to be raised once the best so far is kept.
    """

    clock: Clock
    status: str | None = None
    raised: BaseException | None = None
    n_done: int = 0
    saving: Saving = field(default_factory=Saving)

    @property
    def is_over(self) -> bool:
        """Whether no further search is wanted."""
        if self.status is None and self.clock.left() <= 0:
            self.status = "time_limit"
        return self.status is not None

    def half(self) -> Course:
        """Return the course of what comes first and may take half of the time."""
        left = self.clock.limit()
        return Course(self.clock.part(None if left is None else left / 2), saving=self.saving)

    def ends_as(self, part: Course) -> None:
        """Take over how a part ended."""
        self.status, self.raised, self.n_done = part.status, part.raised, part.n_done

    def interrupted(self, error: BaseException) -> None:
        """Stop: something was raised between two searches."""
        self.status, self.raised = "stopped", error

    def search(self, training: TrainingSet, task: OptimalTask, text: str) -> Found:
        """Search within the time that is left; the callback is told the text, and not of the tree."""
        asked = task.limits.callback
        told = None if asked is None else _Told(asked, self.n_done, self.clock, text)
        found = kept_tree(training, task, self._limits(task, told))
        self.n_done += 1
        if found.raised is not None:
            self.interrupted(found.raised)
        elif told is not None and told.is_stopped:  # even if the search was done just then
            self.status = "stopped"
        elif found.search.status == "time_limit":
            self.status = "time_limit"
        return found

    def _limits(self, task: OptimalTask, callback: Callback | None) -> Limits:
        seconds = self.clock.limit()
        left = None if seconds is None else max(seconds, SHORTEST)
        return task.limits._replace(time_limit=left, callback=callback)

    def last(self, training: TrainingSet, task: OptimalTask) -> Found:
        """Search once more; a course that was stopped ends with the tree that is there at once.

        What cut earlier searches short is the status of this one too, unless another limit ended it.
        """
        cut, earlier, asked = self.status, self.raised, task.limits.callback
        if cut == "stopped":
            limits = task.limits._replace(time_limit=SHORTEST, callback=None)
        else:
            limits = self._limits(task, asked and _Told(asked, self.n_done, self.clock))
        found = kept_tree(training, task, limits, self.saving)
        search = found.search
        if cut is not None and (cut == "stopped" or search.success):
            search = replace(search, status=cut)
        return Found(search, found.mean_weight, earlier or found.raised)
