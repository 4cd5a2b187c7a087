"""Selection by the errors of pruned trees, against fitting, pruning and judging one tree after the other."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from judged_tables import BY_COUNTS, Table, added, eliminated, loss, loss_column, loss_of, losses
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    ParameterError,
)
from treewright.distinct import count_distinct_trees, enumerate_distinct_trees
from treewright.pruning import (
    CostComplexityPruning,
    ErrorBasedPruning,
    EstimatorPruning,
    ReducedErrorPruning,
    TunedErrorBasedPruning,
)

BY_MORE = [
    ErrorBasedPruning(),
    ReducedErrorPruning(),
    TunedErrorBasedPruning(confidences=(0.05, 0.5), cv=2),
    CostComplexityPruning(alpha="cv", cv=2),
    EstimatorPruning(lambda c, n: (n - c + 1) / (n + 2)),
]


def assert_selected(
    table: Table, model: Any, rule: object, expected: tuple[tuple[int, ...], list[float]]
) -> None:
    features, errors = expected
    assert tuple(np.flatnonzero(model.support_)) == features
    assert losses(model) == errors
    assert loss(model) == errors[-1]
    training = np.setdiff1d(np.arange(len(table.y)), table.validation)
    for tree, rows in ((model.tree_, training), (model.refit_tree_, np.arange(len(table.y)))):
        if table.growing.get("class_weight") and len(rows) == len(training):
            continue  # a balanced weight goes by all rows in a search
        fitted = table.fitted(rule, rows, features).tree_
        assert tree.n_nodes == fitted.n_nodes
        assert [features[i] for i in fitted.used_features] == tree.used_features.tolist()
    assert model.used_features_.tolist() == model.tree_.used_features.tolist()


@pytest.mark.parametrize("seed", range(39))
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


@pytest.mark.parametrize("seed", range(26))
def test_both_strategies_agree(seed: int) -> None:
    table, rule = Table.drawn(100 + seed), BY_COUNTS[seed % len(BY_COUNTS)]
    options = [{}, {"tolerance": 2}, {"parsimonious": True}, {"floating": True}][seed % 4]
    fast = table.selected(BackwardEliminationSelector, rule, **options)
    slow = table.selected(BackwardEliminationSelector, rule, strategy="retrain", **options)
    assert (
        fast.history_[["dropped", "added", loss_column(fast)]].tolist()
        == slow.history_[["dropped", "added", loss_column(slow)]].tolist()
    )
    assert fast.tree_ == slow.tree_
    assert fast.refit_tree_ == slow.refit_tree_


@pytest.mark.parametrize("seed", range(26))
def test_complete_search_finds_the_best_of_all_subsets(seed: int) -> None:
    table, rule = Table.drawn(200 + seed), BY_COUNTS[seed % len(BY_COUNTS)]
    table.growing.pop("class_weight", None)
    judge, n_features = table.judge(rule), table.X.shape[1]
    subsets = [c for size in range(n_features + 1) for c in combinations(range(n_features), size)]
    model = table.selected(CompleteSearchSelector, rule)
    assert loss(model) == min(map(judge, subsets))
    assert judge(tuple(np.flatnonzero(model.support_))) == loss(model)
    assert {*model.used_features_} <= {*np.flatnonzero(model.support_)}
    assert model.search_.status == "optimal"


@pytest.mark.parametrize("seed", range(13))
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
        assert loss_of(distinct) == judge(distinct.used_features)
        fitted = table.fitted(rule, training, distinct.used_features).tree_
        assert distinct.tree.n_nodes == fitted.n_nodes
        assert {*distinct.tree.used_features} <= {*distinct.used_features}


@pytest.mark.parametrize("rule", BY_COUNTS)
def test_a_count_is_that_of_trees_before_pruning(rule: object) -> None:
    table = Table.drawn(3)
    plain, pruned = (
        count_distinct_trees(table.X, table.y, estimator=GreedyTreeClassifier(pruning=which))
        for which in (None, rule)
    )
    assert pruned.n_distinct == plain.n_distinct
    assert pruned.by_n_features == plain.by_n_features


@pytest.mark.parametrize("seed", range(16))
def test_folds_are_a_plain_loop_over_all_of_them(seed: int) -> None:
    table = Table.drawn(300 + seed)
    rule = [None, BY_COUNTS[seed % len(BY_COUNTS)], ErrorBasedPruning()][seed % 3]
    table.growing.pop("class_weight", None)
    splitter, folds = table.folds(3, seed)
    judges = [fold.judge(rule) for fold in folds]
    expected = eliminated(lambda features: sum(judge(features) for judge in judges), table.X.shape[1])
    strategy = "retrain" if seed % 3 == 2 or seed % 4 == 0 else "incremental"
    options = {"strategy": strategy, "validation_set": splitter}
    model = table.selected(BackwardEliminationSelector, rule, **options)
    features, errors = expected
    assert tuple(np.flatnonzero(model.support_)) == features
    assert losses(model) == errors
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
    assert losses(model) == losses(other)
    assert len(model.fold_trees_) == 5


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
