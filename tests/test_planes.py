"""The estimator of planes: what it learns, what it refuses, and what each parameter does.

Inner names, as in unit tests: `planes.fit`, `planes.options`, `planes.problem`, `planes.rows`,
`planes.scaling`: the programs, proofs and trees behind the estimators are checked one by one.
"""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import KFold, cross_val_score

from treewright import (
    DataError,
    Dataset,
    DataTypeError,
    DataWarning,
    ParameterError,
    RobustLinearClassifier,
    datasets,
)
from treewright.planes.fit import fit_plane
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import PlaneProblem
from treewright.planes.rows import Rows
from treewright.planes.scaling import Scaling, shift_off_rows, without_copies


@pytest.fixture(scope="module")
def wdbc():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module")
def noisy():
    """Six features, three of which matter."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(120, 6)) * [1, 10, 0.1, 1, 5, 2] + [0, 3, 0, -5, 0, 100]
    y = np.where(X[:, 0] + X[:, 1] / 10 - 5 * X[:, 2] + rng.normal(size=120) > 0.4, "yes", "no")
    return X, y


def test_raw_plane_predicts_and_uses_what_it_says(noisy):
    X, y = noisy
    model = RobustLinearClassifier(perturbation=0.02).fit(X, y)
    assert model.coef_.shape == (1, 6)
    assert model.intercept_.shape == (1,)
    assert list(np.flatnonzero(model.coef_[0])) == list(model.support_)
    assert model.n_features_used_ == len(model.support_) == model.search_.cost
    scores = X @ model.coef_[0] + model.intercept_[0]
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), model.classes_[(scores > 0).astype(int)])
    assert model.score(X, y) > 0.75
    assert model.least_error_ <= model.error_ <= model.error_bound_ == pytest.approx(1.1 * model.least_error_)
    assert model.status_ == model.search_.status


def test_trace_tells_the_subproblems(noisy):
    model = RobustLinearClassifier(search="paper").fit(*noisy)
    assert model.trace_.dtype.names == ("n_features", "outside", "enough", "n_lps", "seconds")
    assert model.trace_["n_features"][0] == 1
    succeeded = model.trace_["enough"]
    assert (model.trace_["outside"][~succeeded] > 0).all()
    assert model.n_features_used_ <= model.trace_["n_features"][succeeded].min(initial=6)
    assert len(RobustLinearClassifier(selection=None).fit(*noisy).trace_) == 0


def test_proof_meets_the_count(wdbc):
    model = RobustLinearClassifier(perturbation=0.02, prove=True).fit(*wdbc)
    assert (model.n_features_used_, model.lower_bound_, model.status_) == (4, 4, "optimal")
    assert model.search_.gap == 0
    verification = model.verify(*wdbc)
    assert verification.holds
    lps = {"least_error", "chosen", "outside", "cut"}
    of_plane = {
        "scaling",
        "error",
        "bound",
        "shift",
        "support",
        "cost",
        "lower_bound",
        "status",
    }
    named = {str(name) for name in verification.claims["claim"]}
    assert {name for name in named if not name.endswith("_")} == lps | of_plane


def test_verification_sees_a_plane_that_was_tampered_with(noisy):
    model = RobustLinearClassifier(prove=True).fit(*noisy)
    model.planes_[0].raw.coef[model.support_[0]] *= 1.01
    wrong = model.verify(*noisy).claims
    assert not wrong["holds"][wrong["claim"] == "error"].all()


def test_verification_sees_a_proof_that_lacks_a_cut(noisy):
    model = RobustLinearClassifier(prove=True).fit(*noisy)
    cuts = model.planes_[0].cuts
    del cuts.masks[1:], cuts.certificates[1:]
    wrong = model.verify(*noisy).claims
    assert not wrong["holds"][wrong["claim"] == "lower_bound"].any()


def test_verification_sees_other_data(noisy):
    X, y = noisy
    model = RobustLinearClassifier().fit(X, y)
    assert not model.verify(X + np.linspace(0, 1, len(X))[:, None], y).holds


def test_without_selection_the_least_error_is_kept(noisy):
    model = RobustLinearClassifier(selection=None).fit(*noisy)
    assert model.error_ == model.error_bound_ == model.least_error_ == model.lower_bound_
    assert model.status_ == "optimal"


@pytest.mark.parametrize("search", ["swap", "paper"])
def test_limited_features(noisy, search):
    errors = []
    for most in range(1, 7):
        model = RobustLinearClassifier(
            perturbation=0.02, selection="limited", n_features=most, search=search
        ).fit(*noisy)
        assert model.n_features_used_ <= most
        assert model.error_bound_ == np.inf
        assert model.search_.cost == model.error_ >= model.lower_bound_
        errors.append(model.error_)
    if search == "swap":
        assert errors == sorted(errors, reverse=True)
    assert errors[-1] == pytest.approx(model.least_error_)


def test_limit_beyond_what_is_used_is_optimal(noisy):
    model = RobustLinearClassifier(selection="limited", n_features=100).fit(*noisy)
    assert model.status_ == "optimal"
    assert model.error_ == model.least_error_


def test_path_chooses_the_least_test_error(noisy):
    model = RobustLinearClassifier(selection="path").fit(*noisy)
    path = model.path_
    assert list(path["n_features"]) == [1, 2, 3, 4, 5, 6]
    assert (np.diff(path["error"]) <= 0).all()
    best = int(np.argmin(path["test_error"]))
    assert model.n_features_used_ == path["n_used"][best]
    assert model.error_ == pytest.approx(path["error"][best])
    thrifty = RobustLinearClassifier(selection="path", one_standard_error=True).fit(*noisy)
    assert thrifty.n_features_used_ <= model.n_features_used_
    np.testing.assert_array_equal(thrifty.path_, path)


@pytest.mark.parametrize("cv", [3, KFold(3), list(KFold(4).split(np.zeros(120)))], ids=str)
def test_path_takes_any_folds(noisy, cv):
    model = RobustLinearClassifier(selection="path", cv=cv, n_features=2).fit(*noisy)
    assert np.isfinite(model.path_["test_error"]).all()
    assert len(model.path_) == 2


def test_path_folds_name_rows_of_the_table_as_given(noisy):
    X, y = noisy
    weights = np.ones(len(X))
    weights[::5] = 0
    kept = np.flatnonzero(weights)
    splits = [(a[weights[a] > 0], b[weights[b] > 0]) for a, b in KFold(4).split(X)]
    place = {row: i for i, row in enumerate(kept)}
    moved = [([place[r] for r in a], [place[r] for r in b]) for a, b in splits]
    by_weight = RobustLinearClassifier(selection="path", cv=KFold(4).split(X)).fit(
        X, y, sample_weight=weights
    )
    by_hand = RobustLinearClassifier(selection="path", cv=moved).fit(X[kept], y[kept])
    np.testing.assert_array_equal(by_weight.path_, by_hand.path_)


def test_path_does_not_depend_on_the_number_of_processes(noisy):
    one = RobustLinearClassifier(selection="path", n_features=3).fit(*noisy)
    two = RobustLinearClassifier(selection="path", n_features=3, n_jobs=2).fit(*noisy)
    np.testing.assert_array_equal(one.path_, two.path_)
    np.testing.assert_array_equal(one.coef_, two.coef_)


def test_path_of_two_samples_falls_back_on_the_bound():
    model = RobustLinearClassifier(selection="path").fit([[0.0, 1.0], [1.0, 5.0]], [0, 1])
    assert model.score([[0.0, 1.0], [1.0, 5.0]], [0, 1]) == 1
    assert model.n_features_used_ == 1


def test_plane_without_refit_spends_the_bound_on_small_weights(noisy):
    X, y = noisy
    kept = RobustLinearClassifier(search="paper").fit(X, y)
    raw = RobustLinearClassifier(search="paper", refit=False).fit(X, y)
    assert set(raw.support_) <= set(kept.support_)
    assert kept.error_ < raw.error_ <= raw.error_bound_ + 1e-9
    scale = X.std(axis=0)
    assert np.abs(raw.coef_ * scale).sum() < np.abs(kept.coef_ * scale).sum()


def test_error_floor_and_slack_set_the_bound(noisy):
    least = RobustLinearClassifier().fit(*noisy).least_error_
    assert RobustLinearClassifier(error_slack=0.5).fit(*noisy).error_bound_ == pytest.approx(1.5 * least)
    floor = RobustLinearClassifier(error_floor=1.5).fit(*noisy)
    assert floor.error_bound_ == 1.5
    assert floor.n_features_used_ == 1


@pytest.mark.parametrize("selection", ["bounded", None, "path"])
def test_no_plane_is_better_than_none_where_the_means_coincide(selection):
    X = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]] * 3)
    y = np.array(["in", "in", "out", "out"] * 3)
    model = RobustLinearClassifier(selection=selection).fit(X, y, sample_weight=[1, 1, 2, 2] * 3)
    assert model.n_features_used_ == 0
    assert model.error_ == pytest.approx(2)
    assert model.status_ == "optimal"
    assert set(model.predict(X)) == {"out"}
    assert model.verify(X, y, sample_weight=[1, 1, 2, 2] * 3).holds


def test_constant_columns_are_never_used():
    X = np.column_stack([np.full(20, 0.1), np.arange(20.0), np.zeros(20)])
    y = np.arange(20) > 8
    model = RobustLinearClassifier(selection=None).fit(X, y)
    assert list(model.support_) == [1]
    nothing = RobustLinearClassifier(prove=True).fit(X[:, [0, 2]], y)
    assert (nothing.n_features_used_, nothing.status_) == (0, "optimal")
    assert nothing.predict(X[:, [0, 2]]).all()


def test_of_equal_columns_the_cheapest_is_used_and_then_the_first():
    rng = np.random.default_rng(0)
    x = rng.normal(size=60)
    y = x + rng.normal(size=60) > 0
    X = np.column_stack([x, 2 * x + 1, -x])
    assert list(RobustLinearClassifier(selection=None).fit(X, y).support_) == [0]
    assert list(RobustLinearClassifier(feature_costs=[3, 2, 2]).fit(X, y).support_) == [1]
    assert RobustLinearClassifier(prove=True).fit(X, y).verify(X, y).holds


def test_rows_on_the_plane_go_to_the_heavier_class():
    X = np.repeat([[-2.0], [0.0], [2.0]], 10, axis=0)
    y = np.array([0] * 10 + [1] * 6 + [0] * 4 + [1] * 10)
    model = RobustLinearClassifier().fit(X, y)
    assert model.predict([[0.0]]) == [1]
    assert model.predict([[0.0]]) == RobustLinearClassifier().fit(X + 0.1, y).predict([[0.1]])


@pytest.mark.parametrize(
    ("in_a", "weight", "expected"),
    [
        ([0, 0, 1, 1], [1, 1, 1, 1], -0.5),
        ([0, 0, 1, 1], [1, 2, 1, 1], 0.5),
        ([0, 1, 1, 1], [1, 1, 1, 1], -0.5),
    ],
)
def test_offset_moves_half_the_way_to_the_next_row(in_a, weight, expected):
    Z = np.array([[-1.0], [0.0], [0.0], [1.0]])
    moved = shift_off_rows(Z, np.array(in_a) > 0, np.array(weight, float), np.ones(1), 0.0)
    assert moved == expected


def test_a_column_that_varies_by_rounding_alone_is_constant():
    scaling = Scaling.of(np.array([[1.0, 0.1], [3.0, 0.1]]), np.ones(2))
    assert (scaling.scale.tolist(), scaling.varies.tolist()) == ([1.0, 1.0], [True, False])


def test_a_column_that_mirrors_another_is_its_copy():
    mirrored = np.array([[-1.0, 1.0], [1.0, -1.0]])
    assert without_copies(mirrored, np.arange(2), None).tolist() == [True, False]


def test_two_rows_are_separated_without_error():
    problem = PlaneProblem(np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), np.ones(2))
    assert (problem.full.error, problem.full.weights.tolist(), problem.null_error) == (0.0, [1.0], 2.0)


def test_one_feature_is_enough_where_it_separates_alone():
    X = np.array([[0.0, 5.0], [1.0, 2.0], [3.0, 4.0], [4.0, 1.0]])
    plane = fit_plane(Rows(X, np.array([False, False, True, True]), np.ones(4), np.arange(2)), PlaneOptions())
    assert (plane.support.tolist(), plane.error) == ([0], 0.0)
    np.testing.assert_allclose(plane.scores(X), [-2, -1, 1, 2], atol=1e-6)


def test_large_raw_units_do_not_move_labels(noisy):
    X, y = noisy
    small = RobustLinearClassifier(perturbation=0.02).fit(X, y)
    large = RobustLinearClassifier(perturbation=0.02).fit(X * 1e6 + 1e9, y)
    assert list(small.support_) == list(large.support_)
    np.testing.assert_array_equal(small.predict(X), large.predict(X * 1e6 + 1e9))


def test_enormous_numbers_are_scaled_without_overflow():
    X = np.array([[-1e300, 1.0], [1e300, 2.0], [-9e299, 3.0], [1.1e300, 1.0]])
    model = RobustLinearClassifier().fit(X, [0, 1, 0, 1])
    assert list(model.support_) == [0]
    assert model.score(X, [0, 1, 0, 1]) == 1


def test_classes_that_weights_remove_are_said_to_be_removed(noisy):
    X, y = noisy
    message = "one class only among samples of positive weight, 'yes'"
    with pytest.raises(DataError, match=message):
        RobustLinearClassifier().fit(X, y, sample_weight=(y == "yes").astype(float))


# Nominal features.


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue"], 150)
    size = rng.normal(size=150)
    noise = rng.normal(size=150)
    y = (colour == "red") * 2 + size + 0.5 * rng.normal(size=150) > 0.7
    return pd.DataFrame({"noise": noise, "colour": colour, "size": size, "old": rng.random(150) < 0.5}), y


def test_nominal_feature_counts_once(mixed):
    X, y = mixed
    model = RobustLinearClassifier(prove=True).fit(X, y)
    assert model.column_names_ == ["noise", "colour=blue", "colour=green", "colour=red", "size", "old=True"]
    assert list(model.support_) == [1, 2]
    assert (model.n_features_used_, model.lower_bound_) == (2, 2)
    assert model.coef_.shape == (1, 6)
    assert model.verify(X, y).holds
    assert model.score(X, y) > 0.8


def test_nominal_feature_is_one_of_limited_features(mixed):
    X, y = mixed
    model = RobustLinearClassifier(selection="limited", n_features=1, prove=True).fit(X, y)
    assert model.n_features_used_ == 1


def test_nominal_value_unknown_to_fit_counts_as_missing(mixed):
    X, y = mixed
    strange = X.iloc[:2].assign(colour="mauve")
    with pytest.raises(DataError, match=r"'colour'.*unknown to fit"):
        RobustLinearClassifier().fit(X, y).predict(strange)
    assert len(RobustLinearClassifier(missing="mean").fit(X, y).predict(strange)) == 2


# Missing values.


def test_missing_values_are_refused_by_name(noisy):
    X, y = noisy
    holed = pd.DataFrame(X.copy(), columns=list("abcdef"))
    holed.loc[17, "d"] = np.nan
    with pytest.raises(
        DataError, match=r"feature 'd' \(column 3\) has NaN at row 17.*missing='mean' or 'drop'"
    ):
        RobustLinearClassifier().fit(holed, y)
    weights = np.ones(len(y))
    weights[:5] = 0
    with pytest.raises(DataError, match="row 17"):
        RobustLinearClassifier().fit(holed, y, sample_weight=weights)
    weights[17] = 0
    assert RobustLinearClassifier().fit(holed, y, sample_weight=weights).status_
    model = RobustLinearClassifier().fit(pd.DataFrame(X, columns=list("abcdef")), y)
    assert 3 not in model.support_
    assert len(model.predict(holed)) == len(y)
    holed.loc[19] = np.nan
    with pytest.raises(DataError, match=r"feature '[a-f]' .* at row 19"):
        model.predict(holed)


def test_missing_values_as_means(noisy):
    X, y = noisy
    holed = X.copy()
    holed[::7, 1] = np.nan
    model = RobustLinearClassifier(missing="mean").fit(holed, y)
    filled = holed.copy()
    filled[::7, 1] = np.nanmean(holed[:, 1])
    np.testing.assert_array_equal(model.predict(holed), model.predict(filled))
    assert model.verify(holed, y).holds


def test_dropped_rows_are_as_if_they_were_not_there(noisy):
    X, y = noisy
    holed = X.copy()
    holed[::7, 1] = np.nan
    whole = np.arange(len(X)) % 7 != 0
    model = RobustLinearClassifier(missing="drop").fit(holed, y)
    expected = RobustLinearClassifier().fit(X[whole], y[whole])
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    assert len(model.predict(holed)) == len(X)
    holed[y == "yes", 0] = np.nan
    with (
        pytest.raises(DataError, match="no sample of class 'yes' is without missing values"),
        pytest.warns(DataWarning, match="'x0' .* alone tells the class of all"),
    ):
        model.fit(holed, y)


def test_column_without_known_values_is_not_used(noisy):
    X, y = noisy
    empty = np.column_stack([np.full(len(X), np.nan), X])
    model = RobustLinearClassifier(missing="mean").fit(empty, y)
    assert 0 not in model.support_
    np.testing.assert_array_equal(model.predict(empty), RobustLinearClassifier().fit(X, y).predict(X))


# Costs.


def test_costs_are_made_small_in_place_of_the_number():
    rng = np.random.default_rng(5)
    a, b, noise = rng.normal(size=(3, 200))
    y = a + b + 0.3 * noise > 0
    X = np.column_stack([a + b, a, b, rng.normal(size=200)])
    dear = RobustLinearClassifier(feature_costs=[5, 1, 1, 1], prove=True).fit(X, y)
    cheap = RobustLinearClassifier(feature_costs=[1.5, 1, 1, 1], prove=True).fit(X, y)
    assert (list(dear.support_), dear.search_.cost, dear.lower_bound_) == ([1, 2], 2, 2)
    assert (list(cheap.support_), cheap.search_.cost) == ([0], 1.5)
    assert dear.status_ == cheap.status_ == "optimal"
    assert dear.verify(X, y).holds


@pytest.mark.parametrize("search", ["swap", "paper"])
def test_equal_costs_are_a_count(noisy, search):
    counted = RobustLinearClassifier(search="swap", prove=True).fit(*noisy)
    costly = RobustLinearClassifier(search=search, feature_costs=[2.0] * 6, prove=True).fit(*noisy)
    assert costly.search_.cost == 2 * counted.n_features_used_


@pytest.mark.parametrize("unit", [1e-320, 1e-308, 1e-300])
def test_columns_of_next_to_nothing_are_constant(noisy, unit):
    X, y = noisy
    nothing = RobustLinearClassifier().fit(X * unit, y)
    assert nothing.n_features_used_ == 0
    assert nothing.verify(X * unit, y).holds
    beside = RobustLinearClassifier().fit(np.hstack([X, X * unit]), y)
    np.testing.assert_array_equal(beside.support_, RobustLinearClassifier().fit(X, y).support_)
    assert beside.verify(np.hstack([X, X * unit]), y).holds


def test_small_columns_are_columns_like_others(noisy):
    X, y = noisy
    small = RobustLinearClassifier().fit(X * 1e-280, y)
    assert small.error_ == pytest.approx(RobustLinearClassifier().fit(X, y).error_)
    assert small.verify(X * 1e-280, y).holds


def test_separated_rows_have_no_error_and_need_none():
    data = datasets.load("sonar")
    model = RobustLinearClassifier(search="paper").fit(data)
    assert model.error_ == model.error_bound_ == model.least_error_ == 0


@pytest.mark.parametrize("refit", [True, False])
@pytest.mark.parametrize("slack", [0, 1e-12, 0.01, 0.1])
@pytest.mark.parametrize("perturbation", [0, 0.02])
def test_the_error_is_never_above_its_bound(refit, slack, perturbation):
    rng = np.random.default_rng(7)
    for _ in range(5):
        X = rng.normal(size=(40, 5))
        y = X[:, 0] + X[:, 1] + rng.normal(size=40) > 0
        model = RobustLinearClassifier(perturbation=perturbation, error_slack=slack, refit=refit).fit(X, y)
        assert model.error_ <= model.error_bound_
        assert model.verify(X, y).holds


@pytest.mark.parametrize("unit", [1, 1e-9, 1e9])
def test_costs_that_are_not_whole_are_proven_without_a_gap(unit):
    data = datasets.load("heart-statlog")
    costs = np.random.default_rng(2).random(13) * unit
    model = RobustLinearClassifier(perturbation=0.02, feature_costs=costs, prove=True).fit(data)
    assert model.status_ == "optimal"
    assert model.lower_bound_ == model.search_.cost == pytest.approx(costs[model.support_].sum())
    assert model.search_.gap == 0
    assert model.verify(data).holds


def test_no_set_is_cheaper_than_the_one_proven(noisy):
    X, y = noisy
    costs = np.random.default_rng(3).random(6)
    model = RobustLinearClassifier(perturbation=0.02, feature_costs=costs, prove=True).fit(X, y)
    kept = []
    for subset in range(1, 64):
        features = np.flatnonzero([subset >> place & 1 for place in range(6)])
        part = RobustLinearClassifier(perturbation=0.02, selection=None).fit(X[:, features], y)
        if part.error_ <= model.error_bound_ + 1e-9:
            kept.append(costs[features].sum())
    assert model.search_.cost == pytest.approx(min(kept), rel=1e-12)


def test_free_features_cost_nothing(noisy):
    model = RobustLinearClassifier(feature_costs=[0, 0, 0, 1, 1, 1], prove=True).fit(*noisy)
    assert model.search_.cost == 0
    assert set(model.support_) <= {0, 1, 2}


# More than two classes.


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_more_classes_are_split_off_one_by_one(load):
    X, y = load(return_X_y=True)
    model = RobustLinearClassifier(perturbation=0.02, prove=True).fit(X, y)
    assert model.coef_.shape == (2, X.shape[1])
    assert len(model.planes_) == len(model.plane_classes_) == 2
    assert model.score(X, y) > 0.95
    scores = model.decision_function(X)
    assert scores.shape == (len(X), 3)
    np.testing.assert_array_equal(scores.argmax(axis=1), model.predict(X))
    first = X @ model.coef_[0] + model.intercept_[0] > 0
    np.testing.assert_array_equal(model.predict(X) == model.plane_classes_[0], first)
    assert model.search_.cost == sum(len(plane.support) for plane in model.planes_) == model.lower_bound_
    assert model.verify(X, y).holds


def test_the_class_that_is_told_best_is_split_off_first():
    X, y = load_iris(return_X_y=True)
    assert RobustLinearClassifier().fit(X, y).plane_classes_[0] == 0
    names = np.array(["zebra", "ant", "bee"])[y]
    model = RobustLinearClassifier().fit(X, names)
    assert list(model.plane_classes_) == ["zebra", "bee"]
    assert (model.predict(X) == names).mean() > 0.95


def test_rows_on_a_plane_have_one_answer_among_several_classes():
    X = np.array([[0.0, 0], [0, 0], [4, 0], [4, 0], [2, 5], [2, 5], [2, 0], [2, 0]])
    y = [0, 0, 1, 1, 2, 2, 0, 1]
    model = RobustLinearClassifier().fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X).argmax(axis=1), model.predict(X))


# Refusals.


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"perturbation": 1}, "perturbation=1 must be below 1"),
        ({"perturbation": -0.1}, "perturbation=-0.1 must be a finite number of at least 0"),
        ({"selection": "best"}, "selection='best' is not known"),
        ({"selection": "limited"}, "selection='limited' needs n_features"),
        ({"n_features": 3}, "n_features=3 goes with selection='limited' or 'path'"),
        ({"selection": "limited", "n_features": 0}, "n_features=0 must be an int of at least 1"),
        ({"error_slack": -1}, "error_slack=-1"),
        ({"error_floor": np.inf}, "error_floor=inf"),
        ({"search": "random"}, "search='random' is not known"),
        ({"prove": -1}, "prove=-1 must be a finite number above 0"),
        ({"prove": "yes"}, "prove='yes'"),
        ({"prove": True, "selection": "path"}, "prove=True goes with selection='bounded' or 'limited'"),
        (
            {"prove": 3, "selection": None},
            "prove=3 goes with selection='bounded' or 'limited', not with None",
        ),
        ({"refit": 1}, "refit=1 must be True or False"),
        ({"one_standard_error": None}, "one_standard_error=None"),
        ({"cv": 1}, "cv=1 must be an int of at least 2"),
        ({"cv": "five"}, "cv='five' must be an int of at least 2, a splitter"),
        ({"feature_costs": [1, 2]}, "feature_costs has 2 numbers, but X has 6 features"),
        ({"feature_costs": [1, 2, 3, 4, 5, -1]}, r"feature_costs\[5\]=-1.0 must be a finite number"),
        ({"feature_costs": "dear"}, "feature_costs='dear' must be numbers"),
        ({"feature_costs": [[1]]}, r"feature_costs has shape \(1, 1\)"),
        ({"feature_costs": [1] * 6, "selection": None}, "feature_costs goes with selection='bounded'"),
        ({"missing": "skip"}, "missing='skip' is not known"),
        ({"time_limit": 0}, "time_limit=0"),
        ({"n_jobs": 0}, "n_jobs=0"),
    ],
)
def test_wrong_parameters_are_refused(noisy, params, message):
    with pytest.raises(ParameterError, match=message):
        RobustLinearClassifier(**params).fit(*noisy)


def test_wrong_data_are_refused(noisy):
    X, y = noisy
    broken = X.copy()
    broken[3, 2] = np.inf
    with pytest.raises(DataError, match=r"column 2\) has inf at row 3"):
        RobustLinearClassifier().fit(broken, y)
    with pytest.raises(DataError, match="one class only, 'yes'"):
        RobustLinearClassifier().fit(X, ["yes"] * len(X))
    with pytest.raises(DataTypeError, match="has a bytes at row 0"):
        RobustLinearClassifier().fit([[b"raw"], [b"other"]], [0, 1])
    with pytest.raises(DataError, match="no label at row 1"):
        RobustLinearClassifier().fit([[1.0], [2.0]], ["yes", None])
    with pytest.raises(DataError, match="target y is None"):
        RobustLinearClassifier().fit(X)


def test_failed_fit_keeps_what_was_learned(noisy):
    X, y = noisy
    model = RobustLinearClassifier().fit(X, y)
    before = dict(vars(model))
    with pytest.raises(DataError):
        model.fit(np.full((4, 2), np.inf), [0, 1, 0, 1])
    assert vars(model) == before


def test_the_solver_prints_nothing():
    script = (
        "from treewright import RobustLinearClassifier\n"
        "RobustLinearClassifier(prove=True).fit([[0.0, 1], [1, 0], [2, 3], [4, 1]], [0, 1, 0, 1])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""


# As scikit-learn's tools have it.


def test_dataset_in_place_of_arrays(noisy):
    X, y = noisy
    model = RobustLinearClassifier().fit(Dataset(X, y))
    np.testing.assert_array_equal(model.coef_, RobustLinearClassifier().fit(X, y).coef_)
    np.testing.assert_array_equal(model.predict(Dataset(X)), model.predict(X))


def test_pickled_model_predicts_the_same(noisy):
    X, y = noisy
    model = RobustLinearClassifier(prove=True).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.decision_function(X), model.decision_function(X))
    assert copy.verify(X, y).holds
    assert not hasattr(clone(model), "coef_")


def test_cross_validation(wdbc):
    assert cross_val_score(RobustLinearClassifier(perturbation=0.02), *wdbc, cv=5).mean() > 0.92


def test_features_are_found_by_name(noisy):
    X, y = noisy
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = RobustLinearClassifier().fit(frame, y)
    assert list(model.feature_names_in_) == list("abcdef")
    found = model.predict(frame[list("fedcba")])
    np.testing.assert_array_equal(found, model.predict(frame))
