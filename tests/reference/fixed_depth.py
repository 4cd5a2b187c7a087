"""Trees of a fixed depth under naive Bayes, the obvious way: every order of questions, in fractions.

A sample is a tuple of small ints, None where nothing is known; features have the values 0 to r - 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

Value = int | None
Joint = tuple[Fraction, ...]


@dataclass(frozen=True)
class Samples:
    """Values, classes and weights of samples, and how many values and classes there are."""

    values: tuple[tuple[Value, ...], ...]
    classes: tuple[int, ...]
    arities: tuple[int, ...]
    n_classes: int
    weights: tuple[Fraction, ...] = ()

    def weight(self, row: int) -> Fraction:
        return Fraction(self.weights[row]) if self.weights else Fraction(1)


@dataclass(frozen=True)
class NaiveBayes:
    """P(class), and P(value | class) as ``features[feature][value][class]``."""

    classes: Joint
    features: tuple[tuple[Joint, ...], ...]

    @classmethod
    def of(cls, samples: Samples, class_prior: Fraction, value_prior: Fraction) -> NaiveBayes:
        n = range(samples.n_classes)
        counts = [_weight(samples, [(None, c)]) for c in n]
        features = []
        for feature, arity in enumerate(samples.arities):
            by_class = [
                _smoothed([_weight(samples, [(feature, v), (None, c)]) for v in range(arity)], value_prior)
                for c in n
            ]
            features.append(tuple(tuple(by_class[c][v] for c in n) for v in range(arity)))
        return cls(tuple(_smoothed(counts, class_prior)), tuple(features))

    def best(
        self, depth: int, costs: Sequence[Fraction] | None = None, budget: Fraction | None = None
    ) -> Fraction:
        """Return the largest expected accuracy of any tree within reach."""
        costs = [Fraction(0)] * len(self.features) if costs is None else costs
        return self._best(self.classes, depth, frozenset(), costs, Fraction(0) if budget is None else budget)

    def _best(
        self, joint: Joint, depth: int, used: frozenset[int], costs: Sequence[Fraction], money: Fraction
    ) -> Fraction:
        values = [max(joint)]
        for feature, likelihoods in enumerate(self.features):
            if depth > 0 and feature not in used and costs[feature] <= money and likelihoods:
                rest = (depth - 1, used | {feature}, costs, money - costs[feature])
                values.append(sum(self._best(times(joint, p), *rest) for p in likelihoods))
        return max(values)

    def whole(self) -> Fraction:
        """Return the expected accuracy of naive Bayes on all features."""
        return sum(
            (
                max(_all_times(self.classes, likelihoods))
                for likelihoods in product(*filter(None, self.features))
            ),
            Fraction(0),
        )

    def value_of(self, feature: int, x: Fraction) -> Fraction:
        """Return Acc(feature, x) of two classes."""
        return sum((max((1 - x) * p[0], x * p[1]) for p in self.features[feature]), Fraction(0))


def times(joint: Joint, likelihood: Joint) -> Joint:
    return tuple(a * b for a, b in zip(joint, likelihood, strict=True))


def _all_times(joint: Joint, likelihoods: Sequence[Joint]) -> Joint:
    for likelihood in likelihoods:
        joint = times(joint, likelihood)
    return joint


def _weight(samples: Samples, conditions: Sequence[tuple[int | None, int]]) -> Fraction:
    """Return the weight of the samples of some values; feature None is the class."""

    def holds(row: int) -> bool:
        return all(
            (samples.classes[row] if feature is None else samples.values[row][feature]) == value
            for feature, value in conditions
        )

    return sum((samples.weight(row) for row in range(len(samples.classes)) if holds(row)), Fraction(0))


def _smoothed(counts: Sequence[Fraction], pseudo_count: Fraction) -> list[Fraction]:
    total = sum(counts, Fraction(0)) + len(counts) * pseudo_count
    if total == 0:
        return [Fraction(1, len(counts))] * len(counts)
    return [(count + pseudo_count) / total for count in counts]
