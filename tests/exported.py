"""Trees of every kind, rows with gaps and unknown values, hostile names; `evaluators` runs exports."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from treewright import (
    Dataset,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    OptimalTreeClassifier,
    Tree,
    datasets,
)

UNSEEN = "a value that fit did not see"
SETS = ("iris", "crx", "hepatitis", "soybean", "vote", "anneal-orig")


def small_table(seed: int = 0, n_classes: int = 3, gaps: float = 0.15) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, texts, whole numbers as values, booleans; gaps in all of them."""
    rng = np.random.default_rng(seed)
    n = 90
    size, age = rng.normal(size=n), rng.integers(0, 6, n) / 10
    colour, code = rng.choice(list("abcde"), n), rng.integers(1, 5, n)
    leaning = 1 * (size > 0) + (colour == "a") + (code == 2) + (rng.random(n) < 0.3)
    frame = pd.DataFrame({"size": size, "colour": colour, "age": age, "code": code, "flag": age > 0.2})
    frame = frame.astype({"colour": object, "code": object, "flag": object}).mask(rng.random((n, 5)) < gaps)
    return frame, np.array(["no", "so", "yes"])[:n_classes][leaning % n_classes]


def dataset_of(frame: pd.DataFrame, y: Any, **options: Any) -> Dataset:
    """Make a data set in which whatever is no float is nominal."""
    nominal = [name for name in frame if frame[name].dtype == object]
    return Dataset(frame, y, categorical_features=nominal, **options)


def grown(**params: Any) -> Callable[[Dataset], Tree]:
    return lambda data: GreedyTreeClassifier(**params).fit(data).tree_


def with_document(tree: Tree, change: Callable[[dict[str, Any]], None]) -> Tree:
    """Return the tree with another document."""
    document = json.loads(tree.to_json())
    change(document)
    return Tree.from_json(json.dumps(document))


def routed(data: Dataset) -> Tree:
    """Each node sends missing values another way: branches, words."""

    def change(document: dict[str, Any]) -> None:
        words = [0, "stop", 1, "node_majority", "distribute"]
        kinds = document["nodes"]["kind"]
        document["nodes"]["route"] = [
            None if kind == "leaf" else words[i % 5] for i, kind in enumerate(kinds)
        ]

    return with_document(grown(nominal_splits="groups", max_depth=5)(data), change)


def asked_for_missing(data: Dataset) -> Tree:
    """Ask at the root whether there is a value; the known ones go on in the old tree."""

    def change(document: dict[str, Any]) -> None:
        nodes = document["nodes"]
        feature = nodes["test"][0]
        n_old = len(nodes["kind"])
        own = {name: list(column) for name, column in nodes.items() if name != "histogram"}
        nothing = [0.0] * len(document["schema"]["classes"])
        new: dict[str, list[Any]] = {name: [column[0], column[0], column[0]] for name, column in own.items()}
        new["kind"][:2], new["test"][:2] = ["missing", "leaf"], [feature, None]
        new["threshold"][:2], new["n_children"][:2] = [None, None], [2, 0]
        new["first_child"] = [1, None, 3 if n_old > 1 else None]
        new["weight"][1], new["class_weights"][1] = 0.0, nothing
        if "class_counts" in own:
            new["class_counts"][1] = nothing
        new["is_reached"] = [True, False, True]
        own.setdefault("is_reached", [True] * n_old)
        if "cut_values" in own:
            new["cut_values"][:2] = [None, None]
        own["first_child"] = [None if c is None else c + 2 for c in own["first_child"]]
        document["nodes"] = {name: new[name] + own[name][1:] for name in own}
        document["decision"]["tie"] = "kept"

    return with_document(grown(max_depth=3)(data), change)


def with_threshold(data: Dataset) -> Tree:
    """Of two classes the second is taken above a share of 0.3."""

    def change(document: dict[str, Any]) -> None:
        document["decision"] = {"threshold": 0.3, "tie": "kept", "source": "given"}
        for i, (weights, weight) in enumerate(
            zip(document["nodes"]["class_weights"], document["nodes"]["weight"], strict=True)
        ):
            if weight:
                document["nodes"]["class"][i] = int(weights[1] > 0.3 * weight)

    return with_document(grown(max_depth=4)(data), change)


def stopping(tree: Tree) -> Tree:
    """Return the tree that stops where this one shares."""
    document = json.loads(tree.to_json())
    document["routing"] = "stop" if document["routing"] == "distribute" else document["routing"]
    routes = document["nodes"].get("route")
    if routes is not None:
        document["nodes"]["route"] = ["stop" if route == "distribute" else route for route in routes]
    return Tree.from_json(json.dumps(document))


def costs_of(data: Dataset) -> np.ndarray:
    n = len(data.classes)
    return np.array([[0 if i == j else 1 + 3 * (i > j) for j in range(n)] for i in range(n)], dtype=float)


