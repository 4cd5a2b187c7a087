"""What a user may hold a table in: an array, a list of rows, a frame, a mapping of columns.

Opening one looks at its type and shape only; values are looked at when a column is read, and then
only in the rows that stay.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from typing import Protocol

import numpy as np

from treewright._base.frames import nw
from treewright.data import table_errors
from treewright.data.intake.column import Column
from treewright.data.intake.numbers import are_exact
from treewright.data.intake.objects import ObjectColumn
from treewright.data.intake.vectors import (
    array_column,
    check_array_type,
    pandas_column,
    series_column,
    vector_column,
)
from treewright.data.types import AnyArray, IntArray, Native, TableLike, Value


class Container(Protocol):
    """A table that has been opened."""

    shape: tuple[int, int]

    @property
    def labels(self) -> Sequence[Hashable] | None:
        """What the columns are called, whatever the type; None if they have no labels."""

    def columns(self, rows: IntArray | None, positions: Sequence[int] | None = None) -> Iterator[Column]:
        """Yield the columns at the given positions (None: all), of the given rows only (None: all)."""


def open_container(
    X: TableLike, name: str = "X", least_features: int = 1, memory_limit: int | None = None
) -> Container:
    """Recognise what a table comes in and check its shape.

    `name` is what the user passes it as; `memory_limit` are the bytes that sparse columns may take when they
    are made dense, None for the default.
    """
    container = Sparse(X, name, memory_limit) if is_sparse(X) else _recognise(X, name)
    if not container.shape[0]:
        raise table_errors.no_samples(name, container.shape)
    if container.shape[1] < least_features:
        raise table_errors.no_features(name, container.shape)
    return container


def is_sparse(value: object) -> bool:
    """Tell whether a value is a sparse matrix of scipy, which is not imported for that."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(value))


def _recognise(X: TableLike, name: str) -> Container:
    native = native_of(X)
    if nw.dependencies.is_into_dataframe(native):
        return Frame(native)
    if nw.dependencies.is_into_series(native):
        raise table_errors.series(f"{type(native)}")
    if isinstance(native, list | tuple):
        return Rows(native, name)
    if isinstance(native, str | bytes | Mapping | None):
        raise table_errors.not_a_table(name, type(native).__name__)
    _refuse_other_frames(native, name)
    return _matrix(native, name)


def native_of(data: object) -> Native:
    """Return a frame or a series as its own package has it, anything else as it is."""
    return nw.to_native(data, pass_through=True)


def _refuse_other_frames(native: object, name: str) -> None:
    type_name = type(native).__name__
    if isinstance(nw.from_native(native, pass_through=True), nw.LazyFrame):
        raise table_errors.lazy_frame(name, type_name)
    if hasattr(native, "__arrow_c_stream__") or hasattr(native, "__arrow_c_array__"):
        raise table_errors.not_a_table(name, f"{type_name}, an arrow stream (pyarrow.table({name}) reads it)")


def _matrix(native: object, name: str) -> Container:
    array = native if isinstance(native, np.ma.MaskedArray) else np.asarray(native)
    if array.ndim == 0 and array.dtype == object:
        raise table_errors.not_a_table(name, type(native).__name__)
    check_array_type(array, name)
    if array.ndim == 0:
        raise table_errors.scalar(array.item())
    if array.ndim == 1:
        raise table_errors.one_dimensional(name, len(array))
    if array.ndim > 2:
        raise table_errors.too_many_dimensions(array.ndim)
    return Matrix(array)


_VALUES_AT_A_TIME = 65536


class Matrix:
    """A 2-D array; its columns are views."""

    labels = None

    def __init__(self, array: AnyArray) -> None:
        self.array = array
        self.shape: tuple[int, int] = array.shape

    def columns(self, rows: IntArray | None, positions: Sequence[int] | None = None) -> Iterator[Column]:
        """Yield the columns at the given positions, of the given rows only."""
        n_columns = self.shape[1]
        are_most = positions is None or 2 * len(positions) > n_columns
        is_checked = rows is None and are_most and _is_sound(self.array)
        for position in range(n_columns) if positions is None else positions:
            vector = self.array[:, position]
            yield array_column(vector if rows is None else vector[rows], is_checked)


