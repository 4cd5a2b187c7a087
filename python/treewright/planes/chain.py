"""A chain of planes for any number of classes, and the tree that it makes.

One class after the other is split off from the rest, until two are left. Of up to ten classes each is tried
against the rest, and the one of least error is split off, by a plane that is found as between two classes. A
row goes along the planes until one of them claims it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from treewright._base.clock import Clock
from treewright.data.types import AnyArray, FloatArray
from treewright.planes.fit import Plane, ScaledProblem, fit_plane
from treewright.planes.linear_tree import LinearNode, LinearSplit, LinearTree
from treewright.planes.options import PlaneOptions
from treewright.planes.rows import ClassRows
from treewright.results import SearchResult

MOST_TRIED = 10
"""Classes that are tried against the rest: those of the largest weight."""

TIE = 1e-12
"""A class has less error than another if it is less by more than this."""

WORST_FIRST = ("stopped", "solver_error", "time_limit", "complete", "optimal")
"""Of several searches the status that comes first here counts."""

Chain = list[tuple[int, Plane]]
"""Planes in the order in which rows meet them, each with the class on its upper side."""


def fit_chain(rows: ClassRows, labels: list[int], options: PlaneOptions, clock: Clock) -> Chain:
    """Find a chain of planes, one fewer than there are classes."""
    chain: Chain = []
    while len(labels) > 1:
        own = rows.with_labels(labels)
        label = easiest_class(own, labels, options, clock)
        chain.append((label, fit_plane(own.against_rest(label), options, clock)))
        labels = [other for other in labels if other != label]
    return chain


def easiest_class(rows: ClassRows, labels: list[int], options: PlaneOptions, clock: Clock) -> int:
    """Return the class that a plane separates from all others with the least error; of two, the last."""
    if len(labels) == 2:
        return max(labels)
    totals = np.bincount(rows.target, rows.weight, minlength=max(labels) + 1)
    tried = sorted(sorted(labels, key=lambda label: -totals[label])[:MOST_TRIED])
    best, least = tried[0], np.inf
    with clock.ending():
        for label in tried:
            clock.check()
            error = ScaledProblem(rows.against_rest(label), options, clock).problem.full.error
            if error < least - TIE:
                best, least = label, error
    return best


def leaf_scores(scores: FloatArray, labels: list[int], n_classes: int) -> FloatArray:
    """Return a score for each class, the largest for the class at which the chain ends.

    `scores` has a column for each plane; `labels` are the classes on their upper sides, then the one that is
    left.
    """
    result = np.full((len(scores), n_classes), -np.inf)
    # A score of 0 is on the lower side, so it counts as just below 0.
    signed = np.where(scores == 0, -np.finfo(np.float64).tiny, scores)
    below = np.full(len(scores), np.inf)
    for plane, label in enumerate(labels[:-1]):
        result[:, label] = np.minimum(below, signed[:, plane])
        below = np.minimum(below, -signed[:, plane])
    result[:, labels[-1]] = below
    return result


def chain_facts(chain: Chain, classes: AnyArray) -> dict[str, object]:
    """Return what the planes of a chain are together, by the attributes of the estimator."""
    planes = [plane for _, plane in chain]
    support = np.unique(np.concatenate([plane.support for plane in planes]))
    return {
        "plane_classes_": classes[[label for label, _ in chain]],
        "coef_": np.array([plane.coef for plane in planes]),
        "intercept_": np.array([plane.intercept for plane in planes]),
        "support_": support,
        "n_features_used_": len(support),
        "error_": sum(plane.error for plane in planes),
        "error_bound_": sum(plane.error_bound for plane in planes),
        "least_error_": sum(plane.least_error for plane in planes),
        "lower_bound_": sum(plane.lower_bound for plane in planes),
        "status_": summed([plane.search for plane in planes]).status,
    }


def summed(searches: list[SearchResult[None]]) -> SearchResult[None]:
    """Return one result for several searches: the sum of their costs, the worst of their statuses."""
    if len(searches) == 1:
        return searches[0]
    worst = min(searches, key=lambda search: WORST_FIRST.index(search.status))
    return SearchResult(
        cost=sum(search.cost for search in searches),
        bound=sum(search.bound or 0.0 for search in searches),
        status=worst.status,
        message=worst.message,
        n_searched=sum(search.n_searched for search in searches),
        elapsed=max(search.elapsed for search in searches),
    )


def tree_of_chain(chain: Chain, n_classes: int, X: FloatArray) -> LinearTree:
    """Return a chain of planes as a tree that predicts as the chain does on the encoded rows `X`.

    A plane gives a class, not shares: leaves have no weight, and give their class the share 1.
    """
    labels = [label for label, _ in chain]
    last = next(label for label in range(n_classes) if label not in labels)
    tree = LinearTree([_labelled(last, n_classes, 0)])
    place = 0
    for depth, ((label, plane), (split, _)) in enumerate(zip(chain, chain_splits(chain, X), strict=True)):
        below, above = len(tree.nodes), len(tree.nodes) + 1
        tree.nodes += [_labelled(last, n_classes, depth + 1), _labelled(label, n_classes, depth + 1)]
        tree.nodes[place] = replace(tree.nodes[place], split=split, plane=plane, children=(below, above))
        place = below
    return tree


def chain_splits(chain: Chain, X: FloatArray) -> Iterator[tuple[LinearSplit, FloatArray]]:
    """Yield the splits of a chain, each with the rows that reach it."""
    for _, plane in chain:
        split = LinearSplit.of(plane, X)
        yield split, X
        X = X[~split.above(X)]


def _labelled(label: int, n_classes: int, depth: int) -> LinearNode:
    return LinearNode(np.empty(0, np.int64), np.zeros(n_classes), depth, fixed_label=label)
