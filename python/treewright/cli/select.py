"""`treewright select`: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from treewright.cli._files import write_whole
from treewright.cli._options import (
    JSON,
    SHOW_DEPTH,
    options,
    out_option,
    output_option,
    search_option,
    takes_growing,
    takes_source,
)
from treewright.cli._progress import ProgressLine
from treewright.cli._search import SEARCH_SHARE, SEED, TIME_LIMIT
from treewright.cli._sections import Command
from treewright.cli._source import Source
from treewright.cli._steps import check_steps, selector_class, takes_steps


@click.command(
    cls=Command,
    short_help="Find the features worth keeping, and their tree.",
    examples=(
        "treewright select wine",
        "treewright select table.csv --target class --missing-value '?'",
        "treewright select table.csv.gz --target class --drop id --out found.json",
        "treewright select wine --forward --floating --max-features 3",
    ),
)
@takes_source
@takes_growing
@options(
    search_option(
        "--forward", "is_forward", is_flag=True, help="Add features to none, in place of dropping from all."
    ),
    SEARCH_SHARE,
    SEED,
)
@takes_steps
@options(
    TIME_LIMIT,
    out_option("Write all that was found to a JSON file."),
    JSON,
    SHOW_DEPTH,
    output_option("--progress", is_flag=True, help="Show progress even off a terminal."),
)
def select(
    source: Source,
    growing: dict[str, Any],
    is_forward: bool,
    search_share: float,
    seed: int,
    steps: dict[str, Any],
    time_limit: float | None,
    out: Path | None,
    as_json: bool,
    show_depth: int,
    progress: bool,
) -> None:
    """Find the features of DATA worth keeping, and the tree that they give.

    A greedy tree is grown on all features. Then features are taken away, one a
    round: the one without which the tree makes the fewest errors on search rows
    that it was not grown on. It ends when no removal makes fewer. With --forward
    features are added one a round, from none on.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists.
    """
    from treewright.cli._selection import document, text

    selector_type = selector_class(is_forward=is_forward)
    check_steps(selector_type, steps, is_forward=is_forward)
    dataset = source.load()
    with ProgressLine(progress) as line:
        selector = selector_type(
            search_set=search_share,
            random_state=seed,
            time_limit=time_limit,
            callback=line,
            **steps,
            **growing,
        ).fit(dataset)
    if out is not None:
        write_whole(out, document(source.data, dataset, selector))
    if as_json:
        click.echo(document(source.data, dataset, selector), nl=False)
    else:
        click.echo(text(source.data, dataset, selector, show_depth), nl=False)
        if out is not None:
            click.echo(f"\nAll of it, with both trees, is in {out}; `treewright predict {out} DATA` uses it.")
