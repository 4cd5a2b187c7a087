"""The Rust core against the slow plain reference, on thousands of random tables.

Trees, predictions and elimination traces must be equal to the last bit. A failure names
its seed and prints the table; ``drawn(seed)`` makes it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from blocks import blocks
from reference.bridge import core_dataset, core_eliminate, core_grow, core_rows
from reference.cases import Case, growing_of, read_cases, row_of, table_of
from reference.eliminate import eliminate_backward
from reference.grow import Tree, grow
from reference.matching import assert_same_tree, matched
from reference.predict import leaf_shares, predict, predict_proba
from reference.table import Column, Growing, Table
from strategies import (
    CRITERIA,
    POLICIES,
    random_growing,
    random_mirror,
    random_near_ties,
    random_parts,
    random_rows,
    random_table,
)
from treewright import DataError, TreewrightError, _core

N_BLOCKS = 20
TREES_PER_BLOCK = 200
ELIMINATIONS_PER_BLOCK = 100
KINDS = ("mixed", "mixed", "nominal", "numeric")


@dataclass(frozen=True)
class Drawn:
    """What one seed gives: a table, growing parameters, and the generator to go on with."""

    table: Table
    growing: Growing
    rng: Random

    def __str__(self) -> str:
        return f"{self.growing}\n{self.table}"


def drawn(seed: int, samples: tuple[int, int] = (1, 40), min_features: int = 1) -> Drawn:
    rng = Random(seed)
    table = random_table(rng, rng.choice(KINDS), samples=samples, min_features=min_features)
    return Drawn(table, random_growing(rng, table), rng)


def seeds(block: int, size: int) -> range:
    return range(block * size, (block + 1) * size)


# Trees ---------------------------------------------------------------------------------


def assert_well_formed(core: _core.Tree, context: object) -> None:
    """Children are contiguous, come after their parent and point back to it."""
    first, counts, parent = core.first_child.tolist(), core.n_children.tolist(), core.parent.tolist()
    assert parent[0] == -1, context
    for i, (child, count) in enumerate(zip(first, counts, strict=True)):
        assert (child == -1) == (count == 0), context
        assert count == 0 or child > i, context
        assert parent[child : child + count] == [i] * count, context


def assert_same_predictions(expected: Tree, core: _core.Tree, at: Drawn) -> None:
    table = at.table
    rows = [table.row(i) for i in range(table.n_samples)] + random_rows(at.rng, table, 10)
    columns = core_rows(table, rows)
    assert core.predict(columns).tolist() == [predict(expected, row) for row in rows], at
    assert core.predict_proba(columns).tolist() == [predict_proba(expected, row) for row in rows], at
    ids = {id(node): i for node, i in matched(expected.root, core)}
    shares = [{ids[id(leaf)]: share for leaf, share in leaf_shares(expected, row)} for row in rows]
    assert sparse_rows(core.leaf_shares(columns)) == shares, at
    assert core.apply(columns).tolist() == [min(s, key=lambda leaf: (-s[leaf], leaf)) for s in shares], at
    paths = sparse_rows(core.decision_path(columns))
    assert [set(path) for path in paths] == [ancestors(core, leaves) for leaves in shares], at


def sparse_rows(matrix: _core.SparseRows) -> list[dict[int, float]]:
    indptr, indices, data = matrix.indptr.tolist(), matrix.indices.tolist(), matrix.data.tolist()
    return [dict(zip(indices[low:high], data[low:high], strict=True)) for low, high in pairwise(indptr)]


def ancestors(core: _core.Tree, leaves: dict[int, float]) -> set[int]:
    parent, found = core.parent.tolist(), set()
    for node in leaves:
        while node != -1:
            found.add(node)
            node = parent[node]
    return found


def check_tree(at: Drawn) -> None:
    expected, core = grow(at.table, at.growing), core_grow(at.table, at.growing)
    assert_same_tree(expected, core, at)
    assert_well_formed(core, at)
    assert_same_predictions(expected, core, at)


@pytest.mark.parametrize("block", blocks(N_BLOCKS, 12))
def test_trees_and_predictions_are_those_of_the_reference(block: int) -> None:
    for seed in seeds(block, TREES_PER_BLOCK):
        check_tree(drawn(seed))


@pytest.mark.parametrize("seed", range(24))
def test_larger_tables_too(seed: int) -> None:
    check_tree(drawn(seed, samples=(100, 600), min_features=3))


@pytest.mark.parametrize("block", range(2))
def test_trees_of_some_features_are_those_of_the_reference(block: int) -> None:
    for seed in seeds(block, 100):
        at = drawn(seed)
        features = [f for f in range(at.table.n_features) if at.rng.random() < 0.5]
        expected = grow(at.table, at.growing, features)
        assert_same_tree(expected, core_grow(at.table, at.growing, features), at)


@pytest.mark.parametrize("seed", range(10))
def test_trees_of_huge_weight_use_a_coarser_f(seed: int) -> None:
    at = drawn(seed, samples=(100, 300))
    weights = tuple(at.rng.uniform(2.0**19, 2.0**20) for _ in range(at.table.n_samples))
    table = Table(at.table.columns, at.table.target, at.table.n_classes, weights)
    growing = Growing(
        criterion=at.rng.choice(("info_gain", "gain_ratio")),
        mdl_correction=at.rng.random() < 0.5,
        missing=at.growing.missing,
    )
    assert_same_tree(grow(table, growing), core_grow(table, growing), at)


@pytest.mark.parametrize("criterion", [*CRITERIA, "id3"])
def test_gains_that_are_nothing_but_rounding_are_compared_alike(criterion: str) -> None:
    how = {"growth": "id3"} if criterion == "id3" else {"criterion": criterion}
    for seed in range(60):
        table, growing = random_near_ties(Random(seed)), Growing(**how, max_depth=2)
        assert_same_tree(grow(table, growing), core_grow(table, growing), seed)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_cuts_of_nearly_equal_gain_are_compared_alike(criterion: str) -> None:
    for seed in range(60):
        rng = Random(seed)
        table, least = random_mirror(rng), rng.choice((0.0, 0.6, 1.0, 2.0))
        growing = Growing(criterion=criterion, min_samples_split=0.0, min_samples_branch=least, max_depth=3)
        assert_same_tree(grow(table, growing), core_grow(table, growing), seed)


@pytest.mark.parametrize("missing", POLICIES)
@pytest.mark.parametrize("growth", ["standard", "id3"])
def test_a_column_without_any_level_is_no_candidate_unless_missing_is_one(growth: str, missing: str) -> None:
    table = Table((Column((None, None, None), 0), Column((0, 1, 0), 2)), (0, 1, 1), 2)
    growing = Growing(growth=growth, min_samples_split=1.0, min_samples_branch=0.0, missing=missing)
    check_tree(Drawn(table, growing, Random(0)))


TREES = read_cases("trees")["case"]


@pytest.mark.parametrize("case", TREES, ids=[case["name"] for case in TREES])
def test_trees_worked_out_by_hand(case: Case) -> None:
    table, growing = table_of(case), growing_of(case)
    core = core_grow(table, growing)
    assert_same_tree(grow(table, growing), core, case["name"])
    asked = case.get("predict", [])
    columns = core_rows(table, [row_of(case, one["row"]) for one in asked])
    assert [case["classes"][c] for c in core.predict(columns)] == [one["class"] for one in asked]


# Elimination ---------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["incremental", "retrain"])
@pytest.mark.parametrize("block", blocks(N_BLOCKS, 8))
def test_elimination_traces_are_those_of_the_reference(block: int, strategy: str) -> None:
    for seed in seeds(block, ELIMINATIONS_PER_BLOCK):
        at = drawn(seed, samples=(10, 40), min_features=4)
        check_elimination(at, *random_parts(at.rng, at.table), strategy)


@pytest.mark.parametrize("strategy", ["incremental", "retrain"])
@pytest.mark.parametrize("seed", range(6))
def test_elimination_traces_of_larger_tables_too(seed: int, strategy: str) -> None:
    at = drawn(seed, samples=(100, 300), min_features=6)
    check_elimination(at, *random_parts(at.rng, at.table), strategy)


def check_elimination(at: Drawn, building: list[int], search: list[int], strategy: str) -> None:
    expected = eliminate_backward(at.table, at.growing, building, search, strategy)
    got = core_eliminate(at.table, at.growing, building, search, strategy)
    context = f"{at}\nbuilding {building}\nsearch {search}"
    steps = [(step.dropped, step.errors, step.n_trees_built) for step in expected.history]
    assert got.steps == steps, context
    assert got.selected == expected.selected, context
    assert got.used == expected.tree.used_features, context
    assert got.errors == expected.errors, context
    assert got.n_trees_built == expected.n_trees_built, context
    assert got.status == "complete", context
    assert_same_tree(expected.tree, got.tree, context)


ELIMINATIONS = read_cases("eliminations")["case"]


@pytest.mark.parametrize("strategy", ["incremental", "retrain"])
@pytest.mark.parametrize("case", ELIMINATIONS, ids=[case["name"] for case in ELIMINATIONS])
def test_eliminations_worked_out_by_hand(case: Case, strategy: str) -> None:
    at = Drawn(table_of(case), growing_of(case), Random(0))
    check_elimination(at, case["building"], case["search"], strategy)


# What is refused -----------------------------------------------------------------------


def test_id3_refuses_a_numeric_column_by_name() -> None:
    table = Table((Column((0, 1), 2), Column((1.0, 2.0))), (0, 1), 2)
    with pytest.raises(TreewrightError, match="x1"):
        core_grow(table, Growing(growth="id3"))


def test_a_missing_value_is_refused_by_name_and_row_where_asked() -> None:
    table = Table((Column((0, 1), 2), Column((1.0, None))), (0, 1), 2)
    with pytest.raises(DataError, match=r"x1.*row 1"):
        core_grow(table, Growing(missing="raise"))


def test_no_missing_value_is_nothing_to_refuse() -> None:
    for seed in range(30):
        table = random_table(Random(seed), missing=False)
        growing = Growing(missing="raise")
        assert_same_tree(grow(table, growing), core_grow(table, growing), table)


# Threads -------------------------------------------------------------------------------


def test_the_number_of_threads_changes_nothing() -> None:
    for seed in range(60):
        at = drawn(seed, samples=(20, 400), min_features=4)
        one, *others = (core_grow(at.table, at.growing, n_threads=n) for n in (1, 2, 4))
        assert others == [one, one], at


@pytest.mark.parametrize("strategy", ["incremental", "retrain"])
def test_the_number_of_threads_changes_no_elimination(strategy: str) -> None:
    for seed in range(30):
        at = drawn(seed, samples=(20, 100), min_features=4)
        parts = random_parts(at.rng, at.table)
        one, *others = (core_eliminate(at.table, at.growing, *parts, strategy, n) for n in (1, 2, 4))
        assert others == [one] * 2, at


def test_a_data_set_can_be_cut_into_rows() -> None:
    for seed in range(50):
        at = drawn(seed, samples=(5, 40))
        rows = at.rng.choices(range(at.table.n_samples), k=7)
        cut = core_dataset(at.table).take(np.array(rows, dtype=np.int64))
        assert_same_tree(grow(at.table.take(rows), at.growing), core_grow(cut, at.growing), at)
