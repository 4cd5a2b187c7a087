"""The one door for user data: what comes in is a `Dataset`, or columns in a fitted domain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from treewright.data.dataset import Dataset, override
from treewright.data.intake.containers import open_container
from treewright.data.intake.labels import Label
from treewright.data.intake.match import check_features, check_features_of_tree
from treewright.data.intake.names import Names, feature_names
from treewright.data.intake.place import Place
from treewright.data.intake.recode import column_of_dataset, in_domain
from treewright.data.intake.table import read_columns

__all__ = ["UNSEEN", "as_dataset", "encode"]

UNSEEN = -2
"""Code of a value that no branch is for, where missing ones (-1) may have a branch."""


def as_dataset(
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    categorical_features: Any = "from_dtype",
    missing_values: Iterable[object] | None = None,
) -> Dataset:
    """Return `X` as a `Dataset`: itself if it is one and nothing else is given.

    Parameters
    ----------
    X, y, sample_weight, categorical_features, missing_values
        As for `Dataset`. Of a `Dataset`, `y` and `sample_weight` replace what it has, and
        `categorical_features` has to agree with it.

    Returns
    -------
    Dataset
        The table that engines read.

    Raises
    ------
    DataError, DataTypeError, ParameterError
        As for `Dataset`.

    Examples
    --------
    >>> from treewright.data.validate import as_dataset
    >>> data = as_dataset([[1.0], [2.0]], ["no", "yes"])
    >>> as_dataset(data) is data
    True
    >>> as_dataset(data, sample_weight=[0, 2]).n_samples
    1
    """
    if isinstance(X, Dataset) and missing_values is None:
        return override(X, y, sample_weight, categorical_features)
    return Dataset(
        X,
        y,
        sample_weight=sample_weight,
        categorical_features=categorical_features,
        missing_values=missing_values,
    )


def encode(
    X: Any,
    *,
    names: Sequence[str],
    levels: Sequence[Sequence[Label] | None],
    feature_names_in: NDArray[Any] | None = None,
    owner: str | None = None,
    unseen: int = -1,
) -> list[NDArray[Any]]:
    """Return new data as columns in a fitted domain.

    Parameters
    ----------
    X : array-like, frame or Dataset of shape (n_samples, n_features)
        The features of fit, in their order; nothing is reordered.
    names : sequence of str
        What the fitted features are called in messages.
    levels : sequence of (sequence of labels or None)
        The domain of each fitted feature; None for a numeric one.
    feature_names_in : ndarray of str, default=None
        The names an estimator saw in fit; compared with those of `X` as scikit-learn does.
    owner : str, default=None
        The name of the estimator's class. None: a bare tree, whose `names` are all it knows.
    unseen : int, default=-1
        Code of a nominal value that fit did not see: -1 is missing, `UNSEEN` has no branch at all.

    Returns
    -------
    columns : list of ndarray of shape (n_samples,)
        Floats with NaN for missing, or int32 codes with -1 for missing. Columns may be views of `X`.

    Raises
    ------
    DataError, DataTypeError
        If names or number of features differ, a numeric feature has text, or the values of a
        nominal one are all of another type than its levels.

    Examples
    --------
    >>> from treewright.data.validate import encode
    >>> encode([["b", 2], ["c", None]], names=["u", "v"], levels=[["a", "b"], None])
    [array([ 1, -1], dtype=int32), array([ 2., nan])]
    """
    if isinstance(X, Dataset):
        return _encode_dataset(X, names, levels, feature_names_in, owner, unseen)
    container = open_container(X)
    _check(feature_names(container.labels, container.shape[1]), names, feature_names_in, owner)
    places = read_columns(container, names)
    return [
        in_domain(column, domain, place, unseen)
        for (place, column), domain in zip(places, levels, strict=True)
    ]


def _encode_dataset(
    X: Dataset,
    names: Sequence[str],
    levels: Sequence[Sequence[Label] | None],
    feature_names_in: NDArray[Any] | None,
    owner: str | None,
    unseen: int,
) -> list[NDArray[Any]]:
    _check(Names(X.feature_names, X.feature_names_in), names, feature_names_in, owner)
    return [
        column_of_dataset(X.column(i), own, domain, Place.of_feature(names[i], i), unseen)
        for i, (own, domain) in enumerate(zip(X.levels, levels, strict=True))
    ]


def _check(
    found: Names, names: Sequence[str], feature_names_in: NDArray[Any] | None, owner: str | None
) -> None:
    if owner is None:
        check_features_of_tree(found, names)
    else:
        check_features(len(found.shown), found.given, feature_names_in, len(names), owner)
