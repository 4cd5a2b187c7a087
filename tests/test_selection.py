"""Backward elimination: what is selected, with what errors, told how."""

import inspect
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.exceptions import NotFittedError

from growers import grown_by
from treewright import BackwardEliminationSelector, Dataset, GreedyTreeClassifier, ParameterError

CONSTRUCTOR = {
    "strategy": "incremental",
    "tolerance": 0,
    "parsimonious": False,
    "floating": False,
    "min_features": 0,
    "required_features": None,
    "feature_groups": None,
    "start_from": None,
    "estimator": None,
    "validation_set": 0.3,
    "validation_leaf_penalty": 0,
    "validation_feature_penalty": 0,
    "random_state": None,
    "time_limit": None,
    "callback": None,
    "n_jobs": None,
}


@pytest.fixture(scope="module")
def noisy():
    """Three informative columns among twelve, some labels wrong."""
    return make_classification(
        300, 12, n_informative=3, n_redundant=2, flip_y=0.15, shuffle=True, random_state=4
    )


@pytest.fixture(scope="module")
def fitted(noisy):
    return BackwardEliminationSelector(random_state=0).fit(*noisy)


def errors_of(tree, X, y, rows):
    return int((tree.predict(X[rows]) != y[rows]).sum())


# What is selected.


def test_constructor_is_the_agreed_one():
    parameters = inspect.signature(BackwardEliminationSelector).parameters.values()
    assert {p.name: p.default for p in parameters} == CONSTRUCTOR
    assert {p.kind for p in parameters} == {inspect.Parameter.KEYWORD_ONLY}


def test_tree_is_grown_from_the_building_rows_on_the_selected_features(fitted, noisy):
    X, y = noisy
    building = np.setdiff1d(np.arange(len(y)), fitted.validation_rows_)
    hidden = np.where(fitted.support_, X[building], 0.0)
    assert GreedyTreeClassifier().fit(hidden, y[building]).tree_ == fitted.tree_


def test_refit_tree_is_grown_from_all_rows_and_predicts(fitted, noisy):
    X, y = noisy
    expected = GreedyTreeClassifier().fit(np.where(fitted.support_, X, 0.0), y)
    assert expected.tree_ == fitted.refit_tree_
    np.testing.assert_array_equal(fitted.predict(X), expected.predict(X))
    np.testing.assert_array_equal(fitted.predict_proba(X), expected.predict_proba(X))
    np.testing.assert_array_equal(fitted.apply(X), expected.apply(X))
    assert fitted.get_depth() == expected.get_depth()
    assert fitted.get_n_leaves() == expected.get_n_leaves()
    np.testing.assert_array_equal(fitted.feature_importances_, expected.feature_importances_)


def test_errors_are_those_of_the_tree_on_the_search_rows(fitted, noisy):
    X, y = noisy
    assert fitted.n_validation_errors_ == errors_of(fitted.tree_, X, y, fitted.validation_rows_)
    assert isinstance(fitted.n_validation_errors_, int)
    assert fitted.validation_error_ == fitted.n_validation_errors_ / len(fitted.validation_rows_)


def test_nothing_left_to_drop_helps(fitted, noisy):
    X, y = noisy
    building = np.setdiff1d(np.arange(len(y)), fitted.validation_rows_)
    for feature in np.flatnonzero(fitted.support_):
        keep = fitted.support_ & (np.arange(12) != feature)
        tree = GreedyTreeClassifier().fit(np.where(keep, X[building], 0.0), y[building]).tree_
        shown = np.where(keep, X, 0.0)
        assert errors_of(tree, shown, y, fitted.validation_rows_) >= fitted.n_validation_errors_


def test_used_features_are_the_tested_ones(fitted):
    assert fitted.used_features_.tolist() == fitted.tree_.used_features.tolist()
    assert fitted.support_[fitted.used_features_].all()
    assert fitted.used_features_.dtype == np.int64
    assert fitted.support_.dtype == bool
    assert fitted.get_support(indices=True).tolist() == np.flatnonzero(fitted.support_).tolist()


