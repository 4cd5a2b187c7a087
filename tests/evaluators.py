"""What exports say of rows: each is run in its own language."""

from __future__ import annotations

import atexit
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd

from treewright import Tree

CC, NODE = shutil.which("cc"), shutil.which("node")


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as dicts of plain values, missing ones None."""
    plain = frame.astype(object).where(frame.notna(), None)
    return plain.to_dict("records")


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
    static char texts[256][1 << 15];
    tree_value row[256];
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


@cache
def _java() -> Any:
    """Start Java once; it ends with this process."""
    from jpmml_evaluator.py4j import Py4JBackend

    backend = Py4JBackend()
    atexit.register(backend.gateway.shutdown)
    return backend


def by_pmml(tree: Tree, frame: pd.DataFrame, **options: Any) -> list[Any]:
    """Ask the evaluator of JPMML, which runs in Java."""
    from jpmml_evaluator import make_evaluator

    text = str(tree.export("pmml", **options))
    used = [tree.feature_names[i] for i in tree.used_features]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "tree.pmml"
        place.write_text(text, encoding="utf-8")
        evaluator = make_evaluator(str(place), backend=_java()).verify()
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
    return calculated([(str(tree.export("excel", **options)), frame)])[0]


def calculated(sheets: list[tuple[str, pd.DataFrame]]) -> list[list[Any]]:
    """Calculate formulas beside rows, each in a sheet of its own, at once: LibreOffice starts slowly."""
    from openpyxl import Workbook, load_workbook

    book = Workbook()
    book.remove(book.active)
    for number, (formulas, frame) in enumerate(sheets):
        _fill(book.create_sheet(f"s{number}"), formulas.rstrip("\n").split("\t"), frame)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        book.save(place / "rows.xlsx")
        profile = f"-env:UserInstallation=file://{folder}/profile"
        out = ["--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(place / "out")]
        run_command([str(SOFFICE), profile, *out, str(place / "rows.xlsx")])
        done = load_workbook(place / "out" / "rows.xlsx", data_only=True)
        return [
            [done[f"s{number}"].cell(i + 2, frame.shape[1] + 1).value for i in range(len(frame))]
            for number, (_, frame) in enumerate(sheets)
        ]


def _fill(sheet: Any, cells: list[str], frame: pd.DataFrame) -> None:
    """Write rows, and the formulas beside each."""
    from openpyxl.formula.translate import Translator

    for i, row in enumerate(records(frame)):
        values = [float(f"{value:.15g}") if isinstance(value, float) else value for value in row.values()]
        for j, value in enumerate(values):
            sheet.cell(i + 2, j + 1, value)
            if isinstance(value, str):
                sheet.cell(i + 2, j + 1).data_type = "s"
        for j, formula in enumerate(cells):
            at = sheet.cell(i + 2, len(values) + j + 1)
            at.value = Translator(formula, f"{at.column_letter}2").translate_formula(at.coordinate)


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
