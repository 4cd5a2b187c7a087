"""Models that can be explained: their questions, their words, and what they say of a row."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from treewright._base.errors import DataError, DataTypeError
from treewright._base.wording import Param, shortened
from treewright.data.dataset import Dataset, dataset_of_codes
from treewright.data.encode import encode
from treewright.data.intake.labels import Label
from treewright.data.matching import ModelColumns
from treewright.data.types import AnyArray, FloatArray, IntArray, TableLike
from treewright.explain.boxes import Row
from treewright.explain.path import PathStep, path_in_list, path_in_tree
from treewright.explain.search import ListSubject, Subject, TreeSubject
from treewright.planes import RobustLinearClassifier
from treewright.trees.exports.program import Program
from treewright.trees.learner import TreeLearner
from treewright.trees.models import predicting_tree
from treewright.trees.rules.conditions import Interval, WeightedSum
from treewright.trees.rules.estimator import RuleListClassifier
from treewright.trees.rules.of_tree import words_of
from treewright.trees.rules.rule_list import RuleList
from treewright.trees.rules.words import Words
from treewright.trees.tree import Tree

REMEDY = ("; explain pipeline[-1], of the row that the steps before make: pipeline[:-1].transform(row)",)


@dataclass(frozen=True)
class Answered:
    """What a model says of a row: the class, where it comes from, and the training rows there."""

    answer: int
    node: int
    counts: list[float]
    weights: list[float]
    shares: list[float]
    path: list[PathStep]


class Model(Protocol):
    """A model that can be explained."""

    words: Words
    ranges: FloatArray
    subject: Subject

    @property
    def used(self) -> Sequence[int]:
        """Positions of the features that it asks for."""

    def encoded(self, row: TableLike) -> list[AnyArray]:
        """Return a row in the domain of the model."""

    def codes(self, columns: Sequence[AnyArray]) -> IntArray:
        """Return the classes of rows."""

    def answered(self, row: Row, columns: Sequence[AnyArray]) -> Answered:
        """Return what it says of a row."""

    def beside(self) -> Mapping[int, list[tuple[float, float, float]]]:
        """Return the cuts of every number, each with the training values beside it, NaN where not known."""

    def summed(self) -> set[int]:
        """Return the numbers that stand in a weighted sum."""


class TreeModel:
    """A tree, or an estimator that predicts by one."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.program = Program.of(tree._core)
        self.words = words_of(tree._core, tree.reading)
        self.ranges: FloatArray = tree.feature_ranges
        self.subject: Subject = TreeSubject(self.program)

    @property
    def used(self) -> Sequence[int]:
        """Positions of the features that it asks for."""
        found: list[int] = self.tree.used_features.tolist()
        return found

    def encoded(self, row: TableLike) -> list[AnyArray]:
        """Return a row in the domain of the tree."""
        return self.tree._encode(row)

    def codes(self, columns: Sequence[AnyArray]) -> IntArray:
        """Return the classes of rows."""
        return self.tree._core.predict(list(columns)).astype(np.int64)

    def answered(self, row: Row, columns: Sequence[AnyArray]) -> Answered:
        """Return what the tree says of a row."""
        core, own = self.tree._core, list(columns)
        leaf, nodes = int(core.apply(own)[0]), core.decision_path(own).indices.tolist()
        counts = core.class_weights if core.class_counts is None else core.class_counts
        return Answered(
            int(self.codes(columns)[0]),
            leaf,
            counts[leaf].tolist(),
            core.class_weights[leaf].tolist(),
            core.predict_proba(own)[0].tolist(),
            path_in_tree(self.program, nodes, leaf, row, columns, self.words),
        )

    def beside(self) -> Mapping[int, list[tuple[float, float, float]]]:
        """Return the cuts of every number with the training values beside them."""
        found: dict[int, list[tuple[float, float, float]]] = {}
        for number, step in enumerate(self.program.steps):
            if step.ask == "number" and len(set(step.branches)) > 1 and step.threshold < sys.float_info.max:
                low, high = self.program.cut_values[number].tolist()
                feature = self.program.columns[step.column].position
                found.setdefault(feature, []).append((step.threshold, low, high))
        return found

    def summed(self) -> set[int]:
        """Return the numbers that stand in a weighted sum."""
        terms = (term for plane in self.program.planes for term in plane.terms)
        return {self.program.columns[term.column].position for term in terms if term.level is None}


class PlaneModel(TreeModel):
    """A linear classifier: its chain of planes as a tree, and its own word for the class of a row."""

    def __init__(self, model: RobustLinearClassifier, row: TableLike) -> None:
        self.model = model
        encoding = model._encoding
        columns = ModelColumns(encoding.names, range(len(encoding.names)), encoding.names)
        encoded = encode(table_of(row, encoding.names), columns, encoding.levels)
        super().__init__(model.to_tree(self._dataset(encoded)))

    def _dataset(self, columns: Sequence[AnyArray]) -> Dataset:
        """Return rows with the names that the columns had in ``fit``."""
        encoding, labels = self.model._encoding, self.model._column_labels
        return dataset_of_codes(encoding.names, columns, encoding.levels, column_labels=labels)

    def codes(self, columns: Sequence[AnyArray]) -> IntArray:
        """Return the classes of rows by the scores of the planes."""
        return self.model._predicted(self._dataset(columns)).astype(np.int64)


