"""Explanations: the least change is the least, and does what it says.

Inner names, as in unit tests: `explain.models` reads a row as `explain` does.
"""

from __future__ import annotations

import json
import math
from itertools import combinations, product
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from exported import KINDS, costs_of, dataset_of, hard_rows, small_table
from treewright import (
    BackwardEliminationSelector,
    DataError,
    DataTypeError,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    ParameterError,
    RobustLinearClassifier,
    RuleListClassifier,
    Tree,
    datasets,
)
from treewright.explain import Explanation, explain
from treewright.explain.models import model_of

pytestmark = [
    pytest.mark.filterwarnings("ignore::treewright.DataWarning"),
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
]
NONE = (math.inf, math.inf)


def one_row(frame: pd.DataFrame, place: int) -> pd.DataFrame:
    return frame.iloc[[place]].reset_index(drop=True)


def applied(row: pd.DataFrame, told: Explanation) -> pd.DataFrame:
    """Put the values that are shown into the row."""
    changed = row.astype(object)
    assert told.change is not None
    for one in told.change.features:
        changed.loc[0, one.feature] = one.after
    numbers = {name: float for name in row if row[name].dtype.kind == "f"}
    return changed.astype(numbers)


def assert_does_what_it_says(model: Any, row: pd.DataFrame, told: Explanation) -> None:
    """Compare the class, and that of the changed row, with what the model predicts."""
    own = model.predict(row)[0]
    assert own == told.label
    if told.change is not None:
        found = model.predict(applied(row, told))[0]
        assert found == told.change.label
        assert found != own
        assert told.change.n_features == len(told.change.features)


def least_by_trial(model: Any, row: pd.DataFrame, to: Any = None, fixed: Any = ()) -> tuple[float, float]:
    """Try all values beside all cuts, and all levels, of all features."""
    made = model_of(model, row)
    columns = made.encoded(row)
    cuts, names = made.beside(), made.words.names
    own = [column[0].item() for column in columns]
    options: list[list[float]] = []
    for feature, value in enumerate(own):
        levels = made.words.levels[feature]
        if feature not in made.used or names[feature] in fixed:
            options.append([value])
        elif levels is not None:
            options.append([value, *(code for code in range(len(levels)) if code != value)])
        else:
            beside = {
                float(end) for cut, _, _ in cuts.get(feature, []) for end in (cut, np.nextafter(cut, np.inf))
            }
            options.append([value, *(end for end in beside if end != value and np.isfinite(end))])
    spans = made.ranges[:, 1] - made.ranges[:, 0]
    answer, wanted = int(made.codes(columns)[0]), None if to is None else list(made.words.classes).index(to)
    rows = list(product(*options))
    tried = [
        np.array([one[feature] for one in rows], dtype=columns[feature].dtype) for feature in range(len(own))
    ]
    best = NONE
    codes = made.codes(tried).tolist()
    for one, code in zip(rows, codes, strict=True):
        if code == answer or (wanted is not None and code != wanted):
            continue
        changed = [
            feature
            for feature, value in enumerate(one)
            if value != own[feature] and not (math.isnan(value) and math.isnan(own[feature]))
        ]
        distance = 0.0
        for feature in changed:
            is_plain = made.words.levels[feature] is not None or math.isnan(own[feature])
            scale = spans[feature] if spans[feature] > 0 else 1.0
            distance += 1.0 if is_plain else abs(one[feature] - own[feature]) / scale
        best = min(best, (len(changed), distance))
    return best


MADE = {
    "multiway": lambda data: GreedyTreeClassifier(max_depth=3).fit(data),
    "groups": lambda data: GreedyTreeClassifier(nominal_splits="groups", max_leaf_nodes=6).fit(data),
    "value": lambda data: GreedyTreeClassifier(missing="value", max_depth=3).fit(data),
    "filled": lambda data: GreedyTreeClassifier(missing="most_frequent", max_leaf_nodes=6).fit(data),
    "costs": lambda data: GreedyTreeClassifier(cost_matrix=costs_of(data), max_leaf_nodes=6).fit(data),
    "rules": lambda data: RuleListClassifier(
        estimator=GreedyTreeClassifier(max_leaf_nodes=7, nominal_splits="groups")
    ).fit(data),
}


