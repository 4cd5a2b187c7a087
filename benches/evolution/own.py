"""treewright: its evolution until its CPU seconds are over, and whole scores of given formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import treewright
from treewright import _core
from treewright.data.sources.linear_network import grid
from treewright.results import Progress
from treewright.search.evolution.learned import parsed

from .outcome import Clock, Outcome
from .trees import PRESET, FloatArray, Trees

ENDLESS = 2**62
SCREEN = 8
"""One tree in so many screens, the first ones."""

RULES = ("none", "naive", "error-based", "two constants")
"""Rules that it reports beside what it found."""

MOST_BITS = 240.0
SETTINGS = "learn_pruner's defaults from the naive rule; training trees do not become more; one thread"


def run(trees: Trees, others: Trees, seconds: float, seed: int) -> Outcome:
    """Evolve until the seconds are over; the others are for validation."""
    subtrees = [n_subtrees(trees.first(n)) for n in (-(-len(trees) // SCREEN), len(trees))]
    clock = Clock()

    def watch(progress: Progress) -> bool:
        return clock.seconds > seconds

    test = _drawn(seed + 2, 1500)
    found = evolve(trees, others, test, ["naive"], budget=ENDLESS, seed=seed, callback=watch)
    return _outcome(found, trees, subtrees, clock.seconds)


def evolve(
    train: Trees,
    validation: Trees,
    test: tuple[Any, ...],
    start: Sequence[str],
    *,
    budget: int,
    seed: int = 0,
    callback: Any = None,
) -> dict[str, Any]:
    """Call the engine as `learn_pruner` does."""
    programs = [_core.PruningProgram.naive() if text == "naive" else parsed(text) for text in start]
    return _core.evolve_pruning(
        train.given(),
        validation.given(),
        test,
        programs,
        most_train=len(train),
        objective="errors",
        seed=seed,
        budget=budget,
        most_bits=MOST_BITS,
        n_threads=1,
        callback=callback,
    )


def errors(trees: Trees, formula: str) -> FloatArray:
    """Return the errors on every tree under a formula."""
    return _core.pruning_errors(trees.given(), [parsed(formula)])[0]


def n_subtrees(trees: Trees) -> int:
    """Return the number of distinct subtrees that the engine decides."""
    few = trees.first(1)
    return int(evolve(trees, few, few.given(), ["naive"], budget=1)["extents"][0][3])


def scoring_seconds(trees: Trees, formulas: Sequence[str]) -> float:
    """Return the CPU seconds that scoring formulas wholly takes above scoring the first one."""
    given, programs = trees.given(), [parsed(formula) for formula in formulas]
    spent = []
    for some in (programs[:1], programs):
        clock = Clock()
        _core.pruning_errors(given, some)
        spent.append(clock.seconds)
    return spent[1] - spent[0]


def _drawn(seed: int, n_trees: int) -> tuple[Any, ...]:
    """Return trees that the engine draws itself."""
    networks = grid(PRESET)
    columns = [[getattr(network, name) for network in networks] for name in ("n_inputs", "n_removed")]
    return ("networks", *columns, [network.train_share for network in networks], seed, n_trees)


def _outcome(found: dict[str, Any], trees: Trees, subtrees: Sequence[int], seconds: float) -> Outcome:
    tally, n_programs = found["tally"], found["n_programs"]
    n_whole = tally["worse"] + tally["scored"]
    screen, whole = subtrees
    best = min(found["front"], key=_training)[0]
    shares = ", ".join(f"{name} {count / n_programs:.3f}" for name, count in sorted(tally.items()))
    return Outcome(
        tool="treewright",
        version=treewright.__version__,
        settings=SETTINGS,
        seconds=seconds,
        n_programs=n_programs,
        n_judged=n_whole + tally["screened"] + tally["known"],
        # A rule that passes the screen is decided on its trees again, with all others.
        n_decisions=(tally["screened"] + n_whole) * screen + n_whole * whole,
        n_nodes=len(trees.n),
        formula=" ".join(best.text.split("float =", 1)[-1].split()),
        estimate=lambda c, n: np.asarray(best.rates(c, n)),
        note=f"of all programs: {shares}",
    )


def _training(rule: tuple[Any, ...]) -> float:
    """Return the score in training: it, that in validation, and their errors end what is told of a rule."""
    score: float = rule[-4]
    return score
