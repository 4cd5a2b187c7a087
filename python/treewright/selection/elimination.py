"""Selectors: estimators that choose the features their tree should see."""

from __future__ import annotations

from typing import Any

from treewright.results import Callback
from treewright.selection.step_rules import StepRules
from treewright.selection.stepwise import StepwiseSelector

__all__ = ["BackwardEliminationSelector", "ForwardSelectionSelector"]


class BackwardEliminationSelector(StepwiseSelector):
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
    tolerance : int or float, default=0
        Errors above the fewest that are accepted for fewer features: an int counts search
        errors (in weight), a float in (0, 1) is a share of the weight of the search set.
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
        group of a fixed feature is fixed as a whole.
    feature_groups : list of array-like, default=None
        Features that go together, such as the columns made of one; each group is a list
        of positions or names, no two have one in common. Other features go alone.
    start_from : array-like, default=None
        Features that the search starts from, by position or name, or a boolean mask such
        as `support_` of another selector; None is all features. Fixed features must be
        among them, and groups as a whole or not at all.
    criterion : {"info_gain", "gain_ratio", "gini"}, default="info_gain"
        Quality of a split; this and the next parameters as in `GreedyTreeClassifier`.
    growth : {"standard", "id3"}, default="standard"
        How trees grow.
    min_samples_split : float, default=2
        A node whose weight is below this is a leaf.
    min_samples_leaf : float, default=1
        Two branches of a split must have this weight of known values; up to 1, a sample that
        comes in shares counts whole.
    min_gain : float, default=0.0
        A split must gain this much, in bits (in Gini decrease for ``"gini"``).
    mdl_correction : bool, default=False
        Whether a numeric feature pays for the choice of its threshold, as in C4.5 release 8.
    max_depth : int, default=None
        Number of edges from the root at which nodes are leaves; None is no limit.
    missing : {"distribution", "most_frequent", "value", "raise"}, default="distribution"
        What a missing value is.
    class_weight : dict or "balanced", default=None
        Factor of the sample weights by class label.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal.
    validation_set : float or array-like, default=0.3
        Which samples judge the trees: a share in (0, 1), drawn class by class (largest
        remainders first; every class keeps a sample on the building side, so a class with
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
        Number of threads: None is 1, -1 every core. The answer does not depend on it.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features_in_,)
        The selected features, tested or not.
    used_features_ : ndarray of int
        Positions of the features that `tree_` tests, ascending.
    tree_ : Tree
        Tree of the selected features, grown on the building set.
    refit_tree_ : Tree
        Tree of the selected features, grown on all samples; it predicts.
    n_validation_errors_ : int or float
        Summed weight of the search samples that `tree_` predicts wrongly; an int
        when all weights are whole.
    validation_error_ : float
        The same as a share of the weight of the search set.
    n_trees_built_ : int
        The first tree plus every candidate considered.
    history_ : ResultTable
        One row for the first tree and one a step, with the fields ``step``; ``dropped``
        and ``added``, the position of the feature that went or came, -1 where none did;
        ``changed``, a tuple of all positions that went or came (of which ``dropped`` or
        ``added`` is the lowest); ``errors``, on the search set; ``n_features``, how many
        are selected; ``n_trees_built`` and ``seconds``, up to here.
    search_ : SearchResult
        Cost, status and message of the search.
    validation_rows_ : ndarray of int
        Positions in `X` of the search samples, ascending.
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
        required_features: Any = None,
        feature_groups: Any = None,
        start_from: Any = None,
        criterion: str = "info_gain",
        growth: str = "standard",
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        mdl_correction: bool = False,
        max_depth: int | None = None,
        missing: str = "distribution",
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        validation_set: Any = 0.3,
        random_state: Any = None,
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
        self.criterion = criterion
        self.growth = growth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.mdl_correction = mdl_correction
        self.max_depth = max_depth
        self.missing = missing
        self.class_weight = class_weight
        self.categorical_features = categorical_features
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

    The samples are parted into a building set, which grows trees, and a search set, which
    judges them. From the tree without features, a single leaf, every round gives the
    tree each other feature in turn and keeps the one with the fewest search errors; the
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
        strictly fewer errors; the one just added stays meanwhile, as fixed ones do.
    max_features : int, default=None
        The search selects at most this many features; None is no limit.
    required_features : array-like, default=None
        Features that are there from the start and stay, by position or name, or
        a boolean mask. The group of a fixed feature is fixed as a whole.
    feature_groups : list of array-like, default=None
        Features that come together, such as the columns made of one; each group is a list
        of positions or names, no two have one in common. Other features come alone.
    start_from : array-like, default=None
        Features that the search starts from, by position or name, or a boolean mask such
        as `support_` of another selector; None is the fixed ones alone. Fixed features
        must be among them, and groups as a whole or not at all.
    criterion : {"info_gain", "gain_ratio", "gini"}, default="info_gain"
        Quality of a split; this and the next parameters as in `GreedyTreeClassifier`.
    growth : {"standard", "id3"}, default="standard"
        How trees grow.
    min_samples_split : float, default=2
        A node whose weight is below this is a leaf.
    min_samples_leaf : float, default=1
        Two branches of a split must have this weight of known values; up to 1, a sample that
        comes in shares counts whole.
    min_gain : float, default=0.0
        A split must gain this much, in bits (in Gini decrease for ``"gini"``).
    mdl_correction : bool, default=False
        Whether a numeric feature pays for the choice of its threshold, as in C4.5 release 8.
    max_depth : int, default=None
        Number of edges from the root at which nodes are leaves; None is no limit.
    missing : {"distribution", "most_frequent", "value", "raise"}, default="distribution"
        What a missing value is.
    class_weight : dict or "balanced", default=None
        Factor of the sample weights by class label.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal.
    validation_set : float or array-like, default=0.3
        Which samples judge the trees: a share in (0, 1), drawn class by class (largest
        remainders first; every class keeps a sample on the building side, so a class with
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
        Number of threads: None is 1, -1 every core. The answer does not depend on it.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features_in_,)
        The selected features: those added, and those that the search started from.
    used_features_ : ndarray of int
        Positions of the features that `tree_` tests, ascending.
    tree_ : Tree
        Tree of the selected features, grown on the building set.
    refit_tree_ : Tree
        Tree of the selected features, grown on all samples; it predicts.
    n_validation_errors_ : int or float
        Summed weight of the search samples that `tree_` predicts wrongly; an int
        when all weights are whole.
    validation_error_ : float
        The same as a share of the weight of the search set.
    n_trees_built_ : int
        The first tree plus every candidate considered.
    history_ : ResultTable
        One row for the first tree and one a step, with the fields ``step``; ``dropped``
        and ``added``, the position of the feature that went or came, -1 where none did;
        ``changed``, a tuple of all positions that went or came (of which ``dropped`` or
        ``added`` is the lowest); ``errors``, on the search set; ``n_features``, how many
        are selected; ``n_trees_built`` and ``seconds``, up to here.
    search_ : SearchResult
        Cost, status and message of the search.
    validation_rows_ : ndarray of int
        Positions in `X` of the search samples, ascending.
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
        required_features: Any = None,
        feature_groups: Any = None,
        start_from: Any = None,
        criterion: str = "info_gain",
        growth: str = "standard",
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        mdl_correction: bool = False,
        max_depth: int | None = None,
        missing: str = "distribution",
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        validation_set: Any = 0.3,
        random_state: Any = None,
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
        self.criterion = criterion
        self.growth = growth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.mdl_correction = mdl_correction
        self.max_depth = max_depth
        self.missing = missing
        self.class_weight = class_weight
        self.categorical_features = categorical_features
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
