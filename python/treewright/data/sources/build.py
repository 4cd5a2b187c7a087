"""Columns that are known to be sound, straight into a `Dataset`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._base.errors import DataError
from treewright.data.dataset import Dataset, dataset_of_codes
from treewright.data.sources.kinds import Label, check_known


def build(
    names: list[str],
    columns: Sequence[NDArray[Any]],
    levels: Sequence[list[Label] | None],
    target: NDArray[np.int32] | None,
    classes: Sequence[Label] | None,
) -> Dataset:
    """Make a `Dataset` of float64 columns and of int32 codes (-1: missing) of the given levels."""
    names_in = np.array(names, dtype=object)
    labels = None if classes is None else np.array(classes)
    return dataset_of_codes(names, columns, levels, target, labels, names_in=names_in)


def without(dataset: Dataset, drop: Collection[str], name: str) -> Dataset:
    """Return the data set without the named columns; `name` is what messages call it."""
    check_known(drop, dataset.feature_names, name, "drop")
    kept = [i for i, feature in enumerate(dataset.feature_names) if feature not in drop]
    if not kept:
        raise DataError(f"{name}: no feature is left beside the class; drop fewer columns")
    return build(
        [dataset.feature_names[i] for i in kept],
        [dataset.core.column(i) for i in kept],
        [dataset.levels[i] for i in kept],
        dataset.target,
        None if dataset.classes is None else dataset.classes.tolist(),
    )
