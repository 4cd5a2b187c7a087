"""Options that the commands which run a study share, and how they answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from treewright.cli._files import checked_out, write_whole
from treewright.cli._lines import screen_width
from treewright.cli._options import (
    JSON,
    AnyFunction,
    Decorator,
    options,
    output_option,
    search_option,
)
from treewright.cli._pictures import (
    checked_picture,
    drawn,
    prepare_drawing,
)
from treewright.cli._source import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from treewright.data.dataset import Dataset

LATEX = output_option("--latex", is_flag=True, help="Print the table as LaTeX, for the package booktabs.")
PROGRESS = output_option("--progress", is_flag=True, help="Show progress even off a terminal.")


def folds_option(default: int) -> Decorator[Any]:
    """Return the option that says how many folds there are."""
    help_text = "Folds of the cross-validation."
    return search_option("--folds", type=click.IntRange(min=2), metavar="N", default=default, help=help_text)


def repeats_option(default: int) -> Decorator[Any]:
    """Return the option that says how often folds are drawn."""
    help_text = "How often folds are drawn."
    return search_option(
        "--repeats", type=click.IntRange(min=1), metavar="N", default=default, help=help_text
    )


def seed_option(help_text: str, most: int = 2**32 - 1) -> Decorator[Any]:
    """Return the option that makes draws repeatable."""
    return search_option("--seed", type=click.IntRange(0, most), metavar="N", default=0, help=help_text)


def jobs_option(help_text: str) -> Decorator[Any]:
    """Return the option that says how much runs side by side."""
    return search_option("--n-jobs", type=int, metavar="N", otherwise=1, help=help_text)


def picture_option(help_text: str) -> Decorator[Any]:
    """Return the option that asks for a drawing."""
    return output_option(
        "--out",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        callback=checked_picture,
        help=f"{help_text}: a .png, .pdf or .svg file.",
    )


def numbers_option(help_text: str) -> Decorator[Any]:
    """Return the option that asks for the numbers in a file."""
    return output_option(
        "--csv",
        "numbers",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        callback=checked_out,
        help=help_text,
    )


class Printable(Protocol):
    """A result that prints as a table."""

    def to_text(self, max_width: int | None = None) -> str:
        """Return the table as text."""

    def to_latex(self) -> str:
        """Return the table as LaTeX."""


class Answers:
    """Where the answers of a study go, as the options say."""

    def __init__(
        self, out: Path | None, numbers: Path | None, as_json: bool, latex: bool, progress: bool
    ) -> None:
        if as_json and latex:
            raise click.UsageError("--json and --latex are two forms of one answer: give one of them.")
        if out is not None:
            prepare_drawing()
        self._out = out
        self._numbers = numbers
        self._as_json = as_json
        self._latex = latex
        self.progress = progress or sys.stderr.isatty()

    def give(
        self,
        found: Printable,
        *,
        figure: Callable[[], Figure | Axes],
        csv: Callable[[], str],
        document: Callable[[], str],
    ) -> None:
        """Write what was asked for, and print the table in the form that was asked for."""
        if self._out is not None:
            write_whole(self._out, drawn(figure(), self._out))
        if self._numbers is not None:
            write_whole(self._numbers, csv())
        click.echo(
            document()
            if self._as_json
            else found.to_latex()
            if self._latex
            else found.to_text(screen_width())
        )


def answers(picture: str, numbers: str) -> Decorator[Any]:
    """Give a command the options of output, with what its drawing and its numbers are.

    It receives them as one `Answers`.
    """

    def decorated(function: AnyFunction) -> Any:
        @wraps(function)
        def command(**parameters: Any) -> Any:
            names = ("out", "numbers", "as_json", "latex", "progress")
            chosen = Answers(**{name: parameters.pop(name) for name in names})
            return function(answers=chosen, **parameters)

        shared = (picture_option(picture), numbers_option(numbers), JSON, LATEX, PROGRESS)
        return options(*shared)(command)

    return decorated


def loaded(data: tuple[str, ...], source: dict[str, Any]) -> dict[str, Dataset]:
    """Return every DATA under its name, read as the options under Data say."""
    repeated = sorted({name for name in data if data.count(name) > 1})
    if repeated:
        raise click.UsageError(f"DATA names {repeated[0]!r} more than once.")
    return {name: Source(data=name, **source).load() for name in data}
