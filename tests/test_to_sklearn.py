"""`Tree.to_sklearn`: the pipeline predicts as the tree, and tools that read scikit-learn's trees read it.

Inner names, as in unit tests: `trees.rounding32` (which number of 32 bits keeps two values apart).
"""

from __future__ import annotations

import json
import os
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from exported import (
    KINDS,
    SETS,
    TWO_CLASSES,
    dataset_of,
    frame_of,
    hard_rows,
    hostile_tree,
    loaded,
    rows_of_32_bits,
    small_table,
    stopping,
)
from treewright import DataTypeError, ExportError, GreedyTreeClassifier, Tree, datasets
from treewright.trees.rounding32 import cut_of_rounded

pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")


def as_said(tree: Tree) -> tuple[Any, Tree] | None:
    """Return the pipeline of a tree, and the tree that it predicts as; None if that has planes."""
    try:
        return tree.to_sklearn(), tree
    except ExportError as error:
        if "planes" in str(error):
            assert (tree.kind == 3).any()
            return None
        if "shares a row" not in str(error):
            raise
    return tree.to_sklearn(missing="stop"), stopping(tree)


def assert_same(tree: Tree, frame: pd.DataFrame) -> None:
    """Compare on the training rows, and on rows with gaps, unknown values and numbers beside the cuts."""
    said = as_said(tree)
    if said is None:
        return
    pipeline, same = said
    for rows in (frame, rows_of_32_bits(tree, frame)):
        assert pipeline.predict(rows).tolist() == same.predict(rows).tolist()


@pytest.mark.parametrize("kind", [*KINDS, *TWO_CLASSES])
def test_a_small_table_is_predicted_alike(kind: str) -> None:
    X, y = small_table(n_classes=2 if kind in TWO_CLASSES else 3)
    tree = {**KINDS, **TWO_CLASSES}[kind](dataset_of(X, y))
    assert_same(tree, X[tree.feature_names])


@pytest.mark.skipif(
    not os.environ.get("TREEWRIGHT_DATA"), reason="TREEWRIGHT_DATA names no folder of data sets"
)
@pytest.mark.parametrize("name", SETS)
def test_real_sets_are_predicted_alike(name: str) -> None:
    data = loaded(name)
    frame = frame_of(data)
    for kind in ("multiway", "most frequent", "value", "groups", "costs", "fixed depth"):
        tree = KINDS[kind](data)
        assert_same(tree, frame[tree.feature_names])


without_names = pytest.mark.filterwarnings("ignore:X does not have valid feature names")


@without_names
def test_frames_have_columns_in_any_order_and_arrays_in_their_own() -> None:
    X, y = small_table(gaps=0.0)
    tree = GreedyTreeClassifier(missing="most_frequent", nominal_splits="groups").fit(dataset_of(X, y)).tree_
    pipeline = tree.to_sklearn()
    expected = tree.predict(X).tolist()
    again = X[X.columns[::-1]].assign(other=1).astype({"code": int, "flag": bool})
    assert pipeline.predict(again).tolist() == expected
    assert pipeline.predict(X.to_numpy(dtype=object)).tolist() == expected


@without_names
def test_a_data_set_is_refused_with_the_remedy() -> None:
    iris = datasets.load("iris")
    made = GreedyTreeClassifier(max_depth=2, missing="most_frequent").fit(iris).tree_.to_sklearn()
    for use in (made.predict, np.asarray):
        with pytest.raises(DataTypeError, match="the frame or the array that it was made of"):
            use(iris)


@without_names
def test_columns_of_any_type_are_read() -> None:
    codes = np.array([3, 1, 2, 1, 3, 2, 1, 1])
    y = np.array(["a", "b", "b", "b", "a", "b", "b", "b"])
    tree = GreedyTreeClassifier(categorical_features=[0], missing="value").fit(codes[:, None], y).tree_
    pipeline = tree.to_sklearn()
    for type_ in (int, float, np.int8, object):
        rows = np.append(codes, 7)[:, None].astype(type_)
        assert pipeline.predict(rows).tolist() == tree.predict(rows).tolist()


@pytest.mark.parametrize("kind", ["category", "string", "str", "object"])
def test_texts_of_any_type_are_read(kind: str) -> None:
    X, y = small_table(gaps=0.0)
    tree = GreedyTreeClassifier(nominal_splits="groups", missing="value").fit(dataset_of(X, y)).tree_
    rows = X.assign(colour=X["colour"].astype(kind))
    assert tree.to_sklearn().predict(rows).tolist() == tree.predict(X).tolist()


