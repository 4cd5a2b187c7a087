"""C4.5's growing: against the slow reference, and against the trees of release 8 itself."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import numpy as np
import pandas as pd
import pytest

from reference.bridge import core_eliminate, core_grow
from reference.c45 import grow
from reference.cases import Case, read_cases
from reference.matching import assert_same_tree
from reference.table import Growing, Table
from strategies import random_growing, random_table
from treewright import GreedyTreeClassifier, ParameterError, _core, datasets

N_BLOCKS = 10
TREES_PER_BLOCK = 200
MINIMA = (0.0, 1.0, 2.0, 2.0, 2.0, 3.0, 4.0, 5.0, 1.5)


def drawn(seed: int, samples: tuple[int, int] = (1, 60)) -> tuple[Table, Growing]:
    rng = Random(seed)
    table = random_table(rng, rng.choice(("mixed", "mixed", "nominal", "numeric")), samples=samples)
    if rng.random() < 0.6:
        table = replace(table, weights=None)
    growing = replace(
        random_growing(rng, table),
        growth="c45",
        criterion=rng.choice(("gain_ratio", "gain_ratio", "gain_ratio", "info_gain")),
        min_samples_branch=rng.choice(MINIMA),
        mdl_correction=rng.choice((None, None, True, False)),
        collapse=rng.choice((None, None, True, False)),
    )
    if growing.criterion == "gain_ratio":
        growing = replace(growing, average_gain=rng.choice((None, None, True, False)))
    return table, growing


def check(table: Table, growing: Growing, features: list[int] | None = None) -> _core.Tree:
    core = core_grow(table, growing, features)
    assert_same_tree(grow(table, growing, features), core, f"{growing}\n{table}")
    return core


@pytest.mark.parametrize("block", range(N_BLOCKS))
def test_trees_are_those_of_the_reference(block: int) -> None:
    sizes = []
    for seed in range(block * TREES_PER_BLOCK, (block + 1) * TREES_PER_BLOCK):
        sizes.append(check(*drawn(seed)).n_nodes)
    assert sum(size > 5 for size in sizes) > TREES_PER_BLOCK / 20


@pytest.mark.parametrize("seed", range(30))
def test_larger_tables_too(seed: int) -> None:
    check(*drawn(seed, samples=(200, 600)))


@pytest.mark.parametrize("block", range(3))
def test_trees_of_some_features_are_those_of_the_reference(block: int) -> None:
    for seed in range(block * 100, (block + 1) * 100):
        table, growing = drawn(seed)
        rng = Random(seed)
        check(table, growing, [f for f in range(table.n_features) if rng.random() < 0.6])


def test_the_number_of_threads_changes_nothing() -> None:
    for seed in range(40):
        table, growing = drawn(seed, samples=(20, 400))
        one, *others = (core_grow(table, growing, n_threads=n) for n in (1, 2, 4))
        assert others == [one, one], table


def shuffled(table: Table, seed: int) -> Table:
    return table.take(Random(seed).sample(range(table.n_samples), table.n_samples))


def test_the_order_of_samples_changes_nothing_where_they_stay_whole_or_have_weights() -> None:
    for seed in range(150):
        table, growing = drawn(seed)
        if table.weights is None:
            growing = replace(growing, missing="value")
        one, other = core_grow(table, growing), core_grow(shuffled(table, seed), growing)
        assert one == other, f"{growing}\n{table}"


def test_a_weight_of_2_is_the_sample_twice_where_samples_stay_whole() -> None:
    for seed in range(150):
        table, growing = drawn(seed)
        plain = replace(table, weights=None)
        heavy = replace(table, weights=(2.0,) * table.n_samples)
        growing = replace(growing, missing="value")
        twice = plain.take([*range(table.n_samples), *range(table.n_samples)])
        assert core_grow(heavy, growing) == core_grow(twice, growing), f"{growing}\n{table}"


# What C4.5 does and standard growing does not.


def labels(text: str) -> list[int]:
    return [int(letter) for letter in text]


def test_a_cut_leaves_enough_on_both_sides() -> None:
    # 60 samples of 2 classes: 0.1 * 60 / 2 = 3 on each side, so the 2 lowest are not cut off alone.
    y = labels("11" + "0" * 58)
    X = [[float(i)] for i in range(60)]
    standard = GreedyTreeClassifier(criterion="gain_ratio", min_samples_branch=2).fit(X, y).tree_
    assert standard.threshold[0] == 1.0
    assert GreedyTreeClassifier.c45(pruning=None).fit(X, y).tree_.threshold[0] == 2.0
    assert GreedyTreeClassifier.c45(pruning=None).fit(X[:40], y[:40]).tree_.threshold[0] == 1.0


def test_numbers_next_to_each_other_are_not_cut() -> None:
    y = labels("0000011111")
    near, far = ([[0.0]] * 5 + [[step]] * 5 for step in (0.9e-5, 1.1e-5))
    assert GreedyTreeClassifier.c45(pruning=None).fit(near, y).tree_.n_nodes == 1
    assert GreedyTreeClassifier.c45(pruning=None).fit(far, y).tree_.n_nodes == 3


def test_a_subtree_that_saves_nothing_collapses() -> None:
    # Either level has more of class 0, but in different proportion.
    X = [["a"]] * 10 + [["b"]] * 10
    y = labels("0000000001" + "0000001111")
    assert GreedyTreeClassifier(criterion="gain_ratio").fit(X, y).tree_.n_nodes == 3
    assert GreedyTreeClassifier.c45(pruning=None).fit(X, y).tree_.n_nodes == 1


def test_a_split_without_gain_may_lead_to_one_with() -> None:
    X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]] * 2
    y = [0, 1, 1, 0] * 2
    assert GreedyTreeClassifier(criterion="gain_ratio").fit(X, y).tree_.n_nodes == 1
    tree = GreedyTreeClassifier.c45(pruning=None).fit(X, y)
    assert tree.predict(X).tolist() == y
    assert tree.tree_.n_nodes == 7


# Nine names with 3 of 4 in one class gain 0.19 bits of 3.2; a rare value gains 0.06 of 0.3.
RARE = ["rare" if i in (5, 6) else "common" for i in range(36)]
NAMES = [f"name {i // 4}" for i in range(36)]
MOSTLY = labels("00010111" * 4 + "0001")


def test_a_feature_of_little_gain_does_not_win_by_its_ratio() -> None:
    X = [list(pair) for pair in zip(RARE, NAMES, strict=True)]
    by_ratio = GreedyTreeClassifier(criterion="gain_ratio", max_depth=1).fit(X, MOSTLY).tree_
    assert by_ratio.feature[0] == 0
    assert GreedyTreeClassifier.c45(max_depth=1, pruning=None).fit(X, MOSTLY).tree_.feature[0] == 1


@pytest.mark.parametrize(("n_levels", "chosen"), [(10, 1), (11, 0)])
def test_very_many_levels_do_not_count_in_the_average(n_levels: int, chosen: int) -> None:
    # 0.3 of 36 samples are 10.8; without the names the rare value is average itself.
    names = pd.Categorical(NAMES, categories=[f"name {i}" for i in range(n_levels)])
    X = pd.DataFrame({"rare": pd.Categorical(RARE), "name": names})
    assert GreedyTreeClassifier.c45(pruning=None).fit(X, MOSTLY).tree_.feature[0] == chosen


def test_gini_is_refused() -> None:
    with pytest.raises(ParameterError, match="criterion='gini' does not go with growth='c45'"):
        GreedyTreeClassifier(growth="c45", criterion="gini").fit([[0.0], [1.0]], [0, 1])


def test_the_charge_can_be_switched_off() -> None:
    X, y = [[float(i)] for i in range(20)], labels("01" * 10)
    plain, charged, usual = (
        GreedyTreeClassifier.c45(mdl_correction=flag, pruning=None).fit(X, y).tree_
        for flag in (False, True, None)
    )
    assert charged == usual
    assert charged.n_nodes == 1 < plain.n_nodes


def test_a_search_of_the_core_refuses_it() -> None:
    table = random_table(Random(1), samples=(10, 20), min_features=2)
    with pytest.raises(ParameterError, match="growth='c45' cannot be used in a feature search"):
        core_eliminate(table, Growing(growth="c45"), [0, 1], [2, 3], "incremental")


# Release 8 itself.

CASES = read_cases("c45")["case"]
IDS = [f"{case['set']}-{case['missing']}" for case in CASES]
of_release_8 = pytest.mark.parametrize("case", CASES, ids=IDS)
needs_folder = pytest.mark.skipif(
    not os.environ.get("TREEWRIGHT_DATA"), reason="TREEWRIGHT_DATA names no folder of data sets"
)


@needs_folder
@of_release_8
def test_trees_are_those_of_release_8(case: Case) -> None:
    data = datasets.load(f"folder:{case['set']}")
    model = GreedyTreeClassifier.c45(missing=case["missing"], pruning=None).fit(data)
    errors = int((model.predict(data) != np.asarray(data.classes)[data.target]).sum())
    assert [model.tree_.n_nodes, errors] == case["unpruned"]


@needs_folder
@of_release_8
def test_pruned_trees_are_those_of_release_8(case: Case) -> None:
    data = datasets.load(f"folder:{case['set']}")
    model = GreedyTreeClassifier.c45(missing=case["missing"]).fit(data)
    errors = int((model.predict(data) != np.asarray(data.classes)[data.target]).sum())
    assert [model.tree_.n_nodes, errors] == case["pruned"]
