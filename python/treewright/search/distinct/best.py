"""The best few of many trees, held in a heap that never grows beyond them."""

from __future__ import annotations

import heapq
from typing import NamedTuple

from treewright.search.distinct.tree import DistinctTree


class _Rank(NamedTuple):
    """A tree in a heap of which the worst is on top: what is better compares as larger.

    No two distinct trees test the same features, so two ranks are never equal and trees
    are never compared.
    """

    fewer_errors: float
    fewer_features: int
    earlier_features: tuple[int, ...]
    tree: DistinctTree


class BestTrees:
    """Keeps the trees with the fewest search errors.

    Of equal errors the tree that tests fewer features is better, of equally many the one whose
    features come first in lexicographic order. So what is kept does not depend on the order in
    which trees are offered.

    Parameters
    ----------
    n_kept : int
        How many trees to keep.
    """

    def __init__(self, n_kept: int) -> None:
        self._n_kept = n_kept
        self._heap: list[_Rank] = []

    @property
    def least_errors(self) -> float | None:
        """Errors of the best tree so far, None before there is one."""
        return -max(rank.fewer_errors for rank in self._heap) if self._heap else None

    def offer(self, tree: DistinctTree) -> None:
        """Keep a tree if it is among the best so far; it must have been judged."""
        errors = tree.n_validation_errors
        assert errors is not None, "trees are ranked by the errors on a search set"
        if self._is_full() and (not self._heap or -errors < self._heap[0].fewer_errors):
            return
        features = tree.used_features
        rank = _Rank(-errors, -len(features), tuple(-feature for feature in features), tree)
        if self._is_full():
            heapq.heappushpop(self._heap, rank)
        else:
            heapq.heappush(self._heap, rank)

    def best_first(self) -> list[DistinctTree]:
        """Return the trees kept, the best first."""
        return [rank.tree for rank in sorted(self._heap, reverse=True)]

    def _is_full(self) -> bool:
        return len(self._heap) >= self._n_kept
