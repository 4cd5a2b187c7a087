"""Which splits of a node are allowed, and how good each one is.

A split is judged by its *contingency table*: one row of class masses for each branch, over
the samples whose value is known. A second table, of one column, holds the mass those samples
would have undivided.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reference.numbers import (
    GINI_STEPS,
    SLACK,
    UNIT_MASS,
    UNIT_WEIGHT,
    f_of,
    gini_of,
    log2,
    mass_of,
    n_nats,
    weight_of,
)
from reference.table import Growing

Contingency = list[list[int]]  # [branch][class] -> mass
ByValue = dict[float, list[int]]  # the same for each known value of a feature


@dataclass(frozen=True)
class Split:
    """A feature, its cut (None: by value) and the masses it makes."""

    feature: int
    cut: tuple[float, float] | None
    contingency: Contingency
    score: float

    @property
    def branch_masses(self) -> list[int]:
        return [sum(branch) for branch in self.contingency]


@dataclass(frozen=True)
class Judge:
    """Judges the splits of one node.

    ``mass`` is the node's whole mass, samples with unknown values included; ``bits``
    are those of F.
    """

    growing: Growing
    mass: int
    bits: int

    def by_value(self, feature: int, contingency: Contingency, undivided: Contingency) -> Split | None:
        """Judge the split of a nominal feature; None if it is no candidate."""
        if not self._is_admissible(contingency, undivided):
            return None
        return self._scored(feature, None, contingency, self._gain(contingency))

    def by_threshold(self, feature: int, masses: ByValue, undivided: ByValue) -> Split | None:
        """Judge the best cut of a numeric feature; None if it is no candidate."""
        best, n_large = None, 0
        for (cut, contingency), (_, whole) in zip(cuts(masses), cuts(undivided), strict=True):
            n_large += self._has_two_branches(contingency, whole)
            if self._is_admissible(contingency, whole):
                gain = self._gain(contingency)
                if best is None or gain > best[0]:
                    best = gain, cut, contingency
        if best is None:
            return None
        gain, cut, contingency = best
        if not self.growing.mdl_correction:
            return self._scored(feature, cut, contingency, gain)
        gain -= round(log2(float(n_large)) * 2.0**self.bits)
        return self._scored(feature, cut, contingency, gain) if gain > 0 else None

    def id3(self, feature: int, contingency: Contingency) -> Split | None:
        """Judge a split by ID3's rules; None if it is no candidate.

        A split that gains nothing is one, unless all values are unknown.
        """
        if not any(map(any, contingency)) or not self._gains_enough(contingency):
            return None
        if self.growing.min_samples_branch > 1 and not self._is_populated(contingency):
            return None
        if not self._are_leaves(contingency):
            return None
        return Split(feature, None, contingency, gain_in_nats(contingency))

    def _is_admissible(self, contingency: Contingency, undivided: Contingency) -> bool:
        return (
            self._has_two_branches(contingency, undivided)
            and _separates(contingency)
            and self._gains_enough(contingency)
        )

    def _has_two_branches(self, contingency: Contingency, undivided: Contingency) -> bool:
        # Up to one sample is asked of samples, in parts or not; more is asked of their shares.
        counted = undivided if self.growing.min_samples_branch <= 1 else contingency
        n_filled = sum(any(branch) for branch in contingency)
        return n_filled >= 2 and self._is_populated(counted) and self._are_leaves(contingency)

    def _are_leaves(self, contingency: Contingency) -> bool:
        """Whether every branch that a sample reaches holds ``min_samples_leaf``; 1 or less is no limit."""
        least = mass_of(self.growing.min_samples_leaf)
        if least <= UNIT_MASS:
            return True
        return all(not any(branch) or sum(branch) + SLACK >= least for branch in contingency)

    def _is_populated(self, counted: Contingency) -> bool:
        """Whether two branches hold ``min_samples_branch``."""
        least = mass_of(self.growing.min_samples_branch)
        return sum(sum(branch) + SLACK >= least for branch in counted) >= 2

    def _gains_enough(self, contingency: Contingency) -> bool:
        if self.growing.min_gain <= 0:
            return True
        is_gini = self.growing.criterion == "gini"
        unit = float(UNIT_WEIGHT * GINI_STEPS) if is_gini else 2.0**self.bits
        least = self.growing.min_gain * weight_of(self.mass) * unit
        return float(self._gain(contingency)) >= least

    def _gain(self, contingency: Contingency) -> int:
        if self.growing.criterion == "gini":
            return gini_gain(contingency)
        return info_gain(contingency, self.bits)

    def _scored(
        self, feature: int, cut: tuple[float, float] | None, contingency: Contingency, gain: int
    ) -> Split | None:
        if self.growing.criterion != "gain_ratio":
            return Split(feature, cut, contingency, gain)
        information = split_information(contingency, self.mass, self.bits)
        if information <= 0:
            return None
        return Split(feature, cut, contingency, gain * 2**30 // information)


def cuts(
    masses: ByValue,
) -> Iterator[tuple[tuple[float, float], Contingency]]:
    """Cuts between neighbouring values, the lowest first, with their masses.

    >>> list(cuts({1.0: [1, 0], 2.0: [1, 2]}))
    [((1.0, 2.0), [[1, 0], [1, 2]])]
    """
    values = sorted(masses)
    below = [0] * (len(masses[values[0]]) if values else 0)
    above = column_sums(masses.values())
    for low, high in pairwise(values):
        below = [b + m for b, m in zip(below, masses[low], strict=True)]
        above = [a - m for a, m in zip(above, masses[low], strict=True)]
        yield (low, high), [below, above]


def column_sums(contingency: Iterable[Sequence[int]]) -> list[int]:
    """Class masses of all branches together."""
    return [sum(masses) for masses in zip(*contingency, strict=True)]


def _separates(contingency: Contingency) -> bool:
    """Whether some branch has another class distribution than the whole."""
    known, whole = sum(map(sum, contingency)), column_sums(contingency)
    return any(
        mass * known != sum(branch) * whole[label]
        for branch in contingency
        for label, mass in enumerate(branch)
    )


def info_gain(contingency: Contingency, bits: int) -> int:
    """Information gain times the node's weight, in units of 2**-bits bit."""

    def order(class_masses: Sequence[int]) -> int:
        return sum(f_of(m, bits) for m in class_masses) - f_of(sum(class_masses), bits)

    return sum(map(order, contingency)) - order(column_sums(contingency))


