"""The tree of least cost as an estimator.

Inner names, as in unit tests: `data.binning`: a column is looked at before it is part of a table.
"""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import Dataset, MinimalTreeClassifier, ParameterError, datasets, export_text
from treewright.data.binning import binned
from treewright.tables import Cost, DecisionTable, tree_cost

VARIANTS = [
    MinimalTreeClassifier(),
    MinimalTreeClassifier(cost="depth", then=["n_nodes", "n_leaves"]),
    MinimalTreeClassifier(cost="average_depth", then="n_nodes", max_bins=3),
    MinimalTreeClassifier(cost=Cost(leaf=2, per_node=3, per_row=1)),
]


@parametrize_with_checks(VARIANTS)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def test_nominal_data_give_the_tree_of_the_table():
    data = datasets.load("monks-1")
    model = MinimalTreeClassifier(cost="depth", then="n_nodes").fit(data)
    table = DecisionTable.from_data(data)
    assert model.tree_ == table.minimum_tree("depth", then="n_nodes").tree
    assert (model.search_.cost, model.search_.bound, model.search_.status) == (3, 3, "optimal")
    assert model.n_rows_ == 432
    assert model.score(data, data.classes[data.target]) == 1.0
    assert (model.get_depth(), model.get_n_leaves()) == (3, 27)


def test_every_sample_gets_the_most_common_class_of_its_bins(iris):
    X, y = iris
    model = MinimalTreeClassifier().fit(X, y)
    cells = [tuple(row) for row in np.column_stack([binned(X[:, i], model.bin_edges_[i]) for i in range(4)])]
    assert model.n_rows_ == len(set(cells))
    for cell, label in zip(cells, model.predict(X), strict=True):
        counts = np.bincount([y[i] for i, other in enumerate(cells) if other == cell])
        assert label == counts.argmax()


def test_numeric_and_nominal_columns_are_told_apart():
    X = pd.DataFrame({"n": [0.5, 1.5, 2.5, np.nan], "c": ["u", "v", "u", None]})
    model = MinimalTreeClassifier(max_bins=2).fit(X, ["p", "q", "q", "p"])
    assert model.bin_edges_[0].tolist() == [1.0]
    assert model.bin_edges_[1] is None
    assert model.predict(X).tolist() == ["p", "q", "q", "p"]
    assert "n = up to 1" in export_text(model) or "c = " in export_text(model)


def test_edges_are_applied_to_new_numbers(iris):
    X, y = iris
    model = MinimalTreeClassifier(max_bins=3).fit(X, y)
    edge = model.bin_edges_[2][0]
    row = X[:1].copy()
    row[0, 2] = edge
    other = row.copy()
    other[0, 2] = X[:, 2].min() - 100
    assert model.predict(row) == model.predict(other)


def test_unseen_and_missing_values_are_answered_by_the_node():
    X = [["a", "x"], ["a", "y"], ["b", "x"], ["c", "x"], ["c", "y"]]
    y = [0, 0, 1, 1, 1]
    model = MinimalTreeClassifier().fit(X, y)
    assert model.tree_.used_features.tolist() == [0]
    assert model.predict([["new", "x"], [None, "x"]]).tolist() == [1, 1]
    np.testing.assert_allclose(model.predict_proba([["new", "x"]]), [[0.4, 0.6]])
    assert model.apply([["new", "x"]]).tolist() == [0]


def test_missing_value_of_fit_has_a_branch_and_an_unseen_one_has_not():
    X = [["a"], ["b"], [None]]
    model = MinimalTreeClassifier().fit(X, ["no", "no", "yes"])
    assert model.predict([[None], ["a"], ["new"]]).tolist() == ["yes", "no", "no"]
    assert model.apply([["new"]]).tolist() == [0]
    assert model.predict([[None], ["new"]]).tolist() == ["yes", "no"]
    numbers = MinimalTreeClassifier().fit([[1.0], [2.0], [np.nan]], ["no", "no", "yes"])
    assert numbers.predict([[np.nan], [1.0], [99.0]]).tolist() == ["yes", "no", "no"]


