"""The questions of a tree of fixed depth, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from treewright._base.shown import shown_text, shown_values
from treewright.data.binning import Edges
from treewright.data.types import FloatArray
from treewright.trees.tree import Tree

INDENT = "   "

Alike = tuple[int, int, tuple["Alike", ...]]
"""A feature (-1: none), the class that is told at the node (-1: none), what follows from each value."""


class Step(NamedTuple):
    """An answer, and the question that follows, empty at the end of a path; its `nodes` go on all alike."""

    answer: str
    question: str
    nodes: list[int]
    below: list[Step]


MOST_ANSWERS = 30
"""Answers of one line beyond which they are counted."""


@dataclass(frozen=True)
class Questions:
    """A tree, where its numbers are cut, and whether to say what follows from no answer."""

    tree: Tree
    edges: Edges
    tells_unknown: bool

    def lines(self) -> list[str]:
        """Return the questions, one answer a line."""
        first = self.steps()
        if not first.question:
            return [f"Ask nothing; the answer is {self._verdict(first.nodes)}."]
        return [first.question, *self._answers(first, INDENT)]

    def steps(self) -> Step:
        """Return the first question, with all that follows."""
        return self._step("", [0])

    def shares(self, nodes: Sequence[int]) -> FloatArray:
        """Return how probable each class is once one of the nodes is reached; all 0 if none is."""
        weights: FloatArray = self.tree.class_weights[list(nodes)].sum(axis=0)
        total = weights.sum()
        return weights / total if total > 0 else weights

    def _step(self, answer: str, nodes: list[int]) -> Step:
        if not self.tree.n_children[nodes[0]]:
            return Step(answer, "", nodes, [])
        answers, below = self._answers_to(nodes[0]), []
        for branches in self._groups(nodes[0]):
            given = _listed([answers[branch] for branch in branches])
            reached = [int(self.tree.first_child[node]) + branch for branch in branches for node in nodes]
            below.append(self._step(given, reached))
        return Step(answer, self._question(nodes[0]), nodes, below)

    def _question(self, node: int) -> str:
        name, cuts = shown_text(self.tree.feature_names[self.tree.feature[node]]), self._cuts(node)
        if cuts is None or len(cuts) != 1:
            return f"{name}?"
        return f"{name} above {self._levels(node)[1].removeprefix('above ')}?"

    def _answers(self, step: Step, indent: str) -> Iterator[str]:
        """Yield a line for every group of answers, and what is below it."""
        for answer in step.below:
            reply = answer.question or self._verdict(answer.nodes) + self._counted(answer.nodes)
            yield f"{indent}{answer.answer}: {reply}"
            if answer.below:
                yield from self._answers(answer, indent + INDENT)
        if self.tells_unknown:
            yield f"{indent}(not known: {self._verdict(step.nodes)})"

    def _groups(self, node: int) -> list[list[int]]:
        """Put answers together after which all goes on alike."""
        first, groups = int(self.tree.first_child[node]), dict[Alike, list[int]]()
        for branch in range(int(self.tree.n_children[node])):
            groups.setdefault(self._course(first + branch), []).append(branch)
        return list(groups.values())

    def _course(self, node: int) -> Alike:
        """Return all that is asked and answered from a node on, as what compares."""
        first, n_children = int(self.tree.first_child[node]), int(self.tree.n_children[node])
        told = int(self.tree.node_class[node]) if self.tells_unknown or not n_children else -1
        below = tuple(self._course(child) for child in range(first, first + n_children))
        return int(self.tree.feature[node]), told, below

    def _verdict(self, nodes: Sequence[int]) -> str:
        """Say the answer once one of the nodes is reached, and how probable it is."""
        shares = self.shares(nodes)
        classes = shown_values(self.tree.classes_.tolist())
        if not shares.any():
            return classes[int(self.tree.node_class[nodes[0]])]
        place = int(self.tree.node_class[nodes[0]])
        return f"{classes[place]} ({100 * shares[place]:.0f} %)"

    def _counted(self, nodes: Sequence[int]) -> str:
        """Say how many samples of ``fit`` reach some nodes, where that is known."""
        if self.tree.n_samples is None:
            return ""
        n_samples = round(float(self.tree.n_samples[list(nodes)].sum()), 2)
        if not n_samples:
            return ", no samples"
        return ", 1 sample" if n_samples == 1 else f", {n_samples:,.15g} samples"

    def _answers_to(self, node: int) -> Sequence[str]:
        cuts = self._cuts(node)
        return ("no", "yes") if cuts is not None and len(cuts) == 1 else self._levels(node)

    def _cuts(self, node: int) -> FloatArray | None:
        return self.edges[int(self.tree.feature[node])]

    def _levels(self, node: int) -> list[str]:
        return shown_values(self.tree.levels[int(self.tree.feature[node])] or [])


def _listed(answers: Sequence[str]) -> str:
    """Name answers after which all goes on alike, those of a long list up to a number."""
    if len(answers) <= MOST_ANSWERS:
        return ", ".join(answers)
    return f"{', '.join(answers[:MOST_ANSWERS])}, ... {len(answers) - MOST_ANSWERS:,} more"
