"""A table in a 2-D array, in any memory layout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from treewright.data.intake.column import Column
from treewright.data.intake.numbers import are_exact
from treewright.data.intake.place import IntArray
from treewright.data.intake.vectors import array_column

_VALUES_AT_A_TIME = 65536


class Matrix:
    """A 2-D array; its columns are views."""

    labels = None

    def __init__(self, array: Any) -> None:
        self.array = array
        self.shape: tuple[int, int] = array.shape

    def columns(self, rows: IntArray | None) -> Iterator[Column]:
        """Yield the columns, of the given rows only."""
        is_checked = rows is None and _is_sound(self.array)
        for vector in self.array.T:
            yield array_column(vector if rows is None else vector[rows], is_checked)


def _is_sound(array: Any) -> bool:
    """Search all numbers for infinite and inexact ones, in the order in which they lie in memory."""
    if type(array) is not np.ndarray:
        return False
    if array.dtype.kind in "iu":
        return are_exact(array)
    return array.dtype.kind == "f" and not _has_infinite(array)


def _has_infinite(array: Any) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum()):
            return False
    lines = array.T if array.flags.f_contiguous else array
    starts = range(0, len(lines), max(1, _VALUES_AT_A_TIME // lines.shape[1]))
    return any(np.isinf(lines[start : start + starts.step]).any() for start in starts)
