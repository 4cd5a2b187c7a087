"""Hold backward elimination against its black-box form on every set of a folder, and record it.

Run ``python -m benches.same_answer RECORD.csv`` from the root of the repository, with ``TREEWRIGHT_DATA``
naming the folder. With ``--pruned`` trees are pruned by the error-based rule before they are judged. With
``--rows 5000`` only sets below so many rows are compared. With ``--budget 60`` a set of which the black box
takes more seconds than that is compared on as many steps, and then as many features, as they allow; the
column ``limits`` says which. The exit code is 1 if any answer differs.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import time
from pathlib import Path
from typing import Any

from treewright import BackwardEliminationSelector, Dataset, GreedyTreeClassifier, datasets
from treewright.datasets import catalogue
from treewright.pruning import ErrorBasedPruning

MOST_FEATURES = 200
FIELDS = (
    "data",
    "rows",
    "features",
    "same",
    "limits",
    "drops",
    "first_errors",
    "errors",
    "trees_incremental",
    "trees_retrain",
    "seconds_incremental",
    "seconds_retrain",
)
FIELDS_COMPARED = ["dropped", "errors", "n_leaves"]


def compare(name: str, pruning: ErrorBasedPruning | None, budget: float) -> dict[str, Any]:
    """Run both strategies on a set and say whether steps, sets, errors, leaves and trees are the same."""
    data = datasets.load(name)
    options: dict[str, Any] = {"random_state": 0, "estimator": GreedyTreeClassifier(pruning=pruning)}
    limits, told = within(data, options, budget)
    fast, black_box = (
        BackwardEliminationSelector(strategy=strategy, **options, **limits).fit(data)
        for strategy in ("incremental", "retrain")
    )
    steps = [selector.history_[FIELDS_COMPARED].tolist() for selector in (fast, black_box)]
    same = (
        steps[0] == steps[1]
        and (fast.support_ == black_box.support_).all()
        and fast.tree_ == black_box.tree_
        and fast.refit_tree_ == black_box.refit_tree_
    )
    return {
        "data": name,
        "rows": data.n_samples,
        "features": data.n_features,
        "same": bool(same),
        "limits": told,
        "drops": len(steps[0]) - 1,
        "first_errors": steps[0][0][1],
        "errors": steps[0][-1][1],
        "trees_incremental": fast.n_trees_built_,
        "trees_retrain": black_box.n_trees_built_,
        "seconds_incremental": round(fast.search_.elapsed, 4),
        "seconds_retrain": round(black_box.search_.elapsed, 4),
    }


def within(data: Dataset, options: dict[str, Any], budget: float) -> tuple[dict[str, Any], str]:
    """Return limits of a selection within which the black box takes about so many seconds."""
    if math.isinf(budget):
        return {}, ""
    free = BackwardEliminationSelector(**options).fit(data)
    seconds = seconds_of_a_tree(data, options)
    n_rounds = len(free.history_)
    n_allowed = int(budget / seconds)
    if sum(data.n_features - dropped for dropped in range(n_rounds)) <= n_allowed:
        return {}, ""
    n_steps = max(1, n_allowed // data.n_features - 1)
    limits = {"min_features": data.n_features - n_steps}
    told = f"{n_steps} steps at the most"
    n_tried = max(2, n_allowed // (n_steps + 1))
    if n_tried >= data.n_features:
        return limits, told
    tried = sorted(range(data.n_features), key=lambda feature: (feature not in free.used_features_, feature))
    return {**limits, "required_features": sorted(tried[n_tried:])}, f"{told}, {n_tried} features tried"


def seconds_of_a_tree(data: Dataset, options: dict[str, Any]) -> float:
    """Return the time that the black box takes for a tree, from some three of them."""
    few = {"required_features": range(3, data.n_features), "min_features": max(0, data.n_features - 1)}
    start = time.perf_counter()
    tried = BackwardEliminationSelector(strategy="retrain", **options, **few).fit(data)
    return (time.perf_counter() - start) / tried.n_trees_built_


def main() -> int:
    """Compare the sets of the folder and write the record."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("record", type=Path)
    parser.add_argument(
        "--pruned", action="store_true", help="prune by the error-based rule, without grafting"
    )
    parser.add_argument("--rows", type=int, default=sys.maxsize, help="sets with fewer rows only")
    parser.add_argument(
        "--features", type=int, default=MOST_FEATURES, help="sets with so many features at most"
    )
    parser.add_argument("--budget", type=float, default=math.inf, help="seconds of the black box a set")
    asked = parser.parse_args()
    names = [
        entry.name
        for entry in catalogue()
        if entry.source == "folder"
        and entry.n_samples < asked.rows
        and entry.n_numeric + entry.n_nominal <= asked.features
    ]
    pruning = ErrorBasedPruning(grafting=False) if asked.pruned else None
    with asked.record.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, FIELDS, lineterminator="\n")
        table.writeheader()
        n_different = 0
        for name in names:
            row = compare(name, pruning, asked.budget)
            table.writerow(row)
            file.flush()
            print(*row.values(), flush=True)
            n_different += not row["same"]
    print(f"{len(names)} sets, {n_different} with a difference")
    return int(n_different > 0)


if __name__ == "__main__":
    sys.exit(main())
