"""Inputs and outputs of problems as the engine reads them, one by one; frames by their rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import narwhals as nw

from treewright._base.errors import ParameterError
from treewright.data.intake.containers import Frame


def listed(name: str, values: Any, types: Sequence[str]) -> Iterable[Any]:
    """Return what lists the values of `types`, a tuple of them each if there are several."""
    native = nw.to_native(values, pass_through=True)
    if nw.dependencies.is_into_dataframe(native):
        return _rows(name, native, types)
    if nw.dependencies.is_into_series(native):
        return _entries(native)
    # Text and mappings iterate too and are never meant; a set has no order.
    if isinstance(native, str | bytes | Mapping | Set) or not isinstance(native, Iterable):
        raise ParameterError(f"{name}={values!r} cannot be iterated over in order; give a list")
    return native


def _rows(name: str, native: Any, types: Sequence[str]) -> Iterable[Any]:
    frame = Frame(native)
    n_columns = frame.shape[1]
    if len(types) > 1 and n_columns != len(types):
        raise ParameterError(
            f"{name} is a frame of {n_columns} column{'s' * (n_columns != 1)}; give one for each of the "
            f"{len(types)} parameters"
        )
    columns = [_entries(frame.native_column(position)) for position in range(n_columns)]
    if n_columns == 1:
        return columns[0]
    rows = zip(*columns, strict=True)
    is_tuple = len(types) > 1 or " * " in types[0]
    return list(rows) if is_tuple else [list(row) for row in rows]


def _entries(native: Any) -> list[Any]:
    entries: list[Any] = nw.from_native(native, series_only=True).to_list()
    return entries
