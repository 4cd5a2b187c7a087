"""Where the nodes of a tree stand: side by side, no two over one another, as close as that allows.

E. M. Reingold, J. S. Tilford, "Tidier drawings of trees", IEEE Transactions on Software Engineering 7 (1981),
for any number of children in linear time: C. Buchheim, M. Jünger, S. Leipert, "Improving Walker's algorithm
to run in linear time", Graph Drawing 2002. Here nodes have sizes, and there is no recursion: nodes come level
by level, children after their parent and side by side, so a loop from the last to the first sees every
subtree before its parent, and a tree may have any depth.

    for every node from the last to the first:
        for every child from left to right:
            put it beside its left sibling, in the middle above its own children
            push it to the right until its subtree is free of those to its left
        share the pushes among the siblings in between
    for every node from the first to the last: add the pushes of all nodes above it

The contour of a subtree (its outermost node at each level) is followed by threads, which lead from a node
without children to the next node of the contour.
"""

from __future__ import annotations

from collections.abc import Sequence

NOTHING = -1


def side_by_side(
    first_child: Sequence[int], n_children: Sequence[int], size: Sequence[float], gap: float
) -> list[float]:
    """Return the middle of every node along a level, the smallest left end being 0.

    Parameters
    ----------
    first_child, n_children : sequence of int, shape (n_nodes,)
        The children of a node are neighbours and come after it, level by level.
    size : sequence of float, shape (n_nodes,)
        Extent of each node along its level.
    gap : float
        Least distance between neighbours.

    Returns
    -------
    middles : list of float
        Of two nodes of one level the distance is at least half of both sizes and the gap.
    """
    walk = _Walk(first_child, n_children, size, gap)
    for node in reversed(range(len(size))):
        if n_children[node]:
            walk.place_children(node)
    middles = walk.absolute()
    left = min(middle - extent / 2 for middle, extent in zip(middles, size, strict=True))
    return [middle - left for middle in middles]


class _Walk:
    """The state of the algorithm, one entry a node; names as in the paper."""

    def __init__(
        self, first_child: Sequence[int], n_children: Sequence[int], size: Sequence[float], gap: float
    ) -> None:
        n = len(size)
        self.first, self.n_children = first_child, n_children
        self.half, self.gap = [extent / 2 for extent in size], gap
        self.prelim, self.mod = [0.0] * n, [0.0] * n
        self.change, self.shift = [0.0] * n, [0.0] * n
        self.thread, self.ancestor = [NOTHING] * n, list(range(n))
        self.parent = [NOTHING] * n
        for node, count in enumerate(n_children):
            self.parent[first_child[node] : first_child[node] + count] = [node] * count

    def place_children(self, node: int) -> None:
        """Put the children of a node side by side, and the node above their middle."""
        first, last = self.first[node], self.first[node] + self.n_children[node] - 1
        prelim, default = self.prelim, first
        for child in range(first + 1, last + 1):
            beside = prelim[child - 1] + self.half[child - 1] + self.gap + self.half[child]
            self.mod[child] = beside - prelim[child] if self.n_children[child] else 0.0
            prelim[child] = beside
            default = self._apportion(child, default, first)
        self._execute_shifts(first, last)
        prelim[node] = (prelim[first] + prelim[last]) / 2

    def _apportion(self, node: int, default: int, first: int) -> int:
        """Push a child away from the subtrees to its left, and join the contours."""
        prelim, mod, half, ancestor = self.prelim, self.mod, self.half, self.ancestor
        inner_right = outer_right = node
        inner_left, outer_left = node - 1, first
        sum_ir = sum_or = mod[node]
        sum_il, sum_ol = mod[inner_left], mod[outer_left]
        left, right = self._next_right(inner_left), self._next_left(inner_right)
        while left != NOTHING and right != NOTHING:
            inner_left, inner_right = left, right
            outer_left, outer_right = self._next_left(outer_left), self._next_right(outer_right)
            ancestor[outer_right] = node
            distance = half[left] + self.gap + half[right]
            push = (prelim[left] + sum_il) - (prelim[right] + sum_ir) + distance
            if push > 0:
                own = ancestor[left]
                self._move(own if self.parent[own] == self.parent[node] else default, node, push)
                sum_ir += push
                sum_or += push
            sum_il += mod[inner_left]
            sum_ir += mod[inner_right]
            sum_ol += mod[outer_left]
            sum_or += mod[outer_right]
            left, right = self._next_right(inner_left), self._next_left(inner_right)
        if left != NOTHING and self._next_right(outer_right) == NOTHING:
            self.thread[outer_right] = left
            mod[outer_right] += sum_il - sum_or
        if right != NOTHING and self._next_left(outer_left) == NOTHING:
            self.thread[outer_left] = right
            mod[outer_left] += sum_ir - sum_ol
            return node
        return default

    def _move(self, left: int, right: int, push: float) -> None:
        part = push / (right - left)
        self.change[right] -= part
        self.shift[right] += push
        self.change[left] += part
        self.prelim[right] += push
        self.mod[right] += push

    def _execute_shifts(self, first: int, last: int) -> None:
        shift = change = 0.0
        for child in range(last, first - 1, -1):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change

    def _next_left(self, node: int) -> int:
        return self.first[node] if self.n_children[node] else self.thread[node]

    def _next_right(self, node: int) -> int:
        count = self.n_children[node]
        return self.first[node] + count - 1 if count else self.thread[node]

    def absolute(self) -> list[float]:
        """Add to every node the pushes of the nodes above it."""
        middles, pushed = list(self.prelim), [0.0] * len(self.prelim)
        for node in range(len(middles)):
            above = self.parent[node]
            if above != NOTHING:
                middles[node] += pushed[above]
                pushed[node] = pushed[above]
            pushed[node] += self.mod[node] if above != NOTHING else 0.0
        return middles
