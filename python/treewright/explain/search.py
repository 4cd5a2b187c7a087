"""The least change of a row that gives another class: the cheapest box first.

    heap = the box of all rows
    loop
        take the box of least cost: fewest features, then least distance
        if it answers wholly: it is the least change, if the class is another one
        else put the boxes of its branches back, which cost as much or more

Boxes only shrink on the way, so their costs only rise: the first answer of another class is the least
change. A row with a missing value may be at several nodes at once, each with its share. Weighted sums are
left out of the cost until all is asked; then a mixed-integer program gives the exact one, and the box goes
back.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from treewright.explain.boxes import KEPT, Box, Kept, Row, meeting, missing_out
from treewright.explain.planes import Solved, solve
from treewright.trees.exports.program import SHARE, STOP, Program
from treewright.trees.rules.conditions import Condition, WeightedSum
from treewright.trees.rules.paths import Paths

Place = tuple[int, ...]
"""Where rows of a box are: nodes of a tree, all of them ends or not; or the next rule of a list."""


class Subject(Protocol):
    """A model as questions: where rows begin, and where they go on."""

    @property
    def start(self) -> Place:
        """Where all rows begin."""

    def branches(self, box: Box, place: Place, row: Row) -> Iterator[tuple[Box, Place]]:
        """Yield the parts of a box and where they go on; nothing where all is asked."""

    def answer(self, place: Place) -> int | None:
        """Return the class where all is asked; None where it depends on shares."""

    def is_end(self, place: Place) -> bool:
        """Whether all is asked."""


class TreeSubject:
    """A tree as questions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.paths = Paths(program)
        self.start: Place = (0,)

    def is_end(self, place: Place) -> bool:
        """Whether no node asks any more; a node at which rows stop is marked by its complement."""
        return all(self._is_end(node) for node in place)

    def _is_end(self, node: int) -> bool:
        return node < 0 or self.program.steps[node].ask == "leaf"

    def answer(self, place: Place) -> int | None:
        """Return the class of the one node at which rows are."""
        if len(place) > 1:
            return None
        node = place[0]
        return self.program.steps[node if node >= 0 else ~node].answer

    def branches(self, box: Box, place: Place, row: Row) -> Iterator[tuple[Box, Place]]:
        """Ask the first node that does; where it shares a row, go on at all its branches."""
        at = next((i for i, node in enumerate(place) if not self._is_end(node)), None)
        if at is None:
            return
        for part, targets in self._asked(box, place[at], row):
            yield part, (*place[:at], *targets, *place[at + 1 :])

    def _asked(self, box: Box, node: int, row: Row) -> Iterator[tuple[Box, Place]]:
        """Yield the parts of a box at a node, and where they go on from it."""
        step, below = self.program.steps[node], self.program.children[node]
        if step.ask == "plane":
            yield from self._summed(box, node, row)
            return
        feature = self.paths.position[step.column]
        target = step.unseen if row.is_unseen(feature) else step.missing
        is_open = isinstance(box.entries.get(feature), Kept | None)
        if target == SHARE and row.is_missing(feature) and is_open:
            yield box.with_entry(feature, KEPT), tuple(below)
        for target in (*below, *((STOP,) if STOP in step.targets else ())):
            for part in meeting(box, self.paths.branch(node, target), row):
                yield part, (self._to(node, target),)

    def _summed(self, box: Box, node: int, row: Row) -> Iterator[tuple[Box, Place]]:
        """Yield the parts of a box in which a sum is unknown, or on one of its sides."""
        step = self.program.steps[node]
        for target in step.branches:
            side = self.paths.branch(node, target)
            assert isinstance(side, WeightedSum), "a plane has two sides"
            for part in meeting(box, replace(side, missing=target == step.branches[0]), row):
                is_known = len(part.sums) > len(box.sums)
                to = target if is_known else step.missing
                yield part, tuple(self.program.children[node]) if to == SHARE else (self._to(node, to),)

    def _to(self, node: int, target: int) -> int:
        return ~node if target == STOP else target


