"""From what a user holds values in, or what estimators take, to coded columns and their labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.data.binning import (
    bin_labels,
    binned,
    quantile_edges,
)
from treewright.data.dataset import Dataset
from treewright.data.intake.labels import (
    Label,
    family,
    fits_int64,
    identity,
    is_infinite,
    plain,
)
from treewright.data.intake.place import Place, first
from treewright.data.training import TrainingSet
from treewright.search.tables import messages


def open_values(values: Any) -> tuple[int, list[list[Any]], list[str] | None]:
    """Return the number of rows, the columns, and their names where the container has them."""
    native = nw.to_native(values, pass_through=True)
    if nw.dependencies.is_into_dataframe(native):
        n_rows, columns, names = _of_frame(native)
    elif isinstance(native, list | tuple):
        n_rows, columns, names = len(native), _of_rows(native), None
    elif isinstance(native, np.ndarray):
        n_rows, columns, names = len(native) if native.ndim else 0, _of_array(native), None
    else:
        raise messages.no_table(type(native).__name__)
    if not n_rows:
        raise messages.no_rows()
    return n_rows, columns, names


def _of_frame(native: Any) -> tuple[int, list[list[Any]], list[str] | None]:
    frame = nw.from_native(native, eager_only=True)
    columns = [frame[:, i].to_list() for i in range(frame.shape[1])]
    names = list(frame.columns)
    return len(frame), columns, names if all(isinstance(name, str) for name in names) else None


def _of_rows(rows: Sequence[Any]) -> list[list[Any]]:
    for position, row in enumerate(rows):
        if isinstance(row, str | bytes) or not isinstance(row, Sequence | np.ndarray):
            raise messages.no_row(position, type(row).__name__)
        if len(row) != len(rows[0]):
            raise messages.ragged(position, len(row), len(rows[0]))
    return [list(column) for column in zip(*rows, strict=True)]


def _of_array(array: Any) -> list[list[Any]]:
    if array.dtype.names is not None:
        raise messages.no_table("structured array")
    if array.ndim != 2:
        raise messages.dimensions(array.shape)
    return [column.tolist() for column in array.T]


def open_decisions(decisions: Any, n_rows: int) -> list[Any]:
    """Return the decisions as a list, one a row."""
    native = nw.to_native(decisions, pass_through=True)
    found = _decision_list(native)
    if len(found) != n_rows:
        raise messages.n_decisions(n_rows, len(found))
    return found


def _decision_list(native: Any) -> list[Any]:
    if nw.dependencies.is_into_series(native):
        return list(nw.from_native(native, series_only=True).to_list())
    if isinstance(native, list | tuple):
        return list(native)
    if isinstance(native, np.ndarray):
        if native.ndim != 1:
            raise messages.no_decisions(f"has shape {native.shape}")
        return list(native.tolist())
    raise messages.no_decisions(f"is of type {type(native).__name__}")


def names_of(feature_names: Any, found: list[str] | None, n_features: int) -> list[str]:
    """Return a name for every feature: as asked for, as found, or x0, x1, ..."""
    if feature_names is None:
        return found or [f"x{i}" for i in range(n_features)]
    names = list(feature_names)
    if isinstance(feature_names, str) or len(names) != n_features:
        raise messages.n_names(n_features, len(names))
    for position, name in enumerate(names):
        if not isinstance(name, str) or name in names[:position]:
            raise messages.bad_name(position, name)
    return [str(name) for name in names]


@dataclass(frozen=True)
class Coded:
    """Positions of values in a domain, and the domain: the user's values and their labels."""

    codes: NDArray[np.int32]
    values: list[Any]
    labels: list[Label | None]


def coded_column(values: Sequence[Any], place: Place) -> Coded:
    """Give each value its position in the order of texts; what is missing is the last value."""
    distinct, positions = _distinct(values, place)
    known = [key for key in distinct if key is not None]
    in_order = sorted(known, key=lambda key: _text_order(distinct[key]))
    in_order += [None] if None in distinct else []
    domain = [distinct[key] for key in in_order]
    return Coded(_codes(positions, in_order), domain, unique_labels(domain))


def coded_decisions(values: Sequence[Any]) -> Coded:
    """Give each decision its position among the decisions; numbers and texts in their own order."""
    place = Place("decisions")
    distinct, positions = _distinct(values, place)
    if None in distinct:
        raise messages.decision_missing(positions.index(None))
    in_order = _naturally_sorted(distinct)
    domain = [distinct[key] for key in in_order]
    return Coded(_codes(positions, in_order), domain, unique_labels(domain))


def _distinct(values: Iterable[Any], place: Place) -> tuple[dict[Hashable, Any], list[Hashable]]:
    """Return the distinct values by what tells them apart, and that of each value; missing: None."""
    distinct: dict[Hashable, Any] = {}
    positions: list[Hashable] = []
    for row, value in enumerate(values):
        try:
            key, simple = _key(value)
            distinct.setdefault(key, simple)
        except TypeError:
            raise messages.unhashable(place, row, value) from None
        positions.append(key)
    return distinct, positions


def _key(value: Any) -> tuple[Hashable, Any]:
    """Return what a value is known by, and the value: 1 and 1.0 are one, True and "1" are others."""
    known = family(value)
    if known == "nothing":
        return None, None
    if known == "other":
        return (type(value).__name__, value), value
    if known == "number" and is_infinite(value):
        return float(value), float(value)
    simple = plain(value)
    return identity(simple), simple


def _codes(positions: list[Hashable], in_order: list[Hashable]) -> NDArray[np.int32]:
    code = {key: i for i, key in enumerate(in_order)}
    return np.fromiter(map(code.__getitem__, positions), np.int32, len(positions))


def _text_order(value: Any) -> tuple[str, str]:
    return str(value), type(value).__name__


def _naturally_sorted(distinct: dict[Hashable, Any]) -> list[Hashable]:
    """Sort as scikit-learn sorts classes where values are of one family, else as text."""
    families = {family(value) for value in distinct.values()}
    if len(families) == 1 and not families & {"other"}:
        return sorted(distinct, key=distinct.__getitem__)
    return sorted(distinct, key=lambda key: _text_order(distinct[key]))


def unique_labels(domain: Sequence[Any]) -> list[Label | None]:
    """Return a label for each value: itself if a tree can hold it, else its text made unique."""
    labels = [_label(value) for value in domain]
    taken = {str(label) for label in labels if label is not None}
    for position, value in enumerate(domain):
        if labels[position] is None and value is not None:
            labels[position] = _free(str(value), taken)
    return labels


def _label(value: Any) -> Label | None:
    """Return the value if a tree can hold it, else None."""
    if family(value) not in ("text", "number", "boolean"):
        return None
    holds = isinstance(value, str | bool) or (not is_infinite(value) and fits_int64(value))
    return value if holds else None


def _free(text: str, taken: set[str]) -> str:
    """Return a text that no other value has, and take it."""
    names = (text if n == 1 else f"{text} ({n})" for n in range(1, len(taken) + 2))
    free = next(name for name in names if name not in taken)
    taken.add(free)
    return free


def label_array(values: Sequence[Any]) -> NDArray[Any]:
    """Return values as an array: of their own type if they have one that numpy knows, else of objects."""
    kinds = {family(value) for value in values}
    if len(kinds) == 1 and not kinds & {"other", "nothing"}:
        return np.array(values)
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


Edges = list[NDArray[np.float64] | None]


def decisions_of_data(
    X: object, y: object, owner: str, categorical_features: object = "from_dtype"
) -> TrainingSet:
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
