"""C4.5 release 8's growing, written as plainly as it can be.

Two ways to the splits. Where rows stay whole, or have weights, sums are exact and only
then rounded to single precision (`_Exact`). Where rows of weight 1 go down in shares, the
rows stand in a list that every look at a numeric feature sorts, and sums are taken in the
order in which they stand (`_Planner`); the tree is then counted exactly along that plan.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from reference.grow import Grower, Node, Shares, Tree
from reference.numbers import SLACK, UNIT_MASS, UNIT_WEIGHT, WHOLE_SHARE, mass_of, weight_of
from reference.single import (
    EPSILON,
    Cut,
    Limits,
    Offer,
    best_offer,
    cuts_offer,
    levels_offer,
    single,
    total,
)
from reference.splits import Split
from reference.table import Column, Growing, Table, as_counted, filled, filling

MANY_LEVELS = 0.3


def grow(table: Table, growing: Growing, features: Sequence[int] | None = None) -> Tree:
    """Grow C4.5's tree of a table with the given features, or with all."""
    allowed = list(range(table.n_features)) if features is None else sorted(features)
    table, growing, weights = as_counted(table, growing)
    fillings = tuple(filling(c, weights, growing.missing) for c in table.columns)
    columns = [filled(c, fill) for c, fill in zip(table.columns, fillings, strict=True)]
    least = max(growing.min_samples_split, 2 * growing.min_samples_branch)
    growing = replace(growing, min_samples_split=least)
    grower = _Exact(table, growing, weights, columns)
    grower.averaged = _averaged(columns, allowed, sum(weights) / UNIT_WEIGHT)
    everyone = dict.fromkeys(range(table.n_samples), WHOLE_SHARE)
    is_shared = any(None in columns[feature].values for feature in allowed)
    if is_shared and set(weights) == {UNIT_WEIGHT}:
        plan = _Planner(table, growing, columns, allowed, grower.averaged).plan()
        root = grower.follow(everyone, plan, 0, None)
    else:
        grown = grower.node(everyone, allowed, 0, None)
        root = grown if growing.collapse is False else _collapsed(grown)[0]
    return Tree(root, table.n_classes, fillings, growing.routing)


def _averaged(columns: Sequence[Column], allowed: Sequence[int], weight: float) -> list[int]:
    """Features whose gain counts in the average: few levels, or all where none has few."""
    few = [f for f in allowed if (columns[f].n_levels or 0) < MANY_LEVELS * weight]
    return few or list(allowed)


def _collapsed(node: Node) -> tuple[Node, float]:
    """Cut what saves nothing; return the node and the errors of the leaves below as grown."""
    as_leaf = weight_of(node.mass - node.class_masses[node.node_class])
    if node.feature is None:
        return node, as_leaf
    below = [_collapsed(child) for child in node.children]
    errors = sum(errors for _, errors in below)
    if errors >= as_leaf - EPSILON:
        return replace(node, feature=None, threshold=None, children=()), errors
    return replace(node, children=tuple(child for child, _ in below)), errors


def _threshold(cut: tuple[float, float], values: Sequence[float]) -> float:
    """Largest training value that is not above the middle, in single precision."""
    low, high = cut
    if math.isinf(high):
        return sys.float_info.max
    middle = single(single(single(low) + single(high)) / 2)
    return max(v for v in values if low == v or (single(v) <= middle and v < high))


