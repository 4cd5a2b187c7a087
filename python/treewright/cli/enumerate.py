"""`treewright enumerate`: every tree that greedy growing gives on some of the features."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._files import checked_out, write_whole
from treewright.cli._lines import filled, plural
from treewright.cli._options import (
    JSON,
    SHOW_DEPTH,
    options,
    out_option,
    output_option,
    parameter_options,
    takes_growing,
    takes_source,
    with_defaults,
)
from treewright.cli._progress import FirstCtrlC, ProgressLine
from treewright.cli._sections import Command
from treewright.cli._source import Source

if TYPE_CHECKING:
    from treewright.cli._tree_file import TreeFile
    from treewright.distinct import DistinctTree, DistinctTreeCount
    from treewright.search.distinct.problem import Problem


COUNT = "treewright.distinct.count_distinct_trees"


@click.command(
    "enumerate",
    cls=Command,
    short_help="Count, rank or write all distinct trees.",
    examples=(
        "treewright enumerate wine --min-samples-split 16 --top 3",
        "treewright enumerate wine --all trees.jsonl",
        "treewright enumerate wine --all trees.jsonl --resume",
    ),
)
@takes_source
@takes_growing
@options(
    *parameter_options(
        COUNT,
        "order",
        "validation_set",
        "random_state",
        "time_limit",
        "node_limit",
        "memory_limit",
        section="Search",
    ).values(),
    output_option(
        "--top",
        "n_best",
        type=click.IntRange(min=0),
        metavar="K",
        default=0,
        help="Print the K trees with the fewest validation errors; of equal ones those that test fewer "
        "features.",
    ),
    output_option(
        "--all",
        "all_path",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        callback=checked_out,
        help="Write every tree to a file, a line of JSON each.",
    ),
    output_option("--with-trees", is_flag=True, help="Write them with their nodes. Slower: each is grown."),
    output_option("--resume", is_flag=True, help="Go on where an earlier run left the file."),
    output_option("--overwrite", is_flag=True, help="Replace a file that is there."),
    out_option("Write counts and best trees to a JSON file."),
    JSON,
    SHOW_DEPTH,
    output_option("--progress", is_flag=True, help="Show progress even off a terminal."),
)
def enumerate_(
    source: Source,
    growing: dict[str, Any],
    validation_set: float,
    random_state: int,
    time_limit: float | None,
    n_best: int,
    all_path: Path | None,
    with_trees: bool,
    resume: bool,
    overwrite: bool,
    out: Path | None,
    as_json: bool,
    show_depth: int,
    progress: bool,
    **given: Any,
) -> int:
    """Find the trees that greedy growing gives on subsets of DATA's features.

    Most subsets give a tree that another gives too; every distinct tree is found
    once, with the subsets that give it. Their number may double with
    every feature; it falls steeply with --min-samples-split. The certificate of a
    complete search is that its trees account for all subsets.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists.
    """
    from treewright._base.params import seconds_or_none
    from treewright.cli._enumeration import Found, settings_of

    seconds = seconds_or_none("time_limit", time_limit)
    _check_file(all_path, with_trees=with_trees, resume=resume, overwrite=overwrite)
    if n_best and not validation_set:
        raise click.UsageError("--top ranks trees by validation errors: give a --validation-set above 0.")
    limits = with_defaults(COUNT, given)
    problem = _problem(
        source, growing, validation_set=validation_set or None, random_state=random_state, **limits
    )
    settings = settings_of(problem, validation_set, random_state)
    file = None if all_path is None else _opened(all_path, problem, settings, with_trees, resume)
    with _kept(file), FirstCtrlC() as stop, ProgressLine(progress) as line:
        count, best = _searched(problem, file, n_best, with_trees, seconds, line, stop)
    found = Found(source.data, problem, settings, count, best)
    if out is not None:
        write_whole(out, found.document())
    click.echo(found.document() if as_json else found.text(show_depth), nl=False)
    if file is not None:
        click.echo(f"\n{_whereabouts(file, count.status)}", err=as_json)
    return stop.exit_code


def _check_file(path: Path | None, *, with_trees: bool, resume: bool, overwrite: bool) -> None:
    """Refuse options that need --all or exclude each other, and to touch a file unasked."""
    given = {"--with-trees": with_trees, "--resume": resume, "--overwrite": overwrite}
    needless = [name for name, is_given in given.items() if is_given]
    if path is None and needless:
        raise click.UsageError(f"{needless[0]} goes with --all FILE.")
    if resume and overwrite:
        raise click.UsageError("--resume keeps the file, --overwrite replaces it: give one of them.")
    if path is not None and path.exists() and not path.is_file():
        raise click.UsageError(
            f"--all: {str(path)!r} is no ordinary file, so that trees in it cannot be gone on with; name "
            "one that is, or leave --all out to count only."
        )
    if path is not None and path.exists() and not (resume or overwrite):
        raise click.UsageError(
            f"--all: {str(path)!r} is there already; --resume goes on with it, --overwrite replaces it."
        )


def _problem(source: Source, growing: dict[str, Any], **options: Any) -> Problem:
    from treewright import GreedyTreeClassifier
    from treewright.search.distinct.problem import Problem

    n_jobs = growing.pop("n_jobs", None)
    grower = GreedyTreeClassifier(**growing)
    return Problem.of(source.load(), None, estimator=grower, sample_weight=None, n_jobs=n_jobs, **options)


def _opened(
    path: Path, problem: Problem, settings: dict[str, Any], with_trees: bool, resume: bool
) -> TreeFile:
    from treewright.cli._enumeration import header
    from treewright.cli._tree_file import TreeFile

    return TreeFile(path, header(problem, {**settings, "with_trees": with_trees}), goes_on=resume)


def _searched(
    problem: Problem,
    file: TreeFile | None,
    n_best: int,
    with_trees: bool,
    time_limit: float | None,
    line: ProgressLine,
    stop: FirstCtrlC,
) -> tuple[DistinctTreeCount, list[DistinctTree]]:
    """Count at full speed, or look at every tree if that is asked for."""
    from treewright.cli._enumeration import Walk
    from treewright.search.distinct.count import counted

    if file is None and not n_best:
        return counted(problem, time_limit=time_limit, callback=stop.after(line)), []
    walk = Walk(
        problem,
        n_best=n_best,
        file=file,
        with_trees=with_trees,
        time_limit=time_limit,
        callback=line,
        stop=stop,
    )
    return walk.run()


@contextmanager
def _kept(file: TreeFile | None) -> Iterator[None]:
    """Leave a whole file behind, and say how to go on if that is before the end."""
    if file is None:
        yield
        return
    try:
        with file:
            yield
    except KeyboardInterrupt:
        click.echo(_whereabouts(file, "stopped"), err=True)
        raise


def _whereabouts(file: TreeFile, status: str) -> str:
    is_in = f"{plural(file.n_trees, 'tree')} {'is' if file.n_trees == 1 else 'are'} in {file.path}"
    if status == "complete":
        before = f", {file.n_found:,} of them from before" if file.n_found else ""
        return filled(f"All of it: {is_in}{before}.")
    larger = " and a larger --node-limit" if status == "node_limit" else ""
    return filled(f"So far {is_in}; the same command with --resume{larger} goes on.")