KINDS: dict[str, Callable[[Dataset], Tree]] = {
    "multiway": grown(),
    "raise": lambda data: grown(missing="raise")(without_gaps(data)),
    "most frequent": grown(missing="most_frequent"),
    "value": grown(missing="value"),
    "groups": grown(nominal_splits="groups"),
    "groups, value": grown(nominal_splits="groups", missing="value", criterion="gini"),
    "one value": grown(nominal_splits="one_value", max_leaf_nodes=9),
    "pruned": grown(pruning="error_based"),
    "c45": lambda data: GreedyTreeClassifier.c45().fit(data).tree_,
    "balanced": grown(class_weight="balanced", max_depth=4),
    "costs": lambda data: GreedyTreeClassifier(cost_matrix=costs_of(data), max_depth=4).fit(data).tree_,
    "a leaf": grown(max_depth=0),
    "routed": routed,
    "asked": asked_for_missing,
    "fixed depth": lambda data: FixedDepthTreeClassifier(n_bins=3).fit(data).threshold_tree(),
    "skipping": lambda data: (
        FixedDepthTreeClassifier(n_bins=4, unseen="skip", max_depth=2).fit(data).threshold_tree()
    ),
    "minimal": lambda data: (
        MinimalTreeClassifier(max_bins=3, max_pairs=6, cost="depth").fit(few(data)).threshold_tree()
    ),
    "optimal": lambda data: OptimalTreeClassifier(max_depth=2).fit(few(without_gaps(data), 8)).tree_,
    "planes": lambda data: planes(data, missing="mean"),
    "planes, dropped": lambda data: planes(data, missing="drop"),
}
"""Kinds of trees, by how they are grown."""

TWO_CLASSES = {"threshold": with_threshold}


def planes(data: Dataset, **params: Any) -> Tree:
    model = MultivariateTreeClassifier(
        max_depth=2, alpha=None, n_features=3, selection="limited", search="add_drop", **params
    )
    return model.set_params(search=MultivariateTreeClassifier().search).fit(few(data, 8)).tree_


def few(data: Dataset, most: int = 3) -> Dataset:
    """Keep the first columns, so that a smallest tree or a plane is found at once."""
    frame = frame_of(data).iloc[:, :most]
    nominal = [name for name, levels in zip(frame, data.levels, strict=False) if levels is not None]
    return Dataset(frame, data.classes[data.target], categorical_features=nominal)


def without_gaps(data: Dataset) -> Dataset:
    frame = frame_of(data)
    keep = np.array(frame.notna().all(axis=1))
    if keep.sum() < 10:
        keep[:] = True
        frame = frame.loc[:, frame.notna().all()]
    return Dataset(frame[keep], data.classes[data.target][keep])


def frame_of(data: Dataset) -> pd.DataFrame:
    """Return a data set as a frame of floats and objects, in which nothing is lost."""
    columns: dict[str, Any] = {}
    for i, (name, levels) in enumerate(zip(data.feature_names, data.levels, strict=True)):
        values = data.column(i)
        if levels is not None:
            known: list[Any] = [*levels, None]
            values = pd.Series([known[code] for code in values], dtype=object)
        columns[name] = values
    return pd.DataFrame(columns)


def hard_rows(tree: Tree, frame: pd.DataFrame, seed: int = 1, gaps: float = 0.2) -> pd.DataFrame:
    """Rows as they are, with more gaps, with unknown values, and with numbers right beside the cuts."""
    rng = np.random.default_rng(seed)
    again = pd.concat([frame, frame], ignore_index=True)
    half = np.arange(len(again)) >= len(frame)
    for i, levels in enumerate(tree.levels):
        name = again.columns[i]
        gone = half & (rng.random(len(again)) < gaps)
        if levels is None:
            cuts = np.unique(tree.threshold[(tree.feature == i) & np.isfinite(tree.threshold)])
            numbers = np.array(again[name], dtype=float)
            if len(cuts):
                with np.errstate(over="ignore"):
                    beside = np.concatenate([cuts, np.nextafter(cuts, np.inf), np.nextafter(cuts, -np.inf)])
                beside = beside[np.isfinite(beside)]
                there = half & (rng.random(len(again)) < 0.4)
                numbers[there] = rng.choice(beside, there.sum())
            numbers[gone] = np.nan
            again[name] = numbers
        else:
            values = np.array(again[name], dtype=object)
            new = UNSEEN if all(isinstance(level, str) for level in levels) else 999_983
            if not any(isinstance(level, bool) for level in levels):
                values[half & (rng.random(len(again)) < 0.1)] = new
            values[gone] = None
            again[name] = values
    return again


def excel_rows(tree: Tree, frame: pd.DataFrame) -> pd.DataFrame:
    """Return rows with numbers that a cell holds: not right beside the cuts, where 15 digits end."""
    rows = hard_rows(tree, frame)
    for name, levels in zip(tree.feature_names, tree.levels, strict=True):
        if levels is None:
            numbers = np.array([float(f"{x:.6g}") for x in rows[name]])
            cuts = tree.threshold[tree.threshold == tree.threshold]
            is_close = (np.abs(numbers[:, None] - cuts) < 1e-9).any(axis=1) & ~np.isin(numbers, cuts)
            rows[name] = np.where(is_close | (np.abs(numbers) > 1e300), 1.25, numbers)
    return rows