class _Exact(Grower):
    """Counts in exact masses."""

    averaged: Sequence[int] = ()

    def _best_split(self, shares: Shares, features: Sequence[int], mass: int) -> Split | None:
        offers = [self._offer(shares, feature, mass) for feature in features]
        found = [offer for offer in offers if offer is not None]
        best = best_offer(found, _averaging(self.growing, self.averaged), self.growing.criterion)
        return None if best is None else self._as_split(shares, best.feature, best.cut)

    def _threshold_of(self, split: Split) -> float | None:
        return None if split.cut is None else _threshold(split.cut, self._training_values(split.feature))

    def _as_split(self, shares: Shares, feature: int, cut: tuple[float, float] | None) -> Split:
        masses, _ = self._masses_by_value(shares, feature)
        none = [0] * self.table.n_classes
        if cut is None:
            n_levels = self.columns[feature].n_levels or 0
            return Split(feature, None, [masses.get(level, none) for level in range(n_levels)], 0)
        below = [m for value, m in masses.items() if value <= cut[0]]
        above = [m for value, m in masses.items() if value > cut[0]]
        return Split(feature, cut, [_summed([none, *below]), _summed([none, *above])], 0)

    def _offer(self, shares: Shares, feature: int, mass: int) -> Offer | None:
        limits = _limits(self.growing, SLACK)
        masses, _ = self._masses_by_value(shares, feature)
        by_class = _summed([[0] * self.table.n_classes, *masses.values()])
        everyone = self._class_masses(shares)
        if self.columns[feature].is_nominal:
            unknown = [_rounded(a - b) for a, b in zip(everyone, by_class, strict=True)]
            levels = [list(map(_rounded, masses[level])) for level in sorted(masses)]
            return levels_offer(feature, unknown, levels, _rounded(mass), limits)
        known = sum(by_class)
        weights = _rounded(mass), _rounded(known), _rounded(mass - known)
        places, below = [], [0] * self.table.n_classes
        values = sorted(masses)
        for low, high in pairwise(values):
            below = [a + b for a, b in zip(below, masses[low], strict=True)]
            above = [a - b for a, b in zip(by_class, below, strict=True)]
            sides = tuple(map(_rounded, below)), tuple(map(_rounded, above))
            places.append(Cut((low, high), _rounded(sum(below)), *sides))
        return cuts_offer(feature, places, list(map(_rounded, by_class)), weights, limits)

    def follow(self, shares: Shares, plan: _Plan | None, depth: int, parent_class: int | None) -> Node:
        """Count the tree that a plan describes."""
        masses = tuple(self._class_masses(shares))
        label = self._class_of(masses, parent_class)
        if plan is None or sum(masses) == 0 or self._must_be_leaf(masses, depth):
            return Node(depth, label, masses)
        split = self._as_split(shares, plan.feature, plan.cut)
        branches = zip(self._divide(shares, split), plan.branches, strict=True)
        children = tuple(self.follow(branch, below, depth + 1, label) for branch, below in branches)
        return Node(depth, label, masses, plan.feature, self._threshold_of(split), children)


def _averaging(growing: Growing, averaged: Sequence[int]) -> Sequence[int] | None:
    """Return the features whose gains make the average; None where there is no average to reach."""
    return None if growing.average_gain is False else averaged


def _limits(growing: Growing, slack: int) -> Limits:
    """Return the limits in single precision, a little less than they are."""
    leaf = mass_of(growing.min_samples_leaf)
    leaf, branch = 0 if leaf <= UNIT_MASS else leaf, mass_of(growing.min_samples_branch)
    least_branch, least_leaf = (_rounded(max(mass - slack, 0)) for mass in (branch, leaf))
    return Limits(least_branch, least_leaf, growing.min_gain, growing.mdl_correction is not False)


