"""Hold the evolution of pruning rules against gplearn and DEAP on the same trees.

Run ``python -m benches.evolution`` from the root of the repository; it takes five minutes of processor time.
Seconds are CPU seconds of one thread. The floor for treewright is scaled by the yardstick of `benches.speed`
where ``TREEWRIGHT_DATA`` names the folder of data sets. The exit code is 1 if it is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

from treewright.evolution._learn import corpus_seeds

from ..python import machine, record
from ..speed import YARDSTICK, yardstick
from . import own, peers, report, scores
from .outcome import Outcome
from .report import Reached
from .scorer import Scorer
from .trees import PRESET, FloatArray, Trees, grown

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
    _print([f"the same errors on every tree, {len(scores.FORMULAS)} formulas: {', '.join(tools)}", ""])
    speeds = scores.speeds(trees, few, modules)
    _print([*report.speeds_text(speeds), ""])
    run = own.Run(trees, others, options.seconds, options.seed)
    outcomes = [run.outcome, *_outcomes(trees, few, modules, problems, options)]
    found = [report.reached(outcome, corpora) for outcome in outcomes]
    rules = {name: _rule(run.errors[name], (trees, others)) for name in own.RULES}
    _print([*report.runs_text(outcomes, found), *report.rules_text(rules), ""])
    floor = LEAST / _slowness()
    holds = run.outcome.programs_per_second >= floor
    _print(
        [
            f"treewright: {run.outcome.programs_per_second:,.0f} programs/CPU s, {run.searching:,.0f} in the "
            f"search alone, floor {floor:,.0f}: {'ok' if holds else 'MISSED'}",
            "",
        ]
    )
    _print(report.formulas_text(outcomes))
    _print(f"{tool}: {text}" for tool, text in problems.items())
    if options.out:
        record.write(options.out, report.lines(speeds, outcomes, found, rules, problems, corpus))
    return int(not holds)


def _outcomes(
    trees: Trees,
    few: Trees,
    modules: dict[str, ModuleType],
    problems: dict[str, str],
    options: argparse.Namespace,
) -> Iterable[Outcome]:
    """Run the peers one after the other; one that fails is a problem and no more."""
    runs = [(tool, module.run, trees) for tool, module in modules.items()]
    if "DEAP" in modules:
        runs.append(("DEAP, node by node", modules["DEAP"].run_naively, few))
    for tool, run, given in runs:
        try:
            yield run(given, options.seconds, options.seed)
        except Exception as error:
            traceback.print_exc()
            problems[tool] = f"failed: {error!r}"


def _slowness() -> float:
    """Return by how much this machine is slower than the one of the floor, at least 1."""
    return max(1.0, yardstick() / YARDSTICK) if os.environ.get("TREEWRIGHT_DATA") else 1.0


def _rule(errors: Sequence[FloatArray], corpora: Sequence[Trees]) -> Reached:
    shares = (100 * of.sum() / trees.n_test.sum() for of, trees in zip(errors, corpora, strict=False))
    return Reached(*shares)


def _print(text: Iterable[str]) -> None:
    for line in text:
        print(line, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benches.evolution", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU seconds of every run (default 60)")
    parser.add_argument("--trees", type=int, default=960, help="training trees, and other ones (default 960)")
    parser.add_argument("--few", type=int, default=60, help="trees of the run node by node (default 60)")
    parser.add_argument("--seed", type=int, default=0, help="of sets and searches (default 0)")
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
