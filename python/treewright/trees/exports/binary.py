"""The program as a tree of two branches, which compares numbers: for targets that know nothing else.

Columns are numbers, with NaN where they are missing, or codes (a code more for a missing value, one for a
value that is no level), then the sums of the planes. A row goes on by ``value <= threshold``; each node says
which way NaN goes.
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
    step: int = -1
    """The step of the program at which it stands."""


Piece = tuple[int, Step | None, int, int]
"""A target; or a part of a step of levels: the step, and the first code and the one after the last."""


def binary_nodes(program: Program) -> list[Node]:
    """Return the nodes, the root first, each before its branches."""
    return _Builder(program).nodes()


class _Builder:
    """Splits steps into comparisons."""

    def __init__(self, program: Program) -> None:
        self.program, self.steps = program, folded(program)
        self.found: list[Node] = [Node()]
        self.waiting: list[tuple[int, Piece]] = [(0, (first_of(program), None, 0, 0))]

    def nodes(self) -> list[Node]:
        """Build all nodes."""
        while self.waiting:
            at, (target, step, first, last) = self.waiting.pop()
            if step is not None:
                self.levels(at, target, step, first, last)
            elif target <= ANSWERS:
                self.found[at] = Node(answer=ANSWERS - target)
            else:
                self.ask(at, target)
        return self.found

    def new(self, target: int, step: Step | None = None, first: int = 0, last: int = 0) -> int:
        """Return the number of a node that is still to be built."""
        self.found.append(Node())
        self.waiting.append((len(self.found) - 1, (target, step, first, last)))
        return len(self.found) - 1

    def ask(self, at: int, number: int) -> None:
        """Build the nodes of a step."""
        step = self.steps[number]
        if step.ask == "level":
            self.levels(at, number, step, 0, len(step.branches) + 2)
            return
        is_plane = step.ask == "plane"
        column = len(self.program.columns) + step.plane if is_plane else step.column
        cut = self.program.planes[step.plane].offset if is_plane else step.threshold
        below, above = step.branches
        if below == above:
            self.known(at, column, below, step.missing, number)
        elif step.missing in (below, above):
            yes, no = self.new(below), self.new(above)
            self.found[at] = Node(column, cut, yes, no, step.missing == below, step=number)
        else:
            yes = self.new(below)
            no = len(self.found)
            self.found.append(Node())
            self.found[at] = Node(column, cut, yes, no, step=number)
            self.known(no, column, above, step.missing, number)

    def known(self, at: int, column: int, known: int, missing: int, number: int) -> None:
        """Ask whether there is a number."""
        yes, no = self.new(known), self.new(missing)
        self.found[at] = Node(column, LARGEST, yes, no, step=number)

    def levels(self, at: int, number: int, step: Step, first: int, last: int) -> None:
        """Halve codes until all of a part go to one target."""
        targets = (*step.branches, step.missing, step.unseen)
        ends = _ends(targets, first, last)
        if not ends:
            self.waiting.append((at, (targets[first], None, 0, 0)))
            return
        middle = ends[len(ends) // 2]
        yes, no = self.new(number, step, first, middle), self.new(number, step, middle, last)
        self.found[at] = Node(step.column, middle - 0.5, yes, no, step=number)


def _ends(targets: Sequence[int], first: int, last: int) -> list[int]:
    """Return the codes within a part at which another target starts."""
    return [code for code in range(first + 1, last) if targets[code] != targets[code - 1]]


def depth_of(nodes: Sequence[Node]) -> int:
    """Return the number of comparisons on the longest path."""
    depth = [0] * len(nodes)
    for number, node in enumerate(nodes):
        for below in (node.yes, node.no):
            if below >= 0:
                depth[below] = depth[number] + 1
    return max(depth)
