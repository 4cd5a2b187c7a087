"""C4.5's growing: against the slow reference, and against the trees of release 8 itself."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from reference.bridge import core_dataset, core_grow
from reference.c45 import grow
from reference.matching import assert_same_tree
from reference.table import Growing, Table
from strategies import random_growing, random_parts, random_table
from treewright import _core
from treewright.exceptions import ParameterError

N_BLOCKS = 15
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
        min_samples_leaf=rng.choice(MINIMA),
        mdl_correction=rng.random() < 0.5,
    )
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
