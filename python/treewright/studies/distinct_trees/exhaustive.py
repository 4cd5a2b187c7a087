"""The time of an exhaustive search: a tree for every subset of the features, grown or estimated."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treewright.data.training import TrainingSet
from treewright.trees.growing import Growing

LARGEST_LISTED = 20
"""Features up to which the subsets are shuffled as a list, so that none comes twice."""

LARGEST_FLOAT = 1000
"""Features beyond which 2**n is no float."""


class ExhaustiveTime(NamedTuple):
    """What it costs to grow one tree for every subset.

    Attributes
    ----------
    n_grown : int
        Subsets whose tree was grown, each from nothing.
    seconds_grown : float
        Wall clock of that.
    seconds : float
        Wall clock of all subsets: the same if all were grown, else the mean of those grown times 2**n.
    std_error : float
        Standard error of `seconds`: 0 if all were grown, NaN if that is unknown.
    is_estimated : bool
        Whether some subsets were left out.
    """

    n_grown: int
    seconds_grown: float
    seconds: float
    std_error: float
    is_estimated: bool


def exhaustive_time(
    training: TrainingSet, growing: Growing, *, most: int, seed: int, time_limit: float | None
) -> ExhaustiveTime:
    """Grow the trees of all subsets, or of `most` drawn ones, and stop when time is up."""
    n_features = training.dataset.n_features
    deadline = math.inf if time_limit is None else time.perf_counter() + time_limit
    seconds: list[float] = []
    for subset in drawn_subsets(n_features, most, seed):
        started = time.perf_counter()
        growing.grow(training, subset)
        ended = time.perf_counter()
        seconds.append(ended - started)
        if ended >= deadline:
            break
    return _scaled_up(np.array(seconds), n_features)


def drawn_subsets(n_features: int, most: int, seed: int) -> Iterator[list[int]]:
    """Yield `most` subsets in random order: all of them, each once, if there are no more than that.

    Of few features no subset comes twice; of many each is drawn by itself, from all 2**n alike.
    """
    rng = np.random.default_rng(seed)
    if n_features <= LARGEST_LISTED:
        for code in rng.permutation(1 << n_features)[:most].tolist():
            yield [i for i in range(n_features) if code >> i & 1]
    else:
        for _ in range(most):
            yield np.flatnonzero(rng.random(n_features) < 0.5).tolist()


def _scaled_up(seconds: np.ndarray, n_features: int) -> ExhaustiveTime:
    """Take the mean of the trees grown for that of all."""
    n_grown, total = len(seconds), float(seconds.sum())
    if n_features <= LARGEST_LISTED and n_grown == 1 << n_features:
        return ExhaustiveTime(n_grown, total, total, 0.0, is_estimated=False)
    n_subsets = 2.0**n_features if n_features <= LARGEST_FLOAT else math.inf
    error = float(np.std(seconds, ddof=1)) / math.sqrt(n_grown) if n_grown > 1 else math.nan
    return ExhaustiveTime(n_grown, total, n_subsets * total / n_grown, n_subsets * error, is_estimated=True)
