"""The tree of planes as an estimator."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._base.clock import Clock, OutOfTimeError
from treewright._base.errors import DataError, ParameterError
from treewright._base.params import (
    n_threads,
    number,
    one_of,
    seconds_or_none,
    whole_number_or_none,
)
from treewright.data.training import TrainingSet
from treewright.planes.chain import ClassRows
from treewright.planes.classifier import PlaneEstimator
from treewright.planes.cost_complexity import (
    JudgedAlphas,
    alphas_of,
    judge_alphas,
    leaves_at,
    not_judged,
)
from treewright.planes.encoding import MISSING, Encoding
from treewright.planes.estimator import RobustLinearClassifier
from treewright.planes.fit import Plane
from treewright.planes.grow import GrowingRules, grow
from treewright.planes.grown import GrownTree
from treewright.planes.highs import load_highspy
from treewright.planes.options import PlaneOptions
from treewright.planes.rounding import rounded_split
from treewright.planes.tree_document import (
    MEAN,
    STOP,
    tree_of,
)
from treewright.results import (
    MESSAGES,
    ResultTable,
    SearchResult,
)
from treewright.trees.classifier import TreeClassifier
from treewright.trees.tree import Columns, Tree

__all__ = ["MultivariateTreeClassifier"]

CROSS_VALIDATION = "cv"

PRUNING = [
    ("alpha", "float64"),
    ("n_splits", "int64"),
    ("cost", "int64"),
    ("error", "float64"),
    ("test_error", "float64"),
    ("standard_error", "float64"),
]


class MultivariateTreeClassifier(TreeClassifier):
    """Decision tree whose nodes test planes with few features.

    At every node a plane is learned from the samples there, as `RobustLinearClassifier` does, and both sides
    go on. The tree is pruned by cost complexity, where a split costs one and its number of features: few
    decisions, with few features each.

    Parameters
    ----------
    perturbation : float, default=0.0
        Share of the sum of absolute weights in the error; see `RobustLinearClassifier`, as for the next six.
    selection : {"bounded", "limited", "path"} or None, default="bounded"
        Which features a plane uses; the bound on its error is about its own node.
    error_slack : float, default=0.1
        The bound on the error is ``(1 + error_slack)`` times the least error at the node.
    error_floor : float, default=0.0
        The bound is at least this.
    n_features : int, default=None
        Most features of a plane, with ``"limited"`` or ``"path"``.
    search : {"swap", "paper"}, default="swap"
        How sets of few features are searched for.
    refit : bool, default=True
        Whether a plane is the one of least error on its features.
    max_depth : int, default=2
        Number of edges from the root at which nodes are leaves; None is no limit. A plane does much, and a
        deep tree of them fits noise.
    min_samples_split : float, default=2
        A node whose weight is below this is a leaf.
    min_samples_leaf : float, default=1
        Both sides of a split have at least this weight.
    min_gain : float, default=0.0
        A split must gain this much information, in bits; it gains some in any case.
    pruning : "cv", float or None, default="cv"
        The share of errors, of all samples, that a unit of cost must save; ``"cv"`` chooses it by
        cross-validation. None does not prune.
    cv : int, splitter or iterable, default=5
        Folds for `pruning`, and at nodes for ``selection="path"``; a number means stratified ones, always the
        same.
    one_standard_error : bool, default=False
        Whether cross-validation takes the smallest tree (and fewest features) within one standard error of
        the best.
    missing : {"raise", "mean", "drop"}, default="raise"
        What to do about missing values. ``"mean"``: they count as the mean of their column at the node.
        ``"drop"``: the sample is left out in ``fit``; in prediction as ``"mean"``.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal, as in scikit-learn's histogram gradient boosting. A nominal feature has a
        weight for each of its levels and counts as one feature.
    time_limit : float, default=None
        Seconds after which growing ends: what is not split yet are leaves. Without time for cross-validation
        only splits that save no errors are pruned.
    n_jobs : int, default=None
        Processes for the folds: None is 1, -1 every core. The tree does not depend on it.

    Attributes
    ----------
    tree_ : Tree
        The tree that predicts; its splits are planes in raw units.
    rounded_tree_ : Tree
        The same with as few digits as leave every training sample in its leaf: what `export_text` writes.
    planes_ : list of Plane
        All that is known of every plane, in the order of their nodes.
    n_splits_ : int
        Number of splits.
    n_features_per_split_ : ndarray of shape (n_splits_,)
        Number of features of every plane.
    support_ : ndarray of int
        Positions of the features that are used anywhere, ascending.
    n_features_used_ : int
        Their number.
    cost_ : int
        Sum over the splits of one and the number of features.
    alpha_ : float
        What a unit of cost had to save; NaN without pruning.
    pruning_path_ : ResultTable
        One row an alpha between those at which the tree becomes smaller: ``n_splits`` and ``cost`` of the
        pruned tree, ``error`` on the training samples, and ``test_error`` in cross-validation with its
        ``standard_error``. Empty without pruning.
    status_ : str
        That of `search_`.
    search_ : SearchResult
        How growing ended; its cost is `cost_`, and `n_searched` the number of LPs of the tree's planes.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` had text names.

    See Also
    --------
    RobustLinearClassifier : One plane.

    Notes
    -----
    At a node with more than two classes, of up to ten each is tried against the others, and the one that a
    plane tells best from them is on the upper side; both sides go on with the classes that are there.

    A node without a useful plane is a leaf, and so is one whose plane gains no information. Samples exactly
    on a plane go where those of ``fit`` went: to the class that weighs more among them.

    One fit grows a tree, and one a fold; every node takes what `RobustLinearClassifier` takes.

    References
    ----------
    E. J. Bredensteiner, K. P. Bennett, "Feature Minimization within Decision Trees", 1998.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import MultivariateTreeClassifier, export_text
    >>> data = load_iris(as_frame=True)
    >>> X = data.data.set_axis(["sepal length", "sepal width", "petal length", "petal width"], axis=1)
    >>> model = MultivariateTreeClassifier(perturbation=0.02).fit(X, data.target_names[data.target])
    >>> print(export_text(model), end="")
    0.55*sepal width - 1*petal length <= -1
    |   -2*sepal width + 2*petal length + 4.7*petal width <= 11.7: versicolor
    |   -2*sepal width + 2*petal length + 4.7*petal width > 11.7: virginica
    0.55*sepal width - 1*petal length > -1: setosa
    >>> model.n_splits_, model.cost_
    (2, 7)
    """

    tree_: Tree
    rounded_tree_: Tree
    planes_: list[Plane]
    n_splits_: int
    n_features_per_split_: NDArray[np.int64]
    support_: NDArray[np.int64]
    n_features_used_: int
    cost_: int
    alpha_: float
    pruning_path_: ResultTable
    status_: str
    search_: SearchResult[Tree]

    def __init__(
        self,
        *,
        perturbation: float = 0.0,
        selection: str | None = "bounded",
        error_slack: float = 0.1,
        error_floor: float = 0.0,
        n_features: int | None = None,
        search: str = "swap",
        refit: bool = True,
        max_depth: int | None = 2,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        pruning: str | float | None = CROSS_VALIDATION,
        cv: Any = 5,
        one_standard_error: bool = False,
        missing: str = "raise",
        categorical_features: Any = "from_dtype",
        time_limit: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.perturbation = perturbation
        self.selection = selection
        self.error_slack = error_slack
        self.error_floor = error_floor
        self.n_features = n_features
        self.search = search
        self.refit = refit
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.pruning = pruning
        self.cv = cv
        self.one_standard_error = one_standard_error
        self.missing = missing
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the tree and prune it.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, at most 2**20 and at least 2**-20; samples of weight 0 leave before anything is looked
            at.

        Returns
        -------
        self : MultivariateTreeClassifier
            The fitted estimator.

        Raises
        ------
        ParameterError
            If a parameter is not what it may be.
        DataError
            If the data cannot be used; names column, row and remedy.
        ImportError
            If highspy is not installed.
        KeyboardInterrupt
            At Ctrl-C; the estimator is fitted with the tree so far, its status ``"stopped"``.
        """
        clock = Clock(seconds_or_none("time_limit", self.time_limit))
        options, rules, pruning = self._options(), self._rules(), _pruning(self.pruning)
        one_of("missing", self.missing, MISSING)
        n_threads(self.n_jobs)
        load_highspy()
        training = self._intake(X, y, sample_weight)
        encoding = Encoding.of(training.dataset)
        # Trees have a base of their own; rows are those of one plane.
        rows = PlaneEstimator._rows(self, training, encoding, sample_weight)
        _check(rows)
        grown = grow(rows, len(training.classes), options, rules, clock)
        judged, alpha = _judged(grown, pruning, rows, options, rules, clock)
        self._keep_path(grown, judged)
        pruned = grown if alpha is None else grown.cut(leaves_at(grown, alpha))
        self.alpha_ = np.nan if alpha is None else alpha
        self._keep(pruned, rows, encoding, training, clock)
        if clock.stopped:
            raise KeyboardInterrupt
        return self

    def _options(self) -> PlaneOptions:
        """Check what planes are asked to be, as the classifier of one plane does."""
        names = ("perturbation", "selection", "error_slack", "error_floor", "n_features", "search", "refit")
        asked = {name: getattr(self, name) for name in (*names, "cv", "one_standard_error", "n_jobs")}
        return PlaneOptions.of(RobustLinearClassifier(**asked))

    def _rules(self) -> GrowingRules:
        depth = whole_number_or_none("max_depth", self.max_depth, least=0, remedy="None is no limit")
        return GrowingRules(
            max_depth=np.inf if depth is None else depth,
            min_samples_split=number(
                "min_samples_split", self.min_samples_split, least=0, remedy="2 is no limit"
            ),
            min_samples_leaf=number(
                "min_samples_leaf", self.min_samples_leaf, least=0, remedy="1 is no limit"
            ),
            min_gain=number("min_gain", self.min_gain, least=0, remedy="0 asks for any gain"),
        )

    def _keep_path(self, grown: GrownTree, judged: JudgedAlphas | None) -> None:
        rows = []
        total = float(grown.nodes[0].class_weights.sum())
        for i, alpha in enumerate([] if judged is None else judged.alphas.tolist()):
            tree = grown.cut(leaves_at(grown, alpha))
            errors = sum(node.errors for node in tree.nodes if node.split is None)
            assert judged is not None, "there are alphas"
            tested = (judged.means[i], judged.standard_errors[i])
            rows.append((alpha, len(tree.splits), tree.cost, errors / total, *tested))
        self.pruning_path_ = ResultTable.from_rows(rows, PRUNING)

    def _keep(
        self, grown: GrownTree, rows: ClassRows, encoding: Encoding, training: TrainingSet, clock: Clock
    ) -> None:
        """Keep what was found; last in ``fit``."""
        routing = STOP if self.missing == "raise" else MEAN
        self._encoding = encoding
        self.tree_ = tree_of(grown, encoding, training.classes, routing)
        self.rounded_tree_ = tree_of(_rounded(grown, rows), encoding, training.classes, routing)
        self.planes_ = [node.plane for node in grown.nodes if node.plane is not None]
        self.n_splits_ = len(self.planes_)
        self.n_features_per_split_ = np.array([len(plane.support) for plane in self.planes_], dtype=np.int64)
        self.support_ = self.tree_.used_features
        self.n_features_used_ = len(self.support_)
        self.cost_ = grown.cost
        self.status_ = grown.status
        self.search_ = SearchResult(
            cost=grown.cost,
            status=grown.status,
            message=MESSAGES[grown.status],
            n_searched=sum(plane.search.n_searched for plane in self.planes_),
            elapsed=clock.elapsed(),
            tree=self.tree_,
        )
        self._learn_schema(training)

    def _prediction_tree(self) -> Tree:
        return self.tree_

    def _prepared(self, X: Any) -> tuple[_core.Tree, Columns, int]:
        """Refuse missing values if that is asked for."""
        core, columns, threads = super()._prepared(X)
        if self.missing == "raise":
            matrix = self._encoding.matrix(columns)
            self._encoding.refuse_missing(matrix, np.arange(len(matrix)), type(self).__name__)
        return core, columns, threads


