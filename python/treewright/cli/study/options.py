"""Options that the commands which run a study share, and how a study is run and answered."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol, cast

import click

from treewright.cli._exit import DONE, INTERRUPTED
from treewright.cli._files import checked_out, write_whole
from treewright.cli._lines import screen_width
from treewright.cli._options import (
    JSON,
    SOURCE,
    AnyFunction,
    Decorator,
    given_options,
    options,
    output_option,
)
from treewright.cli._pictures import checked_picture, drawn, prepare_drawing
from treewright.cli._sections import Option
from treewright.cli._source import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from treewright import Dataset

TERMINATED = 128 + signal.SIGTERM
"""How a command ends that SIGTERM ended."""

study_option = partial(click.option, cls=Option, section="Study")

SECONDS = click.FloatRange(0, min_open=True)
FILE = click.Path(dir_okay=False, path_type=Path)

VALIDATION_SET = study_option(
    "--validation-set",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    default=0.3,
    help="Share of the rows of a training part that judges trees; the others grow them.",
)
PAPER = study_option(
    "--paper",
    is_flag=True,
    help="Take the sets of the published experiment, each as it was used there, most of them from the folder "
    "of --data. In place of DATA.",
)
N_JOBS = study_option(
    "--n-jobs",
    type=int,
    metavar="N",
    otherwise=1,
    help="Folds that run side by side; -1 takes all cores.",
)
PROGRESS = output_option("--progress", is_flag=True, help="Show progress even off a terminal.")


def repeatable(
    name: str, parameter: str, kind: click.ParamType[Any], metavar: str, **more: Any
) -> Decorator[Any]:
    """Return an option that may be given several times."""
    return study_option(name, parameter, multiple=True, type=kind, metavar=metavar, **more)


def count_option(name: str, default: int, help_text: str, *, least: int = 1) -> Decorator[Any]:
    """Return an option that counts something."""
    return study_option(name, type=click.IntRange(min=least), metavar="N", default=default, help=help_text)


def fold_options(folds: int, repeats: int) -> tuple[Decorator[Any], Decorator[Any]]:
    """Return the options that say how many folds there are, and how often they are drawn."""
    return (
        count_option("--folds", folds, "Folds of the cross-validation.", least=2),
        count_option("--repeats", repeats, "How often folds are drawn."),
    )


def seed_option(help_text: str) -> Decorator[Any]:
    """Return the option that makes draws repeatable."""
    return study_option("--seed", type=click.IntRange(0, 2**32 - 1), metavar="N", default=0, help=help_text)


def search_time_option(help_text: str, default: float | None = None) -> Decorator[Any]:
    """Return the option that limits every single search."""
    return study_option(
        "--search-time-limit", type=SECONDS, metavar="SECONDS", default=default, help=help_text
    )


_CONDUCT = {
    "time_limit": study_option(
        "--time-limit", type=SECONDS, metavar="SECONDS", help="End the study then, with what is done."
    ),
    "checkpoint": study_option(
        "--checkpoint",
        type=FILE,
        metavar="FILE",
        help="Keep what is done in this file, now and then and when the study is stopped.",
    ),
    "resume": study_option(
        "--resume", is_flag=True, help="Go on from the file that --checkpoint names, if it is there."
    ),
}

_ANSWERS = {
    "picture": output_option(
        "--plot",
        "picture",
        type=FILE,
        metavar="FILE",
        callback=checked_picture,
        help="Draw the result: a .png, .pdf or .svg file.",
    ),
    "out": output_option(
        "--out", type=FILE, metavar="FILE", callback=checked_out, help="Write the result to a JSON file."
    ),
    "numbers": output_option(
        "--csv",
        "numbers",
        type=FILE,
        metavar="FILE",
        callback=checked_out,
        help="Write the numbers that the table sums up to a CSV file.",
    ),
    "as_json": JSON,
    "latex": output_option(
        "--latex", is_flag=True, help="Print the table as LaTeX, for the package booktabs."
    ),
    "progress": PROGRESS,
}


class Result(Protocol):
    """What a study returns."""

    def to_text(self, max_width: int | None = None) -> str:
        """Return the table as text."""

    def to_latex(self) -> str:
        """Return the table as LaTeX."""

    def to_json(self) -> str:
        """Return everything as JSON."""

    def to_csv(self) -> str:
        """Return the numbers as CSV."""

    def plot(self) -> Figure | Axes:
        """Draw it."""


class Run:
    """How a study is run, and where its answers go, as the options say."""

    def __init__(self, conduct: Mapping[str, Any], answers: Mapping[str, Any]) -> None:
        if answers["as_json"] and answers["latex"]:
            raise click.UsageError("--json and --latex are two forms of one answer: give one of them.")
        if answers["picture"] is not None:
            prepare_drawing()
        self._conduct, self._answers = conduct, answers

    def __call__(self, study: Callable[..., Result], *data: object, **settings: Any) -> int:
        """Run a study and answer; return how the command ends."""
        from treewright.studies import StudyInterruptedError

        progress = self._answers["progress"] or sys.stderr.isatty()
        code = DONE
        with _Termination() as termination:
            try:
                found = study(*data, **settings, **self._conduct, progress=progress)
            except StudyInterruptedError as stop:
                found, code = cast("Result", stop.result), TERMINATED if termination.is_asked else INTERRUPTED
        self._give(found)
        if code != DONE and self._conduct["checkpoint"] is not None:
            click.echo("The same command with --resume goes on.", err=True)
        return code

    def _give(self, found: Result) -> None:
        """Write what was asked for, and print the table in the form that was asked for."""
        asked = self._answers
        if asked["picture"] is not None:
            write_whole(asked["picture"], drawn(found.plot(), asked["picture"]))
        if asked["numbers"] is not None:
            write_whole(asked["numbers"], found.to_csv())
        if asked["out"] is not None:
            write_whole(asked["out"], found.to_json() + "\n")
        if asked["as_json"]:
            click.echo(found.to_json())
        else:
            click.echo(found.to_latex() if asked["latex"] else found.to_text(screen_width()))


class _Termination:
    """While it is entered, SIGTERM interrupts the work as Ctrl-C does."""

    def __init__(self) -> None:
        self.is_asked = False

    def __enter__(self) -> _Termination:
        try:
            self._before = signal.signal(signal.SIGTERM, self._stop)
        except ValueError:  # not in the main thread, where no signal is heard
            self._before = None
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGTERM, self._before)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.is_asked = True
        raise KeyboardInterrupt


def takes_run(function: AnyFunction) -> Any:
    """Give a command the options that say how to run and what to answer; it receives them as one `Run`."""

    @wraps(function)
    def command(**parameters: Any) -> Any:
        conduct = {name: parameters.pop(name) for name in _CONDUCT}
        answers = {name: parameters.pop(name) for name in _ANSWERS}
        growing = parameters.get("growing", {})
        n_jobs = growing.pop("n_jobs", None) if "growing" in parameters else parameters.pop("n_jobs", None)
        return function(run=Run({**conduct, "n_jobs": n_jobs}, answers), **parameters)

    return options(*_CONDUCT.values(), *_ANSWERS.values())(command)


def takes_data_sets(*, required: bool) -> Decorator[Any]:
    """Give a command as many DATA as are wanted, and the options that say how to read each."""
    return options(click.argument("data", nargs=-1, required=required), *SOURCE[1:])


def loaded(data: tuple[str, ...], source: Mapping[str, Any]) -> dict[str, Dataset]:
    """Return every DATA under its name, read as the options under Data say."""
    repeated = sorted({name for name in data if data.count(name) > 1})
    if repeated:
        raise click.UsageError(f"DATA names {repeated[0]!r} more than once.")
    return {name: Source(data=name, **source).load() for name in data}


def data_sets(
    experiment: str, data: tuple[str, ...], paper: bool, source: Mapping[str, Any], seed: int
) -> dict[str, Dataset]:
    """Return every DATA, or the sets of the published experiment."""
    from treewright.studies import published_sets

    if bool(data) == paper:
        raise click.UsageError("Give DATA or --paper, one of the two.")
    if not paper:
        return loaded(data, source)
    refuse_reading("--paper, which knows its sets", but="folder")
    return published_sets(experiment, data=source["folder"], random_state=seed)


def refuse_reading(reason: str, but: str = "") -> None:
    """Refuse options of reading DATA where none is read."""
    for option in given_options():
        if getattr(option, "section", "") == "Data" and option.name != but:
            raise click.UsageError(f"{option.opts[0]} does not go with {reason}; leave it out.")
