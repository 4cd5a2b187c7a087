"""A table as a list of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from treewright.data.intake.column import Column
from treewright.data.intake.matrix import Matrix
from treewright.data.intake.messages import table as messages
from treewright.data.intake.objects import ObjectColumn
from treewright.data.intake.place import IntArray


class Rows:
    """A list of rows; a value keeps its type, since a column is read by itself."""

    labels = None

    def __init__(self, rows: Sequence[Any]) -> None:
        self.rows = rows
        self.shape = (len(rows), 0)
        if len(rows):
            _check_first(rows)
            self.shape = (len(rows), len(rows[0]))

    def columns(self, rows: IntArray | None) -> Iterator[Column]:
        """Yield the columns, of the given rows only."""
        kept = range(len(self.rows)) if rows is None else rows.tolist()
        lines = [self.rows[row] for row in kept]
        self._check(lines, kept)
        if all(type(line) is np.ndarray and line.dtype.kind in "fiub" for line in lines):
            yield from Matrix(np.array(lines)).columns(None)
            return
        for values in zip(*lines, strict=True):
            yield ObjectColumn(list(values))

    def _check(self, lines: Sequence[Any], kept: Sequence[int]) -> None:
        if set(map(type, lines)) <= {list, tuple} and set(map(len, lines)) == {self.shape[1]}:
            return
        for row, line in zip(kept, lines, strict=True):
            if not _is_sequence(line):
                raise messages.row_is_no_sequence(row, type(line).__name__)
            if len(line) != self.shape[1]:
                raise messages.ragged(row, len(line), self.shape[1])


def _check_first(rows: Sequence[Any]) -> None:
    first = rows[0]
    if isinstance(first, Mapping | Set):
        raise messages.row_is_no_sequence(0, type(first).__name__)
    if not _is_sequence(first):
        raise messages.one_dimensional(len(rows))


def _is_sequence(line: Any) -> bool:
    if isinstance(line, str | bytes | Mapping | Set):
        return False
    return np.ndim(line) > 0 if isinstance(line, np.ndarray) else hasattr(line, "__len__")
