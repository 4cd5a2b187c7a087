"""Folds of the training samples: which ones learn, and which ones judge."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, check_cv

from treewright._params import is_whole
from treewright._search_set import generator
from treewright._training import TrainingSet
from treewright.exceptions import DataError, ParameterError

Split = tuple[NDArray[np.int64], NDArray[np.int64]]


def checked_cv(cv: Any) -> Any:
    """Return `cv` if it has a known form; whether its splits fit the samples shows when they are known."""
    if is_whole(cv) and cv < 2:
        raise ParameterError(f"cv={cv} must be at least 2; each fold is judged by a tree of the others")
    if isinstance(cv, str | bool | float) or cv is None:
        raise ParameterError(f"cv={cv!r} must be an int of at least 2, a splitter or an iterable of splits")
    return cv


def splits_of(training: TrainingSet, cv: Any, random_state: Any, remedy: str) -> list[Split]:
    """Return rows to learn from and rows to judge, for every fold.

    An int means so many stratified folds, shuffled by `random_state`; fewer where no class has so many
    samples. `remedy` says what to do where no class has two.
    """
    rows = np.zeros(training.n_samples)
    known = checked_cv(cv)
    splitter = _stratified(training, int(known), random_state, remedy) if is_whole(known) else check_cv(known)
    return [(np.asarray(a), np.asarray(b)) for a, b in splitter.split(rows, training.target)]


def _stratified(training: TrainingSet, n_folds: int, random_state: Any, remedy: str) -> Any:
    largest = int(np.bincount(training.target).max())
    if largest < 2:
        raise DataError(
            f"no class has two samples (n_samples={training.n_samples}), so none is left to judge a tree by; "
            f"give more samples, or {remedy} in place of cross-validation"
        )
    return _Quiet(min(n_folds, largest), shuffle=True, random_state=generator(random_state))


class _Quiet(StratifiedKFold):
    """Stratified folds that take a class with fewer samples than folds as it is."""

    def split(self, X: Any, y: Any, groups: Any = None) -> Any:
        """Yield the folds without a warning."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            yield from list(super().split(X, y, groups))
