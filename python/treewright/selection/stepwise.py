"""Selectors that let features go or come one step at a time: backward elimination and forward selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._base.params import Limits, one_of
from treewright.results import Callback, ResultTable, floats, ints
from treewright.selection.plot import plot_history
from treewright.selection.rules import StepRules
from treewright.selection.selector import SelectionOutcome, TreeSelector
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.growing import SearchData
from treewright.trees.searching import SearchTrees

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BackwardEliminationSelector", "ForwardSelectionSelector"]

STRATEGIES = ("incremental", "retrain")


class StepwiseSelector(TreeSelector):
    """Base of the selectors that let one feature, or one group, go or come at a time.

    A subclass has a `direction`, and as parameters those of `StepRules` that it knows.
    """

    direction: str
    strategy: str
    history_: ResultTable

    def _trees(self) -> SearchTrees:
        retrains = self.strategy == "retrain"
        return SearchTrees.of(self.estimator, self.n_jobs, may_retrain=True, retrains=retrains)

    def _engine(self, trees: SearchTrees) -> Callable[[SearchData], SelectionOutcome]:
        asked = {
            field.name: getattr(self, field.name) for field in fields(StepRules) if hasattr(self, field.name)
        }
        rules, strategy = StepRules(**asked), one_of("strategy", self.strategy, STRATEGIES)
        limits = Limits.of(self.n_jobs, self.time_limit, self.callback)

        def search(data: SearchData) -> SelectionOutcome:
            retrains = strategy == "retrain" and trees.rule is not None
            found = _core.select_features(
                data.folds_of_engine,
                rules=rules.for_engine(
                    data.training.dataset.feature_names, data.usual_loss, data.largest_loss
                ),
                strategy=strategy,
                trees=_from_scratch(trees, data) if retrains else None,
                limits=data.in_units(
                    limits._replace(n_threads=data.growing.n_threads), self._per_error(data)
                ),
            )
            fold_trees = [tree if retrains else trees.pruned(tree) for tree in found.fold_trees]
            return SelectionOutcome(
                selected=found.selected,
                n_errors=found.n_errors,
                cost=found.cost,
                tree=fold_trees[0],
                n_trees_built=found.n_trees_built,
                status=found.status,
                elapsed=found.elapsed,
                steps=found.history,
                fold_trees=fold_trees if data.folds else (),
                raised=found.raised,
            )

        return search

    def _learn_outcome(self, outcome: SelectionOutcome, data: SearchData) -> None:
        super()._learn_outcome(outcome, data)
        counted, n_folds = "cost" if data.counts_cost else "errors", len(data.folds)
        self.history_ = _history(outcome.steps, counted, is_whole=data.as_errors is int, n_folds=n_folds)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the validation errors, or their cost, against the steps, with a ring around the chosen step.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            What was drawn on, for a title or ``ax.figure.savefig``.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        check_is_fitted(self)
        names = self.tree_.feature_names
        return plot_history(self.history_, ax, feature_names=names, chosen=self._chosen_step())

    def _chosen_step(self) -> int | None:
        """Return the first step with as many features and errors as were chosen."""
        history = self.history_
        counted = "cost" if "cost" in (history.dtype.names or ()) else "errors"
        loss = self.validation_cost_ if counted == "cost" else self.n_validation_errors_
        steps = np.flatnonzero((history["n_features"] == self.support_.sum()) & (history[counted] == loss))
        return int(steps[0]) if len(steps) else None


def _from_scratch(
    trees: SearchTrees, data: SearchData
) -> Callable[[int, list[int]], tuple[_core.Tree, _core.Tree]]:
    """Return what grows and prunes the tree of some features in a fold."""
    parts = data.training_parts()

    def grown(fold: int, features: list[int]) -> tuple[_core.Tree, _core.Tree]:
        growing, part = parts[fold]
        grown, pruned = trees.grown(features, part, growing)
        return grown._core, pruned._core

    return grown


def _history(
    steps: Iterable[_core.SelectionStep], counted: str, *, is_whole: bool, n_folds: int
) -> ResultTable:
    """Tabulate the steps of a search; the leaves are those of the mean tree of the folds, if any."""
    columns = [
        *ints("step", "dropped", "added"),
        ("changed", "object"),
        *(ints if is_whole else floats)(counted),
        *(floats if n_folds else ints)("n_leaves"),
        *ints("n_used", "n_features", "n_trees_built"),
        *floats("seconds"),
    ]
    return ResultTable.from_rows((_record(i, step, n_folds) for i, step in enumerate(steps)), columns)


def _record(i: int, step: _core.SelectionStep, n_folds: int) -> tuple[object, ...]:
    first = min(step.changed, default=-1)
    dropped, added = (-1, first) if step.is_added else (first, -1)
    n_leaves = step.n_leaves / n_folds if n_folds else step.n_leaves
    counts = (step.n_errors, n_leaves, step.n_used, step.n_selected, step.n_trees_built, step.seconds)
    return (i, dropped, added, tuple(step.changed), *counts)


@dataclass(kw_only=True, eq=False, repr=False)
class BackwardEliminationSelector(StepwiseSelector):
    """Select features by backward elimination: drop one as long as the tree makes fewer errors.

    The samples are split into a training part, on which trees are grown, and a validation part,
    on which their errors are counted. The search starts with the tree on all features. In every
    round it removes each feature in turn, and keeps the removal with the fewest validation
    errors. It ends when no removal makes strictly fewer errors. Removing a feature that the
    tree does not test would not change the tree, so the search does not try it: such a feature
    stays selected.

    As a transformer it keeps the selected columns. As a classifier it predicts with the tree of
    the selected features, grown on all samples.

    Parameters
    ----------
    strategy : {"incremental", "retrain"}, default="incremental"
        ``"incremental"`` grows only the parts of a tree again that test the removed feature;
        ``"retrain"`` grows every tree from the root, also for features that the tree does not
        test. Both give the same answer; ``"retrain"`` is for checks, and for pruning rules that look at
        more than a node and its branches (grafting, reduced error, rules that choose a parameter).
    tolerance : int or float, default=0
        Number of additional validation errors that are accepted for fewer features. An int
        counts errors (in weight), a float in (0, 1) is a share of the weight of the validation
        part. With a cost matrix an int is a cost, and a float a share of what the validation part
        costs if all answers are wrong, each at the mean cost for its class. The search continues
        to drop the best candidate while its errors are at most the fewest so far plus the
        tolerance, and returns the last such set. With `validation_leaf_penalty` or
        `validation_feature_penalty` it is the sum of errors and penalties that may be so much
        higher. It cannot be combined with `floating`, because the search might never end.
    parsimonious : bool, default=False
        Whether features are also dropped if the errors stay the same. Before each round, all
        features that the tree does not test are dropped in one step.
    floating : bool, default=False
        Whether, after every removal, features are added back one by one while each makes
        strictly fewer errors. The feature just removed is not added back in this step. Any
        other feature may be added, also one that is not in `start_from`.
    min_features : int, default=0
        Smallest number of features that the search keeps, tested or not. With 0 the answer may
        be no feature at all: a single leaf may make the fewest errors.
    required_features : array-like, default=None
        Features that are never dropped, by position or name, or a boolean mask. The
        group of a required feature is required as a whole.
    feature_groups : list of array-like, default=None
        Groups of features that are dropped together, such as the columns of a one-hot encoding.
        Each group is a list of positions or names, and no feature is in two groups. Other
        features are dropped alone.
    start_from : array-like, default=None
        Features with which the search starts, by position or name, or a boolean mask such as
        `support_` of another selector; None is all features. They must include the required
        features, and each group as a whole or not at all.
    estimator : GreedyTreeClassifier, default=None
        Estimator that grows the trees; None is ``GreedyTreeClassifier()``. A grid search reaches its
        parameters as ``estimator__max_depth`` and so on. If it has a `pruning` rule, the errors are those of
        the pruned trees. ``growth="c45"`` is refused.
    validation_set : float or array-like, default=0.3
        Validation samples, on which the errors of the trees are counted: a share in (0, 1), drawn at random
        from each class (stratified; every class keeps a sample in the training part); or their positions in
        `X`; or a boolean mask. Use a share in cross-validation. Or ``"cv"``, five stratified folds, or a
        splitter of scikit-learn: each step is then judged by the errors of all folds together, each counted
        on the tree of its other samples. On small data this is more reliable than one draw.
    validation_leaf_penalty : float, default=0
        Number of wrong validation samples that a leaf must save: candidates are compared by errors + penalty
        x leaves, so a higher penalty gives a smaller tree. It is in weight, and with a cost matrix it is a
        cost. With folds a leaf must save as much in the sum of their errors (the leaves are those of the mean
        of their trees). A penalty above the weight of the validation part counts as this weight.
    validation_feature_penalty : float, default=0
        Number of wrong validation samples that a feature must save: candidates are compared by errors +
        penalty x features, so a higher penalty gives fewer features. The features are those that the tree
        tests before it is pruned (with folds, those that the tree of some fold tests). Its unit and its upper
        end are those of `validation_leaf_penalty`; with folds a feature must save as much in the sum of their
        errors. Both penalties may be set.
    random_state : int, RandomState instance or None, default=None
        Random seed that draws the validation samples; None draws others in every ``fit``.
    time_limit : float, default=None
        Seconds after which the search ends with the best result so far. It does not interrupt the growing of
        the first tree, and the time of the last tree, on all samples, is not included.
    callback : callable, default=None
        Called regularly with a `Progress`; returning True ends the search.
    n_jobs : int, default=None
        Number of threads, -1 every core; None is the value of the estimator, usually 1. The answer does not
        depend on it.

    Attributes
    ----------
    support_ : ndarray of bool of shape (`n_features_in_`,)
        The selected features, tested or not.
    used_features_ : ndarray of int
        Positions of the features that `tree_` tests after pruning, ascending.
    tree_ : Tree
        Tree of the selected features, grown on the training part and pruned. With folds it is `refit_tree_`.
    fold_trees_ : list of Tree or None
        With folds, the tree of the selected features of each, grown on its other samples.
    fold_validation_rows_ : list of ndarray of int or None
        With folds, the positions in `X` of the validation samples of each, ascending.
    refit_tree_ : Tree
        Tree of the selected features, grown on all samples and pruned; `predict` uses it.
    n_validation_errors_ : int, float or None
        Summed weight of the validation samples that `tree_` predicts wrongly; an int
        when all weights are whole. None with a cost matrix.
    validation_error_ : float or None
        The same as a share of the weight of the validation part.
    validation_cost_ : float or None
        With a cost matrix, what the answers of `tree_` to the validation samples cost, in its unit: this is
        minimised in place of errors.
    mean_validation_cost_ : float or None
        The same divided by the weight of the validation part.
    n_trees_built_ : int
        Number of trees built: the first tree and every candidate.
    history_ : ResultTable
        One row for the first tree and one for each step, with the fields ``step``; ``dropped`` and ``added``,
        the position of the dropped or added feature, else -1; ``changed``, a tuple of the positions of all
        features that were dropped or added (``dropped`` or ``added`` is the lowest of them); ``errors``, on
        the validation part, or with a cost matrix ``cost``; ``n_leaves`` of the tree (with folds, the mean of
        their trees); ``n_used``, the number of features that it tests before it is pruned (with folds, that
        some tree tests); ``n_features``, the number of selected features; ``n_trees_built`` and ``seconds``,
        up to this step.
    search_ : SearchResult
        Cost, status and message of the search. The cost is that of the errors, plus the penalties of leaves
        and features.
    validation_rows_ : ndarray of int
        Positions in `X` of the validation samples, ascending; with folds those of all of them.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` had text names.
    weight_scale_ : float
        As of `GreedyTreeClassifier`, from the weights of the training part.
    n_lost_samples_ : int
        Number of samples of positive weight that weigh less than about a millionth of the mean: too little to
        count, so they are left out.

    See Also
    --------
    ForwardSelectionSelector : Starts with no features and adds them.
    GreedyTreeClassifier : The tree that is grown.

    Notes
    -----
    If several removals have equal errors, the feature with the lowest position is dropped (for a group, the
    lowest position of its features counts). Backward elimination finds a good subset, not always the best
    one.

    If `parsimonious` cannot drop all untested features because of `min_features`, it drops those with the
    highest positions.

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, section 5.

    P. Pudil, J. Novovičová, J. Kittler, "Floating search methods in feature selection",
    Pattern Recognition Letters 15, 1994 (`floating`).

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

    Fewer features, without those that the tree does not test, for one error more at most:

    >>> few = BackwardEliminationSelector(tolerance=1, parsimonious=True, random_state=0)
    >>> few.fit(X, y).history_[["dropped", "errors", "n_features"]].tolist()
    [(-1, 6, 30), (0, 6, 12), (1, 6, 11), (25, 5, 10), (9, 5, 9), (11, 5, 8), (24, 5, 7)]
    >>> few.used_feature_names_out()[:2]
    array(['area error', 'concavity error'], dtype=object)
    """

    direction = "backward"

    strategy: str = "incremental"
    tolerance: float = 0
    parsimonious: bool = False
    floating: bool = False
    min_features: int = 0
    required_features: object = None
    feature_groups: object = None
    start_from: object = None
    estimator: GreedyTreeClassifier | None = None
    validation_set: object = 0.3
    validation_leaf_penalty: float = 0
    validation_feature_penalty: float = 0
    random_state: object = None
    time_limit: float | None = None
    callback: Callback | None = None
    n_jobs: int | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class ForwardSelectionSelector(StepwiseSelector):
    """Select features by forward selection: add one as long as the tree makes fewer errors.

    The samples are split into a training part, on which trees are grown, and a validation part,
    on which their errors are counted. The search starts with the tree without features, a
    single leaf. In every round it adds each other feature in turn, and keeps the one with the
    fewest validation errors. It ends when no feature makes strictly fewer errors.

    As a transformer it keeps the selected columns. As a classifier it predicts with the tree of
    the selected features, grown on all samples.

    Parameters
    ----------
    strategy : {"incremental", "retrain"}, default="incremental"
        ``"incremental"`` grows only the parts of a tree again that a feature changes;
        ``"retrain"`` grows every tree from the root. Both give the same answer; ``"retrain"``
        is for checks, and for some pruning rules, as for `BackwardEliminationSelector`.
    floating : bool, default=False
        Whether, after every addition, features are dropped again one by one while each makes strictly fewer
        errors. The feature just added and the required features are not dropped.
    max_features : int, default=None
        Largest number of selected features; None is no limit.
    required_features : array-like, default=None
        Features that are always selected, by position or name, or a boolean mask. The group of
        a required feature is required as a whole.
    feature_groups : list of array-like, default=None
        Groups of features that are added together, such as the columns of a one-hot encoding.
        Each group is a list of positions or names, and no feature is in two groups. Other
        features are added alone.
    start_from : array-like, default=None
        Features with which the search starts, by position or name, or a boolean mask such as
        `support_` of another selector; None is the required features only. They must include
        the required features, and each group as a whole or not at all.
    estimator, validation_set, validation_leaf_penalty, validation_feature_penalty, random_state, \
time_limit, callback, n_jobs
        As for `BackwardEliminationSelector`.

    Attributes
    ----------
    support_ : ndarray of bool of shape (`n_features_in_`,)
        The selected features: those added, and those that the search started from.
    used_features_, tree_, fold_trees_, fold_validation_rows_, refit_tree_, n_validation_errors_, \
validation_error_, validation_cost_, mean_validation_cost_, n_trees_built_, history_, search_, \
validation_rows_, classes_, n_features_in_, feature_names_in_, weight_scale_, n_lost_samples_
        As of `BackwardEliminationSelector`.

    See Also
    --------
    BackwardEliminationSelector : Starts with all features and drops them.
    GreedyTreeClassifier : The tree that is grown.

    Notes
    -----
    If several additions have equal errors, the feature with the lowest position is added (for a group, the
    lowest position of its features counts). Features that help only together, such as the two of an exclusive
    or, are not found one at a time: put them into `feature_groups` or `start_from`, or use backward
    elimination.

    References
    ----------
    P. Pudil, J. Novovičová, J. Kittler, "Floating search methods in feature selection",
    Pattern Recognition Letters 15, 1994 (`floating`).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from treewright import ForwardSelectionSelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> selector = ForwardSelectionSelector(random_state=0).fit(X, y)
    >>> selector.history_["errors"]
    array([64, 20,  9,  8])
    >>> selector.get_feature_names_out()
    array(['mean texture', 'worst perimeter', 'worst fractal dimension'], dtype=object)
    """

    direction = "forward"

    strategy: str = "incremental"
    floating: bool = False
    max_features: int | None = None
    required_features: object = None
    feature_groups: object = None
    start_from: object = None
    estimator: GreedyTreeClassifier | None = None
    validation_set: object = 0.3
    validation_leaf_penalty: float = 0
    validation_feature_penalty: float = 0
    random_state: object = None
    time_limit: float | None = None
    callback: Callback | None = None
    n_jobs: int | None = None
