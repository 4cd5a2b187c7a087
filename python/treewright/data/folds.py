"""Folds of the training samples: which ones learn, and which ones judge."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from sklearn.model_selection import StratifiedKFold, check_cv

from treewright._base.errors import DataError, ParameterError
from treewright._base.params import is_whole
from treewright._base.wording import UNSET, Sentence, parts_of
from treewright.data import validation_set
from treewright.data.training import TrainingSet
from treewright.data.types import IntArray
from treewright.data.validation_set import generator

Split = tuple[IntArray, IntArray]


@runtime_checkable
class Splitter(Protocol):
    """What scikit-learn's splitters do."""

    def split(self, X: object, y: object, groups: object = None) -> Iterator[Split]:
        """Yield rows to learn from and rows to judge."""


def checked_cv(cv: object) -> object:
    """Return `cv` if it has a known form; whether its splits fit the samples shows when they are known."""
    if is_whole(cv) and cv < 2:
        raise ParameterError("cv", cv, "must be at least 2", "each fold is judged by a tree of the others")
    is_named = isinstance(cv, str | type)
    if is_whole(cv) or (isinstance(cv, Splitter) and not is_named):
        return cv
    if is_named or not isinstance(cv, Iterable):
        raise ParameterError("cv", cv, "must be an int of at least 2, a splitter or an iterable of splits")
    if isinstance(cv, Sequence):
        _check_pairs(cv)
    return cv


def _check_pairs(splits: Sequence[object]) -> None:
    """Refuse a list that holds no splits."""
    if not splits:
        raise ParameterError(
            "cv", UNSET, "has no splits", "give one or more pairs of rows to learn from and to judge"
        )
    for i, split in enumerate(splits):
        if not isinstance(split, Sequence | np.ndarray) or isinstance(split, str) or len(split) != 2:
            raise ParameterError("cv", split, "must be a pair: rows to learn from and rows to judge", at=(i,))


def splits_of(training: TrainingSet, cv: object, random_state: object, remedy: Sentence) -> list[Split]:
    """Return rows to learn from and rows to judge, for every fold.

    An int means so many stratified folds, shuffled by `random_state`; fewer where no class has so many
    samples. `remedy` says what to do where no class has two.
    """
    rows = np.zeros(training.n_samples)
    known = checked_cv(cv)
    if is_whole(known):
        splitter = _stratified(training, int(known), random_state, remedy)
    elif isinstance(known, Splitter):
        splitter = known
    else:
        assert isinstance(known, Iterable), "it has been checked"
        splits = list(known)
        _check_pairs(splits)
        splitter = check_cv(splits)
    return [
        (_rows(learning, i, training, "to learn from"), _rows(judging, i, training, "to judge"))
        for i, (learning, judging) in enumerate(splitter.split(rows, training.target))
    ]


FOLDS = 5
"""So many folds ``validation_set="cv"`` means."""


def validation_folds(
    training: TrainingSet, given: object, random_state: object
) -> tuple[validation_set.Split, ...]:
    """Return the folds that a validation set asks for: ``"cv"`` or a splitter; none where it is rows."""
    is_named = isinstance(given, str)
    if (is_named and given != "cv") or not (is_named or isinstance(given, Splitter)):
        return ()
    splits = splits_of(training, FOLDS if is_named else given, random_state, "a share of the samples")
    return tuple(
        validation_set.Split(np.sort(learning), np.sort(judging), training.origin[np.sort(judging)])
        for learning, judging in splits
    )


def _rows(given: object, i: int, training: TrainingSet, what: str) -> IntArray:
    """Return one part of a split as row numbers."""
    rows, n_samples = np.asarray(given), training.n_samples
    if rows.ndim == 1 and rows.dtype.kind == "b" and len(rows) == n_samples:
        rows = rows.nonzero()[0]
    if rows.ndim == 1 and not rows.size:
        raise ParameterError(
            "cv", UNSET, f"is a split without rows {what}", "give both parts one or more", at=(i,)
        )
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or rows.min() < -n_samples or rows.max() >= n_samples:
        raise ParameterError(
            "cv",
            UNSET,
            f"is a split whose rows {what} are no row numbers below {n_samples}, the number of samples of "
            "positive weight",
            at=(i,),
        )
    return rows.astype(np.int64)


def _stratified(training: TrainingSet, n_folds: int, random_state: object, remedy: Sentence) -> Splitter:
    largest = int(np.bincount(training.target).max())
    if largest < 2:
        raise DataError(
            f"no class has two samples (n_samples={training.n_samples}), so none is left to judge a tree by; "
            "give more samples, or ",
            *parts_of(remedy),
            " in place of cross-validation",
        )
    return _Quiet(min(n_folds, largest), shuffle=True, random_state=generator(random_state))


class _Quiet(StratifiedKFold):
    """Stratified folds that take a class with fewer samples than folds as it is."""

    def split(self, X: object, y: object, groups: object = None) -> Iterator[Split]:
        """Yield the folds without a warning."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            yield from list(super().split(X, y, groups))
