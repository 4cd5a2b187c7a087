"""What must hold of every tree and every elimination, whatever the data.

The tables are Hypothesis's, so a failure comes as a minimal one.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.bridge import core_dataset, core_eliminate, core_grow, core_nodes, core_rows
from reference.table import Column, Growing, Table, counted_weights, total_weight
from strategies import growings, tables

STRATEGIES = ("incremental", "retrain")


@st.composite
def problems(draw: st.DrawFn, **limits: Any) -> tuple[Table, Growing]:
    """Draw a table with growing parameters, ID3's among them where all columns are nominal."""
    if draw(st.booleans()):
        return draw(tables(**limits)), draw(growings())
    return draw(tables(kind="nominal", **limits)), draw(growings("id3"))


@st.composite
def eliminations(draw: st.DrawFn) -> tuple[Table, Growing, list[int], list[int]]:
    """Draw a problem and a division of its samples into building and search."""
    table, growing = draw(problems(min_samples=2))
    order = draw(st.permutations(range(table.n_samples)))
    n_building = draw(st.integers(1, table.n_samples - 1))
    return table, growing, order[:n_building], order[n_building:]


def subsets(n: int) -> list[frozenset[int]]:
    return [frozenset(s) for size in range(n + 1) for s in combinations(range(n), size)]


# Used features -------------------------------------------------------------------------


@given(problems(), st.data())
def test_a_tree_is_that_of_its_used_features(problem: tuple[Table, Growing], data: st.DataObject) -> None:
    table, growing = problem
    allowed = data.draw(st.sets(st.integers(0, table.n_features - 1)))
    tree = core_grow(table, growing, sorted(allowed))
    assert set(tree.used_features) <= allowed
    assert core_grow(table, growing, tree.used_features) == tree


@given(problems(max_features=4, max_samples=12))
def test_used_features_identify_a_tree(problem: tuple[Table, Growing]) -> None:
    table, growing = problem
    trees: dict[tuple[int, ...], object] = {}
    for subset in subsets(table.n_features):
        tree = core_grow(table, growing, sorted(subset))
        assert trees.setdefault(tuple(tree.used_features), tree) == tree


@given(problems(max_features=4, max_samples=12))
def test_equal_trees_come_from_the_union_and_intersection_too(problem: tuple[Table, Growing]) -> None:
    table, growing = problem
    trees = {subset: core_grow(table, growing, sorted(subset)) for subset in subsets(table.n_features)}
    for one, other in combinations(trees, 2):
        if trees[one] == trees[other]:
            assert trees[one | other] == trees[one & other] == trees[one]


# Weights -------------------------------------------------------------------------------


@given(problems())
def test_branch_weights_add_up(problem: tuple[Table, Growing]) -> None:
    table, growing = problem
    tree = core_grow(table, growing)
    total = sum(counted_weights(table, growing)) / 2**20
    leaves = tree.kind == 0
    assert tree.weight[0] == pytest.approx(total)
    assert tree.weight[leaves].sum() == pytest.approx(total)
    assert tree.class_weights.sum(axis=1) == pytest.approx(tree.weight)
    for first, count, weight in zip(tree.first_child, tree.n_children, tree.weight, strict=True):
        if count:
            assert tree.weight[first : first + count].sum() == pytest.approx(weight)


@given(problems(weighted=False), st.data())
def test_a_weight_is_a_sample_repeated(problem: tuple[Table, Growing], data: st.DataObject) -> None:
    table, growing = problem
    times = _times(table, data)
    weighted = replace(table, weights=tuple(map(float, times)))
    repeated = table.take([i for i, n in enumerate(times) for _ in range(n)])
    assert core_grow(weighted, growing) == core_grow(repeated, growing)


def _times(table: Table, data: st.DataObject) -> list[int]:
    n = table.n_samples
    return data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))


@given(eliminations(), st.data())
def test_a_weight_is_a_sample_repeated_in_elimination(
    problem: tuple[Table, Growing, list[int], list[int]], data: st.DataObject
) -> None:
    table, growing, building, search = problem
    plain = replace(table, weights=None)
    times = _times(plain, data)
    copies = [i for i, n in enumerate(times) for _ in range(n)]
    parts = [[at for at, i in enumerate(copies) if i in part] for part in (building, search)]
    weighted = replace(plain, weights=tuple(map(float, times)))
    found = core_eliminate(weighted, growing, building, search, "incremental")
    assert core_eliminate(plain.take(copies), growing, *parts, "incremental") == found


# Order ---------------------------------------------------------------------------------


