"""How many rows a rule holds of, and how often it is right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright import _core
from treewright.data.types import FloatArray


@dataclass(frozen=True)
class Figures:
    """What is known of a rule; None where classes, or weights, are not.

    Attributes
    ----------
    n : float
        Number of rows; a row of which only a share gets there counts with its share.
    errors : float or None
        Number of those of another class.
    weight : float
        Weight of the rows.
    coverage : float or None
        Their share of the weight of all rows.
    share : float or None
        Share of the rule's class in the weight of its rows.
    lift : float or None
        That share by the share of the class in all rows: above 1 where the rule finds the class.
    cost : float or None
        What the rule's answer to its rows costs, where the tree has a cost matrix.
    """

    n: float
    errors: float | None = None
    weight: float = 0.0
    coverage: float | None = None
    share: float | None = None
    lift: float | None = None
    cost: float | None = None


@dataclass(frozen=True, eq=False)
class Tally:
    """Rows by node, or by rule, and class: their numbers, if those are known, and their weights."""

    weights: FloatArray
    counts: FloatArray | None
    totals: FloatArray
    """Weights of all rows by class."""
    costs: FloatArray | None
    has_classes: bool = True
    is_own: bool = False
    """Whether these are the rows that grew the tree."""

    def of(self, place: int, answer: int) -> Figures:
        """Return the figures of the rows in one place, whose answer is known."""
        weights = self.weights[place]
        counted = weights if self.counts is None else self.counts[place]
        n, weight, total = float(counted.sum()), float(weights.sum()), float(self.totals.sum())
        coverage = weight / total if total > 0 else None
        if not self.has_classes:
            return Figures(n, None, weight, coverage)
        share = float(weights[answer]) / weight if weight > 0 else None
        prior = float(self.totals[answer]) / total if total > 0 else 0.0
        lift = None if share is None or prior == 0 else share / prior
        cost = None if self.costs is None else float(weights @ self.costs[:, answer])
        return Figures(n, max(n - float(counted[answer]), 0.0), weight, coverage, share, lift, cost)


def ended_at(core: _core.Tree, passed: FloatArray) -> FloatArray:
    """Return what ends at each node, of what gets there: all at a leaf, else what no child has."""
    ended = passed.copy()
    np.subtract.at(ended, core.parent[1:], passed[1:])
    noise = 1e-9 * passed
    return np.where(ended > noise, ended, 0.0)
