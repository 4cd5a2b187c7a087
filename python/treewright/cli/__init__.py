"""The command `treewright`.

Exit codes: 0 done, 1 something is wrong with data or files, 2 something is wrong with the command line, 130
stopped by Ctrl-C. Heavy modules are imported by the commands that need them, so that help is quick.
"""

from __future__ import annotations

import sys

import click

from treewright.cli._running import exit_code
from treewright.cli.datasets import datasets
from treewright.cli.enumerate import enumerate_
from treewright.cli.evolve import evolve
from treewright.cli.fit import fit
from treewright.cli.fixed_depth import fixed_depth
from treewright.cli.plane import plane
from treewright.cli.predict import predict
from treewright.cli.prune import prune
from treewright.cli.select import select
from treewright.cli.study import study
from treewright.cli.table import table

__all__ = ["main", "treewright"]


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]}, epilog="Start with: treewright select wine"
)
@click.version_option(package_name="treewright")
def treewright() -> None:
    """Small decision trees, found by search and with proofs.

    DATA is a CSV file, gzip-compressed or not, with one header row, or the name
    of a data set that `treewright datasets` lists.
    """


for _command in (select, enumerate_, fit, prune, predict, table, fixed_depth, plane, study, evolve, datasets):
    treewright.add_command(_command)


def main() -> None:
    """Run the command and leave with its exit code."""
    sys.exit(exit_code(treewright))
