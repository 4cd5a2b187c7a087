"""The face of complete search: its parameters, what it learns, and how it ends before its end."""

from __future__ import annotations

import inspect
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine, make_classification

from growers import grown_by
from treewright import CompleteSearchSelector, DataError, Dataset, GreedyTreeClassifier, ParameterError
from treewright.results import Progress, SearchResult

CONSTRUCTOR = {
    "tolerance": 0,
    "max_features": None,
    "top_k": 1,
    "count_ties": False,
    "order": "frontier",
    "memory_limit": None,
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
def wine() -> Any:
    return load_wine(return_X_y=True)


@pytest.fixture(scope="module")
def fitted(wine: Any) -> CompleteSearchSelector:
    return CompleteSearchSelector(random_state=0, top_k=4, count_ties=True).fit(*wine)


# What it takes and learns --------------------------------------------------------------


def test_constructor_is_the_agreed_one() -> None:
    parameters = inspect.signature(CompleteSearchSelector).parameters.values()
    assert {p.name: p.default for p in parameters} == CONSTRUCTOR
    assert {p.kind for p in parameters} == {inspect.Parameter.KEYWORD_ONLY}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"tolerance": -1}, r"tolerance=-1 must be an int of at least 0"),
    ({"tolerance": 1.5}, r"tolerance=1\.5 must be an int"),
    ({"tolerance": True}, "tolerance=True must be an int"),
    ({"tolerance": 1, "top_k": 2}, r"tolerance=1 does not go with top_k=2: .* choose tolerance=0 or top_k=1"),
    (
        {"tolerance": 0.1, "count_ties": True},
        r"tolerance=0\.1 does not go with count_ties=True: .* choose tolerance=0 or count_ties=False",
    ),
    ({"max_features": -1}, "max_features=-1 must be None or an int of at least 0; None for no limit"),
    ({"max_features": 0.5}, "max_features=0.5 must be None or an int"),
    ({"top_k": 0}, "top_k=0 must be an int of at least 1; it counts the best trees"),
    ({"top_k": None}, "top_k=None must be an int"),
    ({"count_ties": 1}, "count_ties=1 must be True or False"),
    ({"order": "random"}, "order='random' is not known; choose 'frontier'"),
    ({"memory_limit": "64"}, "memory_limit='64' must be None or bytes as an int"),
    ({"growth": "c45"}, "growth='c45' cannot be used in a feature search: its average-gain rule"),
    ({"time_limit": 0}, "time_limit=0 must be a finite number above 0"),
    ({"callback": 3}, "callback=3 must be None or callable"),
    ({"min_samples_split": -1}, "min_samples_split=-1 must be a finite number above 0"),
    ({"n_jobs": 0}, "n_jobs=0 must be None or an int"),
    ({"validation_set": 1.0}, r"validation_set=1\.0 is no share"),
]


