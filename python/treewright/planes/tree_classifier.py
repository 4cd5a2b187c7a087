"""The tree of oblique splits as an estimator."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._base.clock import Clock
from treewright._base.errors import DataError, ParameterError
from treewright._base.params import n_threads, number, one_of, whole_number_or_none
from treewright._base.wording import NO_VALUE, Param, Value
from treewright.data.training import TrainingSet
from treewright.data.types import IntArray, TableLike, VectorLike
from treewright.planes.cross_validation import Folds
from treewright.planes.fit import Plane, search_clock
from treewright.planes.growing import Grower, GrowingRules, PrunedTrees, cross_validate, pruned
from treewright.planes.linear_tree import LinearTree
from treewright.planes.options import PlaneOptions
from treewright.planes.rows import DROPPED, MISSING, ClassRows, Encoding
from treewright.reporting.curves import HELD_OUT, TRAINING, Curve, front
from treewright.results import MESSAGES, Callback, ResultTable, SearchResult, floats, ints
from treewright.trees.answering import Answering
from treewright.trees.growing import weight_limit
from treewright.trees.learner import TreeLearner
from treewright.trees.predictions import Columns
from treewright.trees.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MultivariateTreeClassifier"]

CROSS_VALIDATION = "cv"

PRUNING = [
    *floats("alpha"),
    *ints("n_splits", "cost"),
    *floats("error", "test_error", "standard_error"),
]


class MultivariateTreeClassifier(TreeLearner):
    """Decision tree of oblique splits with few features.

    At every node a linear separator is fitted to the samples of the node, as by `RobustLinearClassifier`, and
    both sides are split further. The tree is pruned by cost complexity: a split costs one, plus one for each
    of its features.

    Parameters
    ----------
    perturbation, selection, error_slack, error_floor, n_features, search, refit
        As in `RobustLinearClassifier`, for each plane: the bound on its error is that of its own node, and
        `n_features` limits the features of one plane, not of the tree.
    max_depth : int, default=2
        Maximum depth; None is no limit. A deep tree of planes overfits.
    min_samples_split : float, default=2
        A node with a smaller weight is a leaf; in (0, 1) it is a share of the training weight.
    min_samples_leaf : float, default=1
        Each child of a split must have this weight; in (0, 1) it is a share of the training weight. A weight
        of at most 1 limits nothing.
    min_gain : float, default=0.0
        Smallest information gain of a split, in bits; a split without gain is never made.
    alpha : "cv", float or None, default="cv"
        The error rate that a unit of cost must save (of costs of answers, the mean); ``"cv"`` chooses it by
        cross-validation. None does not prune.
    cv : int, splitter or iterable, default=5
        Folds for `alpha`, and at nodes for ``selection="path"``; a number means stratified folds, always
        the same.
    one_standard_error : bool, default=False
        Whether cross-validation chooses the smallest tree (and the fewest features) within one standard error
        of the best.
    class_weight, cost_matrix, probability, smoothing
        As in `GreedyTreeClassifier`. With a cost matrix pruning and `alpha` count cost in place of errors.
    missing : {"raise", "mean", "drop"}, default="raise"
        How missing values are treated. ``"mean"``: they count as the mean of their column at the node.
        ``"drop"``: ``fit`` leaves the sample out, and prediction treats it as ``"mean"`` does.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal (categorical), as in scikit-learn's histogram gradient boosting. A nominal
        feature has a weight for each of its levels and counts as one feature.
    time_limit : float, default=None
        Seconds after which growing ends: the nodes not yet split are leaves. Without time for
        cross-validation, only splits that save no errors are pruned.
    callback : callable, default=None
        As in `RobustLinearClassifier`.
    n_jobs : int, default=None
        Processes for the folds: None is 1, -1 every core. The tree does not depend on it.

    Attributes
    ----------
    tree_ : Tree
        The tree that predicts; its oblique splits are in raw units.
    rounded_tree_ : Tree
        The same tree with weights rounded to as few digits as possible, so that every training sample stays
        in its leaf; `export_text` writes it.
    planes_ : list of Plane
        Every plane with its certificates, in the order of the nodes.
    n_splits_ : int
        Number of splits.
    n_features_per_split_ : ndarray of shape (`n_splits_`,)
        Number of features of every plane.
    support_ : ndarray of int
        Positions of the features that the tree uses, ascending.
    n_features_used_ : int
        Their number.
    cost_ : int
        Cost of all splits: their number and the number of features of each.
    alpha_ : float
        The error rate that a unit of cost had to save; NaN without pruning.
    pruning_path_ : ResultTable
        One row for each alpha between those at which the tree becomes smaller: ``n_splits`` and ``cost`` of
        the pruned tree, ``error`` on the training samples, and ``test_error`` in cross-validation with its
        ``standard_error``. Empty without pruning. With a `cost_matrix` the errors are mean costs of an
        answer.
    status_ : str
        Status of `search_`.
    search_ : SearchResult
        How growing ended; its cost is `cost_`, and `n_searched` the number of LPs of the tree's planes.
    classes_, n_features_in_, feature_names_in_, weight_scale_, n_lost_samples_
        As in `RobustLinearClassifier`.

    See Also
    --------
    RobustLinearClassifier : One plane.

    Notes
    -----
    At a node with more than two classes, each of up to ten classes is separated from the others; the class
    that a plane separates best is on the upper side.

    A node is a leaf if no plane is better than no split, or if its plane has no information gain. Samples
    exactly on a plane go to the side of the class with the larger weight among those of ``fit``.

    Planes and splits do not depend on the cost matrix, and planes not on `class_weight`, since their error
    gives both sides the same weight; gains, labels and pruning feel `class_weight`.

    A fit grows one tree, and one for each fold; every node takes as long as `RobustLinearClassifier` does.

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
    n_features_per_split_: IntArray
    support_: IntArray
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
        alpha: str | float | None = CROSS_VALIDATION,
        cv: Folds = 5,
        one_standard_error: bool = False,
        class_weight: object = None,
        cost_matrix: object = None,
        probability: str = "weighted",
        smoothing: str | float | None = None,
        missing: str = "raise",
        categorical_features: object = "from_dtype",
        time_limit: float | None = None,
        callback: Callback | None = None,
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
        self.alpha = alpha
        self.cv = cv
        self.one_standard_error = one_standard_error
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.probability = probability
        self.smoothing = smoothing
        self.missing = missing
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.callback = callback
        self.n_jobs = n_jobs

    def fit(self, X: TableLike, y: VectorLike = None, sample_weight: VectorLike = None) -> Self:
        """Grow the tree and prune it.

        Parameters
        ----------
        X, y, sample_weight
            As in `RobustLinearClassifier.fit`.

        Returns
        -------
        self : MultivariateTreeClassifier
            The fitted estimator.

        Raises
        ------
        ParameterError, DataError
            As in `RobustLinearClassifier.fit`.
        KeyboardInterrupt
            At Ctrl-C; the estimator is fitted with the tree so far, its status ``"stopped"``.
        """
        clock = search_clock(self.time_limit, self.callback)
        options = PlaneOptions.of(self.get_params(deep=False), self.n_jobs)
        rules, pruning, answering = self._rules(), _pruning(self.alpha), Answering.of(self)
        one_of("missing", self.missing, MISSING)
        n_threads(self.n_jobs)
        training = self._intake(X, y, sample_weight)
        encoding = Encoding.of(training.dataset)
        columns, owner = training.dataset.columns(), type(self).__name__
        prices = answering.prices(training.classes)
        rows = ClassRows.of(training, columns, encoding, prices=prices, missing=self.missing, owner=owner)
        if not len(rows.target):
            raise DataError("no sample is without missing values", *DROPPED)
        grower = Grower(len(training.classes), options, rules)
        grown = grower.grow(rows, clock)
        candidates, alpha = _candidates(grown, pruning, rows, grower, clock)
        self.pruning_path_ = _pruning_path(grown, candidates)
        self.alpha_ = np.nan if alpha is None else alpha
        final = grown if alpha is None else pruned(grown, alpha)
        self._keep(final, rows, encoding, training, answering, clock)
        if clock.interrupted:
            raise KeyboardInterrupt
        return self

    def _rules(self) -> GrowingRules:
        depth = whole_number_or_none("max_depth", self.max_depth, least=0, remedy=(NO_VALUE, " for no limit"))
        return GrowingRules(
            max_depth=np.inf if depth is None else depth,
            min_samples_split=weight_limit("min_samples_split", self.min_samples_split),
            min_samples_leaf=weight_limit("min_samples_leaf", self.min_samples_leaf),
            min_gain=number("min_gain", self.min_gain, least=0, remedy="0 asks for any gain"),
        )

    def _keep(
        self,
        final: LinearTree,
        rows: ClassRows,
        encoding: Encoding,
        training: TrainingSet,
        answering: Answering,
        clock: Clock,
    ) -> None:
        """Keep what was found; last in ``fit``."""
        self._encoding, costs = encoding, answering.costs(training.classes)
        to_tree = partial(
            LinearTree.to_tree,
            encoding=encoding,
            classes=training.classes,
            missing=self.missing,
            costs=costs,
            target=rows.target,
        )
        self.tree_, self.rounded_tree_ = (
            Tree(answering.given_to(to_tree(tree)._core, training)) for tree in (final, final.rounded(rows.X))
        )
        self.planes_ = final.planes
        self.n_splits_ = len(self.planes_)
        self.n_features_per_split_ = np.array([len(plane.support) for plane in self.planes_], dtype=np.int64)
        self.support_ = self.tree_.used_features
        self.n_features_used_ = len(self.support_)
        self.cost_ = final.cost
        self.status_ = final.status
        self.search_ = SearchResult(
            cost=final.cost,
            status=final.status,
            message=final.message or MESSAGES[final.status],
            n_searched=sum(plane.search.n_searched for plane in self.planes_),
            elapsed=clock.elapsed(),
            tree=self.tree_,
        )
        self._learn_schema(training)

    def plot_path(self, ax: Axes | None = None) -> Axes:
        """Draw the errors of the pruned trees against their splits: the front of size and error.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            The error on the training samples and in cross-validation, with a standard error to either side;
            a ring is around the chosen tree.

        Raises
        ------
        ParameterError
            If nothing was pruned: fit it with an `alpha`.
        ImportError
            If matplotlib is not installed.
        """
        check_is_fitted(self)
        path = self.pruning_path_
        if not len(path):
            remedy = ("fit with ", Param("alpha", CROSS_VALIDATION))
            raise ParameterError("alpha", self.alpha, "leaves no path to draw", remedy)
        chosen = max(int(np.searchsorted(path["alpha"], self.alpha_, "right")) - 1, 0)
        curves = [Curve(TRAINING, path["error"])]
        if np.isfinite(path["test_error"]).any():
            curves.append(Curve(HELD_OUT, path["test_error"], path["standard_error"]))
        names = "splits", "error" if self.cost_matrix is None else "cost of an answer"
        return front(ax, "plot_path", path["n_splits"], curves, chosen=chosen, names=names)

    def _prediction_tree(self) -> Tree:
        return self.tree_

    def _prepared(self, X: TableLike) -> tuple[_core.Tree, Columns, int]:
        """Refuse missing values with ``missing="raise"``."""
        core, columns, threads = super()._prepared(X)
        if self.missing == "raise":
            matrix, used = self._encoding.matrix(columns), self.tree_.used_features.tolist()
            self._encoding.refuse_missing(matrix, np.arange(len(matrix)), type(self).__name__, used)
        return core, columns, threads


