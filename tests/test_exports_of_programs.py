"""Programs, learned rules and planes leave through the same door as trees, and are run there."""

from __future__ import annotations

import json
import math
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import Run
from evaluators import CC, NODE, by_c, by_duckdb, by_javascript, by_python, by_sqlite
from exported import dataset_of, frame_of, small_table
from treewright import ExportError, RobustLinearClassifier, Tree, datasets
from treewright.evolution import LearnedPruning, Program

FORMULAS = [
    "fun estimate(c: float, n: float): float = (n - c + 0.5) / n",
    "fun estimate(c: float, n: float): float = let val x = sqrt(c) val y = n / c"
    " in if x < y and not (c >= n) then min(x, y) - -c else max(abs(x), 1e-12) * inf end",
    "fun estimate(c: float, n: float): float = if c = n or c <> 3.0 then nan else c - 1e308 * 10.0",
    "fun estimate(c: float, n: float): float = min(c / 0.0, max(n, nan))",
    "fun estimate(c: float, n: float): float = if (if c < n then true else false) then c else 0.1",
    "fun estimate(int_: float, auto: float): float = int_ * auto",
    "fun estimate(c: float, n: float): float = 1.0",
]
ROUNDED = "fun estimate(c: float, n: float): float = exp(-c) + log(n) * tanh(c / n)"
POINTS = [0.0, -0.0, 1.0, 3.0, 0.1, 7.25, 1e300, -2.5, math.inf, -math.inf, math.nan]
PAIRS = [(c, n) for c in POINTS for n in POINTS]


def in_c(program: Any, pairs: list[tuple[float, float]]) -> list[float]:
    if CC is None:
        pytest.skip("there is no C compiler (cc) to compile the program with")
    main = (
        "\n#include <stdio.h>\nint main(void)\n{\n    double c, n;\n"
        '    while (scanf("%lf %lf", &c, &n) == 2)\n        printf("%.17g\\n", program_value(c, n));\n'
        "    return 0;\n}\n"
    )
    flags = ["-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-O1"]
    with tempfile.TemporaryDirectory() as folder:
        source, run = Path(folder, "p.c"), str(Path(folder, "p"))
        source.write_text(program.export("c") + main, encoding="ascii")
        subprocess.run([CC, *flags, "-o", run, str(source), "-lm"], check=True)
        given = "\n".join(f"{c!r} {n!r}" for c, n in pairs)
        done = subprocess.run([run], input=given, capture_output=True, text=True, check=True)
    return [float(text) for text in done.stdout.split()]


def in_javascript(program: Any, pairs: list[tuple[float, float]]) -> list[float]:
    asked = ", ".join(f"programValue({_js(c)}, {_js(n)})" for c, n in pairs)
    script = f"{program.export('javascript')}\nconst found = [{asked}].map(String).join(' ');"
    if NODE is not None:
        words = [NODE, "-e", f"{script}\nprocess.stdout.write(found)"]
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    else:
        quickjs = pytest.importorskip("quickjs", reason="neither node nor quickjs runs JavaScript here")
        context = quickjs.Context()
        context.eval(script.replace("const found", "found", 1).replace('"use strict";', "", 1))
        text = context.eval("found")
    return [float(word) for word in text.split()]


def _js(value: float) -> str:
    return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(repr(value), repr(value))


def in_python(program: Any, pairs: list[tuple[float, float]]) -> list[float]:
    space: dict[str, Any] = {}
    exec(program.export("python"), space)
    columns = np.array(pairs).T
    return np.broadcast_to(space["estimate"](*columns), len(pairs)).tolist()


@pytest.mark.parametrize("run", [in_c, in_javascript, in_python])
@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_have_the_same_value(text: str, run: Any) -> None:
    program = Program(text)
    expected = [program(c, n) for c, n in PAIRS]
    assert list(map(repr, run(program, PAIRS))) == list(map(repr, expected)) or np.array_equal(
        run(program, PAIRS), expected, equal_nan=True
    )


@pytest.mark.parametrize("run", [in_c, in_javascript, in_python])
def test_transcendental_functions_are_those_of_the_language(run: Any) -> None:
    program = Program(ROUNDED)
    pairs = [(c, n) for c in (0.1, 1.0, 3.5) for n in (0.5, 2.0, 100.0)]
    assert run(program, pairs) == pytest.approx([program(c, n) for c, n in pairs], rel=1e-14)


