"""Numeric columns as nominal ones: where they are cut, and new data cut at the same places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from treewright._base.shown import numbers_between, shown_number
from treewright.data.dataset import Dataset, dataset_of_codes
from treewright.data.intake.labels import Label
from treewright.data.training import TrainingSet
from treewright.data.types import AnyArray, CodeArray, FloatArray

BINNINGS = ("quantile", "supervised")
EQUAL_GAINS = 1e-12
"""Cuts whose gains differ by no more than this, in bits, are equal; the lowest is taken."""

Edges = list[FloatArray | None]


@dataclass(frozen=True, eq=False)
class Bins:
    """Where each numeric feature is cut; None for a nominal one.

    `beside` has for each edge the largest number of the samples up to it and the smallest above it.
    """

    edges: Edges
    beside: Edges | None = None

    @classmethod
    def learn(cls, training: TrainingSet, n_bins: int, binning: str) -> Bins:
        """Find the cuts of every numeric feature, at most `n_bins` bins each; weights count.

        ``"quantile"`` makes bins of about the same weight; ``"supervised"`` one cut, where the two sides tell
        most about the class (information gain), and none where no cut tells anything.
        """
        dataset = training.dataset
        columns = [dataset.column(i) if levels is None else None for i, levels in enumerate(dataset.levels)]
        return cls.between(
            columns,
            [None if column is None else _edges(column, training, n_bins, binning) for column in columns],
        )

    @classmethod
    def between(cls, columns: Sequence[FloatArray | None], edges: Edges) -> Bins:
        """Return bins with these edges, which lie between numbers of the columns."""
        pairs = zip(columns, edges, strict=True)
        return cls(
            edges,
            [None if column is None or cuts is None else beside(column, cuts) for column, cuts in pairs],
        )

    def domains(self, levels: Sequence[Sequence[Label] | None]) -> list[Sequence[Label] | None]:
        """Return what new data is read as: numbers where there are bins, else the levels."""
        return [known if edges is None else None for known, edges in zip(levels, self.edges, strict=True)]

    def labels(self, levels: Sequence[Sequence[Label] | None]) -> list[Sequence[Label]]:
        """Return the values of every feature, bins as intervals."""
        parts = zip(levels, self.edges, self.beside or [None] * len(self.edges), strict=True)
        return [
            known or [] if edges is None else bin_labels(edges, numbers) for known, edges, numbers in parts
        ]

    def codes(self, columns: Sequence[AnyArray]) -> list[CodeArray]:
        """Return columns of new data in codes: numbers become their bins, -1 where missing."""
        pairs = zip(columns, self.edges, strict=True)
        return [column if edges is None else bin_codes(column, edges) for column, edges in pairs]

    def apply(self, dataset: Dataset) -> Dataset:
        """Return the data set with bins in place of numbers."""
        if all(edges is None for edges in self.edges):
            return dataset
        return dataset_of_codes(
            dataset.feature_names,
            self.codes(dataset.columns()),
            self.labels(dataset.levels),
            dataset.target,
            dataset.classes,
            dataset.sample_weight,
            dataset.column_labels,
        )


def beside(numbers: FloatArray, edges: FloatArray) -> FloatArray:
    """Return for each edge the largest number up to it and the smallest above it, shape (n_edges, 2).

    >>> beside(np.array([3.0, 1.0, 2.0, np.nan]), np.array([1.5, 2.0]))
    array([[1., 2.],
           [2., 3.]])
    """
    distinct = np.unique(numbers[~np.isnan(numbers)])
    above = np.searchsorted(distinct, edges, side="right")
    return np.column_stack([distinct[above - 1], distinct[above]]) if len(edges) else np.empty((0, 2))


def bin_codes(numbers: FloatArray, edges: FloatArray) -> CodeArray:
    """Return the bin of each number, -1 where it is missing."""
    return np.where(np.isnan(numbers), np.int32(-1), binned(numbers, edges))


def _edges(numbers: FloatArray, training: TrainingSet, n_bins: int, binning: str) -> FloatArray:
    if training.sample_weight is None and training.class_weight is None:
        target, weights = training.target, None
    else:
        counts = training.counted.values > 0
        numbers, target, weights = numbers[counts], training.target[counts], training.counted.values[counts]
    if binning == "quantile":
        return quantile_edges(numbers, n_bins, weights)
    return entropy_cut(numbers, target, weights)


def quantile_edges(numbers: FloatArray, max_bins: int, weights: FloatArray | None = None) -> FloatArray:
    """Return where to cut numbers into bins of about as many samples each; NaN is left out.

    Edges ascend: bin b holds what is above edge b - 1 and at most edge b. Up to `max_bins` distinct numbers
    have a bin each, cut half way between them. The lowest number never takes all bins: where it is more
    frequent than a bin has room for, the first cut is right above it.

    >>> quantile_edges(np.array([1.0, 2.0, 2.0, 4.0, np.nan]), 4)
    array([1.5, 3. ])
    >>> quantile_edges(np.arange(100.0), 4)
    array([24.5, 49.5, 74.5])
    >>> quantile_edges(np.array([0.0, 0.0, 0.0, 2.0, 4.0]), 2)
    array([1.])
    """
    is_known = ~np.isnan(numbers)
    distinct, place = np.unique(numbers[is_known], return_inverse=True)
    if len(distinct) <= max_bins:
        return middles(distinct[:-1], distinct[1:])
    upto = np.cumsum(np.bincount(place, None if weights is None else weights[is_known]))
    ranks = np.arange(1, max_bins) * upto[-1]
    upper = np.unique(np.searchsorted(upto * max_bins, ranks, side="right"))
    upper = np.unique(np.clip(upper, 1, len(distinct) - 1))
    return middles(distinct[upper - 1], distinct[upper])


def middles(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return numbers half way, at least `low` and below `high` whatever the rounding."""
    middle = low / 2 + high / 2
    return np.where((low <= middle) & (middle < high), middle, low)