def test_history_tells_every_step(fitted, noisy):
    X, y = noisy
    history = fitted.history_
    names = ("step", "dropped", "added", "changed", "errors", "n_leaves", "n_used", "n_features")
    names += ("n_trees_built", "seconds")
    assert history.dtype.names == names
    assert history["step"].tolist() == list(range(len(history)))
    assert history["added"].tolist() == [-1] * len(history)
    assert history["changed"].tolist() == [(), *((feature,) for feature in history["dropped"][1:])]
    assert history["n_features"].tolist() == list(range(12, 11 - len(history[1:]), -1))
    assert history["dropped"][0] == -1
    assert set(history["dropped"][1:]) == set(np.flatnonzero(~fitted.support_))
    assert (np.diff(history["errors"]) < 0).all()
    assert (np.diff(history["n_trees_built"]) > 0).all()
    assert (np.diff(history["seconds"]) >= 0).all()
    assert history["errors"][-1] == fitted.n_validation_errors_
    assert history["n_trees_built"][0] == 1
    assert history["n_trees_built"][-1] <= fitted.n_trees_built_
    assert list(history.to_frame().columns) == list(history.dtype.names)
    top = GreedyTreeClassifier().fit(
        np.delete(X, fitted.validation_rows_, 0), np.delete(y, fitted.validation_rows_)
    )
    assert history["errors"][0] == errors_of(top.tree_, X, y, fitted.validation_rows_)


def test_result_of_the_search(fitted):
    found = fitted.search_
    assert (found.status, found.success) == ("complete", True)
    assert found.cost == fitted.n_validation_errors_
    assert found.bound is None
    assert found.n_searched == fitted.n_trees_built_
    assert found.tree == fitted.tree_
    assert found.elapsed >= 0


@pytest.mark.parametrize("criterion", ["info_gain", "gain_ratio", "gini"])
@pytest.mark.parametrize("seed", range(3))
def test_retraining_gives_the_same_answer(noisy, criterion, seed):
    X, y = noisy
    X = np.where(np.random.default_rng(seed).random(X.shape) < 0.05, np.nan, X)
    fast, slow = (
        BackwardEliminationSelector(
            strategy=strategy, estimator=GreedyTreeClassifier(criterion=criterion), random_state=seed
        ).fit(X, y)
        for strategy in ("incremental", "retrain")
    )
    columns = ["step", "dropped", "errors"]
    assert fast.history_[columns].tolist() == slow.history_[columns].tolist()
    assert fast.tree_ == slow.tree_
    assert fast.refit_tree_ == slow.refit_tree_
    assert fast.support_.tolist() == slow.support_.tolist()
    assert fast.n_trees_built_ <= slow.n_trees_built_


def test_unused_features_stay():
    X, y = load_iris(return_X_y=True)
    wide = np.hstack([X, np.zeros((150, 3)), X])
    selector = BackwardEliminationSelector(random_state=0).fit(wide, y)
    assert selector.support_[4:7].all()
    assert not set(selector.used_features_) & {4, 5, 6}


def test_everything_can_be_dropped():
    X = [[0.0], [1.0], [2.0], [3.0]]
    selector = BackwardEliminationSelector(validation_set=[2, 3]).fit(X, ["a", "b", "a", "a"])
    assert not selector.support_.any()
    assert selector.tree_.n_nodes == 1
    assert selector.used_features_.shape == (0,)
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(X).shape == (4, 0)


def test_growing_parameters_reach_the_trees(noisy):
    selector = BackwardEliminationSelector(
        estimator=GreedyTreeClassifier(max_depth=2, min_samples_split=20), random_state=0
    ).fit(*noisy)
    assert selector.tree_.max_depth <= 2
    assert selector.refit_tree_.max_depth <= 2


WRONG = [
    ("strategy", "fast", "'incremental' or 'retrain'"),
    ("growth", "c45", "average-gain rule"),
    ("mdl_correction", "yes", "True or False"),
    ("criterion", "log_loss", "'info_gain', 'gain_ratio' or 'gini'"),
    ("time_limit", 0, "None for no limit"),
    ("time_limit", "1s", "None for no limit"),
    ("callback", 3, "returns True to stop"),
    ("validation_set", 0.0, "share between 0 and 1"),
    ("validation_set", 1.0, "share between 0 and 1"),
    ("validation_set", np.nan, "share between 0 and 1"),
    ("validation_set", 5, "share between 0 and 1"),
    ("validation_set", True, "share between 0 and 1"),
    ("validation_set", None, "share between 0 and 1"),
    ("validation_set", "half", "share between 0 and 1"),
    ("validation_set", [0.0, 1.0], "1-D with dtype float64"),
    ("validation_set", [[1, 2]], "2-D"),
    ("validation_set", [1, 2, 300], "validation_set[2]=300 is no row"),
    ("validation_set", [1, -2], "validation_set[1]=-2 is no row"),
    ("validation_set", [7, 3, 7], "validation_set[2] repeats row 7"),
    ("validation_set", [True] * 5, "5 entries, but X has 300 rows"),
]


@pytest.mark.parametrize(("name", "value", "words"), WRONG, ids=lambda value: repr(value)[:24])
def test_wrong_parameter_is_named_in_fit(noisy, name, value, words):
    selector = BackwardEliminationSelector(**grown_by(**{name: value}))
    with pytest.raises(ParameterError) as caught:
        selector.fit(*noisy)
    assert name in str(caught.value)
    assert words in str(caught.value)


