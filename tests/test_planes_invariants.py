"""What must hold of planes whatever the rows: values, bounds, proofs and what they do not depend on.

Unit tests besides: properties of one LP, of one search and of rows in scaled units have no public name.

Inner names, as in unit tests: `planes.exchange`, `planes.fit`, `planes.problem` and
`planes.published`: the programs, proofs and trees behind the estimators are checked one by one.
"""

import functools
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plane_cases import kinds, options, perturbations, problem, random_table, rows_of, scaled, seeds
from reference.planes import cheapest, least_error
from treewright import RobustLinearClassifier
from treewright.planes.exchange import BestSets
from treewright.planes.fit import fit_plane
from treewright.planes.problem import Incumbent
from treewright.planes.published import CountSearch, Lines, exact_penalty, frank_wolfe, largest

CLOSE = {"rel": 1e-7, "abs": 1e-7}


def every(n_features):
    return np.ones(n_features, bool)


def error_of(X, in_a, weight=None, perturbation=0.0):
    return problem(X, in_a, weight, perturbation).full.error


@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_error_is_that_of_the_rows_and_grows_with_fewer_features(seed, kind, perturbation):
    own = problem(*random_table(kind, seed), perturbation)
    rng = np.random.default_rng(seed)
    small = rng.random(own.n_features) < 0.4
    large = small | (rng.random(own.n_features) < 0.4)
    none = own.solve(~every(own.n_features))
    assert none.error == pytest.approx(own.null_error, **CLOSE)
    errors = [own.solve(s).error for s in (every(own.n_features), large, small)]
    assert 0 <= errors[0] <= errors[1] + 1e-9
    assert errors[1] <= errors[2] + 1e-9 <= own.null_error + 2e-9
    solved = own.solve(large)
    assert own.error(solved.weights, solved.offset) == solved.error


@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_error_does_not_depend_on_how_rows_and_columns_are_written(seed, kind, perturbation):
    X, in_a, weight = random_table(kind, seed)
    rng = np.random.default_rng(seed)
    expected = error_of(X, in_a, weight, perturbation)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    signs = rng.choice([-1.0, 1.0], size=X.shape[1])
    assert error_of(X[rows], in_a[rows], weight[rows], perturbation) == pytest.approx(expected, **CLOSE)
    assert error_of(X[:, columns], in_a, weight, perturbation) == pytest.approx(expected, **CLOSE)
    assert error_of(X * signs, in_a, weight, perturbation) == pytest.approx(expected, **CLOSE)
    assert error_of(X, ~in_a, weight, perturbation) == pytest.approx(expected, **CLOSE)
    assert error_of(np.tile(X, (3, 1)), np.tile(in_a, 3), np.tile(weight, 3), perturbation) == pytest.approx(
        expected, **CLOSE
    )
    assert error_of(np.hstack([X, np.full((len(X), 1), 7.5)]), in_a, weight, perturbation) == pytest.approx(
        expected, **CLOSE
    )
    assert error_of(np.hstack([X, X[:, :1]]), in_a, weight, perturbation) == pytest.approx(expected, **CLOSE)
    affine = X * rng.uniform(0.01, 100, X.shape[1]) * signs + rng.uniform(-50, 50, X.shape[1])
    assert error_of(affine, in_a, weight, perturbation) == pytest.approx(expected, **CLOSE)


@given(seed=seeds, kind=kinds)
def test_error_is_concave_in_the_perturbation(seed, kind):
    X, in_a, weight = random_table(kind, seed)
    errors = np.array([error_of(X, in_a, weight, share) for share in np.linspace(0, 0.8, 5)])
    assert (np.diff(errors, 2) <= 1e-7).all()


@given(seed=seeds)
def test_error_is_2_where_class_means_coincide_and_less_where_not(seed):
    own = problem(*random_table("same_means", seed))
    assert own.full.error == pytest.approx(2)
    X, in_a, weight = random_table("normal", seed)
    assert error_of(X, in_a, weight) < 2 - 1e-9


@given(seed=seeds)
def test_error_is_0_where_a_plane_separates(seed):
    X, in_a, weight = random_table("separable", seed)
    plane = fit_plane(rows_of(X, in_a, weight), options())
    assert plane.error == pytest.approx(0, abs=1e-9)
    assert ((plane.scores(X) > 0) == in_a).all()


@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_penalty_on_other_features_becomes_exact(seed, kind, perturbation):
    own = problem(*random_table(kind, seed), perturbation)
    inside = np.random.default_rng(seed).random(own.n_features) < 0.5
    exact = exact_penalty(own)
    values = []
    for share in (0.1, 0.3, 1.0, 2.0):
        penalty = perturbation + np.where(inside, 0.0, share * exact)
        solved = own.solve_penalised(penalty)
        values.append(solved.error + float((penalty - perturbation) @ np.abs(solved.weights)))
    assert (np.diff(values) >= -1e-8).all()
    assert values[2:] == pytest.approx([own.solve(inside).error] * 2, **CLOSE)


