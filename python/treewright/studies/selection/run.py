"""All folds, one after another or side by side; what comes out is the same."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, Protocol

from joblib import Parallel, delayed

from treewright._base.errors import TreewrightError
from treewright.results import MESSAGES, Progress
from treewright.studies.common.folds import Fold
from treewright.studies.common.outcome import Outcome
from treewright.studies.selection.methods import RUNNERS, Plan

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


def text_type(texts: Iterable[str]) -> str:
    """Return a type that holds every one of the texts."""
    return f"U{max(map(len, texts))}"


FOLD = [
    ("repeat", "int64"),
    ("fold", "int64"),
    ("seed", "int64"),
    ("method", text_type(RUNNERS)),
    ("error", "float64"),
    ("validation_error", "float64"),
    ("n_selected", "int64"),
    ("n_used", "int64"),
    ("n_trees_built", "int64"),
    ("seconds", "float64"),
    ("status", text_type(MESSAGES)),
]
"""Columns of a row, after the name of the data set."""


def run_all(
    folds: Sequence[Place], plan: Any, n_jobs: int | None, watch: Watch, run: RunFold | None = None
) -> tuple[list[Row], bool]:
    """Run every fold; return one row a fold and method, in order, and whether all folds were run.

    `run` is what makes the rows of a fold, a function that can be pickled; None: the selections of a `Plan`.
    """
    started = time.perf_counter()
    parts: dict[int, list[Row]] = {}
    with closing(_Finished(folds, plan, n_jobs, run or rows_of_selections)) as finished:
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


def rows_of_selections(fold: Fold, plan: Plan) -> Iterator[Row]:
    """Yield what every method of the plan did on a fold."""
    for method in plan.methods:
        outcome: Outcome = RUNNERS[method](fold, plan)
        yield (fold.name, fold.repeat, fold.number, fold.seed, method, *outcome)
