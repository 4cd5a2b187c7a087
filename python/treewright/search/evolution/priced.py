"""Trees by which rules are judged at what wrong answers cost.

A rule sees c and n, numbers of rows. So rows weigh what wrong answers to their class cost on the mean, as
for every rule that estimates errors; nodes answer at the least cost; and what counts on the rows that judge
is the cost of these answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._base.params import Limits
from treewright.data.training import TrainingSet, class_factors
from treewright.data.types import AnyArray, BoolArray
from treewright.results import Progress
from treewright.trees.growing import Growing

LEAST_SHARE = 2.0**-20
"""Share of a node that rows of its class have at least: a rule has no place for an answer that no row has.

With three classes or more, a node may answer with a class that it has no rows of, since that costs least.
"""

Numbers = tuple[int, int, int]
"""One for training, validation and test each."""

Draw = tuple[int, int, NDArray[np.uint8]]
"""The corpus of a tree, the number of its data set, and 1 for each row that judges it."""


@dataclass
class Trees:
    """Trees in columns, one after the other."""

    columns: list[tuple[AnyArray, ...]] = field(default_factory=list)
    """Of each tree: c, n, cost as a leaf, first child, number of children."""
    n_test: list[float] = field(default_factory=list)

    def as_given(self) -> _core.GrownTrees:
        """Return them as the engine takes them."""
        nothing = np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64)
        c, n, costs, first, n_children = map(np.concatenate, zip(nothing, *self.columns, strict=True))
        n_nodes = np.array([len(columns[0]) for columns in self.columns], dtype=np.int64)
        return _core.GrownTrees(c, n, costs, first, n_children, n_nodes, np.array(self.n_test, np.float64))


def priced_trees(
    sets: Sequence[TrainingSet],
    growing: Growing,
    drawn: Callable[[int], list[Draw]],
    numbers: Numbers,
    limits: Limits,
) -> tuple[_core.TreeCorpora, bool]:
    """Grow the trees of all corpora, at least one of each; return whether they are all there."""
    corpora, started = [Trees() for _ in numbers], time.monotonic()
    n_all, n_essential = sum(numbers), sum(n > 0 for n in numbers)
    for done in range(n_all):
        if done >= n_essential and _is_over(done, n_all, started, limits):
            break
        (corpus, number, judges), *_ = drawn(1)
        _add(corpora[corpus], sets[number], growing.on(limits.n_threads), judges.astype(np.bool_))
    train, validation, test = (trees.as_given() for trees in corpora)
    n_grown = sum(len(trees.n_test) for trees in corpora)
    return _core.TreeCorpora.grown(train, validation, test), n_grown == n_all


def _is_over(done: int, n_all: int, started: float, limits: Limits) -> bool:
    """Tell how many trees there are, and ask whether to go on."""
    elapsed = time.monotonic() - started
    text = f"{done} of {n_all} trees grown"
    told = Progress(0, n_all, best=None, elapsed=elapsed, text=text)
    is_stopped = limits.callback is not None and bool(limits.callback(told))
    return is_stopped or (limits.time_limit is not None and elapsed >= limits.time_limit)


def after(limits: Limits, seconds: float) -> Limits:
    """Return what is left of the limits, the callback counting time from the start."""
    left, asked = limits.time_limit, limits.callback
    left = None if left is None else max(left - seconds, 1e-3)
    later = asked and (lambda progress: asked(replace(progress, elapsed=progress.elapsed + seconds)))
    return limits._replace(time_limit=left, callback=later)


def _add(trees: Trees, training: TrainingSet, growing: Growing, judges: BoolArray) -> None:
    """Grow a tree on the rows that do not judge it, and count the cost of its answers on those that do."""
    core, parameters = training.core, growing.parameters(training)
    grown = _core.grow(core.take(np.flatnonzero(~judges)), growth=parameters, n_threads=growing.n_threads)
    factors = class_factors(training.class_weight, training)
    judged = _core.refill(grown, core.take(np.flatnonzero(judges)), class_weight=factors, keep_classes=True)
    prices, answers = growing.answering.prices(training.classes), grown.node_class
    costs = (judged.class_weights * prices.units[:, answers].T).sum(axis=1) * prices.unit
    priced = grown.priced()
    n = priced.class_weights.sum(axis=1)
    c = priced.class_weights[np.arange(len(n)), answers].clip(min=LEAST_SHARE * n)
    trees.columns.append((c, n, costs, grown.first_child.astype(np.int64), grown.n_children.astype(np.int64)))
    trees.n_test.append(float(judged.class_weights[0].sum()))
