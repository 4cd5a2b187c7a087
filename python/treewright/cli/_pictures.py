"""Drawings that a command writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._files import checked_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS = ("png", "pdf", "svg")


def checked_picture(ctx: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a picture that cannot be drawn or written, before any work is done."""
    if path is not None and path.suffix.lower().removeprefix(".") not in KINDS:
        raise click.BadParameter(f"{path.name!r} must end in .png, .pdf or .svg.", ctx, parameter)
    return checked_out(ctx, parameter, path)


def prepare_drawing() -> None:
    """Draw to files only; refuse to begin where nothing can be drawn."""
    from treewright.reporting.matplotlib_glue import without_windows

    try:
        without_windows("--out")
    except ImportError as error:
        raise click.UsageError(str(error)) from error


def drawn(plot: Figure | Axes, out: Path) -> bytes:
    """Return a figure, or the figure of axes, as a file of the kind that `out` says."""
    from matplotlib.figure import Figure

    from treewright.reporting.matplotlib_glue import picture

    figure = plot if isinstance(plot, Figure) else plot.figure
    assert isinstance(figure, Figure), "a study draws on a figure of its own"
    return picture(figure, out.suffix.lower().removeprefix("."))
