"""Files that are written: whole or not at all, and never over one that is read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import click

from treewright.cli._source import is_file

_INSTEAD = "leave it out to have results on standard output, as JSON with --json where there is that"


def checked_out(ctx: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a path that cannot be written, before any work is done."""
    if path == Path("-"):
        raise click.BadParameter(f"'-' is no file; {_INSTEAD}.", ctx, parameter)
    if path is not None and not os.access(path.parent, os.W_OK | os.X_OK):
        reason = "is not writable" if path.parent.is_dir() else "is no folder"
        raise click.BadParameter(f"{str(path.parent)!r} {reason}.", ctx, parameter)
    return path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write to a temporary file beside `path`, then rename: readers see the old file or the new one."""
    path, written = path.resolve(), content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(written)
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("xb") as stream:
            stream.write(written)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


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