def test_everything_learned_needs_a_fit():
    selector = BackwardEliminationSelector()
    for use in (selector.predict, selector.transform, selector.predict_proba):
        with pytest.raises(NotFittedError):
            use([[1.0]])
    for use in (selector.get_support, selector.get_feature_names_out, selector.used_feature_names_out):
        with pytest.raises(NotFittedError):
            use()


# Weights.


def test_fractional_weights_give_fractional_errors(noisy):
    X, y = noisy
    weights = np.random.default_rng(0).integers(1, 8, len(y)) / 4
    selector = BackwardEliminationSelector(random_state=0).fit(X, y, sample_weight=weights)
    wrong = selector.tree_.predict(X) != y
    rows = selector.validation_rows_
    assert isinstance(selector.n_validation_errors_, float)
    assert selector.n_validation_errors_ == weights[rows][wrong[rows]].sum()
    assert selector.validation_error_ == pytest.approx(selector.n_validation_errors_ / weights[rows].sum())
    assert selector.history_["errors"].dtype == np.float64


def test_whole_weights_give_whole_errors(noisy):
    X, y = noisy
    selector = BackwardEliminationSelector(random_state=0).fit(X, y, sample_weight=np.full(300, 2.0))
    plain = BackwardEliminationSelector(
        random_state=0, estimator=GreedyTreeClassifier(min_samples_split=1)
    ).fit(X, y)
    assert isinstance(selector.n_validation_errors_, int)
    assert selector.n_validation_errors_ == 2 * plain.n_validation_errors_


def test_class_weights_weigh_errors_too(noisy):
    X, y = noisy
    selector = BackwardEliminationSelector(
        random_state=0, estimator=GreedyTreeClassifier(class_weight={1: 3})
    ).fit(X, y)
    by_sample = BackwardEliminationSelector(random_state=0).fit(X, y, sample_weight=np.where(y == 1, 3, 1))
    assert selector.n_validation_errors_ == by_sample.n_validation_errors_
    assert selector.validation_error_ == by_sample.validation_error_
    assert selector.tree_ == by_sample.tree_
    balanced = BackwardEliminationSelector(
        random_state=0, estimator=GreedyTreeClassifier(class_weight="balanced")
    ).fit(X, y)
    assert isinstance(balanced.n_validation_errors_, float)
    assert 0 < balanced.validation_error_ < 1


def test_positions_and_weights_repeat_rows(noisy):
    X, y = noisy
    weights = np.random.default_rng(1).integers(1, 4, len(y))
    is_validation = np.random.default_rng(2).random(len(y)) < 0.3
    weighted = BackwardEliminationSelector(validation_set=is_validation).fit(X, y, sample_weight=weights)
    repeated = BackwardEliminationSelector(validation_set=is_validation.repeat(weights)).fit(
        X.repeat(weights, axis=0), y.repeat(weights)
    )
    assert weighted.tree_ == repeated.tree_
    assert weighted.refit_tree_ == repeated.refit_tree_
    assert weighted.n_validation_errors_ == repeated.n_validation_errors_


def test_positions_speak_of_the_table_with_its_rows_of_weight_zero(noisy):
    X, y = noisy
    weights = np.ones(300)
    weights[[0, 1, 5, 299]] = 0
    positions = np.arange(0, 300, 3)
    selector = BackwardEliminationSelector(validation_set=positions).fit(X, y, sample_weight=weights)
    assert selector.validation_rows_.tolist() == [row for row in positions if weights[row]]
    left = np.flatnonzero(weights)
    expected = BackwardEliminationSelector(validation_set=np.isin(left, positions)).fit(X[left], y[left])
    assert selector.tree_ == expected.tree_


def test_cancer_loses_features_and_errors():
    X, y = load_breast_cancer(return_X_y=True)
    selector = BackwardEliminationSelector(random_state=0).fit(X, y)
    assert selector.history_["errors"][0] > selector.n_validation_errors_
    assert selector.support_.sum() < 30


def test_dataset_in_place_of_a_table(noisy):
    X, y = noisy
    selector = BackwardEliminationSelector(random_state=0).fit(Dataset(X, y))
    assert selector.tree_ == BackwardEliminationSelector(random_state=0).fit(X, y).tree_
    np.testing.assert_array_equal(selector.predict(Dataset(X)), selector.predict(X))


def test_pickle_keeps_everything(fitted, noisy):
    back = pickle.loads(pickle.dumps(fitted))
    assert back.search_ == fitted.search_
    assert back.history_.tolist() == fitted.history_.tolist()
    np.testing.assert_array_equal(back.transform(noisy[0]), fitted.transform(noisy[0]))
