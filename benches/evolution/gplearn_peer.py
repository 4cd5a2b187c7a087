"""gplearn: its symbolic regressor with a custom fitness that prunes the trees by its predictions."""

from __future__ import annotations

import importlib.metadata
from typing import Any

import gplearn.functions
import numpy as np
from gplearn._program import _Program
from gplearn.fitness import make_fitness
from gplearn.functions import make_function
from gplearn.genetic import SymbolicRegressor

from .formulas import Formula, flat
from .outcome import Clock, Estimate, Outcome
from .scorer import Scorer
from .trees import FloatArray, Trees

NAMES = ("add", "sub", "mul", "div", "sqrt", "log", "abs", "max", "min")
PARSIMONY = 1e-5
"""Share of test rows that a symbol has to be worth."""

SETTINGS = (
    f"SymbolicRegressor(function_set={(*NAMES, 'exp', 'tanh')}, "
    f"const_range=(-1, 1), parsimony_coefficient={PARSIMONY}, otherwise as it comes), X the distinct pairs, "
    "a generation at a time (warm_start); random formulas to begin with, it takes no others"
)


def _exp(x: FloatArray) -> FloatArray:
    result: FloatArray = np.exp(np.minimum(x, 50.0))
    return result


FUNCTIONS = (
    *NAMES,
    make_function(function=_exp, name="exp", arity=1, wrap=False),
    make_function(function=np.tanh, name="tanh", arity=1, wrap=False),
)


def run(trees: Trees, seconds: float, seed: int) -> Outcome:
    """Evolve until the seconds are over."""
    clock, scorer = Clock(), Scorer(trees)

    def rate(y: FloatArray, y_pred: FloatArray, w: FloatArray) -> float:
        # gplearn tries a metric on a few numbers first.
        return scorer.rate(y_pred) if len(y_pred) == len(scorer.c) else 1.0

    X = np.asfortranarray(np.column_stack([scorer.c, scorer.n]))
    model = SymbolicRegressor(
        function_set=FUNCTIONS,
        const_range=(-1.0, 1.0),
        parsimony_coefficient=PARSIMONY,
        metric=make_fitness(function=rate, greater_is_better=False, wrap=False),
        feature_names=["c", "n"],
        warm_start=True,
        low_memory=True,
        generations=0,
        random_state=seed,
    )
    best: _Program | None = None
    with np.errstate(all="ignore"):
        while best is None or clock.seconds < seconds:
            model.set_params(generations=model.generations + 1).fit(X, np.zeros(len(X)))
            if best is None or model._program.raw_fitness_ < best.raw_fitness_:
                best = model._program
    return Outcome(
        tool="gplearn",
        version=importlib.metadata.version("gplearn"),
        settings=SETTINGS,
        seconds=clock.seconds,
        n_programs=scorer.n_programs,
        n_judged=scorer.n_decided,
        n_decisions=scorer.n_decided * scorer.n_subtrees,
        n_nodes=len(trees.n),
        formula=str(best),
        estimate=estimate(best),
        note=f"{model.generations} generations; {best.length_} symbols in the best formula",
    )


def estimate(program: Any) -> Estimate:
    """Return a program as a rule."""
    return lambda c, n: np.asarray(program.execute(np.column_stack([c, n])))


def written(formula: Formula) -> Estimate:
    """Return a formula as gplearn runs it."""
    functions = gplearn.functions._function_map
    return estimate(
        _Program(
            function_set=list(functions.values()),
            arities={},
            init_depth=(1, 1),
            init_method="grow",
            n_features=2,
            const_range=None,
            metric=None,
            p_point_replace=0.0,
            parsimony_coefficient=0.0,
            random_state=None,
            program=list(flat(formula, functions.__getitem__)),
        )
    )
