"""What trees say of samples, whoever holds the tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from treewright import _core
from treewright.data.types import AnyArray, FloatArray, IntArray, TableLike

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Columns = list[AnyArray]
"""New data in the domain of a tree, a column a feature."""


class TreePredictions(ABC):
    """What a tree says of samples, whoever holds it; `_prepared` makes them ready for the engine."""

    __slots__ = ()

    @abstractmethod
    def _prepared(self, X: TableLike) -> tuple[_core.Tree, Columns, int]:
        """Return the engine's tree, new data in its domain, and the number of threads."""

    def predict_proba(self, X: TableLike) -> FloatArray:
        """Predict the share of every class.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        shares : ndarray of shape (n_samples, n_classes)
            Rows sum to 1; columns in the order of ``classes_``. Shares of the weights at the leaf, unless the
            parameters ``probability`` and ``smoothing`` say otherwise. Without smoothing an empty leaf gives
            its class 1.
        """
        core, columns, n_threads = self._prepared(X)
        return core.predict_proba(columns, n_threads)

    def predict_log_proba(self, X: TableLike) -> FloatArray:
        """Predict the logarithm of the probability of every class.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        logarithms : ndarray of shape (n_samples, n_classes)
            The natural logarithm of `predict_proba`: minus infinity where that is 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def apply(self, X: TableLike) -> IntArray:
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
        core, columns, n_threads = self._prepared(X)
        return core.apply(columns, n_threads)

    def decision_path(self, X: TableLike) -> csr_array:
        """Find all nodes that a sample reaches.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        paths : csr_array of shape (n_samples, n_nodes)
            1 where the sample reaches the node, with any share.
        """
        core, columns, n_threads = self._prepared(X)
        found = core.decision_path(columns, n_threads)
        return _matrix(core, found, np.ones(len(found.indices), dtype=np.int64))

    def leaf_shares(self, X: TableLike) -> csr_array:
        """Find the leaves of every sample, each with the share that reaches it.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        shares : csr_array of shape (n_samples, n_nodes)
            Rows sum to 1. A sample without missing values is whole in one leaf.
        """
        core, columns, n_threads = self._prepared(X)
        found = core.leaf_shares(columns, n_threads)
        return _matrix(core, found, found.data)


def _matrix(core: _core.Tree, found: _core.SparseRows, values: AnyArray) -> csr_array:
    from scipy.sparse import csr_array

    shape = (len(found.indptr) - 1, core.n_nodes)
    return csr_array((values, found.indices, found.indptr), shape=shape)
