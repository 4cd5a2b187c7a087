"""`treewright enumerate`: every tree that greedy growing gives on some of the features."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._growing import takes_growing_of_one
from treewright.cli._labels import with_labels
from treewright.cli._options import (
    check_resume,
    file_option,
    options,
    output_option,
    parameter_options,
    resume_options,
    takes_data,
    takes_output,
)
from treewright.cli._output import Output
from treewright.cli._pruning import OF_SEARCHES, takes_rule
from treewright.cli._running import FirstCtrlC, ProgressLine
from treewright.cli._signature import Given, given
from treewright.cli._source import Reading

if TYPE_CHECKING:
    from treewright.pruning import PruningRule

COUNT = "treewright.distinct.count_distinct_trees"


@click.command(
    "enumerate",
    cls=Command,
    first=(
        "target",
        "drop",
        "min_samples_split",
        "required_features",
        "validation_set",
        "n_best",
        "all_path",
        "checkpoint",
        "resume",
        "time_limit",
        "out",
        "as_json",
    ),
    examples=(
        "treewright enumerate wine --min-samples-split 16 --top 3",
        "treewright enumerate wine --all trees.jsonl",
        "treewright enumerate wine --all trees.jsonl --checkpoint state.json --resume",
    ),
)
@takes_data()
@takes_growing_of_one
@takes_rule(OF_SEARCHES)
@options(
    *parameter_options(
        COUNT,
        *("required_features", "order", "validation_set", "random_state"),
        *("time_limit", "node_limit", "memory_limit"),
        section="Search",
    ).values(),
    *resume_options().values(),
    output_option(
        "--top",
        "n_best",
        type=click.IntRange(min=0),
        metavar="K",
        default=0,
        help="Print the K trees with the fewest validation errors; in a tie those that test fewer features.",
    ),
    file_option(
        "--all", "all_path", "Write every tree to a file, as one line of JSON.", endings=(".json", ".txt")
    ),
    output_option(
        "--with-trees",
        is_flag=True,
        help=("Write the trees with their nodes. This is slower, because each tree is grown."),
    ),
    output_option("--overwrite", is_flag=True, help="Replace an existing file of trees."),
)
@takes_output(
    "Write the counts and the best trees to a JSON file.",
    "as_json",
    "show_depth",
    "show_branches",
    "progress",
    picture="Draw the search space: for each tree built what it must and may test, and what it does test.",
)
def enumerate_(
    data: str,
    reading: Reading,
    growing: Given,
    rule: PruningRule | None,
    n_best: int,
    time_limit: float | None,
    checkpoint: Path | None,
    resume: bool,
    all_path: Path | None,
    with_trees: bool,
    overwrite: bool,
    output: Output,
    **search: object,
) -> int:
    """Enumerate the decision trees that greedy growing gives on subsets of the features.

    Most subsets give a tree that another subset also gives. Every distinct tree
    is found once, with the subsets that give it. The number of trees may double
    with every feature; a larger --min-samples-split gives far fewer. A complete
    search has a certificate: its trees account for all subsets.
    """
    from treewright._base.checkpoint import Checkpoint
    from treewright._base.params import seconds_or_none
    from treewright.cli._enumeration import Question, Report, searched
    from treewright.cli._tree_file import TreeFile, kept, whereabouts
    from treewright.distinct import enumerate_distinct_trees

    seconds = seconds_or_none("time_limit", time_limit)
    check_resume(checkpoint, resume)
    goes_on = resume and checkpoint is not None and checkpoint.exists()
    needing = {"--with-trees": with_trees, "--checkpoint": checkpoint, "--overwrite": overwrite}
    _check_file(all_path, [name for name, value in needing.items() if value], overwrite or goes_on)
    if n_best and not search["validation_set"]:
        raise click.UsageError("--top ranks trees by validation errors: give a --validation-set above 0.")
    dataset = reading.load(data)
    named = with_labels(growing, dataset)
    question = Question(data, dataset, named, rule, given(**search), n_best, with_trees)
    file = None
    if all_path is not None:
        enumerate_distinct_trees(question.dataset, **question.arguments).close()  # refuses what cannot be
        state = Checkpoint.of(checkpoint, resume, work="treewright enumerate", design=question.design)
        file = TreeFile(all_path, question.header(), state)
    with kept(file), FirstCtrlC() as stop, ProgressLine(output.progress) as line:
        report = Report(question, *searched(question, file, seconds, line, stop))
    use = "" if file is None else whereabouts(file, report.count.status)
    output.give(document=report.document, text=lambda: report.text(output.shown), plot=question.plot)
    if use:
        click.echo(f"\n{use}", err=output.as_json)
    return stop.exit_code


def _check_file(path: Path | None, needing: list[str], may_be_there: bool) -> None:
    """Refuse options that need --all, and to touch a file unasked."""
    if path is None:
        if needing:
            raise click.UsageError(f"{needing[0]} goes with --all FILE.")
    elif path.exists() and not path.is_file():
        raise click.UsageError(
            f"--all: {str(path)!r} is no ordinary file, so that trees in it cannot be gone on with; name "
            "one that is, or leave --all out to count only."
        )
    elif path.exists() and not may_be_there:
        raise click.UsageError(
            f"--all: {str(path)!r} is there already; --overwrite replaces it, and --resume goes on with it "
            "where its --checkpoint is there, too."
        )
