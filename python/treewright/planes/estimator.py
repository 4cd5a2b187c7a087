"""The plane with the fewest features as an estimator."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright._base.clock import Clock
from treewright._base.errors import DataError, ParameterError
from treewright._base.params import (
    n_threads,
    one_of,
    seconds_or_none,
)
from treewright.data.training import TrainingSet
from treewright.data.validation_set import kept_rows
from treewright.planes.chain import (
    ClassRows,
    fit_chain,
    leaf_scores,
)
from treewright.planes.classifier import PlaneEstimator
from treewright.planes.encoding import MISSING, Encoding
from treewright.planes.fit import Plane
from treewright.planes.highs import load_highspy
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import FloatArray
from treewright.planes.verify import Verification, verify_chain
from treewright.results import ResultTable, SearchResult

__all__ = ["RobustLinearClassifier"]


class RobustLinearClassifier(PlaneEstimator):
    """Plane between two classes that uses few features and keeps a bound on the error.

    The error of a plane counts how far rows are on its wrong side, the mean of each class alike (robust
    linear programming, RLP). Of all planes whose error is within a bound, by default a tenth above the least
    there is, one with as few features as possible is looked for, and on request it is proven that fewer
    cannot do.

    Parameters
    ----------
    perturbation : float, default=0.0
        Share of the sum of absolute weights (in scaled units) in the error, below 1. 0 is RLP, 0.02 the
        published RLP-P.
    selection : {"bounded", "limited", "path"} or None, default="bounded"
        Which features. ``"bounded"``: the fewest that keep the bound on the error. ``"limited"``: at most
        `n_features`, with the least error. ``"path"``: the least error that a quick search finds for every
        number of features up to `n_features` (10 by default), and the number that predicts best in
        cross-validation; the choice where prediction matters. None: whatever the plane of least error uses.
    error_slack : float, default=0.1
        The bound on the error is ``(1 + error_slack)`` times the least error there is.
    error_floor : float, default=0.0
        The bound is at least this. Where rows are separable the least error is 0, and so is the bound.
    n_features : int, default=None
        Most features, with ``"limited"`` or ``"path"``.
    search : {"swap", "paper"}, default="swap"
        ``"paper"``: the published search. ``"swap"``: leaving out and exchanging features on top of it.
    prove : bool or float, default=False
        Whether to prove that fewer features cannot keep the bound (with ``"limited"``: that so many cannot
        have less error). A number is the seconds it may take; the proven part is kept. Other selections claim
        nothing to prove, and refuse it.
    refit : bool, default=True
        Whether the plane is the one of least error on the chosen features. If not, it is the one of least sum
        of absolute weights within the bound, a plane that the published method may end with.
    cv : int, splitter or iterable, default=5
        Folds for ``"path"``; a number means stratified ones, always the same, and no more of them than the
        larger class has different samples.
    one_standard_error : bool, default=False
        Whether ``"path"`` takes the fewest features within one standard error of the best.
    feature_costs : array-like of shape (n_features,), default=None
        What using a feature costs, at least 0; the sum is made small in place of the number. Costs that are
        not whole are compared in a proof to a millionth of the largest. With ``"bounded"`` only.
    missing : {"raise", "mean", "drop"}, default="raise"
        What to do about missing values. ``"mean"``: they count as the mean of their column. ``"drop"``: the
        sample is left out in ``fit``; in prediction as ``"mean"``.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal, as in scikit-learn's histogram gradient boosting. A nominal feature
        becomes several 0/1 columns and counts as one feature.
    time_limit : float, default=None
        Seconds after which the search ends with the best plane so far.
    n_jobs : int, default=None
        Processes for the folds of ``"path"``: None is 1, -1 every core. The plane does not depend on it.

    Attributes
    ----------
    coef_ : ndarray of shape (n_planes, n_columns)
        Weights in raw units. One plane for two classes; more classes have one plane fewer than classes, see
        Notes. One column a feature, several where it is nominal: `column_names_`.
    intercept_ : ndarray of shape (n_planes,)
        The plane is ``X @ coef_[0] + intercept_[0] == 0``; above 0 is ``classes_[1]``.
    support_ : ndarray of shape (n_features_used_,)
        Positions of the features used, ascending.
    n_features_used_ : int
        Number of features used. 0: no plane within the bound is better than none, or none was found in time
        (see `status_`).
    error_ : float
        Error of the plane, penalty included, in scaled units; with more classes, the sum over the planes,
        as in the three that follow.
    error_bound_ : float
        The most error that was allowed; infinite with ``"limited"`` and ``"path"``. As long as the least
        error is not known, that of the plane without features.
    least_error_ : float
        The least error with all features; NaN if the search ended before it was known.
    lower_bound_ : float
        So much is proven to be necessary of what was made small: features (or their costs) with
        ``"bounded"``, else the error.
    status_ : str
        That of `search_`.
    search_ : SearchResult
        How the search ended; its cost is the number of features, their costs, or the error, its bound
        `lower_bound_`, and `n_searched` the number of LPs.
    path_ : ResultTable
        With ``"path"``, for every number of features the number used, the least error found, and the test
        error in cross-validation with its standard error; of the first plane. ``"limited"`` searches one
        number longer and may find less. Empty otherwise.
    trace_ : ResultTable
        The published search, one subproblem a row: number of features, sum of the weights outside of
        them, whether they are enough, LPs, seconds; of the first plane.
    planes_ : list of Plane
        All that is known of every plane.
    plane_classes_ : ndarray of shape (n_planes,)
        The class above each plane.
    column_names_ : list of str
        What the columns of `coef_` are called, such as ``"age"`` or ``"colour=red"``.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` had text names.

    Notes
    -----
    Columns are scaled to mean 0 and standard deviation 1; the error and the perturbation are about scaled
    units. A plane of least error is not unique, its error is. Where rows are separated by the chosen
    features the plane with the least sum of absolute weights is taken.

    With more than two classes, the class that a plane tells best from all others is split off first, and so
    on; a sample belongs to the class of the first plane that it is above.

    Rows that are exactly on the plane go to the class that weighs more among them: the threshold is moved
    half the way to the next row, and `error_` is that of the plane before.

    The first LP reads the samples some three to nine times for every column, those that follow a tenth as
    often. The published search solves 20 to 60 of them, exchanging hundreds, a proof hundreds to thousands.

    References
    ----------
    E. J. Bredensteiner, K. P. Bennett, "Feature Minimization within Decision Trees", 1998.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from treewright import RobustLinearClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = RobustLinearClassifier(0.02, prove=True).fit(X, y)
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
    support_: NDArray[np.int64]
    n_features_used_: int
    error_: float
    error_bound_: float
    least_error_: float
    lower_bound_: float
    status_: str
    search_: SearchResult
    path_: ResultTable
    trace_: ResultTable
    planes_: list[Plane]
    plane_classes_: NDArray[Any]
    column_names_: list[str]

    def __init__(
        self,
        perturbation: float = 0.0,
        *,
        selection: str | None = "bounded",
        error_slack: float = 0.1,
        error_floor: float = 0.0,
        n_features: int | None = None,
        search: str = "swap",
        prove: bool | float = False,
        refit: bool = True,
        cv: Any = 5,
        one_standard_error: bool = False,
        feature_costs: Any = None,
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
        self.prove = prove
        self.refit = refit
        self.cv = cv
        self.one_standard_error = one_standard_error
        self.feature_costs = feature_costs
        self.missing = missing
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the plane.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels, two or more; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, at most 2**20 and at least 2**-20; samples of weight 0 leave before anything is looked
            at. The error of a class is their weighted mean.

        Returns
        -------
        self : RobustLinearClassifier
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
            At Ctrl-C; the estimator is fitted with the best plane so far, its status ``"stopped"``.
        """
        clock = Clock(seconds_or_none("time_limit", self.time_limit))
        options = PlaneOptions.of(self)
        one_of("missing", self.missing, MISSING)
        n_threads(self.n_jobs)
        load_highspy()
        training = self._intake(X, y, sample_weight)
        encoding = Encoding.of(training.dataset)
        rows = self._rows(training, encoding, sample_weight)
        _check(rows, training, options, sample_weight)
        chain = fit_chain(rows, list(range(len(training.classes))), options, clock)
        self._keep(chain, encoding, training)
        self._n_rows = len(rows.target)
        if clock.stopped:
            raise KeyboardInterrupt
        return self

    def verify(self, X: Any, y: Any = None, sample_weight: Any = None) -> Verification:
        """Check every claim of ``fit`` anew: values of LPs by their dual vectors, the proof by its cuts.

        Parameters
        ----------
        X, y, sample_weight
            What ``fit`` was given.

        Returns
        -------
        verification : Verification
            One row a claim, and whether all of them hold.

        Raises
        ------
        DataError
            If features, classes or number of samples are not those of ``fit``. Other values are told by
            claims that do not hold.
        """
        check_is_fitted(self)
        training = self._intake(X, y, sample_weight)
        rows = self._rows(training, self._encoding, sample_weight, known=self)
        options = PlaneOptions.of(self)
        _check_same(rows, training, self.classes_, self._n_rows)
        known = _attributes(self._chain, self.classes_)
        shown = {name: (getattr(self, name), value) for name, value in known.items()}
        shown["planes_"] = [id(plane) for plane in self.planes_], [id(plane) for _, plane in self._chain]
        labels = [label for label, _ in self._chain]
        return verify_chain(rows, list(zip(labels, self.planes_, strict=False)), options, shown)

    def decision_function(self, X: Any) -> FloatArray:
        """Return signed scores.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The features of ``fit`` in the same order.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes the score of ``classes_[1]``, above 0 where it is predicted; with more, one a
            class, the largest for the one that is predicted.
        """
        matrix = self._prepared(X)
        scores = np.column_stack([plane.scores(matrix) for _, plane in self._chain])
        if len(self.classes_) == 2:
            return scores[:, 0]
        return leaf_scores(scores, self._labels, len(self.classes_))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every sample.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The features of ``fit`` in the same order.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Class labels.
        """
        scores = self.decision_function(X)
        codes = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        labels: NDArray[Any] = self.classes_[codes]
        return labels

    def _keep(self, chain: list[tuple[int, Plane]], encoding: Encoding, training: TrainingSet) -> None:
        """Keep what was found; last in ``fit``, so that a failure keeps nothing."""
        planes = [plane for _, plane in chain]
        self._chain = chain
        self._labels = _labels_of(chain, len(training.classes))
        self.planes_, self.column_names_ = planes, encoding.column_names
        for name, value in _attributes(chain, training.classes).items():
            setattr(self, name, value)
        self.search_ = _summed([plane.search for plane in planes])
        self.path_, self.trace_ = planes[0].path, planes[0].trace
        self._learn_schema(training, encoding)


def _check(rows: ClassRows, training: TrainingSet, options: PlaneOptions, sample_weight: Any) -> None:
    """Refuse data that no plane parts, and costs for other features."""
    n_features = training.dataset.n_features
    if options.feature_costs is not None and len(options.feature_costs) != n_features:
        raise ParameterError(
            f"feature_costs has {len(options.feature_costs)} numbers, but X has {n_features} features; "
            "give one a feature"
        )
    counts = np.bincount(rows.target, minlength=len(training.classes))
    if len(counts) < 2:
        without = " among samples of positive weight" if not kept_rows(training, sample_weight).all() else ""
        raise DataError(
            f"y has one class only{without}, {training.classes.tolist()[0]!r}; a plane is between classes, "
            "give two"
        )
    if not counts.all():
        label = training.classes.tolist()[int(np.argmin(counts))]
        raise DataError(
            f"no sample of class {label!r} is without missing values (missing='drop'); choose missing='mean'"
        )


def _attributes(chain: list[tuple[int, Plane]], classes: NDArray[Any]) -> dict[str, Any]:
    """Return what is said of the planes of a chain together, by the names of attributes."""
    planes = [plane for _, plane in chain]
    support = np.unique(np.concatenate([plane.support for plane in planes]))
    return {
        "plane_classes_": classes[[label for label, _ in chain]],
        "coef_": np.array([plane.coef for plane in planes]),
        "intercept_": np.array([plane.intercept for plane in planes]),
        "support_": support,
        "n_features_used_": len(support),
        "error_": sum(plane.error for plane in planes),
        "error_bound_": sum(plane.error_bound for plane in planes),
        "least_error_": sum(plane.least_error for plane in planes),
        "lower_bound_": sum(plane.lower_bound for plane in planes),
        "status_": _summed([plane.search for plane in planes]).status,
    }


def _check_same(rows: ClassRows, training: TrainingSet, classes: NDArray[Any], n_rows: int) -> None:
    """Refuse to verify on samples that cannot be those of ``fit``."""
    found, expected = training.classes.tolist(), classes.tolist()
    if found != expected:
        raise DataError(
            f"y has the classes {found}, but fit had {expected}; verify checks what fit claims of its own "
            "samples, give those"
        )
    if len(rows.target) != n_rows:
        raise DataError(
            f"X has {len(rows.target)} samples of positive weight to learn from, but fit had {n_rows}; "
            "verify checks what fit claims of its own samples, give those"
        )


def _labels_of(chain: list[tuple[int, Plane]], n_classes: int) -> list[int]:
    """Return the classes in the order in which the planes part them, the one that is left last."""
    claimed = [label for label, _ in chain]
    return [*claimed, *(label for label in range(n_classes) if label not in claimed)]


def _summed(searches: list[SearchResult]) -> SearchResult:
    """Return one result for several: costs add up, the worst end counts."""
    if len(searches) == 1:
        return searches[0]
    order = ("stopped", "solver_error", "time_limit", "complete", "optimal")
    worst = min(searches, key=lambda search: order.index(search.status))
    return SearchResult(
        cost=sum(search.cost for search in searches),
        bound=sum(search.bound or 0.0 for search in searches),
        status=worst.status,
        message=worst.message,
        n_searched=sum(search.n_searched for search in searches),
        elapsed=max(search.elapsed for search in searches),
    )
