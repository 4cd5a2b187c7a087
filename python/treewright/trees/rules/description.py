"""Which rules of a class are worth their length: Quinlan's description length.

Rules for a class mark rows. The bits that it takes to correct them, and half the bits of the rules
themselves, are a measure of their worth; half, because rules often say much the same.

    bits = log2 C(marked, wrongly marked) + log2 C(others, of the class) + (bits of the rules - log2 n!) / 2
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from treewright.data.types import FloatArray, IntArray
from treewright.trees.rules.conditions import Condition, Interval, Levels
from treewright.trees.rules.matching import Candidate, Rows

MOST_EXACT = 10
"""Rules of a class of which all subsets are compared; of more, single rules are added and left out."""

SHARED = 0.5
"""What the bits of rules count."""


class Lengths:
    """Tells how many bits conditions and rules take for these rows."""

    def __init__(self, rows: Rows) -> None:
        self._n_features = max(len(rows.columns), 1)
        self._columns = rows.columns
        self._cuts: dict[int, float] = {}

    def of_rule(self, conditions: Sequence[Condition]) -> float:
        """Return the bits of a rule: those of its conditions, whose order does not count."""
        parts = (self.of_condition(condition) for condition in conditions)
        return math.fsum([*parts, -_log_factorial(len(conditions))])

    def of_condition(self, condition: Condition) -> float:
        """Return the bits that name the feature, and those that name a cut and its side, or a set of levels.

        A weighted sum takes the bits of a cut for each of its terms.
        """
        name = math.log2(self._n_features)
        if isinstance(condition, Levels):
            return name + condition.n_levels
        if isinstance(condition, Interval):
            return name + self._cut(condition.feature)
        return math.fsum(name + self._cut(feature) for feature in condition.features)

    def _cut(self, feature: int) -> float:
        """Return the bits of a cut between two values of a feature, and of its side."""
        if feature not in self._cuts:
            column = self._columns[feature]
            known = column[~np.isnan(column)] if column.dtype.kind == "f" else column[column >= 0]
            self._cuts[feature] = 1 + math.log2(max(len(np.unique(known)) - 1, 1))
        return self._cuts[feature]


class ClassRules:
    """The rules of a class, and a subset of them that changes rule by rule."""

    def __init__(self, rules: Sequence[Candidate], rows: Rows, lengths: Lengths) -> None:
        self.bits = [lengths.of_rule(rule.conditions) for rule in rules]
        self.held: list[IntArray] = [np.flatnonzero(rule.held) for rule in rules]
        self.weight = rows.loss
        self.own: FloatArray = np.where(rows.target == rules[0].answer, rows.loss, 0.0)
        self.total, self.total_own = math.fsum(self.weight), math.fsum(self.own)
        self.times = np.zeros(rows.n_rows, dtype=np.int64)
        """How many rules of the subset hold of a row."""
        self.chosen: set[int] = set()
        self.marked = self.marked_own = 0.0

    def toggle(self, place: int) -> None:
        """Take a rule into the subset, or leave it out."""
        self.marked, self.marked_own = self._after(place)
        if place in self.chosen:
            self.chosen.remove(place)
            self.times[self.held[place]] -= 1
        else:
            self.chosen.add(place)
            self.times[self.held[place]] += 1

    def length(self) -> float:
        """Return the bits of the subset."""
        return self._length(self.marked, self.marked_own, self.chosen)

    def length_after(self, place: int) -> float:
        """Return the bits of the subset with one rule more, or less."""
        return self._length(*self._after(place), self.chosen ^ {place})

    def _after(self, place: int) -> tuple[float, float]:
        """Return the weight of marked rows, and of those of the class, after a rule is toggled."""
        held, is_in = self.held[place], place in self.chosen
        alone = held[self.times[held] == int(is_in)]
        sign = -1.0 if is_in else 1.0
        own = self.marked_own + sign * math.fsum(self.own[alone])
        return self.marked + sign * math.fsum(self.weight[alone]), own

    def _length(self, marked: float, own: float, chosen: set[int]) -> float:
        wrong, left = max(marked - own, 0.0), max(self.total - marked, 0.0)
        lacking = min(max(self.total_own - own, 0.0), left)
        exceptions = _log_choices(marked, wrong) + _log_choices(left, lacking)
        theory = math.fsum([*(self.bits[place] for place in chosen), -_log_factorial(len(chosen))])
        return exceptions + SHARED * max(theory, 0.0)


def worth_keeping(rules: Sequence[Candidate], rows: Rows, lengths: Lengths) -> list[Candidate]:
    """Return the rules of a class that have the shortest description together.

    Up to `MOST_EXACT` rules all subsets are compared. Of more, single rules are toggled, from none and from
    all, as long as that shortens the description; the shorter of both ends is the answer. Of equal
    subsets the first that is met is taken.
    """
    if not rules:
        return []
    subsets = ClassRules(rules, rows, lengths)
    chosen = _of_all(subsets) if len(rules) <= MOST_EXACT else _by_steps(subsets)
    return [rule for place, rule in enumerate(rules) if place in chosen]


def _of_all(subsets: ClassRules) -> set[int]:
    """Go through all subsets so that one rule changes at a time."""
    best, least = set(subsets.chosen), subsets.length()
    for number in range(1, 2 ** len(subsets.bits)):
        subsets.toggle((number & -number).bit_length() - 1)
        length = subsets.length()
        if length < least:
            best, least = set(subsets.chosen), length
    return best


def _by_steps(subsets: ClassRules) -> set[int]:
    """Change single rules, from none and from all."""
    from_none, length = set(_improved(subsets)), subsets.length()
    for place in range(len(subsets.bits)):
        if place not in subsets.chosen:
            subsets.toggle(place)
    from_all = _improved(subsets)
    return from_none if length <= subsets.length() else from_all


def _improved(subsets: ClassRules) -> set[int]:
    """Toggle the rule that shortens the description the most, the first of equals, while one does."""
    while True:
        lengths = [subsets.length_after(place) for place in range(len(subsets.bits))]
        best = int(np.argmin(lengths))
        if lengths[best] >= subsets.length():
            return subsets.chosen
        subsets.toggle(best)


def _log_factorial(n: float) -> float:
    return math.lgamma(n + 1) / math.log(2)


def _log_choices(n: float, k: float) -> float:
    """Return the bits that say which k of n are meant; weights may be fractions."""
    return max(_log_factorial(n) - _log_factorial(k) - _log_factorial(max(n - k, 0.0)), 0.0)
