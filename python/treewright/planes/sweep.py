"""The least wrong weight of a plane over few columns, by turning it through all places.

A place is the vector of its coordinates and 1; a plane is a direction, and a place is above it if their
product is positive. Any plane can be turned, without a change of any answer, until it first passes through a
place. So it is enough to take each place in turn as lying on the plane, project all others along its vector,
which leaves one dimension fewer, and go on until two dimensions are left. There a direction turns once
around, and the answers change where it meets a place. Places along the projected vector stay free: they go to
the side where they lose less. For n places and d columns this takes about ``n ** d`` steps, however many
answers are wrong.
"""

from __future__ import annotations

import numpy as np

from treewright._base.clock import Clock
from treewright.data.types import BoolArray, FloatArray
from treewright.planes.places import Places

PARALLEL = 1e-10
"""Vectors of length 1 are parallel if they differ by at most this."""


def n_steps(places: Places) -> float:
    """Estimate the steps of a sweep."""
    n_places, n_columns = places.Z.shape
    return float(n_places ** max(n_columns, 1))


def least_wrong(places: Places, clock: Clock) -> tuple[float, BoolArray]:
    """Return the least weight of wrong answers, and the places above a plane that has it."""
    if not len(places.net):
        return places.lost, np.zeros(0, np.bool_)
    vectors = np.column_stack([places.Z, np.ones(len(places.Z))])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    gain, above = _most(vectors, places.net, clock)
    return places.lost + float(places.net[places.net > 0].sum()) - gain, above


def _most(vectors: FloatArray, net: FloatArray, clock: Clock) -> tuple[float, BoolArray]:
    """Return the largest net weight above a plane through 0, and which vectors of length 1 are above."""
    if not len(net):
        return 0.0, np.zeros(0, np.bool_)
    if vectors.shape[1] == 2:
        return _turned(vectors, net)
    best, best_above = -np.inf, np.zeros(len(net), np.bool_)
    is_outer = vectors.shape[1] == 3
    for pivot in vectors:
        if is_outer:
            clock.step()
        along = vectors @ pivot
        rest = vectors - along[:, None] * pivot
        size = np.linalg.norm(rest, axis=1)
        apart = size > PARALLEL
        gain, above = _most(_reduced(rest[apart] / size[apart, None], pivot), net[apart], clock)
        ahead = ~apart & (along > 0)
        behind = ~apart & (along < 0)
        of_ahead, of_behind = float(net[ahead].sum()), float(net[behind].sum())
        gain += max(of_ahead, of_behind)
        if gain > best:
            best, best_above = gain, (ahead if of_ahead >= of_behind else behind)
            best_above[apart] = above
    return best, best_above


def _reduced(vectors: FloatArray, pivot: FloatArray) -> FloatArray:
    """Return vectors at right angles to a pivot of length 1 in one coordinate fewer."""
    mirror = pivot.copy()
    mirror[-1] += 1.0 if pivot[-1] >= 0 else -1.0
    mirrored = vectors - (2 / (mirror @ mirror)) * np.outer(vectors @ mirror, mirror)
    return mirrored[:, :-1]


def _turned(vectors: FloatArray, net: FloatArray) -> tuple[float, BoolArray]:
    """Turn a line in two dimensions once around."""
    angle = np.arctan2(vectors[:, 1], vectors[:, 0])
    is_turned = (angle < -PARALLEL) | (angle > np.pi - PARALLEL)
    angle = np.where(is_turned, angle + np.where(angle > 0, -np.pi, np.pi), angle)
    order = np.argsort(angle, kind="stable")
    passed = angle[order]
    begin = float(net[~is_turned].sum())
    gains = begin + np.cumsum(np.where(is_turned, net, -net)[order])
    ends = np.append(passed[1:] - passed[:-1] > PARALLEL, True)
    total = float(net.sum())
    one = np.where(ends, gains, -np.inf)
    other = np.where(ends, total - gains, -np.inf)
    place, opposite = int(one.argmax()), int(other.argmax())
    is_opposite = other[opposite] > one[place]
    last = opposite if is_opposite else place
    above = ~is_turned
    above[order[: last + 1]] = is_turned[order[: last + 1]]
    return float(max(one[place], other[opposite])), ~above if is_opposite else above
