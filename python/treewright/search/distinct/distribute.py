"""Counting the distinct trees on whatever joblib distributes to: processes, or a cluster of machines."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeAlias

import joblib
from joblib.parallel import get_active_backend

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import Limits
from treewright.results import Progress
from treewright.search.distinct.problem import Problem

N_PARTS = 256
"""Parts that the search space is cut into, whatever the number of workers."""

JOBS_PER_WORKER = 4
"""Several, so that a worker with small parts is not idle at the end."""

AWAKE_SECONDS = 0.02

MAX_ROUNDS = 4
"""How often parts that a dead worker took with it are handed out."""

Found: TypeAlias = dict[_core.SearchPart, _core.TreeCounts]
"""Counts by the part they are of."""


@dataclass(frozen=True)
class Counted:
    """Sums over distinct trees, and why counting ended."""

    counts: _core.TreeCounts
    status: str
    elapsed: float


def count_distributed(problem: Problem, limits: Limits) -> Counted:
    """Count every part once and add up.

    The answer of a part is kept under its key; a part that comes twice, because a worker died late
    or two had it, counts once.
    """
    n_workers = _n_workers()
    started = time.monotonic()
    split = _core.split_distinct_search(
        problem.of_engine, rules=problem.rules, n_parts=N_PARTS, limits=Limits(time_limit=limits.time_limit)
    )
    deadline = None
    if limits.time_limit is not None:
        seconds_gone = time.monotonic() - started
        _wake_workers(n_workers)
        deadline = time.monotonic() + limits.time_limit - seconds_gone
    found: Found = {}
    status = "complete"
    with contextlib.closing(_counted(problem, split.parts, found, deadline)) as answers:
        for sums, ended in answers:
            found.update(sums)
            status = ended if ended != "complete" else status
            done = split.around.n_built + sum(part.n_built for part in found.values())
            progress = Progress(done, total=None, best=None, elapsed=time.monotonic() - started)
            if limits.callback is not None and limits.callback(progress):
                status = "stopped"
                break
    return Counted(_added([split.around, *found.values()]), status, time.monotonic() - started)


def _counted(
    problem: Problem, parts: list[_core.SearchPart], found: Found, deadline: float | None
) -> Generator[tuple[Found, str]]:
    """Yield the sums of some parts at a time, until all are `found`; lost ones are handed out again."""
    for attempt in range(1, MAX_ROUNDS + 1):
        left = [part for part in parts if part not in found]
        if not left:
            return
        try:
            yield from _round(problem, left, deadline)
        except Exception as error:
            if attempt == MAX_ROUNDS or not _is_lost_worker(error):
                raise
        else:
            return


def _round(
    problem: Problem, parts: list[_core.SearchPart], deadline: float | None
) -> Generator[tuple[Found, str]]:
    """Hand out parts once; as many jobs as keep all workers busy, each with parts from all over."""
    n_workers = _n_workers()
    n_jobs = min(len(parts), JOBS_PER_WORKER * joblib.effective_n_jobs(n_workers))
    jobs = (
        joblib.delayed(count_parts)(problem, parts[first::n_jobs], _seconds_left(deadline))
        for first in range(n_jobs)
    )
    # A job leaves when a worker is free for it, so that the seconds sent with it are those left.
    at_once = {"pre_dispatch": "n_jobs", "batch_size": 1}
    answers = joblib.Parallel(n_jobs=n_workers, return_as="generator_unordered", **at_once)(jobs)
    try:
        # "yield from" would close the answers before the filter is set.
        for answer in answers:  # noqa: UP028
            yield answer
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that not all answers are wanted is known
            answers.close()


def _n_workers() -> int:
    """Return the ``n_jobs`` of the surrounding ``joblib.parallel_config``; all where it names none."""
    backend, n_jobs = get_active_backend()
    if not backend.supports_return_generator:
        raise ParameterError(
            "distribute",
            True,
            f"does not go with joblib's {type(backend).__name__}, which hands over no answer before it has "
            "all",
            "choose parallel_config(backend='loky') or a cluster",
        )
    return -1 if n_jobs is None else int(n_jobs)


def _wake_workers(n_workers: int) -> None:
    """Let the workers start and load treewright, which may take seconds, before the clock runs."""
    n_jobs = joblib.effective_n_jobs(n_workers)
    joblib.Parallel(n_jobs=n_workers, batch_size=1)(joblib.delayed(awake)() for _ in range(n_jobs))


def awake() -> None:
    """Keep a worker busy for so long that the next such job goes to another."""
    time.sleep(AWAKE_SECONDS)


def _seconds_left(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def count_parts(problem: Problem, parts: list[_core.SearchPart], seconds: float | None) -> tuple[Found, str]:
    """Count some parts on a worker, within so many seconds: the clocks of two machines are not compared.

    Return the counts by part, without the parts that were not begun, and why counting ended.
    """
    counted = _core.count_distinct_parts(
        problem.of_engine, parts, rules=problem.rules, limits=Limits(time_limit=seconds)
    )
    return dict(zip(parts, counted.counts, strict=False)), counted.status


def _is_lost_worker(error: Exception) -> bool:
    """Whether a worker went away, not its work went wrong."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"TerminatedWorkerError", "BrokenProcessPool", "KilledWorker", "CommClosedError"})


def _added(counts: list[_core.TreeCounts]) -> _core.TreeCounts:
    """Add up the counts of disjoint parts."""
    n_built = sum(part.n_built for part in counts)
    by_n_features = [sum(sizes) for sizes in zip(*(part.by_n_features for part in counts), strict=True)]
    by_log_subsets = [sum(sizes) for sizes in zip(*(part.by_log_subsets for part in counts), strict=True)]
    return _core.TreeCounts(n_built, by_n_features, by_log_subsets)
