"""What a user would take instead of a plane with few features: scikit-learn's ways, abess, a tree."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import LinearSVC

FloatArray = NDArray[np.float64]

STRENGTHS = np.logspace(-3, 2, 16)
"""Values of C that are tried."""

INNER_FOLDS = 5
MOST_ROUNDS = 5000
SEED = 0


def has_abess() -> bool:
    """Whether the package abess is installed."""
    return importlib.util.find_spec("abess") is not None


def l1_logistic(Z: FloatArray, target: NDArray[np.int32]) -> BaseEstimator:
    """Fit logistic regression with absolute weights as penalty, its strength by cross-validation."""
    return _tuned(LogisticRegression(solver="liblinear", max_iter=MOST_ROUNDS, **_absolute()), Z, target)


def l1_svm(Z: FloatArray, target: NDArray[np.int32]) -> BaseEstimator:
    """Fit a linear support vector machine with absolute weights as penalty, likewise."""
    return _tuned(_sparse_svm(1.0), Z, target)


def l1_svm_of_size(
    Z: FloatArray, target: NDArray[np.int32], feature_of: NDArray[np.int64], n_features: int
) -> BaseEstimator:
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


def rfe_svm(Z: FloatArray, target: NDArray[np.int32], n_features: int) -> BaseEstimator:
    """Fit a linear support vector machine on the columns that recursive elimination leaves."""
    svm = LinearSVC(dual=False, max_iter=MOST_ROUNDS)
    return _fitted(RFE(svm, n_features_to_select=min(n_features, Z.shape[1])), Z, target)


def best_subset(Z: FloatArray, target: NDArray[np.int32], n_features: int) -> BaseEstimator:
    """Fit logistic regression on the best subset that abess finds, of so many columns."""
    from abess import LogisticRegression as BestSubset

    return _fitted(BestSubset(support_size=min(n_features, Z.shape[1])), Z, target)


def used_features(model: BaseEstimator, feature_of: NDArray[np.int64]) -> int:
    """Count the features whose columns have a weight."""
    if isinstance(model, RFE):
        return len(np.unique(feature_of[model.support_]))
    weights = np.atleast_2d(model.coef_)
    return len(np.unique(feature_of[np.any(weights.reshape(-1, len(feature_of)) != 0, axis=0)]))


def _sparse_svm(strength: float) -> LinearSVC:
    return LinearSVC(penalty="l1", dual=False, C=strength, max_iter=MOST_ROUNDS, random_state=SEED)


def _tuned(model: BaseEstimator, Z: FloatArray, target: NDArray[np.int32]) -> BaseEstimator:
    n_folds = max(2, min(INNER_FOLDS, int(np.bincount(target).min())))
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=SEED)
    return _fitted(GridSearchCV(model, {"C": STRENGTHS}, cv=folds), Z, target).best_estimator_


def _fitted(model: BaseEstimator, Z: FloatArray, target: NDArray[np.int32]) -> BaseEstimator:
    with _quiet():
        return model.fit(Z, target)


@contextmanager
def _quiet() -> Iterator[None]:
    """Let a fit that ends at its last round count as it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def _absolute() -> dict[str, float | str]:
    """Return how this release of scikit-learn is asked for absolute weights."""
    release = tuple(map(int, sklearn.__version__.split(".")[:2]))
    return {"l1_ratio": 1.0} if release >= (1, 8) else {"penalty": "l1"}
