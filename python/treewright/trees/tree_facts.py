"""What a tree keeps beside its nodes: counts, values beside cuts, its rules, and where it comes from."""

from __future__ import annotations

import json
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from treewright import _core
from treewright.data.types import AnyArray, BoolArray, FloatArray, IntArray

__all__ = ["NodeHistogram", "TreeFacts"]


EngineTree = _core.Tree


@dataclass(frozen=True, eq=False)
class NodeHistogram:
    """How the training samples at a node are spread over the values of the feature that it tests.

    Samples without a value are left out.

    Attributes
    ----------
    edges : ndarray of shape (n_bins + 1,) or None
        Ends of the bins of a numeric feature, at most 32 bins; a bin holds its upper end, the first also its
        lower end. A threshold is one of the ends. None for a nominal feature.
    levels : ndarray of int, shape (n_levels,) or None
        The values of a nominal feature that occur, positions in ``Tree.levels``; None for a numeric feature.
    counts : ndarray of shape (n_bins or n_levels, n_classes)
        Numbers of samples by class; a sample of which only a share reaches the node counts with its share.
    """

    edges: FloatArray | None
    levels: IntArray | None
    counts: FloatArray

    @classmethod
    def of(cls, core: _core.Histogram, n_classes: int) -> NodeHistogram:
        """Take over what the engine has."""
        counts = np.array(core.counts, dtype=np.float64).reshape(-1, n_classes)
        if core.edges:
            return cls(np.array(core.edges), None, counts)
        return cls(None, np.array(core.levels, dtype=np.int64), counts)


class TreeFacts:
    """The part of a `Tree` that its predictions do not need, but whoever reads, draws or exports it."""

    __slots__ = ()
    _core: _core.Tree

    @property
    @abstractmethod
    def _told(self) -> EngineTree:
        """The engine's tree, which says how it was found."""

    @abstractmethod
    def _array(self, name: str) -> AnyArray:
        """Copy an array out of the engine once and lock it."""

    @property
    def class_counts(self) -> FloatArray | None:
        """Numbers of training samples by class, ndarray of shape (n_nodes, n_classes).

        Samples count as 1 whatever their weight; one of which only a share reaches a node counts with
        its share. For display: all decisions are made from `class_weights`. None where they are not
        known, as in a tree of format 1.
        """
        return None if self._core.class_counts is None else self._array("class_counts")

    @property
    def n_samples(self) -> FloatArray | None:
        """Number of training samples that reach the node, the sum of `class_counts`; None where not known."""
        counts = self.class_counts
        return None if counts is None else counts.sum(axis=1)

    @property
    def is_reached(self) -> BoolArray:
        """Whether a training sample reaches the node; a node that none reaches has its parent's class."""
        return self._array("is_reached").view(np.bool_)

    @property
    def cut_values(self) -> FloatArray:
        """Training values beside each cut, ndarray of shape (n_nodes, 2).

        The largest value of the training samples that is not above the threshold, and the smallest above it.
        NaN at other kinds, where only missing values are above, and where they are not known. Any number from
        the first up to the second, that excluded, decides the training samples alike.
        """
        return self._array("cut_values")

    @property
    def feature_ranges(self) -> FloatArray:
        """Smallest and largest training value of every feature, ndarray of shape (n_features, 2).

        NaN for a nominal feature, and where they are not known.
        """
        return self._array("feature_ranges")

    @property
    def feature_kinds(self) -> list[str]:
        """Kind of every feature: ``"numeric"`` or ``"nominal"``."""
        return ["numeric" if levels is None else "nominal" for levels in self._core.levels]

    @property
    def missing_routes(self) -> list[str | int | None]:
        """For each node where it sends a sample with a missing value, if not where `routing` says; else None.

        A word as in `routing`, or an int: the position of a branch.
        """
        return list(self._core.missing_routes)

    @property
    def histograms(self) -> list[NodeHistogram | None] | None:
        """For each node how the training samples are spread over the values of its feature.

        None in the list at a leaf and at a plane; None for all where they were not kept
        (``fit(X, y, keep_counts=True)`` keeps them).
        """
        found = self._core.histograms
        if found is None:
            return None
        n_classes = len(self._core.classes)
        return [None if one is None else NodeHistogram.of(one, n_classes) for one in found]

    # How it decides.

    @property
    def class_source(self) -> str:
        """Where the classes of nodes come from.

        ``"weights"``: they are chosen from `class_weights`. ``"given"``: they stand for themselves, as in a
        tree made from planes, or in one that holds the weights of samples that did not grow it.
        """
        return self._core.decision.classes

    @property
    def tie_rule(self) -> str:
        """Which of several equally good classes a node has.

        ``"lowest"``: the first in ``classes_``; ``"parent"``: its parent's if that is one of them, else the
        first; ``"kept"``: the one that it had before the tree was pruned or put together anew.
        """
        return self._core.decision.tie

    @property
    def cost_matrix(self) -> FloatArray | None:
        """Costs of wrong answers, ndarray of shape (n_classes, n_classes): true classes by answers, or None.

        With costs a node has the class of least expected cost, else the one with the largest weight.
        """
        costs = self._core.decision.cost_matrix
        return None if costs is None else np.array(costs)

    @property
    def decision_threshold(self) -> float | None:
        """Share of the second of two classes above which it is the answer; None where the larger share is."""
        return self._core.decision.threshold

    @property
    def probability(self) -> str:
        """Which weights probabilities are shares of: ``"weighted"`` or ``"raw"``, without `class_factors`."""
        return self._core.decision.probability

    @property
    def class_factors(self) -> FloatArray | None:
        """Factor of every class in `class_weights`, ndarray of shape (n_classes,); None where all are 1."""
        factors = self._core.decision.class_factors
        return None if factors is None else np.array(factors)

    @property
    def smoothing(self) -> str | float | None:
        """How probabilities are smoothed: None, ``"laplace"``, or a number of samples."""
        return self._core.decision.smoothing

    # Where it comes from.

    @property
    def provenance(self) -> dict[str, object] | None:
        """How the tree was found, None where that is not known.

        A dict with some of ``command``, ``class``, ``parameters``, ``version``, ``data`` (with ``name`` and
        ``hash``) and ``proven`` (how the search for the tree ended, its cost, and the bound on it). It does
        not count when trees are compared.
        """
        return _plain(self._told.provenance)

    @property
    def reading(self) -> dict[str, object] | None:
        """How the file was read and columns were derived from it, None where that is not known.

        A dict with ``options``, as `datasets.read_csv` takes them, and ``columns`` that name for derived
        features their source and the steps.
        """
        return _plain(self._told.reading)


def _plain(text: str | None) -> dict[str, object] | None:
    """Return what a JSON text says; a new object, so that the tree cannot be changed through it."""
    if text is None:
        return None
    found: dict[str, object] = json.loads(text)
    return found
