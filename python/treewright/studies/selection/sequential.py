"""scikit-learn's sequential selector on one fold, with the same building and search set."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.tree import DecisionTreeClassifier

from treewright._base.errors import ParameterError
from treewright.data.dataset import Dataset
from treewright.studies.common.folds import Fold
from treewright.studies.common.outcome import Outcome, wrong_share

CRITERIA = {"info_gain": "entropy", "gini": "gini"}


class OutOfTime(BaseException):
    """The time limit was reached; not an `Exception`, which scikit-learn would take for a failed fit."""


class Judge:
    """A scorer that counts the trees it is shown and stops the search when time is up."""

    def __init__(self, time_limit: float | None) -> None:
        self.n_trees = 0
        self.deadline = math.inf if time_limit is None else time.perf_counter() + time_limit

    def __call__(self, model: DecisionTreeClassifier, X: NDArray[Any], y: NDArray[Any]) -> float:
        """Return the accuracy."""
        self.n_trees += 1
        if time.perf_counter() >= self.deadline:
            raise OutOfTime
        return float(np.mean(model.predict(X) == y))


def check_sequential(growing: Mapping[str, Any], data_sets: Mapping[str, Dataset]) -> None:
    """Refuse what scikit-learn's tree and selector cannot do."""
    if growing["criterion"] not in CRITERIA:
        raise _unlike("criterion", growing, "'info_gain' or 'gini'")
    if growing["max_depth"] == 0:
        raise _unlike("max_depth", growing, "None or at least 1")
    if growing["mdl_correction"]:
        raise _unlike("mdl_correction", growing, "False")
    for name, usual in (("min_samples_leaf", 1), ("min_gain", 0)):
        if growing[name] != usual:
            raise _unlike(name, growing, f"{usual}, for its own rule of a like name is another one")
    for name, dataset in data_sets.items():
        if dataset.sample_weight is not None or dataset.n_features < 2:
            raise ParameterError(
                f"data set {name!r}: scikit-learn's selector takes no sample weights and needs two features; "
                "leave the data set or time_sklearn out"
            )


def _unlike(name: str, growing: Mapping[str, Any], allowed: str) -> ParameterError:
    return ParameterError(
        f"{name}={growing[name]!r}: scikit-learn's tree takes only {allowed}; change it or leave "
        "time_sklearn out"
    )


def sequential(fold: Fold, growing: Mapping[str, Any], time_limit: float | None) -> Outcome:
    """Run the selector; if time is up it has nothing to show, and all features stay."""
    X, y = matrix(fold.training), fold.training.target
    assert y is not None, "a study opens data sets with classes only"
    tree = DecisionTreeClassifier(
        criterion=CRITERIA[growing["criterion"]],
        min_samples_split=max(2, math.ceil(growing["min_samples_split"])),
        max_depth=growing["max_depth"],
        random_state=fold.seed,
    )
    judge = Judge(time_limit)
    started = time.perf_counter()
    support = _support(tree, judge, fold.is_validation, X, y)
    seconds = time.perf_counter() - started
    given = np.ones(X.shape[1], dtype=np.bool_) if support is None else support
    validation_error = _error(
        tree.fit(X[~fold.is_validation][:, given], y[~fold.is_validation]), given, fold.search
    )
    return Outcome(
        error=_error(tree.fit(X[:, given], y), given, fold.held_out),
        validation_error=validation_error,
        n_selected=int(given.sum()),
        n_used=len(np.unique(tree.tree_.feature[tree.tree_.feature >= 0])),
        n_trees_built=judge.n_trees,
        seconds=seconds,
        status="complete" if support is not None else "time_limit",
    )


def _support(
    tree: DecisionTreeClassifier,
    judge: Judge,
    is_validation: NDArray[np.bool_],
    X: NDArray[np.float64],
    y: NDArray[np.int32],
) -> NDArray[np.bool_] | None:
    """Drop features while the search errors fall; None if time is up first."""
    selector = SequentialFeatureSelector(
        tree,
        direction="backward",
        n_features_to_select="auto",
        tol=0.5 / int(is_validation.sum()),  # less than one search sample: any improvement counts
        scoring=judge,
        cv=[(np.flatnonzero(~is_validation), np.flatnonzero(is_validation))],
        n_jobs=1,
    )
    try:
        support: NDArray[np.bool_] = selector.fit(X, y).get_support()
    except OutOfTime:
        return None
    return support


def _error(tree: DecisionTreeClassifier, given: NDArray[np.bool_], dataset: Dataset) -> float:
    classes = dataset.classes
    assert classes is not None, "a study opens data sets with classes only"
    return wrong_share(classes[tree.predict(matrix(dataset)[:, given])], dataset)


def matrix(dataset: Dataset) -> NDArray[np.float64]:
    """Return the table as numbers: codes for levels, NaN for missing values."""
    columns = [dataset.column(i).astype(np.float64) for i in range(dataset.n_features)]
    for column, levels in zip(columns, dataset.levels, strict=True):
        if levels is not None:
            column[column < 0] = np.nan
    return np.column_stack(columns)
