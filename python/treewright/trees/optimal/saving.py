"""The checkpoint of a search for an optimal tree: what it holds, and how the search goes on from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, TypeVar, cast

from sklearn.base import BaseEstimator

from treewright._base.checkpoint import Checkpoint
from treewright._base.clock import Clock
from treewright.data.digest import digest
from treewright.data.training import TrainingSet, class_factors
from treewright.trees.optimal.task import OptimalTask

WORK = "OptimalTreeClassifier"

SECONDS_BETWEEN = 10.0
"""Seconds between two states that the engine hands out, between rounds."""

ValueT = TypeVar("ValueT")


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
    """Seconds of earlier runs."""
    known: dict[str, object] = field(default_factory=dict)
    """What is done of the cross-validation."""
    entry: str | None = None
    """Where the last search stood."""
    chosen: list[int] = field(default_factory=list)
    """Depth and price of that search, which cross-validation may have chosen."""

    @classmethod
    def of(
        cls,
        estimator: BaseEstimator,
        training: TrainingSet,
        task: OptimalTask,
        ordered: Sequence[bool],
        clock: Clock,
    ) -> Saving:
        """Read what `checkpoint` and `resume` of an estimator ask for."""
        given = estimator.get_params(deep=False)
        file = Checkpoint.of(
            given["checkpoint"],
            given["resume"],
            work=WORK,
            design=lambda: _design(training, task, given) | {"ordered": list(ordered)},
        )
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
        """Return what the engine is given to keep where a search stands, and to go on from there."""
        asked = [task.max_depth, *task.leaf_penalty.as_integer_ratio()]
        if asked != self.chosen:
            self.entry, self.chosen = None, asked
        if self.file is None:
            return {"keep": None, "seconds": SECONDS_BETWEEN, "last": None}
        last = None if self.entry is None else (self.entry, str(self.file.place))
        return {"keep": self.keep, "seconds": SECONDS_BETWEEN, "last": last}

    def once(self, name: str, work: Callable[[], tuple[ValueT, bool]]) -> ValueT:
        """Return what is known under a name, or do the work; keep its value if it ran to its end."""
        if name in self.known:
            return cast("ValueT", self.known[name])
        try:
            value, is_whole = work()
        except BaseException:
            if self.known:
                self.write()
            raise
        if is_whole:
            self.known[name] = value
            if self.file is not None:
                self.file.keep(self._state)
        return value

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
        elapsed = self.before + self.clock.elapsed()
        return {"elapsed": elapsed, "known": self.known, "chosen": self.chosen, "entry": self.entry}


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
