"""Costs of features and the budget of a path, as whole numbers on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

import numpy as np

from treewright._base.errors import ParameterError

LARGEST = 2**63 - 1
"""The largest whole number of the scale."""


def checked_costs(feature_costs: Any, cost_budget: Any, names: Sequence[str]) -> tuple[list[int] | None, int]:
    """Return what features cost and what a path may, in whole numbers; None where nothing costs anything.

    Every cost is the shortest decimal number that reads back as it, so that 0.1 and 0.2 together are within
    a budget of 0.3. A budget between two whole numbers of the scale is the lower one: no path costs what is
    between them.

    Examples
    --------
    >>> from treewright.trees.fixed_depth.costs import checked_costs
    >>> checked_costs([0.1, 0.2, 1.5], 0.3, ["a", "b", "c"])
    ([1, 2, 15], 3)
    >>> checked_costs(None, None, ["a"])
    (None, 0)
    """
    if feature_costs is None and cost_budget is None:
        return None, 0
    if feature_costs is None or cost_budget is None:
        given, absent = ("cost_budget", "feature_costs")[:: 1 if feature_costs is None else -1]
        raise ParameterError(
            f"{given} came without {absent}; give both, or neither for a limit by max_depth alone"
        )
    costs = [_cost(cost, position, names) for position, cost in enumerate(_listed(feature_costs, names))]
    budget = _exact(cost_budget)
    if budget is None:
        raise ParameterError(
            f"cost_budget={cost_budget!r} must be a finite number of at least 0; it is what the features of "
            "a path may cost altogether"
        )
    return _on_one_scale(costs, budget, names)


def _listed(feature_costs: Any, names: Sequence[str]) -> list[Any]:
    """Return the costs as a list of one a feature."""
    array = feature_costs if hasattr(feature_costs, "__len__") else np.asarray(feature_costs)
    shape = np.shape(array)
    if shape != (len(names),) or isinstance(array, str | dict):
        found = type(feature_costs).__name__ if isinstance(array, str | dict) else f"shape {shape}"
        raise ParameterError(
            f"feature_costs has {found} where shape ({len(names)},) is needed; give one number a feature, in "
            "the order of the columns"
        )
    return list(array)


def _cost(cost: Any, position: int, names: Sequence[str]) -> Fraction:
    exact = _exact(cost)
    if exact is None:
        raise ParameterError(
            f"feature_costs[{position}]={cost!r} of feature {names[position]!r} must be a finite number of "
            "at least 0; leave a feature out of the data if it cannot be tested"
        )
    return exact


def _exact(number: Any) -> Fraction | None:
    """Return a number as its shortest decimal; None if it is no finite number of at least 0."""
    if isinstance(number, bool | np.bool_) or not isinstance(number, Real | Decimal):
        return None
    if isinstance(number, Rational):
        exact = Fraction(int(number.numerator), int(number.denominator))
    elif not math.isfinite(number):
        return None
    else:
        exact = Fraction(str(number))
    return exact if exact >= 0 else None


def _on_one_scale(costs: list[Fraction], budget: Fraction, names: Sequence[str]) -> tuple[list[int], int]:
    """Multiply all by one number that makes the costs whole, as small as can be."""
    finest = math.lcm(*(cost.denominator for cost in costs))
    whole = [int(cost * finest) for cost in costs]
    shared = math.gcd(*whole) or 1
    scaled = [cost // shared for cost in whole]
    if max(scaled, default=0) > LARGEST:
        low, high = min(cost for cost in costs if cost), max(costs)
        finest_name, dearest_name = names[costs.index(low)], names[costs.index(high)]
        raise ParameterError(
            f"feature_costs are on too fine a scale: {float(low):g} of feature {finest_name!r} and "
            f"{float(high):g} of feature {dearest_name!r} need whole numbers above 2**63 to be exact; "
            "round them"
        )
    return scaled, min(int(budget * finest / shared), LARGEST)
