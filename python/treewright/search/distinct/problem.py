"""What an enumeration works on: data, growing parameters, rows, limits; checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from treewright import _core
from treewright._base.memory import CACHE_MEMORY
from treewright._base.memory import memory_limit as memory_of
from treewright._base.origin import told
from treewright._base.params import one_of, whole_number_or_none
from treewright._base.wording import NO_VALUE
from treewright.data.feature_lists import FeatureLists
from treewright.data.types import IntArray, TableLike, VectorLike
from treewright.trees.distinct_tree import ORDERS
from treewright.trees.growing import SearchData
from treewright.trees.origin import Origin
from treewright.trees.searching import SearchTrees
from treewright.trees.tree import Tree

BEYOND_COUNT = 2**62
"""More trees than can be built."""


@dataclass(frozen=True)
class EnumerationRules:
    """Order of an enumeration, and what it may use."""

    order: str
    node_limit: int | None
    memory_limit: int
    required_features: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Problem(SearchData):
    """Checked arguments: data, growing parameters, rows, and rules."""

    rules: EnumerationRules
    trees: SearchTrees
    told: Mapping[str, object]
    """What was given, as the trees tell it."""

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
        required_features: object = None,
    ) -> Problem:
        """Check what a user gave."""
        trees = SearchTrees.of(estimator, n_jobs, may_retrain=False)
        rules = EnumerationRules(
            order=one_of("order", order, ORDERS),
            node_limit=trees_or_none(node_limit),
            memory_limit=memory_of("memory_limit", memory_limit, CACHE_MEMORY),
        )
        given = (X, y, sample_weight, validation_set, random_state)
        data = SearchData.read(
            trees.growing, *given, "enumeration", may_lack_validation=True, pruning=trees.pruning
        )
        lists = FeatureLists(data.training.dataset.feature_names)
        required = tuple(lists.features("required_features", required_features))
        rules = replace(rules, required_features=required)
        said = {"estimator": estimator, "validation_set": validation_set, "random_state": random_state}
        named = {name: told(value) for name, value in said.items()}
        split, pruning = data.split, trees.pruning
        return cls(data.growing, data.training, split, pruning, rules=rules, trees=trees, told=named)

    @property
    def n_features(self) -> int:
        """Number of features of the data."""
        return self.training.dataset.n_features

    @property
    def n_required(self) -> int:
        """Number of features that every tree must test."""
        return len(self.rules.required_features)

    @property
    def validation_rows(self) -> IntArray | None:
        """Positions of the validation rows in the user's table; None without a validation set."""
        return self.split.users_rows if len(self.split.users_rows) else None

    def unpruned(self, features: tuple[int, ...]) -> _core.Tree:
        """Grow the tree of some features from the training part."""
        core = self.training.core
        grown_from = core if self.validation_rows is None else core.take(self.split.training_rows)
        n_threads = self.growing.n_threads
        return _core.grow(grown_from, growth=self.growth, features=[*features], n_threads=n_threads)

    def grow(self, features: tuple[int, ...]) -> Tree:
        """Grow the tree of some features from the training part, and prune it."""
        tree = self.trees.pruned(self.unpruned(features))
        said = {**self.told, "features": [*features]}
        origin = Origin.of("enumerate_distinct_trees", said, self.training.dataset)
        return Tree(tree)._found_by(replace(origin, command=None))  # a run that is resumed finds the same

    def count_leaves(self, features: tuple[int, ...]) -> int:
        """Return the leaves of the tree of some features."""
        return self.grow(features).n_leaves


def trees_or_none(node_limit: object) -> int | None:
    """Return a limit on trees built, None for no limit."""
    remedy = ("it counts trees built; ", NO_VALUE, " for no limit")
    n_trees = whole_number_or_none("node_limit", node_limit, least=1, remedy=remedy)
    return None if n_trees is None else min(n_trees, BEYOND_COUNT)
