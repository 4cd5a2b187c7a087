"""Where the answer of a command goes: the screen, and files that are written whole or not at all.

No file is written that is read, or twice; what cannot be written is refused before any work is done.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._running import QUIET
from treewright.cli._source import is_file
from treewright.cli._text import Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAGES = (".html", ".htm")
NO_FORMS: Mapping[str, Callable[[], str]] = {}
PICTURES = (".png", ".pdf", ".svg")
FORMS = {
    *(*PAGES, *PICTURES, ".jpg", ".jpeg", ".gif", ".dot", ".gv"),
    *(".csv", ".tsv", ".xlsx", ".ods", ".parquet", ".json", ".tex", ".md", ".txt", ".docx"),
}
"""Ends of names that promise a form."""

_INSTEAD = "leave it out to have results on standard output, as JSON with --json where there is that"


@dataclass(frozen=True, kw_only=True)
class Output:
    """What is asked for by the options under Output that all commands have alike."""

    out: Path | None = None
    picture: Path | None = None
    numbers: Path | None = None
    as_json: bool = False
    latex: bool = False
    show_depth: int = 4
    show_branches: int = 30
    progress: bool = False

    def __post_init__(self) -> None:
        """Refuse what contradicts itself, and to begin where no picture can be drawn."""
        if self.as_json and self.latex:
            raise click.UsageError("--json and --latex are two forms of one answer: give one of them.")
        if self.picture is not None:
            from treewright.reporting import without_windows

            try:
                without_windows("--plot")
            except ImportError as error:
                raise click.UsageError(str(error)) from error

    @property
    def shown(self) -> Shown:
        """How much of a tree is printed."""
        return Shown(self.show_depth, self.show_branches)

    def give(
        self,
        *,
        document: Callable[[], str],
        text: Callable[[], str],
        plot: Callable[[], Figure | Axes] | None = None,
        csv: Callable[[], str] | None = None,
        forms: Mapping[str, Callable[[], str]] = NO_FORMS,
        use: str = "",
    ) -> None:
        """Print the answer, as JSON or as text, and write the files that are asked for.

        The answer comes first, so that a file that cannot be written takes nothing away; with --quiet it is
        printed where that happens. A file of --out has the form that `forms` has for the end of its name,
        else JSON. `use` is said of the file of --out, whose name stands for `{out}`; nothing is said where it
        is empty.
        """
        form = None if self.out is None else forms.get(self.out.suffix.lower())
        as_json = cache(document)
        answer = (as_json() if self.as_json else text()).rstrip("\n")
        is_quiet = self.out is not None and QUIET.get()
        is_written = False
        try:
            if not is_quiet:
                click.echo(answer)
        finally:
            try:
                self._write(plot, csv, as_json if form is None else form)
                is_written = True
            finally:
                if is_quiet and not is_written:
                    click.echo(answer)
        if self.out is not None and use and not is_quiet:
            click.echo(f"\n{use.format(out=self.out)}", err=self.as_json)

    def _write(
        self,
        plot: Callable[[], Figure | Axes] | None,
        csv: Callable[[], str] | None,
        content: Callable[[], str],
    ) -> None:
        """Write the files that are asked for."""
        if self.picture is not None and plot is not None:
            write_whole(self.picture, _picture(plot(), self.picture.suffix))
        if self.numbers is not None and csv is not None:
            write_whole(self.numbers, csv())
        if self.out is not None:
            write_whole(self.out, content().rstrip("\n") + "\n")


IS_USED = "`treewright predict {out} DATA` uses it."


def _picture(plot: Figure | Axes, ending: str) -> bytes:
    """Return a figure, or the figure of axes, as a file of a kind."""
    from matplotlib.figure import Figure

    from treewright.reporting import picture

    figure = plot if isinstance(plot, Figure) else plot.figure
    assert isinstance(figure, Figure), "a result draws on a figure of its own"
    return picture(figure, ending.lower().removeprefix("."))


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file: readers see the old one or the new one."""
    from treewright._base.checkpoint import write_whole

    write_whole(path, content.encode() if isinstance(content, str) else content)


def checked_out(ctx: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a path that cannot be written."""
    if path == Path("-"):
        raise click.BadParameter(f"'-' is no file; {_INSTEAD}.")
    if path is not None and not os.access(path.parent, os.W_OK | os.X_OK):
        reason = "is not writable" if path.parent.is_dir() else "is no folder"
        raise click.BadParameter(f"{str(path.parent)!r} {reason}.")
    return path


def checked_ending(
    *endings: str, names_decide: bool = False
) -> Callable[[click.Context, click.Parameter, Path | None], Path | None]:
    """Return what refuses a path that cannot be written, or whose name promises a form that it will not have.

    `endings` are those of the forms that are written. A name whose end promises nothing is taken, unless
    names alone decide on the form.
    """

    def checked(ctx: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
        ending = "" if path is None else path.suffix.lower()
        if path is not None and ending not in endings and (names_decide or ending in FORMS):
            raise click.BadParameter(f"{path.name!r} must end in {_one_of(endings)}.{_instead(ctx, ending)}")
        return checked_out(ctx, parameter, path)

    return checked


def _instead(ctx: click.Context, ending: str) -> str:
    """Say which option of the command has the form that was asked for."""
    here = {parameter.name for parameter in ctx.command.params}
    if ending in PICTURES and "picture" in here:
        return " --plot draws a picture."
    return " --csv writes the numbers." if ending == ".csv" and "numbers" in here else ""


def _one_of(endings: Sequence[str]) -> str:
    return " or ".join(part for part in (", ".join(endings[:-1]), endings[-1]) if part)


def refuse_clashes(ctx: click.Context) -> None:
    """Refuse to write to a file that is read, or to one file twice, before any work is done."""
    written = list(_written(ctx))
    for option, path in written:
        for name, there in _read(ctx):
            if _is_same(path, there):
                raise click.UsageError(
                    f"{option}: {str(path)!r} is the file that {name} is read from; name another.", ctx
                )
    for (one, path), (other, again) in combinations(written, 2):
        if _is_same(path, again):
            raise click.UsageError(f"{one} and {other} both name the file {str(path)!r}; name two.", ctx)


def _written(ctx: click.Context) -> Iterator[tuple[str, Path]]:
    """Yield the output options that name a file, and the file."""
    for parameter in ctx.command.params:
        path = ctx.params.get(str(parameter.name))
        is_written = getattr(parameter, "section", None) == "Output" or parameter.name == "checkpoint"
        if is_written and isinstance(path, Path):
            yield parameter.opts[0], path


def _read(ctx: click.Context) -> Iterator[tuple[str, Path]]:
    """Yield the arguments that name a file, and the file."""
    for parameter in ctx.command.params:
        if isinstance(parameter, click.Argument):
            value = ctx.params.get(str(parameter.name))
            for given in value if isinstance(value, tuple) else [value]:
                if isinstance(given, Path) or (given and Path(given).is_file() and is_file(given)):
                    yield str(parameter.name).upper(), Path(given)


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, through links too; what is no ordinary file takes anything."""
    if one.exists() and other.exists():
        return one.is_file() and one.samefile(other)
    return one.resolve() == other.resolve()
