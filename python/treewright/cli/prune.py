"""`treewright prune`: a saved tree, made smaller."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._files import write_whole
from treewright.cli._method import spelling
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
from treewright.cli._pruning import (
    GROWING,
    RULES,
    takes_rule,
)
from treewright.cli._sections import Command
from treewright.cli._source import is_file

if TYPE_CHECKING:
    from treewright import Tree
    from treewright.cli._rows import Rows
    from treewright.pruning import PruningExplanation, PruningRule


def as_document(found: PruningExplanation) -> str:
    """Return rule, pruned tree and the nodes of the tree before as the text of one object."""
    names = found.nodes.dtype.names or ()
    document = {
        "rule": str(found.rule),
        "tree": json.loads(found.tree.to_json()),
        "nodes": [
            {name: _value(value) for name, value in zip(names, record, strict=True)}
            for record in found.nodes.tolist()
        ],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


def _value(value: Any) -> Any:
    """Return what JSON can hold: null where there is no number, a word for an infinite one."""
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else "infinity" if value > 0 else "-infinity"


OF_ROWS = ("target", "folder", "missing_values", "delimiter", "encoding")
"""Options that say how to read DATA."""


@click.command(
    cls=Command,
    short_help="Prune a saved tree by a rule of your choice.",
    examples=(
        "treewright prune tree.json --confidence 0.1 --out small.json",
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
    output_option(
        "--explain",
        is_flag=True,
        help="Say of every node what became of it, and why. With --json an object: rule, tree and nodes.",
    ),
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
    classes. Grafting moves rows, so it needs those that grew the tree, and without
    DATA there is none; reduced-error needs rows that did not grow it. A tree of
    `treewright fixed-depth` holds shares in place of counts, and every rule needs DATA.

    Rules that grow trees to choose among prunings are for `treewright fit --prune`.
    """
    from treewright.cli._rows import read_model, read_rows
    from treewright.cli._tree import drawn
    from treewright.data.sources.registry import usual_target
    from treewright.pruning import explain_pruning

    before = read_model(tree)
    _check(rule, data, before)
    _check_output(explain)
    if data is None:
        found = explain_pruning(before, _without_rows(rule))
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
        click.echo(as_document(found) if explain else found.tree.to_json())
        return
    if explain:
        click.echo(str(found))
    else:
        click.echo(f"{_report(before, found)}\n")
        click.echo(drawn(found.tree, show_depth, "Pruned tree:"), nl=False)
    if out is not None:
        click.echo(f"\nThe tree is in {out}; `treewright predict {out} DATA` uses it.")


def _check(rule: PruningRule, data: str | None, before: Tree) -> None:
    """Refuse a rule that lacks what it needs, in the words of the command line."""
    from treewright.trees.pruning.rule import SHARES, holds_shares

    names = {of_class: name for name, of_class in RULES.items()}
    name = names.get(type(rule).__name__)  # None of a learned rule.
    given: dict[str, Any] = rule.get_params()
    if name in GROWING or given.get("alpha") == "cv":
        raise click.UsageError(
            f"{name} chooses by trees that it grows, and a saved tree does not say how; "
            f"use `treewright fit DATA --prune {name}`."
        )
    if data is not None:
        return
    for parameter in OF_ROWS:
        if _is_given(parameter):
            raise click.UsageError(f"{spelling(parameter)} says how to read DATA, which is not given.")
    if given.get("grafting") and _is_given("grafting"):
        raise click.UsageError(
            "Grafting moves rows, and a saved tree has only their counts; "
            "give the rows that grew it as DATA, or --no-grafting."
        )
    if name == "reduced-error":
        raise click.UsageError("reduced-error judges a tree by rows that did not grow it; give them as DATA.")
    if holds_shares(before):
        raise click.UsageError(f"{SHARES[0].upper()}{SHARES[1:]}; give rows as DATA.")


def _check_output(explain: bool) -> None:
    if explain and _is_given("show_depth"):
        raise click.UsageError("--show-depth does not go with --explain, which tells of every node.")


def _is_given(parameter: str) -> bool:
    """Whether an option stands on the command line."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is click.core.ParameterSource.COMMANDLINE


def _without_rows(rule: PruningRule) -> PruningRule:
    """Return the rule as it prunes by counts alone; grafting is left out, and said to be."""
    if not rule.get_params().get("grafting"):
        return rule
    click.echo("Note: without DATA there are no rows to move, so nothing is grafted.", err=True)
    ungrafting: PruningRule = rule.set_params(grafting=False)
    return ungrafting


def _labels(tree: Tree, rows: Rows, data: str) -> list[Any]:
    """Return the classes of rows as the tree writes them."""
    from treewright import DataError

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
    rows: list[tuple[str, ...]] = [("", "nodes", "leaves", "depth", "errors")]
    for label, tree, errors in (
        ("before pruning", before, found.errors_before),
        ("pruned", found.tree, found.errors_after),
    ):
        sizes = (tree.n_nodes, tree.n_leaves, tree.max_depth)
        rows.append((label, *(f"{size:,}" for size in sizes), _written(errors)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
    return "\n".join([f"{found.rule}:", "", *(f"  {line}" for line in lines)])


def _written(errors: float) -> str:
    """Write a weight of errors with at most two decimals."""
    return f"{errors:,.2f}".rstrip("0").rstrip(".")
