"""The rules that a study of pruning compares: by name, or as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from treewright._base.errors import ParameterError
from treewright.trees.pruning.cost_complexity import CostComplexityPruning
from treewright.trees.pruning.error_based import ErrorBasedPruning, TunedErrorBasedPruning
from treewright.trees.pruning.estimates import (
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
        raise ParameterError(f"rules={given!r} must be a list of names and rules, or a dict of rules by name")
    places = given.items() if isinstance(given, Mapping) else enumerate(given)
    rules: dict[str, Any] = {}
    for place, entry in places:
        rule = checked_rule(_rule(entry), name=f"rules[{place!r}]")
        name = str(place) if isinstance(given, Mapping) else _name(entry)
        if name in rules:
            raise ParameterError(f"rules has {name!r} twice; name every rule once, in a dict what you like")
        rules[name] = rule
    if len(rules) < 2:
        raise ParameterError(f"rules={given!r} must be two or more; there is nothing to compare")
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
        raise ParameterError(
            f"rules has {rule!r}, which is not known; choose among {', '.join(NAMED)}, or give a rule of "
            "treewright.pruning"
        )
    return NAMED[rule]