EXPRESSIONS = st.recursive(
    st.sampled_from(["c", "n", "0.5", "3.0", "1e-3"]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda p: f"({p[1]} {p[0]} {p[2]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda p: f"{p[0]}({p[1]}, {p[2]})"),
        st.tuples(inner, inner, inner, inner).map(lambda p: f"(if {p[0]} < {p[1]} then {p[2]} else {p[3]})"),
        inner.map(lambda part: f"sqrt({part})"),
    ),
    max_leaves=12,
)


@given(EXPRESSIONS)
@settings(max_examples=12, deadline=None)
def test_any_formula_has_the_same_value_in_javascript(expression: str) -> None:
    program = Program(f"fun estimate(c: float, n: float): float = {expression}")
    assert np.array_equal(in_javascript(program, PAIRS), [program(c, n) for c, n in PAIRS], equal_nan=True)


def test_a_learned_rule_is_exported_and_read_back() -> None:
    rule = LearnedPruning("((n - c) + 0.5) / n")
    pairs = [(3.0, 4.0), (8.0, 10.0), (1.0, 1.0)]
    expected = [float(rule(c, n)) for c, n in pairs]
    assert in_c(rule, pairs) == in_javascript(rule, pairs) == expected
    assert LearnedPruning.from_json(rule.export("json")) == rule
    assert rule.export("python") == rule.code("python")


@pytest.mark.parametrize(
    ("text", "format_", "reason"),
    [
        (FORMULAS[0], "sql", "SQL has no infinite numbers"),
        (FORMULAS[0], "excel", "15 digits"),
        (FORMULAS[0], "pmml", "for models of rows"),
        ("fun f(c: float, n: int): float = c + float(n)", "c", "written of formulas"),
        ("fun g(x: float): float = x\nfun f(c: float): float = g(c)", "javascript", "written of formulas"),
        ("type t = A | B of int * t\nfun f(x: t): int = 0", "c", "written of formulas"),
    ],
)
def test_what_cannot_be_said_is_refused(text: str, format_: str, reason: str) -> None:
    with pytest.raises(ExportError, match=reason):
        Program(text).export(format_)
    with pytest.raises(ValueError, match="format='cobol' is not known"):
        Program(text).export("cobol")


def test_planes_are_exported_as_they_predict() -> None:
    X, y = small_table(n_classes=2, gaps=0.0)
    data = dataset_of(X[["size", "colour", "age"]], y)
    model = RobustLinearClassifier().fit(data)
    rows, tree = frame_of(data), model.to_tree(data)
    expected = model.predict(data).tolist()
    for run in (by_python, by_c, by_javascript, by_sqlite, by_duckdb):
        if run is by_c and CC is None:
            continue

        class Exported:
            """What evaluators ask of a tree, with the export of the model."""

            def __getattr__(self, name: str) -> Any:
                return getattr(tree, name)

            def export(self, format_: str, **options: Any) -> Any:
                return model.export(format_, data, **options)

        assert run(Exported(), rows) == expected
    with pytest.raises(ExportError, match="planes"):
        model.export("excel", data)
    assert Tree.from_json(str(model.export("json", data))) == tree


def test_the_command_exports_rules_and_programs(run: Run) -> None:
    rule = LearnedPruning("((n - c) + 0.5) / n")
    Path("rule.json").write_text(rule.to_json(), encoding="utf-8")
    Path("program.json").write_text(Program(FORMULAS[0]).to_json(), encoding="utf-8")
    assert run("export", "rule.json", "--to", "c").out == rule.export("c")
    assert run("export", "program.json", "--to", "javascript").out == Program(FORMULAS[0]).export(
        "javascript"
    )
    assert run("export", "rule.json", "--to", "sql").code != 0
    assert run("export", "rule.json", "--to", "c", "--form", "numpy").code == 2
    Path("list.json").write_text(json.dumps([1]), encoding="utf-8")
    assert run("export", "list.json", "--to", "c").code != 0


@pytest.mark.usefixtures("run")
def test_a_file_of_the_plane_command_is_exported(run: Run) -> None:
    wine = datasets.load("wine")
    assert run("plane", "wine", "--out", "plane.json").code == 0
    written = run("export", "plane.json", "--to", "python").out
    space: dict[str, Any] = {}
    exec(written, space)
    tree = Tree.from_json(json.dumps(json.loads(Path("plane.json").read_text(encoding="utf-8"))["tree"]))
    frame = frame_of(wine)
    found = [space["predict"](row) for row in frame.to_dict("records")]
    assert found == tree.predict(frame).tolist()