@settings(max_examples=40)
@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_the_proven_minimum_is_that_of_all_subsets(seed, kind, perturbation):
    X, in_a, weight = random_table(kind, seed)
    plane = fit_plane(rows_of(X, in_a, weight), options(perturbation=perturbation, prove=np.inf))
    Z, sign = scaled(X, weight), np.where(in_a, 1.0, -1.0)
    value = functools.cache(lambda s: least_error(Z, sign, weight, perturbation, s))
    assert plane.search.status == "optimal"
    assert len(plane.support) == plane.lower_bound
    assert plane.lower_bound == cheapest(value, np.ones(Z.shape[1]), plane.error_bound)


@pytest.mark.parametrize("perturbation", [0.0, 0.02])
def test_the_proven_minimum_of_ten_features_is_that_of_all_subsets(perturbation):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 10))
    in_a = X[:, :5].sum(axis=1) + rng.normal(size=60) > 0
    plane = fit_plane(rows_of(X, in_a), options(perturbation=perturbation, prove=np.inf))
    own = problem(X, in_a, perturbation=perturbation)

    def value(subset):
        return own.solve(np.isin(np.arange(10), subset)).error

    assert len(plane.support) == plane.lower_bound == cheapest(value, np.ones(10), plane.error_bound)
    assert plane.error == pytest.approx(
        min(value(s) for s in subsets_of_size(10, len(plane.support))), **CLOSE
    )


def subsets_of_size(n, size):
    return combinations(range(n), size)


@settings(max_examples=40)
@given(seed=seeds, kind=kinds)
def test_the_proven_least_cost_is_that_of_all_subsets(seed, kind):
    X, in_a, weight = random_table(kind, seed)
    costs = np.random.default_rng(seed).integers(1, 6, X.shape[1]) / 2
    plane = fit_plane(rows_of(X, in_a, weight), options(feature_costs=costs, prove=np.inf))
    Z, sign = scaled(X, weight), np.where(in_a, 1.0, -1.0)
    kept = costs[X.min(axis=0) < X.max(axis=0)]
    value = functools.cache(lambda s: least_error(Z, sign, weight, 0.0, s))
    assert plane.search.status == "optimal"
    assert costs[plane.support].sum() == pytest.approx(cheapest(value, kept, plane.error_bound))


@settings(max_examples=60)
@given(
    seed=seeds,
    kind=kinds,
    perturbation=perturbations,
    search=st.sampled_from(["paper", "swap"]),
    refit=st.booleans(),
    slack=st.sampled_from([0.0, 0.1, 0.5]),
)
def test_every_plane_keeps_its_bound_and_tells_what_it_uses(seed, kind, perturbation, search, refit, slack):
    X, in_a, weight = random_table(kind, seed)
    asked = options(perturbation=perturbation, search=search, refit=refit, error_slack=slack)
    plane = fit_plane(rows_of(X, in_a, weight), asked)
    assert plane.error <= plane.error_bound + 2e-9 * (1 + plane.error_bound)
    assert plane.error_bound == pytest.approx((1 + slack) * plane.least_error)
    np.testing.assert_array_equal(np.flatnonzero(plane.coef), plane.support)
    assert len(plane.support) >= plane.lower_bound
    assert (X[:, plane.support].min(axis=0) < X[:, plane.support].max(axis=0)).all()
    refitted = fit_plane(
        rows_of(X, in_a, weight), options(perturbation=perturbation, search=search, error_slack=slack)
    )
    assert refitted.error <= plane.error + 1e-9


@settings(max_examples=40)
@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_no_single_feature_can_leave(seed, kind, perturbation):
    X, in_a, weight = random_table(kind, seed)
    plane = fit_plane(rows_of(X, in_a, weight), options(perturbation=perturbation))
    kept = X[:, plane.support]
    sign = np.where(in_a, 1.0, -1.0)
    for j in range(kept.shape[1]):
        rest = np.delete(np.arange(kept.shape[1]), j)
        error = least_error(scaled(kept, weight), sign, weight, perturbation, rest)
        assert error > plane.error_bound


@settings(max_examples=15)
@given(seed=seeds, perturbation=perturbations)
def test_proven_counts_fall_with_the_slack_and_with_more_columns(seed, perturbation):
    X, in_a, weight = random_table("normal", seed, n_features=6)
    asked = {"perturbation": perturbation, "prove": np.inf}
    counts = [
        fit_plane(rows_of(X, in_a, weight), options(error_slack=slack, **asked)).lower_bound
        for slack in (0.0, 0.1, 0.3, 1.0)
    ]
    assert counts == sorted(counts, reverse=True)
    fewer = fit_plane(rows_of(X[:, :4], in_a, weight), options(error_slack=0.0, **asked))
    more = fit_plane(
        rows_of(X, in_a, weight), options(error_slack=0.0, error_floor=fewer.error_bound, **asked)
    )
    assert more.lower_bound <= fewer.lower_bound


