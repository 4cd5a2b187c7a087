"""The rules that a study of pruning compares, by name or as they are; and those that its engine takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import is_whole
from treewright._base.wording import UNSET
from treewright.data.sources.linear_network import Network
from treewright.search.evolution.learned import LearnedPruning
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.pruning.cost_complexity import CostComplexityPruning
from treewright.trees.pruning.error_based import SLACK, USUAL, ErrorBasedPruning, TunedErrorBasedPruning
from treewright.trees.pruning.estimates import (
    QUARTILE,
    MinimumErrorPruning,
    NaiveErrorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PublishedEvolvedPruning,
)
from treewright.trees.pruning.held_out import ReducedErrorPruning
from treewright.trees.pruning.rule import checked_rule

PAPER = ("none", "naive", "error_based", "tuned", "published")
"""The rules of the published tables, in their order."""

NAMED: Mapping[str, Any] = {
    "none": None,
    "observed": ObservedErrorPruning(),
    "naive": NaiveErrorPruning(),
    "error_based": ErrorBasedPruning(grafting=False),
    "ebp": ErrorBasedPruning(),
    "tuned": TunedErrorBasedPruning(),
    "published": PublishedEvolvedPruning(),
    "published_slack": PublishedEvolvedPruning(slack=0.02),
    "pessimistic": PessimisticPruning(),
    "reduced_error": ReducedErrorPruning(),
    "cost_complexity": CostComplexityPruning(alpha="cv"),
    "minimum_error": MinimumErrorPruning(),
}
"""Every rule that has a name here."""


def chosen_rules(given: Any) -> dict[str, Any]:
    """Return rules by the names to show; None prunes nothing."""
    if isinstance(given, str) or not isinstance(given, Sequence | Mapping):
        raise ParameterError("rules", given, "must be a list of names and rules, or a dict of rules by name")
    places = given.items() if isinstance(given, Mapping) else enumerate(given)
    rules: dict[str, Any] = {}
    for place, entry in places:
        rule = checked_rule(_rule(entry), name=f"rules[{place!r}]")
        name = str(place) if isinstance(given, Mapping) else _name(entry)
        if name in rules:
            remedy = "name every rule once, in a dict what you like"
            raise ParameterError("rules", UNSET, f"has {name!r} twice", remedy)
        rules[name] = rule
    if len(rules) < 2:
        raise ParameterError("rules", given, "must be two or more", "there is nothing to compare")
    return rules


def _name(entry: Any) -> str:
    return entry if isinstance(entry, str) else "none" if entry is None else _without_addresses(repr(entry))


def _without_addresses(text: str) -> str:
    """Call functions by their names alone: where things lie in memory differs from run to run."""
    named = re.sub(r"<function (?:\S+\.)?(\S+) at 0x[0-9a-fA-F]+>", r"\1", text)
    return re.sub(r" at 0x[0-9a-fA-F]+", "", named)


def _rule(rule: Any) -> Any:
    if not isinstance(rule, str):
        return rule
    if rule not in NAMED:
        remedy = f"choose among {', '.join(NAMED)}, or give a rule of treewright.pruning"
        raise ParameterError("rules", UNSET, f"has {rule!r}, which is not known", remedy)
    return NAMED[rule]


def study_networks(
    networks: Sequence[Network],
    rules: Sequence[_core.StudyRule],
    *,
    seed: int,
    first: int = 0,
    n_threads: int = 1,
    callback: Callable[..., Any] | None = None,
) -> _core.PrunedSets:
    """Let the engine draw the sets from number `first` on, grow their trees by ID3 and prune them."""
    return _core.study_pruning(
        np.array([network.n_inputs for network in networks], dtype=np.int64),
        np.array([network.n_removed for network in networks], dtype=np.int64),
        np.array([network.train_share for network in networks]),
        list(rules),
        seed=seed,
        first=first,
        n_threads=n_threads,
        callback=callback,
    )


def engine_rules(estimator: GreedyTreeClassifier, rules: Mapping[str, Any]) -> dict[str, _core.StudyRule]:
    """Return the rules that the engine takes, in its form; none if trees do not grow by plain ID3."""
    usual, asked = GreedyTreeClassifier.id3().get_params(), estimator.get_params()
    growing = set(usual) - {"n_jobs", "pruning"}
    if any(type(asked[name]) is not type(usual[name]) or asked[name] != usual[name] for name in growing):
        return {}
    taken = {name: engine_rule(rule) for name, rule in rules.items()}
    return {name: rule for name, rule in taken.items() if rule is not None}


def engine_rule(rule: Any) -> _core.StudyRule | None:
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


_PLAIN: Mapping[type, Callable[[], Any]] = {
    ObservedErrorPruning: lambda: _core.ErrorEstimate("observed"),
    NaiveErrorPruning: lambda: _core.ErrorEstimate("score", z=QUARTILE),
    PessimisticPruning: lambda: _core.ErrorEstimate("pessimistic"),
}


def _limit(confidence: float, limit: str) -> Any:
    return _core.ErrorEstimate("error_based", confidence=float(confidence), limit=limit)


def _tuned(rule: TunedErrorBasedPruning) -> _core.StudyRule | None:
    if rule.grafting or not is_whole(rule.cv) or not is_whole(rule.random_state):
        return None
    estimates = [_limit(confidence, rule.limit) for confidence in by_preference(rule.confidences)]
    return _core.StudyRule.tuned(estimates, SLACK, int(rule.cv), int(rule.random_state))


def by_preference(confidences: Sequence[float]) -> list[float]:
    """Return confidences in the order in which equal ones are taken: the usual first, then outwards."""
    return sorted(map(float, confidences), key=lambda c: (round(abs(c - USUAL), 12), c))
