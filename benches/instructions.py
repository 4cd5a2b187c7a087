"""Count the instructions of the engines, line by line: a busy machine does not change them.

``python -m benches.instructions`` runs itself under valgrind's callgrind and prints a CSV table. It counts
what a call through Python takes, from the caller's array to the result, on one thread. Two such tables are
compared with ``python -m benches.instructions BEFORE.csv AFTER.csv``. Needs valgrind.
"""

from __future__ import annotations

import csv
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

INSIDE = "TREEWRIGHT_INSTRUCTIONS"
"""Variable that tells the process under valgrind that it is the one."""

MOST_OF_ONE = 1.08
MOST_IN_THE_MEAN = 1.03


def lines() -> dict[str, Callable[[], object]]:
    """Return what is counted, by name."""
    from treewright import (
        BackwardEliminationSelector,
        CompleteSearchSelector,
        FixedDepthTreeClassifier,
        ForwardSelectionSelector,
        GreedyTreeClassifier,
        MinimalTreeClassifier,
        OptimalTreeClassifier,
        RobustLinearClassifier,
    )
    from treewright.datasets import load, make_random_table
    from treewright.distinct import count_distinct_trees
    from treewright.evolution import learn_pruner
    from treewright.pruning import CostComplexityPruning, ErrorBasedPruning, prune
    from treewright.studies import compare_pruning
    from treewright.tables import DecisionTable

    wine, cancer, game, vote = load("wine"), load("breast-cancer"), load("tic-tac-toe"), load("vote")
    drawn = make_random_table(4000, n_numeric=10, n_nominal=4, random_state=0)
    small = GreedyTreeClassifier(min_samples_split=16)
    grown = GreedyTreeClassifier().fit(drawn)
    random = np.random.RandomState(0)
    cells = np.unique(random.randint(0, 3, (400, 8)), axis=0)
    table = DecisionTable(cells, random.randint(0, 3, len(cells)))
    judged = {"validation_set": 0.3, "random_state": 0}
    fast = {"budget": 2000, "random_state": 0, "n_train": 240, "n_validation": 240, "n_test": 240}
    return {
        "grow": lambda: GreedyTreeClassifier().fit(drawn),
        "grow, gain ratio": lambda: GreedyTreeClassifier(criterion="gain_ratio").fit(drawn),
        "grow, gini": lambda: GreedyTreeClassifier(criterion="gini").fit(drawn),
        "grow, c45": lambda: GreedyTreeClassifier.c45().fit(drawn),
        "predict": lambda: grown.predict(drawn),
        "predict probabilities": lambda: grown.predict_proba(drawn),
        "eliminate": lambda: BackwardEliminationSelector(**judged).fit(drawn),
        "eliminate, retrain": lambda: BackwardEliminationSelector(strategy="retrain", **judged).fit(cancer),
        "forward": lambda: ForwardSelectionSelector(**judged).fit(cancer),
        "complete": lambda: CompleteSearchSelector(**judged).fit(wine),
        "count distinct": lambda: count_distinct_trees(wine, estimator=small),
        "graph": lambda: table.subtable_graph(),
        "minimum": lambda: table.minimum_tree("n_nodes"),
        "greedy heuristics": lambda: table.greedy_trees(),
        "minimal tree": lambda: MinimalTreeClassifier(cost="depth").fit(game),
        "optimal, two classes": lambda: OptimalTreeClassifier(max_depth=2).fit(drawn),
        "optimal, more classes": lambda: OptimalTreeClassifier(max_depth=3).fit(wine),
        "optimal, of bits": lambda: OptimalTreeClassifier(max_depth=4).fit(vote),
        "optimal, sparse": lambda: OptimalTreeClassifier(max_depth=3, leaf_penalty=2.0).fit(game),
        "fixed depth": lambda: FixedDepthTreeClassifier(max_depth=6).fit(game),
        "plane": lambda: RobustLinearClassifier(prove=False).fit(cancer),
        "prune, error based": lambda: prune(grown.tree_, ErrorBasedPruning(grafting=False)),
        "prune, cost complexity": lambda: prune(grown.tree_, CostComplexityPruning(alpha=2.0)),
        "pruning study": lambda: compare_pruning(generator="paper_table", n_sets=120, random_state=0),
        "evolve": lambda: learn_pruner("paper_table", **fast),
    }


def control(*options: str) -> None:
    """Tell the valgrind around this process something."""
    subprocess.run(["callgrind_control", *options, str(os.getpid())], check=True, capture_output=True)


def count_inside() -> None:
    """Run every line with counting on; each leaves a dump that bears its name."""
    wanted = re.compile(os.environ.get(INSIDE + "_ONLY", ""))
    for name, work in lines().items():
        if wanted.search(name):
            work()  # what is imported or set up once does not count
            control("--instr=on")
            control("--zero")
            work()
            control(f"--dump={name}")
            control("--instr=off")
            print(name, file=sys.stderr)


def counts() -> dict[str, int]:
    """Run this module under callgrind and return the instructions of every line."""
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--quiet"]
        out = f"--callgrind-out-file={folder}/counts"
        command = [*valgrind, out, sys.executable, "-m", "benches.instructions"]
        subprocess.run(command, check=True, env={**os.environ, INSIDE: "1", "PYTHONHASHSEED": "0"})
        found = {}
        for path in sorted(Path(folder).glob("counts*")):
            text = path.read_text(encoding="utf-8", errors="replace")
            named = re.search(r"^desc: Trigger: .*?Dump at .*?$|^desc: Trigger: (.*)$", text, re.M)
            total = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
            if named and named[1] and named[1].startswith("dump ") and total:
                found[named[1].removeprefix("dump ").strip()] = int(total[1])
        return found


def compare(before: Path, after: Path) -> int:
    """Print the ratio of every line and say whether the limits hold."""
    old, new = (dict(csv.reader(path.open(encoding="utf-8"))) for path in (before, after))
    ratios = {name: int(new[name]) / int(old[name]) for name in old if name in new and name != "line"}
    for name, ratio in ratios.items():
        print(f"{ratio:6.3f}  {name}")
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    print(f"{mean:6.3f}  geometric mean")
    return int(mean > MOST_IN_THE_MEAN or max(ratios.values()) > MOST_OF_ONE)


def main() -> int:
    """Count, or compare two tables of counts."""
    if INSIDE in os.environ:
        count_inside()
        return 0
    if len(sys.argv) == 3:
        return compare(Path(sys.argv[1]), Path(sys.argv[2]))
    writer = csv.writer(sys.stdout)
    writer.writerow(["line", "instructions"])
    writer.writerows(counts().items())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
