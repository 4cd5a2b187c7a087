"""Hold backward elimination against its black-box form on every set of a folder, and record it.

Run ``python -m benches.same_answer RECORD.csv`` from the root of the repository, with
``TREEWRIGHT_DATA`` naming the folder. The exit code is 1 if any answer differs.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

from treewright import BackwardEliminationSelector, datasets
from treewright.datasets import catalogue

MOST_FEATURES = 200
FIELDS = (
    "data",
    "rows",
    "features",
    "same",
    "drops",
    "first_errors",
    "errors",
    "trees_incremental",
    "trees_retrain",
    "seconds_incremental",
    "seconds_retrain",
)


def compare(name: str) -> dict[str, Any]:
    """Run both strategies on a set and say whether steps, sets, errors and trees are the same."""
    data = datasets.load(name)
    fast, black_box = (
        BackwardEliminationSelector(random_state=0, strategy=strategy).fit(data)
        for strategy in ("incremental", "retrain")
    )
    steps = [selector.history_[["dropped", "errors"]].tolist() for selector in (fast, black_box)]
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
        "drops": len(steps[0]) - 1,
        "first_errors": steps[0][0][1],
        "errors": steps[0][-1][1],
        "trees_incremental": fast.n_trees_built_,
        "trees_retrain": black_box.n_trees_built_,
        "seconds_incremental": round(fast.search_.elapsed, 4),
        "seconds_retrain": round(black_box.search_.elapsed, 4),
    }


def main() -> int:
    """Compare all sets of the folder with up to 200 features and write the record."""
    names = [
        entry.name
        for entry in catalogue()
        if entry.source == "folder" and entry.n_numeric + entry.n_nominal <= MOST_FEATURES
    ]
    with Path(sys.argv[1]).open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, FIELDS, lineterminator="\n")
        table.writeheader()
        n_different = 0
        for name in names:
            row = compare(name)
            table.writerow(row)
            file.flush()
            print(*row.values(), flush=True)
            n_different += not row["same"]
    print(f"{len(names)} sets, {n_different} with a difference")
    return int(n_different > 0)


if __name__ == "__main__":
    sys.exit(main())
