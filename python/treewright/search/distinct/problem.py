"""What an enumeration works on: data, growing parameters, rows, limits; checked once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._base.errors import DataError
from treewright._base.memory import bytes_or_none
from treewright._base.params import one_of, whole_number_or_none
from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.data.validate import as_dataset
from treewright.data.validation_set import validation_mask
from treewright.selection.selector import (
    count_of,
    kept_rows,
    refuse_c45,
)
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
    validation_rows : ndarray of int or None
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
    validation_rows: Rows | None
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
        validation_set: Any,
        random_state: Any,
        **limits: Any,
    ) -> Problem:
        """Check what a user gave."""
        refuse_c45(options.growth)
        growing, checked = Growing.of(options), _limits(**limits)
        training = _training(X, y, sample_weight, categorical_features)
        kept = kept_rows(training, sample_weight)
        is_validation = np.zeros(training.n_samples, dtype=np.bool_)
        if validation_set is not None:
            is_validation = validation_mask(validation_set, training.target, kept, random_state)
        return cls(
            dataset=training.dataset,
            building=np.flatnonzero(~is_validation),
            search=np.flatnonzero(is_validation),
            validation_rows=None if validation_set is None else np.flatnonzero(kept)[is_validation],
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
        building_set = core if self.validation_rows is None else core.take(self.building)
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
    dataset = as_dataset(X, y, sample_weight=sample_weight, categorical_features=categorical_features)
    if dataset.target is None:
        raise DataError(
            "y is None and X holds no classes, but trees are grown from them; give one class label a sample"
        )
    return TrainingSet.of(dataset, owner="enumeration")
