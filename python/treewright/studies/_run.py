"""All folds, one after another or side by side; what comes out is the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from joblib import Parallel, delayed

from treewright.exceptions import TreewrightError
from treewright.results import Progress
from treewright.studies._folds import Fold
from treewright.studies._methods import RUNNERS, Plan
from treewright.studies._outcome import Outcome

Row = tuple[Any, ...]
Watch = Callable[[Progress], bool]


def run_all(folds: Sequence[Fold], plan: Plan, n_jobs: int | None, watch: Watch) -> tuple[list[Row], bool]:
    """Run every fold; return one row a fold and method, in order, and whether all folds were run."""
    started = time.perf_counter()
    parts: dict[int, list[Row]] = {}
    finished = _finished(folds, plan, n_jobs)
    for place, rows in finished:
        parts[place] = rows
        progress = Progress(len(parts), len(folds), best=None, elapsed=time.perf_counter() - started)
        if watch(progress) and len(parts) < len(folds):
            break
    finished.close()
    return [row for place in sorted(parts) for row in parts[place]], len(parts) == len(folds)


def _finished(folds: Sequence[Fold], plan: Plan, n_jobs: int | None) -> Any:
    """Yield place and rows of each fold when it is done, in whatever order."""
    tasks = (delayed(_run_one)(place, fold, plan) for place, fold in enumerate(folds))
    return Parallel(n_jobs=n_jobs, return_as="generator_unordered")(tasks)


def _run_one(place: int, fold: Fold, plan: Plan) -> tuple[int, list[Row]]:
    try:
        return place, list(_rows(fold, plan))
    except TreewrightError as error:
        error.add_note(
            f"data set {fold.name!r}, repeat {fold.repeat}, fold {fold.number}: rows are counted among those "
            "that the fold learns from"
        )
        raise


def _rows(fold: Fold, plan: Plan) -> Iterator[Row]:
    for method in plan.methods:
        outcome: Outcome = RUNNERS[method](fold, plan)
        yield (fold.name, fold.repeat, fold.number, fold.seed, method, *outcome)
