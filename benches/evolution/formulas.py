"""Formulas as nested tuples, and how each tool writes them; by them the tools are held against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Formula = tuple[Any, ...] | str | float
"""``"c"``, ``"n"``, a number, or an operation and its arguments."""

SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}

WRONG: Formula = ("sub", "n", "c")
"""Training rows of another class."""


def two_constants(a: float, b: float) -> Formula:
    """Return (e + a + b * sqrt(e)) / n."""
    return "div", ("add", ("add", WRONG, a), ("mul", b, ("sqrt", WRONG))), "n"


def naive() -> Formula:
    """Return the naive rule, the upper end of a score interval, as treewright starts from it."""
    rate = ("div", WRONG, "n")
    spread = (
        "sub",
        ("div", ("div", WRONG, "n"), "n"),
        ("div", ("mul", rate, rate), "n"),
    )
    root = ("sqrt", ("add", spread, ("div", 0.1137341057798932, ("mul", "n", "n"))))
    upper = ("add", ("add", rate, ("div", 0.2274682115597864, "n")), ("mul", 0.6744897501960817, root))
    return "div", upper, ("add", 1.0, ("div", 0.4549364231195728, "n"))


FORMULAS: dict[str, Formula] = {
    "naive": naive(),
    "observed": ("div", WRONG, "n"),
    "pessimistic": ("div", ("add", WRONG, 0.5), "n"),
    "two constants": two_constants(0.9, 0.5),
    "max and min": (
        "div",
        ("max", ("add", WRONG, 0.4), ("min", ("mul", 1.25, ("sqrt", "c")), ("abs", ("sub", 3.0, WRONG)))),
        "n",
    ),
    "no estimate": ("sub", ("sqrt", "n"), ("mul", 0.3, "c")),
}
"""Operations that IEEE rounds to one value only, so that all tools must agree to the bit."""


def infix(formula: Formula) -> str:
    """Write a formula as treewright reads it."""
    if not isinstance(formula, tuple):
        return str(formula)
    name, *arguments = formula
    texts = [infix(argument) for argument in arguments]
    if name in SYMBOLS:
        return f"({f' {SYMBOLS[name]} '.join(texts)})"
    return f"{name}({', '.join(texts)})"


def prefix(formula: Formula) -> str:
    """Write a formula as DEAP reads it."""
    if not isinstance(formula, tuple):
        return str(formula)
    return f"{formula[0]}({', '.join(prefix(argument) for argument in formula[1:])})"


def flat(formula: Formula, functions: Callable[[str], Any]) -> Iterator[Any]:
    """Yield what gplearn keeps of a formula: functions, columns and constants, the whole before its parts."""
    if isinstance(formula, tuple):
        yield functions(formula[0])
        for argument in formula[1:]:
            yield from flat(argument, functions)
    else:
        yield {"c": 0, "n": 1}.get(formula, formula) if isinstance(formula, str) else formula
