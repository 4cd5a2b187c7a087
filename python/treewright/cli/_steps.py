"""Options of a search by single steps, by parameter of the selectors."""

from __future__ import annotations

import csv

import click

from treewright.cli._options import search_option


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


STEPS = {
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
        help="More errors than the fewest that are accepted, for fewer features (with --complete for a "
        "shorter search); below 1, a share of the validation rows. Not with --forward or --floating.",
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
        help="With --forward, add features up to so many; with --complete, test no more. Not without.",
    ),
    "required_features": search_option(
        "--required-features", multiple=True, metavar="COL", help="Feature that stays selected. Repeatable."
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
