"""Columns that say the same as another one: of those the cheapest is enough, the first of equals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.planes.problem import FloatArray, Mask

DIGITS = 9
"""Scaled columns are compared at so many decimals first, ..."""

SAME = 1e-12
"""... and have to agree within this, up to their sign."""


def without_copies(Z: FloatArray, feature_of: NDArray[np.int64], costs: FloatArray | None) -> Mask:
    """Mark the columns that are no copies, in scaled units, of another.

    Scaled columns agree up to their sign where one is the other times a number plus a number. No plane
    gains by using both. A feature of several columns stays as it is.

    Parameters
    ----------
    Z : ndarray of shape (n_rows, n_columns)
    feature_of : ndarray of shape (n_columns,)
    costs : ndarray of shape (n_features,) or None
        Of equal columns the one of the cheapest feature stays.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.planes.copies import without_copies
    >>> without_copies(np.array([[-1.0, 1.0], [1.0, -1.0]]), np.arange(2), None)
    array([ True, False])
    """
    kept = np.ones(Z.shape[1], np.bool_)
    upright = Z * np.where(_first_sign(Z) < 0, -1.0, 1.0)
    signatures = np.ascontiguousarray(np.round(upright, DIGITS).T + 0.0)
    alone = np.bincount(feature_of)[feature_of] == 1
    price = np.zeros(Z.shape[1]) if costs is None else costs[feature_of]
    seen: dict[bytes, int] = {}
    for column in np.argsort(price, kind="stable").tolist():
        if alone[column]:
            first = seen.setdefault(signatures[column].tobytes(), column)
            kept[column] = first == column or np.abs(upright[:, first] - upright[:, column]).max() > SAME
    return kept


def _first_sign(Z: FloatArray) -> FloatArray:
    """Return for every column a value that is clearly not 0, the first there is."""
    if not Z.size:
        return np.ones(Z.shape[1])
    first = np.argmax(np.abs(Z) > 0.5, axis=0)
    leading: FloatArray = Z[first, np.arange(Z.shape[1])]
    return leading
