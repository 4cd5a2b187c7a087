"""Measuring: every run of every tool in a process of its own, the tools of a case taking turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from . import tools
from .cases import YARDSTICK, Case
from .figures import Figure

ROOT = Path(__file__).resolve().parents[2]

ONE_THREAD = {
    f"{library}_NUM_THREADS": "1"
    for library in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "VECLIB_MAXIMUM", "RAYON", "LOKY_MAX")
}


Say = Callable[[str], None]
"""Is told of every run."""


class RunError(Exception):
    """A process that ended without a result; the message is its last words."""


def run_module(name: str, *arguments: str, time_limit: float | None = None) -> str:
    """Run a module of this package on one thread, return what it prints."""
    command = [sys.executable, "-m", f"benches.{name}", *arguments]
    environment = {**os.environ, **ONE_THREAD}
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            timeout=time_limit,
            capture_output=True,
            text=True,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RunError(f"not done after {time_limit:g} s") from error
    if done.returncode != 0:
        raise RunError((done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1])
    return done.stdout


@contextmanager
def table_folder(table: str) -> Iterator[Path]:
    """Write a table into a folder that lives as long as the measuring."""
    with tempfile.TemporaryDirectory(prefix="benches-") as name:
        run_module("data", table, name)
        yield Path(name)


def measure_case(
    case: Case, *, n_runs: int, patience: float, time_limit: float, say: Say
) -> tuple[dict[str, Figure], Figure]:
    """Measure all tools of a case and the yardstick, in turns.

    Parameters
    ----------
    case : Case
        What to measure.
    n_runs : int
        Processes for each tool.
    patience : float
        A tool whose first run took more processor seconds than this is not run again.
    time_limit : float
        Seconds by the clock after which a run is given up.
    say : callable
        Told of every run.

    Returns
    -------
    figures : dict
        By tool.
    yardstick : Figure
        scikit-learn on the yardstick's table, in the same turns.
    """
    figures = {tool: Figure(problem="" if tools.version(tool) else "not installed") for tool in case.tools}
    yardstick = Figure()
    with ExitStack() as folders:
        try:
            places = {
                name: folders.enter_context(table_folder(name)) for name in {case.table, YARDSTICK.table}
            }
        except RunError as failure:
            return {tool: Figure(problem=f"no table: {failure}") for tool in figures}, yardstick
        for turn in range(n_runs):
            turns = [
                ("yardstick", YARDSTICK, "scikit-learn", yardstick),
                *((tool, case, tool, figure) for tool, figure in figures.items()),
            ]
            for name, what, tool, figure in turns:
                if figure.problem or _is_slow(figure, patience):
                    continue
                try:
                    figure.runs.append(_one_run(places[what.table], what.work, tool, time_limit))
                except RunError as failure:
                    figure.runs.clear()
                    figure.problem = str(failure)
                say(f"{case.name}  run {turn + 1}  {name}: {figure.problem or _last(figure)}")
    return figures, yardstick


def _one_run(folder: Path, work: str, tool: str, time_limit: float) -> dict[str, Any]:
    said = run_module("python.worker", str(folder), work, tool, time_limit=time_limit)
    return json.loads(said.splitlines()[-1])


def _is_slow(figure: Figure, patience: float) -> bool:
    return bool(figure.runs) and figure.runs[0]["cpu_seconds"] > patience


def _last(figure: Figure) -> str:
    return f"{figure.runs[-1]['cpu_seconds']:.4f} s"