def _is_sound(array: AnyArray) -> bool:
    """Search all numbers for infinite and inexact ones, in the order in which they lie in memory."""
    if type(array) is not np.ndarray:
        return False
    if array.dtype.kind in "iu":
        return are_exact(array)
    return array.dtype.kind == "f" and not _has_infinite(array)


def _has_infinite(array: AnyArray) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum()):
            return False
    lines = array.T if array.flags.f_contiguous else array
    starts = range(0, len(lines), max(1, _VALUES_AT_A_TIME // lines.shape[1]))
    return any(np.isinf(lines[start : start + starts.step]).any() for start in starts)


DENSE_MEMORY = 2**30
"""Bytes that sparse columns may take as dense ones, unless another limit is given."""


class Sparse:
    """A sparse matrix of scipy; a column is made dense when it is read."""

    labels = None

    def __init__(self, matrix: Native, name: str, memory_limit: int | None) -> None:
        if matrix.ndim != 2:
            raise table_errors.one_dimensional(name, matrix.shape[0])
        check_array_type(matrix.data if hasattr(matrix, "data") else matrix.tocoo().data, name)
        self.matrix, self.name = matrix, name
        self.limit = DENSE_MEMORY if memory_limit is None else memory_limit
        self.shape: tuple[int, int] = matrix.shape

    def columns(self, rows: IntArray | None, positions: Sequence[int] | None = None) -> Iterator[Column]:
        """Yield the columns at the given positions, of the given rows only."""
        wanted = range(self.shape[1]) if positions is None else positions
        n_rows = self.shape[0] if rows is None else len(rows)
        if 8 * n_rows * len(wanted) > self.limit:
            raise table_errors.too_large_dense(self.name, (n_rows, len(wanted)), self.limit)
        matrix = self.matrix.tocsc()
        for position in wanted:
            vector = matrix[:, [position]].toarray().ravel()
            yield array_column(vector if rows is None else vector[rows])


class Rows:
    """A list of rows; a value keeps its type, since a column is read by itself."""

    labels = None

    def __init__(self, rows: Sequence[Value], name: str = "X") -> None:
        self.rows, self.name = rows, name
        self.shape = (len(rows), 0)
        if len(rows):
            _check_first(rows, name)
            self.shape = (len(rows), len(rows[0]))

    def columns(self, rows: IntArray | None, positions: Sequence[int] | None = None) -> Iterator[Column]:
        """Yield the columns at the given positions, of the given rows only."""
        kept = range(len(self.rows)) if rows is None else rows.tolist()
        lines = [self.rows[row] for row in kept]
        self._check(lines, kept)
        if all(type(line) is np.ndarray and line.dtype.kind in "fiub" for line in lines):
            yield from Matrix(np.array(lines)).columns(None, positions)
        elif positions is None:
            for values in zip(*lines, strict=True):
                yield ObjectColumn(list(values))
        else:
            for position in positions:
                yield ObjectColumn([line[position] for line in lines])

    def _check(self, lines: Sequence[Value], kept: Sequence[int]) -> None:
        if set(map(type, lines)) <= {list, tuple} and set(map(len, lines)) == {self.shape[1]}:
            return
        for row, line in zip(kept, lines, strict=True):
            if not _is_sequence(line):
                raise table_errors.row_is_no_sequence(self.name, row, type(line).__name__)
            if len(line) != self.shape[1]:
                raise table_errors.ragged(self.name, row, len(line), self.shape[1])


def _check_first(rows: Sequence[Value], name: str) -> None:
    first = rows[0]
    if isinstance(first, Mapping | Set):
        raise table_errors.row_is_no_sequence(name, 0, type(first).__name__)
    if not _is_sequence(first):
        raise table_errors.one_dimensional(name, len(rows))


def _is_sequence(line: Value) -> bool:
    if isinstance(line, str | bytes | Mapping | Set):
        return False
    return np.ndim(line) > 0 if isinstance(line, np.ndarray) else hasattr(line, "__len__")


class Frame:
    """A frame whose columns are read by position, so that labels need not be names."""

    def __init__(self, native: Native) -> None:
        self.native = native
        self.is_pandas = nw.dependencies.is_pandas_dataframe(native)
        self.is_pandas_like = nw.dependencies.is_pandas_like_dataframe(native)
        self.is_pyarrow = nw.dependencies.is_pyarrow_table(native)
        self.shape: tuple[int, int] = native.shape
        self.labels: Sequence[Hashable] = list(native.column_names if self.is_pyarrow else native.columns)

    def columns(self, rows: IntArray | None, positions: Sequence[int] | None = None) -> Iterator[Column]:
        """Yield the columns at the given positions, of the given rows only."""
        natives = self._native_columns() if positions is None else map(self.native_column, positions)
        for native in natives:
            quick = pandas_column(native, rows) if self.is_pandas else None
            if quick is not None:
                yield quick
            else:
                series = nw.from_native(native, series_only=True)
                yield series_column(series if rows is None else series[rows])

    def _native_columns(self) -> Iterator[Native]:
        if self.is_pandas:
            return (series for _, series in self.native.items())
        return map(self.native_column, range(self.shape[1]))

    def native_column(self, position: int) -> Native:
        """Return a column as the frame's own package has it."""
        if self.is_pandas_like:
            return self.native.iloc[:, position]
        if self.is_pyarrow:
            return self.native.column(position)
        if nw.dependencies.is_polars_dataframe(self.native):
            return self.native.to_series(position)
        return nw.from_native(self.native, eager_only=True)[:, position].to_native()


class NamedColumns:
    """Columns by name, each a 1-D array, list or series."""

    def __init__(self, columns: Mapping[str, Native]) -> None:
        self.vectors = {name: _named_vector(name, values) for name, values in columns.items()}
        self.labels: Sequence[Hashable] = list(self.vectors)
        self.shape = (_common_length(self.vectors), len(self.vectors))
        if not self.shape[1]:
            raise table_errors.no_features("X", self.shape)
        if not self.shape[0]:
            raise table_errors.no_samples("X", self.shape)

    def columns(self, rows: IntArray | None, positions: Sequence[int] | None = None) -> Iterator[Column]:
        """Yield the columns at the given positions, of the given rows only."""
        vectors = list(self.vectors.values())
        for values in vectors if positions is None else [vectors[position] for position in positions]:
            yield vector_column(values if rows is None else taken(values, rows))


def taken(vector: Native, rows: IntArray) -> Native:
    """Return the given rows of a list, a series or an array."""
    if isinstance(vector, list):
        return [vector[row] for row in rows]
    if nw.dependencies.is_into_series(vector):
        return nw.from_native(vector, series_only=True)[rows].to_native()
    return vector[rows]


def _named_vector(name: str, values: Native) -> Native:
    if nw.dependencies.is_into_series(values) or isinstance(values, list):
        return values
    array = values if isinstance(values, np.ma.MaskedArray) else _as_array(values)
    if array.ndim != 1:
        raise table_errors.column_is_no_vector(name, array.shape)
    check_array_type(array, name)
    return array


def _as_array(values: Native) -> Native:
    is_sequence = isinstance(values, Sequence) and not isinstance(values, str | bytes)
    return np.fromiter(values, object, len(values)) if is_sequence else np.asarray(values)


def _common_length(vectors: Mapping[str, Native]) -> int:
    lengths = {name: len(values) for name, values in vectors.items()}
    for name, length in lengths.items():
        first_name = next(iter(lengths))
        if length != lengths[first_name]:
            raise table_errors.unequal_columns(name, length, first_name, lengths[first_name])
    return next(iter(lengths.values()), 0)
