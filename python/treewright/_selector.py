"""What every selector does: keep columns, name features, predict from the last tree."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from treewright._base import TreeClassifier
from treewright._columns import has_typed_columns, take_columns
from treewright._intake.match import check_features
from treewright._search_set import Mask
from treewright._training import TrainingSet
from treewright.dataset import Dataset
from treewright.exceptions import ParameterError
from treewright.results import SearchResult
from treewright.tree import Tree


class TreeSelector(SelectorMixin, TreeClassifier):
    """Base of the selectors, which choose features by the trees grown on them.

    A subclass's ``fit`` runs a search, gives what that found to `_learn_found` and grows
    `refit_tree_`.
    """

    criterion: Any
    growth: Any
    min_samples_split: Any
    min_samples_leaf: Any
    min_gain: Any
    mdl_correction: Any
    max_depth: Any
    class_weight: Any
    search_set: Any
    random_state: Any
    time_limit: Any
    callback: Any
    support_: NDArray[np.bool_]
    used_features_: NDArray[np.int64]
    tree_: Tree
    refit_tree_: Tree
    n_search_errors_: int | float
    search_error_: float
    n_trees_built_: int
    search_: SearchResult
    search_rows_: NDArray[np.int64]

    def transform(self, X: Any) -> Any:
        """Keep the selected columns.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The features of ``fit`` in the same order.

        Returns
        -------
        X_selected : ndarray, frame or Dataset of shape (n_samples, n_selected_features)
            An array of an array; of a frame the same kind of frame, so that nominal
            columns keep their types, and of a Dataset a Dataset with its classes.
            ``set_output`` asks for another kind.
        """
        check_is_fitted(self)
        if not has_typed_columns(X):
            return super().transform(X)
        self._check_features(X)
        wanted = _get_output_config("transform", self)["dense"]
        return take_columns(X, self.get_support(indices=True), wanted)

    def _check_features(self, X: Any) -> None:
        """Check that a frame or Dataset has the features of ``fit``."""
        if isinstance(X, Dataset):
            names_in = getattr(self, "feature_names_in_", None)
            owner = type(self).__name__
            check_features(X.n_features, X.feature_names_in, names_in, self.n_features_in_, owner)
        else:
            validate_data(self, X, reset=False, skip_check_array=True)

    def used_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Name the features that ``tree_`` tests.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names to use, as in `get_feature_names_out`.

        Returns
        -------
        names : ndarray of str objects
            In the order of `used_features_`.
        """
        check_is_fitted(self)
        names: NDArray[Any] = _check_feature_names_in(self, input_features)
        return names[self.used_features_]

    def _learn_found(self, found: dict[str, Any], weights: NDArray[np.float64], is_search: Mask) -> None:
        """Keep what the search found, in the user's terms."""
        self.tree_ = Tree(found["tree"])
        self.support_ = np.isin(np.arange(self.tree_.n_features), found["selected"])
        self.used_features_ = self.tree_.used_features
        self.n_search_errors_ = count_of(weights)(found["n_search_errors"])
        self.search_error_ = found["n_search_errors"] / math.fsum(weights[is_search])
        self.n_trees_built_ = found["n_trees_built"]
        self.search_ = SearchResult(
            cost=self.n_search_errors_,
            status=found["status"],
            n_searched=self.n_trees_built_,
            elapsed=found["elapsed"],
            tree=self.tree_,
        )

    def _prediction_tree(self) -> Tree:
        return self.refit_tree_

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_


def count_of(weights: NDArray[np.float64]) -> Callable[[float], int | float]:
    """Return the type of a sum of such weights: int where all are whole."""
    return int if bool((weights % 1 == 0).all()) else float


def refuse_c45(growth: object) -> None:
    """Refuse the growth whose trees depend on features that they do not test."""
    if isinstance(growth, str) and growth == "c45":
        raise ParameterError(
            "growth='c45' cannot be used in a feature search: its average-gain rule and its "
            "collapse look at the whole set of features, so that dropping an unused feature "
            "could change the tree; choose 'standard' or 'id3'"
        )


def kept_rows(training: TrainingSet, sample_weight: Any) -> NDArray[np.bool_]:
    """Tell which rows of the user's table have positive weight."""
    weights = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=np.float64)
    return weights != 0 if weights.ndim else np.ones(training.n_samples, dtype=np.bool_)
