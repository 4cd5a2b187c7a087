"""What is run for a table: jobs, each of which fills some cells, and how they are to be run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol, TypedDict, TypeVar, cast

from treewright._base.checkpoint import PathLike
from treewright.data.dataset import Dataset
from treewright.data.sources import registry as datasets
from treewright.results import Callback
from treewright.studies.common.run import StudyInterruptedError
from treewright.studies.reproduction.verdict import Measured
from treewright.trees.pruning.rule import PruningRule

Part = dict[str, object]
"""What a job found, as a checkpoint holds it; most have ``"cells"``."""

Cells = dict[tuple[str, str], Measured]
"""Numbers of ours by row and column."""


class Conducted(TypedDict):
    """What every study is told of how it is to be run."""

    time_limit: float | None
    n_jobs: int | None
    progress: bool
    callback: Callback | None
    checkpoint: Path | None
    resume: bool


@dataclass(frozen=True)
class Setting:
    """How a job is to be run."""

    effort: str
    folder: PathLike | None
    seed: int
    n_jobs: int | None
    time_limit: float | None
    """Seconds that are left for everything."""
    callback: Callback | None
    checkpoint: Path | None
    """Where the folds of the job are kept until it is done."""
    rule: PruningRule | None = None
    """What stands for the evolved pruning rule of a paper; None for what the paper prints of it."""

    @property
    def is_full(self) -> bool:
        """Whether as many folds are to be run as in the paper."""
        return self.effort == "full"

    @property
    def conduct(self) -> Conducted:
        """Parameters that all studies have."""
        return {
            "time_limit": self.time_limit,
            "n_jobs": self.n_jobs,
            "progress": False,
            "callback": self.callback,
            "checkpoint": self.checkpoint,
            "resume": self.checkpoint is not None,
        }

    def load(self, name: str) -> Dataset:
        """Load a set of the folder, or a bundled one."""
        return datasets.load(name, folder=self.folder)


class Done(NamedTuple):
    """What a job came to, and what interrupted it."""

    part: Part
    status: str
    interrupt: StudyInterruptedError | None = None


@dataclass(frozen=True)
class Job:
    """A piece of work that fills cells, of one table or of several."""

    key: str
    needs: tuple[str, ...]
    """Data sets of the folder."""
    run: Callable[[Setting], Done]


@dataclass(frozen=True)
class Recipe:
    """How a table is made again."""

    jobs: tuple[Job, ...] = ()
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Data sets of the folder by row; a row that is not named needs none."""
    cells: Callable[[Mapping[str, Part]], Cells] | None = None
    """Makes the cells of what the jobs found; None where each has cells of its own."""
    is_stand_in: bool = False
    """Whether generated data stand in for data that were never published."""
    prunes: bool = False
    """Whether a rule can be given that stands for the paper's evolved one."""

    def measured(self, parts: Mapping[str, Part]) -> Cells:
        """Return the cells, of the jobs that were run."""
        return _own_cells(parts) if self.cells is None else self.cells(parts)


def _own_cells(parts: Mapping[str, Part]) -> Cells:
    return {place: cell for part in parts.values() for place, cell in unpacked(part)}


def packed(cells: Mapping[tuple[str, str], Measured]) -> Part:
    """Return cells as a checkpoint holds them."""
    return {"cells": [[*place, *cell.packed()] for place, cell in cells.items()]}


def unpacked(part: Part) -> Iterator[tuple[tuple[str, str], Measured]]:
    """Yield the cells of a part with their places."""
    for row, column, *cell in cast("Sequence[Sequence[str]]", part.get("cells", ())):
        yield (row, column), Measured(*cell)  # type: ignore[arg-type]


class Study(Protocol):
    """The result of a study."""

    @property
    def status(self) -> str:
        """How it ended."""


StudyT = TypeVar("StudyT", bound=Study)


def done(study: Callable[[], StudyT], read: Callable[[StudyT], Part]) -> Done:
    """Run a study and read what it found, of the finished folds where Ctrl-C ended it."""
    try:
        found = study()
    except StudyInterruptedError as stop:
        part_of_it = cast("StudyT", stop.result)
        return Done(read(part_of_it), part_of_it.status, stop)
    return Done(read(found), found.status)


def unfinished(n_done: int, n_asked: int, counted: str = "folds") -> str:
    """Say how much of a mean is missing; empty where nothing is."""
    return "" if n_done >= n_asked else f"unfinished: {n_done:,} of {n_asked:,} {counted}"
