"""What an enumeration works on: data, growing parameters, rows, limits; checked once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._base.memory import bytes_or_none
from treewright._base.params import one_of, whole_number_or_none
from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet, count_of
from treewright.data.validation_set import search_mask
from treewright.selection.selector import refuse_c45
from treewright.trees.growing import Growing, HasGrowing
from treewright.trees.tree import Tree

ORDERS = ("frontier", "frontier_descending", "index", "index_descending")

BEYOND_COUNT = 2**62
"""More trees than can be built."""

Rows = NDArray[np.int64]


@dataclass(kw_only=True)
class Options:
    """The growing parameters as given, for `Growing.of`."""

    criterion: Any
    growth: Any
    min_samples_split: Any
    min_samples_leaf: Any
    min_gain: Any
    mdl_correction: Any
    max_depth: Any
    missing: Any
    n_jobs: Any
    class_weight: Any = None


@dataclass(frozen=True, eq=False)
class Problem:
    """Checked arguments.

    Attributes
    ----------
    dataset : Dataset
        All rows of positive weight.
    building, search : ndarray of int
        Positions in `dataset` of the rows that grow trees and of those that judge them.
    search_rows : ndarray of int or None
        The latter as positions in the user's table; None without a search set.
    growth : dict
        Growing parameters as the engine takes them.
    limits : dict
        Order and limits as the engine takes them.
    n_threads : int
        Threads to work on.
    as_errors : callable
        Type of a number of errors: int where all weights are whole.
    """

    dataset: Dataset
    building: Rows
    search: Rows
    search_rows: Rows | None
    growth: dict[str, Any]
    limits: dict[str, Any]
    n_threads: int
    as_errors: Callable[[float], int | float]

    @classmethod
    def of(
        cls,
        X: Any,
        y: Any,
        options: HasGrowing,
        *,
        sample_weight: Any,
        categorical_features: Any,
        search_set: Any,
        random_state: Any,
        **limits: Any,
    ) -> Problem:
        """Check what a user gave."""
        refuse_c45(options.growth)
        growing, checked = Growing.of(options), _limits(**limits)
        training = _training(X, y, sample_weight, categorical_features)
        is_search = np.zeros(training.n_samples, dtype=np.bool_)
        if search_set is not None:
            is_search = search_mask(search_set, training.target, training.kept, random_state)
        return cls(
            dataset=training.dataset,
            building=np.flatnonzero(~is_search),
            search=np.flatnonzero(is_search),
            search_rows=None if search_set is None else training.origin[is_search],
            growth=growing.parameters(training),
            limits=checked,
            n_threads=growing.n_threads,
            as_errors=count_of(growing.counted_weights(training)),
        )

    @property
    def n_features(self) -> int:
        """Number of features of the data."""
        return self.dataset.n_features

    def grow(self, features: tuple[int, ...]) -> Tree:
        """Grow the tree of some features from the building rows."""
        core = self.dataset.core
        building_set = core if self.search_rows is None else core.take(self.building)
        grown = _core.grow(building_set, features=list(features), n_threads=self.n_threads, **self.growth)
        return Tree(grown)


def trees_or_none(node_limit: object) -> int | None:
    """Return a limit on trees built, None for no limit."""
    remedy = "it counts trees built; None means no limit"
    n_trees = whole_number_or_none("node_limit", node_limit, least=1, remedy=remedy)
    return None if n_trees is None else min(n_trees, BEYOND_COUNT)


def _limits(*, order: object, node_limit: object, memory_limit: object) -> dict[str, Any]:
    return {
        "order": one_of("order", order, ORDERS),
        "node_limit": trees_or_none(node_limit),
        "memory_limit": bytes_or_none("memory_limit", memory_limit),
    }


def _training(X: Any, y: Any, sample_weight: Any, categorical_features: Any) -> TrainingSet:
    return TrainingSet.read(
        X, y, sample_weight, categorical_features=categorical_features, owner="enumeration"
    )