def _pruning(given: Any) -> float | str | None:
    if given is None or (isinstance(given, str) and given == CROSS_VALIDATION):
        return given
    if isinstance(given, str):
        raise ParameterError(f"pruning={given!r} must be 'cv', a number of at least 0, or None")
    return number("pruning", given, least=0, remedy="'cv' chooses it, None does not prune")


def _judged(
    grown: GrownTree,
    pruning: float | str | None,
    rows: ClassRows,
    options: PlaneOptions,
    rules: GrowingRules,
    clock: Clock,
) -> tuple[JudgedAlphas | None, float | None]:
    """Return what cross-validation says, and the alpha to prune by."""
    if pruning is None:
        return None, None
    if pruning == CROSS_VALIDATION:
        try:
            judged = judge_alphas(grown, rows, options, rules, clock)
        except OutOfTimeError:
            grown.status = "stopped" if clock.stopped else "time_limit"
        except KeyboardInterrupt:
            clock.stop()
            grown.status = "stopped"
        else:
            return judged, judged.choose(options.one_standard_error)
        return not_judged(alphas_of(grown)), 0.0
    return not_judged(alphas_of(grown)), float(pruning)


def _rounded(grown: GrownTree, rows: ClassRows) -> GrownTree:
    nodes = [
        node if node.split is None else replace(node, split=rounded_split(node.split, rows.X[node.rows]))
        for node in grown.nodes
    ]
    return GrownTree(nodes, grown.status)


def _check(rows: ClassRows) -> None:
    if not len(rows.target):
        raise DataError("no sample is without missing values (missing='drop'); choose missing='mean'")
