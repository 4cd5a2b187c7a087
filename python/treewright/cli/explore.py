"""`treewright explore`: from a table to the small tree to use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from treewright.cli._command import Command
from treewright.cli._labels import with_labels
from treewright.cli._option import Option
from treewright.cli._options import (
    Decorator,
    check_resume,
    file_option,
    gathered,
    options,
    parameter_option,
    parameter_options,
    takes_data,
    takes_output,
)
from treewright.cli._output import IS_USED, PAGES, Output, write_whole
from treewright.cli._running import DONE, FirstCtrlC, Interruption, ProgressLine, note
from treewright.cli._signature import Given, given
from treewright.cli._source import Reading
from treewright.cli._text import document, screen_width

if TYPE_CHECKING:
    from treewright import Dataset
    from treewright.exploration import Exploration
    from treewright.results import Progress

OWNER = "treewright.explore"
WIDEST = 110
TEXTS = (".txt", ".md")
ENDINGS = (*PAGES, *TEXTS, ".json")

_fold_option = partial(click.option, cls=Option, section="Folds")

_SEARCH: dict[str, Decorator] = {
    "families": click.option(
        "--family",
        "families",
        cls=Option,
        section="Choice",
        parameter="families",
        multiple=True,
        metavar="NAME",
        otherwise="all",
        help="Family of trees to compare, such as cost_complexity; the report names them all. Repeatable.",
    ),
    **parameter_options(OWNER, "max_leaf_nodes", "size_price", "metric", section="Choice"),
    "cost_matrix": parameter_option("treewright.GreedyTreeClassifier", "cost_matrix", section="Choice"),
    **parameter_options(OWNER, "cv", "inner_cv", "repeats", "random_state", section="Folds"),
    **parameter_options(OWNER, "time_limit", "n_jobs", "checkpoint", "resume", section="Search"),
}


@click.command(
    cls=Command,
    first=(
        *("target", "drop", "max_leaf_nodes", "size_price", "row_group"),
        *("by", "time_limit", "n_jobs", "out", "save_model", "as_json"),
    ),
    examples=(
        "treewright explore wine",
        "treewright explore table.csv --target class --n-jobs 2 --out report.html",
        "treewright explore visits.csv --target state --row-group patient",
    ),
)
@takes_data()
@gathered("search", _SEARCH, given)
@options(
    click.option(
        "--by",
        cls=Option,
        section="Data",
        metavar="COL",
        help="Column of subgroups, each of which is judged alone, too; of many numbers, quarters.",
    ),
    _fold_option(
        "--row-group",
        metavar="COL",
        help="Column whose rows of one value stay in one fold; it is no feature.",
    ),
    _fold_option(
        "--time-column",
        metavar="COL",
        help="Column of times: a fold is judged by the rows before it; it is no feature.",
    ),
    file_option(
        "--save-model",
        "save_model",
        "Write the recommended tree alone to a JSON file.",
        endings=(".json",),
    ),
)
@takes_output(
    "Write the report to a file: a page (.html), text (.txt), Markdown (.md) or JSON (.json).",
    *("as_json", "progress"),
    picture="Draw error against leaves: a .png, .pdf or .svg file.",
    endings=ENDINGS,
)
def explore(
    data: str,
    reading: Reading,
    search: Given,
    by: str | None,
    row_group: str | None,
    time_column: str | None,
    save_model: Path | None,
    output: Output,
) -> int:
    """Find a small tree for DATA to show and to trust, and say what it errs.

    Trees of many families and sizes are compared by cross-validation: C4.5,
    cost complexity, best-first growth, groups of values, feature selection,
    fixed depth, optimal trees, planes. One is recommended: of the least error
    plus half a point for every doubling of its leaves (--size-price). The
    choice is made anew inside of every fold, so the error that is told is that
    of trees chosen this way, on rows that no choice has seen. A random forest
    and boosting say what a black box would gain.
    """
    _refuse(search, row_group, time_column)
    apart = [name for name in (row_group, time_column) if name is not None]
    dataset = replace(reading, drop=(*reading.drop, *apart)).load(data)
    columns = {"row_groups": row_group, "time_column": time_column}
    search |= _columns(data, reading, columns, by, dataset.n_samples)
    if "families" in search:
        search["families"] = [name.replace("-", "_") for name in search["families"]]
    found, code = _explored(dataset, with_labels(search, dataset), output)
    with FirstCtrlC() as late, _said_where_it_is_kept(search.get("checkpoint")):
        _give(found, data, dataset, output)
        if save_model is not None:
            write_whole(save_model, found.tree_.to_json() + "\n")
    code = code or late.exit_code
    if code != DONE and "checkpoint" in search:
        note("To continue, repeat the command with --resume.")
    return code


@contextmanager
def _said_where_it_is_kept(checkpoint: object) -> Iterator[None]:
    """Say how to get a file that could not be written, without searching again."""
    try:
        yield
    except Exception:
        note("A file could not be made; the report above holds all the same.")
        if checkpoint is None:
            note("With --checkpoint FILE the search is kept, and --resume makes the files without searching.")
        else:
            note(
                f"The search is kept in {checkpoint}: repeat the command with --resume to make them from it."
            )
        raise


def _columns(
    data: str, reading: Reading, named: Mapping[str, str | None], by: str | None, n_rows: int
) -> Mapping[str, object]:
    """Return the values of the columns that part the rows."""
    from treewright.cli._columns import column_of, subgroups_of

    found = {
        parameter: column_of(data, reading, name, n_rows)
        for parameter, name in named.items()
        if name is not None
    }
    return found if by is None else {**found, "by": {by: subgroups_of(data, reading, by, n_rows)}}


def _give(found: Exploration, data: str, dataset: Dataset, output: Output) -> None:
    """Print the report, and write the files that are asked for."""
    width = min(screen_width(), WIDEST)
    forms: dict[str, Callable[[], str]] = {
        **dict.fromkeys(PAGES, found.to_html),
        ".txt": partial(found.to_text, width),
        ".md": found.to_markdown,
    }
    ending = "" if output.out is None else output.out.suffix.lower()
    output.give(
        document=lambda: document("exploration", data, dataset, found.to_dict()),
        text=lambda: found.to_text(width, details=False),
        plot=found.plot,
        forms=forms,
        use="The report is in {out}."
        if ending in TEXTS
        else f"The report, with the tree, is in {{out}}; {IS_USED}",
    )


def _refuse(search: Given, row_group: str | None, time_column: str | None) -> None:
    """Refuse what contradicts itself."""
    check_resume(cast("Path | None", search.get("checkpoint")), bool(search.get("resume")))
    if row_group is not None and time_column is not None:
        raise click.UsageError("--row-group and --time-column make folds in two ways: give one of them.")


def _explored(dataset: Dataset, search: Given, output: Output) -> tuple[Exploration, int]:
    """Run the exploration; return how the command ends."""
    import treewright
    from treewright.studies import StudyInterruptedError

    with Interruption() as interruption, Line(output.progress) as line:
        try:
            return treewright.explore(dataset, callback=line, **search), DONE
        except StudyInterruptedError as stop:
            return cast("Exploration", stop.result), interruption.exit_code


class Line(ProgressLine):
    """The plan, then how far the families are."""

    _is_planned = False

    def __call__(self, progress: Progress) -> bool:
        """Say the plan first."""
        if not self._is_planned:
            self._is_planned = True
            if self._shows:
                note(f"Exploring takes {progress.text}; --time-limit cuts the search, never the honesty.")
            return False
        return super().__call__(progress)

    def _described(self, progress: Progress) -> str:
        return f"{progress.done:,} of {progress.total:,} steps, {progress.text}, {progress.elapsed:.1f} s"
