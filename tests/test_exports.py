"""Every export of every kind of tree is run, and says of every row what the tree says.

Inner names, as in unit tests: `trees.exports.sql_dialects`: numbers are read back one by one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import struct
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import Run, assert_refused
from evaluators import CC, EVALUATORS, NODE, SOFFICE, by_excel
from exported import (
    HOSTILE,
    KINDS,
    SETS,
    TWO_CLASSES,
    UNWRITABLE,
    dataset_of,
    excel_rows,
    frame_of,
    hard_rows,
    hostile_tree,
    loaded,
    peeling,
    small_table,
    stopping,
)
from treewright import ExportError, GreedyTreeClassifier, ParameterError, Tree
from treewright.exports import ExportFormat, export_formats
from treewright.trees.exports.sql_dialects import DIALECTS

pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")

SQLITE = sqlite3.connect(":memory:")
FORMATS = {one.name: one for one in export_formats()}

ON_REAL_SETS = ("multiway", "most frequent", "value", "groups", "costs", "fixed depth", "planes")
"""The small table has all kinds."""

runs = pytest.mark.parametrize("way", EVALUATORS)


def evaluator(way: str) -> Any:
    """Return what runs an export, or skip the test."""
    _, run, tool = EVALUATORS[way]
    if not is_there(way):
        reasons = {
            "cc": "there is no C compiler (cc) to compile the export with",
            "node": "there is no node, and quickjs is not installed: nothing runs JavaScript",
            "onnxruntime": "onnx and onnxruntime (37 MB) are not installed; both are only needed to run ONNX",
            "jpmml_evaluator": "jpmml_evaluator and Java are not installed; only running PMML needs them",
        }
        pytest.skip(reasons.get(str(tool), f"{tool} is not installed, and nothing else runs this export"))
    return run


def is_there(way: str) -> bool:
    """Whether an export can be run on this machine."""
    tool = EVALUATORS[way][2]
    if tool is None or tool == "cc":
        return tool is None or CC is not None
    if tool == "node":
        return NODE is not None or find_spec("quickjs") is not None
    if tool == "jpmml_evaluator" and shutil.which("java") is None:
        return False
    return find_spec("onnx" if tool == "onnxruntime" else tool) is not None and find_spec(tool) is not None


def assert_same(way: str, tree: Tree, rows: Any) -> None:
    """Compare with the tree on all rows; a refusal must be one of the table."""
    run, format_ = evaluator(way), FORMATS[EVALUATORS[way][0]]
    refused = refusal_of(format_, tree)
    if refused is None:
        assert run(tree, rows) == tree.predict(rows).tolist()
        return
    with pytest.raises(ExportError, match=re.escape(refused)):
        run(tree, rows)
    if refused == format_.shared:
        stopped = stopping(tree)
        assert (
            refusal_of(format_, stopped) is not None
            or run(tree, rows, missing="stop") == stopped.predict(rows).tolist()
        )


def refusal_of(format_: ExportFormat, tree: Tree) -> str | None:
    """Return why the table says that a format cannot say a tree, from the tree alone; None if it can."""
    inner = tree.n_children > 0
    asks_unknown = inner.any() and "distribute" in {
        tree.routing if route is None else route
        for route, is_inner, kind in zip(tree.missing_routes, inner, tree.kind, strict=True)
        if is_inner and kind != 6
    }
    if format_.shared is not None and asks_unknown and shares_at_all(tree):
        return format_.shared
    if format_.name == "onnx" and not len(tree.used_features):
        return "ONNX has no model without an input"
    if format_.planes is not None and (tree.kind == 3).any():
        return format_.planes
    return format_.unseen if tree.lists_branches and format_.unseen is not None else None


def shares_at_all(tree: Tree) -> bool:
    """Whether a row without any value, or with unknown ones, comes to several leaves."""
    document = json.loads(tree.to_json())
    modes = {i: feature.get("missing", "unknown") for i, feature in enumerate(document["schema"]["features"])}
    tests = [
        (modes[test] == "unknown" or tree.lists_branches)
        for kind, test in zip(document["nodes"]["kind"], document["nodes"]["test"], strict=True)
        if kind not in ("leaf", "linear", "missing")
    ]
    return any(tests) or any("means" not in plane for plane in document["planes"])


@runs
@pytest.mark.parametrize("kind", [*KINDS, *TWO_CLASSES])
def test_a_small_table_is_predicted_alike(kind: str, way: str) -> None:
    X, y = small_table(n_classes=2 if kind in TWO_CLASSES else 3)
    data = dataset_of(X, y)
    tree = {**KINDS, **TWO_CLASSES}[kind](data)
    used = X.iloc[:, : tree.n_features] if tree.n_features < X.shape[1] else X
    assert_same(way, tree, hard_rows(tree, used[tree.feature_names]))


@pytest.mark.skipif(
    not os.environ.get("TREEWRIGHT_DATA"), reason="TREEWRIGHT_DATA names no folder of data sets"
)
@pytest.mark.parametrize("name", SETS)
def test_real_sets_are_predicted_alike(name: str) -> None:
    data = loaded(name)
    frame = frame_of(data)
    for kind, make in KINDS.items():
        if kind not in ON_REAL_SETS:
            continue
        tree = make(data)
        rows = hard_rows(tree, frame[tree.feature_names])
        for way in filter(is_there, EVALUATORS):
            assert_same(way, tree, rows)


# Names that would break out.


@runs
def test_hostile_names_stay_names(way: str) -> None:
    tree, frame = hostile_tree(UNWRITABLE.get(way, ()))
    assert len(tree.used_features) >= len(HOSTILE) - 1
    assert tree.predict(frame).tolist() == tree.classes_.tolist()
    assert_same(way, tree, hard_rows(tree, frame))


@pytest.mark.slow
@pytest.mark.skipif(SOFFICE is None, reason="no LibreOffice (soffice) to calculate the formulas")
def test_hostile_texts_stay_texts_in_excel() -> None:
    """Leave out what a file of a workbook does not keep: a carriage return, a control character."""
    lost = [name for name in HOSTILE if len(name) > 1000 or "\r" in name or "\x01" in name]
    tree, frame = hostile_tree((*lost,))
    assert by_excel(tree, frame) == tree.predict(frame).tolist()


def test_hostile_names_are_read_back_from_json() -> None:
    tree, _ = hostile_tree()
    assert Tree.from_json(str(tree.export("json"))) == tree


def test_names_that_no_xml_has_are_refused() -> None:
    with pytest.raises(ExportError, match="PMML is XML, which has no character 0x1"):
        hostile_tree()[0].export("pmml")


def test_names_that_a_database_does_not_read_are_refused() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 1.0, 2.0], "A": [1.0, 1.0, 2.0, 2.0]})
    tree = GreedyTreeClassifier(min_gain=0).fit(X, [0, 1, 1, 0]).tree_
    two = dataset_of(X, [0, 1, 2, 3])
    both = GreedyTreeClassifier(missing="most_frequent").fit(two).tree_
    assert tree.n_nodes >= 1
    with pytest.raises(ExportError, match="SQLite takes the columns 'a' and 'A' for one"):
        both.export("sql", dialect="sqlite")
    assert both.export("sql", dialect="postgresql")
    long = GreedyTreeClassifier(missing="most_frequent").fit(
        X.set_axis(["n" * 64, "b"], axis=1), [0, 0, 1, 1]
    )
    wide = (
        GreedyTreeClassifier(missing="most_frequent")
        .fit(X.set_axis(["n" * 64, "b"], axis=1), [0, 1, 2, 3])
        .tree_
    )
    assert long.tree_.n_nodes > 1
    with pytest.raises(ExportError, match="PostgreSQL reads names of at most 63 bytes"):
        wide.export("sql")


@pytest.fixture(scope="module")
def schema() -> Any:
    """Return PMML's schema, which comes with the evaluator; nothing else on PyPI has it."""
    etree = pytest.importorskip("lxml.etree", reason="lxml, which reads schemas, is not installed (5 MB)")
    package = pytest.importorskip(
        "jpmml_evaluator", reason="jpmml_evaluator, which has the schema, is absent"
    )
    jars = sorted(Path(package.__file__).parent.glob("dependencies/pmml-model-*.jar"))
    if not jars:
        pytest.skip("this jpmml_evaluator has no schema of PMML")
    with zipfile.ZipFile(jars[0]) as jar:
        return etree.XMLSchema(etree.fromstring(jar.read("pmml.xsd")))


