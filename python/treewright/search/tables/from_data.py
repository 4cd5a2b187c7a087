"""From what estimators take to coded columns: nominal as they are, numeric as values or in bins."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.binning import (
    bin_labels,
    binned,
    quantile_edges,
)
from treewright.data.dataset import Dataset
from treewright.data.intake.column import Place, first
from treewright.data.intake.labels import Label
from treewright.data.training import TrainingSet
from treewright.search.tables import messages
from treewright.search.tables.values import Coded, coded_column

Edges = list[NDArray[np.float64] | None]


def decisions_of_data(X: Any, y: Any, owner: str, categorical_features: Any = "from_dtype") -> TrainingSet:
    """Pass the user's data through the door; rows are counted, so weights are refused."""
    training = TrainingSet.read(X, y, categorical_features=categorical_features, owner=owner)
    if training.sample_weight is not None:
        raise messages.weighted(owner)
    return training


def columns_of_data(dataset: Dataset, bins: int | None) -> tuple[list[Coded], Edges]:
    """Return every column in codes, and where numeric ones were cut."""
    parts = [
        _column(dataset.column(i), levels, bins, Place.of_feature(dataset.feature_names[i], i))
        for i, levels in enumerate(dataset.levels)
    ]
    return [coded for coded, _ in parts], [edges for _, edges in parts]


def _column(
    column: NDArray[Any], levels: list[Label] | None, bins: int | None, place: Place
) -> tuple[Coded, NDArray[np.float64] | None]:
    if levels is not None:
        return _of_levels(column, levels), None
    if bins is None:
        return _of_whole_numbers(column, place), None
    edges = quantile_edges(column, bins)
    return _of_bins(column, edges), edges


def _of_levels(codes: NDArray[np.int32], levels: list[Label]) -> Coded:
    """Take declared levels as values; what is missing is the last."""
    is_missing = codes < 0
    if not is_missing.any():
        return Coded(codes, list(levels), list(levels))
    values = [*levels, None]
    return Coded(np.where(is_missing, np.int32(len(levels)), codes), values, values)


def _of_whole_numbers(numbers: NDArray[np.float64], place: Place) -> Coded:
    has_fraction = ~np.isnan(numbers) & (numbers != np.trunc(numbers))
    if has_fraction.any():
        row = first(has_fraction)
        raise messages.fractions(place, row, float(numbers[row]))
    return coded_column(numbers.tolist(), place)


def _of_bins(numbers: NDArray[np.float64], edges: NDArray[np.float64]) -> Coded:
    codes = binned(numbers, edges)
    values: list[Any] = list(bin_labels(edges))
    values += [None] if np.isnan(numbers).any() else []
    return Coded(codes, values, list(values))
