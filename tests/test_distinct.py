"""Enumeration finds all and only the distinct trees: against brute force over every feature subset.

Inner names, as in unit tests: `_core`: the engine is asked alone, without the checks around it.
`data.dataset`: a column is looked at before it is part of a table.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification

from growers import grown_by
from reference.bridge import core_dataset, core_grow, core_rows
from reference.table import Column, Growing, Table, counted_weights, total_weight
from strategies import random_growing, random_parts, random_table
from treewright import Dataset, GreedyTreeClassifier, datasets
from treewright._core import Tree as CoreTree
from treewright.data.dataset import dataset_of_codes
from treewright.distinct import DistinctTrees, count_distinct_trees, enumerate_distinct_trees

ORDERS = ("frontier", "frontier_descending", "index", "index_descending")
KINDS = ("nominal", "numeric", "mixed")
Groups = dict[CoreTree, set[tuple[int, ...]]]


# Brute force ---------------------------------------------------------------------------


def dataset(table: Table) -> Dataset:
    """Table as a `Dataset`, declared levels and all."""
    core = core_dataset(table)
    weights = None if table.weights is None else np.array(table.weights)
    columns = [core.column(i) for i in range(core.n_features)]
    return dataset_of_codes(core.names, columns, core.levels, core.target, np.array(core.classes), weights)


def grower(growing: Growing) -> GreedyTreeClassifier:
    return GreedyTreeClassifier(**vars(growing))


def enumerated(table: Table, growing: Growing, **options: Any) -> DistinctTrees:
    return enumerate_distinct_trees(dataset(table), estimator=grower(growing), **options)


def used_sets(table: Table, growing: Growing, **options: Any) -> list[tuple[int, ...]]:
    return sorted(tree.used_features for tree in enumerated(table, growing, **options))


def random_problem(seed: int, n_features: int, n_samples: tuple[int, int] = (1, 30)) -> tuple[Table, Growing]:
    rng = Random(seed)
    table = random_table(rng, KINDS[seed % 3], samples=n_samples)
    table = replace(table, columns=table.columns[:n_features])
    return table, replace(random_growing(rng, table), class_weight=None)


def brute_force(table: Table, growing: Growing) -> Groups:
    """Grow the tree of every subset; sort the subsets by the tree they give."""
    core, groups = core_dataset(table), defaultdict(set)
    for size in range(table.n_features + 1):
        for subset in combinations(range(table.n_features), size):
            groups[core_grow(core, growing, subset)].add(subset)
    return groups


@pytest.mark.parametrize("seeds", [range(i, i + 50) for i in range(0, 200, 50)], ids=str)
def test_each_distinct_tree_comes_once_with_exactly_its_subsets(seeds: range) -> None:
    for seed in seeds:
        table, growing = random_problem(seed, n_features=5)
        groups, trees = brute_force(table, growing), enumerated(table, growing)
        found = {tree.tree._core: set(tree.equivalent_subsets) for tree in trees}
        assert found == groups, seed
        assert trees.n_distinct == len(groups) <= trees.n_built
        assert (trees.status, trees.certificate) == ("complete", 2**table.n_features)


@pytest.fixture(scope="module")
def solved() -> list[tuple[Table, Growing, list[tuple[int, ...]]]]:
    """Problems of up to seven features with the used features of all their distinct trees."""
    problems = [random_problem(seed, n_features=7) for seed in range(300, 340)]
    return [
        (table, growing, sorted(tuple(tree.used_features) for tree in brute_force(table, growing)))
        for table, growing in problems
    ]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("options", [{}, {"memory_limit": 1}, {"n_jobs": 2}], ids=str)
def test_order_memory_and_threads_change_no_tree(solved: Any, order: str, options: dict[str, Any]) -> None:
    for table, growing, expected in solved:
        assert used_sets(table, growing, order=order, **options) == expected
        count = count_distinct_trees(dataset(table), estimator=grower(growing), order=order, **options)
        sizes = [len(used) for used in expected]
        assert count.by_n_features == list(map(sizes.count, range(table.n_features + 1)))
        assert (count.n_distinct, count.certificate) == (len(expected), 2**table.n_features)
        assert count.n_built >= count.n_distinct


def test_errors_are_those_of_predicting_the_search_samples() -> None:
    for seed in range(400, 460):
        table, growing = random_problem(seed, n_features=5, n_samples=(2, 40))
        building, search = random_parts(Random(seed), table)
        trees = enumerated(table, growing, validation_set=search)
        assert trees.validation_rows is not None
        assert trees.validation_rows.tolist() == sorted(search)
        groups = brute_force(table.take(sorted(building)), growing)
        found = {tree.tree._core: tree.n_validation_errors for tree in trees}
        assert found == {tree: errors(tree, table, growing, building, search) for tree in groups}, seed
        count = count_distinct_trees(dataset(table), estimator=grower(growing), validation_set=search)
        assert count.n_distinct == len(groups)


def errors(
    tree: CoreTree, table: Table, growing: Growing, building: Sequence[int], search: Sequence[int]
) -> float:
    predicted = tree.predict(core_rows(table, [table.row(i) for i in search])).tolist()
    weights = counted_weights(table, growing, building)
    return total_weight(
        [weights[i] for i, label in zip(search, predicted, strict=True) if label != table.target[i]]
    )


def test_errors_are_whole_numbers_where_weights_are() -> None:
    X, y = make_classification(60, 5, random_state=0)
    options = grown_by(validation_set=0.3, random_state=0, min_samples_split=20)
    whole = [tree.n_validation_errors for tree in enumerate_distinct_trees(X, y, **options)]
    assert {type(n) for n in whole} == {int}
    for weight in (0.5, 1e-9):  # scaled to 1
        light = enumerate_distinct_trees(X, y, sample_weight=np.full(60, weight), **options)
        assert [tree.n_validation_errors for tree in light] == whole
    options |= grown_by(min_samples_split=30, min_samples_branch=1.5)
    heavy = enumerate_distinct_trees(X, y, sample_weight=np.full(60, 1.5), **options)
    assert [tree.n_validation_errors for tree in heavy] == [n * 1.5 for n in whole]


# What must hold whatever the data ------------------------------------------------------


@pytest.mark.parametrize("seed", range(600, 640))
def test_fewer_features_give_those_trees_that_do_with_them(seed: int) -> None:
    table, growing = random_problem(seed, n_features=6)
    kept = sorted(Random(seed).sample(range(table.n_features), Random(seed).randint(1, table.n_features)))
    fewer = replace(table, columns=tuple(table.columns[i] for i in kept))
    found = [tuple(kept[i] for i in used) for used in used_sets(fewer, growing)]
    assert sorted(found) == [used for used in used_sets(table, growing) if set(used) <= set(kept)]


@pytest.mark.parametrize("seed", range(700, 740))
def test_changes_that_must_not_matter(seed: int) -> None:
    table, growing = random_problem(seed, n_features=5)
    expected, rng = used_sets(table, growing), Random(seed)
    shuffled = table.take(rng.sample(range(table.n_samples), table.n_samples))
    constant = replace(table, columns=(*table.columns, Column((3.5,) * table.n_samples)))
    mapped = replace(table, columns=tuple(map(ranked, table.columns)))
    assert used_sets(shuffled, growing) == used_sets(mapped, growing) == expected
    if growing.growth != "id3":
        assert used_sets(constant, growing) == expected


def ranked(column: Column) -> Column:
    """Put ranks in place of the numbers of a numeric column."""
    if column.is_nominal:
        return column
    distinct = sorted({value for value in column.values if value is not None})
    ranks = (None if value is None else 10.0 * distinct.index(value) for value in column.values)
    return Column(tuple(ranks))


@pytest.mark.parametrize("seed", range(800, 830))
def test_a_copy_of_a_column_adds_the_trees_that_test_it_alone(seed: int) -> None:
    table, growing = random_problem(seed, n_features=5)
    copied, last = Random(seed).randrange(table.n_features), table.n_features
    longer = replace(table, columns=(*table.columns, table.columns[copied]))
    expected, found = used_sets(table, growing), used_sets(longer, growing)
    assert [used for used in found if last not in used] == expected
    assert not [used for used in found if last in used and copied in used]


@pytest.mark.parametrize("criterion", ["info_gain", "gain_ratio", "gini"])
def test_the_order_of_features_changes_no_count_where_none_tie(criterion: str) -> None:
    X, y = make_classification(300, 8, n_informative=5, flip_y=0.2, random_state=3)
    weights = np.random.default_rng(0).uniform(1, 2, 300)  # so that no two splits weigh the same
    options = grown_by(
        criterion=criterion, min_samples_split=60, min_samples_branch=30, sample_weight=weights
    )
    expected = count_distinct_trees(X, y, **options)
    assert expected.n_distinct > 100
    for seed in range(3):
        permuted = X[:, np.random.default_rng(seed).permutation(8)]
        assert count_distinct_trees(permuted, y, **options).by_n_features == expected.by_n_features


@pytest.mark.parametrize(
    ("y", "options"),
    [
        ([0, 1] * 10, {"min_samples_split": 21}),
        ([0, 1] * 10, {"max_depth": 0}),
        ([0] * 20, {}),
    ],
    ids=["too few samples", "no depth", "one class"],
)
def test_a_single_leaf_is_the_only_tree(y: list[int], options: dict[str, Any]) -> None:
    X = np.random.default_rng(0).normal(size=(20, 70))
    trees = list(enumerate_distinct_trees(X, y, **grown_by(**options)))
    assert [(tree.used_features, tree.blocked_features) for tree in trees] == [((), ())]
    count = count_distinct_trees(X, y, **grown_by(**options))
    assert (count.n_distinct, count.certificate, count.n_subsets) == (1, 2**70, 2**70)
    assert count.by_n_features == [1, *[0] * 70]


# Real data -----------------------------------------------------------------------------

BUNDLED = [
    ("wine", 2),
    ("iris", 2),
    ("monks-1", 2),
    ("tic-tac-toe", 2),
    ("balance-scale", 2),
    ("digits", 1024),
]
IN_FOLDER = [
    ("breast-w", 2),
    ("credit-g", 256),
    ("crx", 64),
    ("heart-c", 32),
    ("hepatitis", 32),
    ("ionosphere", 256),
    ("lymph", 32),
    ("pima", 2),
    ("segment", 512),
    ("soybean", 400),
    ("vote", 64),
    ("yeast", 64),
]
OF_THE_PAPER = [
    ("adult", 8192),
    ("anneal-orig", 16),
    ("hypothyroid", 3000),
    ("ionosphere", 192),
    ("letter", 4096),
    ("sonar", 128),
    ("soybean", 256),
]
"""Sets of the paper's table 1 that can be counted in seconds, each with an m at which that is so."""

