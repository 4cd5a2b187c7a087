"""How many errors above the fewest a selector accepts (``tolerance``)."""

from __future__ import annotations

from numbers import Real
from typing import Any

from treewright._base.errors import ParameterError
from treewright._base.params import is_whole


def check_tolerance(value: object) -> None:
    """Refuse what is neither a number of errors nor a share.

    Raises
    ------
    ParameterError
        If it is no int of at least 0 and no float in [0, 1).
    """
    if is_whole(value):
        is_legal = value >= 0
    else:
        is_legal = not isinstance(value, bool) and isinstance(value, Real) and 0 <= float(value) < 1
    if is_legal:
        return
    raise ParameterError(
        f"tolerance={value!r} must be an int of at least 0, which counts errors, or a float in (0, 1), "
        "which is a share of the search set; 0 allows no more errors than the fewest"
    )


def in_samples(tolerance: Any, search_weight: float) -> float:
    """Return a tolerance as weight; more than all that the search rows weigh is the same as that.

    Examples
    --------
    >>> from treewright.selection.tolerance import in_samples
    >>> in_samples(3, 50.0), in_samples(0.5, 50.0), in_samples(10**30, 50.0)
    (3.0, 25.0, 50.0)
    """
    weight = tolerance if is_whole(tolerance) else tolerance * search_weight
    return float(min(weight, search_weight))
