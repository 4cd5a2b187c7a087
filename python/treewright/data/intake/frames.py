"""A table in a frame: pandas and its kin, polars, pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from treewright.data.intake.column import Column
from treewright.data.intake.place import IntArray
from treewright.data.intake.series import series_column
from treewright.data.intake.vectors import array_column


class Frame:
    """A frame whose columns are read by position, so that labels need not be names."""

    def __init__(self, native: Any) -> None:
        self.native = native
        self.is_pandas_like = nw.dependencies.is_pandas_like_dataframe(native)
        self.is_pyarrow = nw.dependencies.is_pyarrow_table(native)
        self.shape: tuple[int, int] = native.shape
        self.labels: Sequence[object] = list(native.column_names if self.is_pyarrow else native.columns)

    def columns(self, rows: IntArray | None) -> Iterator[Column]:
        """Yield the columns, of the given rows only."""
        for position in range(self.shape[1]):
            native = self.native_column(position)
            if self.is_pandas_like and _holds_plain_numbers(native):  # sparing the way by narwhals
                vector = native.to_numpy()
                yield array_column(vector if rows is None else vector[rows])
            else:
                series = nw.from_native(native, series_only=True)
                yield series_column(series if rows is None else series[rows])

    def native_column(self, position: int) -> Any:
        """Return a column as the frame's own package has it."""
        if self.is_pandas_like:
            return self.native.iloc[:, position]
        if self.is_pyarrow:
            return self.native.column(position)
        if nw.dependencies.is_polars_dataframe(self.native):
            return self.native.to_series(position)
        return nw.from_native(self.native, eager_only=True)[:, position].to_native()


def _holds_plain_numbers(native: Any) -> bool:
    return isinstance(native.dtype, np.dtype) and native.dtype.kind in "fiub"
