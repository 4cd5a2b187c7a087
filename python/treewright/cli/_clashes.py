"""Files that a command would write over: those it reads, and those it writes itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import click

from treewright.cli._source import is_file


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
