"""The greedy decision tree."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import clone

from treewright._base.errors import ParameterError
from treewright._base.wording import NO_VALUE, Attribute, Param, Value
from treewright.data.types import TableLike, VectorLike
from treewright.trees.growing import Growing
from treewright.trees.learner import TreeLearner
from treewright.trees.pruning.error_based import ErrorBasedPruning
from treewright.trees.pruning.rule import (
    PruningRule,
    Regrowing,
    checked_rule,
)
from treewright.trees.tree import Tree

__all__ = ["GreedyTreeClassifier"]

ID3_DEFAULTS: dict[str, Any] = {
    "criterion": "info_gain",
    "growth": "id3",
    "min_samples_split": 1,
    "min_samples_leaf": 0,
    "missing": "value",
}

C45_DEFAULTS: dict[str, Any] = {
    "criterion": "gain_ratio",
    "growth": "c45",
    "min_samples_leaf": 2,
}


class GreedyTreeClassifier(TreeLearner):
    """Decision tree grown from the root, the best split first.

    Nominal features split by value, one branch a declared value; numeric features at a
    threshold. A sample with a missing value goes down every branch in proportion. All
    scores are integers, so the tree depends on nothing but the data: not on the order
    of the samples, the number of threads or the platform.

    Parameters
    ----------
    criterion : {"info_gain", "gain_ratio", "gini"}, default="info_gain"
        Quality of a split.
    growth : {"standard", "id3", "c45"}, default="standard"
        ``"standard"`` is the growing of C4.5 without the rules that look at more than
        a feature and the samples at a node. ``"id3"`` takes nominal features only, each
        once a path, and goes on at zero gain; see `id3`. ``"c45"`` is the growing of
        release 8 of C4.5, rule for rule and in its single precision; see `c45`.
    min_samples_split : float, default=2
        A node whose weight is below this is a leaf (in weight, not a share of the
        samples); 1 switches the rule off.
    min_samples_leaf : float, default=1
        Two branches of a split must have this weight of known values; up to 1, a sample that
        comes in shares counts whole. Under ``growth="c45"`` shares are shares, and a node of
        less than twice this weight is a leaf.
    min_gain : float, default=0.0
        A split must gain this much, in bits of information gain whatever the criterion
        (in Gini decrease for ``"gini"``).
    mdl_correction : bool, default=False
        Whether a numeric feature pays for the choice of its threshold, as in C4.5 release 8:
        log2(T) / W comes off its gain in bits at a node of weight W, where T is the number of
        cuts that `min_samples_leaf` allows there, and without a gain left it does not split.
        Features of many values are chosen less often then. `min_gain` asks for the gain
        before that. Not for ``criterion="gini"`` (not in bits) nor ``growth="id3"`` (takes no
        numeric features); ``growth="c45"`` always charges, for the cuts that it tries.
    max_depth : int, default=None
        Number of edges from the root at which nodes are leaves; None is no limit.
    missing : {"distribution", "most_frequent", "value", "raise"}, default="distribution"
        What a missing value is: spread over the branches by their weight; the most
        frequent value of its column; a value of its own (of a numeric column, above all
        numbers); an error.
    pruning : rule of treewright.pruning, default=None
        What prunes the tree once it is grown, such as ``ErrorBasedPruning()``; None prunes
        nothing. Rules see the weights that grew the tree, `class_weight` included.
    class_weight : dict or "balanced", default=None
        Factor of the sample weights by class label (1 for a class left out);
        ``"balanced"`` gives every class the same total weight.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal, as in scikit-learn's histogram gradient boosting.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The tree does not depend on it.

    Attributes
    ----------
    tree_ : Tree
        The tree that predicts, pruned if `pruning` is set.
    pruning_ : rule of treewright.pruning or None
        A copy of the rule that pruned it; of one that chooses a parameter, with what it chose.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` had text names.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of every feature in the gain of all splits.

    See Also
    --------
    BackwardEliminationSelector : Chooses the features such a tree should see.

    Notes
    -----
    Equal scores go to the feature with the lowest position, equal cuts to the lower one,
    equal classes to the lowest. Growing takes O(d n log n) for n samples, d features and
    a balanced tree.

    Under ``growth="c45"`` the order of the samples can matter where values are missing and
    ``missing="distribution"``: C4.5 adds rounded shares in the order in which its sorting
    leaves the samples, and which of two features that are equally good it takes depends on
    the last bits. Its choices are followed. With `sample_weight` or `class_weight`, which
    C4.5 does not know, sums are exact and the order does not matter.

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, section 4.1.
    J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993.

    J. R. Quinlan, "Improved Use of Continuous Attributes in C4.5", JAIR 4, 1996
    (`mdl_correction`).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import GreedyTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GreedyTreeClassifier(max_depth=2).fit(X, y)
    >>> model.get_n_leaves()
    3
    >>> model.predict(X[:2])
    array([0, 0])
    """

    tree_: Tree
    pruning_: PruningRule | None

    def __init__(
        self,
        *,
        criterion: str = "info_gain",
        growth: str = "standard",
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        mdl_correction: bool = False,
        max_depth: int | None = None,
        missing: str = "distribution",
        pruning: PruningRule | None = None,
        class_weight: object = None,
        categorical_features: object = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.growth = growth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.mdl_correction = mdl_correction
        self.max_depth = max_depth
        self.missing = missing
        self.pruning = pruning
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    @classmethod
    def id3(cls, **params: object) -> Self:
        """Make a classifier that grows as ID3 did.

        Sets ``growth="id3"``, ``criterion="info_gain"``, ``min_samples_split=1``,
        ``min_samples_leaf=0`` and ``missing="value"``; anything passed wins.

        Parameters
        ----------
        **params
            Parameters of the class.

        Returns
        -------
        model : GreedyTreeClassifier
            Not fitted yet.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier
        >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
        >>> xor = GreedyTreeClassifier.id3().fit(X, [0, 1, 1, 0])
        >>> xor.predict(X)
        array([0, 1, 1, 0])
        """
        return cls(**{**ID3_DEFAULTS, **params})

    @classmethod
    def c45(cls, **params: object) -> Self:
        """Make a classifier that grows and prunes as release 8 of C4.5 does.

        Sets ``growth="c45"``, ``criterion="gain_ratio"``, ``min_samples_leaf=2`` and
        ``pruning=ErrorBasedPruning()``; anything passed wins. ``criterion="info_gain"`` is C4.5's
        option ``-g``, `min_samples_leaf` its ``-m``, and ``pruning=None`` leaves its unpruned tree.

        Parameters
        ----------
        **params
            Parameters of the class.

        Returns
        -------
        model : GreedyTreeClassifier
            Not fitted yet.

        Notes
        -----
        What differs from ``growth="standard"``: a feature must gain about the average of all
        candidates before its gain ratio is looked at; a nominal feature may split without
        gain; a cut leaves a tenth of the node's known weight for each class on either side,
        between `min_samples_leaf` and 25; a numeric feature pays for the choice of its
        threshold; and a subtree that makes no fewer training errors than its root as a leaf
        becomes that leaf. Numbers are in single precision, so values that agree in it are
        not told apart.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier, datasets
        >>> game = datasets.load("tic-tac-toe")
        >>> GreedyTreeClassifier.c45(pruning=None).fit(game).tree_
        Tree(n_nodes=208, n_leaves=139, max_depth=6)
        >>> GreedyTreeClassifier.c45().fit(game).tree_
        Tree(n_nodes=142, n_leaves=95, max_depth=6)
        """
        return cls(**{**C45_DEFAULTS, "pruning": ErrorBasedPruning(), **params})

    def fit(self, X: TableLike, y: VectorLike = None, sample_weight: VectorLike = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples; NaN, None and NA are missing values.
        y : array-like of shape (n_samples,)
            Class labels; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, at most 2**20 and at least 2**-20; samples of weight 0 leave before
            anything is looked at. A weight of 2 is the same as the sample twice.

        Returns
        -------
        self : GreedyTreeClassifier
            The fitted estimator.

        Raises
        ------
        ParameterError
            If a parameter is not what it may be.
        DataError
            If the data cannot be used; names column, row and remedy.
        """
        growing = Growing.of(self)
        rule = checked_rule(self.pruning)
        training = self._intake(X, y, sample_weight)
        if rule is None:
            self.tree_, self.pruning_ = growing.grow(training), None
        else:
            pruned = rule._prune(rule._grown(Regrowing(growing, training)))
            self.tree_, self.pruning_ = pruned.tree, pruned.rule
        self._learn_schema(training)
        return self

    def _prediction_tree(self) -> Tree:
        return self.tree_


def grower(estimator: object) -> GreedyTreeClassifier:
    """Return what grows the trees of a search or a study: a copy of `estimator`, None being the usual one."""
    if estimator is None:
        return GreedyTreeClassifier()
    if isinstance(estimator, GreedyTreeClassifier):
        copy: GreedyTreeClassifier = clone(estimator)
        return copy
    raise ParameterError(
        "estimator",
        estimator,
        "is no GreedyTreeClassifier, and what it grows by is not known here",
        ("give GreedyTreeClassifier(...), or ", NO_VALUE, " for the usual one"),
    )


def search_grower(estimator: object) -> GreedyTreeClassifier:
    """Return what grows the trees of a search over sets of features, as `grower` does.

    One whose trees depend on features that they do not test (``growth="c45"``) or that prunes is refused.
    """
    model = grower(estimator)
    if isinstance(model.growth, str) and model.growth == "c45":
        raise ParameterError(
            "growth",
            "c45",
            "cannot be used in a feature search: its average-gain rule and its collapse look at the whole "
            "set of features, so that dropping an unused feature could change the tree",
            ("choose ", Value("standard", "id3")),
        )
    if model.pruning is not None:
        raise ParameterError(
            "pruning",
            model.pruning,
            "cannot be used in a feature search, which judges trees as they are grown",
            (
                "choose ",
                Param("pruning", None),
                ", and prune the tree that is found with ",
                Attribute("treewright.pruning.prune"),
            ),
        )
    return model
