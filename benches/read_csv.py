"""Reading a CSV file beside polars, coding an array beside numpy, and the memory of both.

``python -m benches.read_csv [ROWS]`` writes a file of 20 columns (numbers of many and of few digits, whole
numbers, texts, 5 % gaps) and prints a CSV table: CPU seconds of the whole process (median of five), what
they are compared with, and their ratio; and the peak of memory above that before, in multiples of the result.
Needs polars.
"""

from __future__ import annotations

import csv
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROWS, COLUMNS = 500_000, 20


def write_table(path: Path, n_rows: int) -> None:
    """Write a file of numbers, texts and gaps."""
    import polars as pl

    rng = np.random.default_rng(0)
    columns: dict[str, object] = {f"f{i}": rng.normal(size=n_rows) for i in range(6)}
    columns |= {f"d{i}": rng.normal(100, 15, n_rows).round(2) for i in range(4)}
    columns |= {f"i{i}": rng.integers(0, 1000 * 10**i, n_rows) for i in range(4)}
    for i in range(5):
        levels = np.array([f"level {k}" for k in range(5 + 20 * i)])
        columns[f"t{i}"] = levels[rng.integers(0, len(levels), n_rows)]
    gaps = [
        pl.when(pl.Series(rng.random(n_rows) < 0.05)).then(None).otherwise(pl.col(name)).alias(name)
        for name in columns
    ]
    classes = np.array(["no", "yes"])[rng.integers(0, 2, n_rows)]
    pl.DataFrame(columns).with_columns(gaps).with_columns(pl.Series("class", classes)).write_csv(path)


def seconds(work: Callable[[], object], n: int = 5) -> float:
    """Return the CPU seconds of a piece of work, of all threads."""
    found = []
    for _ in range(n):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return statistics.median(found)


def result_bytes(path: Path) -> int:
    """Return the bytes of the coded columns: codes at their width, and the numbers behind them."""
    from treewright import datasets

    data = datasets.read_csv(path, target="class")
    total = 2 * data.n_samples
    for i, levels in enumerate(data.levels):
        column = data.column(i)
        n = len(levels) if levels is not None else len(np.unique(column[~np.isnan(column)]))
        total += data.n_samples * (1 if n < 256 else 2 if n < 65536 else 4) + (0 if levels else 8 * n)
    return total


def peak_of_reading(path: Path) -> int:
    """Return by how many bytes reading raises the peak of memory, in a process of its own."""
    code = (
        "import warnings; warnings.simplefilter('ignore')",
        "from treewright import datasets",
        "def peak(): return int(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])",
        "open('small.csv', 'w').write('x,class\\n1,a\\n2,b\\n')",
        "datasets.read_csv('small.csv', target='class'); before = peak()",
        f"datasets.read_csv({str(path)!r}, target='class')",
        "print(peak() - before)",
    )
    command = [sys.executable, "-c", "\n".join(code)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=path.parent)
    return int(ran.stdout) * 1024


def main() -> None:
    """Measure and print."""
    import polars as pl

    from treewright import Dataset, datasets

    warnings.simplefilter("ignore")
    n_rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    array = np.random.default_rng(1).normal(size=(2 * n_rows // 5, COLUMNS))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["what", "treewright", "beside", "ratio", "most"])

    def tell(what: str, own: float, other: float, most: int) -> None:
        out.writerow([what, f"{own:.3f}", f"{other:.3f}", f"{own / other:.2f}", most])

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        write_table(path, n_rows)
        own = seconds(lambda: datasets.read_csv(path, target="class"))
        tell("read_csv, CPU seconds beside polars", own, seconds(lambda: pl.read_csv(path)), 4)
        peak, result = peak_of_reading(path) / 2**20, result_bytes(path) / 2**20
        tell("read_csv, peak MB beside the result", peak, result, 3)
    own = seconds(lambda: Dataset(array))
    other = seconds(lambda: [np.unique(array[:, i]) for i in range(COLUMNS)])
    tell("Dataset, CPU seconds beside numpy.unique", own, other, 2)


if __name__ == "__main__":
    main()