def test_a_column_with_one_value_and_gaps_is_read() -> None:
    X = pd.DataFrame({"a": ["x", None] * 5, "b": ["u", "u", "v", None, "v"] * 2}, dtype=object)
    y = [0, 1, 0, 1, 1, 1, 0, 1, 0, 0]
    for splits in ("groups", "multiway", "one_value"):
        tree = GreedyTreeClassifier(nominal_splits=splits, missing="value").fit(dataset_of(X, y)).tree_
        assert tree.n_leaves > 1
        assert tree.to_sklearn().predict(X).tolist() == tree.predict(X).tolist()


def test_probabilities_are_the_shares_of_leaves() -> None:
    iris = datasets.load("iris")
    tree = GreedyTreeClassifier(max_depth=3, missing="most_frequent").fit(iris).tree_
    rows = frame_of(iris)
    pipeline = tree.to_sklearn()
    assert np.allclose(pipeline.predict_proba(rows), tree.predict_proba(rows), rtol=0, atol=1e-15)
    bare = pipeline["tree"].tree_
    assert bare.weighted_n_node_samples.tolist()[0] == 150
    assert (bare.weighted_n_node_samples[bare.children_left >= 0] > 0).all()


def test_a_tie_goes_to_the_class_of_the_tree() -> None:
    document = json.loads(GreedyTreeClassifier(max_depth=0).fit([[1.0], [2.0]], ["a", "b"]).tree_.to_json())
    document["nodes"]["class"], document["decision"]["tie"] = [1], "kept"
    pipeline = Tree.from_json(json.dumps(document)).to_sklearn()
    assert pipeline.predict([[1.0]]).tolist() == ["b"]
    assert pipeline.predict_proba([[1.0]])[0] == pytest.approx([0.5, 0.5], abs=1e-15)


def test_with_costs_the_answer_has_the_share_one() -> None:
    X = np.repeat([[1.0], [2.0]], 5, axis=0)
    y = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    model = GreedyTreeClassifier(missing="most_frequent", cost_matrix=[[0, 1], [9, 0]]).fit(X, y)
    pipeline = model.tree_.to_sklearn()
    assert pipeline.predict(X).tolist() == model.predict(X).tolist() == [1] * 10
    assert set(pipeline.predict_proba(X)[:, 1]) == {1.0}


def test_hostile_names_stay_names() -> None:
    tree, frame = hostile_tree()
    pipeline = tree.to_sklearn()
    assert pipeline.predict(frame).tolist() == tree.predict(frame).tolist() == tree.classes_.tolist()
    names = pipeline["columns"].get_feature_names_out()
    assert len(set(names)) == pipeline["tree"].n_features_in_


# Numbers of 32 bits.


@given(
    st.floats(allow_nan=False, allow_infinity=False, width=64),
    st.floats(allow_nan=False, allow_infinity=False, width=64),
    st.floats(0, 1),
)
@settings(max_examples=300, deadline=None)
def test_cuts_keep_training_values_apart_or_there_is_none(one: float, other: float, share: float) -> None:
    low, high = sorted((one, other))
    if low == high:
        return
    threshold = low if share < 0.5 else min(max(low, low + share * (high - low)), np.nextafter(high, low))
    cut = cut_of_rounded(threshold, low, high)
    with np.errstate(over="ignore"):
        below, above = np.float32(low), np.float32(high)
    if cut is None:
        assert below == above or not np.isfinite([below, above]).all()
        return
    assert below <= cut < above
    with np.errstate(over="ignore"):
        near = np.float32(threshold)
        beside = [near, np.nextafter(near, np.float32(-np.inf)), np.nextafter(near, np.float32(np.inf))]
    for number in beside:
        assert number in (below, above) or (number <= cut) == (number <= threshold)


def test_training_values_that_merge_are_refused() -> None:
    X = [[16_777_216.0], [16_777_217.0]]
    tree = GreedyTreeClassifier(missing="most_frequent").fit(X, [0, 1]).tree_
    with pytest.raises(ExportError, match=r"values 16777216\.0 and 16777217[.]0 of 'x0'"):
        tree.to_sklearn()


def test_values_that_are_equal_in_python_are_refused() -> None:
    X = pd.DataFrame({"a": pd.Series([1, True, 1, True], dtype=object)})
    tree = GreedyTreeClassifier(missing="value").fit(dataset_of(X, [0, 1, 0, 1])).tree_
    assert tree.n_leaves > 1
    with pytest.raises(ExportError, match="takes 1 and True for one value"):
        tree.to_sklearn()


