"""Trees of every kind, rows with gaps and unknown values, and what exports of them say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd

from treewright import (
    Dataset,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    Tree,
    datasets,
)

CC, NODE = shutil.which("cc"), shutil.which("node")
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
    "planes": lambda data: planes(data, missing="mean"),
    "planes, dropped": lambda data: planes(data, missing="drop"),
}
"""Kinds of trees, by how they are grown."""

TWO_CLASSES = {"threshold": with_threshold}


def planes(data: Dataset, **params: Any) -> Tree:
    model = MultivariateTreeClassifier(
        max_depth=2, alpha=None, n_features=3, selection="limited", search="add_drop", **params
    )
    return model.set_params(search=MultivariateTreeClassifier().search).fit(data).tree_


def few(data: Dataset) -> Dataset:
    """Three columns, so that a smallest tree is found at once."""
    return Dataset(frame_of(data).iloc[:, :3], data.classes[data.target])


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
            cuts = np.unique(tree.threshold[tree.feature == i])
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


def loaded(name: str, most: int = 60) -> Dataset:
    """Return some rows of a set of the folder, spread over it."""
    data = datasets.load(f"folder:{name}")
    frame = frame_of(data)
    keep = np.arange(0, len(frame), max(1, len(frame) // most))
    labels = data.classes[data.target]
    _, first = np.unique(labels, return_index=True)
    keep = np.union1d(keep, first)
    return Dataset(frame.iloc[keep].reset_index(drop=True), labels[keep])


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as dicts of plain values, missing ones None."""
    plain = frame.astype(object).where(frame.notna(), None)
    return plain.to_dict("records")


# What exports say.


