"""C4.5's rule sets: what a slow version makes, and what an estimator of them is to do.

Inner names, as in unit tests: `trees.rules.conditions` has the parts of a rule.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV

from exported import costs_of, dataset_of, hard_rows, small_table
from reference.c45rules import list_of_rules
from reference.prune import error_based
from treewright import (
    DataError,
    FixedDepthTreeClassifier,
    FormatError,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    ParameterError,
    RuleListClassifier,
    datasets,
)
from treewright.rules import RuleList, simplify_rules
from treewright.trees.rules.conditions import Interval

pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")


def random_table(seed: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray | None]:
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(8, 50)), int(rng.integers(2, 4))
    colour = pd.Categorical(rng.choice(list("abc"), n), categories=list("abcd"))
    frame = pd.DataFrame({"x": rng.integers(0, 6, n) * 1.0, "y": rng.normal(size=n).round(1), "c": colour})
    leaning = (frame["x"] > 2).astype(int) + (frame["c"] == "a") * (frame["y"] > 0) + (rng.random(n) < 0.2)
    y = np.array(leaning) % n_classes
    y[:n_classes] = range(n_classes)
    return frame, y, rng.integers(1, 4, n) * 1.0 if rng.random() < 0.4 else None


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), confidence=st.sampled_from([0.25, 0.1, 0.5]))
def test_rules_are_those_of_a_slow_version(seed: int, confidence: float) -> None:
    frame, y, weights = random_table(seed)
    splits = ["multiway", "groups", "one_value"][seed % 3]
    tree = GreedyTreeClassifier(nominal_splits=splits, max_leaf_nodes=9).fit(frame, y, weights).tree_
    rows = list(zip(frame["x"], frame["y"], frame["c"].cat.codes.tolist(), strict=True))
    estimate = error_based(confidence, "c45")
    counted = np.ones(len(y)) if weights is None else weights
    wanted, default = list_of_rules(tree, rows, y.tolist(), counted.tolist(), estimate)
    found = simplify_rules(tree, frame, y, weights, confidence=confidence)
    assert [(rule.node, rule.label) for rule in found] == [(rule.node, rule.answer) for rule in wanted]
    for rule, other in zip(found, wanted, strict=True):
        tests = set()
        for condition in rule.conditions:
            if isinstance(condition, Interval):
                ends = [(">", condition.low), ("<=", condition.high)]
                tests |= {(sign, condition.feature, end) for sign, end in ends if np.isfinite(end)}
            else:
                tests.add(("in", condition.feature, condition.levels))
        assert tests == set(other.tests)
    assert found.default.label == default


@pytest.mark.parametrize("options", [{}, {"nominal_splits": "groups", "missing": "value"}, {"costs": True}])
@pytest.mark.parametrize("seed", range(4))
def test_a_list_predicts_by_its_first_rule_and_reads_back(seed: int, options: dict[str, object]) -> None:
    frame, y = small_table(seed)
    data = dataset_of(frame, y)
    own = dict(options)
    if own.pop("costs", False):
        own["cost_matrix"] = costs_of(data)
    model = RuleListClassifier(estimator=GreedyTreeClassifier(**own)).fit(data)
    rows = hard_rows(model.source_tree_, frame)
    again = RuleList.from_json(model.rules_.to_json())
    for ask in ("predict", "predict_proba", "apply"):
        wanted = getattr(model, ask)(rows)
        np.testing.assert_array_equal(getattr(again, ask)(rows), wanted)
        np.testing.assert_array_equal(getattr(model.rules_, ask)(rows), wanted)
    assert str(again) == str(model.rules_)
    assert json.loads(again.to_json()) == json.loads(model.rules_.to_json())
    assert again.to_dicts() == model.rules_.to_dicts()
    places = model.apply(frame)
    told = model.rules_
    for place, rule in enumerate([*told, told.default]):
        assert rule.figures.n == (places == place).sum()
        assert rule.figures.errors == (y[places == place] != rule.label).sum()
        if own.get("cost_matrix") is None and rule.figures.n:
            assert (model.predict_proba(frame)[places == place].argmax(axis=1) == told.answers[place]).all()


def test_a_missing_value_meets_no_condition_that_does_not_say_so() -> None:
    X = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6, 7, 8], "z": [0.0] * 8})
    y = np.array(["low"] * 4 + ["high"] * 4)
    model = RuleListClassifier().fit(X, y)
    assert len(model.rules_)
    assert model.apply(pd.DataFrame({"x": [None], "z": [0.0]})).tolist() == [len(model.rules_)]


@pytest.mark.parametrize(
    "estimator",
    [
        GreedyTreeClassifier.c45(),
        GreedyTreeClassifier(pruning="error_based"),
        FixedDepthTreeClassifier(max_depth=3),
        MinimalTreeClassifier(max_bins=2, max_pairs=20),
        MultivariateTreeClassifier(max_depth=2, n_features=2, selection="limited"),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_any_tree_gives_a_list(estimator: object) -> None:
    data = datasets.load("iris")
    model = RuleListClassifier(estimator=estimator).fit(data)
    assert model.score(data) > 0.6
    assert len(model.rules_) <= model.source_tree_.n_leaves
    assert RuleList.from_json(model.rules_.to_json()).predict(data).tolist() == model.predict(data).tolist()


def test_laplace_and_raw_shares() -> None:
    X, y = [[0.0]] * 3 + [[1.0]] * 5, ["a"] * 3 + ["b"] * 5
    model = RuleListClassifier(estimator=GreedyTreeClassifier(smoothing="laplace")).fit(X, y)
    assert model.predict_proba([[0.0]])[0].tolist() == [4 / 5, 1 / 5]
    balanced = GreedyTreeClassifier(class_weight={"a": 4.0}, probability="raw", max_depth=0)
    assert RuleListClassifier(estimator=balanced).fit(X, y).predict_proba([[0.0]])[0].tolist() == [
        3 / 8,
        5 / 8,
    ]


def test_grid_search_reaches_both() -> None:
    data = datasets.load("wine")
    X = np.column_stack(data.columns())
    grid = {"confidence": [0.1, 0.25], "estimator__max_depth": [2, None]}
    search = GridSearchCV(RuleListClassifier(estimator=GreedyTreeClassifier()), grid, cv=3)
    assert search.fit(X, data.target).best_score_ > 0.8


def test_what_is_refused() -> None:
    data = datasets.load("iris")
    tree = GreedyTreeClassifier().fit(data).tree_
    with pytest.raises(ParameterError, match="confidence"):
        simplify_rules(tree, data, confidence=1)
    with pytest.raises(ParameterError, match="estimator"):
        RuleListClassifier(estimator=datasets).fit(data)
    with pytest.raises(DataError, match="y is None"):
        simplify_rules(tree, np.column_stack(data.columns()))


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(version=2),
        lambda told: told.update(format="x"),
        lambda told: told.pop("schema"),
        lambda told: told["rules"][0].update({"class": 3}),
        lambda told: told["rules"][0]["conditions"][0].update(feature=99),
        lambda told: told["rules"][0]["conditions"][0].update(feature=True),
        lambda told: told["rules"][0].update(weights=[1]),
        lambda told: told["rules"][0].update(weights=[-1, 0, 0]),
        lambda told: told.update(rules=[]),
    ],
)
def test_what_is_no_list_is_refused(change: object) -> None:
    data = datasets.load("iris")
    document = json.loads(RuleListClassifier().fit(data).rules_.to_json())
    change(document)  # type: ignore[operator]
    with pytest.raises(FormatError):
        RuleList.from_json(json.dumps(document))
    with pytest.raises(FormatError):
        RuleList.from_json("{")
