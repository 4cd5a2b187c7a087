"""One vector of any make, as a column in one of the four forms."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np

from treewright.data.intake.booleans import BoolColumn
from treewright.data.intake.column import Column
from treewright.data.intake.messages import table as messages
from treewright.data.intake.numbers import NumberColumn
from treewright.data.intake.objects import ObjectColumn
from treewright.data.intake.place import AnyArray, BoolArray
from treewright.data.intake.series import series_column


def vector_column(values: Any) -> Column:
    """Read a series, a list or a 1-D array."""
    if nw.dependencies.is_into_series(values):
        return series_column(nw.from_native(values, series_only=True))
    if isinstance(values, list | tuple):
        return ObjectColumn(list(values))
    return array_column(values)


def array_column(values: Any, is_checked: bool = False) -> Column:
    """Read a 1-D array; what a masked array hides is missing."""
    mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    array = np.asarray(values)
    if array.dtype.kind in "fiu":
        return NumberColumn(_aligned(array), mask, is_checked)
    if array.dtype.kind == "b":
        return BoolColumn(array, mask)
    return ObjectColumn(_objects(array, mask))


def check_array_type(array: AnyArray) -> None:
    """Refuse arrays whose elements are no single values."""
    if array.dtype.names is not None:
        raise messages.structured(array.dtype.names)
    if array.dtype.kind == "c":
        raise messages.complex_data(str(array.dtype))


def _aligned(array: AnyArray) -> AnyArray:
    """Copy what lies askew in memory, as a field of a packed record does."""
    return array if array.flags.aligned else array.copy()


def _objects(array: AnyArray, mask: BoolArray | None) -> list[Any]:
    """List the elements; dates stay dates (``tolist`` would make nanoseconds ints)."""
    objects = list(array) if array.dtype.kind in "mM" else array.tolist()
    if mask is None:
        return objects
    return [None if hidden else value for value, hidden in zip(objects, mask, strict=True)]
