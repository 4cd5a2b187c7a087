"""One tree, every rule: on a fold, and on generated sets, by the engine made for them where it can."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from treewright import _core
from treewright._base.params import Limits, n_threads
from treewright.data.dataset import Dataset
from treewright.data.sources.linear_network import N_COMBINATIONS, LinearNetworkSplit, Network, drawn, grid
from treewright.studies.common.folds import Fold
from treewright.studies.common.measure import Measure
from treewright.studies.common.run import Batch, Plan, Row, Watch, finished
from treewright.studies.pruning.rules import Rules, engine_rules, study_networks
from treewright.trees.greedy import GreedyTreeClassifier


@dataclass(frozen=True)
class PruningPlan(Plan):
    """What to do on every fold: how trees grow, and the rules by name."""

    estimator: GreedyTreeClassifier
    rules: Rules

    @property
    def measure(self) -> Measure:
        """What the rules are compared by."""
        return Measure.of(self.estimator)


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
    def place(self) -> tuple[str, int, int, int]:
        """The first cells of every row about the set."""
        return self.name, self.repeat, self.number, self.seed

    @property
    def training(self) -> Dataset:
        """The rows to learn from."""
        return self._split.train

    @property
    def held_out(self) -> Dataset:
        """The rows that judge."""
        return self._split.test


def rows_of_rules(fold: Fold | GeneratedSet, plan: PruningPlan) -> Iterator[Row]:
    """Yield what every rule did on a fold; all prune the tree that the estimator grows."""
    training, held_out, measure = fold.training, fold.held_out, plan.measure
    own = held_out.sample_weight
    weight = held_out.n_samples if own is None else float(own.sum())
    for name, rule in plan.rules.items():
        tree = clone(plan.estimator).set_params(pruning=rule).fit(training).tree_
        lost = measure.sum_of(tree, held_out)
        yield (*fold.place, name, lost, lost / weight, tree.n_nodes)


def networks_of(preset: str, n_sets: int) -> list[Network]:
    """Return what each of so many sets is drawn by, all combinations in turn."""
    combinations = grid(preset)
    return [combinations[number % len(combinations)] for number in range(n_sets)]


def group_of(network: Network) -> str:
    """Return what sets are called that are alike."""
    return f"{network.n_removed} removed"


@dataclass(frozen=True, eq=False)
class GeneratedSets:
    """The sets to draw, and how many of them run side by side."""

    networks: Sequence[Network]
    plan: PruningPlan
    seed: int
    n_jobs: int | None

    def pruned(self, first: int, n: int, watch: Watch, seconds: float | None) -> Batch:
        """Run every rule on some of the sets; those that all rules have done count."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        quick, rules = engine_rules(self.plan.estimator, self.plan.rules), self.plan.rules
        slow = {name: rule for name, rule in rules.items() if name not in quick}
        columns: dict[str, Counts] = {}
        n_done, status = n, "complete"
        if quick:
            shown = watch if not slow else lambda progress: watch(replace(progress, done=0))
            n_done, status = self._by_engine(first, n, quick, _until(end, shown), columns)
        if slow and status == "complete":
            n_done, status = self._tree_by_tree(first, n, slow, _until(end, watch), columns)
        elif slow:
            n_done = 0
        if status != "complete" and time.monotonic() >= end:
            status = "time_limit"
        errors, nodes = (
            np.column_stack([columns[name][which][:n_done] for name in rules]) if n_done else None
            for which in (0, 1)
        )
        return Batch({"n_errors": errors, "n_nodes": nodes}, n_done, status)

    def _by_engine(
        self,
        first: int,
        n: int,
        rules: Mapping[str, _core.StudyRule],
        watch: Watch,
        columns: dict[str, Counts],
    ) -> tuple[int, str]:
        """Let the engine do it; add the errors and the nodes of every rule to `columns`."""
        networks = self.networks[first : first + n]
        found = study_networks(
            networks,
            list(rules.values()),
            seed=self.seed,
            first=first,
            limits=Limits(n_threads(self.n_jobs), callback=watch),
        )
        for i, name in enumerate(rules):
            columns[name] = found.n_errors[:, i], found.n_nodes[:, i]
        return len(found.n_errors), found.status

    def _tree_by_tree(
        self, first: int, n: int, rules: Rules, watch: Watch, columns: dict[str, Counts]
    ) -> tuple[int, str]:
        """Grow and prune one tree after another; sets side by side may be done out of turn."""
        sets = {
            number: GeneratedSet(
                group_of(self.networks[number]),
                *divmod(number, N_COMBINATIONS),
                number,
                self.networks[number],
                self.seed,
            )
            for number in range(first, first + n)
        }
        done = finished(sets, PruningPlan(self.plan.estimator, rules), rows_of_rules, self.n_jobs, watch)
        n_done = next((i for i in range(n) if first + i not in done), n)
        rows = [done[first + i] for i in range(n_done)]
        for i, name in enumerate(rules):
            errors, nodes = ([of_set[i][at] for of_set in rows] for at in (5, 7))
            columns[name] = np.array(errors, dtype=np.int64), np.array(nodes, dtype=np.int64)
        return n_done, "complete" if n_done == n else "stopped"


Counts = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Errors and nodes of a rule, one a set."""


def _until(end: float, watch: Watch) -> Watch:
    """Return a watch that asks to stop when time is up, too."""
    return lambda progress: watch(progress) or time.monotonic() >= end
