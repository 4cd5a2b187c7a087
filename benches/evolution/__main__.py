"""Hold the evolution of pruning rules against gplearn and DEAP on the same trees.

Run ``python -m benches.evolution`` from the root of the repository; it takes five minutes of processor time.
Seconds are CPU seconds of one thread. The floor for treewright is scaled by the yardstick of `benches.speed`
where ``TREEWRIGHT_DATA`` names the folder of data sets. The exit code is 1 if it is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from treewright.search.evolution.corpora import corpus_seeds

from ..python import machine, record
from ..speed import YARDSTICK, yardstick
from . import own, peers, report, scores
from .formulas import FORMULAS
from .scorer import Scorer
from .searches import Runs, of_rules, peer_runs, search
from .trees import PRESET, grown

LEAST = 2000.0
"""Programs in a CPU second, all counted: building the corpora, the search, the report."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, return the exit code."""
    options = _parser().parse_args(arguments)
    modules, problems = peers.installed()
    trees, others = (grown(options.trees, seed) for seed in corpus_seeds(options.seed)[:2])
    few, corpora = trees.first(options.few), [Scorer(trees), Scorer(others)]
    n_subtrees = own.n_subtrees(trees)
    corpus = (
        f"{len(trees)} trees of {PRESET}, seed {options.seed}: {len(trees.n):,} nodes, "
        f"{len(corpora[0].c):,} distinct pairs (c, n), {n_subtrees:,} distinct subtrees"
    )
    _print([f"{corpus}; node by node: {len(few)} trees, {len(few.n):,} nodes"])
    tools = scores.check(trees, modules)
    _print([f"the same errors on every tree, {len(FORMULAS)} formulas: {', '.join(tools)}", ""])
    speeds = scores.speeds(trees, few, modules)
    _print([*report.speeds_text(speeds), ""])
    runs: Runs = {"treewright": partial(own.run, trees, others)}
    runs |= peer_runs(trees, few, modules)
    seeds = range(options.seed, options.seed + options.searches)
    found = search(runs, corpora, options.seconds, seeds, problems)
    rules = of_rules(trees, others)
    _print([*report.runs_text(found), *report.rules_text(rules), ""])
    programs, floor = found["treewright"].total.programs_per_second, LEAST / _slowness()
    verdict = "ok" if programs >= floor else "MISSED"
    _print([f"treewright: {programs:,.0f} programs/CPU s, floor {floor:,.0f}: {verdict}", ""])
    _print(report.formulas_text(found))
    _print(f"{tool}: {text}" for tool, text in problems.items())
    if options.out:
        record.write(options.out, report.lines(speeds, found, rules, problems, corpus))
    return int(programs < floor)


def _slowness() -> float:
    """Return by how much this machine is slower than the one of the floor, at least 1."""
    return max(1.0, yardstick() / YARDSTICK) if os.environ.get("TREEWRIGHT_DATA") else 1.0


def _print(text: Iterable[str]) -> None:
    for line in text:
        print(line, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benches.evolution", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU seconds of a search (default 20)")
    parser.add_argument("--searches", type=int, default=3, help="searches of every tool (default 3)")
    parser.add_argument("--trees", type=int, default=960, help="training trees, and other ones (default 960)")
    parser.add_argument("--few", type=int, default=60, help="trees of the run node by node (default 60)")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the sets, and of the first search (default 0)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        nargs="?",
        const=record.FOLDER / f"{machine.today()}-{machine.name()}-evolution.csv",
        metavar="FILE",
        help="write a record; without FILE to benches/record/<date>-<machine>-evolution.csv",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