@pytest.mark.parametrize("kind", [*KINDS, *TWO_CLASSES])
def test_pmml_is_valid_by_its_schema(kind: str, schema: Any) -> None:
    from lxml import etree

    X, y = small_table(n_classes=2 if kind in TWO_CLASSES else 3)
    tree = {**KINDS, **TWO_CLASSES}[kind](dataset_of(X, y))
    text = tree.export("pmml", missing="stop")
    schema.assertValid(etree.fromstring(text.encode("utf-8")))


def test_pmml_with_hostile_names_is_valid(schema: Any) -> None:
    from lxml import etree

    text = hostile_tree(UNWRITABLE["pmml"])[0].export("pmml")
    schema.assertValid(etree.fromstring(text.encode("utf-8"), etree.XMLParser(huge_tree=True)))


# Limits.


def chain(n_tests: int) -> Tree:
    """Make one leaf a level: as deep as a tree can be."""
    tests = [{"kind": "threshold", "feature": 0, "threshold": float(i)} for i in range(n_tests)]
    return peeling([{"name": "x0", "levels": None}], ["a", "b", "c"], tests, "stop")


@pytest.fixture(scope="module")
def deep() -> Tree:
    tree = chain(50_000)
    assert tree.max_depth == 50_000
    return tree


def test_fifty_thousand_levels_are_tables_and_a_loop(deep: Tree) -> None:
    space: dict[str, Any] = {}
    exec(deep.export("python"), space)
    values = [0.0, 11_999.5, 12_500.0, 49_999.0, 50_000.0]
    expected = deep.predict([[x] for x in values]).tolist()
    assert [space["predict"]({"x0": x}) for x in values] == expected


