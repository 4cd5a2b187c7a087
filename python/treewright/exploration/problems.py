"""The problems of an exploration, one an outer fold and one of all rows: what to learn from, what judges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from treewright._base.errors import DataError
from treewright._base.wording import Param
from treewright.data.training import TrainingSet
from treewright.data.types import AnyArray, CodeArray, FloatArray, IntArray
from treewright.studies.common.splits import Split, row_splits
from treewright.trees.answering import Prices


@dataclass(frozen=True)
class Folding:
    """How rows are parted, outside and inside."""

    cv: int
    inner_cv: int
    repeats: int
    seed: int
    row_groups: AnyArray | None = None
    times: AnyArray | None = None

    def outer(self, target: CodeArray) -> list[Split]:
        """Return the outer folds."""
        n_repeats = 1 if self.times is not None else self.repeats
        return self._splits(target, np.arange(len(target)), self.cv, n_repeats, self.seed)

    def inner(self, target: CodeArray, rows: IntArray, place: int) -> list[Split]:
        """Return folds of the rows that a choice may see."""
        seed = int(np.random.SeedSequence([self.seed, place]).generate_state(1)[0])
        n_folds = self.inner_cv
        if self.row_groups is not None:
            n_folds = min(n_folds, len(np.unique(self.row_groups[rows].astype(str))))
        if self.times is not None:
            n_folds = max(min(n_folds, len(np.unique(self.times[rows])) - 1), 1)
        found = self._splits(target, rows, n_folds, 1, seed % 2**31)
        return [(rows[one], rows[other]) for one, other in found]

    def _splits(
        self, target: CodeArray, rows: IntArray, n_folds: int, n_repeats: int, seed: int
    ) -> list[Split]:
        if n_folds < 2 and self.times is None:
            raise DataError("there are too few rows, or groups of rows, to choose by folds inside of a fold")
        return row_splits(
            target[rows],
            n_folds,
            n_repeats=n_repeats,
            seed=seed,
            row_groups=None if self.row_groups is None else self.row_groups[rows],
            times=None if self.times is None else self.times[rows],
        )

    @property
    def words(self) -> str:
        """How, in a word."""
        how = "in time" if self.times is not None else "by group"
        return "stratified" if self.times is None and self.row_groups is None else how


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows to learn from, the folds that a choice is made by, and rows that judge it: none of all rows."""

    place: int
    learning: IntArray
    judging: IntArray
    inner: Sequence[Split]

    @property
    def is_whole(self) -> bool:
        """Whether it is the one of all rows, whose choice is recommended."""
        return not len(self.judging)


WHOLE = 0
"""Place of the problem of all rows."""


@dataclass(frozen=True, eq=False)
class Data:
    """The rows, what each counts, what answers cost, and the folds."""

    training: TrainingSet
    prices: Prices
    folding: Folding

    @cached_property
    def problems(self) -> list[Problem]:
        """That of all rows, then every outer fold."""
        target = self.training.target
        everything = np.arange(len(target))
        parts = [(everything, everything[:0]), *self.folding.outer(target)]
        return [
            Problem(place, learning, judging, self.folding.inner(target, learning, place))
            for place, (learning, judging) in enumerate(parts)
        ]

    @property
    def usual_loss(self) -> Fraction:
        """What a wrong answer costs on the mean over the cost matrix, whatever the rows: 1 without costs."""
        costs = self.prices.by_class.tolist()
        return Fraction(math.fsum(costs)) / len(costs) if self.prices.has_costs else Fraction(1)

    def weights_in(self, problem: Problem) -> FloatArray:
        """Return what rows to learn from count there, by themselves; others count nothing."""
        weights = np.zeros(self.training.n_samples)
        own = TrainingSet.of(
            self.training.dataset[problem.learning], "explore", class_weight=self.training.class_weight
        )
        weights[problem.learning] = own.counted.values
        return weights

    def losses(self, weights: FloatArray, rows: IntArray, codes: AnyArray) -> FloatArray:
        """Return what the answers to rows cost, each at its weight; without costs, 1 if wrong."""
        found: FloatArray = weights[rows] * self.prices.losses(self.training.target[rows], codes)
        return found

    @cached_property
    def rare_classes(self) -> list[object]:
        """Classes with fewer rows than outer folds."""
        counts = np.bincount(self.training.target, minlength=len(self.training.classes))
        labels = self.training.classes.tolist()
        return [label for label, n in zip(labels, counts.tolist(), strict=True) if n < self.folding.cv]


def values_of_rows(name: str, values: object, n_rows: int) -> AnyArray | None:
    """Return one value a row."""
    if values is None:
        return None
    found = np.asarray(values)
    if found.ndim != 1 or len(found) != n_rows:
        shape = f" has the shape {found.shape} for {n_rows} rows; give one value for each"
        raise DataError(Param(name), shape)
    return found
