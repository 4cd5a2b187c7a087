"""Planes by the book: LPs written out in full for SciPy, and every subset tried."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import linprog


def caps(sign, weight, perturbation):
    """Return what an error of 1 costs in each row: its share of its class."""
    in_a = sign > 0
    totals = np.where(in_a, weight[in_a].sum(), weight[~in_a].sum())
    return (1 - perturbation) * weight / totals


def least_error(Z, sign, weight, perturbation=0.0, columns=None):
    """Solve the primal LP in u (errors), w+, w- and g on some columns."""
    Z = Z if columns is None else Z[:, list(columns)]
    N, n = Z.shape
    objective = np.concatenate([caps(sign, weight, perturbation), np.full(2 * n, perturbation), [0.0]])
    signed = sign[:, None] * Z
    rows = np.hstack([-np.eye(N), -signed, signed, sign[:, None]])
    limits = [(0, None)] * (N + 2 * n) + [(None, None)]
    found = linprog(objective, A_ub=rows, b_ub=-np.ones(N), bounds=limits, method="highs")
    assert found.status == 0, found.message
    return found.fun


def least_size(Z, sign, weight, perturbation, bound, c):
    """Solve the LP of least weighted size within a bound on the error."""
    N, n = Z.shape
    objective = np.concatenate([np.zeros(N), c, c, [0.0]])
    signed = sign[:, None] * Z
    rows = np.hstack([-np.eye(N), -signed, signed, sign[:, None]])
    error = np.concatenate([caps(sign, weight, perturbation), np.full(2 * n, perturbation), [0.0]])
    limits = [(0, None)] * (N + 2 * n) + [(None, None)]
    found = linprog(
        objective,
        A_ub=np.vstack([rows, error]),
        b_ub=np.append(-np.ones(N), bound),
        bounds=limits,
        method="highs",
    )
    assert found.status == 0, found.message
    return found.fun


def cheapest(value, costs, bound):
    """Return the least cost of a subset whose `value` is within the bound, all subsets tried."""
    features = range(len(costs))
    subsets = [s for size in range(len(costs) + 1) for s in combinations(features, size)]
    return min(sum(costs[j] for j in s) for s in subsets if value(s) <= bound + 1e-9 * (1 + bound))


def single_feature_error(x, sign, weight):
    """Least error of a plane on one feature without penalty, by all its kinks.

    The error is piecewise linear in (w, g) and bounded below, so that some vertex attains it; a vertex has
    two rows at margin 1, or is w = 0.
    """
    cap = caps(sign, weight, 0.0)

    def error(w, g):
        return float(cap @ np.maximum(1 - sign * (w * x - g), 0))

    best = 2.0
    for i in range(len(x)):
        for j in range(i):
            if x[i] == x[j]:
                continue
            w = (sign[i] - sign[j]) / (x[i] - x[j])
            best = min(best, error(w, w * x[i] - sign[i]))
    return best


def separates(Z, sign):
    """Tell whether a plane has every row strictly on its side."""
    N, n = Z.shape
    signed = sign[:, None] * np.hstack([Z, -np.ones((N, 1))])
    found = linprog(np.zeros(n + 1), A_ub=-signed, b_ub=-np.ones(N), bounds=[(None, None)] * (n + 1))
    return found.status == 0


def fewest_wrong(Z, sign, weight):
    """Return the least weight of rows to give up so that a plane separates the others: every choice tried."""
    choices = [np.array(list(np.binary_repr(i, len(Z)))) == "1" for i in range(2 ** len(Z))]
    for given_up in sorted(choices, key=lambda rows: weight[rows].sum()):
        if separates(Z[~given_up], sign[~given_up]):
            return float(weight[given_up].sum())
    raise AssertionError("no rows at all are separated")


def fewest_wrong_by_size(Z, sign, weight):
    """Return the least weight of misclassified rows with at most 0, 1, ... features: every set tried."""
    least, found = np.inf, []
    for size in range(Z.shape[1] + 1):
        for columns in combinations(range(Z.shape[1]), size):
            least = min(least, fewest_wrong(Z[:, list(columns)], sign, weight))
        found.append(least)
    return found


def fewest_wrong_of_one_feature(x, sign, weight):
    """Return the least weight of rows that a threshold on one feature misclassifies, either side up."""
    cuts = [-np.inf, *np.unique(x)]
    errors = [float(weight[(x > cut) != (side * sign > 0)].sum()) for cut in cuts for side in (-1, 1)]
    return min(errors)
