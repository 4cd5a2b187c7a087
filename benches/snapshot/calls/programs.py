"""Programs: called, printed in every language, and evolved from examples and scores."""

from __future__ import annotations

import pickle
from functools import partial as case
from typing import Any

import numpy as np

from benches.snapshot import facts
from treewright.evolution import (
    ExampleProblem,
    Program,
    ProgramEvolver,
    PruningProblem,
    ScoredProblem,
)

NAME = "program"

LIST = "type list = Nil | Cons of int * list\n"
TOTAL = LIST + "fun total(xs: list): int = case xs of Nil => 0 | Cons(x, rest) => x + total(rest)"
AREA = "fun area(x: float, y: float): float = if x < y then x * y / 2.0 + 0.0 else sqrt(abs(x - y))"
TREE = """
type tree = Leaf | Node of tree * int * tree
fun left(t: tree): tree * bool = case t of Leaf => (t, true) | Node(below, key, other) => (below, false)
"""
LISTS = [[], [4], [1, 2], [5, 3], [7, 1, 3], [2, 9, 4, 6]]
X = np.linspace(0, 2, 9)


def described(text: str, *calls: tuple[Any, ...]) -> facts.Facts:
    """Say all about a program, and what it makes of some arguments."""
    program = Program(text)
    return {
        "text": program.text,
        "size": program.size,
        "bits": program.bits,
        "simplified": program.simplify().text,
        "code": {language: program.code(language) for language in ("python", "rust", "sml", "latex")},
        "values": [program(*arguments) for arguments in calls],
        "same": [
            Program.from_json(program.to_json()) == program,
            pickle.loads(pickle.dumps(program)) == program,
        ],
        "json": facts.document(program.to_json()),
    }


def square(outputs: Any) -> Any:
    """Return the mean squared distance from x² + 1/2."""
    return ((outputs - (X * X + 0.5)) ** 2).mean(axis=1)


def reversing(**options: Any) -> ProgramEvolver:
    """Return a search for what reverses a list."""
    problem = ExampleProblem(LISTS, [xs[::-1] for xs in LISTS])
    given = {"functions": ["Cons", "Nil", "case list"], "budget": 4000, **options}
    return ProgramEvolver(problem, LIST + "fun f(xs: list): list = xs", **given)


def fitting(**options: Any) -> ProgramEvolver:
    """Return a search for a curve by its score."""
    problem = ScoredProblem(X, square, arrays=True, target_loss=options.pop("target", None))
    given = {"functions": ["+", "-", "*", "constants"], "budget": 4000, **options}
    return ProgramEvolver(problem, "fun f(x: float): float = x", **given)


def pruning(**options: Any) -> ProgramEvolver:
    """Return a search for a program that prunes trees."""
    problem = PruningProblem("paper_table", n_trees=10)
    return ProgramEvolver(problem, PruningProblem.start(), **{"most_bits": 1500, "budget": 600, **options})


def outcome(evolver: ProgramEvolver) -> facts.Facts:
    """Return all that a search found."""
    front = [[one.program.text, one.loss, one.bits, one.steps, one.n_wrong] for one in evolver.front_]
    return {
        "front": front,
        "best": evolver.best_.text,
        "status": evolver.status_,
        "solved": evolver.solved_,
        "made": evolver.n_programs_,
        "judged": evolver.n_judged_,
        "seed": evolver.seed_,
    }


def evolved(make: Any, **options: Any) -> facts.Facts:
    """Run a search."""
    return outcome(make(**options).run())


def resumed(make: Any) -> facts.Facts:
    """Store a search half the way, and go on."""
    make(budget=1000).run(checkpoint="search.json")
    return outcome(make().run(checkpoint="search.json", resume=True))


def other_view() -> facts.Facts:
    """Compare outputs by what a program makes of them."""
    start = "fun f(a: int, b: int): int = a"
    pairs = [(1, 2), (3, 3), (2, 5), (4, 1)]
    problem = ExampleProblem(pairs, [a * a - b for a, b in pairs])
    helped = "fun square(x: int): int = x * x\n" + start
    evolver = ProgramEvolver(problem, helped, ["-", "square"], budget=4000, polish=0)
    return outcome(evolver.run())


CASES = {
    "described/total": case(described, TOTAL, ([3, 4, 5],), ([],)),
    "described/area": case(described, AREA, (1.0, 2.0), (4.0, 2.0)),
    "described/tree": case(described, TREE, (("Node", ("Node", "Leaf", 1, "Leaf"), 2, "Leaf"),), ("Leaf",)),
    "described/pruning": case(described, PruningProblem.start("observed").text),
    "evolved/reversal": case(evolved, reversing),
    "evolved/reversal,seed=5,polish=500": case(evolved, reversing, random_state=5, polish=500),
    "evolved/reversal,n_jobs=2": case(evolved, reversing, n_jobs=2),
    "evolved/reversal,all-functions": case(evolved, reversing, functions=None, most_bits=200, max_steps=300),
    "evolved/curve": case(evolved, fitting),
    "evolved/curve,target": case(evolved, fitting, target=1e-9, polish=200),
    "evolved/helper": other_view,
    "evolved/pruning": case(evolved, pruning),
    "resumed/reversal": case(resumed, reversing),
    "resumed/curve": case(resumed, fitting),
}
