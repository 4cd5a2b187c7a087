"""The tools to compare with, as far as they are installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType

import numpy as np

from .formulas import Formula
from .node_by_node import NodeByNode, Rule
from .outcome import Estimate
from .scorer import Scorer
from .trees import FloatArray, Trees

PEERS = {"gplearn": "gplearn", "DEAP": "deap"}
"""Names of tools, and what they are installed by."""

Errors = Callable[[], FloatArray]


def installed() -> tuple[dict[str, ModuleType], dict[str, str]]:
    """Return the modules that use the tools, and what is wrong with the others."""
    modules, problems = {}, {}
    for tool, package in PEERS.items():
        try:
            modules[tool] = importlib.import_module(f"{__package__}.{package}_peer")
        except ImportError as error:
            problems[tool] = f"cannot be imported ({error}); pip install {package}"
    return modules, problems


class Columns:
    """Formulas as a tool runs them, over columns of pairs; the numpy scorer prunes by them."""

    def __init__(self, trees: Trees, written: Callable[[Formula], Estimate]) -> None:
        self._scorer, self._written = Scorer(trees), written

    def prepared(self, formula: Formula) -> Errors:
        """Return what finds the errors on every tree."""
        estimate = self._written(formula)

        def errors() -> FloatArray:
            with np.errstate(all="ignore"):
                return self._scorer.errors(estimate(self._scorer.c, self._scorer.n))

        return errors


class Calls:
    """Formulas called at one node after the other."""

    def __init__(self, trees: Trees, written: Callable[[Formula], Rule]) -> None:
        self._pruner, self._written = NodeByNode(trees), written

    def prepared(self, formula: Formula) -> Errors:
        """Return what finds the errors on every tree."""
        rule = self._written(formula)
        return lambda: np.array(self._pruner.errors(rule))


def scorers(
    trees: Trees, few: Trees, modules: dict[str, ModuleType]
) -> dict[str, tuple[Columns | Calls, Trees]]:
    """Return what finds the errors of a formula, by tool, and the trees that it does so for."""
    found: dict[str, tuple[Columns | Calls, Trees]] = {
        tool: (Columns(trees, module.written), trees) for tool, module in modules.items()
    }
    if "DEAP" in modules:
        found["DEAP, node by node"] = Calls(few, modules["DEAP"].written_scalar), few
    return found
