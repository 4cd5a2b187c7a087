"""Trees from random parts of the user's data, on threads, under the limits of the call."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._base.errors import UnfinishedError
from treewright.data.training import TrainingSet
from treewright.data.validation_set import draw_share
from treewright.search.evolution.limits import WAKE, Limits
from treewright.trees.growing import Growing

Parts = tuple[Any, ...]
"""c, n, test errors, first child and number of children of every node, and the test weight."""

Job = Callable[[Callable[[object], bool]], Parts]
"""Grows one tree; what it is given says whether to give up."""


@dataclass(frozen=True)
class Planting:
    """How trees grow: set by set in turn, from a share of the samples of each."""

    sets: Sequence[TrainingSet]
    growing: Growing
    share: float


def grown_in_turn(
    planting: Planting,
    seeds: Sequence[int],
    numbers: Sequence[int],
    n_threads: int,
    limits: Limits,
    *,
    is_essential: bool,
) -> list[list[Parts]]:
    """Grow as many trees as asked for with each seed, one a seed in turn.

    At a limit all have about as many; the first tree of each is grown whatever the limits say, and all of
    them if they are essential. What is drawn does not depend on limits or threads.
    """
    corpora: list[list[Parts]] = [[] for _ in seeds]
    turns = [i for k in range(max(numbers)) for i, number in enumerate(numbers) if k < number]
    n_essential = len(turns) if is_essential else len(seeds)
    jobs = _jobs(planting, seeds, turns)
    with closing(_in_order(jobs, len(turns), n_threads, limits, n_essential)) as trees:
        for i, tree in zip(turns, trees, strict=False):
            corpora[i].append(tree)
    return corpora


def _jobs(planting: Planting, seeds: Sequence[int], turns: Sequence[int]) -> Iterator[Job]:
    """Draw the samples of every tree, in order."""
    draws = [np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed))) for seed in seeds]
    n_drawn = [0] * len(seeds)
    for i in turns:
        training = planting.sets[n_drawn[i] % len(planting.sets)]
        n_drawn[i] += 1
        yield _job(planting, training, draw_share(1 - planting.share, training.target, draws[i]))


def _in_order(
    jobs: Iterator[Job], n_jobs: int, n_threads: int, limits: Limits, n_essential: int
) -> Generator[Parts, None, None]:
    """Run jobs on threads, a few ahead; end before the first one that a limit ended."""

    def gives_up(number: int) -> bool:
        return limits.is_given_up or (limits.status is not None and number >= n_essential)

    def submitted(number: int, job: Job) -> Future[Parts]:
        return pool.submit(job, lambda _: gives_up(number))

    running: deque[Future[Parts]] = deque()
    numbered = enumerate(jobs)
    with ThreadPoolExecutor(n_threads) as pool:
        try:
            for done in range(n_jobs):
                while len(running) < 2 * n_threads and (following := next(numbered, None)):
                    running.append(submitted(*following))
                limits.look(f"{done:,} of {n_jobs:,} trees grown")
                while running[0] not in wait([running[0]], timeout=WAKE).done:
                    limits.look(f"{done:,} of {n_jobs:,} trees grown")
                if gives_up(done):
                    return
                yield running.popleft().result()
        except UnfinishedError:
            return
        finally:
            limits.is_given_up = True
            for future in running:
                future.cancel()


def _job(planting: Planting, training: TrainingSet, judges: NDArray[np.bool_]) -> Job:
    """Return what grows a tree from the samples that do not judge it."""
    parameters = planting.growing.parameters(training)

    def grow(gives_up: Callable[[object], bool]) -> Parts:
        building = training.core.take(_rows(~judges))
        core = _core.grow(building, growth=parameters, callback=gives_up)
        judged = _core.refill(
            core,
            training.core.take(_rows(judges)),
            class_weight=parameters.class_weight,
            keep_classes=True,
            callback=gives_up,
        )
        own = np.arange(core.n_nodes), core.node_class
        c, first = core.class_weights[own], core.first_child.astype(np.int64)
        errors = np.maximum(judged.weight - judged.class_weights[own], 0.0)
        n_children = np.bincount(core.parent[1:], minlength=core.n_nodes).astype(np.int64)
        return c, np.maximum(core.weight, c), errors, first, n_children, float(judged.weight[0])

    return grow


def _rows(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.flatnonzero(mask).astype(np.int64)
