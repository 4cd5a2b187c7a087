"""`treewright evolve`: a pruning rule for a family of data."""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._differences import GENERATOR
from treewright.cli._growing import takes_prices
from treewright.cli._header import below
from treewright.cli._labels import with_labels_of_all
from treewright.cli._option import Words
from treewright.cli._options import (
    check_resume,
    named_options,
    options,
    output_option,
    parameter_options,
    resume_options,
    search_option,
    takes_data,
    takes_output,
)
from treewright.cli._output import Output
from treewright.cli._pruning import learned_rule
from treewright.cli._pruning_program import BUDGET, USUAL, evolve_program, refuse_of_formulas
from treewright.cli._readers import names_learned
from treewright.cli._running import FirstCtrlC, ProgressLine
from treewright.cli._signature import Given, given, parameters_of
from treewright.cli._source import Reading, refuse_repeated
from treewright.cli._text import data_facts, header

if TYPE_CHECKING:
    from treewright.evolution import LearnedPruning, ProgramPruning
    from treewright.results import Progress

LEARN = "treewright.evolution.learn_pruner"
GENERATORS = parameters_of("treewright.studies.compare_pruning")["generator"].choices


@click.command(
    cls=Command,
    first=(
        "generators",
        "target",
        "start",
        "objective",
        "budget",
        "time_limit",
        "n_train",
        "checkpoint",
        "resume",
        "random_state",
        "n_jobs",
        "out",
        "code",
    ),
    examples=(
        "treewright evolve --generator paper_table --out rule.json",
        "treewright evolve tic-tac-toe monks-1 monks-3 --budget 20000 --trees 300",
        "treewright evolve --generator paper_text --checkpoint run.json --resume",
        "treewright evolve --generator paper_text --generator paper_table",
        "treewright evolve --generator paper_text --budget 500000 --patience 80000",
        "treewright evolve --generator paper_table --program --out program.json",
    ),
)
@takes_data(n=-1, required=False)
@takes_prices
@options(
    search_option(
        "--generator",
        "generators",
        type=Words(GENERATORS),
        multiple=True,
        metavar="NAME",
        help=f"{GENERATOR} Repeatable, to alternate between both.",
    ),
    *parameter_options(
        LEARN,
        *("start", "objective", "budget", "patience", "time_limit"),
        *("n_train", "most_train", "n_validation", "n_test"),
        section="Search",
    ).values(),
    search_option(
        "--program",
        "whole",
        is_flag=True,
        help="Evolve a whole program from a tree to the pruned tree, not a formula. Usual are then "
        f"{BUDGET} programs and {USUAL['n_train']}, {USUAL['n_validation']} and {USUAL['n_test']} trees.",
    ),
    *resume_options().values(),
    *parameter_options(LEARN, "random_state", "n_jobs", section="Search").values(),
)
@takes_output("Write the rule and its record to a JSON file.", "as_json", "progress")
@output_option(
    "--code",
    type=click.Choice(["python", "rust", "sml", "latex"]),
    metavar="LANGUAGE",
    help="Print the rule as python, rust, sml or latex instead of the report.",
)
def evolve(
    data: tuple[str, ...],
    reading: Reading,
    prices: Given,
    generators: tuple[str, ...],
    start: str | None,
    checkpoint: Path | None,
    whole: bool,
    resume: bool,
    code: str | None,
    output: Output,
    **search: object,
) -> int:
    """Evolve a pruning rule: a formula of the counts of a leaf (genetic programming).

    Formulas are changed at random. Each formula prunes training trees and is scored by their errors on
    held-out rows; the best of every size are kept. Validation trees choose the final formula, and test
    trees compare it with known rules.

    Trees are grown from generated data sets (--generator) or from random halves
    of DATA, a CSV file (gzip-compressed or not) or the name of a data set that
    `treewright datasets` lists. The same seed gives the same rule for every
    number of threads. A terminal shows the Pareto front during the search:
    rules that beat all smaller ones in training. The first Ctrl-C ends the
    search and prints the report. With --cost-matrix what the errors cost is
    minimised.
    """
    from treewright import GreedyTreeClassifier, ParameterError
    from treewright.evolution import learn_pruner

    _check(data, generators)
    check_resume(checkpoint, resume)
    if code is not None and output.as_json:
        raise click.UsageError("--json and --code are two forms of one answer: give one of them.")
    first = None if start is None else _first_rule(start)
    if whole:
        refuse_of_formulas()
    own = reading.load_all(data)
    family: list[object] = [*generators, *own.values()]
    priced = with_labels_of_all(prices, own.values())
    with FirstCtrlC() as ctrl_c, FrontView(output.progress) as view:

        def watch(progress: Progress) -> bool:
            view(progress)
            if ctrl_c.is_heard:
                view.end()
            return ctrl_c.is_heard

        source = family[0] if len(family) == 1 else family
        estimator = GreedyTreeClassifier(**priced) if priced else None
        goes_on = resume and checkpoint is not None and checkpoint.exists()
        try:
            if whole:
                told = f"generated data ({', '.join(generators)})" if generators else ", ".join(own)
                wanted = given(**search)
                found = evolve_program(source, told, first, estimator, watch, checkpoint, goes_on, wanted)
            else:
                rule = learn_pruner(
                    source,
                    **given(**search, start=first, checkpoint=checkpoint),
                    estimator=estimator,
                    callback=watch,
                    resume=goes_on,
                )
        except ParameterError as error:
            if error.name != "start" or not re.fullmatch(r"[\w./\\:-]+", start or ""):
                raise
            place = "there is no file of that name either"
            raise click.BadParameter(f"{error}; {place}", param_hint="'--start'") from None
    read = [data_facts(name, dataset) for name, dataset in own.items()]
    if whole:
        head = {**header("pruning-program", read), "record": found.record()}
        output.give(
            document=lambda: below(head, found.rule.to_json()),
            text=found.report if code is None else lambda: found.rule.code(code),
        )
        return ctrl_c.exit_code
    output.give(
        document=lambda: below(header("learned-pruning", read), rule.to_json()),
        text=rule.report if code is None else lambda: rule.code(code),
    )
    return ctrl_c.exit_code


