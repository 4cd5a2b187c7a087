"""Time a candidate tree of backward elimination: pruned against unpruned, five folds against one split.

Run ``python -m benches.selection_speed`` from the root of the repository, with ``TREEWRIGHT_DATA`` naming the
folder of data sets; ``--out RECORD.csv`` records it. Seconds are the processor's, of one thread, of a whole
fit, less those of a fit that may drop nothing: what is left is spent on candidates. It is divided by their
number; with folds a candidate is a tree in each. The exit code is 1 if a limit is missed: 1.6 for
error-based pruning, 7 for ``"cv"``. (On a machine with other work the figures are too high.)
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from treewright import BackwardEliminationSelector, Dataset, GreedyTreeClassifier, datasets
from treewright.pruning import ErrorBasedPruning

SETS = ("adult", "madelon", "letter")
PRUNING = ErrorBasedPruning(grafting=False)
MOST_PRUNED, MOST_FOLDED = 1.6, 7.0


@dataclass(frozen=True)
class Line:
    """A whole selection.

    Attributes
    ----------
    data, pruning, validation : str
        What was selected from, and how trees were judged.
    candidates : int
        Trees tried, each in every fold.
    steps : int
        Features dropped.
    seconds : float
        Processor time of the fit.
    milliseconds : float
        Processor time of a candidate.
    """

    data: str
    pruning: str
    validation: str
    candidates: int
    steps: int
    seconds: float
    milliseconds: float


def spent(data: Dataset, n_runs: int, **options: Any) -> tuple[float, BackwardEliminationSelector]:
    """Return the processor time of a fit, the least of some, and the selector."""
    times = []
    for _ in range(n_runs):
        start = time.process_time()
        selector = BackwardEliminationSelector(random_state=0, **options).fit(data)
        times.append(time.process_time() - start)
    return min(times), selector


def line(name: str, data: Dataset, n_runs: int, *, prunes: bool, folded: bool) -> Line:
    """Run a selection to its end."""
    options: dict[str, Any] = {
        "estimator": GreedyTreeClassifier(pruning=PRUNING if prunes else None),
        "validation_set": "cv" if folded else 0.3,
    }
    seconds, selector = spent(data, n_runs, **options)
    around, _ = spent(data, n_runs, required_features=range(data.n_features), **options)
    n_candidates = selector.n_trees_built_ - 1
    each = 1000 * (seconds - around) / n_candidates
    how = ("error-based" if prunes else "none", "cv" if folded else "one split")
    n_steps = len(selector.history_) - 1
    return Line(name, *how, n_candidates, n_steps, round(seconds, 3), round(each, 4))


def measured(name: str, n_runs: int) -> tuple[list[Line], bool]:
    """Return the lines of a set, and whether it keeps the limits."""
    data = datasets.load(name)
    plain, pruned, folded, both = lines = [
        line(name, data, n_runs, prunes=prunes, folded=folded)
        for folded in (False, True)
        for prunes in (False, True)
    ]
    ratios = {
        "pruned : unpruned, one split": (pruned.milliseconds / plain.milliseconds, MOST_PRUNED),
        "cv : one split, unpruned": (folded.milliseconds / plain.milliseconds, MOST_FOLDED),
        "cv : one split, pruned": (both.milliseconds / pruned.milliseconds, MOST_FOLDED),
    }
    for found in lines:
        print(*astuple(found), sep="\t", flush=True)
    for what, (ratio, most) in ratios.items():
        verdict = "" if ratio <= most else "  MISSED"
        print(f"  {what}: {ratio:.2f} (at most {most}){verdict}", flush=True)
    return lines, all(ratio <= most for ratio, most in ratios.values())


def main() -> int:
    """Measure the sets named, or the usual three."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=SETS, metavar="SET")
    parser.add_argument("--runs", type=int, default=3, help="fits of which the fastest counts")
    parser.add_argument("--out", type=Path, help="where to record the lines")
    asked = parser.parse_args()
    names = [field.name for field in fields(Line)]
    print(*names, sep="\t")
    found = [measured(name, asked.runs) for name in asked.sets]
    if asked.out:
        with asked.out.open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(names)
            table.writerows(astuple(each) for lines, _ in found for each in lines)
    return int(not all(is_kept for _, is_kept in found))


if __name__ == "__main__":
    sys.exit(main())
