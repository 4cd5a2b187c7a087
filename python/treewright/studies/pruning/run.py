"""One tree, every rule: on a fold, and on generated sets, by the engine made for them where it can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from treewright.data.dataset import Dataset
from treewright.data.sources.linear_network import (
    N_COMBINATIONS,
    LinearNetworkSplit,
    Network,
    drawn,
    grid,
)
from treewright.studies.common.run import Row, Watch, run_all
from treewright.studies.pruning.rules import EngineRule, engine_rules, study_networks
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


@dataclass(frozen=True, eq=False)
class Generated:
    """What rules did on the first sets, those done; one row a set, one column a rule."""

    rules: Sequence[str]
    errors: NDArray[np.int64]
    nodes: NDArray[np.int64]
    is_complete: bool

    @property
    def n_done(self) -> int:
        """Number of sets."""
        return len(self.errors)


def networks_of(preset: str, n_sets: int) -> list[Network]:
    """Return what each of so many sets is drawn by, all combinations in turn."""
    combinations = grid(preset)
    return [combinations[number % len(combinations)] for number in range(n_sets)]


def group_of(network: Network) -> str:
    """Return what sets are called that are alike."""
    return f"{network.n_removed} removed"


def run_generated(
    networks: Sequence[Network],
    plan: PruningPlan,
    *,
    seed: int,
    n_jobs: int | None,
    n_threads: int,
    watch: Watch,
) -> Generated:
    """Run every rule on every set; where the watch asks to stop, those that all rules have done count."""
    quick = engine_rules(plan.estimator, plan.rules)
    slow = {name: rule for name, rule in plan.rules.items() if name not in quick}
    parts = []
    if quick:
        parts.append(_by_engine(networks, quick, seed, n_threads, watch))
    if slow and all(part.is_complete for part in parts):
        parts.append(_tree_by_tree(networks, PruningPlan(plan.estimator, slow), seed, n_jobs, watch))
    elif slow:
        nothing = np.empty((0, len(slow)), dtype=np.int64)
        parts.append(Generated(list(slow), nothing, nothing, is_complete=False))
    return _side_by_side(parts, list(plan.rules))


def _side_by_side(parts: Sequence[Generated], rules: Sequence[str]) -> Generated:
    """Put the rules of all parts into one order."""
    names = [name for part in parts for name in part.rules]
    order = [names.index(name) for name in rules]
    n_done = min(part.n_done for part in parts)
    errors = np.hstack([part.errors[:n_done] for part in parts])[:, order]
    nodes = np.hstack([part.nodes[:n_done] for part in parts])[:, order]
    return Generated(rules, errors, nodes, all(part.is_complete for part in parts))


def _by_engine(
    networks: Sequence[Network], rules: Mapping[str, EngineRule], seed: int, n_threads: int, watch: Watch
) -> Generated:
    found = study_networks(networks, list(rules.values()), seed=seed, n_threads=n_threads, callback=watch)
    return Generated(list(rules), found["n_errors"], found["n_nodes"], found["status"] == "complete")


def _tree_by_tree(
    networks: Sequence[Network], plan: PruningPlan, seed: int, n_jobs: int | None, watch: Watch
) -> Generated:
    """Grow and prune one tree after another; sets side by side may be done out of turn."""
    sets = [
        GeneratedSet(group_of(network), *divmod(number, N_COMBINATIONS), number, network, seed)
        for number, network in enumerate(networks)
    ]
    rows, is_complete = run_all(sets, plan, n_jobs, watch, rows_of_rules)
    done = {row[3] for row in rows}
    n_done = next((number for number in range(len(networks)) if number not in done), len(networks))
    kept = [row for row in rows if row[3] < n_done]
    errors, nodes = (
        np.array([row[i] for row in kept]).astype(np.int64).reshape(n_done, len(plan.rules)) for i in (5, 7)
    )
    return Generated(list(plan.rules), errors, nodes, is_complete)
