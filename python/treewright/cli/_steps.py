"""Options of a search by single steps, and which selector they ask for."""

from __future__ import annotations

import csv
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._options import AnyFunction, options, search_option

if TYPE_CHECKING:
    from treewright._stepwise import StepwiseSelector


def _tolerance(ctx: click.Context, parameter: click.Parameter, value: str | None) -> int | float | None:
    """Read a number of errors, written whole, or a share; what it may be is the selector's to say."""
    if value is None:
        return None
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    raise click.BadParameter(f"{value!r} is no number.", ctx, parameter)


def _groups(
    ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> list[list[str]] | None:
    """Part names of columns at the commas; one that has a comma stands in double quotes."""
    return list(csv.reader(values, skipinitialspace=True)) or None


_STEPS = {
    "strategy": search_option(
        "--strategy",
        type=click.Choice(["incremental", "retrain"]),
        metavar="NAME",
        otherwise="incremental",
        help="incremental: rebuild what changes; retrain: every tree anew, to check.",
    ),
    "floating": search_option(
        "--floating",
        is_flag=True,
        help="After every step take steps back, as long as each makes fewer errors.",
    ),
    "tolerance": search_option(
        "--tolerance",
        callback=_tolerance,
        metavar="ERRORS",
        otherwise=0,
        help="More errors than the fewest that are accepted for fewer features; below 1, a share of the "
        "search rows. Not with --forward or --floating.",
    ),
    "parsimonious": search_option(
        "--parsimonious",
        is_flag=True,
        help="Drop features also where the errors stay the same, untested ones first. Not with --forward.",
    ),
    "min_features": search_option(
        "--min-features",
        type=click.IntRange(min=0),
        metavar="N",
        otherwise=0,
        help="Keep at least so many features. Not with --forward.",
    ),
    "max_features": search_option(
        "--max-features",
        type=click.IntRange(min=0),
        metavar="N",
        otherwise="no limit",
        help="Add features up to so many. With --forward only.",
    ),
    "fixed_features": search_option(
        "--fixed-features", multiple=True, metavar="COL", help="Feature that stays selected. Repeatable."
    ),
    "feature_groups": search_option(
        "--group",
        "feature_groups",
        multiple=True,
        callback=_groups,
        metavar="COL,COL",
        help="Features that go, and come, together. Repeatable.",
    ),
    "start_from": search_option(
        "--start-from",
        multiple=True,
        metavar="COL",
        otherwise="all features; with --forward none",
        help="Feature that the search starts from, with others so named. Repeatable.",
    ),
}


def takes_steps(function: AnyFunction) -> Any:
    """Give a command the options of the steps; it receives those that were given as `steps`."""

    @wraps(function)
    def command(**parameters: Any) -> Any:
        chosen = {name: parameters.pop(name) for name in _STEPS}
        steps = {name: value for name, value in chosen.items() if value not in (None, False, ())}
        return function(steps=steps, **parameters)

    return options(*_STEPS.values())(command)


def selector_class(*, is_forward: bool) -> type[StepwiseSelector]:
    """Choose the selector that searches as the command line says."""
    from treewright import BackwardEliminationSelector, ForwardSelectionSelector

    return ForwardSelectionSelector if is_forward else BackwardEliminationSelector


def check_steps(selector: type[StepwiseSelector], steps: dict[str, Any], *, is_forward: bool) -> None:
    """Refuse options that the chosen selector has no use for."""
    known = selector().get_params()
    for name in steps:
        if name not in known:
            relation = "does not go with --forward" if is_forward else "goes with --forward only"
            raise click.UsageError(f"--{name.replace('_', '-')} {relation}; leave it out.")