def gini_gain(contingency: Contingency) -> int:
    """Decrease of Gini uncertainty times the weight, in units of ``gini_of``."""
    return gini_of(column_sums(contingency)) - sum(map(gini_of, contingency))


def split_information(contingency: Contingency, mass: int, bits: int) -> int:
    """Uncertainty of the branches themselves, "unknown" being one more branch."""
    branches = [sum(branch) for branch in contingency]
    unknown = mass - sum(branches)
    return f_of(mass, bits) - sum(f_of(b, bits) for b in [*branches, unknown])


def gain_in_nats(contingency: Contingency) -> float:
    """Information gain times the weight in nats; below 1e-9 it counts as 0."""
    before = _disorder(column_sums(contingency))
    after = 0.0
    for branch in contingency:
        after += _disorder(branch)
    gain = before - after
    return 0.0 if gain < 1e-9 else gain


def _disorder(class_masses: Sequence[int]) -> float:
    within = 0.0
    for mass in class_masses:
        within += n_nats(mass)
    return n_nats(sum(class_masses)) - within


def choose(candidates: Sequence[Split], growth: str) -> Split | None:
    """Best split; equal scores go to the lowest feature, which comes first.

    ID3 takes a later feature only where its gain is larger by more than 1e-12.
    """
    best, margin = None, 1e-12 if growth == "id3" else 0
    for split in candidates:
        if best is None or split.score > best.score + margin:
            best = split
    return best


def threshold_of(cut: tuple[float, float], training_values: Sequence[float]) -> float:
    """Largest training value at or below the middle of the cut.

    Below missing values, which sort last, it is the largest finite number: any number, seen
    or not, stays apart from "missing".

    >>> threshold_of((1.0, 4.0), [0.0, 1.0, 2.0, 3.0, 4.0])
    2.0
    """
    low, high = cut
    if math.isinf(high):
        return sys.float_info.max
    middle = (low + high) / 2
    if math.isinf(middle):
        middle = low / 2 + high / 2
    return max(v for v in training_values if v <= middle and v < high)
