"""Trees of a fixed depth as an estimator, by depth, and for many weightings.

Inner names, as in unit tests: `data.binning`: a column is looked at before it is part of a table.
`trees.fixed_depth.task`: what is checked before a search is checked alone.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import threading
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from fixed_depth_cases import random_dataset
from treewright import (
    DataError,
    Dataset,
    DataWarning,
    FixedDepthTreeClassifier,
    ParameterError,
    Tree,
    datasets,
    export_text,
)
from treewright.data.binning import Bins, entropy_cut, quantile_edges
from treewright.fixed_depth import depth_path, fit_many
from treewright.trees.fixed_depth.task import checked_costs

VARIANTS = [
    FixedDepthTreeClassifier(),
    FixedDepthTreeClassifier(max_depth="cv"),
    FixedDepthTreeClassifier(max_depth=3, n_bins=5, unseen="skip", trim=False),
    FixedDepthTreeClassifier(binning="supervised", value_prior=0.0, class_prior=0.0),
    FixedDepthTreeClassifier(max_depth=2, solver="feature_list"),
]


WEIGHT_CHECKS = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]


def expected_failures(model):
    """Name the checks that repeat samples, which a cross-validation then parts in another way.

    Without pseudo-counts a bin of one class has this class, however little it weighs.
    """
    if model.max_depth == "cv":
        return dict.fromkeys(WEIGHT_CHECKS, "copies of a sample may be in two folds")
    if not model.value_prior:
        return {"check_class_weight_classifiers": "a bin of one class keeps it without pseudo-counts"}
    return {}


@parametrize_with_checks(VARIANTS, expected_failed_checks=expected_failures)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def monks():
    return datasets.load("monks-3")


# What is learned -------------------------------------------------------------------------


def test_a_tree_is_learned_with_all_that_is_told_of_it(monks):
    model = FixedDepthTreeClassifier(max_depth=2).fit(monks)
    assert (model.get_depth(), model.depth_, model.classes_.tolist()) == (2, 2, ["0", "1"])
    assert model.training_accuracy_ == model.score(monks, monks.classes[monks.target])
    assert model.search_.cost == pytest.approx(1 - model.expected_accuracy_)
    assert (model.search_.status, model.search_.tree) == ("optimal", model.tree_)
    assert model.bin_edges_ == [None] * 6
    assert model.feature_importances_.sum() == pytest.approx(1)
    np.testing.assert_allclose(model.tree_.weight[0], 1)


def test_probabilities_are_those_of_the_leaves(monks):
    model = FixedDepthTreeClassifier(max_depth=2).fit(monks)
    leaves = model.apply(monks)
    of_leaf = model.tree_.class_weights[leaves]
    np.testing.assert_allclose(
        model.predict_proba(monks), of_leaf / of_leaf.sum(axis=1, keepdims=True), atol=1e-6
    )


def test_depth_zero_is_the_most_frequent_class(iris):
    X, y = iris
    model = FixedDepthTreeClassifier(max_depth=0).fit(X[:120], y[:120])
    assert model.tree_.n_nodes == 1
    assert set(model.predict(X)) == {0}
    assert model.expected_accuracy_ == pytest.approx(51 / 123)


def test_declared_levels_count_as_values():
    y = ["no", "yes"] * 4
    seen = pd.DataFrame({"c": pd.Categorical(["a", "b"] * 4)})
    declared = pd.DataFrame({"c": pd.Categorical(["a", "b"] * 4, categories=["a", "b", "z"])})
    assert FixedDepthTreeClassifier(max_depth=1).fit(seen, y).expected_accuracy_ == pytest.approx(5 / 6)
    model = FixedDepthTreeClassifier(max_depth=1).fit(declared, y)
    assert model.expected_accuracy_ == pytest.approx((5 + 0.5) / 7 + 0.5 / 7 * 0, abs=0.08)
    assert model.tree_.n_leaves == 3


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5, 9])
def test_many_classes(n_classes):
    data = random_dataset(np.random.default_rng(n_classes), 90, [n_classes, 3, 2, 4], n_classes)
    found = [
        FixedDepthTreeClassifier(max_depth=3, solver=solver).fit(data).expected_accuracy_
        for solver in ("bounded", "exhaustive")
    ]
    assert found[0] == pytest.approx(found[1], abs=1e-12)


def test_one_class_and_one_sample_are_legal():
    model = FixedDepthTreeClassifier().fit([["a"], ["b"]], ["only", "only"])
    assert model.predict([["c"]]).tolist() == ["only"]
    assert not hasattr(model, "opt_feature_list_")
    assert model.fit([[1.0]], [3]).expected_accuracy_ == 1


# Missing and unseen ----------------------------------------------------------------------

CHAIN = ([["a", "u"], ["a", "v"], ["b", "u"], ["b", "v"]] * 3, [0, 1, 1, 1] * 3)


def test_missing_and_unseen_values_stop_at_the_node():
    model = FixedDepthTreeClassifier(max_depth=2, trim=False).fit(*CHAIN)
    tree = model.tree_
    assert tree.routing == "stop"
    root = tree.classes_[tree.node_class[0]]
    assert model.predict([[None, None], ["new", "new"]]).tolist() == [root, root]
    assert model.apply([[None, None], ["new", "new"]]).tolist() == [0, 0]


def test_skipping_averages_over_the_branches():
    model = FixedDepthTreeClassifier(max_depth=2, unseen="skip", trim=False).fit(*CHAIN)
    assert model.tree_.routing == "distribute"
    np.testing.assert_allclose(model.predict_proba([[None, None]])[0], [4 / 14, 10 / 14], atol=1e-6)


def test_missing_values_of_fit_are_left_out_of_the_counts():
    X = [["a"], ["a"], [None], [None], ["b"], ["b"]]
    model = FixedDepthTreeClassifier(max_depth=1, value_prior=0).fit(X, [0, 0, 0, 1, 1, 1])
    assert model.expected_accuracy_ == 1


def test_a_column_without_values_is_never_asked_for():
    X = [[None, "a"], [None, "b"], [None, "a"], [None, "b"]]
    model = FixedDepthTreeClassifier(max_depth=2).fit(X, [0, 1, 0, 1])
    assert model.tree_.used_features.tolist() == [1]
    numbers = FixedDepthTreeClassifier(max_depth=2).fit([[np.nan, 1.0], [np.nan, 2.0]] * 3, [0, 1] * 3)
    assert numbers.tree_.used_features.tolist() == [1]
    assert numbers.bin_edges_[0].tolist() == []


# Bins ------------------------------------------------------------------------------------


def test_numbers_are_cut_at_the_median(iris):
    X, y = iris
    model = FixedDepthTreeClassifier().fit(X, y)
    for column, edges in zip(X.T, model.bin_edges_, strict=True):
        assert len(edges) == 1
        assert abs((column <= edges[0]).mean() - 0.5) < 0.13


def test_new_numbers_go_through_the_bins_of_fit(iris):
    X, y = iris
    model = FixedDepthTreeClassifier(max_depth=2, n_bins=3).fit(X, y)
    codes = Bins(model.bin_edges_).codes(list(X.T))
    again = FixedDepthTreeClassifier(max_depth=2).fit(np.column_stack(codes).astype(str), y)
    np.testing.assert_array_equal(model.predict(X), again.predict(np.column_stack(codes).astype(str)))
    far = X + 1000
    assert len(set(model.apply(far))) == 1


def test_a_supervised_cut_tells_most_about_the_class():
    x = np.array([1.0, 2, 3, 4, 5, 6])
    model = FixedDepthTreeClassifier(max_depth=1, binning="supervised").fit(
        x[:, np.newaxis], [0, 0, 0, 0, 1, 1]
    )
    assert model.bin_edges_[0].tolist() == [4.5]
    assert FixedDepthTreeClassifier(max_depth=1).fit(x[:, np.newaxis], [0, 0, 0, 0, 1, 1]).bin_edges_[
        0
    ].tolist() == [3.5]


def test_entropy_cut_is_the_best_of_all():
    rng = np.random.default_rng(0)
    for _ in range(50):
        x, y = rng.integers(0, 8, 30).astype(float), rng.integers(0, 3, 30)
        cut = entropy_cut(x, y.astype(np.int32))
        gains = {c: gain(x <= c, y) for c in np.unique(x)[:-1] + 0.5}
        assert gain(x <= cut[0], y) == pytest.approx(max(gains.values()))


def gain(side, y):
    def entropy(labels):
        p = np.bincount(labels) / max(len(labels), 1)
        return -sum(q * math.log2(q) for q in p if q)

    return entropy(y) - side.mean() * entropy(y[side]) - (~side).mean() * entropy(y[~side])


def test_weights_cut_as_copies_do():
    rng = np.random.default_rng(1)
    for _ in range(50):
        x, counts = rng.integers(0, 12, 20).astype(float), rng.integers(1, 5, 20)
        for n_bins in (2, 3, 4):
            weighted = quantile_edges(x, n_bins, counts.astype(float))
            np.testing.assert_array_equal(weighted, quantile_edges(np.repeat(x, counts), n_bins))


def test_a_mostly_constant_number_is_still_cut():
    x = np.array([0.0] * 9 + [1.0, 2.0, 3.0])
    assert quantile_edges(x, 2).tolist() == [0.5]


@pytest.mark.parametrize("n_bins", [2, 3, 6])
@pytest.mark.parametrize("unseen", ["stop", "skip"])
def test_tree_of_thresholds_answers_the_same(iris, n_bins, unseen):
    X, y = iris
    frame = pd.DataFrame(X).rename(columns=str).assign(c=pd.Categorical(y % 2))
    frame.iloc[::7, 1] = np.nan
    model = FixedDepthTreeClassifier(max_depth=3, n_bins=n_bins, unseen=unseen, trim=False).fit(frame, y)
    tree = Tree.from_json(model.threshold_tree().to_json())
    np.testing.assert_allclose(tree.predict_proba(frame), model.predict_proba(frame), atol=1e-6)
    np.testing.assert_array_equal(tree.predict(frame), model.predict(frame))
    assert set(tree.kind.tolist()) <= {0, 1, 2}


# Costs -----------------------------------------------------------------------------------


def test_costs_are_exact_decimals():
    names = ["a", "b", "c"]
    assert checked_costs([0.1, 0.2, 0.3], 0.3, names) == ([1, 2, 3], 3)
    assert checked_costs(np.array([0.1, 0.2, 0.7], np.float32), 1, names) == ([1, 2, 7], 10)
    assert checked_costs([Decimal("1e-3"), 5, Fraction(1, 3)], 5.5, names) == ([3, 15000, 1000], 16500)
    assert checked_costs([0, 0, 0], 0, names) == ([0, 0, 0], 0)
    assert checked_costs([10, 20, 40], 39, names) == ([1, 2, 4], 3)
    assert checked_costs([1, 2, 3], 1e300, names) == ([1, 2, 3], 2**63 - 1)


def test_no_money_is_a_lone_leaf(monks):
    model = FixedDepthTreeClassifier(max_depth=3, feature_costs=[1] * 6, cost_budget=0).fit(monks)
    assert model.tree_.n_nodes == 1


def test_a_feature_beyond_the_budget_is_never_tested(monks):
    costs = [1, 50, 1, 1, 1, 1]
    model = FixedDepthTreeClassifier(max_depth=3, feature_costs=costs, cost_budget=3).fit(monks)
    assert 1 not in model.tree_.used_features
    assert 4 in model.tree_.used_features


def test_depth_and_budget_hold_together(monks):
    model = FixedDepthTreeClassifier(max_depth=1, feature_costs=[1] * 6, cost_budget=5, trim=False).fit(monks)
    assert model.tree_.max_depth == 1


@pytest.mark.parametrize(
    ("costs", "budget", "message"),
    [
        ([1, 2], 1, r"feature_costs has shape \(2,\) where shape \(3,\) is needed"),
        ([[1, 2, 3]], 1, r"feature_costs has shape \(1, 3\)"),
        (5, 1, r"feature_costs has shape \(\)"),
        ("abc", 1, "feature_costs has str"),
        ([1, -2, 3], 1, r"feature_costs\[1\]=-2 of feature 'b' must be a finite number of at least 0"),
        ([1, np.nan, 3], 1, r"feature_costs\[1\]=.*of feature 'b'"),
        ([1, np.inf, 3], 1, r"feature_costs\[1\]"),
        ([1, "2", 3], 1, r"feature_costs\[1\]='2'"),
        ([1, True, 3], 1, r"feature_costs\[1\]=True"),
        ([1, 2, 3], -1, "cost_budget=-1 must be a finite number of at least 0"),
        ([1, 2, 3], np.nan, "cost_budget=nan"),
        ([1, 2, 3], "4", "cost_budget='4'"),
        (None, 4, "cost_budget came without feature_costs"),
        ([1, 2, 3], None, "feature_costs came without cost_budget"),
        ([1e-12, 2, 3e9], 4, "too fine a scale: 1e-12 of feature 'a' and 3e\\+09 of feature 'c'.*round them"),
    ],
)
def test_costs_that_cannot_be_are_refused(costs, budget, message):
    with pytest.raises(ParameterError, match=message):
        checked_costs(costs, budget, ["a", "b", "c"])


# Parameters ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"max_depth": -1}, r"max_depth=-1 must be an int of at least 0.*'cv'"),
        ({"max_depth": 2.0}, "max_depth=2.0"),
        ({"max_depth": None}, "max_depth=None"),
        ({"max_depth": "best"}, "max_depth='best'"),
        ({"class_prior": -0.1}, "class_prior=-0.1 must be a finite number of at least 0"),
        ({"value_prior": math.nan}, "value_prior=nan"),
        ({"value_prior": "1"}, "value_prior='1'"),
        ({"value_prior": 1e300}, "value_prior=1e[+]300 must be at most"),
        ({"solver": "fast"}, "solver='fast' is not known; choose 'auto', 'bounded'"),
        ({"n_bins": 1}, "n_bins=1"),
        ({"n_bins": 5000}, "n_bins=5000 must be at most 1000"),
        ({"binning": "equal"}, "binning='equal'"),
        ({"binning": "supervised", "n_bins": 3}, "n_bins=3 does not go with binning='supervised'"),
        ({"trim": 1}, "trim=1"),
        ({"unseen": "error"}, "unseen='error'"),
        ({"time_limit": 0}, "time_limit=0"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"feature_costs": [1], "cost_budget": 1}, "feature_costs has shape"),
    ],
)
def test_parameter_is_refused_with_what_it_may_be(iris, params, message):
    with pytest.raises(ParameterError, match=message):
        FixedDepthTreeClassifier(**params).fit(*iris)


def test_list_solver_is_for_two_classes(iris):
    model = FixedDepthTreeClassifier(solver="feature_list")
    assert not get_tags(model).classifier_tags.multi_class
    with pytest.raises(
        ValueError, match=r"solver='feature_list' is of two classes, and y has 3\. Only binary classification"
    ):
        model.fit(*iris)


def test_a_feature_of_thousands_of_values_is_refused():
    X = pd.DataFrame({"id": [f"n{i}" for i in range(1500)], "c": ["a", "b"] * 750})
    X["c"] = ["a", "b"] * 749 + ["b", "a"]
    refused = pytest.raises(
        DataError, match=r"feature 'id' \(column 0\) has 1,500 values, more than the 1,000"
    )
    with pytest.warns(DataWarning, match="tells rows apart"), refused:
        FixedDepthTreeClassifier().fit(X, [0, 1] * 750)
    assert FixedDepthTreeClassifier().fit(X[["c"]], [0, 1] * 750).training_accuracy_ == 1498 / 1500


def test_failed_fit_keeps_what_was_learned(iris):
    X, y = iris
    model = FixedDepthTreeClassifier().fit(X, y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="inf"):
        model.fit(np.full((150, 2), np.inf), y)
    assert vars(model) == before


def test_a_time_limit_leaves_a_tree():
    data = random_dataset(np.random.default_rng(5), 200, [3] * 60)
    model = FixedDepthTreeClassifier(max_depth=6, solver="exhaustive", time_limit=0.2).fit(data)
    assert model.search_.status == "time_limit"
    assert 0 <= model.search_.bound <= model.search_.cost
    assert model.predict(data).shape == (200,)


@pytest.mark.parametrize("solver", ["bounded", "sets", "exhaustive"])
def test_control_c_ends_the_search(solver):
    data = random_dataset(np.random.default_rng(5), 200, [4] * 120, 3)
    asked = []

    def press():
        asked.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, press)
    timer.start()
    model = FixedDepthTreeClassifier(max_depth=9, solver=solver)
    with pytest.raises(KeyboardInterrupt):
        model.fit(data)
    timer.join()
    assert time.monotonic() - asked[0] < 5
    assert model.search_.status == "stopped"
    assert model.tree_.max_depth <= 9


# scikit-learn's tools --------------------------------------------------------------------


def test_clone_and_pickle(iris):
    X, y = iris
    model = FixedDepthTreeClassifier(n_bins=3).fit(X, y)
    assert not hasattr(clone(model), "tree_")
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_grid_search_reaches_parameters(iris):
    grid = {"max_depth": [1, 2, 3], "n_bins": [2, 4], "value_prior": [0, 1.0]}
    assert GridSearchCV(FixedDepthTreeClassifier(), grid, cv=3).fit(*iris).best_score_ > 0.85


def test_tags_tell_what_is_accepted():
    tags = get_tags(FixedDepthTreeClassifier())
    assert tags.input_tags.allow_nan
    assert tags.input_tags.categorical
    assert tags.classifier_tags.multi_class


def test_text_of_the_tree_names_bins(iris):
    text = export_text(FixedDepthTreeClassifier(max_depth=1).fit(*iris))
    assert "up to" in text


# Depths ----------------------------------------------------------------------------------


def test_depth_path_tells_three_accuracies(monks):
    path = depth_path(monks, depths=range(4), cv=4)
    table = path.table
    for row in table:
        model = FixedDepthTreeClassifier(max_depth=int(row["depth"])).fit(monks)
        assert row["expected_accuracy"] == model.expected_accuracy_
        assert row["training_accuracy"] == model.training_accuracy_
        assert row["n_leaves"] == model.get_n_leaves()
    np.testing.assert_allclose(table["cv_accuracy"], path.folds.mean(axis=0))
    assert path.folds.shape == (4, 4)
    assert list(path.to_frame()["depth"]) == [0, 1, 2, 3]


def test_depth_path_judges_as_cross_val_score_does(iris):
    X, y = iris
    cv = KFold(4, shuffle=True, random_state=3)
    model = FixedDepthTreeClassifier(n_bins=4)
    path = depth_path(X, y, model=model, depths=[1, 2], cv=cv)
    for column, depth in enumerate((1, 2)):
        scores = cross_val_score(clone(model).set_params(max_depth=depth), X, y, cv=cv)
        np.testing.assert_allclose(path.folds[:, column], scores)


def test_folds_side_by_side_are_the_same(monks):
    alone, together = (depth_path(monks, depths=[1, 2], n_jobs=n) for n in (1, 2))
    np.testing.assert_array_equal(alone.folds, together.folds)


def test_chosen_depth_is_the_best_of_the_path(monks):
    model = FixedDepthTreeClassifier(max_depth="cv").fit(monks)
    assert model.depth_ == depth_path(monks).best_depth
    assert model.tree_ == FixedDepthTreeClassifier(max_depth=model.depth_).fit(monks).tree_


def test_drawing_of_a_path_rings_the_best_depth(monks):
    path = depth_path(monks, depths=[1, 2])
    ax = path.plot()
    assert [text.get_text() for text in ax.get_legend().get_texts()][-1] == "cross-validated"
    assert ax.lines[-1].get_xdata().tolist() == [path.best_depth]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depths": []}, "depths="),
        ({"depths": [2, 1]}, "ascending"),
        ({"depths": [1.5]}, "depths="),
        ({"cv": 1}, "cv=1 must be at least 2"),
        ({"cv": None}, "cv=None"),
    ],
)
def test_depth_path_refuses_what_cannot_be(monks, options, message):
    with pytest.raises(ParameterError, match=message):
        depth_path(monks, **options)


def test_cross_validation_needs_two_samples_of_a_class():
    with pytest.raises(DataError, match="no class has two samples"):
        FixedDepthTreeClassifier(max_depth="cv").fit([["a"], ["b"]], [0, 1])


# Many weightings -------------------------------------------------------------------------


def test_each_weighting_gives_the_tree_of_its_own_fit():
    data = random_dataset(np.random.default_rng(7), 60, [2, 3, 4, 3])
    weights = np.random.default_rng(8).integers(0, 4, (20, 60))
    many = fit_many(data, weights, model=FixedDepthTreeClassifier(max_depth=2))
    y = data.classes[data.target]
    for row, tree, value in zip(weights, many.trees, many.expected_accuracy, strict=True):
        own = FixedDepthTreeClassifier(max_depth=2).fit(Dataset(data, y, sample_weight=row))
        assert own.expected_accuracy_ == value
        assert own.tree_ == tree


def test_trees_speak_together():
    data = random_dataset(np.random.default_rng(7), 60, [2, 3, 4, 3])
    many = fit_many(data, np.random.default_rng(8).integers(0, 3, (9, 60)))
    each = np.array([tree.predict_proba(data) for tree in many.trees])
    np.testing.assert_allclose(many.predict_proba(data), each.mean(axis=0), atol=1e-12)
    assert many.predict_each(data).shape == (9, 60)
    np.testing.assert_array_equal(many.predict(data), many.classes_[each.mean(axis=0).argmax(axis=1)])
    assert len(many) == len(many.status) == 9
    again = pickle.loads(pickle.dumps(many))
    np.testing.assert_array_equal(again.predict(data), many.predict(data))


def test_many_do_not_depend_on_threads(iris):
    weights = np.random.default_rng(1).integers(0, 3, (30, 150))
    one, two = (fit_many(*iris[:1], weights, iris[1], n_jobs=n) for n in (1, 2))
    assert one.trees == two.trees
    assert one.bin_edges_[0].tolist() == two.bin_edges_[0].tolist()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1, 1, 1], r"weights has shape \(4,\) where \(n_trees, 4\) is needed"),
        ([[1, 1, 1]], r"weights has shape \(1, 3\)"),
        (np.empty((0, 4)), r"weights has shape \(0, 4\)"),
        ([[1, 1, 1, 1], [1, -1, 1, 1]], r"weights\[1\] has -1 at sample 1"),
        ([[1, 1, np.nan, 1]], r"weights\[0\] has nan at sample 2"),
        ([[1, 1, 1, np.inf]], r"weights\[0\] has inf at sample 3.*finite"),
        ([[0, 0, 0, 0]], r"weights\[0\] is 0 for every sample"),
        ([["a", 1, 1, 1]], "weights must be numbers"),
    ],
)
def test_weightings_that_cannot_be_are_refused(weights, message):
    with pytest.raises(DataError, match=message):
        fit_many([["a"], ["b"], ["a"], ["b"]], weights, [0, 1, 0, 1])


def test_many_weightings_need_a_depth(monks):
    with pytest.raises(ParameterError, match="max_depth='cv' is not for many weightings"):
        fit_many(monks, np.ones((1, 432)), model=FixedDepthTreeClassifier(max_depth="cv"))


def test_tree_survives_json(iris):
    tree = FixedDepthTreeClassifier().fit(*iris).tree_
    assert Tree.from_json(tree.to_json()) == tree
    assert json.loads(tree.to_json())["routing"] == "stop"


def test_given_splits_name_rows_that_must_not_leave() -> None:
    X, y = [["a"], ["b"]] * 4, [0, 1] * 4
    splits = [([0, 1, 2, 3], [4, 5, 6, 7])]
    weights = np.ones(8)
    depth_path(X, y, depths=[1], cv=splits, sample_weight=weights)
    weights[0] = 0
    with pytest.raises(DataError, match="1 samples have weight 0 and leave"):
        depth_path(X, y, depths=[1], cv=splits, sample_weight=weights)
    depth_path(X, y, depths=[1], cv=2, sample_weight=weights)


def test_another_model_is_refused() -> None:
    for model in (3, "tree"):
        with pytest.raises(ParameterError, match="is no FixedDepthTreeClassifier"):
            depth_path([["a"], ["b"]], [0, 1], model=model)
        with pytest.raises(ParameterError, match="is no FixedDepthTreeClassifier"):
            fit_many([["a"], ["b"]], np.ones((1, 2)), [0, 1], model=model)
