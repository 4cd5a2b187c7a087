"""The greedy decision tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from sklearn.utils import Bunch

from treewright._base.errors import ParameterError
from treewright._base.params import flag
from treewright._base.wording import NO_VALUE, Value
from treewright.data.types import TableLike, VectorLike
from treewright.trees.growing import Growing
from treewright.trees.learner import TreeLearner, copy_of
from treewright.trees.pruning.cost_complexity import CostComplexityPruning
from treewright.trees.pruning.error_based import ErrorBasedPruning
from treewright.trees.pruning.named import checked_rule, rule_to_set
from treewright.trees.pruning.rule import PruningRule, Regrowing
from treewright.trees.tree import Tree

__all__ = ["GreedyTreeClassifier"]

ID3_DEFAULTS: dict[str, Any] = {
    "criterion": "info_gain",
    "growth": "id3",
    "min_samples_split": 1,
    "min_samples_branch": 0,
    "missing": "value",
}

C45_DEFAULTS: dict[str, Any] = {
    "criterion": "gain_ratio",
    "growth": "c45",
    "min_samples_branch": 2,
}


@dataclass(kw_only=True, eq=False, repr=False)
class GreedyTreeClassifier(TreeLearner):
    """Decision tree grown greedily from the root, with the best split at every node.

    A nominal (categorical) feature is split by value, with one branch for each declared value, or
    into two groups of values; a numeric feature is split at a threshold. A sample with a missing
    value goes down every branch in proportion. All scores are integers, so the tree depends only on
    the data: not on the order of the samples, the number of threads or the platform.

    Parameters
    ----------
    criterion : {"info_gain", "gain_ratio", "gini"}, default="info_gain"
        Quality of a split. ``"entropy"`` is another name of ``"info_gain"``.
    growth : {"standard", "id3", "c45"}, default="standard"
        How the tree is grown. ``"standard"``: as C4.5, without its rules that compare features
        with each other. ``"id3"``: as ID3, with nominal features only, each at most once on a
        path, and with splits of zero gain; see `id3`. ``"c45"``: as release 8 of C4.5, rule for
        rule and in its single precision; see `c45`.
    min_samples_split : float, default=2
        A node with a smaller weight is a leaf; 1 is no limit. Here and in the next two, a number
        above 0 and below 1 is a share of the weight of all training samples, taken as the decimal
        that is written: 0.07 of 100 samples is 7.
    min_samples_leaf : float, default=1
        Every branch that a training sample reaches must have this weight of samples whose value
        is known; up to 1, any weight will do. A declared value that no sample of the node has is
        no branch.
    min_samples_branch : float, default=1
        At least two branches of a split must have this weight of samples whose value is known, as
        in C4.5. Up to 1, a sample that is distributed over branches counts with its whole weight.
        With ``growth="c45"`` it counts with its share, and a node with less than twice this weight
        is a leaf.
    min_gain : float, default=0.0
        Smallest gain of a split, in bits of information gain whatever the criterion (in Gini
        decrease for ``"gini"``).
    mdl_correction : bool, default=None
        Whether the gain of a numeric feature is reduced for the choice of its threshold, as in
        C4.5 release 8. None is True for ``growth="c45"``, else False. At a node of weight W,
        log2(T) / W is subtracted from the gain in bits, where T is the number of thresholds that
        the smallest branches allow (with ``growth="c45"``, that it tries). A feature with no
        gain left does not split. Features with many values are then chosen less often.
        `min_gain` applies to the gain before the subtraction. Not for ``criterion="gini"`` (not
        in bits) nor ``growth="id3"`` (no numeric features).
    collapse : bool, default=None
        Whether a subtree that makes no fewer training errors than its root as a leaf becomes that
        leaf. None is True for ``growth="c45"``, else False.
    average_gain : bool, default=None
        Whether only features with at least about the average gain of all candidates are compared
        by gain ratio. None is True for ``growth="c45"`` with ``criterion="gain_ratio"``; nothing
        else can have it.
    max_depth : int, default=None
        Maximum depth of the tree, in edges from the root; None is no limit.
    max_leaf_nodes : int, default=None
        Largest number of leaves that a training sample reaches; None is no limit. The leaf whose
        split has the largest weight times gain (over samples of known value, before any
        correction) is split first, of equal ones the first that was made; a split that would make
        too many leaves is left out.
    nominal_splits : {"multiway", "groups", "one_value"}, default="multiway"
        How a nominal feature is split. ``"multiway"``: one branch for each declared value.
        ``"groups"``: two branches, a set of values and all others, in the set that is best by the
        criterion; see the notes for where it is sure to be the best. ``"one_value"``: two
        branches, one value and all others. With groups and single values a feature may be tested
        again further down. Only for ``growth="standard"``.
    missing : {"distribution", "most_frequent", "value", "raise"}, default="distribution"
        How missing values are handled: ``"distribution"`` sends the sample down all branches,
        in proportion to their weights; ``"most_frequent"`` replaces it by the most frequent
        value of the column; ``"value"`` makes it a value of its own (above all numbers in a
        numeric column); ``"raise"`` is an error.
    pruning : rule of treewright.pruning or str, default=None
        Rule that prunes the grown tree, such as ``ErrorBasedPruning()``, or the name of one with its
        default parameters, such as ``"error_based"`` (see `treewright.pruning`); None does not prune.
        Rules use the weights with which the tree was grown, `class_weight` included.
    class_weight : dict or "balanced", default=None
        Factors of the sample weights for class imbalance, by class label (1 for a class that is
        not named); ``"balanced"`` gives every class the same total weight.
    cost_matrix : array-like of shape (n_classes, n_classes) or dict, default=None
        What wrong answers cost: rows are the true classes, columns the predicted ones, in the order of
        ``classes_``; or a dict by pairs of labels, such as ``{("sick", "well"): 10}``, in which what is not
        named costs 1, and a right answer 0. A node then answers with the class of least expected cost (ties:
        the first), and whatever counts wrong samples to choose counts their cost; see Notes. None: every
        wrong answer costs the same.
    probability : {"weighted", "raw"}, default="weighted"
        What ``predict_proba`` tells: shares of the weights that grew the tree, or of the same without the
        factors of `class_weight`. Classes are chosen from the weights in both cases, so with ``"raw"``
        another class may have the largest probability.
    smoothing : {"laplace"} or float, default=None
        How probabilities are smoothed: ``"laplace"`` adds 1 to the weight of every class at a leaf; a number
        m adds m samples, spread over the classes as at the root (m-estimate). It changes no class.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal (categorical), as in scikit-learn's histogram gradient
        boosting.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The tree does not depend on it.

    Attributes
    ----------
    tree_ : Tree
        The tree that predicts, pruned if `pruning` is set.
    pruning_ : rule of treewright.pruning or None
        A copy of the rule that pruned the tree, with the parameter that it chose, if it chooses
        one.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` had text names.
    weight_scale_ : float
        What the sample weights, times the factors of their classes, were multiplied with so that the samples
        count for no fewer than they are: 1 divided by the mean of the weights if that is below 1, else 1. The
        weights in the tree are in this unit.
    n_lost_samples_ : int
        Number of samples of positive weight that weigh less than about a millionth of the mean: too little to
        count, so they are left out.
    feature_importances_ : ndarray of shape (`n_features_in_`,)
        Share of every feature in the gain of all splits.

    See Also
    --------
    BackwardEliminationSelector : Selects the features for such a tree.

    Notes
    -----
    Ties go to the feature with the lowest position, to the lower threshold, and to the first
    class. So the order of the samples never matters, and that of the columns only where features
    are equally good. Growing takes O(d n log n) for n samples, d features and a balanced tree.

    With ``nominal_splits="groups"`` and two classes at a node, values are put in the order of their
    share of one class, and one of the groups at the start of this order is the best of all groups,
    by every criterion. If a size limit or `min_gain` rules the best group out, all groups of up
    to 8 values that occur at the node are compared, and beyond that the groups of the order. With
    more classes all groups of up to 8 values are compared; beyond that, every single value, and for
    every class the groups at the start of the order by its share, which need not hold the best.
    The branch of the group takes its values, the other branch all others, those included that no
    sample of the node has. Ties go to the group of fewer values, then to the one with the first.

    With a `cost_matrix` trees grow as without: splits feel `class_weight` only. Costs are counted in whole
    units: exactly, where they are fractions with a denominator of at most 1000, else rounded to 2**-20 of the
    largest. Pruning that counts errors (`ReducedErrorPruning`, choice by cross-validation, the collapse of
    C4.5) counts cost. Rules that estimate errors take a sample for as many as wrong answers to its class cost
    on the mean, scaled to a mean of 1: for two classes these errors are the cost, for more an approximation.

    With ``growth="c45"``, missing values and ``missing="distribution"`` the order of the
    samples can matter: C4.5 adds rounded shares in the order that its sorting leaves, and the
    last bits decide between two features that are equally good. This growth makes the same
    choices. With `sample_weight` or `class_weight`, which C4.5 does not have, sums are exact
    and the order does not matter.

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, section 4.1.

    L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees",
    1984, section 4.2.2 (groups of values).

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

    criterion: str = "info_gain"
    growth: str = "standard"
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_samples_branch: float = 1
    min_gain: float = 0.0
    mdl_correction: bool | None = None
    collapse: bool | None = None
    average_gain: bool | None = None
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    nominal_splits: str = "multiway"
    missing: str = "distribution"
    pruning: PruningRule | str | None = None
    class_weight: object = None
    cost_matrix: object = None
    probability: str = "weighted"
    smoothing: str | float | None = None
    categorical_features: object = "from_dtype"
    n_jobs: int | None = None

    @classmethod
    def id3(cls, **params: object) -> Self:
        """Make a classifier that grows trees as ID3 does.

        Sets ``growth="id3"``, ``criterion="info_gain"``, ``min_samples_split=1``,
        ``min_samples_branch=0`` and ``missing="value"``; parameters that you pass override these.

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

        Sets ``growth="c45"``, ``criterion="gain_ratio"``, ``min_samples_branch=2`` and
        ``pruning=ErrorBasedPruning()``; parameters that you pass override these. ``criterion="info_gain"`` is
        C4.5's option ``-g``, `min_samples_branch` its ``-m``, and ``pruning=None`` leaves its unpruned tree.

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
        Differences from ``growth="standard"``: only features with at least about the average gain of all
        candidates are compared by gain ratio; a nominal feature may split without gain; each side of a
        threshold keeps a tenth of the node's known weight divided by the number of classes, between
        `min_samples_branch` and 25; the gain of a numeric feature is reduced for the choice of its threshold;
        and a subtree that makes no fewer training errors than its root as a leaf becomes that leaf. The first
        is `average_gain`, the last two are `mdl_correction` and `collapse`. Numbers
        are in single precision, so values that agree in it count as equal.

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

    def set_params(self, **params: object) -> Self:
        """Set parameters, those of the pruning rule as ``pruning__confidence``.

        Parameters
        ----------
        **params : dict
            Values by the names of the parameters. If `pruning` is the name of a rule and a parameter of it is
            set, it becomes the rule with this parameter.

        Returns
        -------
        self : GreedyTreeClassifier
            The estimator.

        Raises
        ------
        ParameterError
            If a parameter of a rule is set, and `pruning` is no rule.
        ValueError
            If there is no such parameter.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier
        >>> GreedyTreeClassifier(pruning="error_based").set_params(pruning__confidence=0.1)
        GreedyTreeClassifier(pruning=ErrorBasedPruning(confidence=0.1))
        """
        of_rule = next((name for name in params if name.startswith("pruning__")), None)
        if of_rule is not None:
            params = {**params, "pruning": rule_to_set(params.get("pruning", self.pruning), of_rule)}
        super().set_params(**params)
        return self

    def fit(
        self,
        X: TableLike,
        y: VectorLike = None,
        sample_weight: VectorLike = None,
        *,
        keep_counts: bool = False,
    ) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples; NaN, None and NA are missing values.
        y : array-like of shape (n_samples,)
            Class labels; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, 0 or above; samples of weight 0 are removed first. A weight of 2 is the same as the
            sample twice. If the mean is below 1, as in boosting, all weights are scaled to a mean of 1: see
            `weight_scale_`. Samples below a millionth of the mean are left out, with a warning.
        keep_counts : bool, default=False
            Whether the tree keeps how the samples at every node are spread over the values of the
            feature that it tests, for drawings: ``tree_.histograms``.

        Returns
        -------
        self : GreedyTreeClassifier
            The fitted estimator.

        Raises
        ------
        ParameterError
            If a parameter has an invalid value.
        DataError
            If the data cannot be used. The message names column, row and remedy.
        """
        growing = Growing.of(self)
        rule = checked_rule(self.pruning)
        keeps_counts = flag("keep_counts", keep_counts)
        training = self._intake(X, y, sample_weight)
        pruned = None if rule is None else rule._prune(rule._grown(Regrowing(growing, training)))
        tree = growing.grow(training) if pruned is None else pruned.tree
        self.tree_ = Tree(tree._core.with_histograms(training.core)) if keeps_counts else tree
        self.pruning_ = None if pruned is None else pruned.rule
        self._learn_schema(training)
        return self

    def cost_complexity_pruning_path(
        self, X: TableLike, y: VectorLike = None, sample_weight: VectorLike = None
    ) -> Bunch:
        """List the trees to which cost-complexity pruning prunes the tree of these samples.

        The tree is grown as by ``fit`` with ``pruning=None``; the estimator does not change.

        Parameters
        ----------
        X, y, sample_weight
            As for ``fit``.

        Returns
        -------
        path : Bunch
            One entry for each pruned tree, from large to small. ``ccp_alphas``: the smallest cost of a leaf
            that gives it, as an error rate; ``impurities``: its training error; ``alphas``: the same costs in
            errors, as `treewright.pruning.CostComplexityPruning` takes them. scikit-learn's path has the
            impurity of its criterion in place of the error.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier, datasets
        >>> from treewright.pruning import CostComplexityPruning
        >>> iris = datasets.load("iris")
        >>> path = GreedyTreeClassifier().cost_complexity_pruning_path(iris)
        >>> path.impurities.round(3)
        array([0.   , 0.007, 0.027, 0.04 , 0.333, 0.667])
        >>> for alpha in path.alphas[:3]:
        ...     model = GreedyTreeClassifier(pruning=CostComplexityPruning(alpha=alpha))
        ...     print(alpha, model.fit(iris).get_n_leaves())
        0.0 9
        0.5 7
        1.0 4
        """
        growing = Growing.of(self)
        tree = growing.grow(self._intake(X, y, sample_weight))
        path, weight = CostComplexityPruning.path(tree), float(tree.weight[0])
        alphas, errors = path["alpha"], path["errors"]
        return Bunch(ccp_alphas=alphas / weight, impurities=errors / weight, alphas=alphas)

    def _prediction_tree(self) -> Tree:
        return self.tree_


def grower(estimator: object) -> GreedyTreeClassifier:
    """Return what grows the trees of a search or a study: a copy of `estimator`, None being the usual one."""
    return copy_of("estimator", estimator, GreedyTreeClassifier)


def search_grower(estimator: object) -> GreedyTreeClassifier:
    """Return what grows and prunes the trees of a search over sets of features, as `grower` does.

    Refuse one whose trees depend on features that they do not test (``growth="c45"``).
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
    if model.max_leaf_nodes is not None or model.collapse:
        name = "collapse" if model.max_leaf_nodes is None else "max_leaf_nodes"
        raise ParameterError(
            name,
            getattr(model, name),
            "cannot be used in a feature search: what becomes of a node would depend on other nodes, whose "
            "features it does not test",
            ("leave it at ", NO_VALUE),
        )
    return model
