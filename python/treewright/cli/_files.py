"""Files that are written: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import click

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
