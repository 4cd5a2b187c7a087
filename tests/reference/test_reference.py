"""The reference against hand-made answers, scikit-learn and itself."""

import doctest
from random import Random
from types import ModuleType

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from reference import numbers, single, splits
from reference import table as tables
from reference.cases import Case, feature_of, growing_of, read_cases, row_of, table_of
from reference.eliminate import TOP_TREE, eliminate_backward
from reference.grow import Node, Tree, grow
from reference.numbers import UNIT_MASS, log, log2, weight_of
from reference.predict import predict, predict_proba
from reference.table import Column, Growing, Table
from strategies import random_growing, random_parts, random_table

MODULES = (numbers, single, splits, tables)
TREES = read_cases("trees")["case"]
ELIMINATIONS = read_cases("eliminations")["case"]


def named(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_of_the_docstrings_run(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("value", read_cases("logarithms")["values"], ids=lambda value: value["x"])
def test_logarithms_have_the_bits_of_the_libm_crate(value: dict[str, str]) -> None:
    x = float.fromhex(value["x"])
    assert log2(x).hex() == value["log2"]
    assert log(x).hex() == value["log"]


@named(TREES)
def test_tree_is_as_worked_out_by_hand(case: Case) -> None:
    nodes = list(grow(table_of(case), growing_of(case)).root.walk())
    assert [_seen(node) for node in nodes] == [_expected(case, node) for node in case["nodes"]]
    for node, expected in zip(nodes, case["nodes"], strict=True):
        assert list(map(weight_of, node.class_masses)) == pytest.approx(expected["weights"], abs=1e-6)


def _seen(node: Node) -> tuple[int | None, float | None, int]:
    return node.feature, node.threshold, node.node_class


def _expected(case: Case, node: dict[str, object]) -> tuple[int | None, object, int]:
    feature = feature_of(case, str(node["feature"])) if "feature" in node else None
    return feature, node.get("threshold"), case["classes"].index(node["class"])


@named([case for case in TREES if "predict" in case])
def test_prediction_is_as_worked_out_by_hand(case: Case) -> None:
    tree = grow(table_of(case), growing_of(case))
    for asked in case["predict"]:
        row = row_of(case, asked["row"])
        assert case["classes"][predict(tree, row)] == asked["class"]
        if "proba" in asked:
            assert predict_proba(tree, row) == pytest.approx(asked["proba"], abs=1e-6)


@named(ELIMINATIONS)
@pytest.mark.parametrize("strategy", ["incremental", "retrain"])
def test_elimination_is_as_worked_out_by_hand(case: Case, strategy: str) -> None:
    found = eliminate_backward(table_of(case), growing_of(case), case["building"], case["search"], strategy)
    steps = [(step.dropped, step.errors, step.n_trees_built) for step in found.history]
    assert steps == [
        (feature_of(case, step["dropped"]) if "dropped" in step else TOP_TREE, step["errors"], step[strategy])
        for step in case["history"]
    ]
    assert found.n_trees_built == case["n_trees_built"][strategy]
    assert found.selected == [feature_of(case, name) for name in case["selected"]]
    assert found.tree.used_features == [feature_of(case, name) for name in case["used"]]


@pytest.mark.parametrize(("criterion", "theirs"), [("info_gain", "entropy"), ("gini", "gini")])
@pytest.mark.parametrize("seed", range(20))
def test_one_numeric_feature_gives_the_tree_of_scikit_learn(criterion: str, theirs: str, seed: int) -> None:
    rng = Random(seed)
    n = rng.randint(5, 40)
    x = [rng.gauss(0.0, 1.0) for _ in range(n)]
    y = [rng.randrange(3) for _ in range(n)]
    weights = tuple(rng.randint(1, 1000) / 64 for _ in range(n))
    tree = grow(
        Table((Column(tuple(x)),), tuple(y), 3, weights),
        Growing(criterion=criterion, min_samples_split=0.0, min_samples_branch=0.0),
    )
    other = DecisionTreeClassifier(criterion=theirs).fit(np.array(x)[:, None], y, sample_weight=weights)
    assert _node_weights(tree) == pytest.approx(sorted(other.tree_.weighted_n_node_samples))
    assert [predict(tree, (value,)) for value in x] == y


def _node_weights(tree: Tree) -> list[float]:
    return sorted(node.mass / UNIT_MASS for node in tree.root.walk())


@pytest.mark.parametrize("seed", range(100))
def test_black_box_and_pruned_elimination_take_the_same_steps(seed: int) -> None:
    rng = Random(seed)
    table = random_table(rng, samples=(10, 40), min_features=4)
    arguments = table, random_growing(rng, table), *random_parts(rng, table)
    black_box = eliminate_backward(*arguments, "retrain")
    pruned = eliminate_backward(*arguments, "incremental")
    assert _dropped(pruned.history) == _dropped(black_box.history)
    assert (pruned.selected, pruned.tree) == (black_box.selected, black_box.tree)
    assert pruned.n_trees_built <= black_box.n_trees_built


def _dropped(history: list) -> list[tuple[int, float]]:
    return [(step.dropped, step.errors) for step in history]
