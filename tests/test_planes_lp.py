"""The LPs behind planes against SciPy, and the dual vectors that prove their values.

A unit test: no public name solves one LP.

Inner names, as in unit tests: `planes.proof` and `planes.published`: the programs, proofs and trees
behind the estimators are checked one by one.
"""

import numpy as np
import pytest
from hypothesis import given

from plane_cases import KINDS, kinds, perturbations, problem, random_table, seeds
from reference.planes import least_error, least_size, single_feature_error
from treewright.planes.proof import error_certificate
from treewright.planes.published import Lines, smallest_plane

CLOSE = {"rel": 1e-7, "abs": 1e-7}


def subset(n_features, seed):
    return np.random.default_rng(seed).random(n_features) < 0.6


@pytest.mark.parametrize("perturbation", [0.0, 0.02, 0.5])
@pytest.mark.parametrize("kind", KINDS)
def test_least_errors_are_those_of_scipy(kind, perturbation):
    for seed in range(12):
        X, in_a, weight = random_table(kind, seed)
        own = problem(X, in_a, weight, perturbation)
        for features in (np.ones(own.n_features, bool), subset(own.n_features, seed)):
            expected = least_error(own.Z, own.sign, weight, perturbation, np.flatnonzero(features))
            solved = own.solve(features)
            assert solved.error == pytest.approx(expected, **CLOSE)
            assert solved.dual.sum() == pytest.approx(expected, **CLOSE)
            assert not solved.weights[~features].any()
            assert error_certificate(own, features, solved).holds(own.Z, own.sign, own.cap)


@pytest.mark.parametrize("perturbation", [0.0, 0.02, 0.5])
@pytest.mark.parametrize("kind", KINDS)
def test_least_sizes_are_those_of_scipy(kind, perturbation):
    for seed in range(8):
        X, in_a, weight = random_table(kind, seed)
        own = problem(X, in_a, weight, perturbation)
        c = np.random.default_rng(seed).choice([0.0, 0.5, 1.0], size=own.n_features)
        bound = 1.1 * own.full.error + 0.01
        expected = least_size(own.Z, own.sign, weight, perturbation, bound, c)
        found = smallest_plane(Lines(own), bound, c)
        assert found.size == pytest.approx(expected, **CLOSE)
        assert own.error(found.weights, found.offset) <= bound + 1e-8
        assert found.certificate(bound).holds(own.Z, own.sign, own.cap)


def test_least_size_of_separating_planes_is_that_of_scipy():
    for seed in range(12):
        X, in_a, weight = random_table("separable", seed)
        own = problem(X, in_a, weight)
        c = np.ones(own.n_features)
        expected = least_size(own.Z, own.sign, weight, 0.0, 1e-12, c)
        found = smallest_plane(Lines(own), own.full.error, c)
        assert found.size == pytest.approx(expected, rel=1e-6)


def test_planes_known_already_do_not_change_a_size():
    X, in_a, weight = random_table("normal", 3, n_features=6)
    own = problem(X, in_a, weight)
    bound, lines = 1.2 * own.full.error, Lines(own)
    rng = np.random.default_rng(0)
    for _ in range(40):
        c = rng.random(6)
        assert smallest_plane(lines, bound, c).size == pytest.approx(
            smallest_plane(Lines(own), bound, c).size, **CLOSE
        )


@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_a_column_left_out_by_an_infinite_weight_is_not_used(seed, kind, perturbation):
    X, in_a, weight = random_table(kind, seed)
    own = problem(X, in_a, weight, perturbation)
    features = subset(own.n_features, seed)
    bound = own.solve(features).error * 1.1 + 0.05
    found = smallest_plane(Lines(own), bound, np.where(features, 1.0, np.inf))
    assert not found.weights[~features].any()
    assert own.error(found.weights, found.offset) <= bound + 1e-8


@given(seed=seeds)
def test_one_feature_by_its_kinks(seed):
    X, in_a, weight = random_table("integers", seed, n_features=1)
    if X.min() == X.max():
        X[0] += 1
    own = problem(X, in_a, weight)
    assert own.full.error == pytest.approx(single_feature_error(own.Z[:, 0], own.sign, weight), **CLOSE)


@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_size_within_a_bound_is_convex_in_the_bound(seed, kind, perturbation):
    X, in_a, weight = random_table(kind, seed)
    own = problem(X, in_a, weight, perturbation)
    least, c = own.full.error, np.ones(own.n_features)
    bounds = least + (own.null_error - least) * np.array([0.05, 0.25, 0.5, 0.75, 1.0])
    sizes = np.array([smallest_plane(Lines(own), bound, c).size for bound in bounds])
    assert (np.diff(sizes) <= 1e-7).all()
    assert sizes[-1] == pytest.approx(0, abs=1e-7)
    slopes = np.diff(sizes) / np.maximum(np.diff(bounds), 1e-12)
    assert (np.diff(slopes) >= -1e-5 * (1 + abs(slopes).max())).all()


@given(seed=seeds, kind=kinds)
def test_size_within_a_bound_scales_with_its_weights(seed, kind):
    X, in_a, weight = random_table(kind, seed)
    own = problem(X, in_a, weight, 0.02)
    bound = 0.5 * (own.full.error + own.null_error)
    c = np.random.default_rng(seed).random(own.n_features)
    size = smallest_plane(Lines(own), bound, c).size
    assert smallest_plane(Lines(own), bound, 3 * c).size == pytest.approx(3 * size, **CLOSE)
    assert smallest_plane(Lines(own), bound, c + 0.1).size >= size - 1e-7


def test_a_wrong_dual_vector_proves_nothing():
    X, in_a, weight = random_table("normal", 1, n_features=4)
    own = problem(X, in_a, weight, 0.02)
    features = np.ones(4, bool)
    proof = error_certificate(own, features, own.full)
    proof.dual[0] += 0.01
    assert not proof.holds(own.Z, own.sign, own.cap)