def test_fifty_thousand_levels_are_one_flat_case(deep: Tree) -> None:
    with pytest.raises(ExportError, match="T-SQL reads 65,535 names and constants in an expression"):
        deep.export("sql", dialect="tsql")
    flat = chain(400)
    query = flat.export("sql", dialect="sqlite", table="t")
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE t (x0 REAL)")
        base.executemany("INSERT INTO t VALUES (?)", [(x / 2,) for x in range(800)])
        found = [row[-1] for row in base.execute(query)]
    assert found == flat.predict(np.arange(800)[:, None] / 2).tolist()


def nesting(sql: str) -> int:
    """Return how deep cases stand in one another."""
    level = most = 0
    for word in re.findall(r"\bCASE\b|\bEND\b", sql):
        level += 1 if word == "CASE" else -1
        most = max(most, level)
    assert level == 0
    return most


@pytest.mark.parametrize(("dialect", "most"), [("tsql", 10), ("sqlite", 15), ("duckdb", 50)])
def test_cases_nest_as_deep_as_the_database_reads(dialect: str, most: int) -> None:
    at, beyond = chain(most), chain(most + 1)
    assert nesting(at.export("sql", dialect=dialect)) == at.max_depth == most
    assert nesting(beyond.export("sql", dialect=dialect)) == 1


# Excel, whose formulas are calculated by LibreOffice.


@pytest.mark.slow
@pytest.mark.skipif(SOFFICE is None, reason="no LibreOffice (soffice) to calculate the formulas")
@pytest.mark.parametrize("kind", ["most frequent", "value", "groups, value", "fixed depth", "minimal"])
def test_excel_calculates_alike(kind: str) -> None:
    X, y = small_table()
    X["size"] = X["size"].round(4)
    tree = KINDS[kind](dataset_of(X, y))
    rows = excel_rows(tree, X[tree.feature_names])
    assert by_excel(tree, rows) == tree.predict(rows).tolist()


def test_excel_has_cells_of_limited_length_and_depth() -> None:
    cells = chain(3000).export("excel").rstrip("\n").split("\t")
    assert len(cells) > 40
    for cell in cells:
        assert len(cell) <= 8192
        depth = np.cumsum([(c == "(") - (c == ")") for c in re.sub('"[^"]*"', "", cell)])
        assert depth.max() <= 64


def test_excel_has_fifteen_digits() -> None:
    X = np.array([[0.1234567890123456], [0.1234567890123457]])
    tree = GreedyTreeClassifier(missing="most_frequent").fit(X, [0, 1]).tree_
    with pytest.raises(ExportError, match="Excel has 15 digits, and training values beside"):
        tree.export("excel")
    apart = GreedyTreeClassifier(missing="most_frequent").fit([[0.3], [0.30000000000001]], [0, 1]).tree_
    assert apart.export("excel") == '=IF(AND(A2<>"",A2>0.3),1,0)\n'


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ('say "a"', '"say ""a"""'),
        ("a\nb", '"a"&CHAR(10)&"b"'),
        ("", '""'),
        ("x" * 256, '"' + "x" * 255 + '"&"x"'),
    ],
)
def test_texts_of_excel(text: str, formula: str) -> None:
    tree = peeling(
        [{"name": "a", "levels": None}], ["none", text or "empty"], [{"kind": "threshold"}], "stop"
    )
    assert (formula if text else '"empty"') in tree.export("excel")


