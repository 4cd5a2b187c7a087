"""`treewright study`: published experiments, for anyone's data."""

from __future__ import annotations

import click

from treewright.cli.study.by_folds import fixed_depth, planes, selection
from treewright.cli.study.others import distinct_trees, greedy
from treewright.cli.study.pruning import pruning

__all__ = ["study"]


@click.group(
    short_help="Repeat a published experiment on your data.",
    epilog="Start with: treewright study selection wine",
)
def study() -> None:
    """Repeat a published experiment, on your data or on its own.

    Every study prints a table; --plot draws it, --out writes all numbers as
    JSON. A study that is stopped by Ctrl-C or by --time-limit shows what it
    has done, and with --checkpoint FILE it can go on later: the same command
    with --resume.
    """


for _command in (selection, distinct_trees, greedy, fixed_depth, planes, pruning):
    study.add_command(_command)