# Tools that read scikit-learn's trees.


def parts_of(kind: str = "most frequent") -> tuple[Any, pd.DataFrame, np.ndarray, Any]:
    """Return a bare tree, the columns that it reads, the classes of rows, and the names of the columns."""
    X, y = small_table(gaps=0.0)
    tree = KINDS[kind](dataset_of(X, y))
    pipeline = tree.to_sklearn()
    names = pipeline["columns"].get_feature_names_out()
    return pipeline["tree"], pipeline["columns"].transform(X).astype(float), y, names


def test_scikit_learn_prints_and_explains_it() -> None:
    from sklearn.inspection import permutation_importance
    from sklearn.tree import export_text

    model, columns, y, names = parts_of()
    assert "values__colour_a <= 0.50" in export_text(model, feature_names=names)
    assert model.cost_complexity_pruning_path  # it is an estimator like others
    assert permutation_importance(model, columns, y, n_repeats=1).importances_mean.max() > 0
    assert model.decision_path(columns).sum() > len(y)


@pytest.mark.parametrize("kind", ["most frequent", "value", "routed", "asked", "fixed depth"])
def test_it_comes_back(kind: str) -> None:
    X, y = small_table()
    tree = KINDS[kind](dataset_of(X, y))
    pipeline, _ = as_said(tree)
    columns = pipeline["columns"].transform(hard_rows(tree, X[tree.feature_names], gaps=0.5)).astype(float)
    with np.errstate(over="ignore"):
        columns = columns.clip(-3e38, 3e38).astype(np.float32).astype(float)
    back = Tree.from_sklearn(pipeline["tree"])
    assert back.n_nodes == pipeline["tree"].tree_.node_count
    assert back.predict(columns).tolist() == pipeline["tree"].predict(columns).tolist()
    again = back.to_sklearn()
    assert again["tree"].tree_.node_count == back.n_nodes


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_trees_of_scikit_learn_come_and_go(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.choice([0.1, 0.2, 0.3, 1e-3, np.nan], size=(60, 3))
    model = DecisionTreeClassifier(max_depth=4, random_state=0).fit(
        X, rng.integers(0, 3, 60), sample_weight=rng.integers(1, 4, 60)
    )
    rows = rng.choice([0.1, 0.15, 0.2, 0.25, 5.0, np.nan], size=(99, 3))
    tree = Tree.from_sklearn(model)
    assert tree.predict(rows).tolist() == model.predict(rows).tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        there = tree.to_sklearn().predict(rows)
    assert there.tolist() == model.predict(rows).tolist()


def test_shap_explains_it() -> None:
    shap = pytest.importorskip("shap", reason="shap is not installed (with numba 150 MB)")
    model, columns, _, _ = parts_of()
    explained = shap.TreeExplainer(model)(columns)
    total = explained.values.sum(axis=1) + explained.base_values
    assert np.allclose(total, model.predict_proba(columns), atol=1e-6)


def test_skl2onnx_converts_it() -> None:
    pytest.importorskip("skl2onnx", reason="skl2onnx is not installed (with onnx 20 MB)")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed (30 MB)")
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType

    X, y = small_table(gaps=0.0)
    X = X[["size", "colour", "age"]]
    for splits in ("multiway", "groups"):
        model = GreedyTreeClassifier(missing="most_frequent", nominal_splits=splits).fit(dataset_of(X, y))
        types = [(n, StringTensorType([None, 1]) if n == "colour" else FloatTensorType([None, 1])) for n in X]
        made = to_onnx(model.tree_.to_sklearn(), initial_types=types, options={"zipmap": False})
        session = runtime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
        numbers = {name: X[[name]].to_numpy(dtype=np.float32) for name in ("size", "age")}
        found = session.run(None, {**numbers, "colour": X[["colour"]].to_numpy(dtype=object)})[0]
        assert found.tolist() == model.predict(X).tolist()


def test_dtreeviz_reads_it() -> None:
    dtreeviz = pytest.importorskip("dtreeviz", reason="dtreeviz is not installed")
    model, columns, y, names = parts_of()
    codes = np.searchsorted(model.classes_, y)
    seen = dtreeviz.model(
        model,
        X_train=columns,
        y_train=codes,
        feature_names=list(names),
        target_name="answer",
        class_names=model.classes_.tolist(),
    )
    assert len(seen.shadow_tree.leaves) == model.get_n_leaves()
    assert seen.explain_prediction_path(columns[0])
