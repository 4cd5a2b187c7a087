"""New data as columns in the domain of ``fit``, or in levels that a user declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from treewright.data import value_errors
from treewright.data.dataset import Dataset
from treewright.data.intake.column import Column, Nominal, Place, first
from treewright.data.intake.containers import open_container
from treewright.data.intake.labels import Label
from treewright.data.intake.numbers import NumberColumn
from treewright.data.intake.schema import recoded
from treewright.data.intake.table import read_columns
from treewright.data.matching import ModelColumns
from treewright.data.types import AnyArray, TableLike

UNSEEN = -2
"""Code of a value that no branch is for, where missing ones (-1) may have a branch."""

Levels = Sequence[Sequence[Label] | None]
"""The domain of every feature, None for a numeric one."""


def encode(X: TableLike, columns: ModelColumns, levels: Levels, *, unseen: int = -1) -> list[AnyArray]:
    """Return new data as columns in a fitted domain: floats with NaN for missing, or int32 codes.

    Rows that `read_rows` prepared are taken, too. `columns` are those that the model knows. Those that it
    does not use are not read: all is missing there. Others may be views of `X`. `levels` are the domain of
    each. A nominal value that ``fit`` did not see is `unseen`: -1 is missing, `UNSEEN` has no branch at all.

    >>> encode([["b", 2], ["c", None]], ModelColumns(["u", "v"], [0, 1]), [["a", "b"], None])
    [array([ 1, -1], dtype=int32), array([ 2., nan])]
    """
    prepared = getattr(X, "features", None)
    if isinstance(prepared, Dataset):
        X = prepared
    if isinstance(X, Dataset):
        n_rows = X.n_samples
        read = _of_dataset(X, columns, levels, unseen)
    else:
        container = open_container(X, least_features=0)
        n_rows, n_found = container.shape
        places = columns.places(container.labels, n_found)
        names = [columns.names[i] for i in columns.used]
        found = read_columns(container, names, positions=places)
        domains = (levels[i] for i in columns.used)
        read = (
            _in_domain(column, domain, place, unseen)
            for (place, column), domain in zip(found, domains, strict=True)
        )
    return _all_columns(dict(zip(columns.used, read, strict=True)), levels, n_rows)


def _of_dataset(dataset: Dataset, columns: ModelColumns, levels: Levels, unseen: int) -> Iterator[AnyArray]:
    """Yield the used columns of a data set."""
    own = dataset.levels
    places = columns.places(dataset.column_labels, dataset.n_features)
    for feature, place in zip(columns.used, places, strict=True):
        named = Place.of_feature(columns.names[feature], place)
        yield _column_of_dataset(dataset.column(place), own[place], levels[feature], named, unseen)


def _all_columns(read: dict[int, AnyArray], levels: Levels, n_rows: int) -> list[AnyArray]:
    """Return a column for each feature; those that were not read share one without a value."""
    if len(read) == len(levels):
        return list(read.values())
    no_number, no_level = np.full(n_rows, np.nan), np.full(n_rows, -1, np.int32)
    return [
        read.get(feature, no_number if domain is None else no_level) for feature, domain in enumerate(levels)
    ]


def _in_domain(column: Column, levels: Sequence[Label] | None, place: Place, unseen: int) -> AnyArray:
    """Return numbers where `levels` is None, else codes among the levels (`unseen`: not one of them)."""
    return column.numbers(place) if levels is None else recoded(column.nominal(place), levels, place, unseen)


def _column_of_dataset(
    values: AnyArray, own: list[Label] | None, levels: Sequence[Label] | None, place: Place, unseen: int
) -> AnyArray:
    """Return a column that has passed the door before in another domain."""
    if own is None:
        return _in_domain(NumberColumn(values, is_checked=True), levels, place, unseen)
    if levels is not None:
        return recoded(Nominal(values, own), levels, place, unseen)
    known = values >= 0
    if known.any():
        row = first(known)
        raise value_errors.nominal_where_numeric(place, row, own[values[row]])
    return np.full(len(values), np.nan)
