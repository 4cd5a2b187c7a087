"""A look at single columns: extremes, quartiles, frequent values, bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.data.description.facts import ColumnDescription, Extreme, Histogram
from treewright.data.intake.labels import Label
from treewright.data.types import AnyArray, CodeArray, FloatArray, IntArray

MOST_BARS = 20
FREQUENT = 5
"""Most frequent values that are told."""
TAIL = 0.005
"""Share of the rows at either end that share an open bar, where they would make all other bars thin."""
THIN = 4.0
"""How many times the range of the others theirs is then."""


def bits_of(column: AnyArray) -> IntArray:
    """Return whole numbers that are equal where values are: one for all gaps, one for both zeros."""
    if column.dtype.kind == "i":
        return column.astype(np.int64)
    plain = np.where(np.isnan(column), np.nan, column + 0.0)
    return plain.view(np.int64)


def numeric(name: str, column: FloatArray, target: CodeArray) -> ColumnDescription:
    """Describe a column of numbers."""
    is_known = ~np.isnan(column)
    known, classes = column[is_known], target[is_known]
    if not len(known):
        return _unknown(name, len(column))
    values, counts = np.unique(known, return_counts=True)
    low, middle, high = (float(end) for end in _quartiles(values, counts))
    return ColumnDescription(
        name=name,
        kind="numeric",
        n_missing=len(column) - len(known),
        n_different=len(values),
        n_declared=None,
        lowest=float(values[0]),
        quartiles=(low, middle, high),
        highest=float(values[-1]),
        extremes=_extremes(values.tolist(), counts),
        mean=_mean(known),
        deviation=_deviation(known),
        most_frequent=_frequent(values.tolist(), counts),
        histogram=_bars(known, values, counts, classes, _n_classes(target)),
    )


def nominal(name: str, codes: CodeArray, levels: Sequence[Label], target: CodeArray) -> ColumnDescription:
    """Describe a column of values without order."""
    known = codes[codes >= 0]
    counts = np.bincount(known, minlength=len(levels))
    return ColumnDescription(
        name=name,
        kind="nominal",
        n_missing=len(codes) - len(known),
        n_different=int(np.count_nonzero(counts)),
        n_declared=len(levels),
        lowest=None,
        quartiles=None,
        highest=None,
        extremes=(),
        mean=None,
        deviation=None,
        most_frequent=_frequent(levels, counts),
        histogram=_level_bars(codes, levels, counts, target) if len(known) else None,
    )


def _unknown(name: str, n_rows: int) -> ColumnDescription:
    return ColumnDescription(name, "numeric", n_rows, 0, None, None, None, None, (), None, None, (), None)


def _extremes(values: list[float], counts: IntArray) -> tuple[Extreme, ...]:
    if len(values) < 3:
        return ()
    low = Extreme(values[0], int(counts[0]), values[1], values[-1])
    return low, Extreme(values[-1], int(counts[-1]), values[0], values[-2])


def _quartiles(values: FloatArray, counts: IntArray) -> FloatArray:
    """Return the lowest values that a quarter, a half and three quarters of the numbers do not exceed."""
    below = np.cumsum(counts)
    found: FloatArray = values[np.searchsorted(below, np.array([0.25, 0.5, 0.75]) * below[-1])]
    return found


def _mean(known: FloatArray) -> float:
    """Return the mean, without a sum beyond 64-bit numbers."""
    scale = max(float(np.abs(known).max()), np.finfo(np.float64).tiny)
    return float((known / scale).mean()) * scale


def _deviation(known: FloatArray) -> float | None:
    if len(known) < 2:
        return None
    scale = max(float(np.abs(known).max()), np.finfo(np.float64).tiny)
    spread = float((known / scale).std(ddof=1)) * scale
    return spread if np.isfinite(spread) else None


def _frequent(values: Sequence[Label], counts: IntArray) -> tuple[tuple[Label, int], ...]:
    """Return the most frequent values, of equally frequent ones the first."""
    order = np.argsort(-counts, kind="stable")[:FREQUENT]
    return tuple((values[i], int(counts[i])) for i in order.tolist() if counts[i])


def _n_classes(target: CodeArray) -> int:
    return int(target.max()) + 1


def _bars(
    known: FloatArray, values: FloatArray, counts: IntArray, classes: CodeArray, n_classes: int
) -> Histogram:
    """Count numbers between equally distant edges; a few far off share an open bar at either end."""
    low, high, opened = _range(values, counts)
    n_bars = min(MOST_BARS, max(len(values), 1))
    edges = np.unique(np.linspace(low, high, n_bars + 1)) if low < high else np.full(2, low)
    ends = [-np.inf, *edges.tolist(), np.inf] if opened else edges.tolist()
    edges = np.array(ends, dtype=np.float64)
    bar = np.clip(np.searchsorted(edges, known, side="right") - 1, 0, len(edges) - 2)
    return Histogram(edges, (), _by_class(bar, classes, len(edges) - 1, n_classes))


def _range(values: FloatArray, counts: IntArray) -> tuple[float, float, bool]:
    """Return the ends of the bars, and whether numbers lie beyond them."""
    below = np.cumsum(counts)
    ends = np.searchsorted(below, np.array([TAIL, 1 - TAIL]) * below[-1])
    low, high = (float(values[end]) for end in ends)
    lowest, highest = float(values[0]), float(values[-1])
    is_thin = low < high and highest / THIN - lowest / THIN > high - low
    return (low, high, True) if is_thin else (lowest, highest, False)


def _by_class(bar: IntArray, classes: CodeArray, n_bars: int, n_classes: int) -> IntArray:
    both = np.bincount(bar * n_classes + classes, minlength=n_bars * n_classes)
    return both.reshape(n_bars, n_classes).astype(np.int64)


def _level_bars(codes: CodeArray, levels: Sequence[Label], counts: IntArray, target: CodeArray) -> Histogram:
    """Count the most frequent values."""
    shown = [i for i in np.argsort(-counts, kind="stable")[:MOST_BARS].tolist() if counts[i]]
    place = np.full(len(levels) + 1, -1, dtype=np.int64)  # the last one is that of gaps
    place[shown] = np.arange(len(shown))
    bar = place[codes]
    is_shown = bar >= 0
    table = _by_class(bar[is_shown], target[is_shown], len(shown), _n_classes(target))
    n_others = int(counts.sum() - table.sum())
    return Histogram(None, tuple(levels[i] for i in shown), table, n_others)
