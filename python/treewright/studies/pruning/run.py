"""One set of rows, one tree, every rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone

from treewright.data.dataset import Dataset
from treewright.data.sources.linear_network import (
    LinearNetworkSplit,
    Network,
    drawn,
)
from treewright.studies.selection.run import Row
from treewright.trees.greedy import GreedyTreeClassifier


@dataclass(frozen=True)
class PruningPlan:
    """What to do on every fold: how trees grow, and the rules by name."""

    estimator: GreedyTreeClassifier
    rules: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class GeneratedSet:
    """A drawn set, which is to be treated as a fold."""

    name: str
    repeat: int
    number: int
    seed: int
    """The number of the set among all of the study."""
    network: Network
    study_seed: int

    @cached_property
    def _split(self) -> LinearNetworkSplit:
        return drawn(self.network, self.study_seed, self.seed)

    @property
    def training(self) -> Dataset:
        """The rows to learn from."""
        return self._split.train

    @property
    def held_out(self) -> Dataset:
        """The rows that judge."""
        return self._split.test


def rows_of_rules(fold: Any, plan: PruningPlan) -> Iterator[Row]:
    """Yield what every rule did on a fold; all prune the tree that the estimator grows."""
    training, held_out = fold.training, fold.held_out
    labels = held_out.classes[held_out.target]
    own = held_out.sample_weight
    weights = np.ones(held_out.n_samples) if own is None else own
    place = (fold.name, fold.repeat, fold.number, fold.seed)
    for name, rule in plan.rules.items():
        tree = clone(plan.estimator).set_params(pruning=rule).fit(training).tree_
        wrong = float(weights[tree.predict(held_out) != labels].sum())
        yield (*place, name, wrong, wrong / float(weights.sum()), tree.n_nodes)
