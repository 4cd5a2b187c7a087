"""Sets of rows that differ from a row in some features, and what they are apart from it.

A box says of features what their values may be: an interval, a set of levels, or that the row's own missing
value stays. Features that it does not name may have any value, the row's own among them. Beside, weighted
sums may have to be on one side of an offset.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from treewright.data.types import FloatArray
from treewright.trees.rules.conditions import UNSEEN, Condition, Interval, Levels, WeightedSum

Own = Sequence[float]
"""The row's values: numbers, NaN where missing; codes of levels, -1 missing and -2 unknown."""


@dataclass(frozen=True)
class Kept:
    """The row's own missing value stays."""


KEPT = Kept()
Entry = Interval | Levels | Kept


@dataclass(frozen=True)
class Row:
    """The row to explain, and what may be changed of it."""

    own: Own
    n_levels: Sequence[int | None]
    """Number of levels of each feature; None where it is a number."""
    fixed: frozenset[int]
    scales: Sequence[float]
    """What a distance of 1 is of each number: its training range."""
    ranges: FloatArray
    whole: frozenset[int]
    """Features whose numbers are whole."""

    def is_missing(self, feature: int) -> bool:
        """Whether the row has no value, or an unknown one."""
        value = self.own[feature]
        return math.isnan(value) if self.n_levels[feature] is None else value < 0

    def is_unseen(self, feature: int) -> bool:
        """Whether the row has a value that is no level."""
        return self.n_levels[feature] is not None and self.own[feature] == UNSEEN

    def has(self, entry: Entry | None, feature: int) -> bool:
        """Whether the row's own value is allowed."""
        if entry is None or isinstance(entry, Kept):
            return True
        if self.is_missing(feature):
            return False
        value = self.own[feature]
        if isinstance(entry, Interval):
            return entry.low < value <= entry.high
        return int(value) in entry.levels

    def nearest(self, interval: Interval) -> float | None:
        """Return the nearest number in an interval; None where there is none."""
        value, whole = self.own[interval.feature], interval.feature in self.whole
        if math.isnan(value):
            value = self._middle(interval)
        if interval.low < value <= interval.high:
            return value
        found = interval.high
        if value <= interval.low:
            found = math.floor(interval.low) + 1.0 if whole else math.nextafter(interval.low, math.inf)
        elif whole:
            found = float(math.floor(interval.high))
        return found if interval.low < found <= interval.high and math.isfinite(found) else None

    def _middle(self, interval: Interval) -> float:
        """Return a usual number of an interval: the middle of what training saw of it."""
        low, high = self.ranges[interval.feature].tolist()
        low = interval.low if math.isnan(low) else max(low, interval.low)
        high = interval.high if math.isnan(high) else min(high, interval.high)
        if not math.isfinite(low) or not math.isfinite(high):
            return high if math.isfinite(high) else low if math.isfinite(low) else 0.0
        middle = low + (high - low) / 2
        return float(math.floor(middle)) if interval.feature in self.whole else middle

    def distance(self, feature: int, value: float) -> float:
        """Return how far a changed value is: 1 for a level, and where there was none."""
        if self.n_levels[feature] is not None or math.isnan(self.own[feature]):
            return 1.0
        return abs(value - self.own[feature]) / self.scales[feature]


@dataclass(frozen=True)
class Box:
    """What features may be."""

    entries: Mapping[int, Entry] = field(default_factory=dict)
    sums: tuple[WeightedSum, ...] = ()

    def with_entry(self, feature: int, entry: Entry) -> Box:
        """Return the box with another entry."""
        return replace(self, entries={**self.entries, feature: entry})

    def changed(self, row: Row) -> list[int]:
        """Return the features whose own value is not allowed."""
        return [feature for feature, entry in self.entries.items() if not row.has(entry, feature)]

    def nearest(self, row: Row) -> dict[int, float] | None:
        """Return the nearest values of the features that must change; None where there are none."""
        found: dict[int, float] = {}
        for feature in self.changed(row):
            entry = self.entries[feature]
            value = row.nearest(entry) if isinstance(entry, Interval) else _first_level(entry)
            if value is None:
                return None
            found[feature] = value
        return found

    def cost(self, row: Row) -> tuple[int, float] | None:
        """Return how many features must change, and how far; None where they cannot."""
        values = self.nearest(row)
        if values is None:
            return None
        return len(values), math.fsum(row.distance(feature, value) for feature, value in values.items())