def rows_of_32_bits(tree: Tree, frame: pd.DataFrame) -> pd.DataFrame:
    """Return hard rows with numbers of 32 bits, none of them a training value that was rounded."""
    rows = hard_rows(tree, frame)
    for place, name in enumerate(tree.feature_names):
        if tree.levels[place] is None:
            numbers = np.array(rows[name], dtype=float).clip(-3e38, 3e38).astype(np.float32).astype(float)
            beside = tree.cut_values[tree.feature == place].ravel()
            moved = beside.astype(np.float32)[beside.astype(np.float32) != beside]
            rows[name] = np.where(np.isin(numbers, moved), 0.25, numbers)
    return rows


def loaded(name: str, most: int = 60) -> Dataset:
    """Return some rows of a set of the folder, spread over it."""
    data = datasets.load(f"folder:{name}")
    frame = frame_of(data)
    keep = np.arange(0, len(frame), max(1, len(frame) // most))
    labels = data.classes[data.target]
    _, first = np.unique(labels, return_index=True)
    keep = np.union1d(keep, first)
    return Dataset(frame.iloc[keep].reset_index(drop=True), labels[keep])


HOSTILE = [
    "plain",
    "it's",
    'a "quoted" name',
    "<script>alert(1)</script>",
    "two\nlines\r\n\tand a tab",
    "'; DROP TABLE rows; --",
    "\\",
    "\\' OR 1=1 --",
    "ends in a backslash \\",
    "*/ int x; /*",
    "] [",
    "`tick`",
    "%s %d {0} ${x} {{y}}",
    "=1+1",
    "select",
    "class",
    "__proto__",
    "\u05d0\u05d1\u05d2 \u202e right to left",
    "two words",
    "two  words",
    " two words",
    "two words ",
    "\U0001f600 \u2028 \ufeff",
    "???/ trigraph ??=",
    "]]>&amp;<!--",
    "tw_s0",
    "long " * 2000,
    "\x01\x1b[31m\x7f",
]

CONTROL = HOSTILE[-1]
UNWRITABLE = {"pmml": (CONTROL,), "dmn": (CONTROL,)}
"""Names that a format has no way to write."""


def hostile_tree(left_out: tuple[str, ...] = ()) -> tuple[Tree, pd.DataFrame]:
    """Make a tree that asks for every such column and value, and for each class a row that has it."""
    names = [name for name in HOSTILE if name not in left_out]
    others = range(1, len(names), 2)
    features = [
        {"name": name, "levels": names if i in others else None, "missing": "unknown"}
        for i, name in enumerate(names)
    ]
    group = [{"kind": "group", "set": [i]} for i in range(len(names))]
    tests = [group[i] if i in others else {"kind": "threshold"} for i in range(len(names))]
    tree = peeling(features, [*names, "none of them"], tests, "stop")
    columns = {
        name: [
            names[i if row == i else i - 1] if i in others else (1.0, -1.0)[row == i]
            for row in range(len(names) + 1)
        ]
        for i, name in enumerate(names)
    }
    return tree, pd.DataFrame(columns).astype({names[i]: object for i in others})


def peeling(features: list[Any], classes: list[Any], tests: list[dict[str, Any]], routing: str) -> Tree:
    """Make a tree that tests features in turn: branch 0 is a leaf of the next class, branch 1 goes on."""
    n_tests = len(tests)
    nodes: dict[str, list[Any]] = {
        "kind": ["leaf"] * (2 * n_tests + 1),
        "test": [None] * (2 * n_tests + 1),
        "threshold": [None] * (2 * n_tests + 1),
        "first_child": [None] * (2 * n_tests + 1),
        "n_children": [0] * (2 * n_tests + 1),
        "class": [0] * (2 * n_tests + 1),
    }
    for i, test in enumerate(tests):
        inner = 2 * i
        nodes["kind"][inner], nodes["test"][inner] = test["kind"], test.get("feature", i)
        nodes["threshold"][inner] = test.get("threshold", 0.0) if test["kind"] == "threshold" else None
        nodes["first_child"][inner], nodes["n_children"][inner] = inner + 1, 2
        nodes["class"][inner + 1], nodes["class"][inner + 2] = i % len(classes), (i + 1) % len(classes)
    nodes["weight"] = [0.0] * (2 * n_tests + 1)
    nodes["class_weights"] = [[0.0] * len(classes)] * (2 * n_tests + 1)
    document = {
        "format": "treewright-tree",
        "version": 2,
        "routing": routing,
        "schema": {"features": features, "classes": classes},
        "decision": {"source": "given", "tie": "kept"},
        "nodes": nodes,
        "planes": [],
        "lists": [test["set"] for test in tests if test["kind"] == "group"],
    }
    if not document["lists"]:
        del document["lists"]
    return Tree.from_json(json.dumps(document))