def _pruning(given: object) -> float | str | None:
    if given is None or given == CROSS_VALIDATION:
        return None if given is None else CROSS_VALIDATION
    if isinstance(given, str):
        allowed = ("must be ", Value(CROSS_VALIDATION), ", a number of at least 0, or ", NO_VALUE)
        raise ParameterError("alpha", given, allowed)
    remedy = (Value(CROSS_VALIDATION), " chooses it; ", NO_VALUE, " to prune nothing")
    return number("alpha", given, least=0, remedy=remedy)


def _candidates(
    grown: LinearTree, pruning: float | str | None, rows: ClassRows, grower: Grower, clock: Clock
) -> tuple[PrunedTrees | None, float | None]:
    """Return the pruned trees to choose from, and the alpha to prune by."""
    if pruning is None:
        return None, None
    if not isinstance(pruning, str):
        return PrunedTrees.of(grown), pruning
    with clock.ending() as ending:
        candidates = cross_validate(grown, rows, grower, clock)
        return candidates, candidates.best_alpha(grower.options.one_standard_error)
    if ending.status is not None:
        grown.status, grown.message = ending.status, ending.message
    return PrunedTrees.of(grown), 0.0


def _pruning_path(grown: LinearTree, candidates: PrunedTrees | None) -> ResultTable:
    if candidates is None:
        return ResultTable.from_rows([], PRUNING)
    rows = []
    errors = candidates.errors
    for alpha, mean, spread in zip(candidates.alphas, errors.means, errors.standard_errors, strict=True):
        tree = pruned(grown, alpha)
        rows.append((alpha, len(tree.splits), tree.cost, tree.error_rate, mean, spread))
    return ResultTable.from_rows(rows, PRUNING)
