"""The conditions under which a row ends at a node of a tree."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cached_property

from treewright.trees.exports.program import STOP, Program, Step
from treewright.trees.rules.conditions import (
    INFINITY,
    Condition,
    Interval,
    Levels,
    Merged,
    WeightedSum,
    joined,
)
from treewright.trees.rules.words import shown_cuts

End = tuple[int, tuple[Condition, ...]]
"""A node at which rows end, and what they meet."""


class Paths:
    """Reads the conditions of a tree's branches."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.position = [column.position for column in program.columns]
        self.shown = shown_cuts(program)

    def ends(self, *, merges: bool) -> Iterator[End]:
        """Yield the nodes at which rows end, with merged conditions or those of the path as they stand.

        They are the leaves, and nodes that have no branch for some levels. What no row can meet is left out
        where conditions are merged.
        """
        return self._merged() if merges else self._plain()

    def to(self, node: int) -> tuple[Condition, ...]:
        """Return the merged conditions on the path to a node."""
        met: Merged = {}
        for condition in self._path(node):
            met = joined(met, condition)
        return _told(met)

    @cached_property
    def _parent(self) -> dict[int, int]:
        return {child: number for number, below in enumerate(self.program.children) for child in below}

    def branch(self, number: int, target: int) -> Condition:
        """Return the condition under which a row goes from a step to a target."""
        step = self.program.steps[number]
        if step.ask == "plane":
            return self._side(step, target)
        if step.ask == "number":
            return self._part(step, target)
        return Levels(
            self.position[step.column],
            frozenset(level for level, to in enumerate(step.branches) if to == target),
            len(step.branches),
            step.missing == target,
            step.unseen == target,
        )

    def _side(self, step: Step, target: int) -> Condition:
        plane = self.program.planes[step.plane]
        features = tuple(self.position[term.column] for term in plane.terms)
        above = step.branches[1] == target
        return WeightedSum(features, plane.terms, plane.offset, above, step.missing == target)

    def _part(self, step: Step, target: int) -> Condition:
        feature, missing = self.position[step.column], step.missing == target
        below, above = (branch == target for branch in step.branches)
        if below and above:
            return Interval(feature, missing=missing)
        if not below and not above:
            return Interval(feature, INFINITY, -INFINITY, missing, INFINITY, -INFINITY)
        cut = step.threshold
        if cut == sys.float_info.max:  # every number is below it
            ends = (-INFINITY, INFINITY) if below else (INFINITY, -INFINITY)
            return Interval(feature, *ends, missing, *ends)
        shown = self.shown[step.column, cut]
        if below:
            return Interval(feature, high=cut, missing=missing, shown_high=shown)
        return Interval(feature, low=cut, missing=missing, shown_low=shown)

    def _merged(self) -> Iterator[End]:
        at: dict[int, Merged] = {0: {}}
        for number, step in enumerate(self.program.steps):
            if number not in at:
                continue
            met = at.pop(number)
            if step.ask == "leaf":
                yield number, _told(met)
                continue
            for target in (*self.program.children[number], *_stopped(step)):
                more = joined(met, self.branch(number, target))
                if any(condition.is_empty for condition in more.values()):
                    continue
                if target == STOP:
                    yield number, _told(more)
                else:
                    at[target] = more

    def _plain(self) -> Iterator[End]:
        for number, step in enumerate(self.program.steps):
            if step.ask == "leaf":
                yield number, self._path(number)
            for target in _stopped(step):
                yield number, (*self._path(number), self.branch(number, target))

    def _path(self, number: int) -> tuple[Condition, ...]:
        path: list[Condition] = []
        while number in self._parent:
            path.append(self.branch(self._parent[number], number))
            number = self._parent[number]
        return tuple(reversed(path))


def _stopped(step: Step) -> Sequence[int]:
    """Return the target of levels without a branch, if there are some."""
    return (STOP,) if STOP in step.branches else ()


def _told(met: Merged) -> tuple[Condition, ...]:
    return tuple(condition for condition in met.values() if not condition.is_certain)