def test_groups_of_scattered_values_do_not_multiply_the_nodes_of_onnx() -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is not installed (9 MB)")
    levels = [f"v{i}" for i in range(40)]
    features = [{"name": f"x{i}", "levels": levels} for i in range(8)]
    tests = [{"kind": "group", "set": list(range(i % 2, 40, 2))} for i in range(8)]
    tree = peeling(features, ["a", "b", "c"], tests, "stop")
    model = onnx.load_from_string(tree.export("onnx"))
    ensemble = next(node for node in model.graph.node if node.op_type == "TreeEnsembleClassifier")
    ids = next(given.ints for given in ensemble.attribute if given.name == "nodes_nodeids")
    assert len(ids) <= 2 * tree.n_nodes


# Numbers.


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=200, deadline=None)
def test_numbers_are_read_back_bit_for_bit(dialect: str, value: float) -> None:
    text = DIALECTS[dialect].as_number(value)
    if dialect == "sqlite":
        found = SQLITE.execute(f"SELECT {text}").fetchone()[0]
    else:
        found = (
            pytest.importorskip("duckdb", reason="duckdb is not installed")
            .execute(f"SELECT {text}")
            .fetchone()[0]
        )
    assert struct.pack("d", found) == struct.pack("d", value)


# The table of the docs.


def test_the_page_has_the_table_of_the_code() -> None:
    page = (Path(__file__).parents[1] / "docs" / "exports.md").read_text(encoding="utf-8")
    assert table_of_formats() in page


def table_of_formats() -> str:
    """Write what each format can say, as the page has it."""
    head = (
        "| format | rows shared among branches | planes | unknown values apart from missing ones | limits |"
    )
    lines = [head, "| --- | --- | --- | --- | --- |"]
    for one in export_formats():
        cells = ["yes" if why is None else f"no: {why}" for why in (one.shared, one.planes, one.unseen)]
        lines.append(" | ".join([f"| `{one.name}`", *cells, f"{one.limits} |"]))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["cobol"], {}, "format='cobol' is not known"),
        (["json"], {"dialect": "duckdb"}, "dialect='duckdb' is no option of the format 'json'; leave it out"),
        (["sql"], {"dialect": "oracle"}, "dialect='oracle' is not known"),
        (["sql"], {"table": 3}, "table=3 must be a text"),
        (["python"], {"missing": "drop"}, "missing='drop' is not known"),
    ],
)
def test_what_is_no_format_or_option_is_refused(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        chain(3).export(*arguments, **options)


# The command.


def test_the_command_writes_what_the_method_does(run: Run, tmp_path: Path) -> None:
    tree = chain(9)
    Path("tree.json").write_text(tree.to_json(), encoding="utf-8")
    asked = ["export", "tree.json", "--to", "sql", "--dialect", "duckdb", "--table", "rows"]
    expected = tree.export("sql", dialect="duckdb", table="rows")
    assert run(*asked).out == expected
    assert run(*asked, "--out", "tree.sql").out == ""
    assert Path("tree.sql").read_text(encoding="utf-8") == expected


def test_the_command_lists_formats_and_reasons(run: Run) -> None:
    ended = run("export", "--list")
    assert ended.code == 0
    assert [one.name for one in export_formats()] == re.findall(r"^(\w+):", ended.out, re.MULTILINE)


def test_the_command_refuses_in_its_own_words(run: Run) -> None:
    Path("tree.json").write_text(chain(3).to_json(), encoding="utf-8")
    assert_refused(
        run("export", "tree.json", "--to", "cobol"), 2, "Invalid value for '--to': 'cobol' is not known"
    )
    assert_refused(run("export", "tree.json", "--to", "json", "--form", "numpy"), 2, "'--form'")


def test_the_command_says_which_columns_an_export_reads(run: Run) -> None:
    run("fit", "iris", "--max-depth", 2, "--out", "tree.json")
    told = run("export", "tree.json", "--to", "excel", "--cell", "B7", "--missing", "stop").err
    assert "'petal length (cm)' in D7, 'petal width (cm)' in E7" in told
    rows = "".join(f"2024-01-{day:02},{'late' if day > 15 else 'early'}\n" for day in range(1, 31))
    Path("days.csv").write_text(f"when,class\n{rows}", encoding="utf-8")
    run("fit", "days.csv", "--target", "class", "--dates", "when:days", "--out", "days.json")
    told = run("export", "days.json", "--to", "python").err
    assert "reads 'when.days', numbers made of columns such as 'when'" in told
