"""`treewright compare-selection`: whether choosing features pays."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from treewright.cli._files import write_whole
from treewright.cli._lines import screen_width
from treewright.cli._options import (
    SOURCE,
    options,
    out_option,
    search_option,
    takes_growing,
)
from treewright.cli._sections import Command
from treewright.cli._study_options import (
    LATEX,
    PROGRESS,
    folds_option,
    loaded,
    repeats_option,
    seed_option,
)
from treewright.cli._table_columns import as_csv


@click.command(
    "compare-selection",
    cls=Command,
    short_help="Compare trees on selected features with those on all.",
    examples=(
        "treewright compare-selection wine breast-cancer",
        "treewright compare-selection table.csv --target class --black-box",
    ),
)
@options(click.argument("data", nargs=-1, required=True), *SOURCE[1:])
@takes_growing
@options(
    search_option(
        "--method",
        "methods",
        multiple=True,
        type=click.Choice(["top", "backward", "forward", "complete"]),
        metavar="NAME",
        default=("top", "backward"),
        otherwise="top and backward",
        help="top: all features; backward, forward, complete: those selected that way (complete may take "
        "very long: see --time-limit). Repeatable.",
    ),
    search_option(
        "--validation-set",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        metavar="SHARE",
        default=0.3,
        help="Share of the rows of a training part that judges trees; the others grow them.",
    ),
    folds_option(10),
    repeats_option(5),
    seed_option("Draws folds and validation rows."),
    search_option("--black-box", is_flag=True, help="Also time the search that grows every tree anew (SBE)."),
    search_option("--sklearn", is_flag=True, help="Also run scikit-learn's selector around its own tree."),
    search_option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="End a single search then, with the best found.",
    ),
    out_option("Write the results of every fold to a CSV file."),
    LATEX,
    PROGRESS,
)
def compare(
    data: tuple[str, ...],
    growing: dict[str, Any],
    methods: tuple[str, ...],
    validation_set: float,
    folds: int,
    repeats: int,
    seed: int,
    black_box: bool,
    sklearn: bool,
    time_limit: float | None,
    out: Path | None,
    latex: bool,
    progress: bool,
    **source: Any,
) -> None:
    """Compare trees on selected features with trees on all, for every DATA.

    Each fold of a repeated, stratified cross-validation is held out once. On
    the other rows features are selected as `treewright select` does it, and a
    tree is grown with them; its errors on the rows held out are what counts.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists. The options under Data go for each. With
    --n-jobs folds run side by side.
    """
    from treewright.studies import compare_selection

    comparison = compare_selection(
        loaded(data, source),
        methods=methods,
        validation_set=validation_set,
        cv=folds,
        repeats=repeats,
        random_state=seed,
        time_black_box=black_box,
        time_sklearn=sklearn,
        time_limit=time_limit,
        progress=progress or sys.stderr.isatty(),
        **growing,
    )
    if out is not None:
        write_whole(out, as_csv(comparison.per_fold))
    click.echo(comparison.to_latex() if latex else comparison.to_text(screen_width()))