@given(problems(), st.data())
def test_the_order_of_samples_changes_nothing(problem: tuple[Table, Growing], data: st.DataObject) -> None:
    table, growing = problem
    order = data.draw(st.permutations(range(table.n_samples)))
    assert core_grow(table.take(order), growing) == core_grow(table, growing)


@given(eliminations(), st.randoms(use_true_random=False))
def test_the_order_of_samples_changes_no_elimination(
    problem: tuple[Table, Growing, list[int], list[int]], random: Any
) -> None:
    table, growing, building, search = problem
    found = core_eliminate(table, growing, building, search, "incremental")
    shuffled = [random.sample(part, len(part)) for part in (building, search)]
    assert core_eliminate(table, growing, *shuffled, "incremental") == found


# Elimination ---------------------------------------------------------------------------


@given(eliminations())
def test_pruned_elimination_is_the_black_box(problem: tuple[Table, Growing, list[int], list[int]]) -> None:
    pruned, black_box = (core_eliminate(*problem, strategy) for strategy in STRATEGIES)
    assert [step[:2] for step in pruned.steps] == [step[:2] for step in black_box.steps]
    assert (pruned.selected, pruned.used) == (black_box.selected, black_box.used)
    assert (pruned.tree, pruned.errors) == (black_box.tree, black_box.errors)
    assert pruned.n_trees_built <= black_box.n_trees_built


@given(eliminations(), st.sampled_from(STRATEGIES))
def test_the_tree_found_is_grown_from_scratch_and_its_errors_counted(
    problem: tuple[Table, Growing, list[int], list[int]], strategy: str
) -> None:
    table, growing, building, search = problem
    found = core_eliminate(*problem, strategy)
    tree = core_grow(table.take(building), growing, found.selected)
    assert found.tree == tree
    predicted = tree.predict(core_rows(table, [table.row(i) for i in search])).tolist()
    weights = counted_weights(table, growing, building)
    wrong = [i for i, label in zip(search, predicted, strict=True) if label != table.target[i]]
    assert found.errors == total_weight([weights[i] for i in wrong])


# Changes that must not matter ----------------------------------------------------------


@given(tables(max_features=4), growings(), st.data())
def test_a_copy_of_a_column_at_the_end_is_never_used(
    table: Table, growing: Growing, data: st.DataObject
) -> None:
    copied = data.draw(st.sampled_from(table.columns))
    longer = replace(table, columns=(*table.columns, copied))
    assert core_nodes(core_grow(longer, growing)) == core_nodes(core_grow(table, growing))


@given(tables(max_features=4), growings())
def test_a_constant_column_is_never_used(table: Table, growing: Growing) -> None:
    constant = Column((3.5,) * table.n_samples)
    longer = replace(table, columns=(constant, *table.columns))
    expected = core_nodes(core_grow(table, growing))
    for node in expected:
        node["feature"] += node["feature"] >= 0
    assert core_nodes(core_grow(longer, growing)) == expected


@given(problems())
def test_names_of_levels_and_classes_do_not_matter(problem: tuple[Table, Growing]) -> None:
    table, growing = problem
    renamed = core_grow(core_dataset(table, text_labels=False), growing)
    assert core_nodes(renamed) == core_nodes(core_grow(table, growing))


@given(tables(kind="numeric"), growings())
def test_an_increasing_map_of_a_column_changes_thresholds_only(table: Table, growing: Growing) -> None:
    mapped = replace(table, columns=tuple(map(_ranked, table.columns)))
    nodes, expected = core_nodes(core_grow(mapped, growing)), core_nodes(core_grow(table, growing))
    for node in (*nodes, *expected):
        del node["threshold"]
    assert nodes == expected


def _ranked(column: Column) -> Column:
    distinct = sorted({value for value in column.values if value is not None})
    ranks = (None if value is None else 10.0 * distinct.index(value) for value in column.values)
    return Column(tuple(ranks))


# Single leaves -------------------------------------------------------------------------


@given(problems())
def test_too_few_samples_no_features_or_no_depth_give_one_leaf(problem: tuple[Table, Growing]) -> None:
    table, growing = problem
    too_few = replace(growing, min_samples_split=1e6)
    leaf = core_grow(table, too_few)
    assert leaf.n_nodes == leaf.n_leaves == 1
    assert core_grow(table, replace(growing, max_depth=0)) == core_grow(table, growing, []) == leaf


@given(problems())
def test_one_class_gives_one_leaf(problem: tuple[Table, Growing]) -> None:
    table, growing = problem
    label = table.target[0]
    tree = core_grow(replace(table, target=(label,) * table.n_samples), growing)
    assert (tree.n_nodes, tree.node_class.tolist()) == (1, [label])
