"""Which search `treewright select` runs, and which of its options go with it."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._options import (
    AnyFunction,
    options,
    parameter_options,
    search_option,
)

if TYPE_CHECKING:
    from treewright.selection.selector import TreeSelector

_STEPS = parameter_options(
    "treewright.BackwardEliminationSelector",
    "strategy",
    "floating",
    "tolerance",
    "parsimonious",
    "min_features",
    section="Search",
)
_STEPS |= parameter_options("treewright.ForwardSelectionSelector", "max_features", section="Search")
_STEPS |= parameter_options(
    "treewright.BackwardEliminationSelector",
    "required_features",
    "feature_groups",
    "start_from",
    section="Search",
)
_WITH_COMPLETE = parameter_options(
    "treewright.CompleteSearchSelector",
    "top_k",
    "count_ties",
    "order",
    "memory_limit",
    section="With --complete",
)
_OPTIONS = {**_STEPS, **_WITH_COMPLETE}
_FORWARD = search_option(
    "--forward", "is_forward", is_flag=True, help="Add features to none, in place of dropping from all."
)
_COMPLETE = search_option(
    "--complete",
    "is_complete",
    is_flag=True,
    help="Search all subsets for the best one, and prove it. May take long: see --time-limit. Of the "
    "options of single steps it takes --tolerance and --max-features.",
)


def takes_method(function: AnyFunction) -> Any:
    """Give a command the options that say how to search.

    It receives the class of the selector as `method`, and the options that were given as `rules`.
    """

    @wraps(function)
    def command(is_forward: bool, is_complete: bool, **parameters: Any) -> Any:
        chosen = {name: parameters.pop(name) for name in _OPTIONS}
        rules = {name: value for name, value in chosen.items() if not _is_left_out(value)}
        if is_forward and is_complete:
            raise click.UsageError("--forward and --complete are two different searches: give one of them.")
        flag = "--forward" if is_forward else "--complete" if is_complete else ""
        _check(flag, rules)
        return function(method=_selectors()[flag], rules=rules, **parameters)

    return options(_FORWARD, _COMPLETE, *_OPTIONS.values())(command)


def _is_left_out(value: object) -> bool:
    """Whether an option has the value that click gives to one that is not there; 0 is none."""
    return value is None or value is False or value == ()


def _selectors() -> dict[str, type[TreeSelector]]:
    """Return the selectors by the option that asks for them."""
    from treewright import BackwardEliminationSelector, CompleteSearchSelector, ForwardSelectionSelector

    return {
        "": BackwardEliminationSelector,
        "--forward": ForwardSelectionSelector,
        "--complete": CompleteSearchSelector,
    }


def _check(flag: str, rules: dict[str, Any]) -> None:
    """Refuse options that the chosen search has no use for."""
    takers = {flag: set(selector().get_params()) for flag, selector in _selectors().items()}
    for name in rules:
        if name in takers[flag]:
            continue
        option = spelling(name)
        others = " or ".join(other for other in takers if name in takers[other])
        relation = f"does not go with {flag}" if flag else f"goes with {others} only"
        raise click.UsageError(f"{option} {relation}; leave it out.")


def spelling(name: str) -> str:
    """Return the option that a parameter is given by."""
    parameters = click.get_current_context().command.params
    return next(parameter.opts[0] for parameter in parameters if parameter.name == name)
