"""Two problems and their evolvers: a list reversed from examples, a curve fitted by a score."""

import numpy as np

from treewright.evolution import ExampleProblem, ProgramEvolver, ScoredProblem

LIST = "type list = Nil | Cons of int * list\n"
LISTS = [[], [4], [1, 2], [5, 3], [7, 1, 3], [2, 9, 4, 6]]
SAME = LIST + "fun f(xs: list): list = xs"
REVERSAL = ExampleProblem(LISTS, [xs[::-1] for xs in LISTS])
X = np.linspace(0, 2, 9)


def square(outputs):
    """Mean squared distance from x² + 1/2."""
    return ((outputs - (X * X + 0.5)) ** 2).mean(axis=1)


def curve(score=square, **more):
    return ScoredProblem(X, score, arrays=True, **more)


def reversing(problem=REVERSAL, start=SAME, **more):
    given = {"functions": ["Cons", "Nil", "case list"], "budget": 4000, **more}
    return ProgramEvolver(problem, start, **given)


def fitting(score=square, *, target=None, **more):
    functions = ["+", "-", "*", "constants"]
    problem = curve(score, target_loss=target)
    return ProgramEvolver(problem, "fun f(x: float): float = x", functions, **{"budget": 4000, **more})


def outcome(evolver):
    """All that must not depend on threads, time or interruptions, with the names in the programs."""
    front = [(one.program.text, one.loss, one.bits, one.steps, one.n_wrong) for one in evolver.front_]
    return front, evolver.n_programs_, evolver.n_judged_, evolver.solved_, evolver.seed_
