"""`treewright predict`: classes for new rows."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._files import write_whole
from treewright.cli._options import (
    DELIMITER,
    ENCODING,
    FOLDER,
    MISSING_VALUES,
    data_option,
    options,
    out_option,
    output_option,
)
from treewright.cli._sections import Command

if TYPE_CHECKING:
    import numpy.typing as npt

    from treewright import Tree


@click.command(
    cls=Command,
    short_help="Predict with a tree that fit or select wrote.",
    examples=(
        "treewright predict tree.json new.csv",
        "treewright predict found.json test.csv --target class --proba --out p.csv",
    ),
)
@options(
    click.argument("model", type=click.Path(dir_okay=False, path_type=Path)),
    click.argument("data"),
    data_option("--target", metavar="COL", help="Column that holds the true class: errors are counted."),
    FOLDER,
    MISSING_VALUES,
    DELIMITER,
    ENCODING,
    out_option("Write the predictions to a file instead of printing them."),
    output_option("--proba", is_flag=True, help="Add the share of every class."),
)
def predict(
    model: Path,
    data: str,
    target: str | None,
    folder: Path | None,
    missing_values: tuple[str, ...],
    delimiter: str,
    encoding: str,
    out: Path | None,
    proba: bool,
) -> None:
    """Predict the class of every row of DATA with the tree in MODEL.

    MODEL is a JSON file that `treewright fit` or `treewright select` wrote with
    --out. DATA is a CSV file (gzip-compressed or not) or the name of a set. Its
    columns are matched by name, in any order; others are ignored. A name that
    the tree has not seen counts as missing.

    Predictions are CSV, one row for each row of DATA.
    """
    from treewright.cli._rows import read_model, read_rows

    tree = read_model(model)
    rows = read_rows(tree, data, folder, target, missing_values, delimiter, encoding)
    for note in rows.notes:
        click.echo(f"Note: {note}", err=True)
    predicted = tree.predict(rows.features)
    table = _as_csv(tree, predicted, tree.predict_proba(rows.features) if proba else None)
    if out is None:
        click.echo(table, nl=False)
    else:
        write_whole(out, table)
    if rows.labels is not None:
        click.echo(_judged(predicted.tolist(), rows.labels), err=True)


def _as_csv(tree: Tree, predicted: npt.NDArray[Any], shares: npt.NDArray[Any] | None) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if shares is None:
        writer.writerow(["prediction"])
        writer.writerows([label] for label in predicted.tolist())
    else:
        writer.writerow(["prediction", *(f"share of {label}" for label in tree.classes_)])
        writer.writerows(
            [label, *row] for label, row in zip(predicted.tolist(), shares.tolist(), strict=True)
        )
    return text.getvalue()


def _judged(predicted: list[Any], labels: list[str]) -> str:
    n_wrong = sum(str(guess) != label for guess, label in zip(predicted, labels, strict=True))
    return f"{n_wrong:,} of {len(labels):,} predictions are wrong ({n_wrong / len(labels):.2%})"
