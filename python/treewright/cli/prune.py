"""`treewright prune`: a saved tree, made smaller."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._files import write_whole
from treewright.cli._options import (
    DELIMITER,
    ENCODING,
    FOLDER,
    JSON,
    MISSING_VALUES,
    SHOW_DEPTH,
    data_option,
    options,
    out_option,
    output_option,
)
from treewright.cli._pruning import GROWING, RULES, takes_rule
from treewright.cli._sections import Command
from treewright.cli._source import is_file

if TYPE_CHECKING:
    from treewright.cli._rows import Rows
    from treewright.pruning import PruningExplanation, PruningRule
    from treewright.tree import Tree


@click.command(
    cls=Command,
    short_help="Prune a saved tree by a rule of your choice.",
    examples=(
        "treewright prune tree.json --no-grafting --out small.json",
        "treewright prune tree.json train.csv --target class --explain",
        "treewright prune tree.json other.csv --target class --rule reduced-error",
    ),
)
@options(
    click.argument("tree", type=click.Path(dir_okay=False, path_type=Path)),
    click.argument("data", required=False),
    data_option("--target", metavar="COL", help="Column that holds the class. A named set has its own."),
    FOLDER,
    MISSING_VALUES,
    DELIMITER,
    ENCODING,
)
@takes_rule("--rule", grows=False, default="error-based", help_text="What prunes")
@options(
    out_option("Write the pruned tree to a JSON file, for `treewright predict`."),
    output_option("--explain", is_flag=True, help="Say of every node what became of it, and why."),
    JSON,
    SHOW_DEPTH,
)
def prune(
    tree: Path,
    data: str | None,
    target: str | None,
    folder: Path | None,
    missing_values: tuple[str, ...],
    delimiter: str,
    encoding: str,
    rule: PruningRule,
    out: Path | None,
    explain: bool,
    as_json: bool,
    show_depth: int,
) -> None:
    """Prune the tree in TREE, a JSON file that `treewright fit` or `select` wrote.

    Rules go by the weights that the tree holds, or by the rows of DATA where that
    is given: a CSV file (gzip-compressed or not) or the name of a set, with its
    classes. Grafting moves rows, so it needs those that grew the tree;
    reduced-error needs rows that did not.

    Rules that grow trees to choose among prunings are for `treewright fit --prune`.
    """
    from treewright.cli._model import read_model
    from treewright.cli._rows import read_rows
    from treewright.cli._tree import drawn
    from treewright.datasets._registry import usual_target
    from treewright.pruning import explain_pruning

    _check(rule, data)
    before = read_model(tree)
    if data is None:
        found = explain_pruning(before, rule)
    else:
        if target is None and not is_file(data):
            target = usual_target(data, folder)
        rows = read_rows(before, data, folder, target, missing_values, delimiter, encoding)
        for note in rows.notes:
            click.echo(f"Note: {note}", err=True)
        found = explain_pruning(before, rule, rows.features, _labels(before, rows, data))
    if out is not None:
        write_whole(out, found.tree.to_json() + "\n")
    if as_json:
        click.echo(found.tree.to_json())
        return
    if explain:
        click.echo(str(found))
    else:
        click.echo(f"{_report(before, found)}\n")
        click.echo(drawn(found.tree, show_depth, "Pruned tree:"), nl=False)
    if out is not None:
        click.echo(f"\nThe tree is in {out}; `treewright predict {out} DATA` uses it.")


def _check(rule: PruningRule, data: str | None) -> None:
    """Refuse a rule that lacks what it needs, in the words of the command line."""
    name = next(name for name, of_class in RULES.items() if of_class == type(rule).__name__)
    given: dict[str, Any] = rule.get_params()
    if name in GROWING or given.get("alpha") == "cv":
        raise click.UsageError(
            f"{name} chooses by trees that it grows, and a saved tree does not say how; "
            f"use `treewright fit DATA --prune {name}`."
        )
    if data is None and given.get("grafting"):
        raise click.UsageError(
            "Grafting moves rows, and a saved tree has only their counts; "
            "give the rows that grew it as DATA, or --no-grafting."
        )
    if data is None and name == "reduced-error":
        raise click.UsageError("reduced-error judges a tree by rows that did not grow it; give them as DATA.")


def _labels(tree: Tree, rows: Rows, data: str) -> list[Any]:
    """Return the classes of rows as the tree writes them."""
    from treewright.exceptions import DataError

    if rows.labels is None:
        raise click.UsageError(f"The rows of {data} need --target COL, the column that holds their class.")
    known = {str(label): label for label in tree.classes_.tolist()}
    for label in rows.labels:
        if label not in known:
            raise DataError(
                f"{data} has the class {label!r}, which the tree does not know; its classes are "
                f"{', '.join(known)}: leave the row out, or grow a tree with it"
            )
    return [known[label] for label in rows.labels]


def _report(before: Tree, found: PruningExplanation) -> str:
    """Say what pruned, and how large the tree was and is."""
    lines = [f"{'':16}nodes  leaves  depth  errors"]
    for label, tree, errors in (
        ("before pruning", before, found.errors_before),
        ("pruned", found.tree, found.errors_after),
    ):
        counts = f"{tree.n_nodes:>7,}{tree.n_leaves:>8,}{tree.max_depth:>7,}{errors:>8,.6g}"
        lines.append(f"{label:14}{counts}")
    return "\n".join([f"{found.rule}:", "", *(f"  {line}" for line in lines)])
