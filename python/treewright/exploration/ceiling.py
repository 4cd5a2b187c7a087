"""Black boxes beside the trees: what is given away for one that can be read. They are never recommended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import ClassifierMixin
from threadpoolctl import threadpool_limits

from treewright._base.clock import Clock
from treewright._base.errors import DataError
from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.data.types import AnyArray, FloatArray, TableLike
from treewright.exploration.family import Asked, BlackBox

MOST_LEVELS = 255
"""A nominal feature of more values is a number to a black box."""
FOREST, ROUNDS = 200, 100
"""Trees of the forest, and the most of boosting."""

STEP_SECONDS, STEP = 0.15, 20
"""About so long, and at most so many trees, a black box goes on before the clock is looked at."""


@dataclass(frozen=True, eq=False)
class Asking:
    """A model of scikit-learn that answers rows of a `Dataset`, in the classes of the whole set."""

    model: ClassifierMixin
    one_hot: bool
    classes: AnyArray

    def predict(self, X: TableLike) -> AnyArray:
        """Return the class of every row."""
        assert isinstance(X, Dataset), "rows of an exploration are a Dataset"
        codes: AnyArray = self.model.predict(matrix_of(X, one_hot=self.one_hot))
        return self.classes[codes]

    def predict_proba(self, X: TableLike) -> FloatArray:
        """Return a probability for each class; 0 for one that it has not seen."""
        assert isinstance(X, Dataset), "rows of an exploration are a Dataset"
        told = self.model.predict_proba(matrix_of(X, one_hot=self.one_hot))
        found = np.zeros((len(told), len(self.classes)))
        found[:, self.model.classes_] = told
        return found


def matrix_of(dataset: Dataset, *, one_hot: bool) -> FloatArray:
    """Return the columns as numbers; nominal ones as codes, or as a column for each value."""
    columns: list[AnyArray] = []
    for column, levels in zip(dataset.columns(), dataset.levels, strict=True):
        if levels is not None and one_hot and len(levels) <= MOST_LEVELS:
            columns += [(column == code).astype(np.float64) for code in range(len(levels))]
        else:
            columns.append(np.where(column < 0, np.nan, column) if levels is not None else column)
    return np.column_stack(columns).astype(np.float64)


class Forest(BlackBox):
    """A random forest."""

    name, title = "random_forest", "random forest"

    def model(self, training: Dataset, asked: Asked, clock: Clock) -> Asking:
        """Grow the forest, some trees at a time."""
        from sklearn.ensemble import RandomForestClassifier

        model = RandomForestClassifier(warm_start=True, random_state=asked.random_state)
        rows = Learning.of(training, asked, one_hot=True)
        for n_trees in _steps(FOREST, asked):
            clock.check()
            found = rows.fitted(model.set_params(n_estimators=n_trees))
        return found

    def seconds(self, asked: Asked) -> float:
        """Return the time of all its trees."""
        return 0.3 + FOREST * asked.growth_seconds


class Boosting(BlackBox):
    """Histogram gradient boosting that stops early."""

    name, title = "boosting", "gradient boosting"

    def model(self, training: Dataset, asked: Asked, clock: Clock) -> Asking:
        """Boost until the validation rows say that it is enough, some trees at a time."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        model = HistGradientBoostingClassifier(
            early_stopping=_has_enough(training),
            random_state=asked.random_state,
            categorical_features=_nominal(training),
            warm_start=True,
        )
        rows = Learning.of(training, asked, one_hot=False).without_equal_weights()
        with threadpool_limits(1, "openmp"):
            for n_rounds in _steps(ROUNDS, asked):
                clock.check()
                found = rows.fitted(model.set_params(max_iter=n_rounds))
                if model.n_iter_ < n_rounds:
                    break
        return found

    def seconds(self, asked: Asked) -> float:
        """Return the time of a hundred rounds."""
        return 0.5 + 30 * asked.growth_seconds


def _steps(n_trees: int, asked: Asked) -> Iterator[int]:
    """Yield numbers of trees, up to that of all."""
    step = min(max(int(STEP_SECONDS / asked.growth_seconds), 1), STEP)
    yield from range(step, n_trees, step)
    yield n_trees


@dataclass(frozen=True, eq=False)
class Learning:
    """Rows to learn from, as scikit-learn takes them."""

    matrix: FloatArray
    target: AnyArray
    weights: FloatArray | None
    """None where every row counts the same: boosting takes a hundred times as long to bin weighted rows."""
    one_hot: bool
    classes: AnyArray

    @classmethod
    def of(cls, training: Dataset, asked: Asked, *, one_hot: bool) -> Learning:
        """Refuse rows of one class."""
        assert training.classes is not None, "rows to learn from have classes"
        if len(np.unique(np.asarray(training.target))) < 2:
            raise DataError("the rows of a fold have one class")
        weights = TrainingSet.of(training, "explore", class_weight=asked.class_weight).weights
        matrix = matrix_of(training, one_hot=one_hot)
        return cls(matrix, np.asarray(training.target), weights, one_hot, training.classes)

    def without_equal_weights(self) -> Learning:
        """Leave weights out that are all 1."""
        assert self.weights is not None, "they are left out once"
        return replace(self, weights=None) if (self.weights == 1).all() else self

    def fitted(self, model: ClassifierMixin) -> Asking:
        """Fit a model of scikit-learn; what it cannot do with the rows is an error of the data."""
        try:
            model.fit(self.matrix, self.target, self.weights)
        except ValueError as error:
            raise DataError(f"scikit-learn: {error}") from error
        return Asking(model, self.one_hot, self.classes)


def _has_enough(training: Dataset) -> bool:
    """Whether every class that occurs has rows for a stratified validation set."""
    counts = np.bincount(np.asarray(training.target))
    return bool(counts[counts > 0].min() >= 2 and training.n_samples >= 50)


def _nominal(training: Dataset) -> Sequence[bool]:
    return [levels is not None and len(levels) <= MOST_LEVELS for levels in training.levels]
