"""treewright: its evolution until its CPU seconds are over, and whole scores of given formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import treewright
from treewright import _core
from treewright._base.params import Limits
from treewright.results import Progress
from treewright.search.evolution.formula import parsed

from .outcome import Clock, Outcome
from .trees import FloatArray, Trees

ENDLESS = 2**62
SCREEN = 8
"""One tree in so many screens, the first ones."""

RULES = ("none", "naive", "error-based", "two constants")
"""Rules that it reports beside what it found."""

MOST_BITS = 240.0
VERDICTS = ("known", "scored", "screened", "undefined", "worse")
SETTINGS = "learn_pruner's defaults from the naive rule; training trees do not become more; one thread"


def run(trees: Trees, others: Trees, seconds: float, seed: int) -> Outcome:
    """Evolve until the seconds are over; the others are for validation."""
    subtrees = [n_subtrees(trees.first(n)) for n in (-(-len(trees) // SCREEN), len(trees))]
    clock = Clock()

    def watch(progress: Progress) -> bool:
        return clock.seconds > seconds

    found = evolve(trees, others, ["naive"], budget=ENDLESS, seed=seed, callback=watch)
    return _outcome(found, trees, subtrees, clock.seconds)


def evolve(
    train: Trees,
    validation: Trees,
    start: Sequence[str],
    *,
    budget: int,
    seed: int = 0,
    callback: Any = None,
) -> _core.EvolvedRules:
    """Call the engine as `learn_pruner` does; what it reports of test trees is not looked at."""
    programs = [_core.Program.naive() if text == "naive" else parsed(text) for text in start]
    return _core.evolve_pruning(
        _core.TreeCorpora.grown(train.given(), validation.given(), validation.first(1).given()),
        programs,
        n_train=len(train),
        most_train=len(train),
        objective="errors",
        seed=seed,
        budget=budget,
        most_bits=MOST_BITS,
        limits=Limits(callback=callback),
    )


def errors(trees: Trees, formula: str) -> FloatArray:
    """Return the errors on every tree under a formula."""
    of_rules: FloatArray = _core.pruning_errors(_corpora(trees), [parsed(formula)])[0]
    return of_rules


def n_subtrees(trees: Trees) -> int:
    """Return the number of distinct subtrees that the engine decides."""
    few = trees.first(1)
    return evolve(trees, few, ["naive"], budget=1).extents[0].n_subtrees


def scoring_seconds(trees: Trees, formulas: Sequence[str]) -> float:
    """Return the CPU seconds that scoring formulas wholly takes above scoring the first one."""
    given, programs = _corpora(trees), [parsed(formula) for formula in formulas]
    spent = []
    for some in (programs[:1], programs):
        clock = Clock()
        _core.pruning_errors(given, some)
        spent.append(clock.seconds)
    return spent[1] - spent[0]


def _corpora(trees: Trees) -> _core.TreeCorpora:
    """Return trees as the first of three corpora."""
    given = trees.given()
    return _core.TreeCorpora.grown(given, given, given)


def _outcome(found: _core.EvolvedRules, trees: Trees, subtrees: Sequence[int], seconds: float) -> Outcome:
    tally, n_programs = found.tally, found.n_programs
    n_whole = tally.worse + tally.scored
    screen, whole = subtrees
    best = min(found.front, key=lambda rule: rule.train.value).program
    shares = ", ".join(f"{name} {getattr(tally, name) / n_programs:.3f}" for name in VERDICTS)
    return Outcome(
        tool="treewright",
        version=treewright.__version__,
        settings=SETTINGS,
        seconds=seconds,
        n_programs=n_programs,
        n_judged=n_whole + tally.screened + tally.known,
        # A rule that passes the screen is decided on its trees again, with all others.
        n_decisions=(tally.screened + n_whole) * screen + n_whole * whole,
        n_nodes=len(trees.n),
        formula=" ".join(best.text.split("float =", 1)[-1].split()),
        estimate=lambda c, n: np.asarray(best.rates(c, n)),
        note=f"of all programs: {shares}",
    )
