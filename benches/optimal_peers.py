"""Optimal trees beside their peers: errors, CPU seconds, memory and what is proven, in one run.

``python -m benches.optimal_peers [--numeric] [--binary] [--depth D] [--set NAME] [--limit SECONDS]
[--together] [--out FILE]`` fits every tool to every set in a process of its own with one thread, or all of
them in this process, which is quicker and tells no memory, and prints a CSV table as it goes. On numeric sets
the peers are pycontree and pytrees-rs, on binary sets pystreed (also with a price of
a leaf). Each tool first fits some rows, which imports what it needs; seconds are the processor's, from array
to fitted tree (from `Dataset` to tree for treewright, whose coding is a column of its own). A tree counts by
its errors on the rows, counted here from what it predicts. Needs TREEWRIGHT_DATA and the peers' packages; one
that is absent is left out by name.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

NUMERIC = ("bank", "bidding", "occupancy", "page", "raisin", "rice", "room", "segment", "wilt")
FIELDS = (
    *("set", "rows", "features", "classes", "depth", "penalty", "tool", "errors", "leaves", "objective"),
    *("status", "seconds", "coding", "peak_mb", "runs", "kernel"),
)
PENALTIES = (0, 3)
"""Errors that a leaf costs, on binary sets."""
PATIENCE, RUNS = 5.0, 3
"""A run above so many seconds is made once, others so often; their median counts."""


def numbers_of(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Read a set whose columns are numbers; the class is the last one, or the first one of DL8.5's files."""
    import pandas as pd

    if path.name.endswith(".txt.gz"):
        table = pd.read_csv(path, sep=r"\s+", header=None)
        return table.iloc[:, 1:].to_numpy(float), table.iloc[:, 0].to_numpy()
    with gzip.open(path, "rt") as file:
        separator = ";" if ";" in file.readline() else ","
    table = pd.read_csv(path, sep=separator)
    inputs = pd.get_dummies(table.iloc[:, :-1])  # columns of words become one of 0 and 1 for every word
    return inputs.to_numpy(float), np.unique(table.iloc[:, -1], return_inverse=True)[1]


def treewright(X: np.ndarray, y: np.ndarray, depth: int, penalty: float, limit: float) -> dict[str, object]:
    """Fit this package's tree, the coded data set given."""
    from treewright import Dataset, OptimalTreeClassifier

    before = time.process_time()
    data = Dataset(X, y)
    start = time.process_time()
    model = OptimalTreeClassifier(max_depth=depth, leaf_penalty=penalty, time_limit=limit, n_jobs=1).fit(data)
    spent = time.process_time() - start
    found = model.search_
    return {
        "seconds": spent,
        "coding": start - before,
        "predicted": model.predict(X),
        "leaves": model.tree_.n_leaves,
        "status": found.status,
        "kernel": found.instruction_set,
    }


def pycontree(X: np.ndarray, y: np.ndarray, depth: int, penalty: float, limit: float) -> dict[str, object]:
    """Fit ConTree's tree."""
    from pycontree import ConTree

    model = ConTree(max_depth=depth, complexity_cost=penalty / len(X), time_limit=limit)
    start, began = time.process_time(), time.monotonic()
    model.fit(X, y)
    spent, passed = time.process_time() - start, time.monotonic() - began
    return {
        "seconds": spent,
        "predicted": model.predict(X),
        "status": "optimal" if passed < limit else "time_limit",
    }


def pytrees(X: np.ndarray, y: np.ndarray, depth: int, penalty: float, limit: float) -> dict[str, object]:
    """Fit the tree of pytrees-rs."""
    from pytrees import ConTreeClassifier

    model = ConTreeClassifier(max_depth=depth, max_time=limit)
    start, began = time.process_time(), time.monotonic()
    model.fit(X, y)
    spent, passed = time.process_time() - start, time.monotonic() - began
    return {
        "seconds": spent,
        "predicted": model.predict(X),
        "status": "optimal" if passed < limit else "time_limit",
    }


def pystreed(X: np.ndarray, y: np.ndarray, depth: int, penalty: float, limit: float) -> dict[str, object]:
    """Fit STreeD's tree."""
    from pystreed import STreeDClassifier

    task = "cost-complex-accuracy" if penalty else "accuracy"
    options = {"cost_complexity": penalty / len(X)} if penalty else {}
    model = STreeDClassifier(task, max_depth=depth, time_limit=limit, **options)
    start = time.process_time()
    model.fit(X.astype(int), y)
    spent = time.process_time() - start
    status = "optimal" if model.fit_result.is_optimal() else "time_limit"
    found = {"seconds": spent, "predicted": model.predict(X.astype(int)), "status": status}
    return {**found, "leaves": model.get_n_leaves()}


TOOLS: dict[str, Callable[..., dict[str, object]]] = {
    one.__name__: one for one in (treewright, pycontree, pytrees, pystreed)
}


