"""Every rule on generated sets: by the engine made for them where it can, else tree by tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.sources.linear_network import (
    N_COMBINATIONS,
    Network,
    grid,
)
from treewright.studies.pruning.engine import (
    EngineRule,
    engine_rules,
    study_networks,
)
from treewright.studies.pruning.run import (
    GeneratedSet,
    PruningPlan,
    rows_of_rules,
)
from treewright.studies.selection.run import Watch, run_all


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
    quick = engine_rules(plan)
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
