"""Searches of all tools in turns, each with several seeds."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from types import ModuleType

import numpy as np

from . import own
from .outcome import Outcome
from .scorer import Scorer
from .trees import FloatArray, Trees

Runs = dict[str, Callable[[float, int], Outcome]]
"""What lets each tool search, for so many CPU seconds with a seed."""


@dataclass(frozen=True)
class Reached:
    """Errors in percent of all test rows: in training, and on the other trees."""

    train: float
    other: float


@dataclass(frozen=True)
class Searches:
    """What one tool did with one seed after the other."""

    outcomes: list[Outcome]
    reached: list[Reached]

    @property
    def total(self) -> Outcome:
        """All of it as one, with the formula that is best in training."""
        best = min(range(len(self.outcomes)), key=lambda k: self.reached[k].train)
        fields = ("seconds", "n_programs", "n_judged", "n_decisions")
        sums = {name: sum(getattr(outcome, name) for outcome in self.outcomes) for name in fields}
        return replace(self.outcomes[best], **sums)

    @property
    def median(self) -> Reached:
        """The median of either error."""
        return Reached(*(median(getattr(one, name) for one in self.reached) for name in ("train", "other")))


def peer_runs(trees: Trees, few: Trees, modules: dict[str, ModuleType]) -> Runs:
    """Return how the peers search; node by node they get few trees."""
    runs: Runs = {tool: partial(module.run, trees) for tool, module in modules.items()}
    if "DEAP" in modules:
        runs["DEAP, node by node"] = partial(modules["DEAP"].run_naively, few)
    return runs


def search(
    runs: Runs, corpora: Sequence[Scorer], seconds: float, seeds: Sequence[int], problems: dict[str, str]
) -> dict[str, Searches]:
    """Let tools take turns; one that fails is a problem and no more."""
    found: dict[str, Searches] = {}
    for seed in seeds:
        for tool, run in runs.items():
            try:
                outcome = run(seconds, seed)
            except Exception as error:
                traceback.print_exc()
                problems[tool] = f"failed: {error!r}"
                continue
            searches = found.setdefault(tool, Searches([], []))
            searches.outcomes.append(outcome)
            searches.reached.append(_reached(outcome, corpora))
    return found


def of_rules(trees: Trees, others: Trees) -> dict[str, Reached]:
    """Return what rules of the books reach."""
    few = others.first(1)
    rows: dict[str, list[FloatArray]] = own.evolve(trees, others, few.given(), ["naive"], budget=1)["rows"]

    def share(errors: FloatArray, of: Trees) -> float:
        return float(100 * errors.sum() / of.n_test.sum())

    return {name: Reached(share(rows[name][0], trees), share(rows[name][1], others)) for name in own.RULES}


def _reached(outcome: Outcome, corpora: Sequence[Scorer]) -> Reached:
    with np.errstate(all="ignore"):
        return Reached(*(100 * corpus.rate(outcome.estimate(corpus.c, corpus.n)) for corpus in corpora))
