"""Selectors that let features go or come one step at a time: backward elimination and forward selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._base.params import callable_or_none, one_of, seconds_or_none
from treewright.results import Callback, ResultTable, floats, ints
from treewright.selection.plot import plot_history
from treewright.selection.rules import StepRules
from treewright.selection.selector import SearchData, SelectionOutcome, TreeSelector
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.growing import Growing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BackwardEliminationSelector", "ForwardSelectionSelector"]

STRATEGIES = ("incremental", "retrain")


class StepwiseSelector(TreeSelector):
    """Base of the selectors that let one feature, or one group, go or come at a time.

    A subclass says by `_rules` which steps there are.
    """

    strategy: str
    history_: ResultTable

    def _rules(self) -> StepRules:
        raise AssertionError("every subclass has its rules")

    def _engine(self, growing: Growing) -> Callable[[SearchData], SelectionOutcome]:
        rules, strategy = self._rules(), one_of("strategy", self.strategy, STRATEGIES)
        time_limit = seconds_or_none("time_limit", self.time_limit)
        callback = callable_or_none("callback", self.callback)

        def search(data: SearchData) -> SelectionOutcome:
            training = data.training
            found = _core.select_features(
                training.core,
                data.split.training_rows,
                data.split.validation_rows,
                growth=growing.parameters(training),
                rules=rules.for_engine(training.dataset.feature_names, data.validation_weight),
                strategy=strategy,
                n_threads=growing.n_threads,
                time_limit=time_limit,
                callback=callback,
            )
            return SelectionOutcome(
                selected=found.selected,
                n_errors=found.n_errors,
                tree=found.tree,
                n_trees_built=found.n_trees_built,
                status=found.status,
                elapsed=found.elapsed,
                steps=found.history,
            )

        return search

    def _learn_outcome(self, outcome: SelectionOutcome, data: SearchData) -> None:
        super()._learn_outcome(outcome, data)
        self.history_ = _history(outcome.steps, is_whole=data.as_errors is int)

    def plot_history(self, ax: Axes | None = None) -> Axes:
        """Draw the validation errors against the steps.

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

        See Also
        --------
        treewright.reporting.plot_history : The same of a bare ``history_``.
        """
        check_is_fitted(self)
        return plot_history(self.history_, ax, feature_names=self.tree_.feature_names)


def _history(steps: Iterable[_core.SelectionStep], *, is_whole: bool) -> ResultTable:
    """Tabulate the steps of a search."""
    columns = [
        *ints("step", "dropped", "added"),
        ("changed", "object"),
        *(ints if is_whole else floats)("errors"),
        *ints("n_features", "n_trees_built"),
        *floats("seconds"),
    ]
    return ResultTable.from_rows((_record(i, step) for i, step in enumerate(steps)), columns)


def _record(i: int, step: _core.SelectionStep) -> tuple[object, ...]:
    first = min(step.changed, default=-1)
    dropped, added = (-1, first) if step.is_added else (first, -1)
    counts = (step.n_errors, step.n_selected, step.n_trees_built, step.seconds)
    return (i, dropped, added, tuple(step.changed), *counts)


class BackwardEliminationSelector(StepwiseSelector):
    """Drop features as long as that makes the greedy tree err less.

    The samples are parted into a training part, which grows trees, and a validation part,
    which judges them. From the tree on all features, every round takes each feature away in
    turn and keeps the removal with the fewest validation errors; the search ends when no
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
    tolerance : int or float, default=0
        Errors above the fewest that are accepted for fewer features: an int counts
        validation errors (in weight), a float in (0, 1) is a share of the weight of the
        validation part.
        The search goes on dropping the best candidate while its errors are at most the
        fewest seen so far plus the tolerance, and returns the last such set. It does not
        go with `floating`: the search could go round for ever.
    parsimonious : bool, default=False
        Whether features that are of no use leave too: before each round those that the
        tree does not test, in one step, and a tested one also where the errors stay
        the same.
    floating : bool, default=False
        Whether, after every removal, features come back one by one while each makes
        strictly fewer errors; the one just removed stays away meanwhile. Any feature
        may come, one that `start_from` left out as well.
    min_features : int, default=0
        The search keeps at least this many features, tested or not. With 0 no feature at
        all is a legal answer: a single leaf may err least.
    required_features : array-like, default=None
        Features that are never dropped, by position or name, or a boolean mask. The
        group of a required feature is required as a whole.
    feature_groups : list of array-like, default=None
        Features that go together, such as the columns made of one; each group is a list
        of positions or names, no two have one in common. Other features go alone.
    start_from : array-like, default=None
        Features that the search starts from, by position or name, or a boolean mask such
        as `support_` of another selector; None is all features. Required features must be
        among them, and groups as a whole or not at all.
    estimator : GreedyTreeClassifier, default=None
        How trees grow; None is ``GreedyTreeClassifier()``. A grid search reaches its parameters as
        ``estimator__max_depth`` and so on. One with ``growth="c45"`` or a pruning rule is refused.
    validation_set : float or array-like, default=0.3
        Which samples judge the trees: a share in (0, 1), drawn class by class (largest
        remainders first; every class keeps a sample in the training part, so a class with
        a single one stays there); or their positions in `X`; or a boolean mask. Use a
        share in cross-validation.
    random_state : int, RandomState instance or None, default=None
        Draws the share; None draws anew in every ``fit``.
    time_limit : float, default=None
        Seconds after which the search ends with the best found so far; growing the
        first tree is not cut short, and the last tree on all samples comes on top.
    callback : callable, default=None
        Called now and then with a `Progress`; returning True ends the search.
    n_jobs : int, default=None
        Number of threads, -1 every core; None is what the estimator says, 1 as a rule. The answer
        does not depend on it.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features_in_,)
        The selected features, tested or not.
    used_features_ : ndarray of int
        Positions of the features that `tree_` tests, ascending.
    tree_ : Tree
        Tree of the selected features, grown on the training part.
    refit_tree_ : Tree
        Tree of the selected features, grown on all samples; it predicts.
    n_validation_errors_ : int or float
        Summed weight of the validation samples that `tree_` predicts wrongly; an int
        when all weights are whole.
    validation_error_ : float
        The same as a share of the weight of the validation part.
    n_trees_built_ : int
        The first tree plus every candidate considered.
    history_ : ResultTable
        One row for the first tree and one a step, with the fields ``step``; ``dropped``
        and ``added``, the position of the feature that went or came, -1 where none did;
        ``changed``, a tuple of all positions that went or came (of which ``dropped`` or
        ``added`` is the lowest); ``errors``, on the validation part; ``n_features``, how many
        are selected; ``n_trees_built`` and ``seconds``, up to here.
    search_ : SearchResult
        Cost, status and message of the search.
    validation_rows_ : ndarray of int
        Positions in `X` of the validation samples, ascending.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` had text names.

    See Also
    --------
    ForwardSelectionSelector : Begins with no feature and adds.
    GreedyTreeClassifier : The tree that is grown.

    Notes
    -----
    Of removals with equal errors, that of the feature with the lowest position is kept (of
    groups the lowest of any member). Backward elimination finds a good subset, not always
    the best one.

    With `parsimonious` where not all untested features may leave, because `min_features`
    must stay, those with the highest positions do.

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

    def __init__(
        self,
        *,
        strategy: str = "incremental",
        tolerance: float = 0,
        parsimonious: bool = False,
        floating: bool = False,
        min_features: int = 0,
        required_features: object = None,
        feature_groups: object = None,
        start_from: object = None,
        estimator: GreedyTreeClassifier | None = None,
        validation_set: object = 0.3,
        random_state: object = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.strategy = strategy
        self.tolerance = tolerance
        self.parsimonious = parsimonious
        self.floating = floating
        self.min_features = min_features
        self.required_features = required_features
        self.feature_groups = feature_groups
        self.start_from = start_from
        self.estimator = estimator
        self.validation_set = validation_set
        self.random_state = random_state
        self.time_limit = time_limit
        self.callback = callback
        self.n_jobs = n_jobs

    def _rules(self) -> StepRules:
        return StepRules(
            direction="backward",
            floating=self.floating,
            required_features=self.required_features,
            feature_groups=self.feature_groups,
            start_from=self.start_from,
            tolerance=self.tolerance,
            parsimonious=self.parsimonious,
            min_features=self.min_features,
        )


class ForwardSelectionSelector(StepwiseSelector):
    """Add features as long as that makes the greedy tree err less.

    The samples are parted into a training part, which grows trees, and a validation part,
    which judges them. From the tree without features, a single leaf, every round gives the
    tree each other feature in turn and keeps the one with the fewest validation errors; the
    search ends when none makes strictly fewer.

    As a transformer it keeps the selected columns; as a classifier it predicts from the
    tree of the selected features grown on all samples.

    Parameters
    ----------
    strategy : {"incremental", "retrain"}, default="incremental"
        ``"incremental"`` rebuilds only the parts of a tree that a feature changes;
        ``"retrain"`` grows every tree anew. The answer is the same; the second is there
        to check the first.
    floating : bool, default=False
        Whether, after every addition, features leave again one by one while each makes
        strictly fewer errors; the one just added stays meanwhile, as required ones do.
    max_features : int, default=None
        The search selects at most this many features; None is no limit.
    required_features : array-like, default=None
        Features that are there from the start and stay, by position or name, or
        a boolean mask. The group of a required feature is required as a whole.
    feature_groups : list of array-like, default=None
        Features that come together, such as the columns made of one; each group is a list
        of positions or names, no two have one in common. Other features come alone.
    start_from : array-like, default=None
        Features that the search starts from, by position or name, or a boolean mask such
        as `support_` of another selector; None is the required ones alone. Required features
        must be among them, and groups as a whole or not at all.
    estimator : GreedyTreeClassifier, default=None
        How trees grow; None is ``GreedyTreeClassifier()``. A grid search reaches its parameters as
        ``estimator__max_depth`` and so on. One with ``growth="c45"`` or a pruning rule is refused.
    validation_set : float or array-like, default=0.3
        Which samples judge the trees: a share in (0, 1), drawn class by class (largest
        remainders first; every class keeps a sample in the training part, so a class with
        a single one stays there); or their positions in `X`; or a boolean mask. Use a
        share in cross-validation.
    random_state : int, RandomState instance or None, default=None
        Draws the share; None draws anew in every ``fit``.
    time_limit : float, default=None
        Seconds after which the search ends with the best found so far; growing the
        first tree is not cut short, and the last tree on all samples comes on top.
    callback : callable, default=None
        Called now and then with a `Progress`; returning True ends the search.
    n_jobs : int, default=None
        Number of threads, -1 every core; None is what the estimator says, 1 as a rule. The answer
        does not depend on it.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features_in_,)
        The selected features: those added, and those that the search started from.
    used_features_ : ndarray of int
        Positions of the features that `tree_` tests, ascending.
    tree_ : Tree
        Tree of the selected features, grown on the training part.
    refit_tree_ : Tree
        Tree of the selected features, grown on all samples; it predicts.
    n_validation_errors_ : int or float
        Summed weight of the validation samples that `tree_` predicts wrongly; an int
        when all weights are whole.
    validation_error_ : float
        The same as a share of the weight of the validation part.
    n_trees_built_ : int
        The first tree plus every candidate considered.
    history_ : ResultTable
        One row for the first tree and one a step, with the fields ``step``; ``dropped``
        and ``added``, the position of the feature that went or came, -1 where none did;
        ``changed``, a tuple of all positions that went or came (of which ``dropped`` or
        ``added`` is the lowest); ``errors``, on the validation part; ``n_features``, how many
        are selected; ``n_trees_built`` and ``seconds``, up to here.
    search_ : SearchResult
        Cost, status and message of the search.
    validation_rows_ : ndarray of int
        Positions in `X` of the validation samples, ascending.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` had text names.

    See Also
    --------
    BackwardEliminationSelector : Begins with all features and drops.
    GreedyTreeClassifier : The tree that is grown.

    Notes
    -----
    Of additions with equal errors, that of the feature with the lowest position is kept (of
    groups the lowest of any member). Features that help only together, such as the two
    of an exclusive or, are not found one at a time: name them in `feature_groups` or
    `start_from`, or eliminate backward.

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

    def __init__(
        self,
        *,
        strategy: str = "incremental",
        floating: bool = False,
        max_features: int | None = None,
        required_features: object = None,
        feature_groups: object = None,
        start_from: object = None,
        estimator: GreedyTreeClassifier | None = None,
        validation_set: object = 0.3,
        random_state: object = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.strategy = strategy
        self.floating = floating
        self.max_features = max_features
        self.required_features = required_features
        self.feature_groups = feature_groups
        self.start_from = start_from
        self.estimator = estimator
        self.validation_set = validation_set
        self.random_state = random_state
        self.time_limit = time_limit
        self.callback = callback
        self.n_jobs = n_jobs

    def _rules(self) -> StepRules:
        return StepRules(
            direction="forward",
            floating=self.floating,
            required_features=self.required_features,
            feature_groups=self.feature_groups,
            start_from=self.start_from,
            max_features=self.max_features,
        )
