"""Equal rows: repetitions, and contradictions, which no tree can answer right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.data.description.columns import bits_of
from treewright.data.description.facts import RowsDescription
from treewright.data.types import AnyArray, CodeArray, FloatArray, IntArray

_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def describe_rows(
    columns: Sequence[AnyArray], target: CodeArray, weights: FloatArray | None
) -> RowsDescription:
    """Count equal rows; `weights` are what wrong answers weigh."""
    group, first = _groups([bits_of(column) for column in columns], len(target))
    n_classes = int(target.max()) + 1
    pairs = group * n_classes + target
    weigh = np.ones(len(target)) if weights is None else weights
    present, place = np.unique(pairs, return_inverse=True)
    by_pair = np.bincount(place, weights=weigh)
    starts = np.flatnonzero(np.diff(present // n_classes, prepend=-1))
    most = np.maximum.reduceat(by_pair, starts)
    n_kinds = np.diff(np.append(starts, len(present)))
    contradicts = (n_kinds > 1)[group]
    errors = float(by_pair.sum() - most.sum()) if len(present) > len(starts) else 0.0
    return RowsDescription(
        n_complete=int(_complete(columns, len(target)).sum()),
        n_repeated=len(target) - len(first),
        n_contradicting=int(contradicts.sum()),
        unavoidable_errors=errors,
        unavoidable_error=errors / float(weigh.sum()),
        contradiction=_example(group, contradicts, target),
    )


def _complete(columns: Sequence[AnyArray], n_rows: int) -> AnyArray:
    is_complete = np.ones(n_rows, dtype=bool)
    for column in columns:
        is_complete &= ~np.isnan(column) if column.dtype.kind == "f" else column >= 0
    return is_complete


def _example(group: IntArray, contradicts: AnyArray, target: CodeArray) -> tuple[int, int] | None:
    """Return the first row that contradicts another, and that one."""
    if not contradicts.any():
        return None
    row = int(np.argmax(contradicts))
    others = np.flatnonzero((group == group[row]) & (target != target[row]))
    return row, int(others[0])


def _groups(columns: Sequence[IntArray], n_rows: int) -> tuple[IntArray, IntArray]:
    """Return a number for each different row, and the first row that has it.

    Rows are hashed and the groups compared with their first row, so that equal hashes of different rows do
    no harm: then the columns are put together one by one.
    """
    key = np.zeros(n_rows, dtype=np.uint64)
    for column in columns:
        key = (key ^ column.view(np.uint64)) * _ODD
        key ^= key >> _SHIFT
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    if all((column == column[first][group]).all() for column in columns):
        return group.astype(np.int64), first
    return _exact_groups(columns, n_rows)


def _exact_groups(columns: Sequence[IntArray], n_rows: int) -> tuple[IntArray, IntArray]:
    group = np.zeros(n_rows, dtype=np.int64)
    first = np.zeros(1, dtype=np.int64)
    for column in columns:
        values, codes = np.unique(column, return_inverse=True)
        _, first, group = np.unique(group * len(values) + codes, return_index=True, return_inverse=True)
    return group, first
