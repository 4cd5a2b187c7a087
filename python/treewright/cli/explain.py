"""`treewright explain`: why a row has its class, and what would give it another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._model import read_predicting
from treewright.cli._option import Option
from treewright.cli._options import FILE, file_option, options, output_option, takes_reading_of_rows
from treewright.cli._output import write_whole
from treewright.cli._row import row_of
from treewright.cli._source import Reading, refuse_repeated
from treewright.cli._text import as_json, header

if TYPE_CHECKING:
    from treewright.cli._model import Predicting
    from treewright.explain import Explanation


@click.command(
    cls=Command,
    first=("row", "to", "fixed", "node_limit", "out", "as_json"),
    examples=(
        'treewright explain tree.json --row "age=40,smoker=no"',
        "treewright explain tree.json --row patient.csv --fixed age --to healthy",
        "treewright explain tree.json --row patient.csv --out path.svg",
    ),
)
@options(
    click.argument("model", type=FILE),
    output_option(
        "--row", required=True, metavar="ROW", help="The row: NAME=VALUE,…, or a file with one row."
    ),
    output_option("--to", metavar="CLASS", help="Class that is wanted; else any other."),
    click.option(
        "--fixed",
        cls=Option,
        section="Output",
        multiple=True,
        metavar="COL",
        help="Feature that cannot change. Repeatable.",
    ),
    output_option(
        "--node-limit",
        type=click.IntRange(min=1),
        metavar="N",
        default=200_000,
        help="Largest number of boxes of rows to look into.",
    ),
    file_option(
        "--out",
        "out",
        "Write to a file: a picture of the path if its name ends in .svg, JSON if in .json, else text.",
        endings=(".svg", ".json", ".txt", ".md"),
    ),
    output_option("--json", "as_json", is_flag=True, help="Write JSON."),
    takes_reading_of_rows,
)
def explain(
    model: Path,
    row: str,
    to: str | None,
    fixed: tuple[str, ...],
    node_limit: int,
    out: Path | None,
    as_json: bool,
    reading: Reading,
) -> None:
    """Explain the class of a row: its path in the model, and the least change to another class.

    MODEL is a file that another command wrote with --out: JSON with a tree, planes, or a list of
    rules, or the page of `treewright explore`. Of rules the path has the rules that were tried and
    the one that holds. The change has the fewest features, and of those the least distance, in
    ranges of the training values: no other is less. The values that are shown give the class.
    """
    from treewright.explain import explain as explained

    tree = read_predicting(model)
    refuse_repeated("--fixed", fixed)
    found = explained(
        tree, row_of(row, tree, reading), to=_label(tree, to), fixed=fixed, node_limit=node_limit
    )
    ending = "" if out is None else out.suffix.lower()
    is_json = as_json or ending == ".json"
    text = _document(found, model, tree) if is_json else found.to_svg() if ending == ".svg" else str(found)
    if out is None:
        click.echo(text.rstrip("\n"))
    else:
        write_whole(out, text.rstrip("\n") + "\n")


def _label(tree: Predicting, text: str | None) -> object:
    """Return the class that a text names; what is none is refused further on."""
    return next((label for label in tree.classes_.tolist() if str(label) == text), text)


def _document(found: Explanation, model: Path, tree: Predicting) -> str:
    from treewright.cli._header import model_facts

    return as_json({**header("explanation"), "model": model_facts(model, tree), **found.to_dict()})
