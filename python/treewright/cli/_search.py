"""Options of searches: which rows judge, how long it may take."""

from __future__ import annotations

from typing import Any

import click

from treewright.cli._options import Decorator, search_option

ORDERS = ("frontier", "frontier_descending", "index", "index_descending")


VALIDATION_SET = search_option(
    "--validation-set",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    default=0.3,
    help="Share of the rows that judges trees; the others grow them.",
)
VALIDATION_SET_OR_NONE = search_option(
    "--validation-set",
    type=click.FloatRange(0, 1, max_open=True),
    metavar="SHARE",
    default=0.3,
    help="Share of the rows that judges trees; the others grow them. 0: all grow trees.",
)
SEED = search_option(
    "--seed",
    "seed",
    type=click.IntRange(0, 2**32 - 1),
    metavar="N",
    default=0,
    help="Draws the validation rows.",
)
TIME_LIMIT = search_option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="End the search then, with the best found.",
)


def _amount(ctx: click.Context, parameter: click.Parameter, value: str | None) -> int | str | None:
    """Read an amount of memory: digits alone are bytes."""
    return int(value) if value is not None and value.isdecimal() else value


def order_option(remark: str, **shown: Any) -> Decorator[Any]:
    """Return an `--order` option, its help ending in a remark."""
    return search_option(
        "--order",
        type=click.Choice(ORDERS),
        metavar="NAME",
        help="Which feature of a tree goes first: the one at whose nodes the fewest rows are (frontier), "
        f"the most (frontier_descending), the first (index) or the last (index_descending). {remark}",
        **shown,
    )


def memory_option(
    text: str = "What may be kept to save work, such as 64MB. Less is slower and gives the same.",
    *,
    otherwise: str = "128MiB",
    **shown: Any,
) -> Decorator[Any]:
    """Return a `--memory-limit` option."""
    return search_option(
        "--memory-limit",
        metavar="AMOUNT",
        callback=_amount,
        otherwise=otherwise,
        help=text,
        **shown,
    )
