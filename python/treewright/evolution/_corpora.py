"""The trees that rules are judged on: drawn by the engine, or grown here from the user's data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright._growing import Growing
from treewright._training import TrainingSet
from treewright._validate import as_dataset
from treewright.dataset import Dataset
from treewright.datasets._linear_network import TRAIN_SHARES, grid
from treewright.evolution._forest import Parts, Planting, grown_in_turn
from treewright.evolution._limits import Limits
from treewright.exceptions import DataError, ParameterError
from treewright.greedy import GreedyTreeClassifier
from treewright.pruning._params import checked_share

Trees = tuple[Any, ...]
"""``("networks", ...)`` or ``("grown", ...)``, as the engine takes them."""

FORMS = "give (X, y), a Dataset with classes, a list of these, or 'paper_table' or 'paper_text'"


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


def drawn(preset: str, sizes: Sizes, seeds: Sequence[int]) -> Corpora:
    """Let the engine draw sets of a preset."""
    networks = grid(preset)
    columns = [[getattr(network, name) for network in networks] for name in ("n_inputs", "n_removed")]
    shares = [network.train_share for network in networks]
    numbers = (sizes.train, sizes.validation, sizes.test)
    trees = [("networks", *columns, shares, seed, n) for seed, n in zip(seeds, numbers, strict=True)]
    return Corpora(f"generated data ({preset})", True, *trees)


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
    checked_share(share)
    model = GreedyTreeClassifier() if estimator is None else estimator
    if not isinstance(model, GreedyTreeClassifier):
        raise ParameterError(f"estimator={model!r} grows no such trees; give a GreedyTreeClassifier")
    growing = replace(Growing.of(model), n_threads=1)
    sets = [TrainingSet.of(dataset, owner="learn_pruner") for dataset in _datasets(data, model)]
    for training in sets:
        if training.n_samples < 2:
            raise DataError(
                f"n_samples={training.n_samples}: a data set needs at least 2 samples of positive weight, "
                "one to grow a tree and one to judge it"
            )
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


def is_preset(data: object) -> bool:
    """Whether `data` is text, which has to name a preset."""
    if isinstance(data, str) and data not in TRAIN_SHARES:
        raise ParameterError(f"data={data!r} is not known; {FORMS}")
    return isinstance(data, str)


def _datasets(data: Any, model: GreedyTreeClassifier) -> list[Dataset]:
    if isinstance(data, Dataset) or _is_pair(data):
        return [_dataset(data, model)]
    if isinstance(data, list) and data:
        return [_dataset(one, model) for one in data]
    raise ParameterError(f"data of type {type(data).__name__} cannot be read; {FORMS}")


def _is_pair(data: object) -> bool:
    return isinstance(data, tuple) and len(data) == 2


def _dataset(one: Any, model: GreedyTreeClassifier) -> Dataset:
    if isinstance(one, Dataset):
        return as_dataset(one)
    if not _is_pair(one):
        raise ParameterError(
            f"data holds an object of type {type(one).__name__}, which cannot be read; {FORMS}"
        )
    X, y = one
    return as_dataset(X, y, categorical_features=model.categorical_features)


def _columns(parts: Sequence[Parts], n_trees: int) -> Trees:
    """Join the nodes of all trees, as the engine takes them."""
    nodes = [np.concatenate([part[i] for part in parts]) for i in range(5)]
    n_nodes = np.array([len(part[0]) for part in parts], dtype=np.int64)
    n_test = np.array([part[5] for part in parts])
    return ("grown", *nodes, n_nodes, n_test, min(n_trees, len(parts)))
