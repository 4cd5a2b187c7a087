"""The data, the growing parameters, and what a missing value becomes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from reference.numbers import UNIT_WEIGHT

Value = int | float | None  # code of a level, number, or missing


@dataclass(frozen=True)
class Column:
    """One feature: level codes with ``n_levels`` declared, or numbers with None."""

    values: tuple[Value, ...]
    n_levels: int | None = None

    @property
    def is_nominal(self) -> bool:
        return self.n_levels is not None

    def take(self, samples: Iterable[int]) -> Column:
        """Column of the given samples, in the given order."""
        return replace(self, values=tuple(self.values[i] for i in samples))


@dataclass(frozen=True)
class Table:
    """Columns, class codes and weights (None: every sample weighs 1)."""

    columns: tuple[Column, ...]
    target: tuple[int, ...]
    n_classes: int
    weights: tuple[float, ...] | None = None

    @property
    def n_samples(self) -> int:
        return len(self.target)

    @property
    def n_features(self) -> int:
        return len(self.columns)

    def weight(self, sample: int) -> float:
        """Weight of a sample before any class weight."""
        return 1.0 if self.weights is None else self.weights[sample]

    def row(self, sample: int) -> tuple[Value, ...]:
        """Values of one sample, feature by feature."""
        return tuple(column.values[sample] for column in self.columns)

    def take(self, samples: Sequence[int]) -> Table:
        """Table of the given samples, in the given order; repeats are allowed."""
        weights = self.weights and tuple(self.weights[i] for i in samples)
        return replace(
            self,
            columns=tuple(column.take(samples) for column in self.columns),
            target=tuple(self.target[i] for i in samples),
            weights=weights,
        )


@dataclass(frozen=True)
class Growing:
    """Growing parameters, named and meant as in ``GreedyTreeClassifier``."""

    criterion: str = "info_gain"
    growth: str = "standard"
    min_samples_split: float | Fraction = 2.0
    min_samples_leaf: float | Fraction = 1.0
    min_samples_branch: float | Fraction = 1.0
    min_gain: float = 0.0
    mdl_correction: bool | None = None
    collapse: bool | None = None
    average_gain: bool | None = None
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    nominal_splits: str = "multiway"
    missing: str = "distribution"
    class_weight: tuple[float, ...] | None = None

    @property
    def routing(self) -> str:
        """Where a sample goes whose value is unknown even after filling."""
        return "distribute" if self.missing == "distribution" else "node_majority"


def counted_weights(table: Table, growing: Growing, in_use: Sequence[int] | None = None) -> list[int]:
    """Weights in units of 2**-20, after the class weights; the samples in use set scale and rounding.

    >>> half = Table((), (0, 1), 2, (0.25, 0.75))
    >>> counted_weights(half, Growing()) == [2**19, 3 * 2**19]
    True
    """
    factors = growing.class_weight or (1.0,) * table.n_classes
    products = [table.weight(sample) * factors[label] for sample, label in enumerate(table.target)]
    rows = [s for s in (range(table.n_samples) if in_use is None else in_use) if table.weight(s) > 0]
    if table.weights is None and growing.class_weight is None:
        return [UNIT_WEIGHT] * table.n_samples
    total = sum(Fraction(products[row]) for row in rows)
    samples = max(Fraction(len(rows)), sum(Fraction(table.weight(row)) for row in rows))
    scale = float(samples / total) if total < samples else 1.0
    mean = max(total, samples) / len(rows)
    grid = _power_of_two_below(mean)
    if mean < 2**21 and all(table.weight(row) == int(table.weight(row)) for row in rows):
        grid = Fraction(1)
    if grid == 1 and all(table.weight(row) == int(table.weight(row)) for row in rows):
        # a sample of weight 2 is the sample twice, and each is rounded
        pairs = [(table.weight(sample), factors[label]) for sample, label in enumerate(table.target)]
        return [
            int(weight) * round(factor * scale * UNIT_WEIGHT)
            if weight == int(weight)
            else round(weight * factor * scale * UNIT_WEIGHT)
            for weight, factor in pairs
        ]
    unit = grid / UNIT_WEIGHT
    return [round(Fraction(product * scale) / unit) * int(grid) for product in products]


def _power_of_two_below(mean: Fraction) -> Fraction:
    power = Fraction(1)
    while 2 * power <= mean:
        power *= 2
    return power


def as_counted(table: Table, growing: Growing) -> tuple[Table, Growing, list[int]]:
    """Return the samples whose weight counts, the limits in weight, and what each sample counts."""
    weights = counted_weights(table, growing)
    kept = [sample for sample, weight in enumerate(weights) if weight]
    total = Fraction(sum(weights), UNIT_WEIGHT)
    names = ("min_samples_split", "min_samples_leaf", "min_samples_branch")
    limits = {name: _in_weight(getattr(growing, name), total) for name in names}
    return table.take(kept), replace(growing, **limits), [weights[sample] for sample in kept]


def _in_weight(limit: float | Fraction, total: Fraction) -> float | Fraction:
    """Return a limit as weight; one above 0 and below 1 is a share, as the decimal that it is written as."""
    return Fraction(str(limit)) * total if 0 < limit < 1 else limit


def total_weight(weights: Sequence[int]) -> float:
    """Sum of weights in units of 2**-20, as a number."""
    return float(sum(weights)) / UNIT_WEIGHT


def filling(column: Column, weights: Sequence[int], missing: str) -> Value:
    """Value that stands for a missing one in this column; None keeps it missing.

    >>> filling(Column((1, None, 1, 0), n_levels=2), [1, 1, 1, 1], "most_frequent")
    1
    >>> filling(Column((0.5, None)), [1, 1], "value")
    inf
    """
    if missing == "raise" and None in column.values:
        raise ValueError("the table has a missing value")
    if missing == "most_frequent":
        return _most_frequent(column, weights)
    if missing == "value" and None in column.values:
        return math.inf if column.n_levels is None else column.n_levels
    return None


def _most_frequent(column: Column, weights: Sequence[int]) -> Value:
    totals: dict[int | float, int] = {}
    for value, weight in zip(column.values, weights, strict=True):
        if value is not None:
            totals[value] = totals.get(value, 0) + weight
    return min(totals, key=lambda value: (-totals[value], value), default=None)


def filled(column: Column, fill: Value) -> Column:
    """Column with the filling in place of missing values.

    A filling that is no declared level becomes one more level, at the end.

    >>> filled(Column((0, None), n_levels=2), 2)
    Column(values=(0, 2), n_levels=3)
    """
    values = tuple(fill if value is None else value for value in column.values)
    if column.n_levels is None or fill is None or fill < column.n_levels:
        return replace(column, values=values)
    return Column(values, column.n_levels + 1)
