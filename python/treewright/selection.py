"""Selectors: estimators that choose the features their tree should see."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from treewright import _core
from treewright._base import TreeClassifier
from treewright._columns import has_typed_columns, take_columns
from treewright._growing import Growing
from treewright._intake.match import check_features
from treewright._params import callable_or_none, one_of, seconds_or_none
from treewright._search_set import Mask, search_mask
from treewright._training import TrainingSet
from treewright.dataset import Dataset
from treewright.exceptions import ParameterError
from treewright.results import Callback, ResultTable, SearchResult
from treewright.tree import Tree

__all__ = ["BackwardEliminationSelector"]

STRATEGIES = ("incremental", "retrain")


class BackwardEliminationSelector(SelectorMixin, TreeClassifier):
    """Drop features as long as that makes the greedy tree err less.

    The samples are parted into a building set, which grows trees, and a search set, which
    judges them. From the tree on all features, every round takes each feature away in
    turn and keeps the removal with the fewest search errors; the search ends when no
    removal makes strictly fewer. A feature that the tree does not test cannot change it,
    so the search never looks at one: it stays selected.

    As a transformer it keeps the selected columns; as a classifier it predicts from the
    tree of the selected features grown on all samples.

    Parameters
    ----------
    strategy : {"incremental", "retrain"}, default="incremental"
        ``"incremental"`` rebuilds only the parts of a tree that test the removed
        feature; ``"retrain"`` grows every tree anew, unused features included. The
        answer is the same; the second is there to check the first.
    criterion : {"info_gain", "gain_ratio", "gini"}, default="info_gain"
        Quality of a split; this and the next parameters as in `GreedyTreeClassifier`.
    growth : {"standard", "id3"}, default="standard"
        How trees grow.
    min_samples_split : float, default=2
        A node whose weight is below this is a leaf.
    min_samples_leaf : float, default=1
        At least two branches of a split must have this weight of known values.
    min_gain : float, default=0.0
        A split must gain this much, in bits (in Gini decrease for ``"gini"``).
    max_depth : int, default=None
        Number of edges from the root at which nodes are leaves; None is no limit.
    missing : {"distribution", "most_frequent", "value", "raise"}, default="distribution"
        What a missing value is.
    class_weight : dict or "balanced", default=None
        Factor of the sample weights by class label.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal.
    search_set : float or array-like, default=0.3
        Which samples judge the trees: a share in (0, 1), drawn class by class (largest
        remainders first; every class keeps a sample on the building side, so a class with
        a single one stays there); or their positions in `X`; or a boolean mask. Use a
        share in cross-validation.
    random_state : int, RandomState instance or None, default=None
        Draws the share; None draws anew in every ``fit``.
    time_limit : float, default=None
        Seconds after which the search ends with the best found so far; growing the
        last tree on all samples comes on top.
    callback : callable, default=None
        Called now and then with a `Progress`; returning True ends the search.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The answer does not depend on it.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features_in_,)
        The selected features: those never dropped, tested or not.
    used_features_ : ndarray of int
        Positions of the features that `tree_` tests, ascending.
    tree_ : Tree
        Tree of the selected features, grown on the building set.
    refit_tree_ : Tree
        Tree of the selected features, grown on all samples; it predicts.
    n_search_errors_ : int or float
        Summed weight of the search samples that `tree_` predicts wrongly; an int
        when all weights are whole.
    search_error_ : float
        The same as a share of the weight of the search set.
    n_trees_built_ : int
        The first tree plus every candidate considered.
    history_ : ResultTable
        One row for the first tree and one a drop: ``step``, ``dropped`` (position, -1
        for the first tree), ``errors``, ``n_trees_built`` (so far), ``seconds`` (so far).
    search_ : SearchResult
        Cost, status and message of the search.
    search_rows_ : ndarray of int
        Positions in `X` of the search samples, ascending.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` had text names.

    See Also
    --------
    GreedyTreeClassifier : The tree that is grown.

    Notes
    -----
    Equal errors drop the feature with the lowest position. Backward elimination finds a
    good subset, not always the best one.

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, section 5.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from treewright import BackwardEliminationSelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> selector = BackwardEliminationSelector(random_state=0).fit(X, y)
    >>> selector.history_["errors"]
    array([6, 5])
    >>> selector.used_feature_names_out()[:2]
    array(['mean texture', 'mean fractal dimension'], dtype=object)
    >>> selector.search_.status
    'complete'
    """

    support_: NDArray[np.bool_]
    used_features_: NDArray[np.int64]
    tree_: Tree
    refit_tree_: Tree
    n_search_errors_: int | float
    search_error_: float
    n_trees_built_: int
    history_: ResultTable
    search_: SearchResult
    search_rows_: NDArray[np.int64]

    def __init__(
        self,
        *,
        strategy: str = "incremental",
        criterion: str = "info_gain",
        growth: str = "standard",
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        max_depth: int | None = None,
        missing: str = "distribution",
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        search_set: Any = 0.3,
        random_state: Any = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.strategy = strategy
        self.criterion = criterion
        self.growth = growth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.max_depth = max_depth
        self.missing = missing
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.search_set = search_set
        self.random_state = random_state
        self.time_limit = time_limit
        self.callback = callback
        self.n_jobs = n_jobs

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
        self : BackwardEliminationSelector
            The fitted selector.

        Raises
        ------
        ParameterError
            If a parameter is not what it may be.
        DataError
            If the data cannot be used, or the building or the search set is empty.
        """
        _refuse_c45(self.growth)
        growing = Growing.of(self)
        search = self._search_arguments()
        training = self._intake(X, y, sample_weight)
        kept = _kept_rows(training, sample_weight)
        mask = search_mask(self.search_set, training.target, kept, self.random_state)
        found = _core.eliminate_backward(
            training.core,
            building=np.flatnonzero(~mask),
            search=np.flatnonzero(mask),
            **search,
            **growing.arguments(training),
        )
        self.refit_tree_ = growing.grow(training, features=found["selected"])
        self._learn_search(found, growing.counted_weights(training), mask)
        self.search_rows_ = np.flatnonzero(kept)[mask]
        self._learn_schema(training)
        return self

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

    def _search_arguments(self) -> dict[str, Any]:
        return {
            "strategy": one_of("strategy", self.strategy, STRATEGIES),
            "time_limit": seconds_or_none("time_limit", self.time_limit),
            "callback": callable_or_none("callback", self.callback),
        }

    def _learn_search(self, found: dict[str, Any], weights: NDArray[np.float64], is_search: Mask) -> None:
        """Keep what the search found, in the user's terms."""
        errors, whole = found["n_search_errors"], bool((weights % 1 == 0).all())
        self.tree_ = Tree(found["tree"])
        self.support_ = np.isin(np.arange(self.tree_.n_features), found["selected"])
        self.used_features_ = self.tree_.used_features
        self.n_search_errors_ = int(errors) if whole else errors
        self.search_error_ = errors / math.fsum(weights[is_search])
        self.n_trees_built_ = found["n_trees_built"]
        self.history_ = ResultTable.from_rows(found["history"], _history_dtype(whole=whole))
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


def _refuse_c45(growth: object) -> None:
    if isinstance(growth, str) and growth == "c45":
        raise ParameterError(
            "growth='c45' cannot be used in a feature search: its average-gain rule and its "
            "collapse look at the whole set of features, so that dropping an unused feature "
            "could change the tree; choose 'standard' or 'id3'"
        )


def _kept_rows(training: TrainingSet, sample_weight: Any) -> NDArray[np.bool_]:
    """Tell which rows of the user's table have positive weight."""
    weights = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=np.float64)
    return weights != 0 if weights.ndim else np.ones(training.n_samples, dtype=np.bool_)


def _history_dtype(*, whole: bool) -> list[tuple[str, str]]:
    return [
        ("step", "int64"),
        ("dropped", "int64"),
        ("errors", "int64" if whole else "float64"),
        ("n_trees_built", "int64"),
        ("seconds", "float64"),
    ]
