"""From what a user holds values in to columns of plain Python objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from treewright.search.tables import messages


def open_values(values: Any) -> tuple[int, list[list[Any]], list[str] | None]:
    """Return the number of rows, the columns, and their names where the container has them."""
    native = nw.to_native(values, pass_through=True)
    if nw.dependencies.is_into_dataframe(native):
        n_rows, columns, names = _of_frame(native)
    elif isinstance(native, list | tuple):
        n_rows, columns, names = len(native), _of_rows(native), None
    elif isinstance(native, np.ndarray):
        n_rows, columns, names = len(native) if native.ndim else 0, _of_array(native), None
    else:
        raise messages.no_table(type(native).__name__)
    if not n_rows:
        raise messages.no_rows()
    return n_rows, columns, names


def _of_frame(native: Any) -> tuple[int, list[list[Any]], list[str] | None]:
    frame = nw.from_native(native, eager_only=True)
    columns = [frame[:, i].to_list() for i in range(frame.shape[1])]
    names = list(frame.columns)
    return len(frame), columns, names if all(isinstance(name, str) for name in names) else None


def _of_rows(rows: Sequence[Any]) -> list[list[Any]]:
    for position, row in enumerate(rows):
        if isinstance(row, str | bytes) or not isinstance(row, Sequence | np.ndarray):
            raise messages.no_row(position, type(row).__name__)
        if len(row) != len(rows[0]):
            raise messages.ragged(position, len(row), len(rows[0]))
    return [list(column) for column in zip(*rows, strict=True)]


def _of_array(array: Any) -> list[list[Any]]:
    if array.dtype.names is not None:
        raise messages.no_table("structured array")
    if array.ndim != 2:
        raise messages.dimensions(array.shape)
    return [column.tolist() for column in array.T]


def open_decisions(decisions: Any, n_rows: int) -> list[Any]:
    """Return the decisions as a list, one a row."""
    native = nw.to_native(decisions, pass_through=True)
    found = _decision_list(native)
    if len(found) != n_rows:
        raise messages.n_decisions(n_rows, len(found))
    return found


def _decision_list(native: Any) -> list[Any]:
    if nw.dependencies.is_into_series(native):
        return list(nw.from_native(native, series_only=True).to_list())
    if isinstance(native, list | tuple):
        return list(native)
    if isinstance(native, np.ndarray):
        if native.ndim != 1:
            raise messages.no_decisions(f"has shape {native.shape}")
        return list(native.tolist())
    raise messages.no_decisions(f"is of type {type(native).__name__}")


def names_of(feature_names: Any, found: list[str] | None, n_features: int) -> list[str]:
    """Return a name for every feature: as asked for, as found, or x0, x1, ..."""
    if feature_names is None:
        return found or [f"x{i}" for i in range(n_features)]
    names = list(feature_names)
    if isinstance(feature_names, str) or len(names) != n_features:
        raise messages.n_names(n_features, len(names))
    for position, name in enumerate(names):
        if not isinstance(name, str) or name in names[:position]:
            raise messages.bad_name(position, name)
    return [str(name) for name in names]
