"""The linear separator with few features as an estimator."""

from __future__ import annotations

from itertools import zip_longest
from typing import Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treewright._base.params import callable_or_none, n_threads, one_of
from treewright.data.training import TrainingSet
from treewright.data.types import AnyArray, FloatArray, IntArray, TableLike, VectorLike
from treewright.planes.chain import (
    Chain,
    chain_facts,
    chain_splits,
    fit_chain,
    leaf_scores,
    summed,
    tree_of_chain,
)
from treewright.planes.checks import check_rows, check_same, warn_of_many_rows
from treewright.planes.cross_validation import Folds
from treewright.planes.fit import Plane, search_clock
from treewright.planes.linear_tree import LinearSplit
from treewright.planes.options import PlaneOptions
from treewright.planes.plot import PlanePlots
from treewright.planes.rows import MISSING, ClassRows, Encoding
from treewright.planes.verify import Verification, verify_chain
from treewright.results import Callback, ResultTable, SearchResult, Watch
from treewright.trees.answering import Answering, checked_form
from treewright.trees.learner import Learner
from treewright.trees.predictions import Columns
from treewright.trees.tree import Tree

__all__ = ["RobustLinearClassifier"]


class RobustLinearClassifier(PlanePlots, Learner):
    """Linear separator with few features, within a bound on its error.

    The error of a plane is the mean distance of the samples on its wrong side, added over the two classes, so
    class imbalance does not matter (robust linear programming, RLP). By default the bound is 10 % above the
    least error of any plane. The search finds a plane within the bound with few features, and can prove that
    no plane within the bound has fewer.

    With ``error="misclassified"`` the error is the number of misclassified samples itself.

    Parameters
    ----------
    error : {"distance", "misclassified"}, default="distance"
        What the error of a plane is. ``"distance"``: the mean distances, as above. ``"misclassified"``: the
        weight of the samples on the wrong side (their number without weights, their cost with a
        `cost_matrix`). A quick search finds planes with few; `prove` decides whether none has fewer, by
        integer programs, for small problems (up to about 1000 samples and three features, or a few errors).
        `perturbation`, ``search="paper"``, ``refit=False`` and `feature_costs` go with distances only.
    perturbation : float, default=0.0
        Share of the penalty, the sum of absolute weights (in scaled units), in the error, below 1. 0 is RLP,
        0.02 is the published RLP-P.
    selection : {"bounded", "limited", "path"} or None, default="bounded"
        How features are selected. ``"bounded"``: as few as the bound on the error allows. ``"limited"``: at
        most `n_features`, with the least error. ``"path"``: a quick search finds the least error for every
        number of features up to `n_features` (10 by default), and cross-validation chooses the number that
        predicts best; choose it for prediction. None: the features of the plane of least error.
    error_slack : float, default=0.1
        The bound on the error is ``(1 + error_slack)`` times the least error of any plane. With
        ``"misclassified"`` this is the least found; `prove` first proves it, in at most half its seconds.
    error_floor : float, default=0.0
        Smallest value of the bound on the error; with ``"misclassified"``, a weight of samples, in the unit
        of `weight_scale_` (1 unless the mean weight is below 1), and allowed to each plane. If the
        samples are linearly separable, the least error is 0, and so is the bound without a floor.
    n_features : int, default=None
        Largest number of features, with ``"limited"`` or ``"path"``.
    search : {"swap", "paper"}, default="swap"
        Search method. ``"paper"``: the published search. ``"swap"``: it also drops and exchanges features
        after the published search.
    prove : bool or float, default=False
        Whether to prove that no plane within the bound has fewer features (with ``"limited"``: that no plane
        with this number of features has a smaller error). A number limits the seconds of the proof; the bound
        proven by then is kept. Other selections have no proof and refuse it, unless the error is
        ``"misclassified"``: None then proves the least error on all features, and ``"path"`` that of one
        number of features after the other.
    refit : bool, default=True
        Whether the plane has the least error on the chosen features. If not, it has the least sum
        of absolute weights within the bound; the published method may end with such a plane.
    cv : int, splitter or iterable, default=5
        Folds for ``"path"``; a number means stratified folds with a fixed seed, at most as many as the larger
        class has samples.
    one_standard_error : bool, default=False
        Whether ``"path"`` chooses the fewest features within one standard error of the best.
    feature_costs : array-like of shape (n_features,), default=None
        Cost of using each feature, at least 0; the search minimises their sum in place of their number. A
        proof compares costs that are not whole numbers to a millionth of the largest. With ``"bounded"``
        only.
    cost_matrix : array-like of shape (n_classes, n_classes) or dict, default=None
        What wrong answers cost, as in `GreedyTreeClassifier`. The error of a plane then is the sum over both
        classes of the mean distance times what a wrong answer to the class costs, scaled so that the two
        factors add up to 2; with more classes each sample counts what wrong answers to its class cost on the
        mean. Cross-validation counts these costs too. There is no `class_weight`, since the error does not
        depend on how much each class weighs.
    missing : {"raise", "mean", "drop"}, default="raise"
        How missing values are treated. ``"mean"``: they count as the mean of their column. ``"drop"``:
        ``fit`` leaves the sample out, and prediction treats it as ``"mean"`` does.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal (categorical), as in scikit-learn's histogram gradient boosting. A nominal
        feature becomes several 0/1 columns and counts as one feature.
    time_limit : float, default=None
        Seconds after which the search ends and keeps the best plane so far.
    callback : callable, default=None
        Called with a `Progress`, at most about twenty times a second; returning True ends the search, which
        keeps the best plane so far. `done` counts LPs, `best` is the cost of the current plane.
    n_jobs : int, default=None
        Processes for the folds of ``"path"``: None is 1, -1 every core. The plane does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_planes, n_columns)
        Weights in raw units. Two classes have one plane, more classes one plane fewer than classes (see
        Notes). A numeric feature has one column, a nominal one several: `column_names_`.
    intercept_ : ndarray of shape (n_planes,)
        The plane is ``X @ coef_[0] + intercept_[0] == 0``; ``classes_[1]`` is above it.
    support_ : ndarray of shape (`n_features_used_`,)
        Positions of the features used, ascending.
    n_features_used_ : int
        Number of features used. 0: no plane within the bound is better than none, or the search ended before
        one was found (see `status_`).
    error_ : float
        Error of the plane, penalty included, in scaled units; with more classes the sum over the planes,
        as in the next three attributes. With ``"misclassified"``, the weight of the samples of ``fit`` that
        the plane misclassifies, in the unit of `weight_scale_`; with more classes a sample counts once for
        every plane that has it on the wrong side.
    error_bound_ : float
        Largest allowed error; infinite with ``"limited"`` and ``"path"``. Before the least error is known,
        the error of the plane without features.
    least_error_ : float
        Least error with all features; NaN if the search ended before it was known. With ``"misclassified"``,
        the least that was found.
    lower_bound_ : float
        Proven lower bound on what the search minimises: features (or their costs) with
        ``"bounded"``, else the error.
    status_ : str
        Status of `search_`.
    search_ : SearchResult
        How the search ended. Its cost is the number of features, their costs, or the error; its bound is
        `lower_bound_`; `n_searched` is the number of LPs.
    path_ : ResultTable
        With ``"path"``, for every number of features: the number used, the least error found, a proven lower
        bound on it, and the cross-validation error with its standard error, of the first plane.
        ``"limited"`` searches one number longer and may find less error. Empty otherwise.
    trace_ : ResultTable
        The subproblems of the published search for the first plane: number of features, sum of the weights
        outside of them, whether they are enough, LPs, seconds.
    planes_ : list of Plane
        Every plane with its certificates.
    plane_classes_ : ndarray of shape (n_planes,)
        The class above each plane.
    column_names_ : list of str
        Names of the columns of `coef_`, such as ``"age"`` or ``"colour=red"``.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` had text names.
    weight_scale_ : float
        As of `GreedyTreeClassifier`.
    n_lost_samples_ : int
        Number of samples of positive weight that weigh less than about a millionth of the mean: too little to
        count, so they are left out.

    Notes
    -----
    Columns are scaled to mean 0 and standard deviation 1; the error and the perturbation are in scaled units.
    The least error is unique, but several planes may have it. If the chosen features separate the samples,
    the plane with the least sum of absolute weights is chosen.

    With more than two classes, the class that a plane separates best from all others is split off first, then
    the next one. A sample gets the class of the first plane that it is above.

    Samples exactly on the plane go to the class with the larger weight among them (with a cost matrix, to the
    side where they cost less): the plane is moved half
    the way to the next sample. `error_` is the error before it moves.

    The first LP reads the samples about three to nine times for every column, later LPs a tenth as often. The
    published search solves 20 to 60 LPs, ``"swap"`` solves hundreds, and a proof solves hundreds to
    thousands.

    References
    ----------
    E. J. Bredensteiner, K. P. Bennett, "Feature Minimization within Decision Trees", 1998.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from treewright import RobustLinearClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = RobustLinearClassifier(perturbation=0.02, prove=True).fit(X, y)
    >>> model.n_features_used_, model.lower_bound_, model.status_
    (4, 4, 'optimal')
    >>> list(model.feature_names_in_[model.support_])
    ['mean concavity', 'worst radius', 'worst texture', 'worst smoothness']
    >>> print(f"{model.error_:.3f} of at most {model.error_bound_:.3f}; {model.score(X, y):.3f} right")
    0.265 of at most 0.270; 0.979 right
    >>> model.verify(X, y).holds
    True
    """

    coef_: FloatArray
    intercept_: FloatArray
    support_: IntArray
    n_features_used_: int
    error_: float
    error_bound_: float
    least_error_: float
    lower_bound_: float
    status_: str
    search_: SearchResult[None]
    path_: ResultTable
    trace_: ResultTable
    planes_: list[Plane]
    plane_classes_: AnyArray
    column_names_: list[str]

    def __init__(
        self,
        *,
        error: str = "distance",
        perturbation: float = 0.0,
        selection: str | None = "bounded",
        error_slack: float = 0.1,
        error_floor: float = 0.0,
        n_features: int | None = None,
        search: str = "swap",
        prove: bool | float = False,
        refit: bool = True,
        cv: Folds = 5,
        one_standard_error: bool = False,
        feature_costs: VectorLike = None,
        cost_matrix: object = None,
        missing: str = "raise",
        categorical_features: object = "from_dtype",
        time_limit: float | None = None,
        callback: Callback | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.error = error
        self.perturbation = perturbation
        self.selection = selection
        self.error_slack = error_slack
        self.error_floor = error_floor
        self.n_features = n_features
        self.search = search
        self.prove = prove
        self.refit = refit
        self.cv = cv
        self.one_standard_error = one_standard_error
        self.feature_costs = feature_costs
        self.cost_matrix = cost_matrix
        self.missing = missing
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.callback = callback
        self.n_jobs = n_jobs

    def fit(self, X: TableLike, y: VectorLike = None, sample_weight: VectorLike = None) -> Self:
        """Find the linear separator.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels, two or more; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, 0 or above; samples of weight 0 are removed first. The error of a class is their
            weighted mean.

        Returns
        -------
        self : RobustLinearClassifier
            The fitted estimator.

        Raises
        ------
        ParameterError
            If a parameter has an invalid value.
        DataError
            If the data cannot be used. The message names column, row and remedy.
        KeyboardInterrupt
            At Ctrl-C; the estimator is fitted with the best plane so far, its status ``"stopped"``.
        """
        watch = Watch(callable_or_none("callback", self.callback))
        clock = search_clock(self.time_limit, watch)
        options = PlaneOptions.of(self.get_params(deep=False), self.n_jobs)
        one_of("missing", self.missing, MISSING)
        n_threads(self.n_jobs)
        training = self._intake(X, y, sample_weight)
        encoding = Encoding.of(training.dataset)
        rows = self._rows(training, encoding, training.dataset.columns())
        check_rows(rows, training, options)
        warn_of_many_rows(len(rows.target), options)
        chain = fit_chain(rows, list(range(len(training.classes))), options, clock)
        self._keep(chain, encoding, training)
        if len(chain) == 1 and options.selection == "bounded":
            self.search_ = watch.onto(self.search_)
        self._n_rows = len(rows.target)
        if clock.interrupted:
            raise KeyboardInterrupt
        return self

    def verify(self, X: TableLike, y: VectorLike = None, sample_weight: VectorLike = None) -> Verification:
        """Check every claim of ``fit``: LP values by their dual vectors, the proof by its cuts.

        Parameters
        ----------
        X, y, sample_weight
            The arguments of ``fit``.

        Returns
        -------
        verification : Verification
            One row for each claim, and whether all of them hold.

        Raises
        ------
        DataError
            If features, classes or number of samples are not those of ``fit``. If other values differ, some
            claims do not hold.
        """
        check_is_fitted(self)
        training = self._intake(X, y, sample_weight)
        columns = self._encoded(training.dataset, self._encoding.names, self._encoding.levels)
        rows = self._rows(training, self._encoding, columns)
        check_same(rows, training, self.classes_, self._n_rows)
        known = chain_facts(self._chain, self.classes_)
        shown = {name: (getattr(self, name), value) for name, value in known.items()}
        own = [plane for _, plane in self._chain]
        are_own = [int(plane is known) for plane, known in zip_longest(self.planes_, own)]
        shown["planes_"] = are_own, [1] * len(own)
        labels = [label for label, _ in self._chain]
        chain = list(zip(labels, self.planes_, strict=False))
        return verify_chain(rows, chain, PlaneOptions.of(self.get_params(deep=False), self.n_jobs), shown)

    def decision_function(self, X: TableLike) -> FloatArray:
        """Return signed scores.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes the score of ``classes_[1]``, above 0 where it is predicted; with more, one for
            each class, the largest for the predicted one.
        """
        matrix = self._matrix(X)
        scores = np.column_stack([plane.scores(matrix) for _, plane in self._chain])
        if len(self.classes_) == 2:
            return scores[:, 0]
        return leaf_scores(scores, self._labels, len(self.classes_))

    def to_tree(self, X: TableLike) -> Tree:
        """Return the planes as a `Tree`, for JSON and for prediction without this estimator.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            Samples for which the tree predicts the same as the model, such as those of ``fit``. For other
            samples exactly on a plane, rounding may give another class.

        Returns
        -------
        tree : Tree
            One node for each plane; its leaves have no weight, and give their class the probability 1.
        """
        tree = tree_of_chain(self._chain, len(self.classes_), self._matrix(X))
        found = tree.to_tree(self._encoding, self.classes_, missing=self.missing)
        return found._found_by(self._origin)

    def export(
        self,
        format: str,  # noqa: A002
        X: TableLike,
        *,
        missing: str = "as_tree",
        **options: object,
    ) -> str | bytes:
        """Write the planes as a program or a document of another language, as `Tree.export` does.

        Parameters
        ----------
        format : str
            A name in `treewright.exports.export_formats`; formats that know no planes are refused.
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As for `to_tree`, whose tree is written.
        missing, **options
            As `Tree.export` takes them.

        Returns
        -------
        written : str or bytes
            The program or document.

        Raises
        ------
        ExportError
            If the format cannot say the planes; the message has the reason.
        """
        return self.to_tree(X).export(format, missing=missing, **options)

    def rounded_planes(self, X: TableLike) -> list[LinearSplit]:
        """Return the planes with the fewest digits that leave every sample on its side.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples, such as those of ``fit``.

        Returns
        -------
        planes : list of LinearSplit
            Columns, weights and offset of every plane, in raw units.
        """
        return [split.rounded(rows) for split, rows in chain_splits(self._chain, self._matrix(X))]

    def _rows(self, training: TrainingSet, encoding: Encoding, columns: Columns) -> ClassRows:
        owner, prices = (
            type(self).__name__,
            Answering(cost_matrix=checked_form(self.cost_matrix)).prices(training.classes),
        )
        return ClassRows.of(training, columns, encoding, prices=prices, missing=self.missing, owner=owner)

    def _matrix(self, X: TableLike) -> FloatArray:
        """Return new data as columns of numbers; those without a weight are not read."""
        check_is_fitted(self)
        has_weight = np.any([plane.coef for _, plane in self._chain], axis=0)
        used = np.unique(self._encoding.feature_of[has_weight]).tolist()
        columns = self._encoded(X, self._encoding.names, self._encoding.levels, used)
        matrix = self._encoding.matrix(columns)
        if self.missing == "raise":
            self._encoding.refuse_missing(matrix, np.arange(len(matrix)), type(self).__name__, used)
        return matrix

    def _predicted(self, X: TableLike) -> AnyArray:
        scores = self.decision_function(X)
        return (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)

    def _keep(self, chain: Chain, encoding: Encoding, training: TrainingSet) -> None:
        """Keep what was found; last in ``fit``, so that a failure keeps nothing."""
        claimed = [label for label, _ in chain]
        self._chain = chain
        self._labels = [*claimed, *(label for label in range(len(training.classes)) if label not in claimed)]
        self.planes_, self.column_names_ = [plane for _, plane in chain], encoding.column_names
        for name, value in chain_facts(chain, training.classes).items():
            setattr(self, name, value)
        self.search_ = summed([plane.search for plane in self.planes_])
        self.path_, self.trace_ = self.planes_[0].path, self.planes_[0].trace
        self._encoding = encoding
        self._learn_schema(training)
