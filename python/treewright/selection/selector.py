"""What every selector does: keep columns, name features, predict from the last tree."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from treewright._base.errors import (
    DataError,
    ParameterError,
    TreewrightError,
)
from treewright.data.columns import has_typed_columns, take_columns
from treewright.data.dataset import Dataset
from treewright.data.intake.match import check_features
from treewright.data.training import TrainingSet
from treewright.data.validation_set import (
    Mask,
    Rows,
    validation_mask,
)
from treewright.results import SearchResult
from treewright.trees.classifier import TreeClassifier
from treewright.trees.growing import Growing
from treewright.trees.tree import Tree

Found = dict[str, Any]
"""What an engine found."""


@dataclass(frozen=True, eq=False)
class Judged:
    """Training data whose rows are parted into those that grow trees and those that judge them.

    Attributes
    ----------
    training : TrainingSet
        All rows of positive weight.
    weights : ndarray of float
        What every row counts.
    is_validation : ndarray of bool
        Which rows judge.
    validation_rows : ndarray of int
        Positions of these in the user's table.
    """

    training: TrainingSet
    weights: NDArray[np.float64]
    is_validation: Mask
    validation_rows: Rows

    @property
    def parts(self) -> tuple[Rows, Rows]:
        """Positions of the building and of the search rows, as the engines take them."""
        return np.flatnonzero(~self.is_validation), np.flatnonzero(self.is_validation)

    @property
    def validation_weight(self) -> float:
        """Summed weight of the search rows."""
        return math.fsum(self.weights[self.is_validation])

    @property
    def as_errors(self) -> Callable[[float], int | float]:
        """Type of a number of errors: int where all weights are whole."""
        return count_of(self.weights)


class TreeSelector(SelectorMixin, TreeClassifier):
    """Base of the selectors, which choose features by the trees grown on them.

    A subclass says by `_engine` how it searches, and by `_learn_found` what it keeps of it.
    """

    criterion: Any
    growth: Any
    min_samples_split: Any
    min_samples_leaf: Any
    min_gain: Any
    mdl_correction: Any
    max_depth: Any
    class_weight: Any
    validation_set: Any
    random_state: Any
    time_limit: Any
    callback: Any
    support_: NDArray[np.bool_]
    used_features_: NDArray[np.int64]
    tree_: Tree
    refit_tree_: Tree
    n_validation_errors_: int | float
    validation_error_: float
    n_trees_built_: int
    search_: SearchResult
    validation_rows_: NDArray[np.int64]

    def _engine(self, growing: Growing) -> Callable[[Judged], Found]:
        """Check the parameters of the search and return what runs it."""
        raise AssertionError("every subclass has its search")

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Search for the features to keep and grow their tree.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples; NaN, None and NA are missing values.
        y : array-like of shape (n_samples,)
            Class labels; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights; samples of weight 0 leave before anything is looked at.

        Returns
        -------
        self : estimator
            The fitted selector.

        Raises
        ------
        ParameterError
            If a parameter is not what it may be.
        DataError
            If the data cannot be used, or the building or the search set is empty.
        """
        refuse_c45(self.growth)
        growing = Growing.of(self)
        search = self._engine(growing)
        judged = self._judged(growing, X, y, sample_weight)
        found = search(judged)
        refit_tree = growing.grow(judged.training, features=found["selected"])
        self._learn_found(found, judged)
        self.refit_tree_ = refit_tree
        self.validation_rows_ = judged.validation_rows
        self._learn_schema(judged.training)
        if found.get("raised") is not None:
            raise found["raised"]
        return self

    def _judged(self, growing: Growing, X: Any, y: Any, sample_weight: Any) -> Judged:
        training = self._intake(X, y, sample_weight)
        kept = kept_rows(training, sample_weight)
        is_validation = validation_mask(self.validation_set, training.target, kept, self.random_state)
        return Judged(training, growing.counted_weights(training), is_validation, np.flatnonzero(kept)[is_validation])

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
            return _as_data_errors(super().transform, X)
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
            _as_data_errors(validate_data, self, X, reset=False, skip_check_array=True)

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

    def _learn_found(self, found: Found, judged: Judged) -> None:
        """Keep what the search found, in the user's terms."""
        self.tree_ = Tree(found["tree"])
        self.support_ = np.isin(np.arange(self.tree_.n_features), found["selected"])
        self.used_features_ = self.tree_.used_features
        self.n_validation_errors_ = judged.as_errors(found["n_validation_errors"])
        self.validation_error_ = found["n_validation_errors"] / judged.validation_weight
        self.n_trees_built_ = found["n_trees_built"]
        self.search_ = SearchResult(
            cost=self.n_validation_errors_,
            status=found["status"],
            n_searched=self.n_trees_built_,
            elapsed=found["elapsed"],
            tree=self.tree_,
            **self._proof(found, judged),
        )

    def _proof(self, found: Found, judged: Judged) -> dict[str, Any]:
        """Return what the search proved, as arguments of its result; nothing by default."""
        return {}

    def _prediction_tree(self) -> Tree:
        return self.refit_tree_

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_


def _as_data_errors(check: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a check of scikit-learn's; what it says of the data is told by the package's own error."""
    try:
        return check(*arguments, **options)
    except TreewrightError:
        raise
    except ValueError as error:
        raise DataError(str(error)) from error


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
