"""Optimal trees of every kind go through all that takes a tree, and answer there as they do here."""

from __future__ import annotations

import csv
import io
import json
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from commands import Run
from evaluators import EVALUATORS
from exported import dataset_of, hard_rows, rows_of_32_bits, small_table
from treewright import Dataset, ExportError, OptimalTreeClassifier, Tree
from treewright.explain import explain
from treewright.exports import SKOPS_TYPES, export_formats

pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")

COLUMNS = ["size", "colour", "age", "code"]
SIZES = ["low", "mid", "high", "top"]


def table(n_classes: int = 3, gaps: float = 0.15) -> tuple[pd.DataFrame, Any]:
    frame, y = small_table(n_classes=n_classes, gaps=gaps)
    frame["age"], frame["size"] = frame["age"].astype(float), frame["size"].astype(float).round(3)
    return frame[COLUMNS], y


def fitted(n_classes: int = 3, gaps: float = 0.15, **params: Any) -> OptimalTreeClassifier:
    X, y = table(n_classes, gaps)
    return OptimalTreeClassifier(**params).fit(dataset_of(X, y))


def ordered() -> OptimalTreeClassifier:
    """Cut a column whose order is declared, with gaps."""
    X, y = table()
    place = np.argsort(np.argsort(X["size"].fillna(0.0))) * 4 // len(X)
    values = np.array(SIZES, dtype=object)[place]
    values[::7] = None
    X = X.assign(
        size=pd.Categorical(values, SIZES, ordered=True), code=X["code"].map(str, na_action="ignore")
    )
    return OptimalTreeClassifier(max_depth=2).fit(X, y)


MODELS: dict[str, Callable[[], OptimalTreeClassifier]] = {
    "thresholds": lambda: fitted(gaps=0.0, max_depth=3),
    "one value": lambda: fitted(max_depth=3, leaf_penalty=1),
    "groups": lambda: fitted(nominal_splits="groups", max_depth=2),
    "multiway": lambda: fitted(nominal_splits="multiway", max_depth=2),
    "costs": lambda: fitted(cost_matrix=[[0, 1, 1], [4, 0, 1], [9, 2, 0]], max_depth=2),
    "two classes": lambda: fitted(n_classes=2, class_weight="balanced", max_depth=2, keep_counts=True),
    "a leaf": lambda: fitted(max_depth=0),
    "ordered": ordered,
}
models = pytest.mark.parametrize("name", MODELS)


@cache
def case(name: str) -> tuple[OptimalTreeClassifier, pd.DataFrame, list[Any]]:
    """Return the model, rows with gaps, unknown values and numbers beside the cuts, and its answers."""
    model = MODELS[name]()
    rows = hard_rows(model.tree_, frame_of_case(name))
    return model, rows, model.predict(rows).tolist()


def frame_of_case(name: str) -> pd.DataFrame:
    X, _ = table()
    if name != "ordered":
        return X
    sizes = np.resize(np.array(SIZES, dtype=object), len(X))
    return X.assign(size=sizes, code=X["code"].map(str, na_action="ignore"))


def test_the_kinds_are_there() -> None:
    """Missing values go everywhere, nodes are of every kind that optimal trees have."""
    trees = [case(name)[0].tree_ for name in MODELS]
    documents = [json.loads(tree.to_json())["nodes"] for tree in trees]
    kinds = {kind for nodes in documents for kind in nodes["kind"]}
    assert kinds >= {"leaf", "group"}
    assert len(kinds) >= 4, kinds
    routes = {route for tree in trees for route in tree.missing_routes if route is not None}
    assert {route for route in routes if isinstance(route, int)} >= {0, 1}


@models
@pytest.mark.parametrize("way", ["python", "numpy", "sqlite", "dmn"])
def test_exports_answer_alike(name: str, way: str) -> None:
    model, rows, answers = case(name)
    assert EVALUATORS[way][1](model.tree_, rows) == answers


@models
def test_every_format_is_written_or_refused_with_a_reason(name: str) -> None:
    tree, refused = case(name)[0].tree_, []
    for one in export_formats():
        try:
            assert tree.export(one.name)
        except ImportError:
            assert one.name == "onnx"
        except ExportError as error:
            refused.append(str(error))
    assert refused in ([], ["ONNX has no model without an input, and the tree asks nothing"]), refused


@models
def test_it_is_kept_and_read_back(name: str) -> None:
    skops = pytest.importorskip("skops.io")
    model, rows, answers = case(name)
    tree = model.tree_
    again = Tree.from_json(tree.to_json())
    assert again == tree
    kept = skops.loads(skops.dumps(model), trusted=SKOPS_TYPES)
    for one in (again, pickle.loads(pickle.dumps(model)), kept):
        assert one.predict(rows).tolist() == answers
    assert kept.search_.cost == model.search_.cost


@models
def test_scikit_learn_answers_alike(name: str) -> None:
    tree, rows = case(name)[0].tree_, rows_of_32_bits(case(name)[0].tree_, frame_of_case(name))
    assert tree.to_sklearn().predict(rows).tolist() == tree.predict(rows).tolist()


@models
def test_pictures_words_and_reasons(name: str) -> None:
    model, rows, answers = case(name)
    tree = model.tree_
    shown = {feature: tree.feature_names[feature] for feature in tree.used_features.tolist()}
    pictures = [tree.export_text(), tree.to_svg(), tree.to_dot(), tree.to_html(), str(tree.rules())]
    for picture in (*pictures, str(tree.describe())):
        assert all(feature in picture for feature in shown.values())
    assert tree.plot() is not None
    rule_list = tree.rules()
    assert len(rule_list) >= tree.n_leaves - (tree.class_weights.sum(axis=1) == 0).sum()
    for place in range(0, len(rows), 37):
        row = {column: rows[column].iloc[place] for column in rows}
        assert explain(tree, row).label == answers[place]


@pytest.mark.parametrize("name", ["multiway", "costs", "ordered"])
def test_the_command_line_takes_it(run: Run, name: str) -> None:
    model, rows, answers = case(name)
    Path("tree.json").write_text(model.tree_.to_json(), encoding="utf-8")
    rows.to_csv("rows.csv", index=False)
    for suffix in ("svg", "html", "dot"):
        assert run("draw", "tree.json", "--out", f"tree.{suffix}").code == 0
    assert "def " in run("export", "tree.json", "--to", "python").out
    assert run("rules", "tree.json").code == 0
    assert "class" in run("explain", "tree.json", "--row", "colour=a,age=0.3").out
    told = list(csv.DictReader(io.StringIO(run("predict", "tree.json", "rows.csv").out)))
    assert [row["prediction"] for row in told] == answers


def test_the_command_writes_what_the_estimator_finds(run: Run) -> None:
    X, y = table(gaps=0.0)
    X.assign(answer=y).to_csv("table.csv", index=False)
    assert run("optimal", "table.csv", "--target", "answer", "--depth", 2, "--out", "found.json").code == 0
    found = json.loads(Path("found.json").read_text(encoding="utf-8"))
    model = OptimalTreeClassifier(max_depth=2).fit(Dataset(X.infer_objects(), y))
    assert found["loss"] == model.search_.loss
    assert run("predict", "found.json", "table.csv").code == 0