@settings(max_examples=15)
@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_limited_planes_are_those_of_all_subsets_where_proven(seed, kind, perturbation):
    X, in_a, weight = random_table(kind, seed)
    Z, sign = scaled(X, weight), np.where(in_a, 1.0, -1.0)
    for most in range(1, X.shape[1] + 1):
        asked = options(perturbation=perturbation, selection="limited", n_features=most)
        found = fit_plane(rows_of(X, in_a, weight), asked)
        proven = fit_plane(
            rows_of(X, in_a, weight),
            options(perturbation=perturbation, selection="limited", n_features=most, prove=np.inf),
        )
        sets = [s for size in range(most + 1) for s in subsets_of_size(Z.shape[1], size)]
        exact = min(least_error(Z, sign, weight, perturbation, s) for s in sets)
        assert proven.error == pytest.approx(exact, rel=1e-6, abs=1e-7)
        assert proven.search.status == "optimal"
        assert found.error >= exact - 1e-7
        assert len(found.support) <= most


@settings(max_examples=40)
@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_the_path_falls_to_the_least_error(seed, kind, perturbation):
    own = problem(*random_table(kind, seed), perturbation)
    sets = BestSets(own, own.n_features)
    sets.whole_path()
    errors = [sets.error(size) for size in range(own.n_features + 1)]
    assert (np.diff(errors) <= 1e-12).all()
    assert errors[-1] == pytest.approx(own.full.error, **CLOSE)
    singles = [own.solve(largest(np.eye(own.n_features)[j], 1)).error for j in range(own.n_features)]
    assert errors[1:2] == pytest.approx([min(singles)] if singles else [], **CLOSE)


@settings(max_examples=40)
@given(seed=seeds)
def test_planted_features_are_enough(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 8))
    in_a = X[:, 1] - 2 * X[:, 4] > 0.3
    if in_a.all() or not in_a.any():
        return
    plane = fit_plane(rows_of(X, in_a), options(prove=np.inf))
    assert plane.error == pytest.approx(0, abs=1e-9)
    assert plane.search.status == "optimal"
    assert len(plane.support) <= 2


@settings(max_examples=40)
@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_no_number_of_features_is_asked_for_twice(seed, kind, perturbation):
    own = problem(*random_table(kind, seed), perturbation)
    bound = 1.1 * own.full.error
    if own.keeps(own.null_error, bound):
        return
    search = CountSearch(own, bound, Incumbent(own, bound))
    search.run()
    asked = [row[0] for row in search.trace]
    assert len(set(asked)) == len(asked) <= own.n_features
    assert search.incumbent.cost <= own.n_features


@settings(max_examples=40)
@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_rounds_end_with_the_weight_outside_they_report(seed, kind, perturbation):
    own = problem(*random_table(kind, seed), perturbation)
    bound = 1.05 * own.full.error + 0.01
    start = largest(own.sizes(own.full.weights), 1)
    found = frank_wolfe(Lines(own), bound, 1, start)
    sizes = own.sizes(found.plane.weights)
    assert found.outside == pytest.approx(sizes[~found.features].sum(), abs=1e-12)
    assert own.error(found.plane.weights, found.plane.offset) <= bound + 1e-8
    again = frank_wolfe(Lines(own), bound, 1, found.features)
    assert again.outside <= found.outside + 1e-7


@settings(max_examples=30)
@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_everything_claimed_is_confirmed(seed, kind, perturbation):
    X, in_a, weight = random_table(kind, seed)
    model = RobustLinearClassifier(perturbation=perturbation, prove=True).fit(X, in_a, sample_weight=weight)
    assert model.verify(X, in_a, sample_weight=weight).holds


@pytest.mark.filterwarnings("ignore::treewright.DataWarning")  # a column that was drawn may part the classes
@settings(max_examples=30)
@given(seed=seeds, kind=kinds, perturbation=perturbations)
def test_neither_row_order_nor_repeated_rows_change_the_plane(seed, kind, perturbation):
    X, in_a, _ = random_table(kind, seed)
    rng = np.random.default_rng(seed)
    times = rng.integers(1, 4, len(X))
    repeated = rng.permutation(np.repeat(np.arange(len(X)), times))
    weighted = RobustLinearClassifier(perturbation=perturbation).fit(
        X, in_a, sample_weight=times.astype(float)
    )
    listed = RobustLinearClassifier(perturbation=perturbation).fit(X[repeated], in_a[repeated])
    np.testing.assert_array_equal(weighted.coef_, listed.coef_)
    np.testing.assert_array_equal(weighted.intercept_, listed.intercept_)
    assert weighted.error_ == listed.error_
