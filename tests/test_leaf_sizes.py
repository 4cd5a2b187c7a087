"""Limits on the size of nodes, branches and trees, against slow and obvious versions of them.

Inner names: `data.dataset`: tables of the reference as users have them.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from reference import grow
from reference.bridge import core_dataset, core_grow, core_nodes
from reference.numbers import UNIT_MASS
from reference.splits import gini_gain, info_gain
from reference.table import Column, Growing, Table
from strategies import random_growing, random_table
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    GreedyTreeClassifier,
    ParameterError,
    datasets,
)
from treewright.data.dataset import dataset_of_codes
from treewright.distinct import count_distinct_trees, enumerate_distinct_trees

KINDS = ("mixed", "nominal", "numeric")
F_BITS = 32


def drawn(seed: int, **limits: Any) -> tuple[Table, Growing]:
    rng = Random(f"leaves {seed}")
    table = random_table(rng, rng.choice(KINDS), samples=(5, 60))
    return table, replace(random_growing(rng, table), **limits)


def known_weights(table: Table, tree: Any, growth: Growing) -> list[list[float]]:
    """Return what reaches each branch of each node with a known value, samples of weight 1."""
    reached: list[list[float]] = [[] for _ in range(len(tree.kind))]

    def descend(node: int, shares: dict[int, float]) -> None:
        if tree.n_children[node] == 0:
            return
        column = table.columns[tree.feature[node]]
        children = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        parts: list[dict[int, float]] = [{} for _ in children]
        for sample, share in shares.items():
            value = column.values[sample]
            if value is not None:
                branch = value if column.is_nominal else int(value > tree.threshold[node])
                parts[int(branch)][sample] = share
        weights = [sum(part.values()) for part in parts]
        reached[node] = weights
        for sample, share in shares.items():
            if column.values[sample] is None:
                for part, weight in zip(parts, weights, strict=True):
                    part[sample] = share * weight / sum(weights)
        for child, part in zip(children, parts, strict=True):
            descend(child, {sample: share for sample, share in part.items() if share})

    descend(0, dict.fromkeys(range(table.n_samples), 1.0))
    return reached


@pytest.mark.parametrize("growth", ["standard", "c45"])
def test_every_branch_that_a_sample_reaches_has_the_weight_of_a_leaf(growth: str) -> None:
    n_splits = 0
    for seed in range(150):
        table, growing = drawn(seed, growth=growth, missing="distribution", class_weight=None)
        least = Random(seed).choice((2.0, 3.0, 4.5))
        criterion = "gain_ratio" if growth == "c45" else growing.criterion
        growing = replace(growing, min_samples_leaf=least, criterion=criterion, min_gain=0.0)
        table = replace(table, weights=None)
        tree = core_grow(table, growing)
        for weights in known_weights(table, tree, growing):
            assert all(weight == 0 or weight >= least - 0.01 for weight in weights), (seed, weights)
            n_splits += bool(weights)
    assert n_splits > 20


def test_up_to_1_any_weight_will_do() -> None:
    for seed in range(60):
        table, growing = drawn(seed)
        trees = [core_grow(table, replace(growing, min_samples_leaf=least)) for least in (0, 1, 1.0)]
        assert trees[0] == trees[1] == trees[2]


def test_two_branches_are_enough_for_the_other_minimum() -> None:
    X = [["a"]] * 5 + [["b"]] * 5 + [["c"]]
    y = [0] * 5 + [1] * 6
    assert GreedyTreeClassifier(min_samples_branch=5).fit(X, y).get_n_leaves() == 3
    assert GreedyTreeClassifier(min_samples_leaf=5).fit(X, y).get_n_leaves() == 1
    assert GreedyTreeClassifier(min_samples_branch=6).fit(X, y).get_n_leaves() == 1


# Shares.


@pytest.mark.parametrize("share", [0.07, 0.29, 0.57, 0.58, 1e-9, 0.5, 0.3])
@pytest.mark.parametrize("name", ["min_samples_split", "min_samples_leaf", "min_samples_branch"])
def test_a_share_is_the_decimal_that_is_written(name: str, share: float) -> None:
    rng = np.random.default_rng(int(share * 100))
    X, y = rng.integers(0, 9, (100, 4)).astype(float), rng.integers(0, 2, 100)
    least = max(Fraction(str(share)) * 100, Fraction(1, 10**6))
    whole = int(least) if least == int(least) else float(least)
    as_weight = {name: whole if whole >= 1 else 1 if name == "min_samples_split" else 0}
    shared = GreedyTreeClassifier(**{name: share}).fit(X, y).tree_
    assert shared == GreedyTreeClassifier(**as_weight).fit(X, y).tree_


def test_a_share_is_one_of_the_training_weight() -> None:
    X, y = load_iris(return_X_y=True)
    rows = list(range(0, 150, 3))
    weights = np.arange(1.0, 151.0)
    shared = GreedyTreeClassifier(min_samples_leaf=0.1)
    selector = BackwardEliminationSelector(estimator=shared, validation_set=rows).fit(X, y, weights)
    building = np.setdiff1d(np.arange(150), rows)
    alone = GreedyTreeClassifier(min_samples_leaf=0.1 * weights[building].sum())
    own = alone.fit(X[np.ix_(building, selector.support_)], y[building], weights[building]).tree_
    assert own.n_nodes == selector.tree_.n_nodes
    assert own.class_weights.tolist() == selector.tree_.class_weights.tolist()


def test_limits_may_be_numbers_of_numpy() -> None:
    X, y = load_iris(return_X_y=True)
    for one, other in ((np.float32(0.07), 0.07), (np.int64(5), 5), (np.float64(0.3), 0.3)):
        trees = [GreedyTreeClassifier(min_samples_leaf=least).fit(X, y).tree_ for least in (one, other)]
        assert trees[0] == trees[1]


# Searches.


@pytest.mark.parametrize("least", [3, 0.1])
def test_searches_over_features_keep_to_the_limit(least: float) -> None:
    for seed in range(25):
        table, growing = drawn(seed, class_weight=None, growth="standard")
        weights = table.weights if seed % 2 and min(table.weights or [0]) > 0.01 else None
        table = replace(table, columns=table.columns[:4], weights=weights)
        growing = replace(growing, min_samples_leaf=least)
        features = range(table.n_features)
        subsets = ([f for f in features if mask >> f & 1] for mask in range(1 << table.n_features))
        data = core_dataset(table)
        expected = {core_grow(data, growing, subset) for subset in subsets}
        model, asked = as_users_have_it(table), GreedyTreeClassifier(**vars(growing))
        assert count_distinct_trees(model, estimator=asked).n_distinct == len(expected)
        assert {tree.tree._core for tree in enumerate_distinct_trees(model, estimator=asked)} == expected


def as_users_have_it(table: Table) -> Any:
    core = core_dataset(table)
    columns = [core.column(i) for i in range(core.n_features)]
    weights = None if table.weights is None else np.array(table.weights)
    return dataset_of_codes(core.names, columns, core.levels, core.target, np.array(core.classes), weights)


# Leaves.


def best_first(table: Table, growing: Growing, most: int) -> set[tuple[int, ...]]:
    """Return the paths of the nodes that are opened, by the plain version of the whole tree."""
    whole = grow(table, replace(growing, max_leaf_nodes=None))
    opened: set[tuple[int, ...]] = set()
    waiting = [((), whole.root)]
    n_leaves = 1
    while True:
        ranked = [(gain_at(node, growing), -i, path, node) for i, (path, node) in enumerate(waiting)]
        splits = [(gain, order, path, node) for gain, order, path, node in ranked if node.feature is not None]
        if not splits:
            return opened
        _, order, path, node = max(splits, key=lambda split: split[:2])
        waiting[-order] = (path, replace(node, feature=None))
        filled = sum(child.mass > 0 for child in node.children)
        if n_leaves - 1 + filled <= most:
            n_leaves += filled - 1
            opened.add(path)
            waiting.extend(((*path, i), child) for i, child in enumerate(node.children))


def gain_at(node: Any, growing: Growing) -> int:
    if node.feature is None:
        return 0
    contingency = [list(child.class_masses) for child in node.children]
    return gini_gain(contingency) if growing.criterion == "gini" else info_gain(contingency, F_BITS)


def opened_by(tree: Any) -> set[tuple[int, ...]]:
    paths: dict[int, tuple[int, ...]] = {0: ()}
    for node in range(len(tree.kind)):
        for i in range(tree.n_children[node]):
            paths[tree.first_child[node] + i] = (*paths[node], i)
    return {path for node, path in paths.items() if tree.n_children[node]}


def test_the_leaf_that_gains_most_is_opened_first() -> None:
    n_limited = 0
    for seed in range(120):
        table, growing = drawn(seed, growth="standard", class_weight=None)
        if growing.missing == "distribution":
            growing = replace(growing, missing="value")
        table = replace(table, weights=None)
        for most in (1, 2, 3, 5):
            tree = core_grow(table, replace(growing, max_leaf_nodes=most))
            assert opened_by(tree) == best_first(table, growing, most), (seed, most)
            n_limited += len(tree.kind) > 1
    assert n_limited > 50


@pytest.mark.parametrize("growth", ["standard", "c45", "id3"])
def test_a_limit_that_does_not_bind_changes_nothing(growth: str) -> None:
    for seed in range(80):
        table, growing = drawn(seed, class_weight=None)
        if growth == "id3" and not all(column.is_nominal for column in table.columns):
            continue
        criterion = {"standard": growing.criterion, "id3": "info_gain"}.get(growth, "gain_ratio")
        growing = replace(growing, growth=growth, criterion=criterion, mdl_correction=None)
        limited = core_grow(table, replace(growing, max_leaf_nodes=10_000))
        assert core_nodes(limited) == core_nodes(core_grow(table, growing)), seed


def test_leaves_are_as_many_as_allowed() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    for most in (1, 2, 3, 7, 12):
        model = GreedyTreeClassifier(max_leaf_nodes=most).fit(X, y)
        assert model.get_n_leaves() == most
    accuracies = [GreedyTreeClassifier(max_leaf_nodes=n).fit(X, y).score(X, y) for n in (2, 4, 8)]
    assert accuracies == sorted(accuracies)


# Switches.


def test_a_collapse_takes_away_what_saves_no_errors() -> None:
    data = datasets.load("tic-tac-toe")
    whole = GreedyTreeClassifier.c45(pruning=None, collapse=False).fit(data).tree_
    collapsed = GreedyTreeClassifier.c45(pruning=None).fit(data).tree_
    assert collapsed.n_nodes < whole.n_nodes
    assert n_wrong(collapsed, data) == n_wrong(whole, data)
    grown, standard = (
        GreedyTreeClassifier(collapse=flag, max_depth=3).fit(data).tree_ for flag in (False, True)
    )
    assert standard.n_nodes < grown.n_nodes
    assert n_wrong(standard, data) == n_wrong(grown, data)


def n_wrong(tree: Any, data: Any) -> int:
    return int((tree.predict(data) != data.classes[data.target]).sum())


def test_every_switch_of_c45_switches() -> None:
    switched = dict.fromkeys(("mdl_correction", "collapse", "average_gain"), 0)
    for seed in range(100):
        table, _ = drawn(seed)
        growing = Growing(criterion="gain_ratio", growth="c45", min_samples_branch=2)
        usual = core_grow(table, growing)
        for name in switched:
            assert core_grow(table, replace(growing, **{name: True})) == usual, (name, seed)
            switched[name] += core_grow(table, replace(growing, **{name: False})) != usual
    assert min(switched.values()) > 0, switched


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"average_gain": True}, "average_gain=True does not go with growth='standard'"),
        (
            {"average_gain": True, "growth": "c45", "criterion": "info_gain"},
            "average_gain=True does not go with criterion='info_gain'",
        ),
        ({"collapse": 1}, "None or True or False"),
        ({"max_leaf_nodes": 0}, "an int of at least 1"),
        ({"max_leaf_nodes": 2.5}, "an int of at least 1"),
    ],
)
def test_what_does_not_apply_is_refused(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        GreedyTreeClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("parameters", [{"max_leaf_nodes": 5}, {"collapse": True}])
def test_searches_refuse_what_looks_at_other_nodes(parameters: dict[str, Any]) -> None:
    X, y = load_iris(return_X_y=True)
    estimator = GreedyTreeClassifier(**parameters)
    for ask in (
        lambda: BackwardEliminationSelector(estimator=estimator).fit(X, y),
        lambda: CompleteSearchSelector(estimator=estimator).fit(X, y),
        lambda: count_distinct_trees(X, y, estimator=estimator),
        lambda: enumerate_distinct_trees(X, y, estimator=estimator),
    ):
        with pytest.raises(ParameterError, match=f"{next(iter(parameters))}=.* feature search"):
            ask()


def test_entropy_is_another_name_of_information_gain() -> None:
    X, y = load_iris(return_X_y=True)
    assert GreedyTreeClassifier(criterion="entropy").fit(X, y).tree_ == GreedyTreeClassifier().fit(X, y).tree_
    assert GreedyTreeClassifier.c45(criterion="entropy").fit(X, y).tree_.n_nodes > 1


def test_the_reference_knows_shares() -> None:
    table = Table((Column(tuple(map(float, range(10)))),), (0,) * 5 + (1,) * 5, 2)
    tree = grow(table, Growing(min_samples_leaf=0.5))
    assert [child.mass for child in tree.root.children] == [5 * UNIT_MASS] * 2
    assert grow(table, Growing(min_samples_leaf=0.51)).root.feature is None
