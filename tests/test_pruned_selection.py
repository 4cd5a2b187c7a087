"""Selection by the errors of pruned trees, against fitting, pruning and judging one tree after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    ParameterError,
)
from treewright.distinct import enumerate_distinct_trees
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
    ReducedErrorPruning,
    TunedErrorBasedPruning,
)

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
]
BY_MORE = [
    ErrorBasedPruning(),
    ReducedErrorPruning(),
    TunedErrorBasedPruning(confidences=(0.05, 0.5), cv=2),
    CostComplexityPruning(alpha="cv", cv=2),
    EstimatorPruning("(e + 1) / (n + 2)"),
]
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

    def judge(self, rule: object) -> Callable[[tuple[int, ...]], float]:
        """Return what counts the errors of the tree of some features: fitted, pruned, and asked."""
        training = np.setdiff1d(np.arange(len(self.y)), self.validation)
        weight = np.ones(len(self.y)) if self.weights is None else self.weights
        costs = np.array(self.growing.get("cost_matrix", [[0, 1], [1, 0]]), dtype=float)

        def errors(features: tuple[int, ...]) -> float:
            model = self.fitted(rule, training, features)
            answers = model.predict(self.columns(self.validation, features))
            return float((weight[self.validation] * costs[self.y[self.validation], answers]).sum())

        return errors

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
    judge: Callable[[tuple[int, ...]], float], n_features: int
) -> tuple[tuple[int, ...], list[float]]:
    """Eliminate backward, the plainest way: the features that stay, and the errors after each step."""
    features, errors = tuple(range(n_features)), [judge(tuple(range(n_features)))]
    while features:
        fewer = [tuple(f for f in features if f != gone) for gone in features]
        best, n_errors = min(((few, judge(few)) for few in fewer), key=lambda pair: pair[1])
        if n_errors >= errors[-1]:
            break
        features = best
        errors.append(n_errors)
    return features, errors


def added(judge: Callable[[tuple[int, ...]], float], n_features: int) -> tuple[tuple[int, ...], list[float]]:
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


def assert_selected(
    table: Table, model: Any, rule: object, expected: tuple[tuple[int, ...], list[float]]
) -> None:
    features, errors = expected
    assert tuple(np.flatnonzero(model.support_)) == features
    assert model.history_["errors"].tolist() == errors
    assert model.n_validation_errors_ == errors[-1]
    training = np.setdiff1d(np.arange(len(table.y)), table.validation)
    for tree, rows in ((model.tree_, training), (model.refit_tree_, np.arange(len(table.y)))):
        if table.growing.get("class_weight") and len(rows) == len(training):
            continue  # a balanced weight goes by all rows in a search
        fitted = table.fitted(rule, rows, features).tree_
        assert tree.n_nodes == fitted.n_nodes
        assert [features[i] for i in fitted.used_features] == tree.used_features.tolist()
    assert model.used_features_.tolist() == model.tree_.used_features.tolist()


@pytest.mark.parametrize("seed", range(33))
def test_selection_is_a_plain_loop_over_pruned_trees(seed: int) -> None:
    table, rule = Table.drawn(seed), BY_COUNTS[seed % len(BY_COUNTS)]
    table.growing.pop("class_weight", None)
    judge, n_features = table.judge(rule), table.X.shape[1]
    backward = table.selected(BackwardEliminationSelector, rule)
    assert_selected(table, backward, rule, eliminated(judge, n_features))
    assert_selected(table, table.selected(ForwardSelectionSelector, rule), rule, added(judge, n_features))


@pytest.mark.parametrize("seed", range(10))
def test_rules_that_need_more_grow_every_tree_anew(seed: int) -> None:
    table, rule = Table.drawn(seed), BY_MORE[seed % len(BY_MORE)]
    table.growing.pop("class_weight", None)
    model = table.selected(BackwardEliminationSelector, rule, strategy="retrain")
    assert_selected(table, model, rule, eliminated(table.judge(rule), table.X.shape[1]))


@pytest.mark.parametrize("seed", range(22))
def test_both_strategies_agree(seed: int) -> None:
    table, rule = Table.drawn(100 + seed), BY_COUNTS[seed % len(BY_COUNTS)]
    options = [{}, {"tolerance": 2}, {"parsimonious": True}, {"floating": True}][seed % 4]
    fast = table.selected(BackwardEliminationSelector, rule, **options)
    slow = table.selected(BackwardEliminationSelector, rule, strategy="retrain", **options)
    assert (
        fast.history_[["dropped", "added", "errors"]].tolist()
        == slow.history_[["dropped", "added", "errors"]].tolist()
    )
    assert fast.tree_ == slow.tree_
    assert fast.refit_tree_ == slow.refit_tree_


@pytest.mark.parametrize("seed", range(22))
def test_complete_search_finds_the_best_of_all_subsets(seed: int) -> None:
    table, rule = Table.drawn(200 + seed), BY_COUNTS[seed % len(BY_COUNTS)]
    table.growing.pop("class_weight", None)
    judge, n_features = table.judge(rule), table.X.shape[1]
    subsets = [c for size in range(n_features + 1) for c in combinations(range(n_features), size)]
    model = table.selected(CompleteSearchSelector, rule)
    assert model.n_validation_errors_ == min(map(judge, subsets))
    assert judge(tuple(np.flatnonzero(model.support_))) == model.n_validation_errors_
    assert {*model.used_features_} <= {*np.flatnonzero(model.support_)}
    assert model.search_.status == "optimal"


@pytest.mark.parametrize("seed", range(11))
def test_an_enumeration_tells_the_errors_of_pruned_trees(seed: int) -> None:
    table, rule = Table.drawn(400 + seed), BY_COUNTS[seed % len(BY_COUNTS)]
    table.growing.pop("class_weight", None)
    judge = table.judge(rule)
    estimator = GreedyTreeClassifier(pruning=rule, **table.growing)
    parts = {"sample_weight": table.weights, "validation_set": table.validation}
    found = list(enumerate_distinct_trees(table.X, table.y, estimator=estimator, **parts))
    assert sum(tree.n_subsets for tree in found) == 2 ** table.X.shape[1]
    training = np.setdiff1d(np.arange(len(table.y)), table.validation)
    for distinct in found:
        assert distinct.n_validation_errors == judge(distinct.used_features)
        fitted = table.fitted(rule, training, distinct.used_features).tree_
        assert distinct.tree.n_nodes == fitted.n_nodes
        assert {*distinct.tree.used_features} <= {*distinct.used_features}


@pytest.mark.parametrize("seed", range(16))
def test_folds_are_a_plain_loop_over_all_of_them(seed: int) -> None:
    table = Table.drawn(300 + seed)
    rule = [None, BY_COUNTS[seed % len(BY_COUNTS)], ErrorBasedPruning()][seed % 3]
    table.growing.pop("class_weight", None)
    splitter = StratifiedKFold(3, shuffle=True, random_state=seed)
    folds = [replace(table, validation=judging) for _, judging in splitter.split(table.X, table.y)]
    judges = [fold.judge(rule) for fold in folds]
    expected = eliminated(lambda features: sum(judge(features) for judge in judges), table.X.shape[1])
    strategy = "retrain" if seed % 3 == 2 or seed % 4 == 0 else "incremental"
    options = {"strategy": strategy, "validation_set": splitter}
    model = table.selected(BackwardEliminationSelector, rule, **options)
    features, errors = expected
    assert tuple(np.flatnonzero(model.support_)) == features
    assert model.history_["errors"].tolist() == errors
    assert model.tree_ == model.refit_tree_
    assert model.validation_rows_.tolist() == list(range(len(table.y)))
    for fold, tree in zip(folds, model.fold_trees_, strict=True):
        rows = np.setdiff1d(np.arange(len(table.y)), fold.validation)
        assert tree.n_nodes == table.fitted(rule, rows, features).tree_.n_nodes


def test_five_stratified_folds_are_named_cv() -> None:
    table = Table.drawn(3)
    model = table.selected(BackwardEliminationSelector, None, validation_set="cv", random_state=1)
    splitter = StratifiedKFold(5, shuffle=True, random_state=1)
    other = table.selected(BackwardEliminationSelector, None, validation_set=splitter)
    assert model.history_["errors"].tolist() == other.history_["errors"].tolist()
    assert len(model.fold_trees_) == 5
    with pytest.raises(ParameterError, match="which CompleteSearchSelector does not take"):
        table.selected(CompleteSearchSelector, None, validation_set="cv")


@pytest.mark.parametrize("rule", BY_MORE)
def test_elsewhere_they_are_refused_with_the_remedy(rule: object) -> None:
    table = Table.drawn(0)
    with pytest.raises(ParameterError, match=r"looks at more than .*strategy='retrain'"):
        table.selected(BackwardEliminationSelector, rule)
    with pytest.raises(ParameterError, match="looks at more than") as raised:
        table.selected(CompleteSearchSelector, rule)
    assert "retrain" not in str(raised.value)


def test_what_a_rule_raises_ends_the_search() -> None:
    table = Table.drawn(1)
    rule = EstimatorPruning(lambda c, n: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        table.selected(BackwardEliminationSelector, rule, strategy="retrain")
