"""What every tree estimator does: the one intake, and prediction from one tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._base.params import n_threads
from treewright.data.training import TrainingSet
from treewright.data.validate import as_dataset, encode
from treewright.trees.tree import (
    Columns,
    Tree,
    paths,
    shares,
)


class TreeClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers that predict from one tree.

    A subclass has the parameters `missing`, `categorical_features` and `n_jobs`. Its ``fit`` checks
    the parameters, calls `_intake`, runs an engine, keeps what that found and calls
    `_learn_schema`. `_prediction_tree` says which of its trees predicts.
    """

    missing: Any
    categorical_features: Any
    n_jobs: Any
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def _prediction_tree(self) -> Tree:
        raise AssertionError("every subclass names its tree")

    def _intake(self, X: Any, y: Any, sample_weight: Any) -> TrainingSet:
        """Pass the user's data through the door."""
        categorical = self.categorical_features
        dataset = as_dataset(X, y, sample_weight=sample_weight, categorical_features=categorical)
        return TrainingSet.of(dataset, owner=type(self).__name__)

    def _learn_schema(self, training: TrainingSet) -> None:
        """Keep what the data says of itself; last in ``fit``, so that a failure keeps nothing."""
        names = training.dataset.feature_names_in
        self.classes_ = training.classes
        self.n_features_in_ = training.dataset.n_features
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _prepared(self, X: Any) -> tuple[_core.Tree, Columns, int]:
        """Return the engine's tree, new data in its domain, and the number of threads."""
        check_is_fitted(self)
        tree = self._prediction_tree()
        columns = encode(
            X,
            names=tree.feature_names,
            levels=tree.levels,
            feature_names_in=getattr(self, "feature_names_in_", None),
            owner=type(self).__name__,
        )
        return tree._core, columns, self._threads()

    def _threads(self) -> int:
        """Return the threads to predict on."""
        return n_threads(self.n_jobs)

    def _takes_missing(self) -> bool:
        """Whether missing values are welcome."""
        return bool(self.missing != "raise")

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every sample.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The features of ``fit`` in the same order. A nominal value that ``fit``
            did not see counts as missing.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Class labels; equal shares go to the lowest class.
        """
        core, columns, threads = self._prepared(X)
        return self.classes_[core.predict(columns, threads)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the share of every class.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        shares : ndarray of shape (n_samples, n_classes)
            Rows sum to 1; columns in the order of ``classes_``.
        """
        core, columns, threads = self._prepared(X)
        return core.predict_proba(columns, threads)

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Find the leaf of every sample.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        leaves : ndarray of shape (n_samples,)
            Node number of the leaf with the largest share (ties: the lowest).
        """
        core, columns, threads = self._prepared(X)
        return core.apply(columns, threads)

    def decision_path(self, X: Any) -> csr_array:
        """Find all nodes that a sample reaches.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        paths : csr_array of shape (n_samples, n_nodes)
            1 where the sample reaches the node, with whatever share.
        """
        return paths(*self._prepared(X))

    def leaf_shares(self, X: Any) -> csr_array:
        """Find the leaves of every sample, each with the share that reaches it.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        shares : csr_array of shape (n_samples, n_nodes)
            Rows sum to 1; a sample without missing values is whole in one leaf.
        """
        return shares(*self._prepared(X))

    def get_depth(self) -> int:
        """Return the number of edges on the longest path; 0 for a lone leaf."""
        check_is_fitted(self)
        return self._prediction_tree().max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves, those without samples included."""
        check_is_fitted(self)
        return self._prediction_tree().n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of every feature in the gain of all splits, shape (n_features,)."""
        check_is_fitted(self)
        return self._prediction_tree().feature_importances()

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn: missing values, nominal columns and text are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
