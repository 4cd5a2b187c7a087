"""`treewright evolve`: a pruning rule for a family of data."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._files import checked_out, write_whole
from treewright.cli._front import FrontView
from treewright.cli._options import (
    JSON,
    SOURCE,
    given_options,
    options,
    out_option,
    output_option,
    parameter_options,
    search_option,
    with_defaults,
)
from treewright.cli._progress import FirstCtrlC
from treewright.cli._pruning import learned_rule, names_learned
from treewright.cli._sections import Command
from treewright.cli.study.options import PROGRESS, loaded

if TYPE_CHECKING:
    from treewright.evolution import LearnedPruning
    from treewright.results import Progress

LEARN = "treewright.evolution.learn_pruner"
OF_DATA = ("target", "folder", "drop", "nominal", "numeric", "missing_values", "delimiter", "encoding")


@click.command(
    cls=Command,
    short_help="Evolve a pruning rule for a family of data.",
    examples=(
        "treewright evolve --generator paper_table --out rule.json",
        "treewright evolve tic-tac-toe monks-1 monks-3 --budget 20000 --trees 300",
        "treewright evolve --generator paper_text --checkpoint run.json --resume",
        "treewright evolve --generator paper_text --generator paper_table",
        "treewright evolve --generator paper_text --budget 500000 --patience 80000",
    ),
)
@options(click.argument("data", nargs=-1), *SOURCE[1:])
@options(
    search_option(
        "--generator",
        "generators",
        type=click.Choice(["paper_text", "paper_table"]),
        multiple=True,
        metavar="NAME",
        help="Draw sets in place of DATA: training shares as the paper's text has them (paper_text), or half "
        "of that, which its table agrees with (paper_table). Repeatable, for sets of both in turn.",
    ),
    *parameter_options(
        LEARN,
        "start",
        "objective",
        "budget",
        "patience",
        "time_limit",
        "n_train",
        "most_train",
        "n_validation",
        "n_test",
        section="Search",
    ).values(),
    search_option(
        "--checkpoint",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        callback=checked_out,
        help="File that keeps the state of the run, every ten seconds and at the end.",
    ),
    search_option(
        "--resume", is_flag=True, help="Go on from the file that --checkpoint names, if it is there."
    ),
    *parameter_options(LEARN, "random_state", "n_jobs", section="Search").values(),
)
@options(out_option("Write the rule and its record to a JSON file."))
@options(
    output_option(
        "--code",
        type=click.Choice(["python", "rust", "sml", "latex"]),
        metavar="LANGUAGE",
        help="Print the rule as python, rust, sml or latex in place of the report.",
    ),
    JSON,
    PROGRESS,
)
def evolve(
    data: tuple[str, ...],
    generators: tuple[str, ...],
    checkpoint: Path | None,
    resume: bool,
    out: Path | None,
    code: str | None,
    as_json: bool,
    progress: bool,
    **given: Any,
) -> None:
    """Evolve a pruning rule: a formula of the counts of a leaf.

    Formulas are varied at random; each prunes trees whose test rows are known,
    and the best of every size stay. The one that is best on other trees is the
    answer, and a third lot of trees tells what it is worth beside the rules of
    the books.

    Trees are grown from sets that are drawn (--generator) or from random
    halves of DATA, a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists. The same seed gives the same rule for every
    number of threads. On a terminal the front is shown while it grows: rules
    that beat all smaller ones in training. The first Ctrl-C ends the search and
    reports.
    """
    from treewright.evolution import learn_pruner

    if bool(data) == bool(generators):
        raise click.UsageError("Give DATA or --generator, one of the two.")
    _check_generators(generators)
    if resume and checkpoint is None:
        raise click.UsageError("--resume goes with --checkpoint FILE, the file to go on from.")
    if checkpoint is not None and checkpoint.exists() and not resume:
        raise click.UsageError(
            f"--checkpoint: {str(checkpoint)!r} is there already; go on with --resume, or name another."
        )
    if code is not None and as_json:
        raise click.UsageError("--json and --code are two forms of one answer: give one of them.")
    source = {name: given.pop(name) for name in OF_DATA}
    asked = with_defaults(LEARN, given)
    most, n_train = asked["most_train"], asked["n_train"]
    if most is not None and most < n_train:
        raise click.UsageError(f"--most-trees {most} is below --trees {n_train}: trees never become fewer.")
    asked["start"] = _first_rule(asked["start"])
    family: list[Any] = list(generators) or list(loaded(data, source).values())
    with FirstCtrlC() as ctrl_c, FrontView(progress) as view:

        def watch(progress: Progress) -> bool:
            view(progress)
            if ctrl_c.is_pressed:
                view.end()
            return ctrl_c.is_pressed

        rule = learn_pruner(
            family[0] if len(family) == 1 else family,
            **asked,
            callback=watch,
            checkpoint=checkpoint,
            resume=resume and checkpoint is not None and checkpoint.exists(),
        )
    if out is not None:
        write_whole(out, rule.to_json() + "\n")
    if as_json:
        click.echo(rule.to_json())
    else:
        click.echo(rule.report() if code is None else rule.code(code), nl=False)
    if ctrl_c.exit_code:
        raise SystemExit(ctrl_c.exit_code)


def _check_generators(generators: tuple[str, ...]) -> None:
    """Refuse a generator that is named twice, and options that speak of DATA beside one."""
    if len(set(generators)) < len(generators):
        raise click.UsageError(f"--generator names {generators[0]!r} more than once.")
    for option in given_options() if generators else []:
        if getattr(option, "section", None) == "Data":
            raise click.UsageError(f"{option.opts[0]} says how DATA is read; --generator draws its sets.")


def _first_rule(text: str) -> str | LearnedPruning:
    """Return the rule that --start names, a formula as it is."""
    from treewright import ParameterError
    from treewright.search.evolution.formula import parsed
    from treewright.search.evolution.learn import STARTS

    if names_learned(text):
        return learned_rule(text)
    place = _place(text)
    if place and text not in ("naive", *STARTS):
        try:
            parsed(text)
        except ParameterError as error:
            raise click.BadParameter(f"{error}; {place}", param_hint="'--start'") from None
    return text


def _place(text: str) -> str:
    """Say what a text names that is no formula, if it reads like a place."""
    if text and Path(text).is_dir():
        return "it is a folder: give a file that `treewright evolve --out` wrote"
    return "there is no file of that name either" if re.fullmatch(r"[\w./\\:-]+", text) else ""
