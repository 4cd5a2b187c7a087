"""The trees that rules are judged on: drawn by the engine, or grown here from the user's data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright._base.errors import ParameterError
from treewright.data.sources.linear_network import grid
from treewright.search.evolution.forest import (
    Parts,
    Planting,
    grown_in_turn,
)
from treewright.search.evolution.limits import Limits
from treewright.search.evolution.own_data import training_sets
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.growing import Growing
from treewright.trees.pruning.rule import checked_share

Trees = tuple[Any, ...]
"""``("networks", ...)`` or ``("grown", ...)``, as the engine takes them."""


@dataclass(frozen=True)
class Corpora:
    """Where the three corpora come from."""

    data: str
    is_independent: bool
    train: Trees
    validation: Trees
    test: Trees


@dataclass(frozen=True)
class Sizes:
    """Numbers of trees; None is what suits the data."""

    train: int
    most_train: int | None
    validation: int
    test: int


def drawn(presets: Sequence[str], sizes: Sizes, seeds: Sequence[int]) -> Corpora:
    """Let the engine draw sets of presets, of each in turn."""
    networks = [network for turn in zip(*map(grid, presets), strict=True) for network in turn]
    columns = [[getattr(network, name) for network in networks] for name in ("n_inputs", "n_removed")]
    shares = [network.train_share for network in networks]
    numbers = (sizes.train, sizes.validation, sizes.test)
    trees = [("networks", *columns, shares, seed, n) for seed, n in zip(seeds, numbers, strict=True)]
    return Corpora(f"generated data ({', '.join(presets)})", True, *trees)


def grown(
    data: Any,
    sizes: Sizes,
    seeds: Sequence[int],
    estimator: Any,
    share: float,
    n_threads: int,
    limits: Limits,
    *,
    is_essential: bool,
) -> Corpora:
    """Grow trees from random parts of the user's data; the other parts judge them.

    At a limit there are fewer of them, one for each corpus at least; all if they are essential.
    """
    model = GreedyTreeClassifier() if estimator is None else estimator
    if not isinstance(model, GreedyTreeClassifier):
        raise ParameterError(f"estimator={model!r} grows no such trees; give a GreedyTreeClassifier")
    growing = replace(Growing.of(model), n_threads=1)
    sets = training_sets(data, model.categorical_features)
    most = sizes.train if sizes.most_train is None else sizes.most_train
    corpora = grown_in_turn(
        Planting(sets, growing, share),
        seeds,
        (most, sizes.validation, sizes.test),
        n_threads,
        limits,
        is_essential=is_essential,
    )
    numbers = (sizes.train, sizes.validation, sizes.test)
    trees = [_columns(parts, n_trees) for parts, n_trees in zip(corpora, numbers, strict=True)]
    name = "one data set" if len(sets) == 1 else f"{len(sets)} data sets"
    return Corpora(f"{name}, resampled", False, *trees)


def checked_growing_share(value: object) -> float:
    """Return the share of the samples that grows a tree."""
    role = "it is the part of the samples that grows the tree, and the rest judges it"
    return checked_share(value, "train_share", role)


def _columns(parts: Sequence[Parts], n_trees: int) -> Trees:
    """Join the nodes of all trees, as the engine takes them."""
    nodes = [np.concatenate([part[i] for part in parts]) for i in range(5)]
    n_nodes = np.array([len(part[0]) for part in parts], dtype=np.int64)
    n_test = np.array([part[5] for part in parts])
    return ("grown", *nodes, n_nodes, n_test, min(n_trees, len(parts)))
