"""`treewright reproduce`: the tables of the papers, made again, with a verdict for every number."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from treewright.cli._command import Command
from treewright.cli._header import below
from treewright.cli._option import Option
from treewright.cli._options import (
    FOLDER,
    check_resume,
    gathered,
    options,
    parameter_options,
    takes_output,
)
from treewright.cli._output import PAGES, Output
from treewright.cli._pruning import RuleOption, rule_by_name
from treewright.cli._running import DONE, QUIET, Interruption, note
from treewright.cli._signature import Given, given
from treewright.cli._text import header, screen_width

if TYPE_CHECKING:
    from treewright.studies import PublishedTables, Reproduction

ENDINGS = (*PAGES, ".csv", ".tex", ".txt", ".json")
OWNER = "treewright.studies.reproduce"
ALL = "all"

RULE = RuleOption(
    "--rule",
    "Rule that stands for the evolved one in tables of the paper on pruning.",
    usual="published-evolved",
    untold=("estimator",),
    may_be_none=False,
)

_CONDUCT = parameter_options(
    OWNER,
    *("effort", "random_state", "time_limit", "n_jobs", "checkpoint", "resume"),
    section="Study",
)


@click.command(
    cls=Command,
    first=(
        *("every", "lists", "effort", "rule_name", "folder", "time_limit", "n_jobs", "checkpoint", "resume"),
        *("out", "numbers", "as_json", "latex"),
    ),
    examples=(
        "treewright reproduce --list",
        "treewright reproduce pruning:table-1 planes:table-2 --out page.html",
        "treewright reproduce --all --checkpoint all.json --resume",
    ),
)
@click.argument("what", nargs=-1, metavar="[PAPER[:TABLE]]...")
@options(
    click.option(
        "--all", "every", cls=Option, section="Study", is_flag=True, help="All tables of all papers."
    ),
    click.option(
        "--list",
        "lists",
        cls=Option,
        section="Study",
        is_flag=True,
        help="List the tables: what each needs, how long it takes, whether it can be had.",
    ),
)
@RULE.decorator()
@gathered("conduct", _CONDUCT, given)
@FOLDER
@takes_output(
    "Write the result to a file: a page (.html), .csv, LaTeX (.tex), .txt or .json.",
    *("as_json", "latex", "progress"),
    numbers="Write all cells to a CSV file.",
    endings=ENDINGS,
)
def reproduce(
    what: tuple[str, ...],
    every: bool,
    lists: bool,
    conduct: Given,
    rule_name: str | None,
    folder: Path | None,
    output: Output,
) -> int:
    """Make tables and figures of the published papers again.

    PAPER is distinct-trees, decision-tables, pruning, fixed-depth or planes;
    with :TABLE behind it, such as pruning:table-1, one table alone. Each number
    of the paper stands beside ours, with the standard error of the difference
    and a verdict: agrees, differs, or cannot be compared, with the reason. Stop
    with Ctrl-C: what is completed is shown.
    """
    names = [ALL] if every else list(what)
    if bool(what) + every > 1 or not (names or lists):
        raise click.UsageError("Give PAPER or PAPER:TABLE, or --all, one of the two; --list lists them.")
    if rule_name is not None:
        conduct = {**conduct, "rule": rule_by_name("--rule", rule_name)}
    if lists:
        return _listed(names or [ALL], folder, conduct, output)
    check_resume(conduct.get("checkpoint"), bool(conduct.get("resume")))
    return _made(names, folder, conduct, output)


def _forms(found: PublishedTables | Reproduction) -> dict[str, Callable[[], str]]:
    """Return what --out writes, by the end of the file's name."""
    endings = {".csv": found.to_csv, ".tex": found.to_latex, ".txt": found.to_text}
    return {**dict.fromkeys(PAGES, found.to_html), **endings}


def _listed(names: list[str], folder: Path | None, conduct: Given, output: Output) -> int:
    from treewright.studies import published_tables

    if idle := [name for name, value in conduct.items() if value not in (None, False, 0)]:
        raise click.UsageError(f"--list runs nothing: leave out --{idle[0].replace('_', '-')}.")
    found = published_tables(names, folder=folder)
    output.give(
        document=lambda: below(header("reproduce-list"), found.to_json()),
        text=lambda: found.to_latex() if output.latex else found.to_text(screen_width()),
        csv=found.to_csv,
        forms=_forms(found),
    )
    return DONE


def _made(names: list[str], folder: Path | None, conduct: Given, output: Output) -> int:
    """Run, and answer with what is completed however it ends."""
    from treewright.studies import StudyInterruptedError
    from treewright.studies import reproduce as make

    code = DONE
    with Interruption() as interruption:
        try:
            progress = (output.progress or sys.stderr.isatty()) and not QUIET.get()
            found = make(names, folder=folder, **conduct, progress=progress)
        except StudyInterruptedError as stop:
            found, code = cast("Reproduction", stop.result), interruption.exit_code
    output.give(
        document=lambda: below(header("reproduce"), found.to_json()),
        text=lambda: found.to_latex() if output.latex else found.to_text(screen_width()),
        csv=found.to_csv,
        forms=_forms(found),
    )
    if code != DONE and "checkpoint" in conduct:
        note("To continue, repeat the command with --resume.")
    return code