LARGEST_OVERHEAD = 1.15


def check_certificate_of(name: str, min_samples_split: float) -> None:
    count = count_distinct_trees(
        datasets.load(name), estimator=GreedyTreeClassifier(min_samples_split=min_samples_split)
    )
    assert count.status == "complete"
    assert count.certificate == 2**count.n_features
    assert sum(count.by_n_features) == count.n_distinct > 1
    assert 1 <= count.overhead <= LARGEST_OVERHEAD


@pytest.mark.parametrize(("name", "min_samples_split"), BUNDLED)
def test_certificate_of_bundled_data(name: str, min_samples_split: float) -> None:
    check_certificate_of(name, min_samples_split)


@pytest.mark.skipif(not os.environ.get("TREEWRIGHT_DATA"), reason="TREEWRIGHT_DATA is not set")
@pytest.mark.parametrize(("name", "min_samples_split"), IN_FOLDER)
def test_certificate_of_real_data(name: str, min_samples_split: float) -> None:
    check_certificate_of(name, min_samples_split)


@pytest.mark.skipif(not os.environ.get("TREEWRIGHT_DATA"), reason="TREEWRIGHT_DATA is not set")
@pytest.mark.parametrize(("name", "min_samples_split"), OF_THE_PAPER)
def test_few_trees_are_built_in_vain_on_the_sets_of_the_paper(name: str, min_samples_split: float) -> None:
    check_certificate_of(name, min_samples_split)
