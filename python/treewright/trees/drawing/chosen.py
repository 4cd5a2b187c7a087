"""Which nodes of a tree are shown: level by level until there are enough; the others are counted.

A node whose children are not shown, or not all of them, has one child more that stands for these.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from treewright import _core
from treewright.trees.drawing.options import Look

FARTHEST = 1000
"""Nodes of the path of a row that are shown though there are enough without them."""


@dataclass
class Chosen:
    """Nodes that are shown, level by level, children side by side; one entry a node.

    Attributes
    ----------
    node : list of int
        The node of the tree; of a stand-in for others that of its parent.
    parent, first_child, n_children : list of int
        Positions in these lists; the root has the parent -1.
    more : list of (int, int) or None
        Of a stand-in how many branches it stands for, 0 for all, and how many nodes.
    """

    node: list[int] = field(default_factory=lambda: [0])
    parent: list[int] = field(default_factory=lambda: [-1])
    first_child: list[int] = field(default_factory=list)
    n_children: list[int] = field(default_factory=list)
    more: list[tuple[int, int] | None] = field(default_factory=lambda: [None])

    def __len__(self) -> int:
        return len(self.node)

    def levels(self) -> list[int]:
        """Return the level of every node, the root's being 0."""
        level = [0] * len(self)
        for place in range(1, len(self)):
            level[place] = level[self.parent[place]] + 1
        return level

    def _add(self, node: int, parent: int, more: tuple[int, int] | None = None) -> None:
        self.node.append(node)
        self.parent.append(parent)
        self.more.append(more)


def chosen_of(core: _core.Tree, look: Look, path: Collection[int] = ()) -> Chosen:
    """Choose the nodes; those on a path are shown though they lie too deep."""
    first, count = core.first_child.tolist(), core.n_children.tolist()
    found, depth, n_real, sizes = Chosen(), [0], 1, _Sizes(first, count)
    place = 0
    while place < len(found.node):
        node = found.node[place]
        below = range(first[node], first[node] + count[node]) if found.more[place] is None else range(0)
        shown: Sequence[int] = below[: look.max_branches]
        if below and (depth[place] >= look.max_depth or n_real + len(shown) > look.max_nodes):
            shown = []
        if path and n_real < look.max_nodes + FARTHEST:
            shown = [*shown, *(child for child in below[len(shown) :] if child in path)]
        n_before = len(found.node)
        for child in shown:
            found._add(child, place)
        if len(shown) < len(below):
            hidden = sum(map(sizes.of, below)) - sum(map(sizes.of, shown))
            found._add(node, place, (len(below) - len(shown) if shown else 0, hidden))
        n_real += len(shown)
        n_new = len(found.node) - n_before
        depth += [depth[place] + 1] * n_new
        found.first_child.append(n_before if n_new else -1)
        found.n_children.append(n_new)
        place += 1
    return found


class _Sizes:
    """How many nodes there are at and below a node; counted when it is first asked."""

    def __init__(self, first: Sequence[int], count: Sequence[int]) -> None:
        self._first, self._count = first, count
        self._sizes: list[int] = []

    def of(self, node: int) -> int:
        """Return the number of nodes at and below one."""
        if not self._sizes:
            self._sizes = [1] * len(self._first)
            for above in range(len(self._first) - 1, -1, -1):
                start, n = self._first[above], self._count[above]
                if n:
                    self._sizes[above] += sum(self._sizes[start : start + n])
        return self._sizes[node]