def _check(data: tuple[str, ...], generators: tuple[str, ...]) -> None:
    """Refuse several sources, and options that speak of DATA beside a generator."""
    if bool(data) == bool(generators):
        raise click.UsageError("Give DATA or --generator, one of the two.")
    refuse_repeated("--generator", generators)
    for option in named_options() if generators else []:
        if option.section == "Data":
            raise click.UsageError(f"{option.opts[0]} says how DATA is read; --generator draws its sets.")
        if option.section == "Classes":
            raise click.UsageError(f"{option.opts[0]} names classes of DATA; --generator draws its sets.")


def _first_rule(text: str) -> str | LearnedPruning | ProgramPruning:
    """Return the rule that --start names, a formula as it is."""
    if names_learned(text):
        return learned_rule(text)
    if text and Path(text).is_dir():
        place = "it is a folder: give a file that `treewright evolve --out` wrote"
        raise click.BadParameter(f"{text!r} is no rule; {place}", param_hint="'--start'")
    return text


_REDRAWN_SECONDS = 0.2
_SPEED_SECONDS = 10.0
"""Over how long programs per second are counted."""

_SMALL_SCREEN = os.terminal_size((80, 24))


class FrontView(ProgressLine):
    """A callback that shows the rules found so far on a terminal; elsewhere a line now and then.

    On a terminal the table of the front stands above a line of counts; both are wiped at the end. A table
    that is too high for the screen loses its smallest rules, a line that is too long its end.
    """

    def __init__(self, wanted: bool) -> None:
        super().__init__(wanted, "programs", "at best in training")
        self._n_lines = 0
        self._is_ended = False
        self._seen: deque[tuple[float, int]] = deque()

    def __call__(self, progress: Progress) -> bool:
        """Show the front if it is time to; never ask to stop."""
        if self._is_ended:
            return False
        if progress.done == 0:
            self._seen.clear()
        self._seen.append((progress.elapsed, progress.done))
        while progress.elapsed - self._seen[0][0] > _SPEED_SECONDS:
            self._seen.popleft()
        if not self._rewrites:
            return super().__call__(progress)
        if progress.elapsed >= self._next:
            self._next = progress.elapsed + _REDRAWN_SECONDS
            self._draw([*_table(progress), self._described(progress)])
        return False

    def end(self) -> None:
        """Say, once, that the search ends here."""
        if self._is_ended:
            return
        self._is_ended = True
        text = "Stopped. The report follows; Ctrl-C again ends without it."
        if self._rewrites:
            self._draw([text])
        elif self._shows:
            self._write(text)

    def __exit__(self, *_: object) -> None:
        if self._n_lines:
            self._draw([""])

    def _draw(self, lines: Sequence[str]) -> None:
        """Put lines in place of those that stand there."""
        width, height = _screen()
        kept = [*lines[:1], *lines[1:][2 - height :]] if len(lines) > height - 1 else lines
        up = f"\x1b[{self._n_lines - 1}A" if self._n_lines > 1 else ""
        text = "\n".join(line[: width - 1] for line in kept)
        print(f"{up}\r\x1b[J{text}", end="", file=sys.stderr, flush=True)
        self._n_lines = len(kept)

    def _described(self, progress: Progress) -> str:
        if progress.done == 0:
            waiting = progress.text if progress.text and not _table(progress) else "growing trees"
            return f"{waiting}, {progress.elapsed:.1f} s"
        (before, first), (now, last) = self._seen[0], self._seen[-1]
        speed = (last - first) / (now - before) if now > before else 0.0
        return f"{super()._described(replace(progress, text=None))}, {speed:,.0f} programs a second"


def _table(progress: Progress) -> list[str]:
    """Return the lines of the front, if that is what there is to look at."""
    lines = (progress.text or "").splitlines()
    return lines if len(lines) > 1 else []


def _screen() -> os.terminal_size:
    try:
        return os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        return _SMALL_SCREEN
