"""Searches by single steps, the obvious way: every tree grown anew, every error counted anew.

The trees are those of ``GreedyTreeClassifier``, which the plain reference judges elsewhere.
They are remembered by their features, so that many searches of one table are affordable;
nothing else is clever here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reference.bridge import Array, core_dataset, core_grow, core_rows
from reference.table import Growing, Table, counted_weights, total_weight
from treewright import _core

Features = frozenset[int]


@dataclass
class Judge:
    """Grows a tree on training samples and counts its errors on validation samples."""

    table: Table
    growing: Growing
    building: Sequence[int]
    search: Sequence[int]
    known: dict[Features, tuple[float, Features]] = field(default_factory=dict)

    def errors(self, features: Features) -> float:
        return self._judged(features)[0]

    def used(self, features: Features) -> Features:
        return self._judged(features)[1]

    @cached_property
    def _building_data(self) -> _core.Dataset:
        return core_dataset(self.table.take(self.building))

    @cached_property
    def _search_columns(self) -> list[Array]:
        return core_rows(self.table, [self.table.row(s) for s in self.search])

    def _judged(self, features: Features) -> tuple[float, Features]:
        if features not in self.known:
            tree = core_grow(self._building_data, self.growing, sorted(features))
            predicted = tree.predict(self._search_columns).tolist()
            self.known[features] = self._errors(predicted), frozenset(tree.used_features)
        return self.known[features]

    def _errors(self, predicted: Sequence[int]) -> float:
        weights, target = counted_weights(self.table, self.growing, self.building), self.table.target
        pairs = zip(self.search, predicted, strict=True)
        return total_weight([weights[s] for s, label in pairs if label != target[s]])


@dataclass(frozen=True)
class Rules:
    """The options of a search; every feature is in one group."""

    groups: tuple[Features, ...]
    start: Features
    fixed: Features = frozenset()
    floating: bool = False
    tolerance: float = 0.0
    parsimonious: bool = False
    min_features: int = 0
    max_features: int = 1000
    tries_untested: bool = True


@dataclass(frozen=True)
class Step:
    """What went or came, and what was there then."""

    changed: tuple[int, ...]
    added: bool
    errors: float
    n_features: int
    n_trees_built: int


class Search:
    """Where a search stands."""

    def __init__(self, judge: Judge, rules: Rules) -> None:
        self.judge, self.rules = judge, rules
        self.selected = rules.start | rules.fixed
        self.n_trees_built = 1
        self.history = [Step((), False, self.errors, len(self.selected), 1)]

    @property
    def errors(self) -> float:
        return self.judge.errors(self.selected)

    @property
    def used(self) -> Features:
        return self.judge.used(self.selected)

    @property
    def fewest(self) -> float:
        return min(step.errors for step in self.history)

    def removable(self) -> list[Features]:
        """List groups of which something is selected, nothing is fixed and enough others are left."""
        return [
            group
            for group in self.rules.groups
            if group & self.selected
            and not group & self.rules.fixed
            and len(self.selected - group) >= self.rules.min_features
        ]

    def tried(self) -> list[Features]:
        """List removable groups worth a tree: only tested ones where the rules leave the others alone."""
        return [group for group in self.removable() if self.rules.tries_untested or group & self.used]

    def addable(self) -> list[Features]:
        return [
            group
            for group in self.rules.groups
            if group - self.selected and len(self.selected | group) <= self.rules.max_features
        ]

    def best(self, sets: list[Features]) -> Features:
        """Return the set with the fewest errors, the first of several."""
        self.n_trees_built += len(sets)
        return min(sets, key=self.judge.errors)

    def move(self, selected: Features) -> None:
        changed = tuple(sorted(self.selected ^ selected))
        is_added = len(selected) > len(self.selected)
        self.selected = selected
        self.history.append(Step(changed, is_added, self.errors, len(selected), self.n_trees_built))


def backward(judge: Judge, rules: Rules) -> Search:
    """Drop the group whose loss leaves the fewest errors, while the rules allow it."""
    at = Search(judge, rules)
    while True:
        if rules.parsimonious:
            drop_untested(at)
        candidates = at.tried()
        if not candidates:
            return at
        without = at.best([at.selected - group for group in candidates])
        errors = judge.errors(without)
        relaxed = rules.parsimonious or rules.tolerance > 0
        if not (errors <= at.fewest + rules.tolerance if relaxed else errors < at.errors):
            return at
        gone = at.selected - without
        at.move(without)
        if rules.floating:
            float_in(at, gone)


def forward(judge: Judge, rules: Rules) -> Search:
    """Add the group that leaves the fewest errors, while they fall."""
    at = Search(judge, rules)
    while candidates := at.addable():
        wider = at.best([at.selected | group for group in candidates])
        if judge.errors(wider) >= at.errors:
            break
        come = wider - at.selected
        at.move(wider)
        if rules.floating:
            float_out(at, come)
    return at


def float_in(at: Search, gone: Features) -> None:
    """Add the best group while that lowers the errors, but not the one just gone."""
    while candidates := [group for group in at.addable() if not group & gone]:
        wider = at.best([at.selected | group for group in candidates])
        if at.judge.errors(wider) >= at.errors:
            return
        at.move(wider)


def float_out(at: Search, come: Features) -> None:
    """Drop the best group while that lowers the errors, but not the one just come."""
    while candidates := [group for group in at.tried() if not group & come]:
        without = at.best([at.selected - group for group in candidates])
        if at.judge.errors(without) >= at.errors:
            return
        at.move(without)


def drop_untested(at: Search) -> None:
    """Let all go that the tree does not test: the last first, where some must stay."""
    selected = at.selected
    for group in reversed(at.rules.groups):
        left = selected - group
        if not group & (at.used | at.rules.fixed) and len(left) >= at.rules.min_features:
            selected = left
    if selected != at.selected:
        at.move(selected)
