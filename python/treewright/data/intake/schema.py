"""What a user says of the columns: their names, kinds, levels and spellings of "missing"."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from treewright.data import table_errors, value_errors
from treewright.data.intake.column import Column, Kind, Nominal, Place, Spellings, first
from treewright.data.intake.labels import (
    Label,
    family,
    fits_int64,
    identity,
    is_infinite,
    plain,
    unwritable_text,
)
from treewright.data.types import AnyArray, BoolArray, CodeArray


@dataclass(frozen=True)
class Names:
    """What features are called in output, and what the user called them (None: nothing)."""

    shown: list[str]
    labels: tuple[Hashable, ...] | None = None


def feature_names(labels: Sequence[Hashable] | None, n_features: int) -> Names:
    """Name features by their labels: as they are if they are texts, else by the text of each.

    Without labels they are x0, x1, ..., and so they are in output where labels are no names: positions, or
    others than texts of which two are alike. An empty name is shown as x and the position, so that a tree can
    be read.
    """
    generated = [f"x{column}" for column in range(n_features)]
    if labels is None:
        return Names(generated)
    if not are_text(labels):
        _refuse_mixture(labels)
        if len(set(labels)) < len(labels):
            return Names(generated)
        texts = shown_texts(labels)
        are_names = not are_positions(labels) and len(set(texts)) == len(texts)
        return Names(texts if are_names else generated, tuple(labels))
    names = [str(label) for label in labels]
    if (name := unwritable_text(names)) is not None:
        raise table_errors.unwritable_name(name, names.index(name))
    _refuse_duplicates(names)
    return Names(_without_empty(names), tuple(names))


def generated_names(names: Sequence[str]) -> bool:
    """Tell whether names are x0, x1, ..., which stand for none."""
    return all(name == f"x{column}" for column, name in enumerate(names))


def are_text(labels: Sequence[object]) -> bool:
    """Tell whether all labels are texts, which are names as scikit-learn knows them."""
    return all(isinstance(label, str) for label in labels)


def are_positions(labels: Sequence[object]) -> bool:
    """Tell whether labels are 0, 1, ..., which a frame has that was given none."""
    counted = enumerate(labels)
    return len(labels) > 0 and all(isinstance(label, Integral) and label == i for i, label in counted)


def shown_texts(labels: Sequence[object]) -> list[str]:
    """Return the text of each label, none of them empty."""
    return _without_empty([str(label) for label in labels])


def _refuse_mixture(labels: Sequence[object]) -> None:
    types = sorted({type(label).__qualname__ for label in labels})
    if any(isinstance(label, str) for label in labels):
        raise table_errors.mixed_names(types)


def _refuse_duplicates(names: Sequence[str]) -> None:
    earlier: dict[str, int] = {}
    for column, name in enumerate(names):
        if name in earlier:
            raise table_errors.duplicate_names(name, earlier[name], column)
        earlier[name] = column


def _without_empty(names: list[str]) -> list[str]:
    """Replace the empty name (there is one at most) by one that is free."""
    if "" not in names:
        return names
    column = names.index("")
    shown = f"x{column}"
    while shown in names:
        shown += "_"
    return [shown if name == "" else name for name in names]


def requested_kinds(
    categorical_features: object, labels: Sequence[Hashable] | None, n_features: int
) -> Sequence[Kind | None]:
    """Return the kind asked of each column; None leaves it to the column's type.

    A list, or None for "no column at all", says what every column is, as in scikit-learn.
    """
    if isinstance(categorical_features, str):
        if categorical_features != "from_dtype":
            raise table_errors.categorical_unknown(categorical_features)
        return [None] * n_features
    is_nominal = np.zeros(n_features, np.bool_)
    if categorical_features is not None:
        is_nominal = _mask(_as_list(categorical_features), labels, n_features)
    return ["nominal" if wanted else "numeric" for wanted in is_nominal]


def _as_list(categorical_features: object) -> AnyArray:
    """Return names, positions or booleans as an array of one kind."""
    if isinstance(categorical_features, set | frozenset):
        categorical_features = list(categorical_features)
    try:
        entries = np.array(categorical_features, dtype=object)
    except ValueError:
        raise table_errors.categorical_unknown(categorical_features) from None
    if entries.ndim == 0:
        raise table_errors.categorical_unknown(categorical_features)
    if entries.ndim != 1:
        raise table_errors.categorical_shape(entries.shape)
    for kind, dtype in ((str, object), (bool | np.bool_, bool), (int | np.integer, int)):
        if all(isinstance(entry, kind) for entry in entries):
            return entries.astype(dtype)
    raise table_errors.categorical_types(sorted({type(entry).__name__ for entry in entries}))


def _mask(entries: AnyArray, labels: Sequence[Hashable] | None, n_features: int) -> BoolArray:
    is_nominal = np.zeros(n_features, np.bool_)
    if not len(entries):
        return is_nominal
    if entries.dtype == bool:
        if len(entries) != n_features:
            raise table_errors.categorical_mask(len(entries), n_features)
        return entries
    if entries.dtype == object:
        entries = _positions(entries, labels)
    for position in entries:
        if not 0 <= position < n_features:
            raise table_errors.categorical_position(int(position), n_features)
    is_nominal[entries] = True
    return is_nominal


def _positions(names: AnyArray, labels: Sequence[Hashable] | None) -> AnyArray:
    if labels is None or not are_text(labels):
        raise table_errors.categorical_without_names()
    position = {label: column for column, label in enumerate(labels)}
    for name in names:
        if name not in position:
            raise table_errors.categorical_name(name, list(map(str, labels)))
    return np.array([position[name] for name in names])


def read_levels(
    levels: Mapping[str, Sequence[object]] | None, names: Sequence[str]
) -> list[list[Label] | None]:
    """Return the declared domain of each column, None where there is none."""
    by_name = dict(levels or {})
    for name in by_name:
        if name not in names:
            raise table_errors.levels_unknown(name, names)
    return [_domain(name, by_name[name]) if name in by_name else None for name in names]


def _domain(name: str, levels: Sequence[object]) -> list[Label]:
    domain: dict[object, Label] = {}
    for value in levels:
        label = _level(name, value)
        if identity(label) in domain:
            raise table_errors.levels_duplicate(name, value)
        domain[identity(label)] = label
    return list(domain.values())


def _level(name: str, value: object) -> Label:
    if family(value) not in ("text", "number", "boolean"):
        raise table_errors.levels_type(name, value)
    label = plain(value)
    is_number = not isinstance(label, str | bool)
    if is_number and (is_infinite(label) or not fits_int64(label)):
        raise table_errors.levels_type(name, value)
    return label


def recoded(nominal: Nominal, levels: Sequence[Label], place: Place, unseen: int = -1) -> CodeArray:
    """Return codes among `levels`; a value that is none of them is `unseen`, -1 being missing.

    Values of another type than every level are no unseen values but a mistake.
    """
    code = {identity(level): i for i, level in enumerate(levels)}
    translation = np.array([*(code.get(identity(own), unseen) for own in nominal.levels), -1], np.int32)
    codes: CodeArray = translation[nominal.codes]
    families = {family(level) for level in levels}
    if levels and not families.intersection(map(family, nominal.levels)):
        _refuse_family(nominal, levels, place)
    return codes


def _refuse_family(nominal: Nominal, levels: Sequence[Label], place: Place) -> None:
    known = nominal.codes >= 0
    if known.any():
        row = first(known)
        raise value_errors.family(place, row, nominal.levels[nominal.codes[row]], levels)


def in_declared_levels(column: Column, levels: Sequence[Label], place: Place) -> Nominal:
    """Return codes among levels that a user declares; any other value is refused."""
    nominal = column.nominal(place)
    codes = recoded(nominal, levels, place)
    outside = (codes < 0) & (nominal.codes >= 0)
    if outside.any():
        row = first(outside)
        raise value_errors.no_level(place, row, nominal.levels[nominal.codes[row]])
    return Nominal(codes, list(levels))


def refuse_unwritable(nominal: Nominal, place: Place) -> Nominal:
    """Refuse a level that holds a lone surrogate."""
    text = unwritable_text(nominal.levels)
    if text is None:
        return nominal
    has_it = nominal.codes == nominal.levels.index(text)
    raise value_errors.unwritable(place, first(has_it) if has_it.any() else None, text)


def read_spellings(missing_values: Iterable[object] | None) -> Spellings | None:
    """Part the spellings into texts and numbers; None if there are none."""
    if missing_values is None:
        return None
    if isinstance(missing_values, str):
        raise table_errors.missing_values_alone(missing_values)
    if not isinstance(missing_values, Iterable):
        raise table_errors.missing_values_entry(missing_values)
    labels = [_spelling(value) for value in missing_values]
    texts = frozenset(label for label in labels if isinstance(label, str))
    numbers = frozenset(label for label in labels if not isinstance(label, str))
    return Spellings(texts, numbers) if labels else None


def _spelling(value: object) -> Label:
    if family(value) not in ("text", "number"):
        raise table_errors.missing_values_entry(value)
    return plain(value)
