"""Checks of parameters that several rules have."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from treewright._base.errors import ParameterError
from treewright._base.params import number, one_of

LIMITS = ("c45", "weka", "exact", "wilson")


def checked_confidence(value: object, name: str = "confidence") -> float:
    """Return a confidence: a probability, neither 0 nor 1."""
    is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    x = float(value) if is_number else math.nan  # type: ignore[arg-type]
    if 0 < x < 1:
        return x
    raise ParameterError(f"{name}={value!r} must be above 0 and below 1; 0.25 is usual, and less prunes more")


def checked_limit(value: object) -> str:
    """Return the name of an upper limit."""
    return one_of("limit", value, LIMITS)


def checked_slack(value: object, unit: str) -> float:
    """Return how much worse a leaf may be."""
    return number("slack", value, least=0, remedy=f"it is in {unit}; 0 prunes only what is no better")


def checked_share(
    value: object,
    name: str = "share",
    role: str = "it is the part of the samples that judges the tree",
) -> float:
    """Return a share, strictly between 0 and 1."""
    is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    x = float(value) if is_number else math.nan  # type: ignore[arg-type]
    if 0 < x < 1:
        return x
    raise ParameterError(f"{name}={value!r} must be above 0 and below 1; {role}")
