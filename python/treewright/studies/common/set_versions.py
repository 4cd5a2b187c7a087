"""Data sets as published experiments take them: rows or features left out, missing values made something."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._base.errors import DataError
from treewright.data.columns import take_columns
from treewright.data.dataset import Dataset
from treewright.data.sources import registry as datasets
from treewright.data.sources.build import build

MISSING = "?"
"""What a missing value is called where it is a value."""


def of_folder(folder: Path | None, name: str, **options: Any) -> Dataset:
    """Load a set of a folder, or of the one that the environment names."""
    return datasets.load(f"folder:{name}", data=folder, **options)


def all_of_folder(makers: Mapping[str, Callable[[], Dataset]], n_of_folder: int) -> dict[str, Dataset]:
    """Make every set of an experiment; those that cannot be had are named in one error."""
    made: dict[str, Dataset] = {}
    faults: dict[str, DataError] = {}
    for name, make in makers.items():
        try:
            made[name] = make()
        except DataError as error:
            faults[name] = error
    if faults:
        first = next(iter(faults.values()))
        raise DataError(
            f"of the published experiment {', '.join(faults)} cannot be had; {n_of_folder} of its sets come "
            "from a folder, which the variable TREEWRIGHT_DATA or --data names: name one that has them, or "
            f"give data sets of your own. {first}"
        ) from first
    return made


def labels_of(dataset: Dataset) -> NDArray[Any]:
    """Return the class labels of the samples."""
    assert dataset.classes is not None, "sets of experiments have classes"
    return np.asarray(dataset.classes[dataset.target])


def complete_rows(dataset: Dataset) -> Dataset:
    """Return the samples without missing values."""
    is_missing = [_is_missing(dataset, i) for i in range(dataset.n_features)]
    return dataset[~np.any(is_missing, axis=0)]


def taken(dataset: Dataset, is_kept: Sequence[bool]) -> Dataset:
    """Return the data set with some of its features."""
    part = take_columns(dataset, np.flatnonzero(is_kept))
    assert isinstance(part, Dataset), "columns of a Dataset are one"
    return part


def missing_as_value(dataset: Dataset) -> Dataset:
    """Make what is missing in a nominal column a value of its own."""
    columns: dict[str, Any] = {}
    for i, (name, levels) in enumerate(zip(dataset.feature_names, dataset.levels, strict=True)):
        known = np.array([*(levels or []), MISSING], dtype=object)
        columns[name] = known[dataset.column(i)]
    return Dataset.from_columns(columns, labels_of(dataset))


def missing_as_most_frequent(dataset: Dataset) -> Dataset:
    """Make what is missing in a nominal column its most frequent value, the first among equals."""
    return _recoded(
        dataset, [codes_filled(dataset.column(i)) for i in range(dataset.n_features)], dataset.levels
    )


def levels_as_most_frequent(dataset: Dataset, names: Collection[str]) -> Dataset:
    """Make some levels of nominal columns the most frequent one of each, and forget them."""
    columns, kept_levels = [], []
    for i, levels in enumerate(dataset.levels):
        assert levels is not None, "the columns are nominal"
        kept = [level for level in levels if level not in names]
        known = np.array([kept.index(level) if level in kept else -1 for level in levels], dtype=np.int32)
        columns.append(codes_filled(known[dataset.column(i)]))
        kept_levels.append(kept)
    return _recoded(dataset, columns, kept_levels)


def codes_filled(codes: NDArray[Any]) -> NDArray[np.int32]:
    """Return codes in which the most frequent one, the first among equals, stands where -1 was."""
    known = codes[codes >= 0]
    fill = int(np.bincount(known).argmax()) if len(known) else -1
    return np.where(codes < 0, fill, codes).astype(np.int32)


def _recoded(dataset: Dataset, columns: Sequence[NDArray[Any]], levels: Sequence[Any]) -> Dataset:
    classes = None if dataset.classes is None else dataset.classes.tolist()
    return build(list(dataset.feature_names), columns, levels, dataset.target, classes)


def _is_missing(dataset: Dataset, feature: int) -> NDArray[np.bool_]:
    column = dataset.column(feature)
    return np.asarray(np.isnan(column) if column.dtype.kind == "f" else column < 0)
