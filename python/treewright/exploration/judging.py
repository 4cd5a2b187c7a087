"""A family on a problem: every candidate on the inner folds, then on all rows to learn from, then judged."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from treewright._base.clock import Clock
from treewright.data.dataset import Dataset
from treewright.data.types import AnyArray, FloatArray, IntArray
from treewright.exploration.choice import Question, Standing
from treewright.exploration.family import Asked, BlackBox, Candidates, Family, ModelFamily, Predictor
from treewright.exploration.problems import Data, Problem
from treewright.exploration.shape import Shape, shape_of
from treewright.exploration.shown import answering_trees, shown_trees
from treewright.studies.evaluation.figures import Answers, Z
from treewright.trees.tree import Tree


def _no_ints() -> IntArray:
    return np.empty(0, dtype=np.int64)


def _no_floats() -> FloatArray:
    return np.empty(0)


@dataclass(frozen=True, eq=False)
class Part:
    """What is known of a family on a problem; an entry for each candidate, in their order.

    Attributes
    ----------
    losses : ndarray of float
        Weight of wrong answers on the inner folds, or their cost.
    whole : float
        Weight of the rows that the inner folds judge.
    sizes, n_leaves : ndarray of int
        Of the tree of all rows to learn from.
    questions : ndarray of float
        Questions that it asks a row on the mean.
    roots : ndarray of int
        Feature that is asked first, -1 in a leaf and for a plane.
    used : list of list of int
        Features that it asks for.
    low, high : ndarray of float
        Ends of the interval of the inner error; of the problem of all rows alone.
    chosen : dict of str to int
        The family's own choice, by question.
    codes, shares : dict of str to ndarray
        Answers and probabilities of the chosen ones on the rows that judge, by place.
    seconds : float
        What it took.
    """

    losses: FloatArray
    whole: float
    sizes: IntArray = field(default_factory=_no_ints)
    n_leaves: IntArray = field(default_factory=_no_ints)
    questions: FloatArray = field(default_factory=_no_floats)
    roots: IntArray = field(default_factory=_no_ints)
    used: list[list[int]] = field(default_factory=list)
    low: FloatArray = field(default_factory=_no_floats)
    high: FloatArray = field(default_factory=_no_floats)
    chosen: dict[str, int] = field(default_factory=dict)
    codes: dict[str, AnyArray] = field(default_factory=dict)
    shares: dict[str, FloatArray] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def standing(self) -> Standing:
        """What its candidates are compared by."""
        return Standing(self.losses, self.whole, self.sizes)


class Rows:
    """Rows that models of one set answer; equal trees are asked once."""

    def __init__(self, dataset: Dataset, classes: AnyArray) -> None:
        self._dataset, self._columns = dataset, dataset.columns()
        self._places = {label: place for place, label in enumerate(classes.tolist())}
        self._known: dict[int, tuple[Predictor, AnyArray]] = {}

    @cached_property
    def lacking(self) -> frozenset[int]:
        """Features without a value in some row."""
        return frozenset(
            place
            for place, column in enumerate(self._columns)
            if (column < 0 if column.dtype.kind == "i" else np.isnan(column)).any()
        )

    def codes(self, model: Predictor) -> AnyArray:
        """Return the position of the class of every row."""
        if id(model) not in self._known:
            self._known[id(model)] = model, self._told(model)
        return self._known[id(model)][1]

    def _told(self, model: Predictor) -> AnyArray:
        if isinstance(model, Tree):
            return model._core.predict(self._columns, 1)
        return np.array([self._places[label] for label in model.predict(self._dataset).tolist()], np.int32)

    def shares(self, model: Predictor) -> FloatArray:
        """Return the probabilities of the classes."""
        if isinstance(model, Tree):
            return model._core.predict_proba(self._columns, 1)
        return model.predict_proba(self._dataset)


@dataclass(frozen=True, eq=False)
class Judge:
    """What all families are judged by."""

    data: Data
    asked: Asked
    choices: Sequence[Question]

    def part(self, family: Candidates, problem: Problem, clock: Clock) -> Part:
        """Judge a family on a problem."""
        began = time.monotonic()
        weights = self.data.weights_in(problem)
        answers = self._inner_answers(family, problem, clock)
        clock.check()
        models = self._models(family, problem.learning, clock)
        judged = np.concatenate([rows for _, rows in problem.inner])
        losses = [math.fsum(self.data.losses(weights, judged, codes)) for codes in answers]
        part = with_shapes(
            Part(np.array(losses), math.fsum(weights[judged])), [_shape(family, one) for one in models]
        )
        chosen = {one.name: part.standing.own(one) for one in self.choices}
        part = replace(part, chosen=chosen)
        if problem.is_whole:
            part = self._with_intervals(part, judged, weights, answers)
        else:
            part = self._with_answers(part, problem, models)
        return replace(part, seconds=time.monotonic() - began)

    def ceiling(self, box: BlackBox, problem: Problem, clock: Clock) -> Part:
        """Let a black box answer the rows that judge."""
        began = time.monotonic()
        model = box.model(self._rows(problem.learning), self.asked, clock)
        rows = self._rows(problem.judging)
        codes = np.searchsorted(self.data.training.classes, model.predict(rows))
        shares = model.predict_proba(rows)
        chosen = {one.name: 0 for one in self.choices}
        seconds = time.monotonic() - began
        return Part(
            np.empty(0), 1.0, chosen=chosen, codes={"0": codes}, shares={"0": shares}, seconds=seconds
        )

    def _rows(self, rows: IntArray) -> Dataset:
        return self.data.training.dataset[rows]

    def _models(
        self, family: Candidates, rows: IntArray, clock: Clock, lacking: frozenset[int] | None = None
    ) -> Sequence[Predictor]:
        """Fit every candidate to rows; trees as they are shown, or such as answer like them."""
        training = self._rows(rows)
        if isinstance(family, ModelFamily):
            return family.models(training, self.asked, clock)
        assert isinstance(family, Family), "candidates are trees or other models"
        trees = family.trees(training, self.asked, clock)
        return shown_trees(trees) if lacking is None else answering_trees(trees, lacking)

    def _asked_rows(self, rows: IntArray) -> Rows:
        return Rows(self._rows(rows), self.data.training.classes)

    def _inner_answers(self, family: Candidates, problem: Problem, clock: Clock) -> list[AnyArray]:
        """Return for every candidate the answers on the rows of all inner folds, one after the other."""
        by_fold = []
        for learning, judging in problem.inner:
            clock.check()
            rows = self._asked_rows(judging)
            by_fold.append([rows.codes(one) for one in self._models(family, learning, clock, rows.lacking)])
        return [np.concatenate(of_one) for of_one in zip(*by_fold, strict=True)]

    def _with_answers(self, part: Part, problem: Problem, models: Sequence[Predictor]) -> Part:
        """Add what the chosen ones say of the rows that judge."""
        rows, places = self._asked_rows(problem.judging), sorted(set(part.chosen.values()))
        return replace(
            part,
            codes={str(place): rows.codes(models[place]) for place in places},
            shares={str(place): rows.shares(models[place]) for place in places},
        )

    def _with_intervals(
        self, part: Part, judged: IntArray, weights: FloatArray, answers: Sequence[AnyArray]
    ) -> Part:
        """Add the ends of the intervals of the inner errors, or costs."""
        groups = self.data.folding.row_groups
        codes = None if groups is None else np.unique(groups.astype(str), return_inverse=True)[1][judged]
        if self.data.prices.has_costs:
            units = np.arange(len(judged)) if codes is None else codes
            costs = [self.data.losses(weights, judged, one) for one in answers]
            ends = np.array([mean_interval(one, weights[judged], units) for one in costs])
        else:
            target = self.data.training.target[judged].astype(np.int64)
            told = [
                Answers(
                    tuple(self.data.training.classes.tolist()), target, one, NO_SHARES, weights[judged], codes
                )
                for one in answers
            ]
            shares = [one.share(one.is_wrong) for one in told]
            ends = np.array([(one.low, one.high) for one in shares])
        return replace(part, low=ends[:, 0], high=ends[:, 1])


NO_SHARES = np.empty((0, 0))
"""Where only classes are compared."""


def mean_interval(losses: FloatArray, weights: FloatArray, groups: IntArray) -> tuple[float, float]:
    """Return the ends of the interval of 95 % of a mean loss of a unit of weight; groups are independent."""
    total = float(weights.sum())
    rest = np.bincount(groups, losses - weights * (losses.sum() / total))
    n_groups = int(np.count_nonzero(np.bincount(groups)))
    half = Z * math.sqrt(float((rest**2).sum()) * n_groups / max(n_groups - 1, 1)) / total
    mean = float(losses.sum()) / total
    return max(mean - half, 0.0), mean + half


def _shape(family: Candidates, model: Predictor) -> Shape:
    if isinstance(family, ModelFamily):
        return family.shape(model)
    assert isinstance(model, Tree), "families have trees"
    return shape_of(model)


def with_shapes(part: Part, shapes: Sequence[Shape]) -> Part:
    """Add what there is to say of the shape of models."""
    return replace(
        part,
        sizes=np.array([one.size for one in shapes], dtype=np.int64),
        n_leaves=np.array([one.n_leaves for one in shapes], dtype=np.int64),
        questions=np.array([one.questions for one in shapes]),
        roots=np.array([one.root for one in shapes], dtype=np.int64),
        used=[list(one.features) for one in shapes],
    )
