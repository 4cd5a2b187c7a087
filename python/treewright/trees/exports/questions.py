"""What a step asks, in the order in which languages ask it; the last answer is for all other rows.

A question about a missing value is neither true nor false, or false; so a row without a value comes to the
questions after it. Targets that lead to one place are asked for once.
"""

from __future__ import annotations

from collections.abc import Iterator
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


def paths(program: Program) -> Iterator[tuple[list[Question], int]]:
    """Yield the questions on the way to every end, with its class, in the order in which they are asked.

    A row belongs to the first end all of whose questions it answers with yes. Of two cuts of one column on
    one side only the narrower is there.
    """
    steps = folded(program)
    waiting: list[tuple[int, dict[object, Question]]] = [(first_of(program), {})]
    while waiting:
        target, held = waiting.pop()
        if target <= ANSWERS:
            yield list(held.values()), ANSWERS - target
            continue
        for question, below in reversed(arms(steps[target])):
            waiting.append((below, held if question is None else _narrowed(held, question)))


def _narrowed(held: dict[object, Question], question: Question) -> dict[object, Question]:
    """Return what holds on a path with one question more; of two cuts on one side the narrower stays."""
    step = question.step
    is_cut = step.ask == "number" and question.about in ("upto", "above")
    kind: object = (step.column, question.about) if is_cut else question
    if is_cut and kind in held and not narrower(question, held[kind]):
        return held
    return {**held, kind: question}
