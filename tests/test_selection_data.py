"""Selectors on real data: both strategies agree, and scikit-learn's tools work on it.

Only where ``TREEWRIGHT_DATA`` names a folder of data sets.
"""

import os
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline

from growers import grown_by
from stepwise_cases import assert_same_answer
from treewright import BackwardEliminationSelector, ForwardSelectionSelector, GreedyTreeClassifier, datasets

FOLDER = os.environ.get("TREEWRIGHT_DATA")
pytestmark = pytest.mark.skipif(not FOLDER, reason="TREEWRIGHT_DATA names no folder of data sets")

MOST_SAMPLES, MOST_FEATURES = 5000, 70
"""Larger sets take the black box too long."""

MOST_CELLS = 40_000
"""Of larger sets as many rows are enough (``python -m benches.same_answer`` takes all rows), and every third
search."""

SMALL = [
    entry.name
    for entry in datasets.catalogue()
    if entry.source == "folder"
    and entry.n_samples < MOST_SAMPLES
    and entry.n_numeric + entry.n_nominal < MOST_FEATURES
]


def pairs(n_features):
    """Group features two by two, the last alone if their number is odd."""
    return [list(range(i, min(i + 2, n_features))) for i in range(0, n_features, 2)]


def searches(n_features):
    """List selectors with their options."""
    half = range(n_features // 2)
    groups = {"feature_groups": pairs(n_features), "required_features": [0]}
    return [
        (BackwardEliminationSelector, {}),
        (BackwardEliminationSelector, {"criterion": "gain_ratio", "missing": "most_frequent"}),
        (BackwardEliminationSelector, {"criterion": "gini", "missing": "value", "min_samples_split": 8}),
        (BackwardEliminationSelector, {"tolerance": 0.01, "min_features": 2}),
        (BackwardEliminationSelector, {"tolerance": 2, "parsimonious": True}),
        (BackwardEliminationSelector, {"floating": True}),
        (BackwardEliminationSelector, {"floating": True, "parsimonious": True, "start_from": half}),
        (BackwardEliminationSelector, {"parsimonious": True, **groups}),
        (ForwardSelectionSelector, {"max_features": 8}),
        (ForwardSelectionSelector, {"floating": True, "min_samples_split": 8, "criterion": "gini"}),
        (ForwardSelectionSelector, {"start_from": half, "floating": True, "missing": "value"}),
        (ForwardSelectionSelector, groups),
    ]


@pytest.mark.parametrize("name", SMALL)
def test_both_strategies_give_the_same_answer(name):
    data = datasets.load(name)
    n_parts = 1 + data.n_samples * data.n_features // MOST_CELLS
    data, step = data[::n_parts], min(n_parts, 3)
    for Selector, options in searches(data.n_features)[::step]:
        fast, black_box = (
            Selector(random_state=0, strategy=strategy, **grown_by(**options)).fit(data)
            for strategy in ("incremental", "retrain")
        )
        assert_same_answer(fast, black_box, f"{Selector.__name__} {options}")
        assert_errors_are_those_of_the_tree(fast, data)


def assert_errors_are_those_of_the_tree(selector, data):
    rows = selector.validation_rows_
    labels = data.classes[data.target[rows]]
    assert selector.n_validation_errors_ == (selector.tree_.predict(data[rows]) != labels).sum()


@pytest.fixture(scope="module", params=["anneal-orig", "soybean"])
def data(request):
    """Load a set with many missing values."""
    return datasets.load(request.param)


@pytest.fixture(params=[BackwardEliminationSelector, ForwardSelectionSelector])
def selector(request):
    return request.param(estimator=GreedyTreeClassifier(), random_state=0)


def test_pickled_selector_and_clone_do_the_same(selector, data):
    selector.fit(data)
    copy, again = pickle.loads(pickle.dumps(selector)), clone(selector).fit(data)
    assert copy.search_ == selector.search_
    for other in (copy, again):
        assert_same_answer(other, selector, data)
        np.testing.assert_array_equal(other.predict(data), selector.predict(data))
        assert other.transform(data).feature_names == selector.get_feature_names_out().tolist()


def test_pipeline_grows_the_tree_of_the_selected_features(selector, data):
    pipeline = make_pipeline(selector, GreedyTreeClassifier()).fit(data)
    np.testing.assert_array_equal(pipeline.predict(data), selector.predict(data))


def test_grid_search_over_min_samples_split(selector, data):
    labels = data.classes[data.target]
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    grid = {"estimator__min_samples_split": [2, 8, len(labels)]}
    search = GridSearchCV(selector, grid, cv=folds).fit(data, labels)
    assert search.best_params_["estimator__min_samples_split"] < len(labels)
    assert search.best_score_ > np.bincount(data.target).max() / len(labels)
    assert search.best_estimator_.support_.sum() <= data.n_features
