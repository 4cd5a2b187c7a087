"""Make the rules that come with the package, each by a run that its file names.

Run ``python -m benches.pruning_presets`` from the root of the repository, with the package as it is there. A
preset is the rule that `learn_pruner` finds on the generated sets that it is named after, from the naive
rule, with the seed and the number of programs below; its file holds the rule with its record, and takes the
place of the one in ``python/treewright/evolution/presets``. Nothing in these files is typed in. With
``--check`` the runs are made and held against the files, which stay as they are; the exit code is 1 if one
differs.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treewright.evolution import LearnedPruning, learn_pruner
from treewright.results import Progress

FOLDER = Path(__file__).parents[1] / "python" / "treewright" / "evolution" / "presets"


@dataclass(frozen=True)
class Run:
    """What a preset is found by."""

    data: list[str]
    random_state: int
    budget: int


RUNS = {
    "paper_both": Run(["paper_table", "paper_text"], random_state=0, budget=200_000),
    "paper_table": Run(["paper_table"], random_state=0, budget=200_000),
    "paper_text": Run(["paper_text"], random_state=0, budget=200_000),
}


def main() -> int:
    """Make or check the files."""
    asked = _arguments()
    budgets = {name: RUNS[name].budget if asked.budget is None else asked.budget for name in asked.names}
    is_same = True
    for name, budget in budgets.items():
        rule = _found(RUNS[name], budget, asked.n_jobs)
        place = FOLDER / f"{name}.json"
        if asked.check:
            is_same &= _same(rule, LearnedPruning.from_json(place.read_text(encoding="utf-8")), name)
        else:
            place.write_text(json.dumps(json.loads(rule.to_json()), indent=1) + "\n", encoding="utf-8")
            print(rule.report())
    return 0 if is_same else 1


def _found(run: Run, budget: int, n_jobs: int) -> LearnedPruning:
    def show(progress: Progress) -> None:
        print(f"\r{', '.join(run.data)}: {progress.done:,} of {budget:,} programs", end="", flush=True)

    rule = learn_pruner(run.data, random_state=run.random_state, budget=budget, n_jobs=n_jobs, callback=show)
    print()
    return rule


def _same(rule: LearnedPruning, stored: LearnedPruning, name: str) -> bool:
    is_same = _without_time(rule) == _without_time(stored)
    print(f"{name}: {'the same' if is_same else f'differs; the run found {rule.text}'}")
    return is_same


def _without_time(rule: LearnedPruning) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(rule.to_json())
    document["record"].pop("elapsed")
    return document


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benches.pruning_presets", description=__doc__)
    parser.add_argument("names", nargs="*", default=list(RUNS), metavar="NAME", help="presets; default: all")
    parser.add_argument("--budget", type=int, help="programs, in place of the number in this file")
    parser.add_argument("--n-jobs", type=int, default=1, help="threads; the rules do not depend on them")
    parser.add_argument("--check", action="store_true", help="compare with the files, write nothing")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
