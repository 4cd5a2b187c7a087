"""New data as columns in the domain of ``fit``, or in levels that a user declares."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from treewright.data import table_errors, value_errors
from treewright.data.dataset import Dataset
from treewright.data.intake.column import Column, Nominal, Place, first
from treewright.data.intake.containers import open_container
from treewright.data.intake.labels import Label
from treewright.data.intake.numbers import NumberColumn
from treewright.data.intake.schema import Names, feature_names, recoded
from treewright.data.intake.table import read_columns
from treewright.data.types import AnyArray, TableLike

UNSEEN = -2
"""Code of a value that no branch is for, where missing ones (-1) may have a branch."""


def encode(
    X: TableLike,
    *,
    names: Sequence[str],
    levels: Sequence[Sequence[Label] | None],
    feature_names_in: AnyArray | None = None,
    owner: str | None = None,
    unseen: int = -1,
) -> list[AnyArray]:
    """Return new data as columns in a fitted domain: floats with NaN for missing, or int32 codes.

    Nothing is reordered, and columns may be views of `X`. `names` are what the fitted features are called in
    messages; `levels` the domain of each, None for a numeric one; `feature_names_in` the names that an
    estimator saw in ``fit``, compared with those of `X` as scikit-learn does; `owner` the name of the
    estimator's class, None for a bare tree, whose `names` are all it knows. A nominal value that ``fit`` did
    not see is `unseen`: -1 is missing, `UNSEEN` has no branch at all.

    >>> encode([["b", 2], ["c", None]], names=["u", "v"], levels=[["a", "b"], None])
    [array([ 1, -1], dtype=int32), array([ 2., nan])]
    """
    if isinstance(X, Dataset):
        _check(Names(X.feature_names, X.feature_names_in), names, feature_names_in, owner)
        return [
            _column_of_dataset(X.column(i), own, domain, Place.of_feature(names[i], i), unseen)
            for i, (own, domain) in enumerate(zip(X.levels, levels, strict=True))
        ]
    container = open_container(X)
    _check(feature_names(container.labels, container.shape[1]), names, feature_names_in, owner)
    places = read_columns(container, names)
    return [
        _in_domain(column, domain, place, unseen)
        for (place, column), domain in zip(places, levels, strict=True)
    ]


def _check(found: Names, names: Sequence[str], feature_names_in: AnyArray | None, owner: str | None) -> None:
    if owner is not None:
        check_features(len(found.shown), found.given, feature_names_in, len(names), owner)
        return
    # a bare tree knows what its features are called; x0, x1, ... stand for no name
    if found.given is not None and list(names) != feature_names(None, len(names)).shown:
        _compare(found.shown, names)
    _check_count(len(found.shown), len(names), "Tree")


def check_features(
    n_features: int, given: AnyArray | None, fitted: AnyArray | None, n_fitted: int, owner: str
) -> None:
    """Check names and number of features as an estimator does; `owner` is the name of its class.

    It knows the names it was given, and warns if only one side has any.
    """
    if given is None or fitted is None:
        _warn_if_one_has_names(given, fitted, owner)
    else:
        _compare(given.tolist(), fitted.tolist())
    _check_count(n_features, n_fitted, owner)


def _check_count(n_features: int, n_fitted: int, owner: str) -> None:
    if n_features != n_fitted:
        raise table_errors.feature_count(n_features, owner, n_fitted)


def _compare(given: Sequence[str], fitted: Sequence[str]) -> None:
    if list(given) != list(fitted):
        raise table_errors.feature_names(_others(given, fitted), _others(fitted, given))


def _others(names: Sequence[str], than: Sequence[str]) -> Sequence[str]:
    return sorted(set(names) - set(than))


def _warn_if_one_has_names(given: AnyArray | None, fitted: AnyArray | None, owner: str) -> None:
    if given is not None:
        message = f"X has feature names, but {owner} was fitted without feature names"
    elif fitted is not None:
        message = f"X does not have valid feature names, but {owner} was fitted with feature names"
    else:
        return
    warnings.warn(message, stacklevel=5)


def _in_domain(column: Column, levels: Sequence[Label] | None, place: Place, unseen: int) -> AnyArray:
    """Return numbers where `levels` is None, else codes among the levels (`unseen`: not one of them)."""
    return column.numbers(place) if levels is None else recoded(column.nominal(place), levels, place, unseen)


def _column_of_dataset(
    values: AnyArray, own: list[Label] | None, levels: Sequence[Label] | None, place: Place, unseen: int
) -> AnyArray:
    """Return a column that has passed the door before in another domain."""
    if own is None:
        return _in_domain(NumberColumn(values, is_checked=True), levels, place, unseen)
    if levels is not None:
        return recoded(Nominal(values, own), levels, place, unseen)
    known = values >= 0
    if known.any():
        row = first(known)
        raise value_errors.nominal_where_numeric(place, row, own[values[row]])
    return np.full(len(values), np.nan)