class ListSubject:
    """A list of rules as questions: the place is the next rule, or behind the end the complement of one."""

    def __init__(self, rules: Sequence[tuple[Sequence[Condition], int]], default: int) -> None:
        self.rules = rules
        self.default = default
        self.start: Place = (0,)

    def is_end(self, place: Place) -> bool:
        """Whether a rule holds, or none does."""
        return place[0] < 0 or place[0] == len(self.rules)

    def answer(self, place: Place) -> int | None:
        """Return the class of the rule that holds, or the default."""
        return self.default if place[0] >= 0 else self.rules[~place[0]][1]

    def branches(self, box: Box, place: Place, row: Row) -> Iterator[tuple[Box, Place]]:
        """Meet the next rule, or fail its first, second, … condition."""
        if self.is_end(place):
            return
        number = place[0]
        parts = [box]
        for condition in self.rules[number][0]:
            for part in parts:
                for failing in missing_out(part, condition, row):
                    yield failing, (number + 1,)
            parts = [met for part in parts for met in meeting(part, condition, row)]
        for part in parts:
            yield part, (~number,)


@dataclass(frozen=True)
class Found:
    """The least change: values by feature, and what it costs; None where no change was found.

    `bound` is what every change costs at least: equal to the cost where that is proven.
    """

    values: dict[int, float] | None
    box: Box | None
    cost: tuple[int, float] | None
    bound: tuple[float, float] | None
    status: str
    n_searched: int


class Asked(Protocol):
    """What says which class a row with other values has."""

    def __call__(self, values: dict[int, float]) -> int:
        """Return the class of the row with these values in the place of its own."""


@dataclass(frozen=True)
class Aim:
    """Which classes count as another one."""

    own: int
    to: int | None

    def is_met(self, answer: int) -> bool:
        """Whether a class is wanted."""
        return answer != self.own if self.to is None else answer == self.to


@dataclass(frozen=True)
class _Open:
    box: Box
    place: Place
    solved: Solved | None = None


def least_change(subject: Subject, row: Row, aim: Aim, predict: Asked, node_limit: int) -> Found:
    """Find the least change that gives a wanted class."""
    heap: list[tuple[int, float, int, _Open]] = [(0, 0.0, 0, _Open(Box(), subject.start))]
    n_searched = serial = 0
    while heap:
        n_features, distance, _, state = heapq.heappop(heap)
        if n_searched >= node_limit:
            return Found(None, None, None, (n_features, distance), "node_limit", n_searched)
        n_searched += 1
        if subject.is_end(state.place):
            following, found = _ended(subject, state, row, aim, predict)
            if found is not None:
                cost = (n_features, distance)
                return Found(found, state.box, cost, cost, "optimal", n_searched)
        else:
            parts = subject.branches(state.box, state.place, row)
            following = [_Open(box, place) for box, place in parts]
        for other in following:
            least = other.box.cost(row) if other.solved is None else other.solved.cost
            if least is not None:
                serial += 1
                heapq.heappush(heap, (*least, serial, other))
    return Found(None, None, None, None, "optimal", n_searched)


def _ended(
    subject: Subject, state: _Open, row: Row, aim: Aim, predict: Asked
) -> tuple[list[_Open], dict[int, float] | None]:
    """Return the values of a change if it is one; or the same box with its exact cost."""
    answer = subject.answer(state.place)
    if answer is not None and not aim.is_met(answer):
        return [], None
    if not state.box.sums:
        values = state.box.nearest(row)
        assert values is not None, "a box with a cost has values"
        return [], values if aim.is_met(predict(values)) else None
    if state.solved is None:
        solved = solve(state.box, row, lambda values: aim.is_met(predict(values)))
        return ([] if solved is None else [_Open(state.box, state.place, solved)]), None
    return [], state.solved.values
