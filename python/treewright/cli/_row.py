"""One row on the command line: written out as NAME=VALUE,…, or a file with one row."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._source import Reading

if TYPE_CHECKING:
    from treewright.cli._model import Predicting

Row = dict[str, object]


def row_of(text: str, tree: Predicting, reading: Reading) -> object:
    """Return the row that a text says: values by names of features, or a table of the rows of a file."""
    if "=" not in text or Path(text).is_file():
        return reading.rows(tree, text).features
    (parts,) = csv.reader([text], skipinitialspace=True)
    pairs = [part.partition("=") for part in parts]
    wrong = next((part for part, pair in zip(parts, pairs, strict=True) if not pair[1]), None)
    if wrong is not None:
        raise click.UsageError(f'--row: {wrong!r} is no NAME=VALUE; put one that has a comma into "quotes".')
    return {name.strip(): _value(tree, name.strip(), value.strip()) for name, _, value in pairs}


def _value(tree: Predicting, name: str, text: str) -> object:
    """Return a value as the model's data have it; an empty one is missing."""
    if not text:
        return None
    if name not in tree.feature_names:
        raise click.UsageError(f"--row: the model has no feature {name!r}.")
    levels = tree.levels[tree.feature_names.index(name)]
    if levels is not None:
        return next((level for level in levels if str(level) == text), text)
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(f"--row: {name!r} is numeric, and {text!r} is no number.") from None
