"""`treewright datasets`: what there is to learn from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._options import FOLDER, JSON
from treewright.cli._sections import Command

if TYPE_CHECKING:
    from treewright.datasets import Entry


@click.command(cls=Command, short_help="List the data sets there are by name.")
@FOLDER
@JSON
def datasets(folder: Path | None, as_json: bool) -> None:
    """List the named data sets: bundled ones, and those of a folder.

    A name works wherever a command takes DATA.
    """
    from dataclasses import asdict

    from treewright.datasets import catalogue

    entries = catalogue(folder)
    if as_json:
        click.echo(json.dumps([asdict(entry) for entry in entries], indent=1))
        return
    click.echo("\n".join(_table(entries)))
    if not any(entry.source == "folder" for entry in entries):
        click.echo("\nA folder of further sets is named by --data or the variable TREEWRIGHT_DATA.")


def _table(entries: list[Entry]) -> list[str]:
    head = ("name", "rows", "numeric", "nominal", "classes", "missing", "source")
    rows = [
        (
            entry.name,
            *(f"{n:,}" if n else "-" for n in (entry.n_samples, entry.n_numeric, entry.n_nominal)),
            *(f"{n:,}" if n else "-" for n in (entry.n_classes, entry.n_missing)),
            entry.source,
        )
        for entry in entries
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return ["  ".join(_aligned(row, widths)).rstrip() for row in (head, *rows)]


def _aligned(cells: tuple[str, ...], widths: list[int]) -> list[str]:
    """Names to the left, numbers to the right."""
    last = len(cells) - 1
    return [
        cell.ljust(width) if i in (0, last) else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
