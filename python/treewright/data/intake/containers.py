"""What a user may hold a table in: an array, a list of rows, a frame, a mapping of columns.

Opening one looks at its type and shape only; values are looked at when a column is read, and then
only in the rows that stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import narwhals as nw
import numpy as np
from scipy.sparse import issparse

from treewright.data.intake.column import Column
from treewright.data.intake.frames import Frame
from treewright.data.intake.lists import Rows
from treewright.data.intake.matrix import Matrix
from treewright.data.intake.messages import table as messages
from treewright.data.intake.place import IntArray
from treewright.data.intake.vectors import check_array_type


class Container(Protocol):
    """A table that has been opened."""

    shape: tuple[int, int]

    @property
    def labels(self) -> Sequence[object] | None:
        """What the columns are called, whatever the type; None if they have no labels."""

    def columns(self, rows: IntArray | None) -> Iterator[Column]:
        """Yield the columns, of the given rows only."""


def open_container(X: Any) -> Container:
    """Recognise what the table comes in and check its shape."""
    container = _recognise(X)
    if not container.shape[0]:
        raise messages.no_samples(container.shape)
    if not container.shape[1]:
        raise messages.no_features(container.shape)
    return container


def _recognise(X: Any) -> Container:
    if issparse(X):
        raise messages.sparse("X")
    native = nw.to_native(X, pass_through=True)
    if nw.dependencies.is_into_dataframe(native):
        return Frame(native)
    if nw.dependencies.is_into_series(native):
        raise messages.series(f"{type(native)}")
    if isinstance(native, list | tuple):
        return Rows(native)
    if isinstance(native, str | bytes | Mapping | None):
        raise messages.not_a_table(type(native).__name__)
    _refuse_other_frames(native)
    return _matrix(native)


def _refuse_other_frames(native: Any) -> None:
    if isinstance(nw.from_native(native, pass_through=True), nw.LazyFrame):
        raise messages.lazy_frame(type(native).__name__)
    if hasattr(native, "__arrow_c_stream__") or hasattr(native, "__arrow_c_array__"):
        raise messages.not_a_table(f"{type(native).__name__}, an arrow stream (pyarrow.table(X) reads it)")


def _matrix(native: Any) -> Container:
    array = native if isinstance(native, np.ma.MaskedArray) else np.asarray(native)
    if array.ndim == 0 and array.dtype == object:
        raise messages.not_a_table(type(native).__name__)
    check_array_type(array)
    if array.ndim == 0:
        raise messages.scalar(array.item())
    if array.ndim == 1:
        raise messages.one_dimensional(len(array))
    if array.ndim > 2:
        raise messages.too_many_dimensions(array.ndim)
    return Matrix(array)
