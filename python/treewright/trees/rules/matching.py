"""Which rows meet which rules, and what a list of rules makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright.data.types import AnyArray, BoolArray, CodeArray, FloatArray, IntArray
from treewright.trees.answering import Prices
from treewright.trees.rules.conditions import Condition, Interval, all_hold

INFINITY = float("inf")


@dataclass(frozen=True, eq=False)
class Rows:
    """Training rows in the domain of a tree, their classes, and what they weigh."""

    columns: Sequence[AnyArray]
    target: CodeArray
    weight: FloatArray
    prices: Prices

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.target)

    @cached_property
    def loss(self) -> FloatArray:
        """What rows count where errors are estimated: by the mean cost of their class, with the same sum."""
        if not self.prices.has_costs:
            return self.weight
        loss = self.weight * self.prices.by_class[self.target]
        return loss * (self.weight.sum() / loss.sum()) if loss.sum() > 0 else self.weight

    def by_class(self, rows: BoolArray) -> FloatArray:
        """Return the weights of some rows by class."""
        n_classes = len(self.prices.units)
        return np.bincount(self.target[rows], self.weight[rows], minlength=n_classes).astype(np.float64)

    def holding(self, conditions: Sequence[Condition]) -> BoolArray:
        """Mark the rows that meet all conditions."""
        return all_hold(conditions, self.columns, self.n_rows)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A rule on its way into a list: its class, the estimate of its error rate, and the rows it holds of."""

    conditions: tuple[Condition, ...]
    answer: int
    node: int
    estimate: float
    held: BoolArray


@dataclass(frozen=True, eq=False)
class Assignment:
    """What a list of rules makes of rows: each belongs to the first rule that holds."""

    first: IntArray
    """Place of that rule; the number of rules where none holds."""
    weights: FloatArray
    """By place and class, those of the default last."""
    counts: FloatArray
    """Numbers of rows, by place and class."""
    default: int

    @classmethod
    def of(cls, rules: Sequence[Candidate], rows: Rows) -> Assignment:
        """Give every row to its rule; the default is the answer of least cost to the others."""
        first = first_of([rule.held for rule in rules], rows.n_rows)
        n_places, n_classes = len(rules) + 1, len(rows.prices.units)
        place = first * n_classes + rows.target

        def summed(values: FloatArray | None) -> FloatArray:
            flat = np.bincount(place, values, minlength=n_places * n_classes)
            return flat.reshape(n_places, n_classes).astype(np.float64)

        weights = summed(rows.weight)
        others = weights[-1] if weights[-1].any() else weights.sum(axis=0)
        return cls(first, weights, summed(None), int(rows.prices.cheapest(others)))


def first_of(held: Sequence[BoolArray], n_rows: int, besides: IntArray | None = None) -> IntArray:
    """Return for every row the place of the first rule that holds, leaving one aside where it is named."""
    first = np.full(n_rows, len(held), dtype=np.int64)
    for place in range(len(held) - 1, -1, -1):
        mine = held[place] if besides is None else held[place] & (besides != place)
        first[mine] = place
    return first


def single_conditions(conditions: Sequence[Condition]) -> list[Condition]:
    """Return conditions that can be dropped one by one: the ends of an interval stand apart."""
    found: list[Condition] = []
    for one in conditions:
        if isinstance(one, Interval) and one.has_numbers and one.low > -INFINITY and one.high < INFINITY:
            above = Interval(one.feature, low=one.low, missing=one.missing, shown_low=one.shown_low)
            below = Interval(one.feature, high=one.high, missing=one.missing, shown_high=one.shown_high)
            found += [above, below]
        else:
            found.append(one)
    return found
