"""What a step asks, in the order in which languages ask it; the last answer is for all other rows.

A question about a missing value is neither true nor false, or false; so a row without a value comes to the
questions after it. Targets that lead to one place are asked for once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from treewright.trees.exports.program import STOP, Program, Step

ANSWERS = -3
"""Targets from here down are answers: this less the class."""


@dataclass(frozen=True)
class Question:
    """Whether a value is up to the cut, above it, known, or one of some levels."""

    about: Literal["upto", "above", "known", "among"]
    step: Step
    codes: tuple[int, ...] = ()
    or_missing: bool = False
    """Of levels: whether a missing value is one of them."""


Arm = tuple[Question | None, int]
"""A question and a target; None for all other rows."""


def arms(step: Step) -> list[Arm]:
    """Return the questions of a step, with their targets."""
    if step.ask == "level":
        return _of_levels(step)
    below, above = step.branches
    low, high, known = Question("upto", step), Question("above", step), Question("known", step)
    if below == above:
        return [(None, below)] if step.missing == below else [(known, below), (None, step.missing)]
    if step.missing == above:
        return [(low, below), (None, above)]
    if step.missing == below:
        return [(high, above), (None, below)]
    return [(low, below), (high, above), (None, step.missing)]


def _of_levels(step: Step) -> list[Arm]:
    groups: dict[int, list[int]] = {}
    for code, target in enumerate(step.branches):
        groups.setdefault(target, []).append(code)
    groups.setdefault(step.missing, [])
    asked: list[Arm] = [
        (Question("among", step, tuple(codes), target == step.missing), target)
        for target, codes in groups.items()
        if target != step.unseen
    ]
    return [*asked, (None, step.unseen)]


def folded(program: Program) -> tuple[Step, ...]:
    """Return the steps; targets that answer alike are one."""
    steps = program.steps

    def fold(step: Step) -> Step:
        def end(target: int) -> int:
            at = step if target == STOP else steps[target]
            return ANSWERS - at.answer if target == STOP or at.ask == "leaf" else target

        branches = tuple(map(end, step.branches))
        return replace(step, branches=branches, missing=end(step.missing), unseen=end(step.unseen))

    return tuple(step if step.ask == "leaf" else fold(step) for step in steps)


def first_of(program: Program) -> int:
    """Return what is asked first, or the answer of a tree that asks nothing."""
    root = program.steps[0]
    return ANSWERS - root.answer if root.ask == "leaf" else 0


def narrower(question: Question, other: Question) -> bool:
    """Whether of two cuts of one column on one side the first leaves fewer values."""
    cuts = question.step.threshold, other.step.threshold
    return cuts[0] > cuts[1] if question.about == "above" else cuts[0] < cuts[1]