@pytest.mark.parametrize("kind", MADE)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_least_change_is_that_of_a_trial_of_all(kind: str, seed: int) -> None:
    frame, y = small_table(seed % 50)
    frame = frame[["size", "colour", "age"]]
    model = MADE[kind](dataset_of(frame, y))
    tree = getattr(model, "source_tree_", None) or model.tree_
    rows = hard_rows(tree, frame, seed % 1000)
    row = one_row(rows, seed % len(rows))
    for to, fixed in ((None, ()), (["no", "so", "yes"][seed % 3], ()), (None, (list(frame)[seed % 3],))):
        if to == model.predict(row)[0]:
            continue
        told = explain(model, row, to=to, fixed=fixed)
        assert_does_what_it_says(model, row, told)
        found = NONE if told.change is None else (told.change.n_features, told.change.distance)
        assert told.status == "optimal"
        assert found == pytest.approx(least_by_trial(model, row, to, fixed), abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_applied_as_shown_the_change_changes_the_class(kind: str) -> None:
    frame, y = small_table(4)
    tree = KINDS[kind](dataset_of(frame, y))
    rows = hard_rows(tree, frame.iloc[:, : tree.n_features], 2)
    n_changed = 0
    for place in range(0, len(rows), 9 if "planes" not in kind else 20):
        row = one_row(rows, place)
        told = explain(tree, row)
        assert_does_what_it_says(tree, row, told)
        n_changed += told.change is not None
    assert n_changed or tree.n_leaves == 1


ESTIMATORS = [
    GreedyTreeClassifier.c45(),
    GreedyTreeClassifier(pruning="error_based"),
    FixedDepthTreeClassifier(max_depth=2),
    MinimalTreeClassifier(max_bins=2, max_pairs=10),
    BackwardEliminationSelector(random_state=0),
    RobustLinearClassifier(),
    MultivariateTreeClassifier(max_depth=2),
    RuleListClassifier(),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
def test_every_estimator_is_explained(estimator: Any) -> None:
    data = load_iris(as_frame=True)
    X = data.data.drop(columns=["sepal length (cm)"])
    model = estimator.fit(X, data.target)
    for place in (0, 60, 70, 120, 133):
        row = one_row(X, place)
        told = explain(model, row)
        assert_does_what_it_says(model, row, told)
        assert told.change is not None
        json.dumps(told.to_dict())
        assert told.to_text()
        assert ElementTree.fromstring(told.to_svg()).tag.endswith("svg")


def least_across(
    weights: Any, offset: float, row: Any, low: Any, high: Any, *, up: bool
) -> tuple[float, float]:
    """Cross one plane within ranges: try every set of features, the steepest first in each."""
    gap = offset - float(weights @ row) if up else float(weights @ row) - offset
    signed = weights if up else -weights
    room = np.where(signed > 0, signed * (high - row), signed * (low - row))
    steep = np.abs(weights) * (high - low)
    for n in range(1, len(row) + 1):
        best = math.inf
        for chosen in combinations(range(len(row)), n):
            left, distance = gap, 0.0
            for feature in sorted(chosen, key=lambda one: -steep[one]):
                taken = min(left, room[feature])
                distance += taken / steep[feature]
                left -= taken
            best = min(best, distance) if left <= 1e-12 else best
        if best < math.inf:
            return n, best
    return NONE


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_plane_is_crossed_by_the_least_change(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 4)) * [1, 10, 0.1, 3]
    y = (X @ [1.0, 0.1, 10.0, -0.3] + rng.normal(size=40) > 0).astype(int)
    if len(set(y)) < 2:
        return
    model = RobustLinearClassifier(selection=None).fit(X, y)
    row = X[seed % 40]
    told = explain(model, row)
    assert told.label == model.predict(row[None])[0]
    low, high = X.min(axis=0), X.max(axis=0)
    up = bool(told.label == model.classes_[0])
    wanted = least_across(model.coef_[0], -float(model.intercept_[0]), row, low, high, up=up)
    assert told.change is not None
    assert told.change.n_features == wanted[0]
    assert told.change.distance == pytest.approx(wanted[1], abs=2e-5)
    changed = row.copy()
    for one in told.change.features:
        changed[int(one.feature[1:])] = one.after
    assert model.predict(changed[None])[0] == told.change.label != told.label


def test_planes_of_nominal_features_and_gaps() -> None:
    frame, y = small_table(1, n_classes=2)
    data = dataset_of(frame, y)
    model = RobustLinearClassifier(missing="mean", selection=None).fit(data)
    for place in range(0, 60, 6):
        row = one_row(frame, place)
        told = explain(model, row)
        assert_does_what_it_says(model, row, told)
        assert told.change is not None
        for name in frame:
            fixed = explain(model, row, fixed=[name])
            if fixed.change is not None:
                least = (told.change.n_features, told.change.distance - 1e-6)
                assert (fixed.change.n_features, fixed.change.distance) >= least
                assert name not in {one.feature for one in fixed.change.features}
            if place:
                break


def test_ways_to_give_a_row_say_the_same() -> None:
    data = load_iris(as_frame=True)
    model = GreedyTreeClassifier(max_depth=2).fit(data.data, data.target)
    row = data.data.iloc[3]
    wanted = str(explain(model, row))
    names = list(data.data)
    ways = [row.tolist(), row.to_dict(), row.to_numpy(), data.data.iloc[[3]], [row.tolist()]]
    assert {str(explain(model, way)) for way in ways} == {wanted}
    used = {names[i]: row.iloc[i] for i in model.tree_.used_features}
    assert str(explain(model.tree_, used)) == wanted


def test_whole_numbers_stay_whole_and_round_ones_are_shown() -> None:
    X, y = np.array([[1.0], [2.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
    tree = GreedyTreeClassifier().fit(X, y).tree_
    up, down = explain(tree, [1.0]).change, explain(tree, [6.0]).change
    assert up is not None
    assert down is not None
    assert [one.after for one in (*up.features, *down.features)] == [3.0, 2.0]
    halves = GreedyTreeClassifier().fit(X + 0.25, y).tree_
    shown = explain(halves, [1.25]).change
    assert shown is not None
    assert shown.features[0].after == 2.3
    assert shown.distance == pytest.approx(1 / 5)
    bare = Tree.from_sklearn(DecisionTreeClassifier().fit(X + 0.25, y))
    change = explain(bare, [1.25]).change
    assert change is not None
    assert change.features[0].after == np.nextafter(bare.threshold[0], np.inf)
    assert change.distance == pytest.approx(bare.threshold[0] - 1.25)


def test_dates_are_told_as_dates(tmp_path: Any) -> None:
    days = pd.date_range("2021-01-01", periods=40, freq="D").astype(str)
    table = pd.DataFrame({"admitted": days, "class": np.where(np.arange(40) < 20, "in", "out")})
    table.to_csv(tmp_path / "t.csv", index=False)
    data = datasets.read(tmp_path / "t.csv", target="class", dates={"admitted": ["days"]})
    told = explain(GreedyTreeClassifier().fit(data).tree_, {"admitted.days": 5.0})
    assert "admitted up to 2021-01-20: 2021-01-06 (14 days from the cut)" in str(told)
    assert "admitted.days: 2021-01-06 -> 2021-01-21" in str(told)
    tree = GreedyTreeClassifier().fit(data).tree_
    with pytest.raises(DataError, match=r"date 'admitted', of which the model knows .*read_rows"):
        explain(tree, {"admitted": "2021-01-06"})
    rows = datasets.read_rows(tree, tmp_path / "t.csv", target="class")
    assert explain(tree, rows[5].features).to_text() == str(told)
    assert [one.labels for one in rows] == [[label] for label in rows.labels or ()]
    assert (len(rows), rows[-1].labels, len(rows[10:20]), rows[[1, 30]].labels) == (
        40,
        ["out"],
        10,
        ["in", "out"],
    )


def test_a_missing_value_that_is_shared_is_told() -> None:
    frame, y = small_table(0)
    tree = GreedyTreeClassifier().fit(dataset_of(frame, y)).tree_
    row = one_row(frame, 0)
    row[tree.feature_names[tree.feature[0]]] = None
    told = explain(tree, row.astype({"size": float, "age": float}))
    assert "missing (it goes down every branch" in str(told)


def test_where_nothing_can_be_done_it_says_so() -> None:
    data = load_iris(as_frame=True)
    model = GreedyTreeClassifier(max_depth=1).fit(data.data, data.target)
    told = explain(model, data.data.iloc[0], fixed=["petal length (cm)"])
    assert told.change is None
    assert told.status == "optimal"
    assert "No change" in str(told)
    full = GreedyTreeClassifier().fit(data.data, data.target)
    halted = explain(full, data.data.iloc[0], node_limit=1)
    assert (halted.status, halted.change, halted.bound) == ("node_limit", None, (0, 0.0))
    leaf = explain(GreedyTreeClassifier(max_depth=0).fit(data.data, data.target), data.data.iloc[0])
    assert leaf.change is None
    assert leaf.path == ()


def test_what_is_refused() -> None:
    data = load_iris(as_frame=True)
    model = GreedyTreeClassifier(max_depth=2).fit(data.data, data.target)
    row = data.data.iloc[0]
    pipeline = make_pipeline(StandardScaler(), GreedyTreeClassifier()).fit(data.data, data.target)
    with pytest.raises(DataTypeError, match=r"pipeline\[:-1\].transform"):
        explain(pipeline, row)
    with pytest.raises(DataTypeError, match="RobustLinearClassifier"):
        explain(DecisionTreeClassifier(), row)
    with pytest.raises(ParameterError, match="is no class"):
        explain(model, row, to="rose")
    with pytest.raises(ParameterError, match="the class that the row has"):
        explain(model, row, to=0)
    with pytest.raises(ParameterError, match="is no feature"):
        explain(model, row, fixed=["age"])
    with pytest.raises(DataError, match="has 2 rows"):
        explain(model, data.data.iloc[:2])
    with pytest.raises(DataError, match="is no feature"):
        explain(model, {"age": 3})
    document = json.loads(MultivariateTreeClassifier(max_depth=1).fit(data.data, data.target).tree_.to_json())
    for feature in document["schema"]["features"]:
        feature.pop("range", None)
    with pytest.raises(DataError, match="training range"):
        explain(Tree.from_json(json.dumps(document)), row)
    with pytest.raises(ParameterError, match="node_limit"):
        explain(model, row, node_limit=0)


def test_hostile_names_stay_text() -> None:
    name = "<script>alert('x')</script>\n|a"
    frame = pd.DataFrame({name: [1.0, 2.0, 3.0, 4.0]})
    told = explain(GreedyTreeClassifier().fit(frame, ["a&b", "a&b", "<i>", "<i>"]), [1.5])
    picture = ElementTree.fromstring(told.to_svg())
    texts = ["".join(one.itertext()) for one in picture.iter() if one.tag.endswith("text")]
    assert not [one for one in picture.iter() if one.tag.endswith("script")]
    assert any("<script>" in text for text in texts)
    assert "class a&b" in texts
    assert len(told.to_text().splitlines()) == 7


def test_long_conditions_stay_in_their_frame_and_the_value_is_seen() -> None:
    codes = [f"A{place:03}" for place in range(300)]
    for n_in in (30, 140):
        X, y = [[code] for code in codes], ["in" if place < n_in else "out" for place in range(300)]
        tree = GreedyTreeClassifier(nominal_splits="groups", max_depth=1).fit(X, y).tree_
        picture = ElementTree.fromstring(explain(tree, ["A007"]).to_svg())
        lines = [one.text or "" for one in picture.iter() if one.tag.endswith("text")]
        assert any(line.endswith("}: A007") for line in lines)
        assert all(len(line) * 8 + 64 <= float(picture.get("width", "0")) for line in lines)
        bottom = max(float(one.get("y", "0")) for one in picture.iter() if one.tag.endswith("text"))
        assert bottom < float(picture.get("height", "0"))


def test_probabilities_of_weights_are_called_so() -> None:
    X, y = [[0], [0], [0], [1], [1]], ["a", "a", "b", "b", "b"]
    for factors, probability, is_said in (
        (None, "weighted", False),
        ({"a": 1, "b": 3}, "weighted", True),
        ({"a": 1, "b": 3}, "raw", False),
    ):
        params = {"max_depth": 1, "class_weight": factors, "probability": probability}
        tree = GreedyTreeClassifier(min_samples_leaf=2, **params).fit(X, y).tree_
        said = "the probability is of their weights" in explain(tree, [0]).to_text()
        assert said == is_said
        assert ("--probability raw" in explain(tree, [0]).to_text()) == is_said
        assert ("lift are of weight" in tree.rules().to_text()) == is_said
    heavy = GreedyTreeClassifier(max_depth=1).fit(X, y, [1, 1, 5, 1, 1]).tree_
    told = explain(heavy, [0]).to_text()
    assert "the probability is of their weights" in told
    assert "--probability" not in told
    bayes = FixedDepthTreeClassifier(max_depth=1).fit([["u"], ["u"], ["u"], ["v"], ["v"]], y).tree_
    told = explain(bayes, [["u"]]).to_text()
    assert "under naive Bayes" in told
    assert "weights" not in told
