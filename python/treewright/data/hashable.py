"""Tables of any hashable values, and a decision a row, as codes in domains of their own."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from treewright._base.frames import nw
from treewright._base.wording import Param
from treewright.data import table_errors, value_errors
from treewright.data.intake.column import Place
from treewright.data.intake.containers import native_of, open_container
from treewright.data.intake.labels import (
    Label,
    family,
    fits_int64,
    identity,
    is_infinite,
    plain,
    unwritable_text,
)
from treewright.data.intake.schema import feature_names
from treewright.data.intake.vectors import check_array_type, vector_column
from treewright.data.types import AnyArray, CodeArray, TableLike, Value, VectorLike


@dataclass(frozen=True)
class Coded:
    """Positions of values in a domain, and the domain: the user's values and their labels."""

    codes: CodeArray
    values: list[Hashable]
    labels: list[Label | None]


def coded_column(values: Sequence[object], place: Place) -> Coded:
    """Give each value its position in the order of texts; what is missing is the last value."""
    distinct, positions = _distinct(values, place)
    known = [key for key in distinct if key is not None]
    in_order = sorted(known, key=lambda key: _text_order(distinct[key]))
    in_order += [None] if None in distinct else []
    domain = [distinct[key] for key in in_order]
    return Coded(_codes(positions, in_order), domain, unique_labels(domain))


def coded_decisions(values: Sequence[object]) -> Coded:
    """Give each decision its position among the decisions; numbers and texts in their own order."""
    place = Place(Param("decisions"))
    distinct, positions = _distinct(values, place)
    if None in distinct:
        raise value_errors.decision_missing(place, positions.index(None))
    in_order = _naturally_sorted(distinct)
    domain = [distinct[key] for key in in_order]
    return Coded(_codes(positions, in_order), domain, unique_labels(domain))


def _distinct(values: Iterable[object], place: Place) -> tuple[dict[Hashable, Hashable], list[Hashable]]:
    """Return the distinct values by what tells them apart, and that of each value; missing: None."""
    distinct: dict[Hashable, Hashable] = {}
    positions: list[Hashable] = []
    for row, value in enumerate(values):
        try:
            key, simple = _key(value)
            distinct.setdefault(key, simple)
        except TypeError:
            raise value_errors.unhashable(place, row, value) from None
        positions.append(key)
    if (text := unwritable_text(distinct.values())) is not None:
        raise value_errors.unwritable(place, positions.index(_key(text)[0]), text)
    return distinct, positions


def _key(value: Value) -> tuple[Hashable, Hashable]:
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


def _codes(positions: list[Hashable], in_order: list[Hashable]) -> CodeArray:
    code = {key: i for i, key in enumerate(in_order)}
    return np.fromiter(map(code.__getitem__, positions), np.int32, len(positions))


def _text_order(value: Hashable) -> tuple[str, str]:
    return str(value), type(value).__name__


def _naturally_sorted(distinct: dict[Hashable, Value]) -> list[Hashable]:
    """Sort as scikit-learn sorts classes where values are of one family, else as text."""
    families = {family(value) for value in distinct.values()}
    if len(families) == 1 and not families & {"other"}:
        return sorted(distinct, key=distinct.__getitem__)
    return sorted(distinct, key=lambda key: _text_order(distinct[key]))


def unique_labels(domain: Sequence[object]) -> list[Label | None]:
    """Return a label for each value: itself if a tree can hold it, else its text made unique."""
    labels = [_label(value) for value in domain]
    taken = {str(label) for label in labels if label is not None}
    for position, value in enumerate(domain):
        if labels[position] is None and value is not None:
            labels[position] = _free(str(value), taken)
    return labels


def _label(value: Value) -> Label | None:
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


def label_array(values: Sequence[object]) -> AnyArray:
    """Return values as an array: of their own type if they have one that numpy knows, else of objects."""
    kinds = {family(value) for value in values}
    if len(kinds) == 1 and not kinds & {"other", "nothing"}:
        return np.array(values)
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def coded_table(values: TableLike, asked: Sequence[str] | None) -> tuple[int, list[str], list[Coded]]:
    """Return the number of rows, and the name and the codes of every column.

    Names are those asked for, else those of the frame, else x0, x1, ...
    """
    container = open_container(values, "values", least_features=0)
    n_rows, n_features = container.shape
    names = feature_names(container.labels, n_features).shown if asked is None else _names(asked, n_features)
    columns = [
        coded_column(column.objects(), Place.of_feature(names[i], i))
        for i, column in enumerate(container.columns(None))
    ]
    return n_rows, names, columns


def _names(asked: Sequence[str], n_features: int) -> list[str]:
    names = list(asked)
    if isinstance(asked, str) or len(names) != n_features:
        raise table_errors.names_count(n_features, len(names))
    for position, name in enumerate(names):
        if not isinstance(name, str) or name in names[:position]:
            raise table_errors.names_text(position, name)
    return [str(name) for name in names]


def read_decisions(decisions: VectorLike, n_rows: int) -> Coded:
    """Return the decisions in codes, one a row."""
    found = _listed(native_of(decisions), "decisions")
    if len(found) != n_rows:
        raise table_errors.labels_length(n_rows, len(found), "values", "decisions")
    return coded_decisions(found)


def _listed(native: object, name: str) -> Sequence[object]:
    if isinstance(native, list | tuple) or nw.dependencies.is_into_series(native):
        return vector_column(native).objects()
    array = native if isinstance(native, np.ma.MaskedArray) else np.asarray(native)
    if not array.ndim:
        raise table_errors.labels_not_an_array(name, type(native).__name__)
    check_array_type(array, name)
    if array.ndim > 1:
        raise table_errors.labels_shape(name, array.shape)
    return vector_column(array).objects()
