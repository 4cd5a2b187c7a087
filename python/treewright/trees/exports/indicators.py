"""The program as comparisons of numbers and of indicators, for a scikit-learn tree.

An indicator is 1 where a nominal column has one of some values, else 0. A test with many branches is a chain:
one indicator for each branch, and what is none of them goes down the last. No step is there twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright.data.types import FloatArray
from treewright.trees.exports.program import STOP, Program, Step, deciding
from treewright.trees.exports.refusal import refusal, shortened
from treewright.trees.rounding32 import MOST, cut_of_rounded

TITLE = "scikit-learn"


@dataclass(frozen=True)
class Key:
    """What is compared: a column of numbers, or whether a column has one of some values.

    `codes` are positions of levels, ascending; the one after the last level is a missing value.
    """

    column: int
    codes: tuple[int, ...] = ()


@dataclass
class Node:
    """A comparison, whose first child has what is not above the threshold; a leaf where `key` is None."""

    step: int
    key: Key | None = None
    threshold: float = 0.5
    first: int = -1
    second: int = -1
    missing_is_first: bool = False


@dataclass(frozen=True)
class Arm:
    """Codes of a nominal column that go to one place."""

    key: Key
    target: int


@dataclass(frozen=True)
class Goal:
    """What a node is still to become: a step, or the rest of a chain within a step."""

    step: int
    arms: tuple[Arm, ...] = ()
    rest: int = STOP
    is_step: bool = True


def nodes_of(program: Program) -> list[Node]:
    """Return all nodes, the root first, a child behind its parent."""
    return _Builder(program).nodes()


class _Builder:
    """Builds nodes, those of a step before those of the steps below."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.found = [Node(0)]
        self.waiting = [(0, Goal(0))]

    def nodes(self) -> list[Node]:
        """Build all nodes."""
        while self.waiting:
            at, goal = self.waiting.pop()
            step = self.program.steps[goal.step]
            if not goal.is_step:
                self.chain(at, goal)
            elif step.ask == "level":
                arms, rest = _arms(step, goal.step)
                self.chain(at, Goal(goal.step, arms, rest, is_step=False))
            elif step.ask == "number":
                self.number(at, goal.step, step)
            else:
                self.found[at] = Node(goal.step)
        return self.found

    def new(self, goal: Goal) -> int:
        """Return the number of a node that is still to be built."""
        self.found.append(Node(goal.step))
        self.waiting.append((len(self.found) - 1, goal))
        return len(self.found) - 1

    def to(self, target: int, step: int) -> int:
        """Return the number of the node of a target: a step, or a leaf in which one ends."""
        if target != STOP:
            return self.new(Goal(target))
        self.found.append(Node(step))
        return len(self.found) - 1

    def chain(self, at: int, goal: Goal) -> None:
        """Ask for the first of some groups of values."""
        if not goal.arms:
            self.found[at] = Node(goal.step)
            if goal.rest != STOP:
                self.waiting.append((at, Goal(goal.rest)))
            return
        arm = goal.arms[0]
        rest = Goal(goal.step, goal.arms[1:], goal.rest, is_step=False)
        self.found[at] = Node(goal.step, arm.key, first=self.new(rest), second=self.to(arm.target, goal.step))

    def number(self, at: int, number: int, step: Step) -> None:
        """Compare a number; where a missing one goes its own way, ask for that before."""
        below, above = step.branches
        key = Key(step.column)
        if step.missing not in (below, above) or below == above:
            known = len(self.found)
            self.found.append(Node(number))
            self.found[at] = Node(number, key, MOST, known, self.to(step.missing, number))
            at = known
        if below == above:
            self.waiting.append((at, Goal(below)))
            return
        first, second = self.to(below, number), self.to(above, number)
        cut = self.cut(number, step)
        self.found[at] = Node(number, key, cut, first, second, step.missing == below)

    def cut(self, number: int, step: Step) -> float:
        """Return a threshold for numbers of 32 bits."""
        low, high = self.program.cut_values[number].tolist()
        cut = cut_of_rounded(float(step.threshold), low, high)
        if cut is None:
            name = shortened(self.program.columns[step.column].name)
            reason = (
                f"rounds numbers to 32 bits, in which the training values {low!r} and {high!r} of '{name}' "
                f"on either side of {step.threshold!r} are one number or none"
            )
            raise refusal(TITLE, reason, "scale the column, or subtract a constant from it, before fitting")
        return cut


def _arms(step: Step, number: int) -> tuple[tuple[Arm, ...], int]:
    """Return the groups of values with their targets, and the target of all others."""
    groups: dict[int, list[int]] = {}
    for code, target in enumerate((*step.branches, step.missing)):
        groups.setdefault(target, []).append(code)
    groups.pop(step.unseen, None)
    return tuple(Arm(Key(step.column, tuple(codes)), target) for target, codes in groups.items()), step.unseen


def weights_of(program: Program, nodes: Sequence[Node]) -> FloatArray:
    """Return the weight of every class at every node, ndarray of shape (n_nodes, n_classes).

    A leaf in which a step ends has what the branches of the step do not.
    """
    weights = np.zeros((len(nodes), len(program.classes)))
    for at in reversed(range(len(nodes))):
        node = nodes[at]
        if node.key is not None:
            weights[at] = weights[node.first] + weights[node.second]
            continue
        below = program.children[node.step]
        held = program.class_weights[below.start : below.stop].sum(axis=0)
        weights[at] = np.maximum(program.class_weights[node.step] - held, 0.0)
    return weights


def shares_of(program: Program, step: int) -> FloatArray:
    """Return shares of classes of which the first of the largest is the answer of a step.

    They are the step's own, where these decide; a tie is decided by the last bit. With costs or a threshold
    the answer has all.
    """
    answer = program.steps[step].answer
    alone: FloatArray = np.eye(len(program.classes))[answer]
    shares: FloatArray = np.array(program.parts(step))
    if deciding(program) != "largest" or shares[answer] < shares.max():
        return alone
    if shares.argmax() != answer:
        shares[answer] = np.nextafter(shares[answer], 2.0)
    return shares
