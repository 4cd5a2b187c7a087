"""Changed numbers as they are shown: short ones, as long as they do what the exact ones do."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from treewright._base.shown import numbers_between
from treewright.explain.boxes import Box, Row
from treewright.trees.rules.conditions import Interval

DIGITS = range(2, 10)
"""Digits of a change across a plane, beyond its first."""

Cuts = Mapping[int, Sequence[tuple[float, float, float]]]
"""Of every number its cuts, each with the training values beside it, NaN where not known."""


def shown_values(
    row: Row, values: Mapping[int, float], box: Box, cuts: Cuts, is_met: Callable[[dict[int, float]], bool]
) -> dict[int, float]:
    """Return the values of a change, each number as short as does the same, at most the next training one.

    Where that is not known, a number goes on by a hundredth of the training range at the most.
    """
    shown = dict(values)
    for feature, value in values.items():
        if row.n_levels[feature] is not None or feature in row.whole:
            continue
        for short in _shorter(row, feature, value, box, cuts):
            if is_met({**shown, feature: short}):
                shown[feature] = short
                break
    return shown


def _shorter(row: Row, feature: int, value: float, box: Box, cuts: Cuts) -> Sequence[float]:
    """Return shorter numbers, the best first; they may still be on the wrong side of a plane."""
    own, entry = row.own[feature], box.entries.get(feature)
    if box.sums and not math.isnan(own):
        return [_beyond(own, value, digits) for digits in DIGITS]
    if not isinstance(entry, Interval):
        return []
    least = math.nextafter(entry.low, math.inf)
    if math.isnan(own):
        low, high = least, entry.high
    elif value > own:
        above = [beyond for cut, _, beyond in cuts.get(feature, ()) if cut == entry.low]
        low, high = value, min([entry.high, *_known(above, value + _little(row, feature))])
    else:
        below = [beyond for cut, beyond, _ in cuts.get(feature, ()) if cut == entry.high]
        low, high = max([least, *_known(below, value - _little(row, feature))]), value
    if not low < high:
        return []
    return [float(numbers_between([value], [(low, math.nextafter(high, math.inf))])[0])]


def _known(values: Sequence[float], otherwise: float) -> list[float]:
    """Return the training values beyond a cut, or what stands for them where none is known."""
    return [value for value in values if not math.isnan(value)] or [otherwise]


def _little(row: Row, feature: int) -> float:
    """Return a hundredth of the training range; nothing where that is not known."""
    span = float(row.ranges[feature, 1] - row.ranges[feature, 0])
    return span / 100 if math.isfinite(span) else 0.0


def _beyond(own: float, value: float, digits: int) -> float:
    """Return the next number beyond a value, seen from the row's own, with so many digits of the change."""
    places = digits - math.floor(math.log10(abs(value - own)))
    unit = 10.0**-places
    whole = math.ceil(value / unit) if value > own else math.floor(value / unit)
    return round(whole * unit, places)
