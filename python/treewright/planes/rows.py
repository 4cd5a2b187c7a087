"""From the user's features to rows of numbers: encoding, missing values, two classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright._base.errors import DataError
from treewright._base.wording import Feature, Param, Row
from treewright.data.dataset import Dataset
from treewright.data.intake.labels import Label
from treewright.data.training import TrainingSet
from treewright.data.types import AnyArray, BoolArray, CodeArray, FloatArray, IntArray
from treewright.trees.answering import Prices
from treewright.trees.predictions import Columns

MISSING = ("raise", "mean", "drop")
"""How missing values may be treated."""

DROPPED = (" (", Param("missing", "drop"), "); choose ", Param("missing", "mean"))
"""The end of a message: dropping samples left none."""


@dataclass(frozen=True, eq=False)
class Encoding:
    """How features become columns of numbers.

    A numeric feature is one column. A nominal feature of two levels is one 0/1 column, 1 for the second
    level; one of more levels is a 0/1 column for each level. The columns of a feature count as one feature.
    """

    names: list[str]
    levels: list[list[Label] | None]
    """Levels of each nominal feature; None for a numeric one."""
    feature_of: IntArray
    """Position of the feature of each column."""
    column_names: list[str]
    """Such as ``"age"`` and ``"colour=red"``."""
    ranges: list[list[float] | None]
    """Smallest and largest value of each numeric feature; None for a nominal one, and without values."""

    @classmethod
    def of(cls, dataset: Dataset) -> Encoding:
        """Take names and levels from the data of ``fit``."""
        feature_of: list[int] = []
        column_names: list[str] = []
        for feature, (name, levels) in enumerate(zip(dataset.feature_names, dataset.levels, strict=True)):
            own = [name] if levels is None else [f"{name}={level}" for level in _shown(levels)]
            feature_of += [feature] * len(own)
            column_names += own
        positions = np.array(feature_of, dtype=np.int64)
        ranges = [
            _range(dataset.column(feature)) if levels is None else None
            for feature, levels in enumerate(dataset.levels)
        ]
        plain = [None if levels is None else list(levels) for levels in dataset.levels]
        return cls(dataset.feature_names, plain, positions, column_names, ranges)

    def matrix(self, columns: Columns) -> FloatArray:
        """Return rows of numbers, NaN where a value is missing; `columns` has codes of nominal features."""
        encoded = [_encoded(column, levels) for column, levels in zip(columns, self.levels, strict=True)]
        return np.concatenate(encoded, axis=1) if encoded else np.empty((0, 0))

    def refuse_missing(
        self, X: FloatArray, origin: IntArray, owner: str, used: Sequence[int] | None = None
    ) -> None:
        """Refuse missing values of the `used` features, None being all; the message names the first."""
        asked = np.ones(len(self.feature_of), np.bool_) if used is None else np.isin(self.feature_of, used)
        has_missing = np.isnan(X[:, asked]).any(axis=0)
        if not has_missing.any():
            return
        column = int(np.flatnonzero(asked)[np.argmax(has_missing)])
        row = int(origin[np.argmax(np.isnan(X[:, column]))])
        feature = int(self.feature_of[column])
        what = "NaN" if self.levels[feature] is None else "no value (NaN, None or NA), or one unknown to fit,"
        raise DataError(
            Feature(self.names[feature], feature),
            f" has {what} at ",
            Row(row),
            f", which {owner} with ",
            Param("missing", "raise"),
            " does not take; choose ",
            Param("missing", "mean", "drop"),
            ", or drop the row",
        )


def _range(values: FloatArray) -> list[float] | None:
    known = values[~np.isnan(values)]
    return [float(known.min()), float(known.max())] if len(known) else None


def _shown(levels: list[Label]) -> list[Label]:
    """Return the levels that have a column."""
    return levels[1:] if len(levels) == 2 else levels


def _encoded(column: AnyArray, levels: list[Label] | None) -> FloatArray:
    if levels is None:
        return np.asarray(column, dtype=np.float64)[:, None]
    codes = np.arange(1, 2) if len(levels) == 2 else np.arange(len(levels))
    ones: FloatArray = (column[:, None] == codes).astype(np.float64)
    ones[column < 0] = np.nan
    return ones


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of two classes, in raw units, and which feature each column belongs to."""

    X: FloatArray
    """NaN where a value is missing."""
    in_a: BoolArray
    """Whether a row belongs to class A."""
    weight: FloatArray
    feature_of: IntArray
    origin: IntArray | None = None
    """Position of each row in the user's table; None if it is its position here."""
    given_loss: FloatArray | None = None

    @property
    def loss(self) -> FloatArray:
        """What the rows cost on the wrong side: their weights, unless wrong answers have costs."""
        return self.weight if self.given_loss is None else self.given_loss

    def take(self, rows: IntArray) -> Rows:
        """Return some of the rows."""
        loss = None if self.given_loss is None else self.given_loss[rows]
        return Rows(self.X[rows], self.in_a[rows], self.weight[rows], self.feature_of, given_loss=loss)

    def at(self, positions: IntArray) -> IntArray:
        """Return where rows of the user's table are here, without those that are not here."""
        if self.origin is None:
            return positions
        order = np.argsort(self.origin, kind="stable")
        places = np.searchsorted(self.origin[order], positions)
        inside = places < len(order)
        found = order[places[inside]]
        same: IntArray = found[self.origin[found] == positions[inside]]
        return same

    def merged(self) -> Rows:
        """Return each different row of a class once, sorted, with the summed weight of its copies.

        So what is learned depends neither on the order of rows, nor on whether a row is repeated or has more
        weight.
        """
        keys = np.column_stack([np.where(np.isnan(self.X), np.nan, self.X + 0.0), self.in_a])
        packed = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.itemsize * keys.shape[1])))
        _, first, where = np.unique(packed.ravel(), return_index=True, return_inverse=True)

        def summed(values: FloatArray) -> FloatArray:
            return np.bincount(where.ravel(), values, minlength=len(first)).astype(np.float64)

        loss = None if self.given_loss is None else summed(self.given_loss)
        X, in_a, weight = self.X[first], self.in_a[first], summed(self.weight)
        return Rows(X, in_a, weight, self.feature_of, given_loss=loss)


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Rows of several classes, encoded, in raw units, with their positions in the user's table."""

    X: FloatArray
    target: CodeArray
    weight: FloatArray
    feature_of: IntArray
    origin: IntArray
    prices: Prices

    @classmethod
    def of(
        cls,
        training: TrainingSet,
        columns: Columns,
        encoding: Encoding,
        *,
        prices: Prices,
        missing: str,
        owner: str,
    ) -> ClassRows:
        """Encode samples and treat missing values as `missing` says; messages name the estimator `owner`."""
        matrix, weight = encoding.matrix(columns), training.counted.values
        everything = cls(matrix, training.target, weight, encoding.feature_of, training.origin, prices)
        rows = everything if weight.all() else everything.take(np.flatnonzero(weight))
        if missing == "raise":
            encoding.refuse_missing(rows.X, rows.origin, owner)
        return rows.take(np.flatnonzero(np.isfinite(rows.X).all(axis=1))) if missing == "drop" else rows

    def against_rest(self, label: int) -> Rows:
        """Return the rows of two classes: one, and all others."""
        loss = self.weight * self.prices.by_class[self.target] if self.prices.has_costs else None
        return Rows(self.X, self.target == label, self.weight, self.feature_of, self.origin, loss)

    def without_costs(self) -> ClassRows:
        """Return the same rows, where any wrong answer costs 1: planes of a tree do not feel costs."""
        return replace(self, prices=Prices.of(None, len(self.prices.units)))

    def with_labels(self, labels: list[int]) -> ClassRows:
        """Return the rows of some classes."""
        return self.take(np.flatnonzero(np.isin(self.target, labels)))

    def at(self, positions: IntArray) -> IntArray:
        """Return where rows of the user's table are here, as `Rows.at`."""
        return self.against_rest(0).at(positions)

    def take(self, some: IntArray) -> ClassRows:
        """Return some of the rows."""
        target, weight = self.target[some], self.weight[some]
        return ClassRows(self.X[some], target, weight, self.feature_of, self.origin[some], self.prices)