def one_run(tool: str, path: Path, depth: int, penalty: float, limit: float) -> dict[str, object]:
    """Fit once, in this process."""
    X, y = numbers_of(path)
    some = np.unique(np.concatenate([np.flatnonzero(y == label)[:30] for label in np.unique(y)]))
    TOOLS[tool](X[some], y[some], 2, penalty, limit)
    before = _peak()
    found = TOOLS[tool](X, y, depth, penalty, limit)
    predicted = np.asarray(found.pop("predicted"))
    errors = int((predicted != y).sum())
    leaves = found.get("leaves")
    objective = errors if not penalty else errors + penalty * int(leaves) if leaves else None
    sizes = {"rows": len(X), "features": X.shape[1], "classes": len(np.unique(y))}
    return {**sizes, **found, "errors": errors, "objective": objective, "peak_mb": (_peak() - before) / 1024}


def _peak() -> int:
    """Return the most memory that this process had, in KiB."""
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])


def in_process(tool: str, path: Path, depth: int, penalty: float, limit: float) -> dict[str, object]:
    """Fit in processes of their own and return the median."""
    runs: list[dict[str, object]] = []
    while not _is_enough(runs):
        words = ["--one", tool, str(path), str(depth), str(penalty), str(limit)]
        command = [sys.executable, "-m", "benches.optimal_peers", *words]
        variables = {**os.environ, "OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
        try:
            ran = subprocess.run(
                command, capture_output=True, text=True, env=variables, timeout=3 * limit + 60, check=False
            )
        except subprocess.TimeoutExpired:
            return {"status": "killed", "seconds": 3 * limit + 60}
        if ran.returncode:
            return {"status": "failed: " + (ran.stderr.strip().splitlines() or ["?"])[-1][:80]}
        runs.append(json.loads(ran.stdout.splitlines()[-1]))
    return _median(runs)


def in_this_process(tool: str, path: Path, depth: int, penalty: float, limit: float) -> dict[str, object]:
    """Fit in this process and return the median; what memory a tool took cannot be told."""
    runs: list[dict[str, object]] = []
    while not _is_enough(runs):
        runs.append(one_run(tool, path, depth, penalty, limit))
    return {**_median(runs), "peak_mb": None}


def _is_enough(runs: list[dict[str, object]]) -> bool:
    return len(runs) == RUNS or any(float(str(run["seconds"])) > PATIENCE for run in runs)


def _median(runs: list[dict[str, object]]) -> dict[str, object]:
    seconds = statistics.median(float(str(run["seconds"])) for run in runs)
    return {**runs[0], "seconds": seconds, "runs": len(runs)}


def cases(arguments: argparse.Namespace) -> Iterator[tuple[str, Path, int, int]]:
    """Yield tools' sets with depths and prices of a leaf."""
    folder = Path(os.environ["TREEWRIGHT_DATA"])
    both = not (arguments.numeric or arguments.binary)
    for depth in arguments.depth or (2, 3):
        if arguments.numeric or both:
            for name in NUMERIC:
                yield name, folder / "numeric" / f"{name}.csv.gz", depth, 0
        if arguments.binary or both:
            for path in sorted((folder / "binary").iterdir()):
                for penalty in PENALTIES:
                    yield path.name.partition(".")[0], path, depth, penalty


def installed(tools: Sequence[str]) -> list[str]:
    """Return the tools that are there; name those that are not."""
    from importlib.util import find_spec

    absent = [tool for tool in tools if find_spec(tool) is None]
    for tool in absent:
        print(f"{tool} is not installed and left out", file=sys.stderr)
    return [tool for tool in tools if tool not in absent]


def main() -> None:
    """Print the table."""
    if sys.argv[1:2] == ["--one"]:
        tool, path, depth, penalty, limit = sys.argv[2:]
        found = one_run(tool, Path(path), int(depth), float(penalty), float(limit))
        print(json.dumps(found, default=str))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--numeric", action="store_true")
    parser.add_argument("--binary", action="store_true")
    parser.add_argument("--depth", type=int, action="append")
    parser.add_argument("--set", action="append")
    parser.add_argument("--limit", type=float, default=80)
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    file = arguments.out.open("w", newline="") if arguments.out else sys.stdout
    writer = csv.DictWriter(file, FIELDS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    numeric, binary = installed(["treewright", "pycontree", "pytrees"]), installed(["treewright", "pystreed"])
    for name, path, depth, penalty in cases(arguments):
        if arguments.set and name not in arguments.set:
            continue
        for tool in numeric if path.parent.name == "numeric" else binary:
            run = in_this_process if arguments.together else in_process
            found = run(tool, path, depth, penalty, arguments.limit)
            shown = {
                key: f"{value:.4g}" if isinstance(value, float) else value for key, value in found.items()
            }
            writer.writerow({"set": name, "depth": depth, "penalty": penalty, "tool": tool, **shown})
            file.flush()


if __name__ == "__main__":
    main()
