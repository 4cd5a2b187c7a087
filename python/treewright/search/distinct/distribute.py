"""Counting the distinct trees on whatever joblib distributes to: processes, or a cluster of machines."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Generator
from typing import Any

import joblib
from joblib.parallel import get_active_backend

from treewright import _core
from treewright._base.errors import ParameterError
from treewright.results import Callback, Progress
from treewright.search.distinct.problem import Problem

N_PARTS = 256
"""Parts that the search space is cut into, whatever the number of workers."""

JOBS_PER_WORKER = 4
"""Several, so that a worker with small parts is not idle at the end."""

AWAKE_SECONDS = 0.02

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
    n_workers = _n_workers()
    started = time.monotonic()
    top, parts = _core.split_distinct_search(
        problem.dataset.core,
        problem.training_part,
        growth=problem.growth,
        n_parts=N_PARTS,
        time_limit=time_limit,
        **_kept(problem),
    )
    keys: list[Key] = [(tuple(required), tuple(optional)) for required, optional in parts]
    deadline = None
    if time_limit is not None:
        seconds_gone = time.monotonic() - started
        _wake_workers(n_workers)
        deadline = time.monotonic() + time_limit - seconds_gone
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
    n_workers = _n_workers()
    n_jobs = min(len(keys), JOBS_PER_WORKER * joblib.effective_n_jobs(n_workers))
    jobs = (
        joblib.delayed(count_parts)(problem, keys[first::n_jobs], _seconds_left(deadline))
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


def count_parts(problem: Problem, keys: list[Key], seconds: float | None) -> tuple[dict[Key, Sums], str]:
    """Count some parts, on a worker.

    Parameters
    ----------
    problem : Problem
        The data and how trees grow.
    keys : list of (tuple of int, tuple of int)
        Required and optional features of each part.
    seconds : float or None
        Seconds after which counting ends; the clocks of two machines are not compared.

    Returns
    -------
    sums : dict
        Counts by key, without the parts that were not begun.
    status : str
        Why counting ended.
    """
    sums, status = _core.count_distinct_parts(
        problem.dataset.core,
        problem.training_part,
        keys,
        growth=problem.growth,
        time_limit=seconds,
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
