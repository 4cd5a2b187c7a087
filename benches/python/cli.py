"""The command line of the comparison."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from . import machine, record, report, rounds
from .cases import Case, matching
from .figures import Figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, return its exit code: 0 if no limit is missed."""
    options = _parser().parse_args(arguments)
    cases = matching(options.case)
    if options.command == "list":
        print("\n".join(f"{case.name}: {', '.join(case.tools)}" for case in cases))
        return 0
    if not cases:
        print(f"no case matches {options.case!r}; `python -m benches list` lists them", file=sys.stderr)
        return 2
    return compare(cases, options)


def compare(cases: Sequence[Case], options: argparse.Namespace) -> int:
    """Measure the cases, print tables as they come and the limits at the end."""
    say = (lambda _: None) if options.quiet else (lambda text: print(text, file=sys.stderr, flush=True))
    lines, verdicts = [], []
    for case in cases:
        load = machine.load()
        figures, yardstick = _measured(case, options, say)
        print(report.case_text(case, figures, yardstick), end="\n\n", flush=True)
        lines += record.lines(case, figures, yardstick, load)
        verdicts += [(case, floor.judge(figures, yardstick.cpu_seconds)) for floor in case.floors]
        if options.out:
            record.write(options.out, lines)
    print(report.verdicts_text(verdicts))
    return int(any(verdict.holds is False for _, verdict in verdicts))


def _measured(case: Case, options: argparse.Namespace, say: rounds.Say) -> tuple[dict[str, Figure], Figure]:
    if case.needs_folder and not os.environ.get("TREEWRIGHT_DATA"):
        problem = "TREEWRIGHT_DATA names no folder of data sets"
        return {tool: Figure(problem=problem) for tool in case.tools}, Figure()
    return rounds.measure_case(
        case, n_runs=options.runs, patience=options.patience, time_limit=options.time_limit, say=say
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benches", description="Compare treewright with its peers."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="list the cases and their tools")
    comparing = commands.add_parser(
        "compare", help="measure, print tables and limits; exit code 1 if one is missed"
    )
    for command in (listing, comparing):
        command.add_argument(
            "--case", metavar="PATTERN", help="part of a name, or a pattern with *; default: all"
        )
    comparing.add_argument("--runs", type=int, default=5, help="processes for each tool (default 5)")
    comparing.add_argument(
        "--patience",
        type=float,
        default=30.0,
        metavar="SECONDS",
        help="a tool whose first run took more is not run again (default 30)",
    )
    comparing.add_argument(
        "--time-limit",
        type=float,
        default=900.0,
        metavar="SECONDS",
        help="a run is given up after this long (default 900)",
    )
    comparing.add_argument(
        "--out",
        type=Path,
        nargs="?",
        const=record.default_path(),
        metavar="FILE",
        help="write a record; without FILE to benches/record/<date>-<machine>.csv",
    )
    comparing.add_argument("--quiet", action="store_true", help="do not report every run")
    return parser
