"""Generated sets by the thousand: what the engine made for them takes, and what it does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._params import is_whole
from treewright.datasets._linear_network import N_COMBINATIONS, Network, grid
from treewright.greedy import GreedyTreeClassifier
from treewright.pruning import (
    ErrorBasedPruning,
    NaiveErrorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PublishedEvolvedPruning,
    TunedErrorBasedPruning,
)
from treewright.pruning._error_based import SLACK
from treewright.pruning._estimates import QUARTILE
from treewright.pruning._tuned import USUAL
from treewright.studies._pruning_run import GeneratedSet, PruningPlan, rows_of_rules
from treewright.studies._run import Watch, run_all

EngineRule = tuple[Any, ...]
"""``("keep",)``, ``("leaf", estimate, slack in errors, slack as a rate)`` or ``("tuned", estimates, slack in
errors, folds, seed)``."""


@dataclass(frozen=True, eq=False)
class Generated:
    """What the rules did on the sets done; one row a set, one column a rule."""

    networks: Sequence[Network]
    errors: NDArray[np.int64]
    nodes: NDArray[np.int64]
    status: str


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
    """Run every rule on every set: by the engine made for them where it can, else tree by tree."""
    quick = engine_rules(plan)
    found: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
    n_done, status = len(networks), "complete"
    if quick:
        answer = study_networks(
            networks, list(quick.values()), seed=seed, n_threads=n_threads, callback=watch
        )
        n_done, status = len(answer["n_errors"]), answer["status"]
        for i, name in enumerate(quick):
            found[name] = (answer["n_errors"][:, i], answer["n_nodes"][:, i])
    slow = {name: rule for name, rule in plan.rules.items() if name not in quick}
    if slow and status == "complete":
        n_done, status = _tree_by_tree(
            networks, PruningPlan(plan.estimator, slow), seed, n_jobs, watch, found
        )
    columns = [found[name] for name in plan.rules if name in found]
    if len(columns) < len(plan.rules):
        n_done, columns = 0, [(np.empty(0, np.int64), np.empty(0, np.int64))] * len(plan.rules)
    errors, nodes = (np.column_stack([column[i][:n_done] for column in columns]) for i in (0, 1))
    return Generated(networks[:n_done], errors, nodes, status)


def study_networks(
    networks: Sequence[Network],
    rules: Sequence[EngineRule],
    *,
    seed: int,
    n_threads: int = 1,
    callback: Callable[..., Any] | None = None,
) -> dict[str, Any]:
    """Let the engine draw the sets, grow their trees by ID3 and prune them."""
    found: dict[str, Any] = _core.study_pruning(
        np.array([network.n_inputs for network in networks], dtype=np.int64),
        np.array([network.n_removed for network in networks], dtype=np.int64),
        np.array([network.train_share for network in networks]),
        list(rules),
        seed=seed,
        n_threads=n_threads,
        callback=callback,
    )
    return found


def engine_rules(plan: PruningPlan) -> dict[str, EngineRule]:
    """Return the rules that the engine takes, in its form; none if trees do not grow by plain ID3."""
    usual = GreedyTreeClassifier.id3().get_params()
    asked = plan.estimator.get_params()
    if any(asked[name] != usual[name] for name in usual if name not in ("n_jobs", "pruning")):
        return {}
    taken = {name: engine_rule(rule) for name, rule in plan.rules.items()}
    return {name: rule for name, rule in taken.items() if rule is not None}


def engine_rule(rule: Any) -> EngineRule | None:
    """Return a rule in the form of the engine, or None if the engine has nothing like it."""
    if rule is None:
        return ("keep",)
    if type(rule) is ErrorBasedPruning and not rule.grafting:
        return ("leaf", _limit(rule.confidence, rule.limit), SLACK, 0.0)
    if type(rule) is PublishedEvolvedPruning:
        return ("leaf", _core.ErrorEstimate("published"), 0.0, float(rule.slack))
    if type(rule) is TunedErrorBasedPruning:
        return _tuned(rule)
    plain = _PLAIN.get(type(rule))
    return None if plain is None else ("leaf", plain(), 0.0, 0.0)


_PLAIN: Mapping[type, Callable[[], Any]] = {
    ObservedErrorPruning: lambda: _core.ErrorEstimate("observed"),
    NaiveErrorPruning: lambda: _core.ErrorEstimate("score", z=QUARTILE),
    PessimisticPruning: lambda: _core.ErrorEstimate("pessimistic"),
}


def _limit(confidence: float, limit: str) -> Any:
    return _core.ErrorEstimate("error_based", confidence=float(confidence), limit=limit)


def _tuned(rule: TunedErrorBasedPruning) -> EngineRule | None:
    if rule.grafting or not is_whole(rule.cv) or not is_whole(rule.random_state):
        return None
    estimates = [_limit(confidence, rule.limit) for confidence in by_preference(rule.confidences)]
    return ("tuned", estimates, SLACK, int(rule.cv), int(rule.random_state))


def by_preference(confidences: Sequence[float]) -> list[float]:
    """Return confidences in the order in which equal ones are taken: the usual first, then outwards."""
    return sorted(map(float, confidences), key=lambda c: (round(abs(c - USUAL), 12), c))


def _tree_by_tree(
    networks: Sequence[Network],
    plan: PruningPlan,
    seed: int,
    n_jobs: int | None,
    watch: Watch,
    found: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> tuple[int, str]:
    """Grow and prune one tree after another; only the first sets that are all done count."""
    sets = [
        GeneratedSet(group_of(network), *divmod(number, N_COMBINATIONS), number, network, seed)
        for number, network in enumerate(networks)
    ]
    rows, is_complete = run_all(sets, plan, n_jobs, watch, rows_of_rules)
    done = {row[3] for row in rows}
    n_done = next((number for number in range(len(networks)) if number not in done), len(networks))
    kept = [row for row in rows if row[3] < n_done]
    for name in plan.rules:
        of_rule = [row for row in kept if row[4] == name]
        errors, nodes = (np.array([int(row[i]) for row in of_rule], dtype=np.int64) for i in (5, 7))
        found[name] = (errors, nodes)
    return n_done, "complete" if is_complete else "stopped"
