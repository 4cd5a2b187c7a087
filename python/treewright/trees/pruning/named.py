"""Where a rule is asked for: one of the user's making, or the name of one."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from treewright._base.errors import ParameterError
from treewright._base.wording import UNSET, Param
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
from treewright.trees.pruning.rule import PruningRule

FORMULAS = {"f": "(n - c + 1) / (n + 2)", "program": "((n - c) + 0.5) / n"}
"""Parameters without which a rule cannot be made, and what they may be."""


def name_of(rule: type[PruningRule]) -> str:
    """Return the name of a rule: that of its class, as parameters are written."""
    return re.sub("(?<!^)(?=[A-Z])", "_", rule.__name__.removesuffix("Pruning")).lower()


RULES: dict[str, Callable[[], PruningRule]] = {
    **{
        name_of(rule): rule
        for rule in (
            ErrorBasedPruning,
            TunedErrorBasedPruning,
            CostComplexityPruning,
            ReducedErrorPruning,
            MinimumErrorPruning,
            NaiveErrorPruning,
            ObservedErrorPruning,
            PessimisticPruning,
            PublishedEvolvedPruning,
        )
    },
    "error_based_no_grafting": partial(ErrorBasedPruning, grafting=False),
}
"""The rules that have a name: a class with its defaults, unless the name says more."""


def checked_rule(pruning: object, name: str = "pruning") -> PruningRule | None:
    """Return a rule whose parameters are in order, or None; a name stands for the rule with its defaults."""
    if pruning is None:
        return None
    if isinstance(pruning, str) and pruning in RULES:
        return RULES[pruning]()
    if isinstance(pruning, PruningRule) and _prunes(type(pruning)):
        pruning._check()
        return pruning
    raise ParameterError(name, pruning, f"is {_instead(pruning)}")


def rule_to_set(pruning: object, parameter: str) -> PruningRule:
    """Return the rule of which a parameter is set; a name stands for the rule with its defaults."""
    if isinstance(pruning, PruningRule):
        return pruning
    if isinstance(pruning, str) and pruning in RULES:
        return RULES[pruning]()
    allowed = ("sets a parameter of a pruning rule, but ", Param("pruning", pruning), " is none")
    remedy = ("set ", Param("pruning", "error_based"), " or another rule first, or with it")
    raise ParameterError(parameter, UNSET, allowed, remedy)


def _prunes(rule: type[PruningRule]) -> bool:
    """Whether a class is more than the base of the rules."""
    return rule._rates is not PruningRule._rates or rule._prune is not PruningRule._prune


def _instead(pruning: object) -> str:
    """Say what something is that is no rule, and what to give."""
    if isinstance(pruning, type) and issubclass(pruning, PruningRule) and _prunes(pruning):
        formulas = [FORMULAS[name] for name in pruning._get_param_names() if name in FORMULAS]
        return f"a class; make a rule of it: {pruning.__name__}({', '.join(map(repr, formulas))})"
    if isinstance(pruning, str) and pruning.startswith("learned:"):
        preset = pruning.removeprefix("learned:")
        return f"a name for the command line; give LearnedPruning.preset({preset!r})"
    if isinstance(pruning, str):
        names = ", ".join(map(repr, RULES))
        return f"no name of a rule; choose one of {names}, or give a rule of treewright.pruning"
    is_base = isinstance(pruning, PruningRule) or pruning is PruningRule
    what = "the base of the rules and prunes nothing" if is_base else "no rule"
    return f"{what}; give one of treewright.pruning, such as ErrorBasedPruning()"
