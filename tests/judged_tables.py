"""Small tables to select features of, and the plainest searches of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from treewright import GreedyTreeClassifier
from treewright.evolution import LearnedPruning
from treewright.pruning import (
    CostComplexityPruning,
    ErrorBasedPruning,
    EstimatorPruning,
    MinimumErrorPruning,
    NaiveErrorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PublishedEvolvedPruning,
)

Judge = Callable[[tuple[int, ...]], Any]

BY_COUNTS = [
    ErrorBasedPruning(grafting=False),
    ErrorBasedPruning(grafting=False, confidence=0.05, limit="exact"),
    ErrorBasedPruning(grafting=False, confidence=0.5, limit="weka"),
    ErrorBasedPruning(grafting=False, limit="wilson"),
    PessimisticPruning(),
    ObservedErrorPruning(),
    NaiveErrorPruning(),
    PublishedEvolvedPruning(slack=0.02),
    MinimumErrorPruning(m=2),
    CostComplexityPruning(alpha=1.0),
    LearnedPruning("((n - c) + 0.5) / n"),
    EstimatorPruning("(e + sqrt(e + 1)) / n"),
    EstimatorPruning("tanh(e / n) + 0.1 * log1p(e)", slack=0.01),
]
"""Rules that go with a search."""

COSTS = [[0, 3], [1, 0]]


@dataclass
class Table:
    """Rows with missing values and weights, the training part and the validation part."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None
    validation: np.ndarray
    growing: dict[str, Any]

    @classmethod
    def drawn(cls, seed: int) -> Table:
        rng = np.random.default_rng(seed)
        n_rows, n_features = int(rng.integers(40, 90)), int(rng.integers(3, 6))
        X = rng.integers(0, 5, size=(n_rows, n_features)).astype(float)
        y = ((X[:, 0] + X[:, 1] * rng.integers(0, 2, n_rows)) > 3).astype(int)
        y ^= rng.random(n_rows) < 0.2
        X[rng.random(X.shape) < [0, 0.1][seed % 2]] = np.nan
        weights = [None, rng.integers(1, 4, n_rows), rng.integers(4, 12, n_rows) / 4][seed % 3]
        growing: dict[str, Any] = {"criterion": ["info_gain", "gain_ratio", "gini"][seed // 2 % 3]}
        if seed % 5 == 4:
            growing["cost_matrix"] = COSTS
        if seed % 7 == 6:
            growing["class_weight"] = "balanced"
        validation = np.sort(rng.choice(n_rows, n_rows // 3, replace=False))
        return cls(X, y, weights, validation, growing)

    def folds(self, n_folds: int, seed: int) -> tuple[StratifiedKFold, list[Table]]:
        """Return a splitter, and the table with the validation part of each of its folds."""
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
        return splitter, [replace(self, validation=judging) for _, judging in splitter.split(self.X, self.y)]

    def judge(self, rule: object) -> Judge:
        """Return what counts the errors of the tree of some features: fitted, pruned, and asked."""
        judged = self.judge_tree(rule)
        return lambda features: float(judged(features)[0])

    def judge_tree(self, rule: object) -> Callable[[tuple[int, ...]], tuple[Fraction, int]]:
        """Return what counts the errors and the leaves of the tree of some features."""
        training = np.setdiff1d(np.arange(len(self.y)), self.validation)
        weight = np.ones(len(self.y)) if self.weights is None else self.weights
        costs = np.array(self.growing.get("cost_matrix", [[0, 1], [1, 0]]), dtype=float)

        def judged(features: tuple[int, ...]) -> tuple[Fraction, int]:
            model = self.fitted(rule, training, features)
            answers = model.predict(self.columns(self.validation, features))
            losses = weight[self.validation] * costs[self.y[self.validation], answers]
            return sum(map(Fraction, losses.tolist()), Fraction()), model.tree_.n_leaves

        return judged

    def used(self, features: tuple[int, ...]) -> set[int]:
        """Return the features that the tree of some features tests before it is pruned."""
        training = np.setdiff1d(np.arange(len(self.y)), self.validation)
        tree = self.fitted(None, training, features).tree_
        return {features[i] for i in tree.used_features} if features else set()

    def fitted(self, rule: object, rows: np.ndarray, features: tuple[int, ...]) -> GreedyTreeClassifier:
        model = GreedyTreeClassifier(pruning=rule, **self.growing)
        weights = None if self.weights is None else self.weights[rows]
        return model.fit(self.columns(rows, features), self.y[rows], sample_weight=weights)

    def columns(self, rows: np.ndarray, features: tuple[int, ...]) -> np.ndarray:
        """Return the columns of some features; a column of one value where there are none."""
        return self.X[rows][:, list(features)] if features else np.zeros((len(rows), 1))

    def selected(self, selector: type, rule: object, **options: Any) -> Any:
        estimator = GreedyTreeClassifier(pruning=rule, **self.growing)
        model = selector(estimator=estimator, **{"validation_set": self.validation, **options})
        return model.fit(self.X, self.y, sample_weight=self.weights)


def eliminated(
    judge: Judge, n_features: int, required: tuple[int, ...] = ()
) -> tuple[tuple[int, ...], list[float]]:
    """Eliminate backward, the plainest way: the features that stay, and the errors after each step."""
    features, errors = tuple(range(n_features)), [judge(tuple(range(n_features)))]
    while set(features) > set(required):
        fewer = [tuple(f for f in features if f != gone) for gone in features if gone not in required]
        best, n_errors = min(((few, judge(few)) for few in fewer), key=lambda pair: pair[1])
        if n_errors >= errors[-1]:
            break
        features = best
        errors.append(n_errors)
    return features, errors


def added(judge: Judge, n_features: int) -> tuple[tuple[int, ...], list[float]]:
    """Select forward, the plainest way."""
    features: tuple[int, ...] = ()
    errors = [judge(())]
    while len(features) < n_features:
        more = [tuple(sorted({*features, f})) for f in range(n_features) if f not in features]
        best, n_errors = min(((few, judge(few)) for few in more), key=lambda pair: pair[1])
        if n_errors >= errors[-1]:
            break
        features = best
        errors.append(n_errors)
    return features, errors


def penalised(
    folds: list[Table], rule: object, penalty: Fraction, of_feature: Fraction = Fraction(0)
) -> Judge:
    """Return what sums errors over folds and adds penalties for leaves of the mean tree and for features."""
    judges = [fold.judge_tree(rule) for fold in folds]

    def value(features: tuple[int, ...]) -> Fraction:
        found = [judge(features) for judge in judges]
        errors, leaves = sum((e for e, _ in found), Fraction()), sum(n for _, n in found)
        n_used = len(used_by(folds, features)) if of_feature else 0
        return errors + penalty * Fraction(leaves, len(folds)) + of_feature * n_used

    return value


def used_by(folds: list[Table], features: tuple[int, ...]) -> set[int]:
    """Return the features that the tree of some fold tests before it is pruned."""
    return set().union(*(fold.used(features) for fold in folds))


def best_subset(folds: list[Table], judge: Judge) -> tuple[Fraction, list[int]]:
    """Return the least value of all subsets, and its features: the fewest, then the first."""
    n_features = folds[0].X.shape[1]
    subsets = [c for size in range(n_features + 1) for c in combinations(range(n_features), size)]
    values = {subset: judge(subset) for subset in subsets}
    least = min(values.values())
    used = [sorted(used_by(folds, subset)) for subset in subsets if values[subset] == least]
    return least, min(used, key=lambda features: (len(features), features))


def loss_column(model: Any) -> str:
    """Return the name of the column of a history that counts: errors, or with a cost matrix their cost."""
    return "cost" if "cost" in model.history_.dtype.names else "errors"


def losses(model: Any) -> list[float]:
    """Return the errors, or their cost, after each step."""
    found: list[float] = model.history_[loss_column(model)].tolist()
    return found


def loss(model: Any) -> float:
    """Return the errors of a selected tree, or their cost."""
    found: float = (
        model.validation_cost_ if model.n_validation_errors_ is None else model.n_validation_errors_
    )
    return found


def loss_of(tree: Any) -> float:
    """Return the errors of a distinct tree, or their cost."""
    found: float = tree.validation_cost if tree.n_validation_errors is None else tree.n_validation_errors
    return found