def test_max_pairs_makes_smaller_trees(iris):
    X, y = iris
    sizes = [
        MinimalTreeClassifier(max_pairs=max_pairs).fit(X, y).tree_.n_nodes
        for max_pairs in (0, 20, 200, 10**6)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


@pytest.mark.parametrize("cost", ["depth", "total_path_length", "average_depth", "n_internal", "n_leaves"])
def test_cost_is_that_of_the_tree(iris, cost):
    X, y = iris
    model = MinimalTreeClassifier(cost=cost).fit(X, y)
    table = DecisionTable.from_data(Dataset(X, y), bins=4, on_conflict="most_common")
    assert model.search_.cost == tree_cost(model.tree_, table, cost)
    assert model.search_.status == "optimal"


def test_equal_samples_have_the_heaviest_class():
    X, y = [["a"], ["a"], ["a"], ["b"]], [0, 0, 1, 1]
    assert MinimalTreeClassifier().fit(X, y).predict([["a"]]) == [0]
    weighted = MinimalTreeClassifier().fit(Dataset(X, y, sample_weight=[1, 1, 3, 1]))
    assert weighted.predict([["a"]]) == [1]
    tied = MinimalTreeClassifier().fit(X, y, sample_weight=[1, 1, 2, 1])
    assert tied.predict([["a"]]) == [0]


def test_weights_move_the_cuts_of_numbers():
    X, y = np.arange(10.0)[:, None], [0] * 5 + [1] * 5
    model = MinimalTreeClassifier(max_bins=2).fit(X, y, sample_weight=[9] + [1] * 9)
    repeated = MinimalTreeClassifier(max_bins=2).fit(X.repeat([9] + [1] * 9, axis=0), [0] * 13 + [1] * 5)
    assert model.bin_edges_[0].tolist() == repeated.bin_edges_[0].tolist() == [0.5]
    assert model.tree_ == repeated.tree_


@pytest.mark.parametrize(
    "params",
    [
        {"cost": "size"},
        {"then": ["depth", "size"]},
        {"max_pairs": -1},
        {"max_bins": 1},
        {"node_limit": 0},
        {"memory_limit": "much"},
        {"time_limit": 0},
        {"callback": 3},
        {"n_jobs": 0},
    ],
    ids=lambda params: next(iter(params)),
)
def test_parameter_is_refused_by_name(iris, params):
    with pytest.raises(ParameterError, match=next(iter(params))):
        MinimalTreeClassifier(**params).fit(*iris)


def test_limits_end_the_search_with_a_tree():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, size=(400, 25)).astype(str).tolist(), rng.integers(0, 3, 400)
    model = MinimalTreeClassifier(cost="n_nodes", node_limit=500).fit(X, y)
    assert model.search_.status == "node_limit"
    assert 0 < model.search_.bound <= model.search_.cost == model.tree_.n_nodes
    assert (model.predict(X) == y).all()


def test_clone_and_pickle(iris):
    X, y = iris
    model = MinimalTreeClassifier(max_pairs=10).fit(X, y)
    assert not hasattr(clone(model), "tree_")
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_tools_of_scikit_learn_take_it(iris):
    X, y = iris
    search = GridSearchCV(MinimalTreeClassifier(), {"max_pairs": [0, 30], "max_bins": [3, 5]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    assert (
        BaggingClassifier(MinimalTreeClassifier(), n_estimators=3, random_state=0).fit(X, y).score(X, y) > 0.9
    )
    assert cross_val_score(MinimalTreeClassifier(), X, y, cv=3).min() > 0.8


def test_tags_tell_what_is_accepted():
    tags = get_tags(MinimalTreeClassifier())
    assert tags.input_tags.allow_nan
    assert tags.input_tags.categorical
    assert tags.input_tags.string


def test_failed_fit_keeps_what_was_learned(iris):
    X, y = iris
    model = MinimalTreeClassifier().fit(X, y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="inf"):
        model.fit(np.full((150, 2), np.inf), y)
    assert vars(model) == before


@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_tree_does_not_depend_on_threads(n_jobs):
    data = datasets.load("tic-tac-toe")
    model = MinimalTreeClassifier(n_jobs=n_jobs).fit(data)
    assert model.tree_ == MinimalTreeClassifier().fit(data).tree_