def _summed(rows: Sequence[Sequence[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _rounded(mass: int) -> float:
    return single(weight_of(mass))


@dataclass(frozen=True)
class _Plan:
    """A split and what is below it; None is a leaf."""

    feature: int
    cut: tuple[float, float] | None
    branches: tuple[_Plan | None, ...]


@dataclass
class _Planner:
    """Release 8's array of rows; a stretch of it is a node."""

    table: Table
    growing: Growing
    columns: Sequence[Column]
    features: Sequence[int]
    averaged: Sequence[int]
    rows: list[int] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    are_whole: bool = True
    alike: dict[Column, list[tuple[float, float]]] = field(default_factory=dict)

    def plan(self) -> _Plan | None:
        """Plan the whole tree."""
        self.rows = list(range(self.table.n_samples))
        self.weight = [1.0] * self.table.n_samples
        self.alike = {column: _alike(column) for column in self.columns if not column.is_nominal}
        return self._node(range(self.table.n_samples), self.features, 0)[0]

    def _node(self, at: range, features: Sequence[int], depth: int) -> tuple[_Plan | None, float]:
        """Plan a stretch; return the errors of its leaves too."""
        weight = self._count(at)
        largest = max(self._classes(at))
        as_leaf = single(weight - largest)
        too_light = weight < _rounded(mass_of(self.growing.min_samples_split))
        if largest == weight or too_light or depth == self.growing.max_depth:
            return None, as_leaf
        offers = [self._offer(at, feature, weight) for feature in features]
        found = [offer for offer in offers if offer is not None]
        best = best_offer(found, _averaging(self.growing, self.averaged), self.growing.criterion)
        if best is None:
            return None, as_leaf
        branches, errors = self._branches(at, best, features, weight, depth)
        plan = _Plan(best.feature, best.cut, tuple(branches))
        collapses = self.growing.collapse is not False and errors >= as_leaf - EPSILON
        return (None if collapses else plan), errors

    def _branches(
        self, at: range, best: Offer, features: Sequence[int], weight: float, depth: int
    ) -> tuple[list[_Plan | None], float]:
        values, were_whole = self.columns[best.feature].values, self.are_whole
        known = self._forward(at, lambda row: values[row] is None)
        self.are_whole = were_whole and known == at.start
        known_weight = single(weight - self._count(range(at.start, known)))
        n_branches = 2 if best.cut else self.columns[best.feature].n_levels or 0
        if best.cut is None:
            features = [feature for feature in features if feature != best.feature]
        plans: list[_Plan | None] = []
        errors = 0.0
        for branch in range(n_branches):
            end = self._forward(range(known, at.stop), self._is_in(best, branch))
            below = None
            if end > known:
                part = single(self._count(range(known, end)) / known_weight)
                for i in range(at.start, known):
                    self.weight[i] = single(self.weight[i] * part)
                below, made = self._node(range(at.start, end), features, depth + 1)
                errors = single(errors + made)
                self._forward(range(at.start, end), lambda row: values[row] is None)
                for i in range(at.start, known):
                    self.weight[i] = single(self.weight[i] / part)
            plans.append(below)
        self.are_whole = were_whole
        return plans, errors

    def _is_in(self, best: Offer, branch: int) -> Callable[[int], bool]:
        values = self.columns[best.feature].values
        if best.cut is None:
            return lambda row: values[row] == branch
        low, high = best.cut
        if branch == 0:
            return lambda row: (values[row] or 0.0) <= low
        return lambda row: (values[row] or 0.0) >= high

    def _count(self, at: range) -> float:
        return float(len(at)) if self.are_whole else total(self.weight[at.start : at.stop])

    def _classes(self, at: Sequence[int]) -> list[float]:
        classes = [0.0] * self.table.n_classes
        for i in at:
            label = self.table.target[self.rows[i]]
            classes[label] = single(classes[label] + self.weight[i])
        return classes

    def _forward(self, at: range, goes: Callable[[int], bool]) -> int:
        """Swap the rows that go to the front; return where they end."""
        front = at.start
        for i in at:
            if goes(self.rows[i]):
                self._swap(front, i)
                front += 1
        return front

    def _swap(self, i: int, j: int) -> None:
        self.rows[i], self.rows[j] = self.rows[j], self.rows[i]
        self.weight[i], self.weight[j] = self.weight[j], self.weight[i]

    def _offer(self, at: range, feature: int, weight: float) -> Offer | None:
        column = self.columns[feature]
        limits = _limits(self.growing, 0)
        if column.is_nominal:
            at_level = {
                level: self._classes([i for i in at if column.values[self.rows[i]] == level])
                for level in (None, *range(column.n_levels or 0))
            }
            unknown = at_level.pop(None)
            return levels_offer(feature, unknown, list(at_level.values()), weight, limits)
        weight = self._count(at)  # as the rows stand now
        known = self._forward(at, lambda row: column.values[row] is None)
        unknown_weight = total(self._classes(range(at.start, known)))
        weights = weight, single(weight - unknown_weight), unknown_weight
        if weights[1] < single(2 * limits.min_side):
            return None
        self._sort(range(known, at.stop), [single(v or 0.0) for v in column.values])
        cuts = self._cuts(column, range(known, at.stop))
        return cuts_offer(feature, cuts, self._classes(range(known, at.stop)), weights, limits)

    def _cuts(self, column: Column, at: range) -> list[Cut]:
        alike = self.alike[column]
        below, above, weight, places = [0.0] * self.table.n_classes, self._classes(at), 0.0, []
        for i in at[:-1]:
            label = self.table.target[self.rows[i]]
            weight = single(weight + self.weight[i])
            below[label] = single(below[label] + self.weight[i])
            above[label] = single(above[label] - self.weight[i])
            low, high = alike[self.rows[i]], alike[self.rows[i + 1]]
            if low != high:
                between = low[1], high[0]
                places.append(Cut(between, weight, tuple(below), tuple(above)))
        return places

    def _sort(self, at: range, values: Sequence[float]) -> None:
        """Sort by dividing at the last row's value, the equal ones gathered from behind."""
        if len(at) < 2:
            return
        last = at.stop - 1
        pivot = values[self.rows[last]]
        middle = self._forward(range(at.start, last), lambda row: values[row] <= pivot)
        lower = middle
        for i in reversed(range(at.start, middle)):
            if values[self.rows[i]] == pivot:
                lower -= 1
                self._swap(lower, i)
        self._sort(range(at.start, lower), values)
        self._swap(middle, last)
        self._sort(range(middle + 1, at.stop), values)


def _alike(column: Column) -> list[tuple[float, float]]:
    """For every row the lowest and the highest value that single precision does not tell from its own."""
    extent: dict[float, tuple[float, float]] = {}
    for value in column.values:
        if value is not None:
            low, high = extent.get(single(value), (value, value))
            extent[single(value)] = min(low, value), max(high, value)
    return [(0.0, 0.0) if value is None else extent[single(value)] for value in column.values]
