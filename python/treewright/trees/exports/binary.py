"""The program as a tree of two branches, which compares numbers: for targets that know nothing else.

Columns are numbers, with NaN where they are missing, or codes of levels. A row goes on by
``value <= threshold``; each node says which way NaN goes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from treewright.trees.exports.program import Program, Step
from treewright.trees.exports.questions import ANSWERS, first_of, folded

LARGEST = sys.float_info.max


@dataclass
class Node:
    """A comparison, or an answer where `column` is -1."""

    column: int = -1
    threshold: float = 0.0
    yes: int = -1
    no: int = -1
    nan_is_yes: bool = False
    answer: int = -1


@dataclass(frozen=True)
class Encoding:
    """Codes of a column in another order, in which all values that go to one place stand together."""

    column: int
    order: tuple[int, ...]
    """The levels; a missing value comes before the first."""
    unseen: int
    """Code of a value that is no level: after the last, or before a missing one."""


@dataclass(frozen=True)
class Binary:
    """Nodes, the root first; columns are those of the program, then its planes, then encodings."""

    nodes: list[Node]
    encodings: list[Encoding]


Part = tuple[tuple[int, int], ...]
"""Targets of codes, each with its first code."""


def binary_nodes(program: Program) -> Binary:
    """Split all steps into comparisons; no step is there twice."""
    builder = _Builder(program)
    return Binary(builder.nodes(), list(builder.encodings))


class _Builder:
    """Splits steps into comparisons."""

    def __init__(self, program: Program) -> None:
        self.program, self.steps = program, folded(program)
        self.n_columns = len(program.columns) + len(program.planes)
        self.encodings: dict[Encoding, int] = {}
        self.found: list[Node] = [Node()]
        self.waiting: list[tuple[int, Part, int]] = [(0, ((0, first_of(program)),), -1)]

    def nodes(self) -> list[Node]:
        """Build all nodes."""
        while self.waiting:
            at, part, column = self.waiting.pop()
            target = part[0][1]
            if len(part) > 1:
                self.halve(at, part, column)
            elif target <= ANSWERS:
                self.found[at] = Node(answer=ANSWERS - target)
            else:
                self.ask(at, target)
        return self.found

    def new(self, part: Part, column: int = -1) -> int:
        """Return the number of a node that is still to be built."""
        self.found.append(Node())
        self.waiting.append((len(self.found) - 1, part, column))
        return len(self.found) - 1

    def to(self, target: int) -> int:
        """Return the number of the node of a target."""
        return self.new(((0, target),))

    def ask(self, at: int, number: int) -> None:
        """Build the nodes of a step."""
        step = self.steps[number]
        if step.ask == "level":
            self.levels(at, step)
            return
        is_plane = step.ask == "plane"
        column = len(self.program.columns) + step.plane if is_plane else step.column
        cut = self.program.planes[step.plane].offset if is_plane else step.threshold
        below, above = step.branches
        if below == above:
            self.known(at, column, below, step.missing)
        elif step.missing in (below, above):
            yes, no = self.to(below), self.to(above)
            self.found[at] = Node(column, cut, yes, no, step.missing == below)
        else:
            yes = self.to(below)
            no = len(self.found)
            self.found.append(Node())
            self.found[at] = Node(column, cut, yes, no)
            self.known(no, column, above, step.missing)

    def known(self, at: int, column: int, known: int, missing: int) -> None:
        """Ask whether there is a number."""
        yes, no = self.to(known), self.to(missing)
        self.found[at] = Node(column, LARGEST, yes, no)

    def levels(self, at: int, step: Step) -> None:
        """Put the levels of each target together: those of a missing value first, of an unseen one last."""
        groups: dict[int, list[int]] = {step.missing: []}
        for code, target in enumerate(step.branches):
            groups.setdefault(target, []).append(code)
        if step.unseen != step.missing:
            groups[step.unseen] = groups.pop(step.unseen, [])
        order: list[int] = []
        part: list[tuple[int, int]] = []
        for target, codes in groups.items():
            part.append((len(order), target))
            order += codes
        unseen = len(order) if step.unseen != step.missing else -2
        encoding = Encoding(step.column, tuple(order), unseen)
        place = self.encodings.setdefault(encoding, len(self.encodings))
        self.waiting.append((at, tuple(part), self.n_columns + place))

    def halve(self, at: int, part: Part, column: int) -> None:
        """Compare with the code at which the second half of the targets starts."""
        middle = len(part) // 2
        yes, no = self.new(part[:middle], column), self.new(part[middle:], column)
        self.found[at] = Node(column, part[middle][0] - 0.5, yes, no)


def depth_of(nodes: Sequence[Node]) -> int:
    """Return the number of comparisons on the longest path."""
    depth = [0] * len(nodes)
    for number, node in enumerate(nodes):
        for below in (node.yes, node.no):
            if below >= 0:
                depth[below] = depth[number] + 1
    return max(depth)
