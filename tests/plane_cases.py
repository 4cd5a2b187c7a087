"""Problems for tests of planes: random ones of every awkward kind.

Tests of the inside of the room take problems and rows as its engines do.

Inner names, as in unit tests: `planes.options`, `planes.problem` and `planes.rows`: the programs,
proofs and trees behind the estimators are checked one by one.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from treewright.planes.options import PlaneOptions
from treewright.planes.problem import PlaneProblem
from treewright.planes.rows import Rows

KINDS = (
    "normal",
    "integers",
    "binary",
    "separable",
    "same_means",
    "constant",
    "copies",
    "one_column",
    "two_rows",
    "weights",
)


def random_table(kind, seed, n_features=None):
    """Return rows, class A and weights of a kind."""
    rng = np.random.default_rng(seed)
    n = n_features or int(rng.integers(1, 7))
    N = int(rng.integers(n + 4, 40))
    X = rng.normal(size=(N, n))
    in_a = X @ rng.normal(size=n) + rng.normal(size=N) > 0
    weight = np.ones(N)
    if kind == "integers":
        X = rng.integers(-2, 3, size=(N, n)).astype(float)
    elif kind == "binary":
        X = rng.integers(0, 2, size=(N, n)).astype(float)
    elif kind == "separable":
        in_a = X[:, 0] > 0
        X[:, 0] += np.where(in_a, 0.1, -0.1)
    elif kind == "same_means":
        half = rng.normal(size=(N, n))
        X = np.vstack([half, -half, half[::-1] * 2, -half[::-1] * 2])
        in_a = np.repeat([True, False], 2 * N)
        weight = np.ones(4 * N)
    elif kind == "constant":
        X[:, -1] = 0.1
    elif kind == "copies":
        X = np.hstack([X, X[:, :1], -2 * X[:, :1]])
    elif kind == "one_column":
        X = X[:, :1]
    elif kind == "two_rows":
        X, in_a, weight = X[:2], np.array([True, False]), weight[:2]
    elif kind == "weights":
        weight = rng.integers(1, 9, size=N) / 4
    if in_a.all() or not in_a.any():
        in_a[0] = ~in_a[0]
    return X, in_a, weight


def scaled(X, weight=None):
    """Return columns with mean 0 and deviation 1; constant ones leave."""
    weight = np.ones(len(X)) if weight is None else weight
    X = X[:, X.min(axis=0) < X.max(axis=0)]
    centred = X - np.average(X, axis=0, weights=weight)
    return centred / np.sqrt(np.average(centred**2, axis=0, weights=weight))


def problem(X, in_a, weight=None, perturbation=0.0, **options):
    """Return the problem of some rows, in scaled units."""
    weight = np.ones(len(X)) if weight is None else weight
    sign = np.where(in_a, 1.0, -1.0)
    return PlaneProblem(scaled(X, weight), sign, weight, perturbation=perturbation, **options)


def rows_of(X, in_a, weight=None):
    """Return rows as engines take them, each column a feature."""
    weight = np.ones(len(X)) if weight is None else weight
    return Rows(np.asarray(X, dtype=float), np.asarray(in_a), weight, np.arange(X.shape[1]))


def options(**changed):
    """Return options of a plane."""
    return PlaneOptions(**changed)


seeds = st.integers(0, 10**6)
kinds = st.sampled_from(KINDS)
perturbations = st.sampled_from([0.0, 0.02, 0.3])
