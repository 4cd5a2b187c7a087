"""A price of features, alone and beside one of leaves, against trees judged one by one."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from commands import Run
from judged_tables import (
    BY_COUNTS,
    Table,
    added,
    best_subset,
    eliminated,
    loss,
    losses,
    penalised,
    used_by,
)
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    ParameterError,
    datasets,
)

RULES = [None, None, *BY_COUNTS]
PENALTIES = [0.5, 1, 2, 1.25]
OF_LEAF = [0, 0, 0.5]


def drawn(seed: int, n_folds: int) -> tuple[Table, dict[str, Any], list[Table]]:
    """Return a table with weights, its options for one split or for folds, and a table a fold."""
    table = Table.drawn(seed)
    table.growing.pop("class_weight", None)
    if n_folds == 1:
        return table, {}, [table]
    splitter, folds = table.folds(n_folds, seed)
    return table, {"validation_set": splitter}, folds


def values(model: Any) -> list[float]:
    """Return what each step of a history is compared by."""
    history = model.history_
    leaves = model.validation_leaf_penalty * history["n_leaves"]
    return (np.array(losses(model)) + leaves + model.validation_feature_penalty * history["n_used"]).tolist()


@pytest.mark.parametrize("seed", range(36))
def test_steps_go_by_errors_and_features(seed: int) -> None:
    penalty, of_leaf, rule = PENALTIES[seed % 4], OF_LEAF[seed // 2 % 3], RULES[seed % len(RULES)]
    table, options, folds = drawn(1500 + seed, [1, 1, 3][seed % 3])
    judge = penalised(folds, rule, Fraction(of_leaf), Fraction(penalty))
    options |= {"validation_feature_penalty": penalty, "validation_leaf_penalty": of_leaf}
    options["strategy"] = ["incremental", "retrain"][seed % 5 == 4]
    n_features, required = table.X.shape[1], ((), (1,))[seed // 3 % 2]
    backward = table.selected(BackwardEliminationSelector, rule, required_features=list(required), **options)
    forward = table.selected(ForwardSelectionSelector, rule, **options)
    expected = eliminated(judge, n_features, required), added(judge, n_features)
    for model, (features, steps) in zip((backward, forward), expected, strict=True):
        assert tuple(np.flatnonzero(model.support_)) == features
        assert values(model) == pytest.approx([float(step) for step in steps])
        assert model.search_.cost == pytest.approx(float(steps[-1]))
        assert model.history_["n_used"][-1] == len(used_by(folds, features))


@pytest.mark.parametrize("seed", range(40))
def test_complete_search_is_brute_force(seed: int) -> None:
    penalty, of_leaf, rule = PENALTIES[seed % 4], OF_LEAF[seed // 2 % 3], RULES[seed % len(RULES)]
    table, options, folds = drawn(1700 + seed, [1, 1, 2][seed % 3])
    least, used = best_subset(folds, penalised(folds, rule, Fraction(of_leaf), Fraction(penalty)))
    options |= {"validation_feature_penalty": penalty, "validation_leaf_penalty": of_leaf}
    model = table.selected(CompleteSearchSelector, rule, **options)
    assert np.flatnonzero(model.support_).tolist() == used
    assert model.search_.status == "optimal"
    assert model.search_.cost == model.search_.bound == pytest.approx(float(least))
    leaves = np.mean([tree.n_leaves for tree in model.fold_trees_ or [model.tree_]])
    assert model.search_.cost == pytest.approx(loss(model) + of_leaf * leaves + penalty * len(used))


def test_a_higher_penalty_never_gives_more_features() -> None:
    table, _, _ = drawn(3, 1)
    models = [
        table.selected(CompleteSearchSelector, None, validation_feature_penalty=penalty)
        for penalty in (0, 0.5, 1, 2, 5, 1000)
    ]
    n_features = [int(model.support_.sum()) for model in models]
    assert n_features == sorted(n_features, reverse=True)
    assert n_features[0] > n_features[-1] == 0
    errors = [loss(model) for model in models]
    assert errors == sorted(errors)


def test_a_high_penalty_makes_the_search_shorter() -> None:
    """The features that every tree of a part tests are paid for before any of its trees is grown."""
    data, estimator = datasets.load("breast-cancer"), GreedyTreeClassifier(min_samples_split=4)
    built = []
    for penalty in (0, 20):
        model = CompleteSearchSelector(
            estimator=estimator, validation_feature_penalty=penalty, random_state=0
        ).fit(data)
        assert model.search_.status == "optimal"
        built.append(model.n_trees_built_)
    assert 2 * built[1] < built[0]


def test_whole_penalties_give_whole_costs() -> None:
    table, options, _ = drawn(6, 2)
    table.weights = None
    table.growing.pop("cost_matrix", None)
    for kind in (BackwardEliminationSelector, CompleteSearchSelector):
        for given in ({}, options):
            whole = table.selected(kind, None, validation_feature_penalty=2, **given)
            assert type(whole.search_.cost) is int
            part = table.selected(kind, None, validation_feature_penalty=0.5, **given)
            assert type(part.search_.cost) is float


@pytest.mark.parametrize("penalty", [-1, float("nan"), float("inf"), "2", None, True])
@pytest.mark.parametrize("kind", [BackwardEliminationSelector, CompleteSearchSelector])
def test_what_is_no_number_of_errors_is_refused(kind: type, penalty: object) -> None:
    table, _, _ = drawn(0, 1)
    with pytest.raises(ParameterError, match="validation_feature_penalty"):
        table.selected(kind, None, validation_feature_penalty=penalty)


def test_the_command_line_tells_the_sum_and_what_is_in_it(run: Run) -> None:
    asked = ("select", "wine", "--validation-feature-penalty", 2, "--validation-leaf-penalty", 0.5)
    result = run(*asked, "--json")
    search, history = json.loads(result.out)["search"], json.loads(result.out)["search"]["history"]
    last = history[-1]
    assert search["cost"] == last["errors"] + 0.5 * last["n_leaves"] + 2 * last["n_used"]
    text = run(*asked).out
    assert "features tested before pruning after" in text
    assert [line.split()[-1] for line in text.splitlines() if line.strip().startswith("step")] == ["tested"]
    assert "errors plus 0.5 a leaf and 2 a feature tested before" in " ".join(text.split())
    complete = json.loads(run(*asked, "--complete", "--json").out)["search"]
    assert complete["cost"] == complete["bound"] <= search["cost"]
