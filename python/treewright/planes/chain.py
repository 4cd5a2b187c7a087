"""Planes for any number of classes: one class is split off the rest, until two are left.

Of up to ten classes each is tried against the rest, and the one with the least error is split off, by one
plane that is searched for as between two classes. What is left is treated in the same way. A row goes along
the planes until one claims it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._base.clock import (
    Clock,
    OutOfTimeError,
    SolverError,
)
from treewright.planes.fit import Plane, fit_plane
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import FloatArray
from treewright.planes.rows import Rows
from treewright.planes.scaled import ScaledProblem

MOST_TRIED = 10
"""Classes that are tried against the rest: those of the largest weight."""


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Rows of several classes, encoded, in raw units, and where they are in the user's table."""

    X: FloatArray
    target: NDArray[np.int32]
    weight: FloatArray
    feature_of: NDArray[np.int64]
    origin: NDArray[np.int64]

    def against_rest(self, label: int) -> Rows:
        """Return the rows of two classes: one, and all others."""
        return Rows(self.X, self.target == label, self.weight, self.feature_of, self.origin)

    def complete(self) -> ClassRows:
        """Return the rows without missing values."""
        complete = np.asarray(np.isfinite(self.X).all(axis=1))
        return self._take(complete)

    def of(self, labels: list[int]) -> ClassRows:
        """Return the rows of some classes."""
        return self._take(np.isin(self.target, labels))

    def _take(self, kept: NDArray[np.bool_]) -> ClassRows:
        return ClassRows(
            self.X[kept], self.target[kept], self.weight[kept], self.feature_of, self.origin[kept]
        )


def fit_chain(
    rows: ClassRows, labels: list[int], options: PlaneOptions, clock: Clock
) -> list[tuple[int, Plane]]:
    """Return one plane fewer than there are classes, each with the class that is on its upper side."""
    chain: list[tuple[int, Plane]] = []
    while len(labels) > 1:
        own = rows.of(labels)
        label = max(labels) if len(labels) == 2 else easiest_class(own, labels, options, clock)
        chain.append((label, fit_plane(own.against_rest(label), options, clock)))
        labels = [other for other in labels if other != label]
    return chain


def easiest_class(rows: ClassRows, labels: list[int], options: PlaneOptions, clock: Clock) -> int:
    """Return the class that a plane tells from all others with the least error; the first of equals."""
    totals = np.bincount(rows.target, rows.weight, minlength=max(labels) + 1)
    tried = sorted(sorted(labels, key=lambda label: -totals[label])[:MOST_TRIED])
    best, least = tried[0], np.inf
    for label in tried:
        try:
            error = ScaledProblem(rows.against_rest(label), options, clock).problem.full.error
        except (OutOfTimeError, SolverError):
            break
        except KeyboardInterrupt:
            clock.stop()
            break
        if error < least - 1e-12:
            best, least = label, error
    return best


def leaf_scores(scores: FloatArray, labels: list[int], n_classes: int) -> FloatArray:
    """Return a score a class, the largest for the class that the chain ends at.

    Parameters
    ----------
    scores : ndarray of shape (n_rows, n_planes)
        Signed scores of the planes, in order.
    labels : list of int
        The class on the upper side of each plane, then the one that is left.
    n_classes : int
    """
    result = np.full((len(scores), n_classes), -np.inf)
    # 0 is the lower side: just below 0 for the class above.
    signed = np.where(scores == 0, -np.finfo(np.float64).tiny, scores)
    below = np.full(len(scores), np.inf)
    for plane, label in enumerate(labels[:-1]):
        result[:, label] = np.minimum(below, signed[:, plane])
        below = np.minimum(below, -signed[:, plane])
    result[:, labels[-1]] = below
    return result
