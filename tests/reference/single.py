"""C4.5's formulas in single precision, as release 8 computes them.

A number in single precision is a Python float that single precision holds exactly; `single`
rounds to one.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reference.numbers import log

EPSILON = 1e-3
LN_2 = math.log(2.0)


def single(x: float) -> float:
    """Round to single precision.

    >>> single(0.1) == 0.1, single(0.5) == 0.5
    (False, True)
    """
    rounded: float = struct.unpack("f", struct.pack("f", x))[0] if abs(x) < math.inf else x
    return rounded


def log2(x: float) -> float:
    """Take the base 2 logarithm in double precision; 0 of what is not above zero."""
    return log(x) / LN_2 if x > 0 else 0.0


def n_log_n(n: float) -> float:
    """Return n * log2(n) in double precision."""
    return n * log2(n)


def total(weights: Iterable[float]) -> float:
    """Sum one by one."""
    so_far = 0.0
    for weight in weights:
        so_far = single(so_far + weight)
    return so_far


def information(weights: Sequence[float]) -> float:
    """Weight times entropy of a distribution.

    >>> information([4.0, 4.0, 0.0])
    8.0
    """
    so_far = 0.0
    for weight in weights:
        so_far = single(so_far + n_log_n(weight))
    return single(n_log_n(total(weights)) - so_far)


@dataclass(frozen=True)
class Offer:
    """What a feature offers at a node: its split, the gain of it and its information."""

    feature: int
    cut: tuple[float, float] | None
    gain: float
    information: float


@dataclass(frozen=True)
class Limits:
    """What a branch must weigh, and what a split must gain."""

    min_branch: float
    min_leaf: float
    min_gain: float
    charges: bool

    @property
    def min_side(self) -> float:
        """What each side of a cut must weigh."""
        return max(self.min_branch, self.min_leaf)


def gain_of(base: float, within: float, known: float, unknown_rate: float) -> float:
    """Gain over all weight, from what is found among the known."""
    difference = single(base - single(within / known))
    return single(single(1.0 - unknown_rate) * difference)


def levels_offer(
    feature: int, unknown: Sequence[float], levels: Sequence[Sequence[float]], weight: float, limits: Limits
) -> Offer | None:
    """Judge a nominal feature by the class weights of its levels and of the unknown rows."""
    at_level = [total(classes) for classes in levels]
    known = single(weight - total(unknown))
    large = [w for w in at_level if w >= limits.min_branch and w > 0]
    if weight <= total(unknown) or len(large) < 2 or any(0 < w < limits.min_leaf for w in at_level):
        return None
    by_class = [total(column) for column in zip(*levels, strict=True)]
    base = single((n_log_n(known) - sum(map(n_log_n, by_class), 0.0)) / known)
    within = total(information(classes) for classes in levels)
    gain = gain_of(base, within, known, single(total(unknown) / weight))
    if gain <= -EPSILON or (limits.min_gain > 0 and gain < limits.min_gain):
        return None
    return Offer(feature, None, gain, single(information([total(unknown), *at_level]) / weight))


@dataclass(frozen=True)
class Cut:
    """A place between two values: weight and class weights below, class weights above."""

    between: tuple[float, float]
    weight: float
    below: tuple[float, ...]
    above: tuple[float, ...]


def cuts_offer(
    feature: int,
    cuts: Iterable[Cut],
    classes: Sequence[float],
    weights: tuple[float, float, float],
    limits: Limits,
) -> Offer | None:
    """Judge a numeric feature by its cuts, ascending; `weights` is all, known and unknown weight."""
    weight, known, unknown = weights
    if known <= 0 or known < single(2 * limits.min_side):
        return None
    base = single(information(classes) / known)
    unknown_rate = single(1.0 - single(known / weight))
    tried = []
    for cut in cuts:
        if _fits(cut, known, len(classes), limits):
            within = single(information(cut.below) + information(cut.above))
            gain = gain_of(base, within, known, unknown_rate)
            rest = single(known - cut.weight)
            large = cut.weight >= limits.min_side and rest >= limits.min_side
            tried.append((gain if large else single(-EPSILON), cut))
    charge = single(log2(float(len(tried))) / weight) if limits.charges else 0.0
    best, largest = None, 0.0
    for gain, cut in tried:
        if single(gain - charge) > largest:
            best, largest = (gain, cut), single(gain - charge)
    if best is None or (limits.min_gain > 0 and best[0] < limits.min_gain):
        return None
    below = best[1].weight
    split_information = single(information([unknown, below, single(known - below)]) / weight)
    return Offer(feature, best[1].between, largest, split_information)


def _fits(cut: Cut, known: float, n_classes: int, limits: Limits) -> bool:
    share = single(0.1 * known / n_classes)
    least = limits.min_side if share <= limits.min_side else min(share, 25.0)
    low, high = map(single, cut.between)
    return least <= cut.weight <= single(known - least) and low < high - 1e-5


def best_offer(offers: Sequence[Offer], averaged: Iterable[int] | None, criterion: str) -> Offer | None:
    """Choose by gain, or by gain ratio among the features of about average gain (None: among all)."""
    if criterion == "info_gain":
        return _first_best((offer.gain, offer) for offer in offers if offer.information > 0)
    gains = [offer.gain for offer in offers if averaged is None or offer.feature in averaged]
    if not gains:
        return None
    least = -math.inf if averaged is None else single(total(gains) / len(gains)) - EPSILON
    return _first_best(
        (single(offer.gain / offer.information), offer)
        for offer in offers
        if offer.gain >= least and offer.information > EPSILON
    )


def _first_best(offers: Iterable[tuple[float, Offer]]) -> Offer | None:
    best, largest = None, single(-EPSILON)
    for worth, offer in offers:
        if worth > largest:
            best, largest = offer, worth
    return best
