"""What an enumeration works on: data, growing parameters, rows, limits; checked once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treewright import _core
from treewright._base.memory import bytes_or_none
from treewright._base.params import one_of, whole_number_or_none
from treewright._base.wording import NO_VALUE
from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet, weight_type
from treewright.data.types import TableLike, VectorLike
from treewright.data.validation_set import Rows, Split
from treewright.trees.distinct_tree import ORDERS
from treewright.trees.greedy import search_grower
from treewright.trees.growing import Growing
from treewright.trees.tree import Tree

BEYOND_COUNT = 2**62
"""More trees than can be built."""


@dataclass(frozen=True)
class Limits:
    """Order of an enumeration, and what it may use."""

    order: str
    node_limit: int | None
    memory_limit: int | None


@dataclass(frozen=True, eq=False)
class Problem:
    """Checked arguments."""

    dataset: Dataset
    """All rows of positive weight."""
    training_part: Rows
    """Positions in `dataset` of the rows that grow trees."""
    validation_part: Rows
    """Of those that judge them."""
    validation_rows: Rows | None
    """The same as positions in the user's table; None without a validation set."""
    growth: _core.GrowthParameters
    limits: Limits
    n_threads: int
    as_errors: Callable[[float], int | float]
    """Type of a number of errors: int where all weights are whole."""

    @classmethod
    def of(
        cls,
        X: TableLike,
        y: VectorLike,
        *,
        estimator: object,
        sample_weight: VectorLike,
        validation_set: object,
        random_state: object,
        n_jobs: int | None,
        order: object,
        node_limit: object,
        memory_limit: object,
    ) -> Problem:
        """Check what a user gave."""
        grower = search_grower(estimator)
        growing = Growing.of(grower).on(n_jobs)
        limits = Limits(
            order=one_of("order", order, ORDERS),
            node_limit=trees_or_none(node_limit),
            memory_limit=bytes_or_none("memory_limit", memory_limit),
        )
        categorical = grower.categorical_features
        training = TrainingSet.read(
            X, y, sample_weight, categorical_features=categorical, owner="enumeration"
        )
        if validation_set is None:
            split = Split.without_validation(training)
        else:
            split = Split.of(training, validation_set, random_state)
        return cls(
            dataset=training.dataset,
            training_part=split.training_rows,
            validation_part=split.validation_rows,
            validation_rows=None if validation_set is None else split.users_rows,
            growth=growing.parameters(training),
            limits=limits,
            n_threads=growing.n_threads,
            as_errors=weight_type(growing.counted_weights(training)),
        )

    @property
    def n_features(self) -> int:
        """Number of features of the data."""
        return self.dataset.n_features

    def grow(self, features: tuple[int, ...]) -> Tree:
        """Grow the tree of some features from the training part."""
        core = self.dataset.core
        grown_from = core if self.validation_rows is None else core.take(self.training_part)
        used = list(features)
        return Tree(_core.grow(grown_from, growth=self.growth, features=used, n_threads=self.n_threads))


def trees_or_none(node_limit: object) -> int | None:
    """Return a limit on trees built, None for no limit."""
    remedy = ("it counts trees built; ", NO_VALUE, " means no limit")
    n_trees = whole_number_or_none("node_limit", node_limit, least=1, remedy=remedy)
    return None if n_trees is None else min(n_trees, BEYOND_COUNT)
