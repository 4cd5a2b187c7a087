"""The checkpoint of a search for an optimal tree: what it holds, and how the search goes on from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypedDict, cast

from sklearn.base import BaseEstimator

from treewright._base.checkpoint import Checkpoint
from treewright._base.clock import Clock
from treewright.data.digest import digest
from treewright.data.training import TrainingSet, class_factors
from treewright.trees.optimal.task import OptimalTask

WORK = "OptimalTreeClassifier"

SECONDS_BETWEEN = 10.0
"""Seconds between two states that the engine hands out, between rounds."""


class Journal(TypedDict):
    """Arguments of the engine."""

    keep: Callable[[str], object] | None
    seconds: float
    last: tuple[str, str] | None


@dataclass(eq=False)
class Saving:
    """The file of a fit, if there is one, and what an earlier run left in it."""

    file: Checkpoint | None = None
    clock: Clock = field(default_factory=lambda: Clock(None))
    before: float = 0.0
    """Seconds of earlier runs in the last search."""
    known: dict[str, object] = field(default_factory=dict)
    """What is done of the cross-validation."""
    entry: str | None = None
    """Where the last search stood."""
    chosen: list[int] = field(default_factory=list)
    """Depth and price of that search, which cross-validation may have chosen."""

    began: float | None = None
    """When the last search began."""

    @classmethod
    def of(cls, estimator: BaseEstimator, training: TrainingSet, task: OptimalTask, clock: Clock) -> Saving:
        """Read what `checkpoint` and `resume` of an estimator ask for."""
        given = estimator.get_params(deep=False)
        design = partial(_design, training, task, given)
        file = Checkpoint.of(given["checkpoint"], given["resume"], work=WORK, design=design)
        saving = cls(file, clock)
        state = None if file is None else file.load()
        if state is not None:
            held = cast("dict[str, object]", state)
            saving.before = cast("float", held["elapsed"])
            saving.known = cast("dict[str, object]", held["known"])
            saving.entry = cast("str | None", held["entry"])
            saving.chosen = cast("list[int]", held["chosen"])
        return saving

    def journal(self, task: OptimalTask) -> Journal:
        """Begin a search: return what the engine is given to keep where it stands, and to go on."""
        asked = [task.max_depth, *task.leaf_penalty.as_integer_ratio()]
        if asked != self.chosen:
            self.entry, self.chosen, self.before = None, asked, 0.0
        self.began = self.clock.elapsed()
        if self.file is None:
            return {"keep": None, "seconds": SECONDS_BETWEEN, "last": None}
        last = None if self.entry is None else (self.entry, str(self.file.place))
        return {"keep": self.keep, "seconds": SECONDS_BETWEEN, "last": last}

    def note(self, name: str, value: object) -> None:
        """Keep what came of a part of the cross-validation."""
        self.known[name] = value
        if self.file is not None:
            self.file.keep(self._state)

    def keep(self, entry: str) -> None:
        """Keep where the search stands, if it is time."""
        self.entry = entry
        if self.file is not None:
            self.file.keep(self._state)

    def write(self, entry: str | None = None) -> None:
        """Write where all stands now."""
        self.entry = self.entry if entry is None else entry
        if self.file is not None:
            self.file.write(self._state())

    def _state(self) -> dict[str, object]:
        own = 0.0 if self.began is None else self.clock.elapsed() - self.began
        return {"elapsed": self.before + own, "known": self.known, "chosen": self.chosen, "entry": self.entry}


def _design(training: TrainingSet, task: OptimalTask, given: Mapping[str, object]) -> dict[str, object]:
    """Return what the cost of a tree depends on; how leaves answer, and limits of the work, do not matter."""
    return {
        "max_depth": given["max_depth"] if task.chooses_depth else task.max_depth,
        "leaf_penalty": given["leaf_penalty"] if task.chooses_penalty else float(task.leaf_penalty),
        "max_leaf_nodes": task.max_leaf_nodes,
        "min_samples_leaf": task.min_samples_leaf,
        "nominal_splits": task.nominal_splits,
        "cost_matrix": task.answering.costs(training.classes),
        "class_weight": class_factors(task.class_weight, training),
        "data": {"X, y": digest(training.dataset)},
    }