@pytest.mark.parametrize(("parameters", "message"), REFUSED, ids=[str(entry[0]) for entry in REFUSED])
def test_parameters_are_refused_with_a_remedy(wine: Any, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        CompleteSearchSelector(**grown_by(**parameters)).fit(*wine)


@pytest.mark.parametrize(
    "parameters",
    [
        {"tolerance": 10**30},
        {"tolerance": np.int64(0), "top_k": np.int32(2)},
        {"max_features": 10**30},
        {"top_k": 10**30, "min_samples_split": 60},
        {"memory_limit": 10**30},
        {"tolerance": 0.0, "top_k": 2, "count_ties": np.True_},
    ],
    ids=str,
)
def test_large_and_numpy_values_are_taken(wine: Any, parameters: dict[str, Any]) -> None:
    assert CompleteSearchSelector(random_state=0, **grown_by(**parameters)).fit(*wine).search_.success


def test_trees_are_the_best_first(fitted: CompleteSearchSelector, wine: Any) -> None:
    X, y = wine
    rows = fitted.validation_rows_
    best = fitted.best_trees_
    assert len(best) == 4
    ranks = [(tree.n_validation_errors, len(tree.used_features), tree.used_features) for tree in best]
    assert ranks == sorted(ranks)
    for found in best:
        assert (found.tree.predict(X[rows]) != y[rows]).sum() == found.n_validation_errors
        allowed = max(found.equivalent_subsets, key=len)
        kept = np.isin(np.arange(13), allowed)
        building = np.delete(np.where(kept, X, 0.0), rows, axis=0)
        assert GreedyTreeClassifier().fit(building, np.delete(y, rows)).tree_ == found.tree
    assert fitted.n_ties_ is not None
    assert fitted.n_ties_ >= 1


def test_best_tree_is_the_one_selected(fitted: CompleteSearchSelector, wine: Any) -> None:
    X, y = wine
    assert fitted.best_trees_[0].tree == fitted.tree_
    assert np.flatnonzero(fitted.support_).tolist() == fitted.used_features_.tolist()
    assert fitted.tree_.used_features.tolist() == fitted.used_features_.tolist()
    assert isinstance(fitted.search_, SearchResult)
    assert fitted.search_.cost == fitted.search_.bound == fitted.n_validation_errors_
    assert {type(fitted.search_.bound), type(fitted.n_validation_errors_)} == {int}
    assert fitted.validation_error_ == fitted.n_validation_errors_ / len(fitted.validation_rows_)
    expected = GreedyTreeClassifier().fit(np.where(fitted.support_, X, 0.0), y)
    assert expected.tree_ == fitted.refit_tree_
    np.testing.assert_array_equal(fitted.transform(X), X[:, fitted.support_])
    assert not hasattr(fitted, "history_")


def test_pickle_holds_trees_and_no_data(fitted: CompleteSearchSelector, wine: Any) -> None:
    text = pickle.dumps(fitted)
    rows = np.tile(np.arange(len(wine[1])), 20)
    repeated = clone(fitted).fit(wine[0][rows], wine[1][rows])
    assert len(pickle.dumps(repeated)) < wine[0][rows].nbytes / 4
    copy = pickle.loads(text)
    assert copy.best_trees_ == fitted.best_trees_
    assert [tree.tree for tree in copy.best_trees_] == [tree.tree for tree in fitted.best_trees_]
    np.testing.assert_array_equal(copy.predict(wine[0]), fitted.predict(wine[0]))


def test_more_than_64_features() -> None:
    X, y = make_classification(60, 70, n_informative=3, random_state=0)
    options = grown_by(min_samples_split=30, random_state=0)
    found = CompleteSearchSelector(**options, count_ties=True, top_k=2).fit(X, y)
    few = CompleteSearchSelector(**options, count_ties=True, top_k=2)
    few.fit(X[:, np.sort(np.r_[found.used_features_, found.best_trees_[1].used_features])], y)
    assert found.search_.status == few.search_.status == "optimal"
    assert found.n_validation_errors_ == few.n_validation_errors_


def test_weights_repeat_samples() -> None:
    X, y = make_classification(120, 7, n_informative=4, flip_y=0.1, random_state=3)
    weights = np.random.default_rng(1).integers(1, 4, len(y))
    is_validation = np.random.default_rng(2).random(len(y)) < 0.4
    options: dict[str, Any] = {"top_k": 3, "count_ties": True}
    weighted = CompleteSearchSelector(validation_set=is_validation, **options).fit(
        X, y, sample_weight=weights
    )
    repeated = CompleteSearchSelector(validation_set=is_validation.repeat(weights), **options)
    repeated.fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert weighted.best_trees_ == repeated.best_trees_
    assert (weighted.n_ties_, weighted.search_.bound) == (repeated.n_ties_, repeated.search_.bound)


def test_dataset_in_place_of_a_table(fitted: CompleteSearchSelector, wine: Any) -> None:
    again = CompleteSearchSelector(random_state=0, top_k=4, count_ties=True).fit(Dataset(*wine))
    assert again.best_trees_ == fitted.best_trees_


def test_nothing_to_learn_is_a_leaf() -> None:
    found = CompleteSearchSelector(count_ties=True, top_k=3).fit(np.zeros((40, 3)), [0, 1] * 20)
    assert not found.support_.any()
    assert [tree.used_features for tree in found.best_trees_] == [()]
    assert (found.n_ties_, found.best_trees_[0].n_subsets) == (1, 8)


# Before the end ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def noisy() -> Any:
    return make_classification(300, 14, n_informative=6, flip_y=0.2, random_state=0)


@pytest.fixture(scope="module")
def endless() -> Any:
    rng = np.random.default_rng(0)
    return rng.normal(size=(400, 60)), rng.integers(0, 2, 400)


@pytest.mark.parametrize("options", [{}, {"top_k": 5}, {"count_ties": True}, {"tolerance": 4}], ids=str)
def test_bound_holds_whenever_the_search_ends(noisy: Any, options: dict[str, Any]) -> None:
    base = grown_by(min_samples_split=8, random_state=0)
    least = CompleteSearchSelector(**base).fit(*noisy).n_validation_errors_
    statuses, time_limit = {"time_limit"}, 1e-5
    while statuses == {"time_limit"}:
        found = CompleteSearchSelector(**base, **options, time_limit=time_limit).fit(*noisy)
        assert found.search_.bound is not None
        assert 0 <= found.search_.bound <= least <= found.n_validation_errors_
        assert found.best_trees_[0].tree == found.tree_
        statuses.add(found.search_.status)
        time_limit *= 1.5
    assert statuses == {"time_limit", "complete" if "tolerance" in options else "optimal"}


def test_callback_ends_the_search(endless: Any) -> None:
    seen: list[Progress] = []

    def stop(progress: Progress) -> bool:
        seen.append(progress)
        return progress.done > 0

    found = CompleteSearchSelector(random_state=0, callback=stop, count_ties=True).fit(*endless)
    assert (found.search_.status, found.search_.success) == ("stopped", False)
    assert found.search_.bound is not None
    assert found.search_.bound < found.search_.cost == found.n_validation_errors_
    assert seen[-1].best == found.n_validation_errors_
    assert found.predict(endless[0][:5]).shape == (5,)


@pytest.mark.parametrize(
    "limit", [{"time_limit": 1e-9}, {"callback": lambda progress: True}], ids=["time", "callback"]
)
def test_limit_before_the_first_tree_leaves_one(endless: Any, limit: dict[str, Any]) -> None:
    found = CompleteSearchSelector(random_state=0, **limit).fit(*endless)
    assert found.search_.status in ("time_limit", "stopped")
    assert found.n_trees_built_ >= 1
    assert found.search_.bound is not None
    assert found.search_.bound <= found.n_validation_errors_


@pytest.fixture
def heeds_control_c() -> Iterator[None]:
    """Python's own handler, also where the tests were started in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeds_control_c")
def test_control_c_interrupts(endless: Any) -> None:
    asked: list[float] = []

    def press() -> None:
        asked.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, press)
    timer.start()
    model = CompleteSearchSelector(time_limit=30)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*endless)
    timer.join()
    assert time.monotonic() - asked[0] < 5
    assert (model.search_.status, model.search_.cost) == ("stopped", model.n_validation_errors_)
    assert model.predict(endless[0][:5]).shape == (5,)


def test_error_in_the_callback_is_raised_and_leaves_the_best(endless: Any) -> None:
    def fail(progress: Progress) -> None:
        if progress.done:
            raise LookupError("mine")

    model = CompleteSearchSelector(callback=fail)
    with pytest.raises(LookupError, match="mine"):
        model.fit(*endless)
    assert model.search_.status == "stopped"


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_transform_refuses_other_columns_as_predict_does() -> None:
    X, y = pd.DataFrame({"a": [0.0, 1, 2, 3], "b": [1.0, 0, 1, 0]}), [0, 0, 1, 1]
    model = CompleteSearchSelector(validation_set=0.5, random_state=1).fit(X, y)
    assert model.support_.tolist() == [True, False]
    for table in (X, X[["b", "a"]], X[["a"]]):
        assert model.predict(table).tolist() == y
        assert model.transform(table)["a"].tolist() == [0, 1, 2, 3]
    for other in (X[["b"]], np.zeros((4, 3))):
        for method in (model.transform, model.predict):
            with pytest.raises(DataError):
                method(other)
