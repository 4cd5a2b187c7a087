"""Choosing the depth, or the price of a leaf, by cross-validation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np

from treewright._base.clock import Clock
from treewright.data.folds import Split, splits_of
from treewright.data.training import TrainingSet
from treewright.trees.optimal.front import Point, Searches
from treewright.trees.optimal.saving import Saving
from treewright.trees.optimal.task import OptimalTask, exact_penalty

DEPTHS = range(4)
"""Depths that ``max_depth="cv"`` tries."""
N_FOLDS = 5
SEED = 0
"""Parts the samples where nobody says how."""


def chosen_task(
    training: TrainingSet, task: OptimalTask, ordered: list[bool], clock: Clock, saving: Saving
) -> OptimalTask:
    """Return the task with what was to be chosen by cross-validation: the depth, or the price of a leaf."""
    if task.chooses_depth:
        depths = [(depth, task.leaf_penalty) for depth in DEPTHS]
        depth, _ = _best(training, task, ordered, clock, depths, saving)
        return replace(task, max_depth=depth, chooses_depth=False)
    if task.chooses_penalty:
        pairs = saving.once(
            "prices", lambda: _prices(Searches(training, task, ordered, clock), task.max_depth)
        )
        prices = [(task.max_depth, Fraction(*pair)) for pair in pairs]
        _, penalty = _best(training, task, ordered, clock, prices, saving)
        return replace(task, leaf_penalty=penalty, chooses_penalty=False)
    return task


def _prices(searches: Searches, depth: int) -> tuple[list[list[int]], bool]:
    """Return the prices to choose from as numerator and denominator, and whether all are of proven trees."""
    front = searches.front(depth)
    searches.check()
    prices = [[*price.as_integer_ratio()] for price in typical_prices(front)]
    return prices, searches.are_proven


def typical_prices(front: list[Point]) -> list[Fraction]:
    """Return a price for each tree of a front at which it is the best: between those where it is replaced."""
    ends = [smaller.price_against(larger) for smaller, larger in pairwise(front)]
    if not ends:
        return [Fraction(0)]
    between = [math.sqrt(float(most) * float(least)) for most, least in pairwise(ends)]
    return [2 * ends[0], *(exact_penalty(price) for price in between), ends[-1] / 2]


Choice = tuple[int, Fraction]
"""A depth and a price of a leaf."""


def _best(
    training: TrainingSet,
    task: OptimalTask,
    ordered: list[bool],
    clock: Clock,
    choices: Iterable[Choice],
    saving: Saving,
) -> Choice:
    """Return the choice whose trees lose least on held-out samples, of equal ones that of the smallest."""
    splits = splits_of(training, N_FOLDS, SEED, "a depth and a price")
    sums = dict.fromkeys(choices, 0.0)
    for fold, split in enumerate(splits):
        for place, choice in enumerate(sums):
            work = partial(_loss, training, task, ordered, clock, split, choice)
            sums[choice] += saving.once(f"fold {fold}, choice {place}", work)
    return min(sums, key=lambda choice: (sums[choice], choice[0], -choice[1]))


def _loss(
    training: TrainingSet, task: OptimalTask, ordered: list[bool], clock: Clock, split: Split, choice: Choice
) -> tuple[float, bool]:
    """Return what the tree of the other folds loses on a fold, and whether it is proven to be the best.

    A leaf costs the same share of all samples.
    """
    learning = training.part(split[0], owner="cross-validation")
    share = Fraction(*(int(np.count_nonzero(part.weights)) for part in (learning, training)))
    depth, penalty = choice
    searches = Searches(learning, task, ordered, clock)
    point = searches.point(depth, exact_penalty(float(penalty * share)))
    searches.check()
    held_out = training.dataset[split[1]]
    columns = [held_out.column(i) for i in range(held_out.n_features)]
    predicted = point.tree._core.predict(columns, task.limits.n_threads)
    losses = task.answering.losses(training.target[split[1]], predicted, training.classes)
    return float((losses * training.weights[split[1]]).sum()), searches.are_proven
