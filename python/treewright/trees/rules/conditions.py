"""Conditions of rules: of what rows they hold, and what two of them on one feature come to.

A condition is about one feature, or about a weighted sum of several. A missing value meets it only where it
says so. Numbers and levels are those of the tree's domain: floats with NaN for missing, or codes of levels
with -1 for missing and -2 for a value that is told apart from it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright.data.types import AnyArray, BoolArray, FloatArray
from treewright.trees.exports.program import Term

INFINITY = float("inf")
UNSEEN = -2


@dataclass(frozen=True)
class Interval:
    """A number is above `low` and at most `high`; with `missing`, or there is none.

    An interval that holds no number asks for a missing value.
    """

    feature: int
    low: float = -INFINITY
    high: float = INFINITY
    missing: bool = True
    shown_low: float = -INFINITY
    """The end as it is written: all training samples are on the same side of it."""
    shown_high: float = INFINITY

    @property
    def has_numbers(self) -> bool:
        """Whether some number meets the condition."""
        return self.low < self.high and self.low < sys.float_info.max

    @property
    def is_empty(self) -> bool:
        """Whether nothing meets the condition."""
        return not self.missing and not self.has_numbers

    @property
    def is_certain(self) -> bool:
        """Whether everything meets the condition."""
        return self.missing and self.low == -INFINITY and self.high == INFINITY

    def meet(self, other: Interval) -> Interval:
        """Return what both conditions ask for."""
        low = self if self.low >= other.low else other
        high = self if self.high <= other.high else other
        missing = self.missing and other.missing
        return Interval(self.feature, low.low, high.high, missing, low.shown_low, high.shown_high)

    def holds(self, columns: Sequence[AnyArray]) -> BoolArray:
        """Mark the rows that meet the condition."""
        values: FloatArray = columns[self.feature]
        inside = (values > self.low) & (values <= self.high)
        return inside | np.isnan(values) if self.missing else inside


@dataclass(frozen=True)
class Levels:
    """A nominal value is one of some levels, given by their positions; or it is missing, or unknown."""

    feature: int
    levels: frozenset[int]
    n_levels: int
    missing: bool = True
    unseen: bool = True

    @property
    def has_levels(self) -> bool:
        """Whether some level meets the condition."""
        return bool(self.levels)

    @property
    def is_empty(self) -> bool:
        """Whether nothing meets the condition."""
        return not (self.levels or self.missing or self.unseen)

    @property
    def is_certain(self) -> bool:
        """Whether everything meets the condition."""
        return self.missing and self.unseen and len(self.levels) == self.n_levels

    def meet(self, other: Levels) -> Levels:
        """Return what both conditions ask for."""
        return replace(
            self,
            levels=self.levels & other.levels,
            missing=self.missing and other.missing,
            unseen=self.unseen and other.unseen,
        )

    def holds(self, columns: Sequence[AnyArray]) -> BoolArray:
        """Mark the rows that meet the condition."""
        meets = np.zeros(self.n_levels + 2, np.bool_)
        meets[list(self.levels)] = True
        meets[-1], meets[UNSEEN] = self.missing, self.unseen
        found: BoolArray = meets[columns[self.feature]]
        return found


@dataclass(frozen=True)
class WeightedSum:
    """A weighted sum is above an offset, or at most as large.

    `features` are those of the terms, in their order; with `missing` it also holds where the sum is unknown.
    """

    features: tuple[int, ...]
    terms: tuple[Term, ...]
    offset: float
    above: bool
    missing: bool

    is_empty = False
    is_certain = False

    def sums(self, columns: Sequence[AnyArray]) -> FloatArray:
        """Return the sums, added as the tree adds them; NaN where they are unknown."""
        total = np.zeros(len(columns[0]) if len(columns) else 0)
        for feature, term in zip(self.features, self.terms, strict=True):
            total = total + term.weight * _values(columns[feature], term)
        return total

    def holds(self, columns: Sequence[AnyArray]) -> BoolArray:
        """Mark the rows that meet the condition."""
        sums = self.sums(columns)
        inside = sums > self.offset if self.above else sums <= self.offset
        return inside | np.isnan(sums) if self.missing else inside


def _values(column: AnyArray, term: Term) -> FloatArray:
    """Return the numbers of a term, with what stands for missing values; NaN where nothing does."""
    missing = np.nan if term.missing is None else term.missing
    if term.level is None:
        return np.where(np.isnan(column), missing, column)
    unseen = np.nan if term.unseen is None else term.unseen
    known = np.where(column == -1, missing, np.where(column == UNSEEN, unseen, 0.0))
    return np.where(column == term.level, 1.0, known)


OfFeature = Interval | Levels
Condition = Interval | Levels | WeightedSum
Key = int | Condition
Merged = Mapping[Key, Condition]
"""Conditions of which no two are about the same feature; weighted sums stand for themselves."""


def joined(merged: Merged, more: Condition) -> Merged:
    """Return conditions with one more."""
    if isinstance(more, WeightedSum):
        return {**merged, more: more}
    before = merged.get(more.feature)
    if isinstance(more, Interval):
        met: Condition = before.meet(more) if isinstance(before, Interval) else more
    else:
        met = before.meet(more) if isinstance(before, Levels) else more
    return {**merged, more.feature: met}


def all_hold(conditions: Sequence[Condition], columns: Sequence[AnyArray], n_rows: int) -> BoolArray:
    """Mark the rows that meet all conditions."""
    found = np.ones(n_rows, np.bool_)
    for condition in conditions:
        found &= condition.holds(columns)
    return found
