"""Estimates written as text: arithmetic of c, n and e, read without ever being run as Python."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import partial, reduce
from typing import Any

import numpy as np

from treewright._base.errors import ParameterError
from treewright.trees.pruning.rule import FloatArray

Values = Mapping[str, FloatArray]
Compiled = Callable[[Values], Any]

MOST_CHARACTERS = 2000
VARIABLES = ("c", "n", "e")
CONSTANTS = {"pi": np.pi}
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.true_divide,
    ast.Pow: np.power,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in ("sqrt", "cbrt", "exp", "expm1", "log", "log1p", "log2", "log10")},
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "arctan", "sinh", "cosh", "tanh")},
    "abs": np.abs,
    **{name: getattr(np, name) for name in ("floor", "ceil")},
}
OF_SEVERAL: dict[str, Callable[..., Any]] = {"min": np.minimum, "max": np.maximum}

REMEDY = (
    "it may have the numbers c, n and e = n - c, + - * / **, brackets, and "
    f"{', '.join([*FUNCTIONS, *OF_SEVERAL])}"
)


def compiled(text: str) -> Compiled:
    """Return what an expression computes from c, n and e, or say where it cannot be read."""
    if len(text) > MOST_CHARACTERS:
        raise ParameterError(
            f"f has {len(text)} characters; an expression has at most {MOST_CHARACTERS}, "
            "longer ones are written as a function"
        )
    line = " ".join(text.splitlines()).lstrip()
    try:
        return _Reader(line).read(ast.parse(line, mode="eval").body)
    except SyntaxError as error:
        at = f"at character {error.offset}" if error.offset and error.offset <= len(line) else "at its end"
        raise ParameterError(f"f={_shown(line)!r} cannot be read {at} ({error.msg}); {REMEDY}") from None
    except (RecursionError, MemoryError):
        raise ParameterError(
            f"f={_shown(line)!r} has too many brackets in one another; write a function"
        ) from None


class _Reader:
    """Turns the nodes of a syntax tree into functions of c, n and e."""

    def __init__(self, text: str) -> None:
        self.text = text

    def read(self, node: ast.expr) -> Compiled:
        """Read one node and all below it; what is not listed here is refused."""
        if isinstance(node, ast.Constant):
            return self._number(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.BinOp):
            return self._applied(node, self._operator(node, node.op), [node.left, node.right])
        if isinstance(node, ast.UnaryOp):
            return self._applied(node, self._operator(node, node.op), [node.operand])
        if isinstance(node, ast.Call):
            return self._call(node)
        raise self._refusal(node, "is no arithmetic")

    def _number(self, node: ast.Constant) -> Compiled:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise self._refusal(node, "is no number")
        try:
            value = np.float64(node.value)
        except OverflowError:
            raise self._refusal(node, "is too large for a 64-bit number") from None
        return lambda values: value

    def _name(self, node: ast.Name) -> Compiled:
        name = node.id
        if name in CONSTANTS:
            value = np.float64(CONSTANTS[name])
            return lambda values: value
        if name not in VARIABLES:
            raise self._refusal(node, "is not known")
        return lambda values: values[name]

    def _operator(self, node: ast.expr, symbol: ast.AST) -> Callable[..., Any]:
        if type(symbol) not in OPERATORS:
            raise self._refusal(node, "has an operator that is not known")
        return OPERATORS[type(symbol)]

    def _call(self, node: ast.Call) -> Compiled:
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name in FUNCTIONS:
            function, fits, wants = FUNCTIONS[name], len(node.args) == 1, "one argument"
        elif name in OF_SEVERAL:
            function, fits, wants = _folded(OF_SEVERAL[name]), len(node.args) > 1, "two arguments or more"
        else:
            raise self._refusal(node.func, "is no function that is known")
        if node.keywords or not fits or any(isinstance(part, ast.Starred) for part in node.args):
            raise self._refusal(node, f"does not fit: {name} takes {wants}")
        return self._applied(node, function, node.args)

    def _applied(self, node: ast.expr, function: Callable[..., Any], arguments: list[ast.expr]) -> Compiled:
        parts = [self.read(argument) for argument in arguments]
        return lambda values: function(*(part(values) for part in parts))

    def _refusal(self, node: ast.expr, what: str) -> ParameterError:
        part = ast.get_source_segment(self.text, node) or "?"
        place = len(self.text.encode()[: node.col_offset].decode()) + 1
        return ParameterError(
            f"f={_shown(self.text)!r}: {_shown(part)!r} at character {place} {what}; {REMEDY}"
        )


def _folded(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Make a function of two arguments one of several."""
    return partial(_reduced, function)


def _reduced(function: Callable[[Any, Any], Any], *arguments: Any) -> Any:
    return reduce(function, arguments)


def _shown(text: str, limit: int = 60) -> str:
    """Return the beginning of what is too long for a message."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
