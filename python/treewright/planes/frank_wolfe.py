"""The paper's subproblem: a plane within the bound with little weight outside of so many features.

Algorithm 4.1 of the paper, a Frank-Wolfe method for a bilinear program: find the plane with the least weight
outside of a set of features; the set becomes the features of the largest weights; repeat while the weight
outside falls. It ends at a stationary point: that it finds no plane does not mean that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.planes.bounded_l1 import (
    Lines,
    Smallest,
    smallest_plane,
)
from treewright.planes.problem import FloatArray, Mask

FALL = 1e-12
"""A round has to lower the weight outside by more than this."""

NOTHING = 1e-9
"""Weight outside, as a share of the largest weight, that is none."""

MOST_ROUNDS = 1000


@dataclass(frozen=True, eq=False)
class Stationary:
    """Where the rounds ended.

    Attributes
    ----------
    outside : float
        Sum of the absolute weights outside of `features`: the paper's f(nu).
    features : ndarray of bool
        The features of the largest weights.
    plane : Smallest
        The plane of the last round that made it fall.
    """

    outside: float
    features: Mask
    plane: Smallest


def frank_wolfe(lines: Lines, bound: float, n_largest: int, start: Mask) -> Stationary:
    """Run the rounds for one number of features, from a set to begin with."""
    problem = lines.problem
    features, best = start, None
    for _ in range(MOST_ROUNDS):
        plane = smallest_plane(lines, bound, (~features[problem.feature_of]).astype(np.float64))
        sizes = problem.sizes(plane.weights)
        features = largest(sizes, n_largest)
        outside = float(sizes[~features].sum())
        if best is not None and outside >= best.outside - FALL:
            break
        best = Stationary(outside, features, plane)
        if outside <= NOTHING * max(1.0, sizes.max(initial=0)):
            break
    assert best is not None, "the first round is always kept"
    return best


def largest(sizes: FloatArray, n_largest: int) -> Mask:
    """Mark the features of the largest sizes; equal ones go by position."""
    order = np.argsort(-sizes, kind="stable")
    chosen = np.zeros(len(sizes), np.bool_)
    chosen[order[:n_largest]] = True
    return chosen
