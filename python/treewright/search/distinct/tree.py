"""One distinct tree: what identifies it, and the tree itself on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from treewright.search.distinct.subsets import SubsetInterval
from treewright.trees.tree import Tree


class TreeSource(Protocol):
    """Where the tree of some features comes from."""

    @property
    def n_features(self) -> int:
        """Number of features of the data."""

    def grow(self, features: tuple[int, ...]) -> Tree:
        """Return the tree of some features."""


@dataclass(frozen=True, slots=True)
class Grown:
    """A source of one tree that is there already, so that no data need be held."""

    tree: Tree

    @property
    def n_features(self) -> int:
        """Number of features of the data."""
        return self.tree.n_features

    def grow(self, features: tuple[int, ...]) -> Tree:
        """Return the tree; it tests these features."""
        return self.tree


@dataclass(frozen=True, slots=True)
class DistinctTree:
    """A tree that some feature subsets give, named by the features it tests.

    No two distinct trees test the same features, so these are enough to grow it again. A pickle of
    one that an enumeration found holds the data, from which `tree` is grown; for a small one pickle
    ``tree`` itself.

    Attributes
    ----------
    used_features : tuple of int
        Positions of the features that the tree tests, ascending.
    n_validation_errors : int, float or None
        Summed weight of the search samples that the tree predicts wrongly, an int when all weights
        are whole; None without a search set.
    blocked_features : tuple of int
        Positions of the features that would change the tree if it were given them, ascending.

    Examples
    --------
    >>> from treewright.distinct import enumerate_distinct_trees
    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    >>> first = next(enumerate_distinct_trees(X, ["no", "no", "yes", "yes"]))
    >>> first
    DistinctTree(used_features=(0,), n_validation_errors=None, blocked_features=())
    >>> list(first.equivalent_subsets)
    [(0, 1), (0,)]
    >>> print(first.tree.export_text())
    x0 = a: no
    x0 = b: yes
    """

    used_features: tuple[int, ...]
    n_validation_errors: int | float | None
    blocked_features: tuple[int, ...]
    _source: TreeSource = field(repr=False, compare=False)

    @property
    def equivalent_subsets(self) -> SubsetInterval:
        """The feature subsets that give this very tree: all used, none blocked, others at will."""
        taken = {*self.used_features, *self.blocked_features}
        free = (feature for feature in range(self._source.n_features) if feature not in taken)
        return SubsetInterval(self.used_features, tuple(free))

    @property
    def n_subsets(self) -> int:
        """How many feature subsets give this very tree."""
        return 1 << (self._source.n_features - len(self.used_features) - len(self.blocked_features))

    @property
    def tree(self) -> Tree:
        """The tree itself; that of an enumeration is grown anew each time it is asked for."""
        return self._source.grow(self.used_features)
