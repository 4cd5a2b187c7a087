"""What is run on every fold: planes, their search for few features, and what a user would take instead."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.planes import RobustLinearClassifier
from treewright.planes.rows import Encoding
from treewright.planes.scaling import Scaling
from treewright.studies.common.folds import Fold, error_rate, wrong_share
from treewright.studies.common.run import Plan, Row
from treewright.studies.planes import rivals
from treewright.trees.greedy import GreedyTreeClassifier

FloatArray = NDArray[np.float64]


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

    def plane(self, perturbation: float, **asked: Any) -> RobustLinearClassifier:
        """Fit a plane."""
        seconds = self.plan.search_time_limit
        model = RobustLinearClassifier(perturbation, missing="mean", time_limit=seconds, **asked)
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


Fit = Callable[[FoldData], Any]


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

OTHERS: Mapping[str, Callable[[FoldData, FloatArray], Any]] = {
    "l1_logistic": lambda data, Z: rivals.l1_logistic(Z, data.target),
    "l1_svm": lambda data, Z: rivals.l1_svm(Z, data.target),
    "l1_svm_k": lambda data, Z: rivals.l1_svm_of_size(Z, data.target, data.encoding.feature_of, data.size),
    "rfe_svm_k": lambda data, Z: rivals.rfe_svm(Z, data.target, data.size),
    "abess_k": lambda data, Z: rivals.best_subset(Z, data.target, data.size),
}
"""What others fit to scaled columns; k is the size that the path chose."""

TREE = "c45"
METHODS = (*OWN, TREE, *OTHERS)
SAME_SIZE = ("l1_svm_k", "rfe_svm_k", "abess_k")
"""Those that are told how many features to take."""


def rows_of_planes(fold: Fold, plan: PlanePlan) -> Iterator[Row]:
    """Yield what every method of the plan did on a fold."""
    data = FoldData(fold, plan)
    place = (fold.name, fold.repeat, fold.number, fold.seed)
    for method in plan.methods:
        if method in SAME_SIZE:
            data.size  # noqa: B018 - so that it is not part of the seconds
        run = _of_others if method in OTHERS else _of_tree if method == TREE else _of_own
        yield (*place, method, *run(method, data))


def _of_own(method: str, data: FoldData) -> PlaneOutcome:
    started = time.perf_counter()
    model = OWN[method](data)
    seconds = time.perf_counter() - started
    if method == "path":
        data.size = max(1, model.n_features_used_)
    return PlaneOutcome(*_errors(model, data), model.n_features_used_, seconds)


def _of_tree(method: str, data: FoldData) -> PlaneOutcome:
    """Count the decisions of the tree as its features, as the paper does."""
    started = time.perf_counter()
    model = GreedyTreeClassifier.c45().fit(data.fold.training)
    seconds = time.perf_counter() - started
    tree = model.tree_
    return PlaneOutcome(*_errors(model, data), tree.n_nodes - tree.n_leaves, seconds)


def _of_others(method: str, data: FoldData) -> PlaneOutcome:
    Z, held_out = data.scaled(data.fold.training), data.scaled(data.fold.held_out)
    started = time.perf_counter()
    model = OTHERS[method](data, Z)
    seconds = time.perf_counter() - started
    guesses = data.classes[model.predict(held_out).astype(np.intp)]
    own = data.classes[model.predict(Z).astype(np.intp)]
    return PlaneOutcome(
        wrong_share(guesses, data.fold.held_out),
        wrong_share(own, data.fold.training),
        rivals.used_features(model, data.encoding.feature_of),
        seconds,
    )


def _errors(model: Any, data: FoldData) -> tuple[float, float]:
    return error_rate(model, data.fold.held_out), error_rate(model, data.fold.training)
