"""Scores of given formulas: that all tools find the same errors, and how long they take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from types import ModuleType

import numpy as np

from . import own, peers
from .formulas import FORMULAS, Formula, infix, two_constants
from .outcome import Clock
from .trees import Trees

N_TURNS = 3

FAMILY: list[Formula] = [two_constants(a / 100, b / 10) for a in range(1, 201) for b in range(1, 11)]
"""Formulas that prune well, as most of an evolution do."""

N_COLUMNS, N_CALLS = 200, 5
"""How many of them the other tools score in a turn."""


@dataclass(frozen=True)
class Speed:
    """Scoring by one tool.

    Attributes
    ----------
    tool : str
        Which one.
    n_formulas : int
        Formulas scored in a turn.
    seconds : float
        CPU seconds of one of them, the median over turns.
    n_nodes : int
        Nodes of the trees.
    """

    tool: str
    n_formulas: int
    seconds: float
    n_nodes: int

    @property
    def decisions(self) -> float:
        """Nodes decided in a CPU second."""
        return self.n_nodes / self.seconds


def check(trees: Trees, modules: dict[str, ModuleType]) -> list[str]:
    """Raise unless all tools find the same errors on every tree; return the tools."""
    found = peers.scorers(trees, trees, modules)
    for name, formula in FORMULAS.items():
        errors = own.errors(trees, infix(formula))
        for tool, (scorer, _) in found.items():
            differ = np.flatnonzero(scorer.prepared(formula)() != errors)
            if len(differ):
                raise AssertionError(f"{tool} and treewright differ on trees {differ} under '{name}'")
    return ["treewright", *found]


def speeds(trees: Trees, few: Trees, modules: dict[str, ModuleType]) -> list[Speed]:
    """Score formulas by every tool in turns."""
    found = peers.scorers(trees, few, modules)
    turns = [dict(_turn(trees, found)) for _ in range(N_TURNS)]
    numbers = {
        "treewright": (len(FAMILY) - 1, trees),
        **{tool: (_number(scorer), given) for tool, (scorer, given) in found.items()},
    }
    return [
        Speed(tool, n, median(turn[tool] for turn in turns) / n, len(given.n))
        for tool, (n, given) in numbers.items()
    ]


def _number(scorer: peers.Columns | peers.Calls) -> int:
    return N_CALLS if isinstance(scorer, peers.Calls) else N_COLUMNS


def _turn(
    trees: Trees, found: dict[str, tuple[peers.Columns | peers.Calls, Trees]]
) -> Iterator[tuple[str, float]]:
    yield "treewright", own.scoring_seconds(trees, [infix(formula) for formula in FAMILY])
    for tool, (scorer, _) in found.items():
        every = FAMILY[:: len(FAMILY) // _number(scorer)]
        prepared = [scorer.prepared(formula) for formula in every]
        clock = Clock()
        for errors in prepared:
            errors()
        yield tool, clock.seconds
