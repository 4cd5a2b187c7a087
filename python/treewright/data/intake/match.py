"""Whether new data has the features that were fitted, as scikit-learn checks it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from treewright.data.intake.messages import fitted as messages
from treewright.data.intake.names import Names, feature_names
from treewright.data.intake.place import AnyArray


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


def check_features_of_tree(found: Names, names: Sequence[str]) -> None:
    """Check names and number of features as a bare tree does.

    It knows what its features are called; x0, x1, ... stand for no name.
    """
    if found.given is not None and list(names) != feature_names(None, len(names)).shown:
        _compare(found.shown, names)
    _check_count(len(found.shown), len(names), "Tree")


def _check_count(n_features: int, n_fitted: int, owner: str) -> None:
    if n_features != n_fitted:
        raise messages.feature_count(n_features, owner, n_fitted)


def _compare(given: Sequence[str], fitted: Sequence[str]) -> None:
    if list(given) != list(fitted):
        raise messages.feature_names(_others(given, fitted), _others(fitted, given))


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
