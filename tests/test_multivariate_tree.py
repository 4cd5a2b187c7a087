"""Trees of planes: growing, pruning, what they print, and the rows that are on a plane.

Inner names, as in unit tests: `planes.growing` and `planes.linear_tree`: the programs, proofs and
trees behind the estimators are checked one by one.
"""

import json
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import (
    DataError,
    FormatError,
    MultivariateTreeClassifier,
    ParameterError,
    RobustLinearClassifier,
    Tree,
    datasets,
    export_text,
)
from treewright.planes import LinearSplit
from treewright.planes.growing import alphas_of, pruned
from treewright.planes.linear_tree import LinearNode, LinearTree

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def stairs(n_samples=300, seed=0):
    """Two classes that one plane cannot part and two can: a band between others."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 4))
    return X, ((X[:, 0] + X[:, 1] > -0.5) & (X[:, 0] + X[:, 1] < 1.0)).astype(int)


def expected_failures(model):
    """Name the check that hides a gap, and an infinite number, in a column that the tree does not use."""
    return {} if model.missing != "raise" else {"check_estimators_nan_inf": "what is not used is not read"}


@parametrize_with_checks(
    [
        MultivariateTreeClassifier(),
        MultivariateTreeClassifier(
            perturbation=0.02, missing="mean", selection="limited", n_features=2, alpha=None
        ),
    ],
    expected_failed_checks=expected_failures,
)
@pytest.mark.filterwarnings("ignore::treewright.DataWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_one_split_is_the_plane_of_the_classifier():
    X, y = load_breast_cancer(return_X_y=True)
    plane = RobustLinearClassifier(perturbation=0.02).fit(X, y)
    tree = MultivariateTreeClassifier(perturbation=0.02, max_depth=1, alpha=None).fit(X, y)
    assert tree.n_splits_ == 1
    assert np.array_equal(tree.support_, plane.support_)
    assert np.array_equal(tree.planes_[0].coef, plane.coef_[0])
    assert np.array_equal(tree.predict(X), plane.predict(X))


def test_two_planes_do_what_one_cannot():
    X, y = stairs()
    one = MultivariateTreeClassifier(max_depth=1).fit(X, y)
    two = MultivariateTreeClassifier(max_depth=2).fit(X, y)
    assert two.score(X, y) > one.score(X, y) + 0.1
    assert two.n_splits_ >= 2
    assert two.get_depth() == 2


def test_what_is_learned_agrees_with_itself():
    X, y = load_wine(return_X_y=True)
    model = MultivariateTreeClassifier(perturbation=0.02, alpha=None).fit(X, y)
    assert model.n_splits_ == len(model.planes_) == model.tree_.n_nodes - model.tree_.n_leaves
    assert model.n_features_per_split_.tolist() == [len(plane.support) for plane in model.planes_]
    assert model.cost_ == model.n_splits_ + model.n_features_per_split_.sum()
    assert model.support_.tolist() == sorted({f for plane in model.planes_ for f in plane.support.tolist()})
    assert model.n_features_used_ == len(model.support_)
    assert model.status_ == "complete"
    assert model.search_.cost == model.cost_
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert set(np.flatnonzero(model.feature_importances_)) <= set(model.support_.tolist())


def test_a_node_without_a_useful_plane_is_a_leaf():
    model = MultivariateTreeClassifier().fit(np.tile(XOR, (5, 1)), [0, 1, 1, 0] * 5)
    assert model.n_splits_ == 0
    assert model.cost_ == 0
    assert export_text(model) == "0\n"


def test_one_class_is_a_leaf():
    model = MultivariateTreeClassifier().fit([[0.0], [1.0]], ["a", "a"])
    assert model.predict([[5.0]]).tolist() == ["a"]


@pytest.mark.parametrize(
    ("rules", "n_splits"),
    [
        ({"max_depth": 0}, 0),
        ({"min_samples_split": 1000}, 0),
        ({"min_samples_leaf": 200}, 0),
        ({"min_gain": 1.0}, 0),
        ({"max_depth": 1}, 1),
    ],
)
def test_rules_of_growing(rules, n_splits):
    X, y = stairs()
    assert MultivariateTreeClassifier(alpha=None, **rules).fit(X, y).n_splits_ == n_splits


@pytest.mark.parametrize("least", [1, 20, 40, 0.07])
def test_both_sides_of_a_split_have_the_weight_asked_for(least):
    X, y = stairs()
    tree = MultivariateTreeClassifier(alpha=None, max_depth=None, min_samples_leaf=least).fit(X, y).tree_
    assert tree.weight.min() >= (least if least >= 1 else least * len(y))
    assert tree.n_nodes >= 5


@pytest.mark.parametrize("name", ["min_samples_leaf", "min_samples_split"])
def test_a_share_is_one_of_the_training_weight(name):
    X, y = stairs()
    trees = [
        MultivariateTreeClassifier(alpha=None, max_depth=3, **{name: least}).fit(X, y).tree_
        for least in (0.29, 0.29 * len(y))
    ]
    assert trees[0] == trees[1]


def test_up_to_1_any_weight_will_do():
    model = MultivariateTreeClassifier(alpha=None, min_samples_split=1)
    assert model.fit([[0.0], [1.0]], ["a", "b"], [0.5, 3.0]).tree_.weight.tolist() == [3.5, 0.5, 3.0]


# Rows on a plane.


def test_rows_on_a_plane_are_labelled_alike_in_fit_and_prediction():
    X = np.array([[-2.0], [0.0], [0.0], [0.0], [2.0]] * 4)
    y = np.array([0, 0, 1, 1, 1] * 4)
    model = MultivariateTreeClassifier(alpha=None).fit(X, y)
    leaves = model.apply(X)
    assert len(set(leaves[X[:, 0] == 0].tolist())) == 1
    counts = [np.bincount(y[leaves == leaf], minlength=2).tolist() for leaf in np.unique(leaves)]
    assert [model.tree_.class_weights[leaf].tolist() for leaf in np.unique(leaves)] == counts
    assert model.predict([[0.0]]).tolist() == [1]


@given(seed=st.integers(0, 2**32 - 1), n_values=st.integers(2, 6), perturbation=st.sampled_from([0.0, 0.02]))
@settings(max_examples=25, deadline=None)
def test_weights_in_leaves_are_those_of_the_rows_that_prediction_sends_there(seed, n_values, perturbation):
    rng = np.random.default_rng(seed)
    X = rng.integers(n_values, size=(60, 4)) * 0.1
    y = rng.integers(3, size=60)
    model = MultivariateTreeClassifier(perturbation=perturbation, alpha=None).fit(X, y)
    for tree in (model.tree_, model.rounded_tree_):
        leaves = tree.apply(X)
        for leaf in np.unique(leaves):
            found = np.bincount(np.searchsorted(model.classes_, y[leaves == leaf]), minlength=3)
            assert np.array_equal(tree.class_weights[leaf], found[: len(model.classes_)])
    assert np.array_equal(model.rounded_tree_.apply(X), model.apply(X))


# What is printed.


def test_text_has_short_numbers_that_change_nothing():
    data = load_iris(as_frame=True)
    X, y = data.data, data.target_names[data.target]
    model = MultivariateTreeClassifier(perturbation=0.02).fit(X, y)
    short, exact = export_text(model), export_text(model.tree_)
    assert len(short) < len(exact)
    numbers = [word.split("*")[0] for word in short.split() if "*" in word]
    assert numbers
    assert all(len(number.lstrip("-").replace(".", "").lstrip("0")) <= 4 for number in numbers)
    assert np.array_equal(model.rounded_tree_.predict(X), model.predict(X))
    assert export_text(model, decimals=3).count("*") == exact.count("*")


def test_digits_grow_until_no_row_changes_sides():
    """Two rows that differ in the fifth digit only."""
    X = np.array([[1.00001], [1.00002], [0.2], [1.9]])
    model = MultivariateTreeClassifier(alpha=None).fit(X, [0, 1, 0, 1])
    assert model.rounded_tree_.predict(X).tolist() == [0, 1, 0, 1]


# JSON, pickles, the tree alone.


def test_tree_alone_predicts_after_json_and_pickle():
    X, y = stairs()
    model = MultivariateTreeClassifier().fit(X, y)
    for tree in (Tree.from_json(model.tree_.to_json()), pickle.loads(pickle.dumps(model.tree_))):
        assert tree == model.tree_
        assert np.array_equal(tree.predict(X), model.predict(X))
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


# Nominal columns and missing values.


def colours(n_samples=120, seed=1):
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", "green", "blue"], n_samples)
    size = rng.normal(size=n_samples)
    kind = rng.choice(["no", "yes"], n_samples)
    y = np.where((colour == "red") * 1.5 + size + (kind == "yes") > 1, "in", "out")
    return pd.DataFrame({"colour": pd.Categorical(colour), "size": size, "kind": pd.Categorical(kind)}), y


def test_nominal_features_have_a_weight_for_each_level_and_count_once():
    X, y = colours()
    model = MultivariateTreeClassifier(max_depth=1, alpha=None).fit(X, y)
    assert model.n_features_per_split_.tolist() == [3]
    assert model.support_.tolist() == [0, 1, 2]
    text = export_text(model)
    assert "[colour = red]" in text
    assert "[kind = yes]" in text
    assert "*size" in text
    assert Tree.from_json(model.tree_.to_json()).predict(X).tolist() == model.predict(X).tolist()
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize(
    "wrong",
    [
        {"levels": [0]},
        {"levels": [None, None, None, None]},
        {"means": [0.0]},
        {"weights": [[9, 1.0]]},
        {"scale": 2.0},
    ],
)
def test_planes_that_do_not_fit_are_refused(wrong):
    document = json.loads(MultivariateTreeClassifier(missing="mean").fit(*colours()).tree_.to_json())
    document["planes"][0] |= wrong
    with pytest.raises(FormatError):
        Tree.from_json(json.dumps(document))


def test_missing_values_are_refused_or_count_as_the_mean_at_the_node():
    X, y = colours()
    holes = X.astype({"size": float}).copy()
    holes.loc[3:8, "size"] = np.nan
    with pytest.raises(DataError, match=r"'size' \(column 1\) has NaN at row 3"):
        MultivariateTreeClassifier().fit(holes, y)
    refusing = MultivariateTreeClassifier().fit(X, y)
    with pytest.raises(DataError, match="row 3"):
        refusing.predict(holes)
    model = MultivariateTreeClassifier(missing="mean", alpha=None).fit(holes, y)
    filled = holes.fillna({"size": holes["size"].mean()})
    root = model.tree_.decision_path(holes).toarray()[:, 1]
    assert np.array_equal(root, model.tree_.decision_path(filled).toarray()[:, 1])
    again = Tree.from_json(model.tree_.to_json())
    assert np.array_equal(again.apply(holes), model.apply(holes))


def test_mean_is_that_of_the_rows_at_the_node():
    X, y = stairs()
    X[::7, 0] = np.nan
    model = MultivariateTreeClassifier(missing="mean", alpha=None).fit(X, y)
    assert model.n_splits_ >= 2
    planes = json.loads(model.tree_.to_json())["planes"]
    nodes = np.flatnonzero(model.tree_.n_children)
    reached = model.tree_.decision_path(X).toarray()[:, nodes].T.astype(bool)
    for plane, rows in zip(planes, reached, strict=True):
        for (feature, _), mean in zip(plane["weights"], plane["means"], strict=True):
            assert mean == pytest.approx(np.nanmean(X[rows, feature]))


def test_drop_leaves_rows_out_of_fit_only():
    X, y = stairs()
    holes = X.copy()
    holes[:20, 1] = np.nan
    dropped = MultivariateTreeClassifier(missing="drop").fit(holes, y)
    complete = MultivariateTreeClassifier(missing="drop").fit(X[20:], y[20:])
    assert dropped.tree_ == complete.tree_
    assert len(dropped.predict(holes)) == len(y)


def test_weights_repeat_samples():
    X, y = stairs(120)
    weight = np.random.default_rng(3).integers(0, 3, len(y))
    weighted = MultivariateTreeClassifier(alpha=0.01).fit(X, y, weight)
    repeated = MultivariateTreeClassifier(alpha=0.01).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert weighted.tree_ == repeated.tree_


# Pruning.


def split(n_features):
    return LinearSplit(np.arange(n_features), np.ones(n_features), np.zeros(n_features), 0.0, n_features)


def node(n_a, n_b, children=None, n_features=0):
    own = LinearNode(np.empty(0, int), np.array([n_a, n_b], float), 0)
    if children:
        own.children, own.split = children, split(n_features)
    return own


TREE = LinearTree(
    [
        node(50, 50, (1, 2), 1),
        node(40, 10, (3, 4), 4),
        node(10, 40, (5, 6), 1),
        node(38, 4),
        node(2, 6),
        node(10, 30),
        node(0, 10),
    ]
)


def test_alphas_are_where_the_saving_is_worth_its_cost():
    """Below the root: 4 errors in 100 for a cost of 5, and none for 2; at the root 30 in 100 for 2."""
    assert alphas_of(TREE) == pytest.approx([0, 0.04 / 5, 0.30 / 2])


@pytest.mark.parametrize(
    ("alpha", "n_splits", "cost"), [(0.0, 2, 7), (0.0079, 2, 7), (0.0081, 1, 2), (0.149, 1, 2), (0.151, 0, 0)]
)
def test_pruned_tree_of_an_alpha(alpha, n_splits, cost):
    tree = pruned(TREE, alpha)
    assert (len(tree.splits), tree.cost) == (n_splits, cost)


def best_value(tree, alpha, number=0):
    """Try every pruning of a small tree."""
    own = tree.nodes[number]
    as_leaf = own.errors / 100
    if own.children is None:
        return as_leaf
    below = sum(best_value(tree, alpha, child) for child in own.children)
    return min(as_leaf, below + alpha * own.split.cost)


@pytest.mark.parametrize("alpha", [0.0, 0.001, 0.01, 0.1, 1.0])
def test_pruned_tree_has_the_least_errors_and_cost(alpha):
    tree = pruned(TREE, alpha)
    assert tree.error_rate + alpha * tree.cost == pytest.approx(best_value(TREE, alpha))


def test_cross_validation_prunes_noise_and_keeps_what_helps():
    X, y = stairs(400)
    rng = np.random.default_rng(5)
    noise = rng.integers(2, size=400)
    assert MultivariateTreeClassifier(max_depth=3).fit(X, noise).n_splits_ == 0
    kept = MultivariateTreeClassifier(max_depth=3).fit(X, y)
    assert kept.n_splits_ >= 2
    path = kept.pruning_path_
    assert path["alpha"].tolist() == sorted(path["alpha"].tolist())
    assert (np.diff(path["cost"]) < 0).all()
    assert path["test_error"][path["alpha"] == kept.alpha_] == path["test_error"].min()


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_defaults_keep_the_splits_of_easy_data(load):
    X, y = load(return_X_y=True)
    model = MultivariateTreeClassifier().fit(X, y)
    assert model.n_splits_ >= 1
    assert model.score(X, y) > 0.95
    path = model.pruning_path_
    assert path["test_error"][0] < 0.1
    assert path["n_splits"][-1] == 0
    most = np.bincount(y).max() / len(y)
    assert path["test_error"][-1] == pytest.approx(1 - most, abs=0.01)
    assert path["error"][-1] == pytest.approx(1 - most)


@pytest.mark.parametrize("seed", range(3))
def test_root_alone_errs_in_a_fold_as_the_majority_of_the_fold_does(seed):
    """Whatever the trees of the folds are, at the last alpha they are leaves."""
    X, y = stairs(90, seed)
    cut = np.random.default_rng(seed).permutation(90)
    folds = [(cut[30:], cut[:30]), (cut[:60], cut[60:])]
    path = MultivariateTreeClassifier(cv=folds).fit(X, y).pruning_path_
    said = [np.bincount(y[learn]).argmax() for learn, _ in folds]
    errors = [(y[judge] != label).mean() for label, (_, judge) in zip(said, folds, strict=True)]
    assert path["n_splits"][-1] == 0
    assert path["test_error"][-1] == pytest.approx(np.mean(errors))


def test_alpha_may_be_given():
    X, y = stairs(seed=2)
    costs = [MultivariateTreeClassifier(max_depth=3, alpha=alpha).fit(X, y).cost_ for alpha in (0, 0.01, 1)]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == 0


def test_tree_does_not_depend_on_n_jobs():
    X, y = stairs(150)
    one, two = (MultivariateTreeClassifier(n_jobs=n_jobs).fit(X, y) for n_jobs in (None, 2))
    assert one.tree_ == two.tree_


def test_time_limit_leaves_a_tree_that_says_so():
    X, y = stairs()
    model = MultivariateTreeClassifier(time_limit=1e-9).fit(X, y)
    assert model.status_ == "time_limit"
    assert not model.search_.success
    assert len(model.predict(X)) == len(y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": "ccp"}, "alpha='ccp' must be 'cv', a number of at least 0, or None"),
        ({"alpha": -1}, "alpha=-1"),
        ({"max_depth": -1}, "max_depth=-1"),
        ({"cv": 1}, "cv=1"),
        ({"selection": "few"}, "selection='few'"),
        ({"missing": "zero"}, "missing='zero'"),
        ({"perturbation": 1.0}, "perturbation=1.0"),
    ],
)
def test_wrong_parameters_are_named(parameters, message):
    with pytest.raises(ParameterError, match=message):
        MultivariateTreeClassifier(**parameters).fit(*stairs(20))


def test_marketing_data_have_few_features_that_matter():
    customers = datasets.make_marketing(400, 30, random_state=3)
    assert customers.target.mean() == pytest.approx(0.5, abs=0.01)
    model = MultivariateTreeClassifier(perturbation=0.02, max_depth=1, alpha=None).fit(customers)
    assert model.n_features_used_ <= 6
    again = datasets.make_marketing(400, 30, random_state=3)
    assert np.array_equal(customers.column(7), again.column(7))
    with pytest.raises(ParameterError, match="n_strong=5"):
        datasets.make_marketing(10, 3, n_strong=5)


@pytest.mark.parametrize(
    "parameters",
    [
        *({"n_samples": value} for value in ("a", 10.0, 1, True)),
        *({"n_features": value} for value in ("a", 3.0, 0)),
        *({"n_strong": value} for value in (None, 0)),
        *({"noise_scale": value} for value in ("a", np.inf, np.nan, -1)),
        *({"random_state": value} for value in ("a", -1, 1.5)),
    ],
)
def test_marketing_data_check_their_parameters(parameters):
    ((name, value),) = parameters.items()
    with pytest.raises(ParameterError, match=re.escape(f"{name}={value!r} must be")):
        datasets.make_marketing(**parameters)
