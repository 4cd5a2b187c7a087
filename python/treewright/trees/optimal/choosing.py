"""Choosing the depth, or the price of a leaf, by cross-validation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from treewright._base.clock import Clock
from treewright.data.folds import Split, splits_of
from treewright.data.training import TrainingSet
from treewright.trees.optimal.front import Point, Searches
from treewright.trees.optimal.task import OptimalTask, exact_penalty

DEPTHS = range(4)
"""Depths that ``max_depth="cv"`` tries."""
N_FOLDS = 5
SEED = 0
"""Parts the samples where nobody says how."""


def chosen_task(training: TrainingSet, task: OptimalTask, clock: Clock) -> OptimalTask:
    """Return the task with what was to be chosen by cross-validation: the depth, or the price of a leaf."""
    if task.chooses_depth:
        depths = [(depth, task.leaf_penalty) for depth in DEPTHS]
        depth, _ = _best(training, task, clock, depths)
        return replace(task, max_depth=depth, chooses_depth=False)
    if task.chooses_penalty:
        front = Searches(training, task, clock).front(task.max_depth)
        prices = [(task.max_depth, penalty) for penalty in typical_prices(front)]
        _, penalty = _best(training, task, clock, prices)
        return replace(task, leaf_penalty=penalty, chooses_penalty=False)
    return task


def typical_prices(front: list[Point]) -> list[Fraction]:
    """Return a price for each tree of a front at which it is the best: between those where it is replaced."""
    ends = [smaller.price_against(larger) for smaller, larger in pairwise(front)]
    if not ends:
        return [Fraction(0)]
    between = [math.sqrt(float(most) * float(least)) for most, least in pairwise(ends)]
    return [2 * ends[0], *(exact_penalty(price) for price in between), ends[-1] / 2]


Choice = tuple[int, Fraction]
"""A depth and a price of a leaf."""


def _best(training: TrainingSet, task: OptimalTask, clock: Clock, choices: Iterable[Choice]) -> Choice:
    """Return the choice whose trees lose least on held-out samples, of equal ones that of the smallest."""
    splits = splits_of(training, N_FOLDS, SEED, "a depth and a price")
    sums = dict.fromkeys(choices, 0.0)
    for split in splits:
        for choice in sums:
            sums[choice] += _loss(training, task, clock, split, choice)
    return min(sums, key=lambda choice: (sums[choice], choice[0], -choice[1]))


def _loss(training: TrainingSet, task: OptimalTask, clock: Clock, split: Split, choice: Choice) -> float:
    """Return what the tree of the other folds loses on a fold; prices are those for all samples."""
    learning = training.part(split[0], owner="cross-validation")
    share = Fraction(float(learning.weights.sum() / training.weights.sum()))
    depth, penalty = choice
    searches = Searches(learning, task, clock)
    point = searches.point(depth, exact_penalty(float(penalty * share)))
    searches.check()
    held_out = training.dataset[split[1]]
    columns = [held_out.column(i) for i in range(held_out.n_features)]
    predicted = point.tree._core.predict(columns, task.limits.n_threads)
    losses = task.answering.losses(training.target[split[1]], predicted, training.classes)
    return float((losses * training.weights[split[1]]).sum())
