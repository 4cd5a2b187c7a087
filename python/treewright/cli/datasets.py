"""`treewright datasets`: what there is to learn from."""

from __future__ import annotations

from pathlib import Path

import click

from treewright.cli._command import Command
from treewright.cli._options import FOLDER, takes_output
from treewright.cli._output import Output
from treewright.cli._text import as_json, columns, header

HEADS = ("name", "rows", "numeric", "nominal", "classes", "missing", "source")


@click.command(cls=Command)
@FOLDER
@takes_output("", "as_json")
def datasets(folder: Path | None, output: Output) -> None:
    """List the named data sets: the bundled ones, and those of a folder.

    A name works wherever a command takes DATA.
    """
    from dataclasses import asdict

    from treewright.datasets import catalogue

    entries = catalogue(folder)
    lines = [
        (entry.name, *(f"{n:,}" if n else "-" for n in sizes), entry.source)
        for entry in entries
        for sizes in [(entry.n_samples, entry.n_numeric, entry.n_nominal, entry.n_classes, entry.n_missing)]
    ]
    has_folder = any(entry.source == "folder" for entry in entries)
    hint = "\n\nName a folder of further data sets by --folder or the variable TREEWRIGHT_DATA."
    output.give(
        document=lambda: as_json({**header("datasets"), "data_sets": [asdict(entry) for entry in entries]}),
        text=lambda: columns(HEADS, lines, left=(0, 6)) + ("" if has_folder else hint),
    )
