"""A policy as a person would read it: questions, answers, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from treewright._binning import Edges
    from treewright.tree import Tree

INDENT = "   "


@dataclass(frozen=True)
class Policy:
    """A tree, where its numbers are cut, and whether to say what follows from no answer."""

    tree: Tree
    edges: Edges
    tells_unknown: bool

    def lines(self) -> list[str]:
        """Return the questions, one answer a line."""
        if not self.tree.n_children[0]:
            return [f"Ask nothing; the answer is {self._verdict([0])}."]
        return [self._question(0), *self._answers(0, INDENT)]

    def _question(self, node: int) -> str:
        name, cuts = self.tree.feature_names[self.tree.feature[node]], self._cuts(node)
        if cuts is None:
            return f"{name}?"
        return (
            f"{name} above {self._levels(node)[1].removeprefix('above ')}?" if len(cuts) == 1 else f"{name}?"
        )

    def _answers(self, node: int, indent: str) -> Iterator[str]:
        """Yield a line for every group of answers with the same outcome, and what is below it."""
        for children in self._groups(node):
            answer = ", ".join(self._answer(node, child) for child in children)
            below = children[0]
            if self.tree.n_children[below]:
                yield f"{indent}{answer}: {self._question(below)}"
                yield from self._answers(below, indent + INDENT)
            else:
                yield f"{indent}{answer}: {self._verdict(children)}"
        if self.tells_unknown:
            yield f"{indent}(not known: {self._verdict([node])})"

    def _groups(self, node: int) -> list[list[int]]:
        """Put answers together that end with the same class; others stand alone."""
        first, groups = int(self.tree.first_child[node]), dict[tuple[str, int], list[int]]()
        for child in range(first, first + int(self.tree.n_children[node])):
            is_leaf = not self.tree.n_children[child]
            key = ("class", int(self.tree.node_class[child])) if is_leaf else ("node", child)
            groups.setdefault(key, []).append(child)
        return list(groups.values())

    def _answer(self, node: int, child: int) -> str:
        branch = child - int(self.tree.first_child[node])
        cuts = self._cuts(node)
        if cuts is not None and len(cuts) == 1:
            return ("no", "yes")[branch]
        return self._levels(node)[branch]

    def _verdict(self, nodes: Sequence[int]) -> str:
        """Say a class, and how probable it is once one of the nodes is reached."""
        place = int(self.tree.node_class[nodes[0]])
        weights = self.tree.class_weights[list(nodes)].sum(axis=0)
        share = f" ({100 * weights[place] / weights.sum():.0f} %)" if weights.sum() else ""
        return f"{self.tree.classes_[place]}{share}"

    def _cuts(self, node: int) -> NDArray[np.float64] | None:
        return self.edges[int(self.tree.feature[node])]

    def _levels(self, node: int) -> list[str]:
        return [str(level) for level in self.tree.levels[int(self.tree.feature[node])] or []]
