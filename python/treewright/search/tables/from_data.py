"""From what estimators take to coded columns: nominal as they are, numeric as values or in bins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from treewright import _core
from treewright._base.errors import DataTypeError
from treewright._base.wording import Param
from treewright.data.binning import Bins, beside, bin_labels, binned, quantile_edges
from treewright.data.dataset import Dataset
from treewright.data.hashable import Coded, coded_column
from treewright.data.intake.column import Place, first
from treewright.data.intake.labels import Label
from treewright.data.training import TrainingSet, class_factors
from treewright.data.types import AnyArray, CodeArray, FloatArray, IntArray
from treewright.trees.answering import Answering, Prices

Codes = tuple[list[str], list[CodeArray], list[list[Label]], CodeArray, list[Label], FloatArray]
"""Names, columns, levels, target, classes and weights of samples."""


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Samples that count, what each of them counts, and where it is in the user's table."""

    training: TrainingSet
    weights: FloatArray
    origin: IntArray

    @classmethod
    def of(cls, training: TrainingSet) -> Self:
        """Leave out what counts for nothing."""
        weights = training.counted.values
        if weights.all():
            return cls(training, weights, training.origin)
        rows = np.flatnonzero(weights)
        part = TrainingSet.of(training.dataset[rows], "a decision table")
        return cls(part, weights[rows], training.origin[rows])

    def decided(self, columns: list[Coded], on_conflict: str, prices: Prices) -> CodeArray:
        """Return the decision of each sample: its own, or one of all that have equal codes.

        That is the one of least cost as an answer; without costs the heaviest; of equal ones the first.
        """
        if on_conflict == "raise":
            return self.training.target
        codes = np.column_stack([column.codes for column in columns])
        distinct, place = np.unique(codes, axis=0, return_inverse=True)
        n_classes = len(self.training.classes)
        cells = place.ravel() * n_classes + self.training.target
        sums = np.bincount(cells, self.weights, minlength=len(distinct) * n_classes).astype(np.float64)
        return prices.cheapest(sums.reshape(-1, n_classes)).astype(np.int32)[place.ravel()]

    def in_codes(self, columns: list[Coded]) -> Codes:
        """Return the samples as the engine takes them, in the codes of a table; -1 is missing."""
        dataset, parts = self.training.dataset, [_without_missing(column) for column in columns]
        return (
            dataset.feature_names,
            [codes for codes, _ in parts],
            [levels for _, levels in parts],
            self.training.target,
            self.training.classes.tolist(),
            self.weights,
        )


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples that became the rows of a table: its trees count them, and answer by their weights."""

    codes: Codes
    costs: list[list[float]] | None
    answering: Answering
    factors: list[float] | None

    @classmethod
    def of(cls, rows: WeightedRows, columns: list[Coded], answering: Answering, given: TrainingSet) -> Self:
        """Keep what trees need of the samples; `given` has those of no weight too."""
        costs, factors = answering.costs(given.classes), class_factors(given.class_weight, given)
        return cls(rows.in_codes(columns), costs, answering, factors)

    @cached_property
    def core(self) -> _core.Dataset:
        """The samples as the engine has them."""
        return _core.Dataset.from_columns(*self.codes)

    def counted_in(self, tree: _core.Tree) -> _core.Tree:
        """Return a tree of the table with these samples in its nodes."""
        filled = _core.refill(tree, self.core)
        priced = filled if self.costs is None else filled.decided_by_cost(self.costs)
        return priced.telling(self.answering.probability, self.factors, self.answering.smoothing)

    def __getstate__(self) -> dict[str, object]:
        """Pickle without the engine's copy."""
        return {name: value for name, value in vars(self).items() if name != "core"}


def _without_missing(column: Coded) -> tuple[CodeArray, list[Label]]:
    """Return codes and known labels of a column; what is missing is the last of a table's values."""
    known = [label for label in column.labels if label is not None]
    return np.where(column.codes < len(known), column.codes, np.int32(-1)), known


def columns_of_data(
    dataset: Dataset, bins: int | None, weights: FloatArray | None = None
) -> tuple[list[Coded], Bins]:
    """Return every column in codes, and where numeric ones were cut: into bins of about equal weight."""
    parts = [
        _column(dataset.column(i), levels, bins, Place.of_feature(dataset.feature_names[i], i), weights)
        for i, levels in enumerate(dataset.levels)
    ]
    columns = [dataset.column(i) if levels is None else None for i, levels in enumerate(dataset.levels)]
    return [coded for coded, _ in parts], Bins.between(columns, [edges for _, edges in parts])


def _column(
    column: AnyArray,
    levels: list[Label] | None,
    bins: int | None,
    place: Place,
    weights: FloatArray | None,
) -> tuple[Coded, FloatArray | None]:
    if levels is not None:
        return _of_levels(column, levels), None
    if bins is None:
        return _of_whole_numbers(column, place), None
    edges = quantile_edges(column, bins, weights)
    values: list[Label | None] = [
        *bin_labels(edges, beside(column, edges)),
        *([None] if np.isnan(column).any() else []),
    ]
    return Coded(binned(column, edges), list(values), values), edges


def _of_levels(codes: CodeArray, levels: list[Label]) -> Coded:
    """Take declared levels as values; what is missing is the last."""
    is_missing = codes < 0
    if not is_missing.any():
        return Coded(codes, [*levels], [*levels])
    values: list[Label | None] = [*levels, None]
    return Coded(np.where(is_missing, np.int32(len(levels)), codes), [*values], values)


def _of_whole_numbers(numbers: FloatArray, place: Place) -> Coded:
    has_fraction = ~np.isnan(numbers) & (numbers != np.trunc(numbers))
    if has_fraction.any():
        row = first(has_fraction)
        raise DataTypeError(
            place.subject,
            f" has {float(numbers[row])!r} at ",
            place.row(row),
            ": a column of measurements, of which nearly every value would be a branch of its own; cut "
            "numeric columns into bins, for example ",
            Param("bins", 4),
            ", or make the column text or a category if its numbers are names",
        )
    return coded_column(numbers.tolist(), place)


def merged(names: list[str], coded: list[Coded], decided: Coded, on_conflict: str) -> _core.DecisionTable:
    """Return the engine's table; equal rows become one."""
    return _core.DecisionTable.from_codes(
        names,
        [column.codes for column in coded],
        [column.labels for column in coded],
        decided.codes,
        [label for label in decided.labels if label is not None],
        on_conflict,
    )
