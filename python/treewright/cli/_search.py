"""Options of searches: which rows judge, how long it may take."""

from __future__ import annotations

import click

from treewright.cli._options import search_option

SEARCH_SHARE = search_option(
    "--search-share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    default=0.3,
    help="Share of the rows that judges trees; the others grow them.",
)
SEARCH_SHARE_OR_NONE = search_option(
    "--search-share",
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
    help="Draws the search rows.",
)
TIME_LIMIT = search_option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="End the search then, with the best found.",
)
