"""One measurement in a process of its own: `python -m benches.python.worker FOLDER WORK TOOL`.

Prints one line of JSON: what the work took and its counters.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

from ..data import Table
from . import tools
from .spending import measure


def main(folder: str, work: str, tool: str) -> None:
    """Warm up on a small table, then measure."""
    table = Table.load(Path(folder))
    prepare = getattr(tools.module(tool), work)
    prepare(table.few()).run()
    job = prepare(table)
    result, spending = measure(job.run)
    counters = {name: float(value) for name, value in job.counters(result).items()}
    print(json.dumps({**dataclasses.asdict(spending), "array_bytes": table.X.nbytes, "counters": counters}))


if __name__ == "__main__":
    main(*sys.argv[1:])
