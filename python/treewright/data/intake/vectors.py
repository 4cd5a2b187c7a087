"""One vector of any make, as a column in one of the four forms.

No package of frames is imported: a native series is asked by its own methods, and only where narwhals would
lose something (the order and type of categories, whole numbers beside a missing value).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treewright._base.frames import nw
from treewright.data import table_errors
from treewright.data.intake.categories import CategoryColumn
from treewright.data.intake.column import Column
from treewright.data.intake.numbers import BoolColumn, NumberColumn, objects_of
from treewright.data.intake.objects import ObjectColumn
from treewright.data.types import AnyArray, BoolArray, IntArray, Native, Value


def vector_column(values: Native) -> Column:
    """Read a series, a list or a 1-D array."""
    if nw.dependencies.is_into_series(values):
        return series_column(nw.from_native(values, series_only=True))
    if isinstance(values, list | tuple):
        return ObjectColumn(list(values))
    return array_column(values)


def array_column(values: Native, is_checked: bool = False) -> Column:
    """Read a 1-D array; what a masked array hides is missing."""
    mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    array = np.asarray(values)
    if array.dtype.kind in "fiu":
        return NumberColumn(_aligned(array), mask, is_checked)
    if array.dtype.kind == "b":
        return BoolColumn(array, mask)
    return ObjectColumn(objects_of(array, mask))


def check_array_type(array: AnyArray, name: str) -> None:
    """Refuse arrays whose elements are no single values."""
    if array.dtype.names is not None:
        raise table_errors.structured(name, array.dtype.names)
    if array.dtype.kind == "c":
        raise table_errors.complex_data(str(array.dtype))


def _aligned(array: AnyArray) -> AnyArray:
    """Copy what lies askew in memory, as a field of a packed record does."""
    return array if array.flags.aligned else array.copy()


if TYPE_CHECKING:
    Series = nw.Series[Native]


def pandas_column(native: Native, rows: IntArray | None) -> Column | None:
    """Read the usual columns of pandas by its own methods, ten times as fast; None for any other."""
    dtype = native.dtype
    if isinstance(dtype, np.dtype):
        if dtype.kind not in "fiub":
            return None
        vector = native.to_numpy()
        return array_column(vector if rows is None else vector[rows])
    if not isinstance(dtype, nw.dependencies.get_pandas().CategoricalDtype):
        return None
    codes = native.array.codes
    categories = dtype.categories.to_numpy(dtype=object).tolist()
    return CategoryColumn(codes if rows is None else codes[rows], categories, bool(dtype.ordered))


def series_column(series: Series) -> Column:
    """Read a series by its type; what has no type of its own here is read value by value."""
    dtype = series.dtype
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _categories(series)
    if isinstance(dtype, nw.Int128 | nw.UInt128) or dtype.is_decimal():
        return ObjectColumn(series.to_list())
    if dtype.is_integer():
        missing = _missing(series)
        return NumberColumn(_filled(series, 0, missing), missing)
    if dtype.is_float():
        return _floats(series)
    if dtype == nw.Boolean:
        missing = _missing(series)
        return BoolColumn(_filled(series, False, missing).astype(np.bool_), missing)
    if dtype == nw.String and series.implementation.is_pandas_like():
        return _pandas_text(series)
    return ObjectColumn(series.to_list())


def _pandas_text(series: Series) -> Column:
    """List text by way of numpy, which is quicker for pandas' arrow text.

    A text type says that what is missing is text, which NaN among objects does not.
    """
    is_typed = series.to_native().dtype != object
    if is_typed and series.null_count() == len(series):
        return ObjectColumn([None] * len(series))
    return ObjectColumn(series.to_numpy().tolist())


def _missing(series: Series) -> BoolArray | None:
    return series.is_null().to_numpy().astype(np.bool_) if series.null_count() else None


def _filled(series: Series, filling: Value, missing: BoolArray | None) -> Native:
    return (series if missing is None else series.fill_null(filling)).to_numpy()


def _floats(series: Series) -> Column:
    """Missing values of floats come as NaN, except from some pandas extension arrays."""
    values = series.to_numpy()
    if values.dtype.kind == "f":
        return NumberColumn(values)
    missing = _missing(series)
    return NumberColumn(_filled(series, 0.0, missing).astype(np.float64), missing)


def _categories(series: Series) -> Column:
    """Keep declared categories in their order; polars' Categorical declares none."""
    native = series.to_native()
    if series.implementation.is_pandas_like() and hasattr(native, "cat"):
        own = native.cat
        return CategoryColumn(_plain_array(own.codes), own.categories.tolist(), bool(own.ordered))
    if series.implementation.is_pandas_like():
        return _arrow_dictionary(native.array.__arrow_array__())
    if series.implementation.is_pyarrow():
        return _arrow_dictionary(native)
    if isinstance(series.dtype, nw.Enum):
        return _polars_enum(series.dtype.categories, native)
    return ObjectColumn(series.to_list())


def _plain_array(native: Native) -> Native:
    return nw.from_native(native, series_only=True).to_numpy()


def _arrow_dictionary(chunked: Native) -> Column:
    """Read an arrow dictionary column; chunks may each have their own dictionary."""
    chunks = chunked.unify_dictionaries().chunks
    if not chunks:
        return CategoryColumn(np.empty(0, np.int32), [])
    codes = [chunk.indices.cast("int32").fill_null(-1).to_numpy(zero_copy_only=False) for chunk in chunks]
    return CategoryColumn(np.concatenate(codes), chunks[0].dictionary.to_pylist(), chunked.type.ordered)


def _polars_enum(categories: Native, native: Native) -> Column:
    """Read an Enum, whose values polars compares by the order of its categories."""
    physical = nw.from_native(native.to_physical(), series_only=True)
    missing = _missing(physical)
    codes = _filled(physical, 0, missing).astype(np.int32)
    if missing is not None:
        codes[missing] = -1
    return CategoryColumn(codes, list(categories), is_ordered=True)


def row_positions(rows: object, n_samples: int) -> IntArray:
    """Return a selection of samples as positions from 0; scikit-learn writes ``[rows, ...]``."""
    if isinstance(rows, tuple) and len(rows) == 2 and rows[1] is Ellipsis:
        rows = rows[0]
    if isinstance(rows, slice):
        return np.arange(*rows.indices(n_samples), dtype=np.int64)
    selected = np.asarray(rows) if isinstance(rows, list) or hasattr(rows, "__array__") else np.array(0)
    if selected.ndim != 1 or (selected.size and selected.dtype.kind not in "iub"):
        raise table_errors.selection_type(rows)
    if selected.dtype.kind == "b":
        if len(selected) != n_samples:
            raise table_errors.selection_mask(len(selected), n_samples)
        return np.flatnonzero(selected)
    positions = selected.astype(np.int64)
    positions = np.where(positions < 0, positions + n_samples, positions)
    outside = (positions < 0) | (positions >= n_samples)
    if outside.any():
        raise table_errors.selection_position(int(selected[outside][0]), n_samples)
    return positions
