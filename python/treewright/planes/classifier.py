"""What estimators of planes share: the one intake, columns of numbers, missing values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from treewright.data.training import TrainingSet
from treewright.data.validate import as_dataset, encode
from treewright.data.validation_set import kept_rows
from treewright.planes.chain import ClassRows
from treewright.planes.encoding import Encoding
from treewright.planes.problem import FloatArray


class PlaneEstimator(ClassifierMixin, BaseEstimator):
    """Base of the classifiers that are made of planes.

    A subclass has the parameters `missing` and `categorical_features`. Its ``fit`` checks the parameters,
    calls `_intake` and `_rows`, runs an engine, keeps what that found and calls `_learn_schema`.
    """

    missing: Any
    categorical_features: Any
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    _encoding: Encoding

    def _intake(self, X: Any, y: Any, sample_weight: Any) -> TrainingSet:
        """Pass the user's data through the door."""
        categorical = self.categorical_features
        dataset = as_dataset(X, y, sample_weight=sample_weight, categorical_features=categorical)
        return TrainingSet.of(dataset, owner=type(self).__name__)

    def _rows(
        self, training: TrainingSet, encoding: Encoding, sample_weight: Any, known: Any = None
    ) -> ClassRows:
        """Encode the samples and treat missing values as `missing` says.

        `known` is the fitted estimator whose features the samples have to have; None in ``fit``.
        """
        if known is None:
            columns = [training.dataset.column(i) for i in range(training.dataset.n_features)]
        else:
            columns = encode(
                training.dataset,
                names=encoding.names,
                levels=encoding.levels,
                feature_names_in=getattr(known, "feature_names_in_", None),
                owner=type(known).__name__,
            )
        matrix = encoding.matrix(columns)
        origin = np.flatnonzero(kept_rows(training, sample_weight))
        own = training.sample_weight
        weight = np.ones(len(matrix)) if own is None else own
        rows = ClassRows(matrix, training.target, weight, encoding.feature_of, origin)
        if self.missing == "raise":
            encoding.refuse_missing(matrix, origin, type(self).__name__)
        return rows.complete() if self.missing == "drop" else rows

    def _learn_schema(self, training: TrainingSet, encoding: Encoding) -> None:
        """Keep what the data says of itself; last in ``fit``, so that a failure keeps nothing."""
        self._encoding = encoding
        names = training.dataset.feature_names_in
        self.classes_ = training.classes
        self.n_features_in_ = training.dataset.n_features
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _prepared(self, X: Any) -> FloatArray:
        """Return new data as columns of numbers."""
        check_is_fitted(self)
        columns = encode(
            X,
            names=self._encoding.names,
            levels=self._encoding.levels,
            feature_names_in=getattr(self, "feature_names_in_", None),
            owner=type(self).__name__,
        )
        matrix = self._encoding.matrix(columns)
        if self.missing == "raise":
            self._encoding.refuse_missing(matrix, np.arange(len(matrix)), type(self).__name__)
        return matrix

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn: nominal columns and text are welcome, missing values unless they raise."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "raise"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
