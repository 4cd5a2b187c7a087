"""Programs in other languages: formulas of floats as a function of C or JavaScript.

A formula is read from its Python code, whose operations each have an equal in these languages. Names get an
underscore at the end, so that none is a word of the language.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from treewright import _core
from treewright._base.errors import ExportError
from treewright._base.params import one_of

FORMATS = ("python", "c", "javascript", "json", "sql", "pmml", "onnx", "excel", "dmn")
"""Those of trees; the last ones are refused."""

REFUSED = {
    "sql": "SQL has no infinite numbers and no `nan`, which operations of programs give",
    "excel": "Excel has no infinite numbers, and 15 digits",
    **dict.fromkeys(("pmml", "onnx", "dmn"), "the format is for models of rows; a program has none"),
}
"""Why a format cannot say a program."""

OPERATORS: Mapping[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.USub: "-",
}


@dataclass(frozen=True)
class Dialect:
    """How a language writes a function of floats."""

    numbers: Mapping[str, str]
    """Of `inf` and `nan`."""
    functions: Mapping[str, str]
    helpers: Mapping[str, str]
    """Functions that have to be defined where they are called."""
    head: str
    constant: str
    whole: Callable[[list[str], list[str], str], str]
    """Write a function of parameters, lines and a result."""


def _c(names: list[str], lines: list[str], result: str) -> str:
    given = ", ".join(f"double {name}" for name in names) or "void"
    return f"double program_value({given})\n{{\n{_body(lines, result)}}}\n"


def _javascript(names: list[str], lines: list[str], result: str) -> str:
    given = ", ".join(names)
    node = 'if (typeof module !== "undefined") module.exports = { programValue };\n'
    return f'"use strict";\n\nfunction programValue({given}) {{\n{_body(lines, result)}}}\n\n{node}'


def _body(lines: list[str], result: str) -> str:
    return "".join(f"    {line}\n" for line in (*lines, f"return {result};"))


def _helper(name: str, relation: str) -> str:
    head = f"static double program_{name}(double a, double b)"
    return f"{head}\n{{\n    return a != a || b != b ? NAN : b {relation} a ? b : a;\n}}\n\n"


PLAIN = ("sqrt", "log", "exp", "tanh")
DIALECTS: Mapping[str, Dialect] = {
    "c": Dialect(
        numbers={"inf": "INFINITY", "nan": "NAN"},
        functions={
            **{name: name for name in PLAIN},
            "abs": "fabs",
            "minimum": "program_min",
            "maximum": "program_max",
        },
        helpers={"program_min": _helper("min", "<"), "program_max": _helper("max", ">")},
        head="#include <math.h>\n\n",
        constant="const double",
        whole=_c,
    ),
    "javascript": Dialect(
        numbers={"inf": "Infinity", "nan": "NaN"},
        functions={
            **{name: f"Math.{name}" for name in (*PLAIN, "abs")},
            "minimum": "Math.min",
            "maximum": "Math.max",
        },
        helpers={},
        head="",
        constant="const",
        whole=_javascript,
    ),
}


def export_program(core: _core.Program, format: str) -> str:  # noqa: A002
    """Write a program in a format, or say why that cannot be."""
    one_of("format", format, FORMATS)
    if format in REFUSED:
        raise ExportError(f"{format} cannot say a program: {REFUSED[format]}")
    if format == "json":
        return core.to_json()
    code = core.code("python")
    return code if format == "python" else _Formula(code, format).written()


class _Formula:
    """Writes the Python code of a formula in another language."""

    def __init__(self, code: str, language: str) -> None:
        self.language, self.dialect = language, DIALECTS[language]
        self.called: set[str] = set()
        functions = [node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
        self.function = functions[-1]
        block = self.function.body[-1]
        if len(functions) > 1 or not isinstance(block, ast.With):
            raise self.refusal()
        self.steps = block.body

    def refusal(self) -> ExportError:
        """Say what cannot be written."""
        return ExportError(
            f"{self.language} is written of formulas: one function of floats, without lists, integers and "
            "other functions; export the program as python, or as rust or sml by `code`"
        )

    def written(self) -> str:
        """Write the function, after those that it calls."""
        names = [self.name(argument.arg) for argument in self.function.args.args]
        *before, last = self.steps
        lines = [self.line(step) for step in before]
        if not isinstance(last, ast.Return) or last.value is None:
            raise self.refusal()
        function = self.dialect.whole(names, lines, self.said(last.value))
        helpers = [text for name, text in self.dialect.helpers.items() if name in self.called]
        return self.dialect.head + "".join(helpers) + function

    def name(self, name: str) -> str:
        """Return a name that is no word of the language."""
        return f"{name}_"

    def line(self, step: ast.stmt) -> str:
        """Write a name for a value."""
        if not (isinstance(step, ast.Assign) and isinstance(step.targets[0], ast.Name)):
            raise self.refusal()
        return f"{self.dialect.constant} {self.name(step.targets[0].id)} = {self.said(step.value)};"

    def said(self, node: ast.expr) -> str:
        """Write an expression, each part in parentheses."""
        match node:
            case ast.Constant(value=float() | int() as value):
                return repr(float(value))
            case ast.Name():
                return self.name(node.id)
            case ast.Attribute(attr="inf" | "nan"):
                return self.dialect.numbers[node.attr]
            case ast.UnaryOp(op=ast.USub()):
                return f"(-{self.said(node.operand)})"
            case ast.BinOp() if type(node.op) in OPERATORS:
                return f"({self.said(node.left)} {OPERATORS[type(node.op)]} {self.said(node.right)})"
            case ast.Compare(ops=[op]) if type(op) in OPERATORS:
                return f"({self.said(node.left)} {OPERATORS[type(op)]} {self.said(node.comparators[0])})"
            case ast.Call(func=ast.Attribute(attr=name)):
                return self.call(name, [self.said(part) for part in node.args])
        raise self.refusal()

    def call(self, name: str, parts: list[str]) -> str:
        """Write a call of numpy's."""
        if name == "where":
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        if name == "logical_not":
            return f"(!{parts[0]})"
        if name in ("logical_and", "logical_or"):
            return f"({parts[0]} {'&&' if name == 'logical_and' else '||'} {parts[1]})"
        if name not in self.dialect.functions:
            raise self.refusal()
        own = self.dialect.functions[name]
        self.called.add(own)
        return f"{own}({', '.join(parts)})"
