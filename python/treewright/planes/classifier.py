"""What estimators of planes share: columns of numbers and missing values."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treewright.data.training import TrainingSet
from treewright.data.types import TableLike
from treewright.planes.chain import ClassRows
from treewright.planes.encoding import Encoding
from treewright.planes.problem import FloatArray
from treewright.trees.learner import Learner
from treewright.trees.tree import Columns


class PlaneEstimator(Learner):
    """Base of the classifiers that are made of planes; ``fit`` keeps `_encoding` besides the schema."""

    _encoding: Encoding

    def _prepared(self, X: TableLike) -> FloatArray:
        """Return new data as columns of numbers."""
        check_is_fitted(self)
        matrix = self._encoding.matrix(self._encoded(X, self._encoding.names, self._encoding.levels))
        if self.missing == "raise":
            self._encoding.refuse_missing(matrix, np.arange(len(matrix)), type(self).__name__)
        return matrix


def class_rows(learner: Learner, training: TrainingSet, encoding: Encoding, columns: Columns) -> ClassRows:
    """Return the samples in numbers, with missing values treated as the learner's `missing` says."""
    matrix = encoding.matrix(columns)
    own = training.sample_weight
    weight = np.ones(len(matrix)) if own is None else own
    rows = ClassRows(matrix, training.target, weight, encoding.feature_of, training.origin)
    if learner.missing == "raise":
        encoding.refuse_missing(matrix, training.origin, type(learner).__name__)
    return rows.complete() if learner.missing == "drop" else rows
