"""``python -m benches.snapshot``: take the results of all calls, or compare two such folders."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from benches.snapshot.compare import compare
from benches.snapshot.take import take


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    top = argparse.ArgumentParser(prog="python -m benches.snapshot", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)
    taking = commands.add_parser("take", help="make all calls and store their results in a folder")
    taking.add_argument("folder", type=Path)
    taking.add_argument("--jobs", type=int, default=2, help="processes at work (default: 2)")
    taking.add_argument("--threads", type=int, help="what n_jobs=None stands for in every call")
    comparing = commands.add_parser("compare", help="list every result that differs")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--leaves", type=int, default=4, help="places shown of each difference")
    comparing.add_argument("--numbers", action="store_true", help="compare only the numbers of texts")
    listing = commands.add_parser("list", help="list the ids of all calls")
    for command in (taking, comparing, listing):
        command.add_argument("--only", metavar="PATTERN", help="ids that contain this, or match it with *")
    return top


def main() -> int:
    """Do what the command line says and return the exit code."""
    asked = parser().parse_args()
    if asked.command == "compare":
        return compare(asked.before, asked.after, asked.only, asked.leaves, by_numbers=asked.numbers)
    if asked.command == "list":
        from benches.snapshot.groups import all_cases

        print(*all_cases(asked.only), sep="\n")
        return 0
    if "TREEWRIGHT_DATA" not in os.environ:
        print("TREEWRIGHT_DATA must name the folder of data sets", file=sys.stderr)
        return 2
    return take(asked.folder, asked.only, asked.jobs, asked.threads)


if __name__ == "__main__":
    sys.exit(main())
