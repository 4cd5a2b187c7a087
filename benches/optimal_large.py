"""Optimal trees of large sets: what is proven within a limit, by one thread and by two.

``python -m benches.optimal_large [--set NAME] [--depth D] [--threads N] [--limit SECONDS] [--out FILE]``
fits `OptimalTreeClassifier` to adult, letter and covtype-10k, each in a process of its own, and writes a CSV
table as it goes: cost, bound, status, seconds of the wall clock and of the processors, and the memory that
the search took above the loaded `Dataset`. Other work on the machine makes the wall clock's seconds more, and
may end a search by its limit that would have been done in it. Needs TREEWRIGHT_DATA.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

NAMES = ("adult", "letter", "covtype-10k")
FIELDS = (
    *("set", "rows", "features", "classes", "depth", "threads", "limit", "errors", "bound", "status"),
    *("wall_seconds", "cpu_seconds", "peak_mb", "kernel"),
)


def one_run(name: str, depth: int, n_threads: int, limit: float) -> dict[str, object]:
    """Fit once, in this process."""
    from treewright import OptimalTreeClassifier, datasets

    data = datasets.load(name, folder=os.environ["TREEWRIGHT_DATA"])
    OptimalTreeClassifier(max_depth=2).fit(data[:50])  # imports what it needs
    before = _memory("VmRSS")
    Path("/proc/self/clear_refs").write_text(
        "5"
    )  # the peak begins anew: reading took more than the data set does
    began, start = time.monotonic(), time.process_time()
    model = OptimalTreeClassifier(max_depth=depth, n_jobs=n_threads, time_limit=limit).fit(data)
    wall, cpu = time.monotonic() - began, time.process_time() - start
    found = model.search_
    return {
        **{"set": name, "rows": data.n_samples, "features": data.n_features, "classes": len(data.classes)},
        **{"depth": depth, "threads": n_threads, "limit": limit},
        **{"errors": found.cost, "bound": found.bound, "status": found.status},
        **{"wall_seconds": round(wall, 2), "cpu_seconds": round(cpu, 2)},
        **{"peak_mb": round((_memory("VmHWM") - before) / 1024, 1), "kernel": found.instruction_set},
    }


def _memory(name: str) -> int:
    """Return a size of this process, in KiB."""
    return int(Path("/proc/self/status").read_text().partition(f"{name}:")[2].split()[0])


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--set", action="append", choices=NAMES)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--threads", action="append", type=int)
    parser.add_argument("--limit", type=float, default=300.0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--one", help=argparse.SUPPRESS, nargs=4)
    arguments = parser.parse_args()
    if arguments.one:
        name, depth, n_threads, limit = arguments.one
        print(json.dumps(one_run(name, int(depth), int(n_threads), float(limit))))
        return 0
    with arguments.out.open("w", newline="") if arguments.out else nullcontext(sys.stdout) as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for name in arguments.set or NAMES:
            for n_threads in arguments.threads or (1, 2):
                words = ["--one", name, *map(str, (arguments.depth, n_threads, arguments.limit))]
                command = [sys.executable, "-m", "benches.optimal_large", *words]
                ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
                writer.writerow(json.loads(ran.stdout.splitlines()[-1]))
                file.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
