"""Forward selection: under every option as the slow, plain version; and what is its own."""

from __future__ import annotations

import inspect
import pickle
from random import Random

import numpy as np
import pytest
from sklearn.datasets import load_wine, make_classification

from blocks import blocks
from stepwise import Judge, forward
from stepwise_cases import (
    Case,
    Options,
    Problem,
    assert_same_answer,
    assert_same_search,
    assert_trees_are_those_of_the_selected,
    random_forward,
    random_problem,
    rules_of,
)
from treewright import Dataset, ForwardSelectionSelector, GreedyTreeClassifier

CONSTRUCTOR = {
    "strategy": "incremental",
    "floating": False,
    "max_features": None,
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

N_BLOCKS = 10
PROBLEMS_PER_BLOCK = 40
SEARCHES_PER_PROBLEM = 4


@pytest.mark.parametrize("block", blocks(N_BLOCKS, 5))
def test_every_step_is_that_of_the_slow_version(block: int) -> None:
    for seed in range(block * PROBLEMS_PER_BLOCK, (block + 1) * PROBLEMS_PER_BLOCK):
        rng = Random(seed)
        problem = random_problem(rng)
        judge = problem.judge
        for _ in range(SEARCHES_PER_PROBLEM):
            check_search(problem, random_forward(rng, problem), judge)


def check_search(problem: Problem, options: Options, judge: Judge) -> None:
    fast, black_box = (
        checked(Case(problem, options, strategy), judge) for strategy in ("incremental", "retrain")
    )
    assert_same_answer(fast, black_box, Case(problem, options))
    assert_trees_are_those_of_the_selected(fast, Case(problem, options))


def checked(case: Case, judge: Judge) -> ForwardSelectionSelector:
    """Fit by one strategy and compare with the slow version of it."""
    selector = ForwardSelectionSelector(strategy=case.strategy, **case.problem.parameters, **case.options)
    expected = forward(judge, rules_of(case, backward=False))
    assert_same_search(selector.fit(case.problem.dataset), expected, case)
    return selector


# What is its own.


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


@pytest.fixture(scope="module")
def fitted(wine):
    return ForwardSelectionSelector(random_state=0).fit(*wine)


def test_constructor_is_the_agreed_one() -> None:
    parameters = inspect.signature(ForwardSelectionSelector).parameters.values()
    assert {p.name: p.default for p in parameters} == CONSTRUCTOR
    assert {p.kind for p in parameters} == {inspect.Parameter.KEYWORD_ONLY}


def test_history_goes_from_a_leaf_to_the_tree(fitted, wine) -> None:
    X, y = wine
    history, rows = fitted.history_, fitted.validation_rows_
    majority = np.bincount(np.delete(y, rows)).argmax()
    assert history["errors"][0] == (y[rows] != majority).sum()
    assert (
        history["errors"][-1]
        == fitted.n_validation_errors_
        == (fitted.tree_.predict(X[rows]) != y[rows]).sum()
    )
    assert (np.diff(history["errors"]) < 0).all()
    assert history["dropped"].tolist() == [-1] * len(history)
    assert sorted(history["added"][1:]) == np.flatnonzero(fitted.support_).tolist()
    assert history["n_features"].tolist() == list(range(len(history)))
    n_tried = [1, *(13 - i for i in range(len(history) - 1))]
    assert history["n_trees_built"].tolist() == np.cumsum(n_tried).tolist()
    assert fitted.n_trees_built_ == sum(n_tried) + 13 - (len(history) - 1)


def test_refit_tree_is_grown_from_all_rows_and_predicts(fitted, wine) -> None:
    X, y = wine
    expected = GreedyTreeClassifier().fit(np.where(fitted.support_, X, 0.0), y)
    assert expected.tree_ == fitted.refit_tree_
    np.testing.assert_array_equal(fitted.predict(X), expected.predict(X))
    np.testing.assert_array_equal(fitted.transform(X), X[:, fitted.support_])


def test_nothing_helps_where_there_is_nothing_to_learn() -> None:
    X, y = np.zeros((40, 3)), [0, 1] * 20
    selector = ForwardSelectionSelector(random_state=0).fit(X, y)
    assert not selector.support_.any()
    assert selector.tree_.n_nodes == 1
    assert len(selector.history_) == 1
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(X).shape == (40, 0)


def test_positions_and_weights_repeat_rows() -> None:
    X, y = make_classification(200, 8, n_informative=4, flip_y=0.1, random_state=3)
    weights = np.random.default_rng(1).integers(1, 4, len(y))
    is_validation = np.random.default_rng(2).random(len(y)) < 0.4
    weighted = ForwardSelectionSelector(validation_set=is_validation, floating=True)
    weighted.fit(X, y, sample_weight=weights)
    repeated = ForwardSelectionSelector(validation_set=is_validation.repeat(weights), floating=True)
    repeated.fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert len(weighted.history_) > 2
    assert weighted.history_["changed"].tolist() == repeated.history_["changed"].tolist()
    assert weighted.tree_ == repeated.tree_
    assert weighted.n_validation_errors_ == repeated.n_validation_errors_


def test_dataset_in_place_of_a_table(fitted, wine) -> None:
    selector = ForwardSelectionSelector(random_state=0).fit(Dataset(*wine))
    assert selector.tree_ == fitted.tree_
    back = pickle.loads(pickle.dumps(selector))
    assert back.transform(Dataset(wine[0])).shape == (178, selector.support_.sum())
