"""`treewright evolve --program`: programs from trees to pruned trees, chosen and judged on other trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from treewright.cli._options import named_options
from treewright.cli._text import columns

if TYPE_CHECKING:
    from treewright import GreedyTreeClassifier
    from treewright.evolution import LearnedPruning, ProgramPruning, PruningProblem
    from treewright.results import Progress

USUAL = {"n_train": 60, "n_validation": 240, "n_test": 960}
"""Trees: a run of a program on one takes about a hundred times as long as a formula."""
BUDGET = 20_000
MOST_DRAWS = 10
"""Draws of validation trees: of a small data set, one is now and then a training tree again."""
OF_FORMULAS = ("objective", "patience", "most_train")
"""Parameters of the search for formulas alone."""

KEEP = """\
type mark = Mark of int
type tree = Leaf of mark * float * float | Node of mark * float * float * trees
type trees = Empty | More of tree * trees
fun prune(t: tree): tree * float = (t, 0.0)
"""
NAIVE, PRESET = "naive", "paper_table"
LEARNED = f"learned:{PRESET}"
CHOSEN = "the program"


@dataclass(frozen=True)
class Evolved:
    """The program that validation trees chose, and what it and others lose on all three kinds of trees."""

    rule: ProgramPruning
    data: str
    seed: int
    status: str
    n_programs: int
    n_front: int
    counted: str
    n_trees: Mapping[str, int]
    losses: Mapping[str, Mapping[str, float]]

    def report(self) -> str:
        """Return the program, and what prunings by it and by others lose for each tree."""
        heads = ["", *self.n_trees]
        rows = [
            (name, *(f"{lost[kind] / n:.3f}" for kind, n in self.n_trees.items()))
            for name, lost in self.losses.items()
        ]
        sizes = ", ".join(f"{n} {kind}" for kind, n in self.n_trees.items())
        return "\n".join(
            [
                f"Pruning program evolved on {self.data}, random_state={self.seed}",
                "",
                *(f"    {line}" for line in self.rule.text.rstrip().splitlines()),
                "",
                f"{self.counted} of a tree on rows that did not grow it ({sizes} trees)",
                "",
                *(f"  {line}" for line in columns(heads, rows).splitlines()),
                "",
                f"The search saw the training trees. The validation trees chose {CHOSEN} among",
                f"the {self.n_front} of the front, so its value there is too small on the mean. The test",
                "trees made and chose nothing.",
                f"status: {self.status}; {self.n_programs:,} programs",
            ]
        )

    def record(self) -> dict[str, object]:
        """Return all but the program for a document."""
        return {
            "seed": self.seed,
            "status": self.status,
            "n_programs": self.n_programs,
            "n_front": self.n_front,
            "counted": self.counted,
            "n_trees": dict(self.n_trees),
            "losses": [{"rule": name, **lost} for name, lost in self.losses.items()],
        }


def refuse_of_formulas() -> None:
    """Refuse options that only the search for formulas has."""
    for option in named_options():
        if option.name in OF_FORMULAS:
            raise click.UsageError(
                f"{option.opts[0]} is of the search for formulas; leave out --program or it."
            )


def evolve_program(
    data: object,
    told: str,
    start: str | LearnedPruning | ProgramPruning | None,
    estimator: GreedyTreeClassifier | None,
    callback: Callable[[Progress], bool],
    checkpoint: Path | None,
    resume: bool,
    search: Mapping[str, object],
) -> Evolved:
    """Evolve programs on training trees, let validation trees choose one, and judge it on test trees.

    Validation trees that have a training tree among them are drawn anew.
    """
    from treewright import ParameterError
    from treewright.evolution import LearnedPruning, ProgramEvolver, ProgramPruning, PruningProblem

    seed = int(str(search.get("random_state", 0)))
    n_trees = {name: int(str(search.get(name, usual))) for name, usual in USUAL.items()}
    seeds = np.random.SeedSequence(seed).generate_state(len(n_trees) + MOST_DRAWS - 1).tolist()
    draw = partial(PruningProblem, data, estimator=estimator)
    problems = [
        draw(n_trees=n, random_state=one)
        for n, one in zip(n_trees.values(), seeds[: len(n_trees)], strict=True)
    ]
    first = PruningProblem.start("naive" if start is None else start)
    evolver = ProgramEvolver(
        problems[0],
        first,
        validation=problems[1],
        budget=int(str(search.get("budget", BUDGET))),
        time_limit=search.get("time_limit"),  # type: ignore[arg-type]
        random_state=seed,
        n_jobs=search.get("n_jobs"),  # type: ignore[arg-type]
        callback=callback,
        most_bits=max(1500.0, 2 * first.bits),
    )
    for one in [*seeds[len(n_trees) :], None]:
        try:
            evolver.run(checkpoint=checkpoint, resume=resume)
            break
        except ParameterError as error:
            if error.name != "validation" or one is None:
                raise
            problems[1] = draw(n_trees=n_trees["n_validation"], random_state=one)
            evolver.validation = problems[1]
    known = {
        "no pruning": KEEP,
        NAIVE: PruningProblem.start(NAIVE).text,
        LEARNED: PruningProblem.start(LearnedPruning.preset(PRESET)).text,
        "the start": first.text,
        CHOSEN: evolver.best_.text,
    }
    names = [name.removeprefix("n_").replace("train", "training") for name in USUAL]
    return Evolved(
        ProgramPruning(evolver.best_.text),
        told,
        seed,
        evolver.status_,
        evolver.n_programs_,
        len(evolver.front_),
        "errors" if estimator is None else "cost of the errors",
        dict(zip(names, n_trees.values(), strict=True)),
        _losses(evolver.evaluate, problems, names, known),
    )


def _losses(
    evaluate: Callable[[PruningProblem, str], float],
    problems: Sequence[PruningProblem],
    names: Sequence[str],
    programs: Mapping[str, str],
) -> dict[str, dict[str, float]]:
    """Return what each program loses on the trees of each kind."""
    return {
        name: {kind: evaluate(problem, text) for kind, problem in zip(names, problems, strict=True)}
        for name, text in programs.items()
    }
