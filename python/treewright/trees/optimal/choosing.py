"""Choosing the depth, or the price of a leaf, by cross-validation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import cast

import numpy as np

from treewright.data.folds import Split, splits_of
from treewright.data.training import TrainingSet
from treewright.results import ResultTable
from treewright.trees.optimal.course import Course
from treewright.trees.optimal.front import Point, Searches
from treewright.trees.optimal.task import OptimalTask, exact_penalty

DEPTHS = range(4)
"""Depths that ``max_depth="cv"`` tries."""
USUAL_DEPTH = 3
"""The depth where no fold was finished."""
N_FOLDS = 5
SEED = 0
"""Parts the samples where nobody says how."""
FIELDS = [("depth", "int64"), ("leaf_penalty", "float64"), ("loss", "float64"), ("n_folds", "int64")]


Choice = tuple[int, Fraction]
"""A depth and a price of a leaf."""


@dataclass(frozen=True)
class Chosen:
    """The task with what was to be chosen, and what each choice lost on held-out samples."""

    task: OptimalTask
    losses: ResultTable | None = None


def chosen_task(training: TrainingSet, task: OptimalTask, course: Course) -> Chosen:
    """Choose the depth, or the price of a leaf, by cross-validation, in half of the time.

    Folds that were not finished do not count. Where none was, the depth is the usual one, and a leaf has no
    price.
    """
    if not (task.chooses_depth or task.chooses_penalty):
        return Chosen(task)
    part = course.half()
    choices, sums, n_folds = _judged(training, task, part)
    course.ends_as(part)
    depth, penalty = _best(choices, sums) if n_folds else (_usual_depth(task), Fraction(0))
    rows = [(*one, loss, n_folds) for one, loss in zip(choices, sums, strict=True)]
    price = penalty if task.chooses_penalty else task.leaf_penalty
    found = replace(task, max_depth=depth, leaf_penalty=price, chooses_depth=False, chooses_penalty=False)
    return Chosen(found, ResultTable.from_rows(rows if n_folds else [], FIELDS))


def _usual_depth(task: OptimalTask) -> int:
    return USUAL_DEPTH if task.chooses_depth else task.max_depth


def _best(choices: Sequence[Choice], sums: Sequence[float]) -> Choice:
    """Return the choice whose trees lose least, of equal ones that of the smallest."""
    ranked = zip(sums, choices, strict=True)
    return min(ranked, key=lambda one: (one[0], one[1][0], -one[1][1]))[1]


def _judged(
    training: TrainingSet, task: OptimalTask, course: Course
) -> tuple[list[Choice], list[float], int]:
    """Return the choices, what the trees of each lose on all folds that were finished, and their number."""
    choices: list[Choice] = []
    sums: list[float] = []
    n_folds = 0
    try:
        splits = splits_of(training, N_FOLDS, SEED, "a depth and a price")
        choices = list(_choices(training, task, course))
        sums = [0.0] * len(choices)
        for number, split in enumerate(splits, start=1):
            losses = _losses(training, task, course, split, choices, f"fold {number} of {len(splits)}")
            if course.is_over:
                break
            sums, n_folds = [a + b for a, b in zip(sums, losses, strict=True)], n_folds + 1
    except KeyboardInterrupt as error:
        course.interrupted(error)
    return choices, sums, n_folds


def _choices(training: TrainingSet, task: OptimalTask, course: Course) -> list[Choice]:
    if task.chooses_depth:
        return [(depth, task.leaf_penalty) for depth in DEPTHS]
    known = course.saving.known.get("prices")
    if known is not None:
        return [(task.max_depth, Fraction(*pair)) for pair in cast("list[list[int]]", known)]
    prices = typical_prices(Searches(training, task, course).front(task.max_depth))
    _note(course, "prices", [[*price.as_integer_ratio()] for price in prices])
    return [(task.max_depth, penalty) for penalty in prices]


def typical_prices(front: list[Point]) -> list[Fraction]:
    """Return a price for each tree of a front at which it is the best: between those where it is replaced."""
    ends = [smaller.price_against(larger) for smaller, larger in pairwise(front)]
    if not ends:
        return [Fraction(0)]
    between = [math.sqrt(float(most) * float(least)) for most, least in pairwise(ends)]
    return [2 * ends[0], *(exact_penalty(price) for price in between), ends[-1] / 2]


def _losses(
    training: TrainingSet,
    task: OptimalTask,
    course: Course,
    split: Split,
    choices: Sequence[Choice],
    where: str,
) -> list[float]:
    """Return what the tree of every choice loses on a fold, as far as there is time for them.

    A leaf costs the same share of the samples as among all.
    """
    learning = training.part(split[0], owner="cross-validation")
    share = Fraction(*(int(np.count_nonzero(part.weights)) for part in (learning, training)))
    found: list[float] = []
    for place, (depth, penalty) in enumerate(choices):
        if course.is_over:
            break
        known = course.saving.known.get(f"{where}, choice {place}")
        if known is None:
            price = exact_penalty(float(penalty * share))
            point = Searches(learning, task, course).point(depth, price, where=f"{where}, ")
            known = _loss(training, task, split, point)
            _note(course, f"{where}, choice {place}", known)
        found.append(cast("float", known))
    return found


def _note(course: Course, name: str, value: object) -> None:
    """Keep what came of a part of the cross-validation, unless it was cut short."""
    if not course.is_over:
        course.saving.note(name, value)


def _loss(training: TrainingSet, task: OptimalTask, split: Split, point: Point) -> float:
    """Return what a tree loses on a fold."""
    held_out = training.dataset[split[1]]
    predicted = point.tree._core.predict(held_out.columns(), task.limits.n_threads)
    losses = task.answering.losses(training.target[split[1]], predicted, training.classes)
    return float((losses * training.weights[split[1]]).sum())
