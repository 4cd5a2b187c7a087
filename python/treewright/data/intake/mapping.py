"""A table as a mapping of names to columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from treewright.data.intake.column import Column
from treewright.data.intake.messages import table as messages
from treewright.data.intake.place import IntArray
from treewright.data.intake.vectors import check_array_type, vector_column


class NamedColumns:
    """Columns by name, each a 1-D array, list or series."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self.vectors = {name: _vector(name, values) for name, values in columns.items()}
        self.labels: Sequence[object] = list(self.vectors)
        self.shape = (_common_length(self.vectors), len(self.vectors))
        if not self.shape[1]:
            raise messages.no_features(self.shape)
        if not self.shape[0]:
            raise messages.no_samples(self.shape)

    def columns(self, rows: IntArray | None) -> Iterator[Column]:
        """Yield the columns, of the given rows only."""
        for values in self.vectors.values():
            yield vector_column(values if rows is None else taken(values, rows))


def taken(vector: Any, rows: IntArray) -> Any:
    """Return the given rows of a list, a series or an array."""
    if isinstance(vector, list):
        return [vector[row] for row in rows]
    if nw.dependencies.is_into_series(vector):
        return nw.from_native(vector, series_only=True)[rows].to_native()
    return vector[rows]


def _vector(name: str, values: Any) -> Any:
    if nw.dependencies.is_into_series(values) or isinstance(values, list):
        return values
    array = values if isinstance(values, np.ma.MaskedArray) else _as_array(values)
    if array.ndim != 1:
        raise messages.column_is_no_vector(name, array.shape)
    check_array_type(array)
    return array


def _as_array(values: Any) -> Any:
    is_sequence = isinstance(values, Sequence) and not isinstance(values, str | bytes)
    return np.fromiter(values, object, len(values)) if is_sequence else np.asarray(values)


def _common_length(vectors: Mapping[str, Any]) -> int:
    lengths = {name: len(values) for name, values in vectors.items()}
    for name, length in lengths.items():
        first_name = next(iter(lengths))
        if length != lengths[first_name]:
            raise messages.unequal_columns(name, length, first_name, lengths[first_name])
    return next(iter(lengths.values()), 0)
