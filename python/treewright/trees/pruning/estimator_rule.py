"""Pruning by an estimate of one's own."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from treewright._base.errors import ParameterError
from treewright._base.params import Rating
from treewright._base.wording import UNSET
from treewright.data.types import FloatArray
from treewright.trees.pruning.rule import PruningRule, checked_slack, counts_of
from treewright.trees.tree import Tree

FORM = "give a function of the arrays c and n, or text such as '(n - c + 1) / (n + 2)'"


class EstimatorPruning(PruningRule):
    """Prunes by your own estimate of the error rate of a leaf.

    Parameters
    ----------
    f : str or callable
        The estimate for a leaf with training weight n, of which c belongs to the leaf's class. Text is a
        formula of ``c``, ``n`` and ``e`` = n - c, with ``+ - * / **``, parentheses, and functions such as
        ``sqrt``, ``log``, ``tanh``, ``min`` and ``max``; it is parsed and never executed as code. A callable
        is called once with two arrays with one entry for each node, and returns one estimate for each node. A
        rule with text can be pickled and saved; a rule with a callable only if the callable can.
    slack : float, default=0.0
        How much the estimate of a leaf may exceed that of the subtree, in units of the estimate.

    Notes
    -----
    Weights may be fractional. `f` is evaluated only for c and n above 0: a leaf without samples has no
    errors, and a leaf that is right for no sample is never preferred. A node whose estimate is NaN is not
    pruned, and neither are the nodes above a leaf with the estimate NaN; in the pruned tree their estimates
    are NaN. An estimate f and any a·f + b with a > 0 prune alike.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import EstimatorPruning
    >>> iris = datasets.load("iris")
    >>> with_a_deviation = EstimatorPruning("(e + sqrt(e + 1)) / n")
    >>> GreedyTreeClassifier(pruning=with_a_deviation).fit(iris).tree_.n_nodes
    13
    >>> an_error_a_leaf = EstimatorPruning(lambda c, n: (n - c + 1) / n)
    >>> GreedyTreeClassifier(pruning=an_error_a_leaf).fit(iris).tree_.n_nodes
    7
    """

    def __init__(self, f: str | Callable[[Any, Any], Any], *, slack: float = 0.0) -> None:
        self.f = f
        self.slack = slack

    def _check(self) -> None:
        if isinstance(self.f, str):
            compiled(self.f)
        elif not callable(self.f):
            raise ParameterError("f", self.f, "is neither", FORM)
        checked_slack(self.slack)

    def _search_rates(self) -> Rating | None:
        """Only a formula is known to look at each leaf by itself, and not to raise."""
        return self._rates_of if isinstance(self.f, str) else None

    def _rates_of(self, c: list[float], n: list[float]) -> list[float]:
        rates: list[float] = self._rates_by(np.array(c), np.array(n)).tolist()
        return rates

    def _rates(self, tree: Tree) -> FloatArray:
        return self._rates_by(*counts_of(tree))

    def _rates_by(self, c: FloatArray, n: FloatArray) -> FloatArray:
        rates = np.full(len(n), np.inf)
        asked = c > 0
        rates[asked] = self._estimates(c[asked], n[asked])
        return rates

    def _estimates(self, c: FloatArray, n: FloatArray) -> FloatArray:
        if isinstance(self.f, str):
            with np.errstate(all="ignore"):
                found = compiled(self.f)({"c": c, "n": n, "e": n - c})
        else:
            found = self.f(c, n)
        return _one_a_node(found, len(n))


def _one_a_node(found: object, n_nodes: int) -> FloatArray:
    """Check that a function gave a real number for every node."""
    array = np.asarray(found)
    if array.dtype.kind not in "fiub" or array.shape not in ((), (n_nodes,)):
        allowed = f"returned an array of shape {array.shape} and dtype {array.dtype} for {n_nodes} nodes"
        remedy = "it gets one c and one n a node and has to return one real number for each"
        raise ParameterError("f", UNSET, allowed, remedy)
    return np.broadcast_to(array.astype(np.float64), (n_nodes,))


Values = Mapping[str, FloatArray]
Compiled = Callable[[Values], object]
Function = Callable[..., object]

MOST_CHARACTERS = 2000
VARIABLES = ("c", "n", "e")
CONSTANTS = {"pi": np.pi}
OPERATORS: dict[type[ast.AST], Function] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.true_divide,
    ast.Pow: np.power,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
FUNCTIONS: dict[str, Function] = {
    **{name: getattr(np, name) for name in ("sqrt", "cbrt", "exp", "expm1", "log", "log1p", "log2", "log10")},
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "arctan", "sinh", "cosh", "tanh")},
    "abs": np.abs,
    **{name: getattr(np, name) for name in ("floor", "ceil")},
}
OF_SEVERAL: dict[str, Function] = {"min": np.minimum, "max": np.maximum}

REMEDY = (
    "it may have the numbers c, n and e = n - c, + - * / **, brackets, and "
    f"{', '.join([*FUNCTIONS, *OF_SEVERAL])}"
)


def compiled(text: str) -> Compiled:
    """Return what an expression computes from c, n and e, or say where it cannot be read."""
    if len(text) > MOST_CHARACTERS:
        remedy = f"an expression has at most {MOST_CHARACTERS}, longer ones are written as a function"
        raise ParameterError("f", UNSET, f"has {len(text)} characters", remedy)
    line = " ".join(text.splitlines()).lstrip()
    try:
        return _Reader(line).read(ast.parse(line, mode="eval").body)
    except SyntaxError as error:
        at = f"at character {error.offset}" if error.offset and error.offset <= len(line) else "at its end"
        raise ParameterError("f", _shown(line), f"cannot be read {at} ({error.msg})", REMEDY) from None
    except (RecursionError, MemoryError):
        allowed = "has too many brackets in one another"
        raise ParameterError("f", _shown(line), allowed, "write a function") from None


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

    def _operator(self, node: ast.expr, symbol: ast.AST) -> Function:
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

    def _applied(self, node: ast.expr, function: Function, arguments: list[ast.expr]) -> Compiled:
        parts = [self.read(argument) for argument in arguments]
        return lambda values: function(*(part(values) for part in parts))

    def _refusal(self, node: ast.expr, what: str) -> ParameterError:
        part = ast.get_source_segment(self.text, node) or "?"
        place = len(self.text.encode()[: node.col_offset].decode()) + 1
        allowed = f": {_shown(part)!r} at character {place} {what}"
        return ParameterError("f", _shown(self.text), allowed, REMEDY)


def _folded(function: Function) -> Function:
    """Make a function of two arguments one of several."""
    return lambda *arguments: reduce(function, arguments)


def _shown(text: str, limit: int = 60) -> str:
    """Return the beginning of what is too long for a message."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
