"""A price of leaves, and complete search over folds, against trees judged one by one."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from judged_tables import (
    BY_COUNTS,
    Table,
    added,
    best_subset,
    eliminated,
    loss,
    loss_column,
    loss_of,
    losses,
    penalised,
)
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    ForwardSelectionSelector,
    ParameterError,
)
from treewright.pruning import ErrorBasedPruning
from treewright.results import Progress

RULES = [None, *BY_COUNTS]
PENALTIES = [0.5, 1, 2, 1.25]


def drawn(seed: int, n_folds: int) -> tuple[Table, dict[str, Any], list[Table]]:
    """Return a table, its options for one split or for folds, and a table a fold."""
    table = Table.drawn(seed)
    table.growing.pop("class_weight", None)
    if n_folds == 1:
        return table, {}, [table]
    splitter, folds = table.folds(n_folds, seed)
    return table, {"validation_set": splitter}, folds


def values(model: Any, penalty: float) -> list[float]:
    return (np.array(losses(model)) + penalty * model.history_["n_leaves"]).tolist()


@pytest.mark.parametrize("seed", range(42))
def test_steps_go_by_errors_and_leaves(seed: int) -> None:
    penalty, rule = PENALTIES[seed % 4], RULES[seed % len(RULES)]
    table, options, folds = drawn(500 + seed, [1, 1, 3][seed % 3])
    judge = penalised(folds, rule, Fraction(penalty))
    options["validation_leaf_penalty"] = penalty
    for kind, plain in ((BackwardEliminationSelector, eliminated), (ForwardSelectionSelector, added)):
        model = table.selected(kind, rule, strategy=["incremental", "retrain"][seed % 5 == 4], **options)
        features, steps = plain(judge, table.X.shape[1])
        assert tuple(np.flatnonzero(model.support_)) == features
        assert values(model, penalty) == pytest.approx([float(step) for step in steps])
        assert model.search_.cost == pytest.approx(float(steps[-1]))
        assert loss(model) == losses(model)[-1]
        trees = model.fold_trees_ or [model.tree_]
        assert model.history_["n_leaves"][-1] == pytest.approx(np.mean([tree.n_leaves for tree in trees]))


@pytest.mark.parametrize("seed", range(24))
def test_both_strategies_agree_whatever_the_rules_are(seed: int) -> None:
    table, options, _ = drawn(600 + seed, [1, 2][seed % 2])
    options |= [{"tolerance": 3}, {"parsimonious": True}, {"floating": True}][seed % 3]
    options |= {"validation_leaf_penalty": PENALTIES[seed % 4]}
    rule = RULES[seed % len(RULES)]
    fast = table.selected(BackwardEliminationSelector, rule, **options)
    slow = table.selected(BackwardEliminationSelector, rule, strategy="retrain", **options)
    fields = ["dropped", "added", loss_column(fast), "n_leaves"]
    assert fast.history_[fields].tolist() == slow.history_[fields].tolist()
    assert fast.tree_ == slow.tree_


@pytest.mark.parametrize("seed", range(45))
def test_complete_search_is_brute_force(seed: int) -> None:
    penalty, rule = [0, *PENALTIES][seed % 5], RULES[seed % len(RULES)]
    table, options, folds = drawn(700 + seed, [1, 2, 3][seed % 3])
    least, used = best_subset(folds, penalised(folds, rule, Fraction(penalty)))
    model = table.selected(CompleteSearchSelector, rule, validation_leaf_penalty=penalty, **options)
    assert np.flatnonzero(model.support_).tolist() == used
    assert model.search_.status == "optimal"
    assert model.search_.cost == model.search_.bound == pytest.approx(float(least))
    trees = model.fold_trees_ or [model.tree_]
    leaves = float(np.mean([tree.n_leaves for tree in trees]))
    assert model.search_.cost == pytest.approx(loss(model) + penalty * leaves)
    assert loss_of(model.best_trees_[0]) == loss(model)
    if len(folds) > 1:
        assert model.tree_ == model.refit_tree_ == model.best_trees_[0].tree
        for fold, tree in zip(folds, trees, strict=True):
            rows = np.setdiff1d(np.arange(len(table.y)), fold.validation)
            assert tree.n_nodes == table.fitted(rule, rows, tuple(used)).tree_.n_nodes


@pytest.mark.parametrize("seed", range(3))
def test_eight_features(seed: int) -> None:
    table = Table.drawn(800 + seed)
    rng = np.random.default_rng(seed)
    table.X = np.hstack([table.X, rng.integers(0, 3, (len(table.y), 8 - table.X.shape[1]))])
    table.growing = {"criterion": "gain_ratio"}
    splitter, folds = table.folds(2, seed)
    rule, penalty = [ErrorBasedPruning(grafting=False), None, BY_COUNTS[4]][seed], [0, 1, 0.5][seed]
    least, used = best_subset(folds, penalised(folds, rule, Fraction(penalty)))
    options = {"validation_set": splitter, "validation_leaf_penalty": penalty}
    model = table.selected(CompleteSearchSelector, rule, **options)
    assert (model.search_.cost, np.flatnonzero(model.support_).tolist()) == (
        pytest.approx(float(least)),
        used,
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_best_trees_of_folds_come_with_all_their_subsets(seed: int) -> None:
    table, options, folds = drawn(900 + seed, 2)
    model = table.selected(CompleteSearchSelector, RULES[seed], top_k=1000, count_ties=True, **options)
    n_features = table.X.shape[1]
    assert sum(tree.n_subsets for tree in model.best_trees_) == 2**n_features
    by_used = {frozenset(tree.used_features): tree for tree in model.best_trees_}
    judge = penalised(folds, RULES[seed], Fraction(0))
    for size in range(n_features + 1):
        for subset in combinations(range(n_features), size):
            tree = by_used[frozenset(set().union(*(fold.used(subset) for fold in folds)))]
            assert subset in tree.equivalent_subsets
            assert loss_of(tree) == float(judge(subset))
    errors = [loss_of(tree) for tree in model.best_trees_]
    assert errors == sorted(errors)
    assert model.n_ties_ == errors.count(errors[0])


def test_a_higher_penalty_never_gives_a_larger_best_tree() -> None:
    table, _, _ = drawn(3, 1)
    models = [
        table.selected(CompleteSearchSelector, None, validation_leaf_penalty=penalty)
        for penalty in (0, 0.5, 1, 2, 5, 1000)
    ]
    leaves = [model.tree_.n_leaves for model in models]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[-1] == 1
    errors = [loss(model) for model in models]
    assert errors == sorted(errors)


def test_whole_penalties_give_whole_costs() -> None:
    table, options, _ = drawn(6, 2)
    table.weights = None
    table.growing.pop("cost_matrix", None)
    for kind in (BackwardEliminationSelector, CompleteSearchSelector):
        assert type(table.selected(kind, None, validation_leaf_penalty=2).search_.cost) is int
        assert type(table.selected(kind, None, validation_leaf_penalty=0.5).search_.cost) is float
        assert type(table.selected(kind, None, validation_leaf_penalty=2, **options).search_.cost) is float
        assert type(table.selected(kind, None, **options).search_.cost) is int


def _note(best: list[float | None], told: Progress) -> None:
    best.append(told.best)


def test_the_callback_is_told_what_is_minimised() -> None:
    table, options, _ = drawn(6, 3)
    for kind in (BackwardEliminationSelector, CompleteSearchSelector):
        best: list[float | None] = []
        options["callback"] = partial(_note, best)
        model = table.selected(kind, None, validation_leaf_penalty=1, **options)
        assert best[-1] == pytest.approx(model.search_.cost)


@pytest.mark.parametrize("penalty", [-1, float("nan"), float("inf"), "2", None, True])
def test_what_is_no_number_of_errors_is_refused(penalty: object) -> None:
    table, _, _ = drawn(0, 1)
    with pytest.raises(ParameterError, match="validation_leaf_penalty"):
        table.selected(BackwardEliminationSelector, None, validation_leaf_penalty=penalty)
    with pytest.raises(ParameterError, match="validation_leaf_penalty"):
        table.selected(CompleteSearchSelector, None, validation_leaf_penalty=penalty)
