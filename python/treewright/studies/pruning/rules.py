"""The rules of a study of pruning in the form of the engine that draws sets, and what it makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from treewright import _core
from treewright._base.params import Limits, is_whole
from treewright.data.sources.linear_network import Network
from treewright.search.evolution.learned import LearnedPruning
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.pruning.error_based import SLACK, USUAL, ErrorBasedPruning, TunedErrorBasedPruning
from treewright.trees.pruning.estimates import (
    QUARTILE,
    NaiveErrorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PublishedEvolvedPruning,
)
from treewright.trees.pruning.rule import PruningRule

Rules = Mapping[str, PruningRule | None]
"""Rules by the names to show; None prunes nothing."""


def study_networks(
    networks: Sequence[Network],
    rules: Sequence[_core.StudyRule],
    *,
    seed: int,
    first: int = 0,
    limits: Limits,
) -> _core.PrunedSets:
    """Let the engine draw the sets from number `first` on, grow their trees by ID3 and prune them."""
    return _core.study_pruning(
        np.array([network.n_inputs for network in networks], dtype=np.int64),
        np.array([network.n_removed for network in networks], dtype=np.int64),
        np.array([network.train_share for network in networks]),
        list(rules),
        seed=seed,
        first=first,
        limits=limits,
    )


def engine_rules(estimator: GreedyTreeClassifier, rules: Rules) -> dict[str, _core.StudyRule]:
    """Return the rules that the engine takes, in its form; none if trees do not grow by plain ID3."""
    usual, asked = GreedyTreeClassifier.id3().get_params(), estimator.get_params()
    growing = set(usual) - {"n_jobs", "pruning"}
    if any(type(asked[name]) is not type(usual[name]) or asked[name] != usual[name] for name in growing):
        return {}
    taken = {name: engine_rule(rule) for name, rule in rules.items()}
    return {name: rule for name, rule in taken.items() if rule is not None}


def engine_rule(rule: PruningRule | None) -> _core.StudyRule | None:
    """Return a rule in the form of the engine, or None if the engine has nothing like it."""
    if rule is None:
        return _core.StudyRule.keep()
    if type(rule) is ErrorBasedPruning and not rule.grafting:
        return _core.StudyRule.leaf(_limit(rule.confidence, rule.limit), SLACK, 0.0)
    if type(rule) is PublishedEvolvedPruning:
        return _core.StudyRule.leaf(_core.ErrorEstimate("published"), 0.0, float(rule.slack))
    if type(rule) is TunedErrorBasedPruning:
        return _tuned(rule)
    if type(rule) is LearnedPruning:
        return _core.StudyRule.program(rule._core_program)
    plain = _PLAIN.get(type(rule))
    return None if plain is None else _core.StudyRule.leaf(plain(), 0.0, 0.0)


_PLAIN: Mapping[type, Callable[[], _core.ErrorEstimate]] = {
    ObservedErrorPruning: lambda: _core.ErrorEstimate("observed"),
    NaiveErrorPruning: lambda: _core.ErrorEstimate("score", z=QUARTILE),
    PessimisticPruning: lambda: _core.ErrorEstimate("pessimistic"),
}


def _limit(confidence: float, limit: str) -> _core.ErrorEstimate:
    return _core.ErrorEstimate("error_based", confidence=float(confidence), limit=limit)


def _tuned(rule: TunedErrorBasedPruning) -> _core.StudyRule | None:
    if rule.grafting or not is_whole(rule.cv) or not is_whole(rule.random_state):
        return None
    estimates = [_limit(confidence, rule.limit) for confidence in by_preference(rule.confidences)]
    return _core.StudyRule.tuned(estimates, SLACK, int(rule.cv), int(rule.random_state))


def by_preference(confidences: Sequence[float]) -> list[float]:
    """Return confidences in the order in which equal ones are taken: the usual first, then outwards."""
    return sorted(map(float, confidences), key=lambda c: (round(abs(c - USUAL), 12), c))
