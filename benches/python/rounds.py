"""Measuring: every run of every tool in a process of its own, the tools of a case taking turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

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
        turns = [
            *_turns(YARDSTICK, {"scikit-learn": yardstick}, folders),
            *_turns(case, figures, folders),
        ]
        for number in range(n_runs):
            for turn in turns:
                if not turn.figure.problem and not turn.is_slow(patience):
                    turn.take(time_limit)
                    say(f"{case.name}  run {number + 1}  {turn.name}: {turn.last_words}")
    return figures, yardstick


@dataclass
class Turn:
    """One tool at one piece of work, whenever its turn comes."""

    case: Case
    tool: str
    figure: Figure
    folder: Path

    @property
    def name(self) -> str:
        """What is measured."""
        return "yardstick" if self.case is YARDSTICK else self.tool

    def take(self, time_limit: float) -> None:
        """Add a run; a failure takes the place of all runs."""
        arguments = (str(self.folder), self.case.work, self.tool)
        try:
            said = run_module("python.worker", *arguments, time_limit=time_limit)
        except RunError as error:
            self.figure.runs.clear()
            self.figure.problem = str(error)
        else:
            self.figure.runs.append(json.loads(said.splitlines()[-1]))

    def is_slow(self, patience: float) -> bool:
        """Whether the first run took too long for another."""
        return bool(self.figure.runs) and self.figure.runs[0]["cpu_seconds"] > patience

    @property
    def last_words(self) -> str:
        """What came of the last run."""
        return self.figure.problem or f"{self.figure.runs[-1]['cpu_seconds']:.4f} s"


def _turns(case: Case, figures: dict[str, Figure], folders: ExitStack) -> list[Turn]:
    """Write the table of a case and plan its turns; without a table there are none."""
    try:
        folder = folders.enter_context(table_folder(case.table))
    except RunError as error:
        for figure in figures.values():
            figure.problem = f"no table: {error}"
        return []
    return [Turn(case, tool, figure, folder) for tool, figure in figures.items()]
