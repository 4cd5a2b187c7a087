"""`treewright predict`: classes for new rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._options import FILE, file_option, options, output_option, takes_reading_of_rows
from treewright.cli._output import write_whole
from treewright.cli._running import note
from treewright.cli._source import Reading, is_file, read_model
from treewright.cli._text import as_csv, cost_told

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treewright import Dataset, Tree


@click.command(
    cls=Command,
    first=("target", "weight", "missing_values", "delimiter", "encoding", "proba", "out"),
    examples=(
        "treewright predict tree.json new.csv",
        "treewright predict found.json test.csv --target class --proba --out p.csv",
    ),
)
@options(
    click.argument("model", type=FILE),
    click.argument("data"),
    takes_reading_of_rows,
    file_option("--out", "out", "Write the predictions to a file instead of printing them."),
    output_option("--proba", is_flag=True, help="Add the probability of every class."),
)
def predict(model: Path, data: str, reading: Reading, out: Path | None, proba: bool) -> None:
    """Predict the class of every row of DATA with the tree in MODEL.

    MODEL is a JSON file that another command wrote with --out. Only the columns
    that the tree tests are read; they are found by name, in any order. A
    category that the tree does not know counts as missing. With --target, or with
    a named data set, the errors are counted, by --weight if it is given.

    Predictions are CSV, one row for each row of DATA.
    """
    tree = read_model(model)
    if reading.weight is not None and reading.target is None and is_file(data):
        raise click.UsageError("--weight says how much errors count, and needs --target COL to count them.")
    rows = reading.rows(tree, data)
    predicted = tree.predict(rows.features).tolist()
    table = _as_csv(tree, predicted, rows.features if proba else None)
    if out is None:
        click.echo(table, nl=False)
    else:
        write_whole(out, table)
    if rows.labels is not None:
        is_wrong = [guess != label for guess, label in zip(predicted, rows.labels, strict=True)]
        cost = cost_told(tree, rows.labels, predicted, rows.weights)
        note(_judged(is_wrong, rows.weights) + (f"; the answers {cost}" if cost else ""))


def _judged(is_wrong: Sequence[bool], weights: NDArray[np.float64] | None) -> str:
    """Say how many predictions are wrong, or what these weigh."""
    if weights is None:
        n_wrong = sum(is_wrong)
        return f"{n_wrong:,} of {len(is_wrong):,} predictions are wrong ({n_wrong / len(is_wrong):.2%})"
    wrong, total = math.fsum(weights[is_wrong]), math.fsum(weights)
    return f"predictions of weight {wrong:,.10g} of {total:,.10g} are wrong ({wrong / total:.2%})"


def _as_csv(tree: Tree, predicted: Sequence[object], features: Dataset | None) -> str:
    shares = [[]] * len(predicted) if features is None else tree.predict_proba(features).tolist()
    heads = [] if features is None else [f"probability of {label}" for label in tree.classes_]
    rows = ([label, *row] for label, row in zip(predicted, shares, strict=True))
    return as_csv(["prediction", *heads], rows)
