"""`treewright select`: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._files import write_whole
from treewright.cli._method import takes_method
from treewright.cli._options import (
    JSON,
    SEED,
    SHOW_DEPTH,
    TIME_LIMIT,
    VALIDATION_SET,
    options,
    out_option,
    output_option,
    takes_growing,
    takes_source,
)
from treewright.cli._progress import FirstCtrlC, ProgressLine
from treewright.cli._sections import Command
from treewright.cli._source import Source

if TYPE_CHECKING:
    from treewright.selection.selector import TreeSelector


@click.command(
    cls=Command,
    short_help="Find the features worth keeping, and their tree.",
    examples=(
        "treewright select wine",
        "treewright select table.csv --target class --missing-value '?'",
        "treewright select table.csv.gz --target class --drop id --out found.json",
        "treewright select wine --forward --floating --max-features 3",
        "treewright select wine --complete --min-samples-split 16 --top-k 3",
    ),
)
@takes_source
@takes_growing
@options(VALIDATION_SET, SEED)
@takes_method
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
    method: type[TreeSelector],
    rules: dict[str, Any],
    validation_set: float,
    random_state: int,
    time_limit: float | None,
    out: Path | None,
    as_json: bool,
    show_depth: int,
    progress: bool,
) -> int:
    """Find the features of DATA worth keeping, and the tree that they give.

    A greedy tree is grown on all features. Then features are taken away, one a
    round: the one without which the tree makes the fewest errors on validation rows
    that it was not grown on. It ends when no removal makes fewer. With --forward
    features are added one a round, from none on. With --complete all subsets
    are searched for the one whose tree errs least, and that is proven.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists.
    """
    from treewright import GreedyTreeClassifier
    from treewright.cli._selection import document, text

    dataset = source.load()
    with FirstCtrlC() as stop, ProgressLine(progress) as line:
        selector: Any = method(
            validation_set=validation_set,
            random_state=random_state,
            time_limit=time_limit,
            callback=stop.after(line),
            n_jobs=growing.pop("n_jobs", None),
            estimator=GreedyTreeClassifier(**growing),
            **rules,
        ).fit(dataset)
    if out is not None:
        write_whole(out, document(source.data, dataset, selector))
    if as_json:
        click.echo(document(source.data, dataset, selector), nl=False)
    else:
        click.echo(text(source.data, dataset, selector, show_depth), nl=False)
        if out is not None:
            click.echo(f"\nAll of it, with both trees, is in {out}; `treewright predict {out} DATA` uses it.")
    return stop.exit_code