class ListModel:
    """A list of rules."""

    def __init__(self, rules: RuleList) -> None:
        self.rules = rules
        self.words, self.ranges = rules.words, rules.ranges
        answers = rules.answers.tolist()
        told = [(rule.conditions, answers[place]) for place, rule in enumerate(rules.rules)]
        self.subject: Subject = ListSubject(told, answers[-1])

    @property
    def used(self) -> Sequence[int]:
        """Positions of the features that it asks for."""
        found: list[int] = self.rules.used_features.tolist()
        return found

    def encoded(self, row: TableLike) -> list[AnyArray]:
        """Return a row in the domain of the rules."""
        return self.rules._encode(row)

    def codes(self, columns: Sequence[AnyArray]) -> IntArray:
        """Return the classes of rows."""
        found: IntArray = self.rules.answers[self.rules._places(list(columns))]
        return found

    def answered(self, row: Row, columns: Sequence[AnyArray]) -> Answered:
        """Return what the rules say of a row."""
        rules = self.rules
        place = int(rules._places(list(columns))[0])
        telling = rules.telling
        return Answered(
            int(rules.answers[place]),
            place,
            telling.counts[place].tolist(),
            telling.weights[place].tolist(),
            telling.shares(rules.answers)[place].tolist(),
            path_in_list(rules, place, row, columns, self.words),
        )

    def beside(self) -> Mapping[int, list[tuple[float, float, float]]]:
        """Return the cuts of every number; a list does not keep the training values beside them."""
        found: dict[int, list[tuple[float, float, float]]] = {}
        for rule in self.rules.rules:
            for condition in rule.conditions:
                if isinstance(condition, Interval):
                    ends = (condition.low, condition.high)
                    told = [(end, np.nan, np.nan) for end in ends if np.isfinite(end)]
                    found.setdefault(condition.feature, []).extend(told)
        return found

    def summed(self) -> set[int]:
        """Return the numbers that stand in a weighted sum."""
        conditions = (one for rule in self.rules.rules for one in rule.conditions)
        sums = [one for one in conditions if isinstance(one, WeightedSum)]
        return {
            feature
            for one in sums
            for feature, term in zip(one.features, one.terms, strict=True)
            if term.level is None
        }


def model_of(model: object, row: TableLike) -> Model:
    """Return what can be explained; refuse what cannot, with the remedy."""
    if isinstance(model, RuleListClassifier):
        check_is_fitted(model)
        return ListModel(model.rules_)
    if isinstance(model, RuleList):
        return ListModel(model)
    if isinstance(model, RobustLinearClassifier):
        check_is_fitted(model)
        return PlaneModel(model, row)
    if isinstance(model, Tree | TreeLearner):
        return TreeModel(predicting_tree(model))
    if isinstance(model, Pipeline):
        remedy = "explain its last step, of the row that the steps before make: pipeline[:-1].transform(row)"
        raise DataTypeError(
            Param("model"), f" is a Pipeline, whose steps change what features mean; {remedy}"
        )
    raise DataTypeError(
        Param("model"),
        f" is of type {type(model).__name__}; give a Tree, a fitted tree classifier or selector, a "
        "RobustLinearClassifier, or a RuleListClassifier",
    )


def table_of(row: TableLike, names: Sequence[str], sources: Collection[str] = ()) -> TableLike:
    """Return a row as a table of one row; a dict may leave features out, which are missing then.

    `sources` are the columns of dates of which features are made.
    """
    if isinstance(row, Dataset) or hasattr(row, "columns"):
        return row
    values = row.to_dict() if hasattr(row, "to_dict") else row
    if isinstance(values, Mapping):
        strangers = [name for name in values if name not in names]
        date = next((name for name in strangers if name in sources), None)
        if date is not None:
            parts = shortened([name for name in names if name.startswith(f"{date}.")])
            raise DataError(
                Param("row"),
                f" has the date {date!r}, of which the model knows {parts}; datasets.read_rows(tree, X) "
                "makes them of it, as in training, and its rows can be explained",
            )
        if strangers:
            known = shortened(list(names))
            raise DataError(Param("row"), f" has {strangers[0]!r}, which is no feature; there are {known}")
        return [[values.get(name) for name in names]]
    shape = getattr(values, "shape", None)
    is_flat = len(shape) == 1 if shape is not None else not _has_rows(values)
    return [list(values)] if is_flat and isinstance(values, Sequence | np.ndarray) else row


def _has_rows(values: object) -> bool:
    """Whether a list has rows, not values, in it."""
    kinds = (list, tuple, np.ndarray)
    return isinstance(values, Sequence) and any(isinstance(one, kinds) for one in values)


def whole_features(model: Model) -> frozenset[int]:
    """Return the numbers whose range and training values beside cuts are all known and whole."""
    found = set()
    for feature, cuts in model.beside().items():
        ends = model.ranges[feature].tolist()
        values = [*ends, *(value for cut in cuts for value in cut[1:])]
        if all(np.isfinite(value) and float(value).is_integer() for value in values):
            found.add(feature)
    return frozenset(found)


def own_values(columns: Sequence[AnyArray]) -> list[float]:
    """Return the values of the only row."""
    return [column[0].item() for column in columns]


def labels_of(model: Model) -> Sequence[Label]:
    """Return the classes of a model."""
    return model.words.classes
