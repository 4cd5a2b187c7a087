"""What every selector does: keep columns, name features, predict from the last tree."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ParamSpec, Self, TypeVar

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import get_tags
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from treewright import _core
from treewright._base.errors import DataError, TreewrightError
from treewright._base.params import is_whole, n_threads
from treewright.data.columns import column_labels, has_typed_columns, take_columns
from treewright.data.matching import ModelColumns
from treewright.data.types import AnyArray, BoolArray, IntArray, Native, TableLike, VectorLike
from treewright.results import Callback, SearchResult, Watch
from treewright.trees.distinct_tree import DistinctTree
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.growing import SearchData
from treewright.trees.learner import TreeLearner
from treewright.trees.searching import SearchTrees
from treewright.trees.tree import Tree

Asked = ParamSpec("Asked")
Told = TypeVar("Told")

OF_ESTIMATOR = "estimator__"
"""What scikit-learn writes before the name of a parameter of the estimator."""


@dataclass(frozen=True, kw_only=True)
class SelectionOutcome:
    """What every search over sets of features finds.

    `n_errors` are the validation errors, in weight, of the tree of the `selected` features, and `cost` what
    is minimised: these, and the leaves and features at their prices. No tree costs less than the `bound`;
    None where nothing is proven. `steps` are those of a search that takes single ones; `best` the best
    distinct trees of a search of all, and `n_ties` how many trees err as little as the first. `raised`
    stopped the search, and is raised once what it found is kept. A `watch` saw the search.
    """

    selected: list[int]
    n_errors: float
    cost: float
    tree: _core.Tree
    n_trees_built: int
    status: str
    elapsed: float
    bound: float | None = None
    steps: Sequence[_core.SelectionStep] = ()
    fold_trees: Sequence[_core.Tree] = ()
    best: Sequence[DistinctTree] = ()
    n_ties: int | None = None
    raised: BaseException | None = None
    watch: Watch | None = None


class TreeSelector(SelectorMixin, TreeLearner):
    """Base of the selectors, which choose features by the trees grown on them.

    A subclass says by `_engine` how it searches, and by `_learn_outcome` what it keeps of it.
    """

    estimator: GreedyTreeClassifier | None
    validation_set: object
    validation_leaf_penalty: float
    validation_feature_penalty: float
    random_state: object
    time_limit: float | None
    callback: Callback | None
    n_jobs: int | None
    support_: BoolArray
    used_features_: IntArray
    tree_: Tree
    refit_tree_: Tree
    n_validation_errors_: int | float | None
    validation_error_: float | None
    validation_cost_: float | None
    mean_validation_cost_: float | None
    n_trees_built_: int
    fold_trees_: list[Tree] | None
    fold_validation_rows_: list[IntArray] | None
    search_: SearchResult[Tree]
    validation_rows_: IntArray

    def set_params(self, **params: object) -> Self:
        """Set parameters, those of the estimator as ``estimator__max_depth``.

        Parameters
        ----------
        **params : dict
            Values by the names of the parameters. If `estimator` is None and a parameter of it is set, it
            becomes a ``GreedyTreeClassifier`` with this parameter, so a grid search reaches all of them.

        Returns
        -------
        self : estimator
            The selector.

        Raises
        ------
        ValueError
            If there is no such parameter.

        Examples
        --------
        >>> from treewright import BackwardEliminationSelector
        >>> BackwardEliminationSelector().set_params(estimator__max_depth=2).estimator
        GreedyTreeClassifier(max_depth=2)
        """
        if params.get("estimator", self.estimator) is None:
            nested = {name: value for name, value in params.items() if name.startswith(OF_ESTIMATOR)}
            if nested:
                own = {name.removeprefix(OF_ESTIMATOR): value for name, value in nested.items()}
                usual = GreedyTreeClassifier().set_params(**own)
                params = {name: value for name, value in params.items() if name not in nested}
                params["estimator"] = usual
        super().set_params(**params)
        return self

    def _trees(self) -> SearchTrees:
        """Check the estimator and return how trees are grown and pruned."""
        return SearchTrees.of(self.estimator, self.n_jobs, may_retrain=False)

    def _engine(self, trees: SearchTrees) -> Callable[[SearchData], SelectionOutcome]:
        """Check the parameters of the search and return what runs it."""
        raise AssertionError("every subclass has its search")

    def fit(self, X: TableLike, y: VectorLike = None, sample_weight: VectorLike = None) -> Self:
        """Select features and grow the tree on them.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples; NaN, None and NA are missing values.
        y : array-like of shape (n_samples,)
            Class labels; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights; samples of weight 0 are removed first.

        Returns
        -------
        self : estimator
            The fitted selector.

        Raises
        ------
        ParameterError
            If a parameter has an invalid value.
        DataError
            If the data cannot be used, or its training part or validation part is empty.
        KeyboardInterrupt
            At Ctrl-C; the selector is fitted with the best so far, its status ``"stopped"``.
        """
        trees = self._trees()
        search, owner = self._engine(trees), type(self).__name__
        data = SearchData.read(
            trees.growing,
            X,
            y,
            sample_weight,
            self.validation_set,
            self.random_state,
            owner,
            memory_limit=getattr(self, "memory_limit", None),
            pruning=trees.pruning,
            takes_folds=True,
        )
        outcome = search(data)
        refit_tree = trees.grown(outcome.selected, data.training)[1]
        if data.folds:
            outcome = replace(outcome, tree=refit_tree._core)
        self._learn_outcome(outcome, data)
        self.refit_tree_ = refit_tree
        self.validation_rows_ = data.split.users_rows
        self._learn_schema(data.training)
        self.weight_scale_, self.n_lost_samples_ = data.counted.scale, data.counted.n_lost
        if outcome.raised is not None:
            raise outcome.raised
        return self

    def transform(self, X: TableLike) -> Native:
        """Keep the selected columns.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples: in a frame or Dataset the selected columns are found by name, in any order, and
            others may be missing; an array has all features of ``fit`` in their order.

        Returns
        -------
        X_selected : ndarray, frame or Dataset of shape (n_samples, n_selected_features)
            The same kind as `X`: an array, a frame (nominal columns keep their types), or a
            Dataset with its classes. ``set_output`` selects another kind.
        """
        check_is_fitted(self)
        if not has_typed_columns(X):
            return _as_data_errors(super().transform, X)
        wanted = _get_output_config("transform", self)["dense"]
        return take_columns(X, np.array(self._places(X), dtype=np.int64), wanted)

    def _places(self, X: TableLike) -> list[int]:
        """Return where the selected columns are in a frame or Dataset."""
        labels, n_found = column_labels(X)
        selected = self.get_support(indices=True).tolist()
        names, owner = self.tree_.feature_names, type(self).__name__
        return ModelColumns(names, selected, self._column_labels, owner).places(labels, n_found)

    def _transformed(self) -> list[int]:
        return np.flatnonzero(self.support_).tolist()

    def get_feature_names_out(self, input_features: VectorLike = None) -> AnyArray:
        """Name the selected features.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names to use in place of those of ``fit``.

        Returns
        -------
        names : ndarray of str objects
            In the order of ``fit``; x0, x1, … stand for features without names.
        """
        names: AnyArray = self._input_names(input_features)[self.get_support()]
        return names

    def _input_names(self, input_features: VectorLike) -> AnyArray:
        """Return the name of every feature of ``fit``."""
        check_is_fitted(self)
        if input_features is None:
            return np.array(getattr(self, "feature_names_in_", self.tree_.feature_names), dtype=object)
        return np.asarray(_check_feature_names_in(self, input_features))

    def used_feature_names_out(self, input_features: VectorLike = None) -> AnyArray:
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
        return self._input_names(input_features)[self.used_features_]

    def _learn_outcome(self, outcome: SelectionOutcome, data: SearchData) -> None:
        """Keep what the search found, in the user's terms."""
        self.tree_ = Tree(outcome.tree)
        self.fold_trees_ = [Tree(tree) for tree in outcome.fold_trees] or None
        self.fold_validation_rows_ = [fold.users_rows for fold in data.folds] or None
        self.support_ = np.isin(np.arange(self.tree_.n_features), outcome.selected)
        self.used_features_ = self.tree_.used_features
        loss, mean = data.as_errors(outcome.n_errors), outcome.n_errors / data.validation_weight
        nothing, counted = (None, None), (loss, mean)
        errors, cost = (nothing, counted) if data.counts_cost else (counted, nothing)
        self.n_validation_errors_, self.validation_error_ = errors
        self.validation_cost_, self.mean_validation_cost_ = cost
        self.n_trees_built_ = outcome.n_trees_built
        as_cost = self._as_cost(data)
        search = SearchResult(
            cost=as_cost(outcome.cost),
            status=outcome.status,
            n_searched=self.n_trees_built_,
            elapsed=outcome.elapsed,
            tree=self.tree_,
            bound=None if outcome.bound is None else _lowest(outcome.bound, as_cost),
            message=self._message(outcome),
        )
        self.search_ = search if outcome.watch is None else outcome.watch.onto(search)

    def _per_error(self, data: SearchData) -> int:
        """Return how often the engine counts an error: a leaf in one of n folds is the n-th of a leaf."""
        return max(1, len(data.folds)) if self.validation_leaf_penalty else 1

    def _as_cost(self, data: SearchData) -> Callable[[float], int | float]:
        """Return the type of what is minimised: that of errors, unless a price may count fractions."""
        of_leaf, of_feature = self.validation_leaf_penalty, self.validation_feature_penalty
        leaves_are_whole = not of_leaf or (is_whole(of_leaf) and not data.folds)
        are_whole = leaves_are_whole and (not of_feature or is_whole(of_feature))
        return data.as_errors if are_whole else float

    def _message(self, outcome: SelectionOutcome) -> str:
        """Say how the search ended; empty where the status says it all."""
        return ""

    def _prediction_tree(self) -> Tree:
        return self.refit_tree_

    def _threads(self) -> int:
        """Return the threads to predict on: those of the selector, else those of its estimator."""
        if self.n_jobs is None and self.estimator is not None:
            return n_threads(self.estimator.n_jobs)
        return n_threads(self.n_jobs)

    def _takes_missing(self) -> bool:
        """Whether the estimator takes missing values."""
        return self.estimator is None or bool(get_tags(self.estimator).input_tags.allow_nan)

    def _get_support_mask(self) -> BoolArray:
        check_is_fitted(self)
        return self.support_


def _lowest(bound: float, as_cost: Callable[[float], int | float]) -> int | float:
    """Return the lowest cost that a tree may have whose cost is not below a bound."""
    return math.ceil(bound) if as_cost is int else bound


def _as_data_errors(check: Callable[Asked, Told], *arguments: Asked.args, **options: Asked.kwargs) -> Told:
    """Call a check of scikit-learn's; what it says of the data is told by the package's own error."""
    try:
        return check(*arguments, **options)
    except TreewrightError:
        raise
    except ValueError as error:
        raise DataError(str(error)) from error