def binned(numbers: FloatArray, edges: FloatArray) -> CodeArray:
    """Return the bin of each number; what is missing comes after the last bin."""
    codes = np.searchsorted(edges, numbers, side="left").astype(np.int32)
    codes[np.isnan(numbers)] = len(edges) + 1
    return codes


def bin_labels(
    edges: Sequence[float] | FloatArray, numbers: Sequence[Sequence[float]] | FloatArray | None = None
) -> list[str]:
    """Write each bin as an interval.

    With the `numbers` beside each edge it is written with as few digits as lie between them, else exactly.

    >>> bin_labels([1.5, 3.0])
    ['up to 1.5', '1.5 to 3', 'above 3']
    >>> bin_labels([20180130.5], [(20180130, 20180131)])
    ['up to 20180130', 'above 20180130']
    """
    if not len(edges):
        return ["any number"]
    texts = [shown_number(edge) for edge in edges] if numbers is None else numbers_between(edges, numbers)
    inner = [f"{low} to {high}" for low, high in pairwise(texts)]
    return [f"up to {texts[0]}", *inner, f"above {texts[-1]}"]


def entropy_cut(numbers: FloatArray, target: CodeArray, weights: FloatArray | None = None) -> FloatArray:
    """Return the one cut with the largest information gain, none where nothing is gained; NaN is left out.

    It is half way between two neighbouring numbers; of equal gains the lowest.

    >>> entropy_cut(np.array([1.0, 2.0, 3.0, 9.0]), np.array([0, 0, 1, 1]))
    array([2.5])
    >>> entropy_cut(np.array([1.0, 1.0, 2.0, 2.0]), np.array([0, 1, 0, 1]))
    array([], dtype=float64)
    """
    is_known = ~np.isnan(numbers)
    distinct, place = np.unique(numbers[is_known], return_inverse=True)
    if len(distinct) < 2:
        return np.empty(0)
    n_classes = int(target.max()) + 1
    counts = np.zeros((len(distinct), n_classes))
    np.add.at(counts, (place, target[is_known]), 1.0 if weights is None else weights[is_known])
    below = np.cumsum(counts, axis=0)
    total = below[-1]
    loss = _bits(below[:-1]) + _bits(total - below[:-1])
    gains = (_bits(total[np.newaxis])[0] - loss) / total.sum()
    if gains.max() <= EQUAL_GAINS:
        return np.empty(0)
    best = int(np.argmax(gains >= gains.max() - EQUAL_GAINS))
    return middles(distinct[best : best + 1], distinct[best + 1 : best + 2])


def _bits(counts: FloatArray) -> FloatArray:
    """Return the weight of each row times its entropy."""
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(counts > 0, counts * np.log2(counts), 0.0)
        totals = counts.sum(axis=1)
        whole = np.where(totals > 0, totals * np.log2(totals), 0.0)
    return np.asarray(whole - parts.sum(axis=1), dtype=np.float64)
