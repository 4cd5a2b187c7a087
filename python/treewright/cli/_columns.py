"""Columns of DATA that are no features: subgroups, groups of rows, times; whether a tree knows the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from treewright import Dataset, Tree, TreewrightError
from treewright._base.wording import shortened
from treewright.cli._again import Again, data_of
from treewright.cli._running import quiet
from treewright.cli._source import Reading, is_file

if TYPE_CHECKING:
    from treewright.cli._model import Predicting

Values = NDArray[Any]
"""A value for each row."""

MOST_NUMBERS = 10
"""A column of more different numbers is cut at its quartiles."""


def column_of(data: str, reading: Reading, name: str, n_rows: int) -> Values:
    """Return the values of a column, None where they are missing; what others look like is not its matter."""
    with quiet():
        dataset = reading.whole(data)
    names = dataset.feature_names
    if name not in names:
        raise click.UsageError(f"{data} has no column {name!r}; there are {shortened(names)}.")
    if dataset.n_samples != n_rows:
        raise click.UsageError(
            f"Column {name!r} has {dataset.n_samples:,} rows, of which {n_rows:,} are used; leave rows of "
            "weight 0 out."
        )
    return _values(dataset, names.index(name))


def _values(dataset: Dataset, position: int) -> Values:
    column, levels = dataset.column(position), dataset.levels[position]
    if levels is None:
        return np.array([None if np.isnan(value) else value for value in column.tolist()], dtype=object)
    return np.array([None if code < 0 else levels[code] for code in column.tolist()], dtype=object)


def texts_of(
    tree: Predicting, data: str, reading: Reading, names: Sequence[str], n_rows: int
) -> dict[str, list[str]]:
    """Return the values of columns of the rows of a tree as they are written; a missing one is empty."""
    learned = reading.learned_by(tree)
    how = replace(reading, header=False) if learned.header is False else reading  # names are as the tree's
    with quiet():
        dataset = how.texts(data, names) if is_file(data) else how.whole(data)
    found = dataset.feature_names
    for name in names:
        if name not in found:
            raise click.UsageError(f"--keep: {data} has no column {name!r}; there are {shortened(found)}.")
    if dataset.n_samples != n_rows:
        raise click.UsageError(
            f"--keep: {data} has {dataset.n_samples:,} rows, of which {n_rows:,} are predicted; leave it out."
        )
    return {name: [_written(value) for value in _values(dataset, found.index(name))] for name in names}


def _written(value: object) -> str:
    """Return a value as a file of text has it; 2.0 is written 2."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def subgroups_of(data: str, reading: Reading, name: str, n_rows: int) -> Values:
    """Return the subgroup of each row, as text."""
    values = column_of(data, reading, name, n_rows)
    known = np.array([value for value in values if isinstance(value, float)])
    if len(np.unique(known)) > MOST_NUMBERS:
        ends = np.unique(np.quantile(known, [0, 0.25, 0.5, 0.75, 1], method="lower"))
        return np.array([_range(value, ends) for value in values], dtype=object)
    return np.array([_shown(value) for value in values], dtype=object)


def _shown(value: object) -> str:
    return "missing" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _range(value: float | None, ends: Values) -> str:
    if value is None:
        return "missing"
    place = min(int(np.searchsorted(ends[1:], value)), len(ends) - 2)
    return f"{'above ' if place else ''}{ends[place]:.6g} to {ends[place + 1]:.6g}"


def is_training_data(tree: Tree, data: str, reading: Reading) -> bool:
    """Whether DATA are the rows that a tree was made from, by the hash of all that they hold."""
    made_of = (tree.provenance or {}).get("data")
    wanted = made_of.get("hash") if isinstance(made_of, dict) else None
    if wanted is None:
        return False
    with quiet():
        return bool(_hash_of(tree, data, reading) == wanted)


def _hash_of(tree: Tree, data: str, reading: Reading) -> str | None:
    """Return the hash of DATA, read as those were that the tree was made from; None if they cannot be."""
    told = (tree.provenance or {}).get("command")
    try:
        if isinstance(told, str):
            return data_of(Again.of(told, data), data, reading)[0].content_hash
        return reading.learned_by(tree).load_plain(data).content_hash
    except (TreewrightError, click.ClickException, OSError):
        return None
