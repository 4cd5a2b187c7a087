"""Values of columns in an order that a user declares, from low to high."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import Param, shortened
from treewright.data.dataset import Dataset, dataset_of_codes
from treewright.data.intake.column import OrderedLevels
from treewright.data.intake.labels import Label
from treewright.data.types import CodeArray

Orders = Mapping[str, Sequence[object]]
"""The values of columns, from low to high."""


def checked_orders(ordered: Orders | None) -> dict[str, list[object]]:
    """Return the orders that a user declares, each of two values or more."""
    found: dict[str, list[object]] = {}
    for name, values in (ordered or {}).items():
        if isinstance(values, str) or not isinstance(values, Sequence) or len(values) < 2:
            what = "must be two values or more, from low to high"
            raise ParameterError("ordered", values, what, at=(name,))
        texts = [str(value) for value in values]
        double = next((text for text in texts if texts.count(text) > 1), None)
        if double is not None:
            raise ParameterError("ordered", list(values), f"has {double!r} twice", "name it once", at=(name,))
        found[name] = list(values)
    return found


def with_orders(dataset: Dataset, ordered: Mapping[str, Sequence[object]], where: str) -> Dataset:
    """Return the data set with the levels of some columns in their declared order.

    Values are told by their text. `where` is what messages call the data.
    """
    if not ordered:
        return dataset
    columns, levels, source = dataset.columns(), list(dataset.levels), dataset.source
    told = {name: [str(value) for value in values] for name, values in ordered.items()}
    for name, values in ordered.items():
        feature = dataset.feature_names.index(name) if name in dataset.feature_names else None
        own = None if feature is None else levels[feature]
        if feature is None or own is None:
            what = "is no feature" if feature is None else "is numeric, and so has an order"
            raise DataError(f"{where}: column {name!r} {what} (", Param("ordered"), "); leave it out there")
        columns[feature], levels[feature] = _in_order(columns[feature], own, values, f"{where}: {name!r}")
    return dataset_of_codes(
        dataset.feature_names,
        columns,
        levels,
        dataset.target,
        dataset.classes,
        dataset.sample_weight,
        dataset.column_labels,
        None if source is None else replace(source, reading={**(source.reading or {}), "ordered": told}),
    )


def _in_order(
    codes: CodeArray, own: Sequence[Label], values: Sequence[object], where: str
) -> tuple[CodeArray, OrderedLevels]:
    """Return codes in an order, which must have every level that occurs."""
    place = {str(value): i for i, value in enumerate(values)}
    of_level = np.array([*(place.get(str(level), -2) for level in own), -1], np.int32)
    found = of_level[codes]
    if (found == -2).any():
        lost = str(own[int(codes[int(np.argmax(found == -2))])])
        told = shortened([str(value) for value in values])
        what = f"{where} has the value {lost!r}, which is not in its order, {told} ("
        raise DataError(what, Param("ordered"), "); add it there")
    typed = {str(level): level for level in own}
    return found, OrderedLevels(typed.get(str(value), str(value)) for value in values)