def _first_level(entry: Entry) -> float | None:
    return float(min(entry.levels)) if isinstance(entry, Levels) and entry.levels else None


def meeting(box: Box, condition: Condition, row: Row) -> Iterator[Box]:
    """Yield the parts of a box in which a condition holds; they share no row."""
    if isinstance(condition, WeightedSum):
        yield from _with_sum(box, condition, row)
        return
    feature = condition.feature
    entry = box.entries.get(feature)
    is_unseen = row.is_unseen(feature)
    keeps = condition.unseen if isinstance(condition, Levels) and is_unseen else condition.missing
    if isinstance(entry, Kept) or (entry is None and row.is_missing(feature)):
        if keeps:
            yield box.with_entry(feature, KEPT)
        if isinstance(entry, Kept) or feature in row.fixed:
            return
    values = _known(condition) if entry is None or isinstance(entry, Kept) else _both(entry, condition)
    if _has_values(values) and (feature not in row.fixed or row.has(values, feature)):
        yield box.with_entry(feature, values)


def missing_out(box: Box, condition: Condition, row: Row) -> Iterator[Box]:
    """Yield the parts of a box in which a condition does not hold; they share no row."""
    for other in complement(condition):
        yield from meeting(box, other, row)


def complement(condition: Condition) -> list[Condition]:
    """Return conditions of which one holds wherever this one does not."""
    if isinstance(condition, WeightedSum):
        return [replace(condition, above=not condition.above, missing=not condition.missing)]
    missing = not condition.missing
    if isinstance(condition, Levels):
        others = frozenset(range(condition.n_levels)) - condition.levels
        return [replace(condition, levels=others, missing=missing, unseen=not condition.unseen)]
    feature = condition.feature
    if not condition.has_numbers:
        return [Interval(feature, missing=missing)]
    below = Interval(feature, high=condition.low, missing=missing)
    above = Interval(feature, low=condition.high, missing=False)
    return [below, above]


def _known(condition: Interval | Levels) -> Interval | Levels:
    """Return the part of a condition that asks for a value."""
    if isinstance(condition, Levels):
        return replace(condition, missing=False, unseen=False)
    return replace(condition, missing=False)


def _both(entry: Interval | Levels, condition: Interval | Levels) -> Interval | Levels:
    known = _known(condition)
    if isinstance(entry, Levels):
        assert isinstance(known, Levels), "a feature has levels throughout"
        return entry.meet(known)
    assert isinstance(known, Interval), "a feature has numbers throughout"
    return entry.meet(known)


def _has_values(entry: Interval | Levels) -> bool:
    return entry.has_levels if isinstance(entry, Levels) else entry.has_numbers


def everything(feature: int, row: Row) -> Interval | Levels:
    """Return all known values of a feature."""
    n_levels = row.n_levels[feature]
    if n_levels is None:
        return Interval(feature, missing=False)
    return Levels(feature, frozenset(range(n_levels)), n_levels, missing=False, unseen=False)


def unfilled(condition: WeightedSum, row: Row) -> list[int]:
    """Return the features without a value in the row, for which nothing stands in the sum."""
    terms = zip(condition.features, condition.terms, strict=True)
    return [
        feature
        for feature, term in terms
        if row.is_missing(feature) and (term.unseen if row.is_unseen(feature) else term.missing) is None
    ]


def _with_sum(box: Box, condition: WeightedSum, row: Row) -> Iterator[Box]:
    """Decide of features without a value whether they get one: a sum without them is unknown."""
    for feature in unfilled(condition, row):
        entry = box.entries.get(feature)
        if isinstance(entry, Kept):
            if condition.missing:
                yield box
            return
        if entry is None:
            if condition.missing:
                yield box.with_entry(feature, KEPT)
            if feature not in row.fixed:
                yield from _with_sum(box.with_entry(feature, everything(feature, row)), condition, row)
            return
    yield replace(box, sums=(*box.sums, condition))
