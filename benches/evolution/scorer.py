"""What a sensible user would score rules with in numpy.

Every distinct subtree is decided once, all of one height at a time; then the errors of the nodes, all of one
depth at a time, are added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .trees import FloatArray, Trees

TIE = 1e-12
"""Rates that differ by no more are equal, and the leaf is preferred; treewright's constant."""


@dataclass(frozen=True)
class _Level:
    """Distinct subtrees of one height, and where what they need stands among the values."""

    places: slice
    pair: NDArray[np.int64]
    children: tuple[NDArray[np.int64], NDArray[np.int64]]
    shares: tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class _Depth:
    """Nodes of one depth, those below side by side: first children first, in the order of their parents."""

    errors: FloatArray
    inner: NDArray[np.int64]
    places: NDArray[np.int64]
    leaf_errors: FloatArray


class Scorer:
    """Prunes trees by estimates of their distinct pairs (c, n).

    Values stand in one array: 0 for nodes that no row reaches, then every pair, then every distinct
    subtree, lower ones first.

    Attributes
    ----------
    c, n : ndarray
        The distinct pairs.
    n_programs, n_decided : int
        Formulas scored so far, and those of them whose estimates were all finite, so that it was decided.
    """

    def __init__(self, trees: Trees) -> None:
        self.trees = trees
        reached = trees.n > 0
        pairs, numbers = np.unique(np.column_stack([trees.c, trees.n])[reached], axis=0, return_inverse=True)
        self.c, self.n = np.ascontiguousarray(pairs.T)
        self._first = trees.first_child + np.repeat(trees.starts, trees.n_nodes)
        self._place = np.zeros(len(trees.n), dtype=np.int64)
        self._place[reached] = 1 + numbers.ravel()
        self._levels = self._split(reached & (trees.n_children > 0))
        self._depths = list(self._by_depth())
        self.n_programs = self.n_decided = 0

    @property
    def n_subtrees(self) -> int:
        """Distinct subtrees of more than one node: what is to be decided."""
        return len(self._values) - 1 - len(self.c)

    def _split(self, inner: NDArray[np.bool_]) -> list[_Level]:
        """Give numbers to distinct subtrees, and to every inner node its place."""
        height = self._heights(inner)
        levels, start = [], 1 + len(self.c)
        for h in range(1, height.max(initial=0) + 1):
            nodes = np.flatnonzero(height == h)
            below = self._first[nodes], self._first[nodes] + 1
            keys = np.column_stack([self._place[nodes], *(self._place[child] for child in below)])
            _, some, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
            n = self.trees.n
            shares = n[below[0][some]] / n[nodes[some]], n[below[1][some]] / n[nodes[some]]
            places = slice(start, start + len(some))
            levels.append(_Level(places, keys[some, 0], (keys[some, 1], keys[some, 2]), shares))
            self._place[nodes] = start + number.ravel()
            start += len(some)
        self._values, self._is_cut = np.zeros(start), np.ones(start, dtype=bool)
        return levels

    def _heights(self, inner: NDArray[np.bool_]) -> NDArray[np.int64]:
        height = inner.astype(np.int64)
        nodes = np.flatnonzero(inner)
        while True:
            taller = 1 + np.maximum(height[self._first[nodes]], height[self._first[nodes] + 1])
            if (taller == height[nodes]).all():
                return height
            height[nodes] = taller

    def _by_depth(self) -> Iterator[_Depth]:
        nodes = self.trees.starts
        while len(nodes):
            inner = np.flatnonzero(self.trees.n_children[nodes])
            parents = nodes[inner]
            errors = self.trees.errors
            yield _Depth(errors[nodes], inner, self._place[parents], errors[parents])
            nodes = np.concatenate([self._first[parents], self._first[parents] + 1])

    def decide(self, estimates: FloatArray) -> bool:
        """Decide every distinct subtree; False if an estimate is not finite."""
        self.n_programs += 1
        if not np.isfinite(estimates).all():
            return False
        self.n_decided += 1
        values, is_cut = self._values, self._is_cut
        values[1 : 1 + len(self.c)] = estimates
        for level in self._levels:
            a, b = level.children
            below = level.shares[0] * values[a] + level.shares[1] * values[b]
            leaf = values[level.pair]
            cut = leaf <= below + TIE
            is_cut[level.places] = cut
            values[level.places] = np.where(cut, leaf, below)
        return True

    def _errors(self) -> FloatArray:
        """Return the errors of every tree as decided: the nodes from the deepest up."""
        below = np.zeros(0)
        for depth in reversed(self._depths):
            errors, n_inner = depth.errors.copy(), len(depth.inner)
            both = below[:n_inner] + below[n_inner:]
            errors[depth.inner] = np.where(self._is_cut[depth.places], depth.leaf_errors, both)
            below = errors
        return below

    def rate(self, estimates: FloatArray) -> float:
        """Return the share of all test rows that the pruned trees get wrong; 1 if not finite."""
        if not self.decide(estimates):
            return 1.0
        return float(self._errors().sum() / self.trees.n_test.sum())

    def errors(self, estimates: FloatArray) -> FloatArray:
        """Return the test errors of every pruned tree."""
        assert self.decide(estimates), "an estimate is not finite"
        return self._errors()
