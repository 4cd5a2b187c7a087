"""Counting the distinct trees on whatever joblib distributes to: processes, or a cluster of machines."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Generator
from typing import Any

import joblib

from treewright import _core
from treewright.distinct._problem import Problem
from treewright.results import Callback, Progress

N_PARTS = 256
"""Parts that the search space is cut into, whatever the number of workers."""

JOBS_PER_WORKER = 4
"""Several, so that a worker with small parts is not idle at the end."""

MAX_ROUNDS = 4
"""How often parts that a dead worker took with it are handed out."""

Key = tuple[tuple[int, ...], tuple[int, ...]]
"""Required and optional features: what names a part."""

Sums = dict[str, Any]


def count_distributed(problem: Problem, *, time_limit: float | None, callback: Callback | None) -> Sums:
    """Count every part once and add up.

    The answer of a part is kept under its key; a part that comes twice, because a worker died late
    or two had it, counts once.
    """
    started = time.monotonic()
    top, parts = _core.split_distinct_search(
        problem.dataset.core,
        problem.building,
        growth=problem.growth,
        n_parts=N_PARTS,
        time_limit=time_limit,
        **_kept(problem),
    )
    keys: list[Key] = [(tuple(required), tuple(optional)) for required, optional in parts]
    deadline = None if time_limit is None else time.time() + time_limit - (time.monotonic() - started)
    found: dict[Key, Sums] = {}
    status = "complete"
    with contextlib.closing(_counted(problem, keys, found, deadline)) as answers:
        for sums, ended in answers:
            found.update(sums)
            status = ended if ended != "complete" else status
            if _is_told_to_stop(callback, [top, *found.values()], time.monotonic() - started):
                status = "stopped"
                break
    total = _added([top, *found.values()])
    return {**total, "status": status, "elapsed": time.monotonic() - started}


def _kept(problem: Problem) -> dict[str, Any]:
    return {name: problem.limits[name] for name in ("order", "memory_limit")}


def _counted(
    problem: Problem, keys: list[Key], found: dict[Key, Sums], deadline: float | None
) -> Generator[tuple[dict[Key, Sums], str]]:
    """Yield the sums of some parts at a time, until all are `found`; lost ones are handed out again."""
    for attempt in range(1, MAX_ROUNDS + 1):
        left = [key for key in keys if key not in found]
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
    problem: Problem, keys: list[Key], deadline: float | None
) -> Generator[tuple[dict[Key, Sums], str]]:
    """Hand out parts once; as many jobs as keep all workers busy, each with parts from all over."""
    n_jobs = min(len(keys), JOBS_PER_WORKER * joblib.effective_n_jobs(-1))
    jobs = (joblib.delayed(count_parts)(problem, keys[first::n_jobs], deadline) for first in range(n_jobs))
    answers = joblib.Parallel(n_jobs=-1, return_as="generator_unordered")(jobs)
    try:
        # "yield from" would close the answers before the filter is set.
        for answer in answers:  # noqa: UP028
            yield answer
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that not all answers are wanted is known
            answers.close()


def count_parts(problem: Problem, keys: list[Key], deadline: float | None) -> tuple[dict[Key, Sums], str]:
    """Count some parts, on a worker.

    Parameters
    ----------
    problem : Problem
        The data and how trees grow.
    keys : list of (tuple of int, tuple of int)
        Required and optional features of each part.
    deadline : float or None
        Time of day, in seconds, at which counting ends.

    Returns
    -------
    sums : dict
        Counts by key, without the parts that were not begun.
    status : str
        Why counting ended.
    """
    time_limit = None if deadline is None else max(0.0, deadline - time.time())
    sums, status = _core.count_distinct_parts(
        problem.dataset.core,
        problem.building,
        keys,
        growth=problem.growth,
        time_limit=time_limit,
        **_kept(problem),
    )
    return dict(zip(keys, sums, strict=False)), status


def _is_lost_worker(error: Exception) -> bool:
    """Whether a worker went away, not its work went wrong."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"TerminatedWorkerError", "BrokenProcessPool", "KilledWorker", "CommClosedError"})


def _is_told_to_stop(callback: Callback | None, sums: list[Sums], elapsed: float) -> bool:
    if callback is None:
        return False
    done = sum(part["n_built"] for part in sums)
    return bool(callback(Progress(done=done, total=None, best=None, elapsed=elapsed)))


def _added(sums: list[Sums]) -> Sums:
    """Add up the counts of disjoint parts."""
    columns = {name: [part[name] for part in sums] for name in sums[0]}
    lists = {
        name: [sum(entries) for entries in zip(*columns[name], strict=True)]
        for name in ("by_n_features", "by_log_subsets")
    }
    return {"n_built": sum(columns["n_built"]), "n_distinct": sum(columns["n_distinct"]), **lists}
