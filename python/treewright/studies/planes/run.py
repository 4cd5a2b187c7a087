"""What is run on every fold: planes, their search for few features, and what a user would take instead."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import sklearn
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import LinearSVC

from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.data.types import CodeArray, FloatArray, IntArray
from treewright.planes import RobustLinearClassifier
from treewright.planes.rows import Encoding
from treewright.planes.scaling import Scaling
from treewright.studies.common.folds import Fold, Predicts, error_rate, timed, wrong_share
from treewright.studies.common.run import Plan, Row
from treewright.trees.greedy import GreedyTreeClassifier

STRENGTHS = np.logspace(-3, 2, 16)
"""Values of C that are tried."""

INNER_FOLDS = 5
MOST_ROUNDS = 5000
SEED = 0


@dataclass(frozen=True)
class PlanePlan(Plan):
    """What to do on every fold."""

    methods: tuple[str, ...]
    perturbation: float
    n_features: int | None


class PlaneOutcome(NamedTuple):
    """What one method did on one fold."""

    error: float
    training_error: float
    n_features: int
    seconds: float


class FoldData:
    """A fold as every method takes it; what several methods need is made once."""

    def __init__(self, fold: Fold, plan: PlanePlan) -> None:
        self.fold, self.plan = fold, plan
        training = TrainingSet.of(fold.training, owner="study")
        self.target = training.target
        self.classes = training.classes

    @cached_property
    def encoding(self) -> Encoding:
        """How features become columns."""
        return Encoding.of(self.fold.training)

    @cached_property
    def scaling(self) -> Scaling:
        """How columns are scaled, where the training samples say."""
        X = _columns(self.encoding, self.fold.training)
        return Scaling.of(X, np.ones(len(X)))

    def scaled(self, dataset: Dataset) -> FloatArray:
        """Return samples in scaled units, the mean in place of missing values."""
        return self.scaling.apply(_columns(self.encoding, dataset))

    def plane(self, perturbation: float, **options: str | bool | int | None) -> RobustLinearClassifier:
        """Fit a plane; the options are those of `RobustLinearClassifier`."""
        model = RobustLinearClassifier(
            perturbation=perturbation, missing="mean", time_limit=self.plan.search_time_limit
        )
        model.set_params(**options)
        return model.fit(self.fold.training)

    def path(self, perturbation: float) -> RobustLinearClassifier:
        """Fit a plane whose number of features cross-validation chooses."""
        return self.plane(perturbation, selection="path", n_features=self.plan.n_features)

    @cached_property
    def size(self) -> int:
        """The number of features that the path without perturbation takes, at least 1."""
        return max(1, self.path(0.0).n_features_used_)


def _columns(encoding: Encoding, dataset: Dataset) -> FloatArray:
    return encoding.matrix([dataset.column(i) for i in range(dataset.n_features)])


Fit = Callable[[FoldData], RobustLinearClassifier]


OWN: Mapping[str, Fit] = {
    "rlp": lambda data: data.plane(0.0, selection=None),
    "fm_rlp": lambda data: data.plane(0.0, search="paper", refit=False),
    "fm_rlp_swap": lambda data: data.plane(0.0),
    "rlp_p": lambda data: data.plane(data.plan.perturbation, selection=None),
    "fm_rlp_p": lambda data: data.plane(data.plan.perturbation, search="paper", refit=False),
    "fm_rlp_p_swap": lambda data: data.plane(data.plan.perturbation),
    "path": lambda data: data.path(0.0),
    "path_p": lambda data: data.path(data.plan.perturbation),
}
"""What this package fits."""

OTHERS: Mapping[str, Callable[[FoldData, FloatArray], BaseEstimator]] = {
    "l1_logistic": lambda data, Z: l1_logistic(Z, data.target),
    "l1_svm": lambda data, Z: l1_svm(Z, data.target),
    "l1_svm_k": lambda data, Z: l1_svm_of_size(Z, data.target, data.encoding.feature_of, data.size),
    "rfe_svm_k": lambda data, Z: rfe_svm(Z, data.target, data.size),
    "abess_k": lambda data, Z: best_subset(Z, data.target, data.size),
}
"""What others fit to scaled columns; k is the size that the path chose."""

TREE = "c45"
METHODS = (*OWN, TREE, *OTHERS)
SAME_SIZE = ("l1_svm_k", "rfe_svm_k", "abess_k")
"""Those that are told how many features to take."""


def rows_of_planes(fold: Fold, plan: PlanePlan) -> Iterator[Row]:
    """Yield what every method of the plan did on a fold."""
    data = FoldData(fold, plan)
    for method in plan.methods:
        if method in SAME_SIZE:
            data.size  # noqa: B018 - so that it is not part of the seconds
        run = _of_others if method in OTHERS else _of_tree if method == TREE else _of_own
        yield (*fold.place, method, *run(method, data))


def _of_own(method: str, data: FoldData) -> PlaneOutcome:
    model, seconds = timed(lambda: OWN[method](data))
    if method == "path":
        data.size = max(1, model.n_features_used_)
    return PlaneOutcome(*_errors(model, data), model.n_features_used_, seconds)


def _of_tree(method: str, data: FoldData) -> PlaneOutcome:
    """Count the decisions of the tree as its features, as the paper does."""
    model, seconds = timed(lambda: GreedyTreeClassifier.c45().fit(data.fold.training))
    return PlaneOutcome(*_errors(model, data), model.tree_.n_nodes - model.tree_.n_leaves, seconds)


def _of_others(method: str, data: FoldData) -> PlaneOutcome:
    fold, Z = data.fold, data.scaled(data.fold.training)
    model, seconds = timed(lambda: OTHERS[method](data, Z))
    error, training_error = (
        wrong_share(data.classes[model.predict(part).astype(np.intp)], judged)
        for part, judged in ((data.scaled(fold.held_out), fold.held_out), (Z, fold.training))
    )
    n_features = used_features(model, data.encoding.feature_of)
    return PlaneOutcome(error, training_error, n_features, seconds)


def _errors(model: Predicts, data: FoldData) -> tuple[float, float]:
    return error_rate(model, data.fold.held_out), error_rate(model, data.fold.training)


def has_abess() -> bool:
    """Whether the package abess is installed."""
    return importlib.util.find_spec("abess") is not None


def l1_logistic(Z: FloatArray, target: CodeArray) -> BaseEstimator:
    """Fit logistic regression with absolute weights as penalty, its strength by cross-validation."""
    release = tuple(map(int, sklearn.__version__.split(".")[:2]))
    absolute = {"l1_ratio": 1.0} if release >= (1, 8) else {"penalty": "l1"}
    return _tuned(LogisticRegression(solver="liblinear", max_iter=MOST_ROUNDS, **absolute), Z, target)


def l1_svm(Z: FloatArray, target: CodeArray) -> BaseEstimator:
    """Fit a linear support vector machine with absolute weights as penalty, likewise."""
    return _tuned(_sparse_svm(1.0), Z, target)


def l1_svm_of_size(Z: FloatArray, target: CodeArray, feature_of: IntArray, n_features: int) -> BaseEstimator:
    """Fit the one of most features up to so many: the weakest penalty that leaves no more."""
    low, high = -4.0, 3.0
    best = _fitted(_sparse_svm(10**low), Z, target)
    for _ in range(18):
        middle = (low + high) / 2
        model = _fitted(_sparse_svm(10**middle), Z, target)
        if used_features(model, feature_of) <= n_features:
            low, best = middle, model
        else:
            high = middle
    return best


def rfe_svm(Z: FloatArray, target: CodeArray, n_features: int) -> BaseEstimator:
    """Fit a linear support vector machine on the columns that recursive elimination leaves."""
    svm = LinearSVC(dual=False, max_iter=MOST_ROUNDS)
    return _fitted(RFE(svm, n_features_to_select=min(n_features, Z.shape[1])), Z, target)


def best_subset(Z: FloatArray, target: CodeArray, n_features: int) -> BaseEstimator:
    """Fit logistic regression on the best subset that abess finds, of so many columns."""
    from abess import LogisticRegression as BestSubset

    return _fitted(BestSubset(support_size=min(n_features, Z.shape[1])), Z, target)


def used_features(model: BaseEstimator, feature_of: IntArray) -> int:
    """Count the features whose columns have a weight."""
    if isinstance(model, RFE):
        return len(np.unique(feature_of[model.support_]))
    weights = np.atleast_2d(model.coef_)
    return len(np.unique(feature_of[np.any(weights.reshape(-1, len(feature_of)) != 0, axis=0)]))


def _sparse_svm(strength: float) -> LinearSVC:
    return LinearSVC(penalty="l1", dual=False, C=strength, max_iter=MOST_ROUNDS, random_state=SEED)


def _tuned(model: BaseEstimator, Z: FloatArray, target: CodeArray) -> BaseEstimator:
    n_folds = max(2, min(INNER_FOLDS, int(np.bincount(target).min())))
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=SEED)
    return _fitted(GridSearchCV(model, {"C": STRENGTHS}, cv=folds), Z, target).best_estimator_


def _fitted(model: BaseEstimator, Z: FloatArray, target: CodeArray) -> BaseEstimator:
    with warnings.catch_warnings():
        # A fit that ends at its last round counts as it is.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(Z, target)
