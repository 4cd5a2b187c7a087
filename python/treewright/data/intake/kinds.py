"""`categorical_features`: which columns a user wants nominal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright.data.intake.column import Kind
from treewright.data.intake.messages import parameters as messages
from treewright.data.intake.place import AnyArray, BoolArray


def requested_kinds(
    categorical_features: Any, given_names: AnyArray | None, n_features: int
) -> Sequence[Kind | None]:
    """Return the kind asked of each column; None leaves it to the column's type.

    A list, or None for "no column at all", says what every column is, as in scikit-learn.
    """
    if isinstance(categorical_features, str):
        if categorical_features != "from_dtype":
            raise messages.categorical_unknown(categorical_features)
        return [None] * n_features
    is_nominal = np.zeros(n_features, np.bool_)
    if categorical_features is not None:
        is_nominal = _mask(_as_list(categorical_features), given_names, n_features)
    return ["nominal" if wanted else "numeric" for wanted in is_nominal]


def _as_list(categorical_features: Any) -> AnyArray:
    """Return names, positions or booleans as an array of one kind."""
    if isinstance(categorical_features, set | frozenset):
        categorical_features = list(categorical_features)
    try:
        entries = np.array(categorical_features, dtype=object)
    except ValueError:
        raise messages.categorical_unknown(categorical_features) from None
    if entries.ndim == 0:
        raise messages.categorical_unknown(categorical_features)
    if entries.ndim != 1:
        raise messages.categorical_shape(entries.shape)
    for kind, dtype in ((str, object), (bool | np.bool_, bool), (int | np.integer, int)):
        if all(isinstance(entry, kind) for entry in entries):
            return entries.astype(dtype)
    raise messages.categorical_types(sorted({type(entry).__name__ for entry in entries}))


def _mask(entries: AnyArray, given_names: AnyArray | None, n_features: int) -> BoolArray:
    is_nominal = np.zeros(n_features, np.bool_)
    if not len(entries):
        return is_nominal
    if entries.dtype == bool:
        if len(entries) != n_features:
            raise messages.categorical_mask(len(entries), n_features)
        return entries
    if entries.dtype == object:
        entries = _positions(entries, given_names)
    for position in entries:
        if not 0 <= position < n_features:
            raise messages.categorical_position(int(position), n_features)
    is_nominal[entries] = True
    return is_nominal


def _positions(names: AnyArray, given_names: AnyArray | None) -> AnyArray:
    if given_names is None:
        raise messages.categorical_without_names()
    known = given_names.tolist()
    for name in names:
        if name not in known:
            raise messages.categorical_name(name, known)
    return np.array([known.index(name) for name in names])