def by_python(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    space: dict[str, Any] = {}
    exec(tree.export("python", **options), space)
    return [space["predict"](row) for row in records(frame)]


def by_numpy(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    space: dict[str, Any] = {}
    exec(tree.export("python", form="numpy", **options), space)
    return space["predict"]({name: frame[name].to_numpy() for name in frame}).tolist()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def by_sqlite(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    import sqlite3

    query = tree.export("sql", dialect="sqlite", table="rows", **options)
    names = ", ".join(map(_quoted, frame))
    with sqlite3.connect(":memory:") as base:
        base.execute(f"CREATE TABLE rows ({names})")
        marks = ", ".join("?" * frame.shape[1])
        base.executemany(f"INSERT INTO rows VALUES ({marks})", [list(row.values()) for row in records(frame)])
        return [row[-1] for row in base.execute(query)]


def by_duckdb(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    import duckdb

    query = tree.export("sql", dialect="duckdb", table="rows", **options)
    base = duckdb.connect()
    base.execute("SET preserve_insertion_order = true")
    base.register("rows", frame)
    return [row[-1] for row in base.execute(query).fetchall()]


def by_javascript(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    script = tree.export("javascript", **options)
    rows = json.dumps(json.dumps(records(frame)))
    asked = f"JSON.stringify(JSON.parse({rows}).map(predict))"
    if NODE is not None:
        done = run_command([NODE, "-"], f"{script}\nprocess.stdout.write({asked})")
        found: list[Any] = json.loads(done)
        return found
    import quickjs

    context = quickjs.Context()
    context.eval(script)
    return json.loads(context.eval(asked))


MAIN = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
%s
int main(void)
{
    static char line[1 << 16];
    static char texts[64][1 << 15];
    tree_value row[64];
    int n = (int)(sizeof KINDS / sizeof *KINDS), i;
    for (;;) {
        for (i = 0; i < n; i++) {
            char *text = texts[i];
            if (fgets(line, sizeof line, stdin) == NULL)
                return 0;
            row[i].text = NULL;
            row[i].number = line[0] == '-' && line[1] == '\\n' ? NAN : strtod(line, NULL);
            if (KINDS[i] && !(line[0] == '-' && line[1] == '\\n')) {
                char *at = line;
                row[i].text = text;
                while (*at != '\\n') {
                    char pair[3] = {at[0], at[1], 0};
                    *text++ = (char)strtol(pair, NULL, 16);
                    at += 2;
                }
                *text = 0;
            }
        }
        if (n == 0)
            return 0;
        printf("%%d\\n", tree_predict(row));
    }
}
"""


def by_c(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    """Compile the tree with a program that reads texts in hexadecimal, a value a line."""
    used = tree.used_features.tolist()
    if not used:
        return [tree.classes_[tree.node_class[0]]] * len(frame)
    kinds = [int(tree.levels[i] is not None) for i in used]
    source = tree.export("c", **options)
    main = MAIN % f"static const int KINDS[] = {{{', '.join(map(str, kinds))}}};"
    lines = [
        _c_value(row[tree.feature_names[i]], kind)
        for row in records(frame)
        for i, kind in zip(used, kinds, strict=True)
    ]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "tree.c").write_text(source + main, encoding="ascii")
        flags = ["-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-O0"]
        run_command([str(CC), *flags, "-o", str(place / "tree"), str(place / "tree.c"), "-lm"])
        found = run_command([str(place / "tree")], "\n".join(lines) + "\n")
    return [tree.classes_.tolist()[int(code)] for code in found.split()]


def _c_value(value: Any, kind: int) -> str:
    if value is None:
        return "-"
    return str(value).encode().hex() if kind else repr(float(value))


def run_command(words: list[str], given: str = "") -> str:
    done = subprocess.run(words, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def by_pmml(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    """Ask the evaluator of JPMML, which runs in Java."""
    from jpmml_evaluator import make_evaluator
    from jpmml_evaluator.py4j import Py4JBackend

    text = str(tree.export("pmml", **options))
    used = [tree.feature_names[i] for i in tree.used_features]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "tree.pmml"
        place.write_text(text, encoding="utf-8")
        evaluator = make_evaluator(str(place), backend=Py4JBackend()).verify()
        target = evaluator.getTargetFields()[0].getName()
        return [evaluator.evaluate({name: row[name] for name in used})[target] for row in records(frame)]


def by_onnx(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    import onnxruntime

    session = onnxruntime.InferenceSession(tree.export("onnx", **options), providers=["CPUExecutionProvider"])
    feed = {}
    for i in tree.used_features:
        name, column = tree.feature_names[i], frame[tree.feature_names[i]]
        if tree.levels[i] is None:
            feed[name] = column.to_numpy(dtype=float)[:, None]
        else:
            texts = ["" if gone else str(value) for value, gone in zip(column, column.isna(), strict=True)]
            feed[name] = np.array(texts, dtype=object)[:, None]
    return session.run(None, feed)[0].tolist()


def by_dmn(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    """Read the table as the standard says, with as much of FEEL as it uses."""
    root = ElementTree.fromstring(str(tree.export("dmn", **options)))
    space = {"": "https://www.omg.org/spec/DMN/20191111/MODEL/"}
    table = root.find(".//decisionTable", space)
    assert table is not None
    assert table.get("hitPolicy") == "FIRST"
    names = [one.get("label") for one in table.findall("input", space)]
    rules = []
    for rule in table.findall("rule", space):
        tests = [one.findtext("text", None, space) or "" for one in rule.findall("inputEntry", space)]
        answer = rule.findtext("outputEntry/text", None, space) or ""
        rules.append((list(map(_feel_test, tests)), _feel_value(answer)))
    return [
        next(answer for tests, answer in rules if all(t(row[n]) for t, n in zip(tests, names, strict=True)))
        for row in records(frame)
    ]


FEEL = re.compile(r'"(?:\\.|[^"\\])*"|-?[0-9]+(?:\.[0-9]+)?|true|false|null')


def _feel_value(text: str) -> Any:
    if text.startswith('"'):
        return json.loads(text)
    words = {"true": True, "false": False, "null": None}
    return words[text] if text in words else Decimal(text) if "." in text else int(text)


def _feel_test(text: str) -> Callable[[Any], bool]:
    def decimal(value: Any) -> Decimal:
        return Decimal(repr(float(value)))

    if text == "-":
        return lambda value: True
    if text == "not(null)":
        return lambda value: value is not None
    if text.startswith("("):
        low, high = map(Decimal, text[1:-1].split(".."))
        return lambda value: value is not None and low < decimal(value) <= high
    if text.startswith("<= "):
        return lambda value: value is not None and decimal(value) <= Decimal(text[3:])
    if text.startswith("> "):
        return lambda value: value is not None and decimal(value) > Decimal(text[2:])
    values = [_feel_value(one) for one in FEEL.findall(text)]
    assert ", ".join(FEEL.findall(text)) == text
    return lambda value: any(value == one and (value is None) == (one is None) for one in values)


SOFFICE = shutil.which("soffice")


def by_excel(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    """Calculate the formulas in LibreOffice, on numbers of 15 digits."""
    from openpyxl import Workbook, load_workbook
    from openpyxl.formula.translate import Translator

    cells = str(tree.export("excel", **options)).rstrip("\n").split("\t")
    book = Workbook()
    sheet = book.active
    for i, row in enumerate(records(frame)):
        values = [float(f"{value:.15g}") if isinstance(value, float) else value for value in row.values()]
        for j, value in enumerate(values):
            sheet.cell(i + 2, j + 1, value)
            if isinstance(value, str):
                sheet.cell(i + 2, j + 1).data_type = "s"
        for j, formula in enumerate(cells):
            at = sheet.cell(i + 2, len(values) + j + 1)
            at.value = Translator(formula, f"{at.column_letter}2").translate_formula(at.coordinate)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        book.save(place / "rows.xlsx")
        profile = f"-env:UserInstallation=file://{folder}/profile"
        out = ["--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(place / "out")]
        run_command([str(SOFFICE), profile, *out, str(place / "rows.xlsx")])
        done = load_workbook(place / "out" / "rows.xlsx", data_only=True).active
        return [done.cell(i + 2, frame.shape[1] + 1).value for i in range(len(frame))]


EVALUATORS: dict[str, tuple[str, Callable[..., list[Any]], str | None]] = {
    "python": ("python", by_python, None),
    "numpy": ("python", by_numpy, None),
    "c": ("c", by_c, "cc"),
    "javascript": ("javascript", by_javascript, "node"),
    "pmml": ("pmml", by_pmml, "jpmml_evaluator"),
    "onnx": ("onnx", by_onnx, "onnxruntime"),
    "dmn": ("dmn", by_dmn, None),
    "sqlite": ("sql", by_sqlite, None),
    "duckdb": ("sql", by_duckdb, "duckdb"),
}
"""For each way to run an export its format, the function, and the package that it needs."""
