"""DEAP: strongly typed genetic programming, compiled, scored by columns or node by node."""

from __future__ import annotations

import importlib.metadata
import math
import operator
import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from deap import algorithms, base, creator, gp, tools

from .formulas import Formula, naive, prefix
from .node_by_node import NodeByNode
from .outcome import Clock, Estimate, Outcome
from .scorer import Scorer
from .trees import Trees

POPULATION = 500
MOST_SYMBOLS = 50
SETTINGS = (
    f"PrimitiveSetTyped, gp.compile, {POPULATION} individuals, one of them the naive rule and the others "
    f"random, tournaments of 5, one-point crossover 0.6, uniform mutation 0.3, at most {MOST_SYMBOLS} symbols"
)

COLUMNS: Mapping[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "sqrt": np.sqrt,
    "log": np.log,
    "exp": np.exp,
    "tanh": np.tanh,
    "abs": np.abs,
    "max": np.maximum,
    "min": np.minimum,
    "less": np.less,
    "choose": np.where,
}

SCALARS: Mapping[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "sqrt": math.sqrt,
    "log": math.log,
    "exp": math.exp,
    "tanh": math.tanh,
    "abs": abs,
    "max": max,
    "min": min,
    "less": operator.lt,
    "choose": lambda condition, yes, no: yes if condition else no,
}

CONSTANT = partial(random.uniform, -1.0, 1.0)
UNARY = ("sqrt", "log", "exp", "tanh", "abs")


def primitives(functions: Mapping[str, Callable[..., Any]], name: str) -> gp.PrimitiveSetTyped:
    """Return the language over these functions."""
    language = gp.PrimitiveSetTyped(name, [float, float], float)
    language.renameArguments(ARG0="c", ARG1="n")
    for symbol, function in functions.items():
        if symbol == "less":
            language.addPrimitive(function, [float, float], bool, name=symbol)
        elif symbol == "choose":
            language.addPrimitive(function, [bool, float, float], float, name=symbol)
        else:
            n_arguments = 1 if symbol in UNARY else 2
            language.addPrimitive(function, [float] * n_arguments, float, name=symbol)
    language.addTerminal(True, bool)
    language.addTerminal(False, bool)
    language.addEphemeralConstant("constant", CONSTANT, float)
    return language


def toolbox(language: gp.PrimitiveSetTyped) -> base.Toolbox:
    """Return the usual operators, with a limit of size."""
    if not hasattr(creator, "Rule"):
        creator.create("Fewest", base.Fitness, weights=(-1.0,))
        creator.create("Rule", gp.PrimitiveTree, fitness=creator.Fewest)
    box = base.Toolbox()
    box.register("expression", gp.genHalfAndHalf, pset=language, min_=2, max_=5)
    box.register("individual", tools.initIterate, creator.Rule, box.expression)
    box.register("select", tools.selTournament, tournsize=5)
    box.register("mate", gp.cxOnePoint)
    box.register("piece", gp.genFull, min_=0, max_=2)
    box.register("mutate", gp.mutUniform, expr=box.piece, pset=language)
    for name in ("mate", "mutate"):
        box.decorate(name, gp.staticLimit(key=len, max_value=MOST_SYMBOLS))
    return box


def run(trees: Trees, seconds: float, seed: int) -> Outcome:
    """Evolve, scored by columns, until the seconds are over."""
    clock, scorer = Clock(), Scorer(trees)
    language = primitives(COLUMNS, "columns")

    def rate(rule: gp.PrimitiveTree) -> float:
        return scorer.rate(_column(gp.compile(rule, language)(scorer.c, scorer.n), scorer))

    with np.errstate(all="ignore"):
        best, n_generations = _evolved(language, rate, clock, seconds, seed)
    return Outcome(
        tool="DEAP",
        version=importlib.metadata.version("deap"),
        settings=SETTINGS,
        seconds=clock.seconds,
        n_programs=scorer.n_programs,
        n_judged=scorer.n_decided,
        n_decisions=scorer.n_decided * scorer.n_subtrees,
        n_nodes=len(trees.n),
        formula=str(best),
        estimate=_estimate(best, language),
        note=f"{n_generations} generations; {len(best)} symbols in the best formula",
    )


def run_naively(trees: Trees, seconds: float, seed: int) -> Outcome:
    """Evolve with a Python call a node."""
    clock, scorer = Clock(), NodeByNode(trees)
    language = primitives(SCALARS, "scalars")

    def rate(rule: gp.PrimitiveTree) -> float:
        return scorer.rate(gp.compile(rule, language))

    best, n_generations = _evolved(language, rate, clock, seconds, seed)
    return Outcome(
        tool="DEAP, node by node",
        version=importlib.metadata.version("deap"),
        settings=f"{SETTINGS}; scalar functions, one call a node, {len(trees)} trees",
        seconds=clock.seconds,
        n_programs=scorer.n_programs,
        n_judged=scorer.n_judged,
        n_decisions=scorer.n_decisions,
        n_nodes=len(trees.n),
        formula=str(best),
        estimate=_estimate(best, primitives(COLUMNS, "read")),
        note=f"{n_generations} generations; {len(best)} symbols in the best formula",
    )


def written(formula: Formula) -> Estimate:
    """Return a formula as DEAP runs it over columns."""
    language = primitives(COLUMNS, "columns")
    return _estimate(gp.PrimitiveTree.from_string(prefix(formula), language), language)


def written_scalar(formula: Formula) -> Callable[[float, float], float]:
    """Return a formula as DEAP runs it on numbers."""
    language = primitives(SCALARS, "scalars")
    rule: Callable[[float, float], float] = gp.compile(prefix(formula), language)
    return rule


def _estimate(rule: gp.PrimitiveTree, language: gp.PrimitiveSetTyped) -> Estimate:
    compiled = gp.compile(rule, language)
    return lambda c, n: np.broadcast_to(np.asarray(compiled(c, n), dtype=float), c.shape)


def _column(values: Any, scorer: Scorer) -> Any:
    """Spread the one number that a formula without c and n gives."""
    return values if np.ndim(values) else np.full(len(scorer.c), float(values))


def _evolved(
    language: gp.PrimitiveSetTyped,
    rate: Callable[[gp.PrimitiveTree], float],
    clock: Clock,
    seconds: float,
    seed: int,
) -> tuple[gp.PrimitiveTree, int]:
    """Run DEAP's simple evolution until the seconds are over; return the best ever and the generations."""
    random.seed(seed)
    box = toolbox(language)
    first = creator.Rule(gp.PrimitiveTree.from_string(prefix(naive()), language))
    population = [first, *(box.individual() for _ in range(POPULATION - 1))]
    best, n_generations = tools.HallOfFame(1), 0
    while True:
        for rule in population:
            if clock.seconds > seconds:
                break
            if not rule.fitness.valid:
                rule.fitness.values = (rate(rule),)
        judged = [rule for rule in population if rule.fitness.valid]
        best.update(judged)
        n_generations += 1
        if len(judged) < len(population):
            return best[0], n_generations
        population = algorithms.varAnd(box.select(population, POPULATION), box, 0.6, 0.3)
