"""`treewright prune`: a saved tree, made smaller."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._header import model_facts, rows_facts
from treewright.cli._model import read_model
from treewright.cli._options import (
    FILE,
    data_argument,
    is_named,
    named_options,
    options,
    output_option,
    takes_output,
    takes_reading_of_rows,
)
from treewright.cli._output import IS_USED, Output
from treewright.cli._pruning import GROWING, OF_SAVED, RULES, takes_rule
from treewright.cli._running import note
from treewright.cli._source import Reading
from treewright.cli._text import as_json, columns, cost_of, drawn, header

if TYPE_CHECKING:
    from treewright import Tree
    from treewright.datasets import Rows
    from treewright.pruning import PruningExplanation, PruningRule


@click.command(
    cls=Command,
    first=(
        "rule_name",
        "confidence",
        "grafting",
        "alpha",
        "target",
        "explain",
        "show_depth",
        "out",
        "as_json",
    ),
    examples=(
        "treewright prune tree.json --confidence 0.1 --out small.json",
        "treewright prune tree.json train.csv --target class --explain",
        "treewright prune tree.json other.csv --target class --rule reduced-error",
    ),
)
@options(click.argument("tree", type=FILE), data_argument(required=False), takes_reading_of_rows)
@takes_rule(OF_SAVED)
@output_option(
    "--explain",
    is_flag=True,
    help="Print the decision at every node and its reason. With --json an object: rule, tree and nodes.",
)
@takes_output(
    "Write the pruned tree to a JSON file, for `treewright predict`.",
    "as_json",
    "show_depth",
    "show_branches",
)
def prune(
    tree: Path, data: str | None, reading: Reading, rule: PruningRule, explain: bool, output: Output
) -> None:
    """Prune the tree in TREE, a file that another command wrote with --out.

    Rules use the weights that the tree holds, or the rows of DATA (with their
    --weight) if it is given. Grafting moves rows, so it needs the rows on which
    the tree was grown; without DATA nothing is grafted. reduced-error needs a
    validation set: rows on which the tree was not grown. A tree of `treewright
    fixed-depth` holds shares instead of counts, so every rule needs DATA for it.

    Rules that use cross-validation are available in `treewright fit --prune`.
    """
    from treewright.pruning import explain_pruning

    before = read_model(tree)
    _check(rule, data)
    for name in ("show_depth", "show_branches"):
        if explain and is_named(name):
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} does not go with --explain, which tells of every node.")
    rows = None
    if data is None:
        found = explain_pruning(before, _without_rows(rule))
    else:
        rows = reading.rows(before, data)
        found = explain_pruning(before, rule, rows.features, _labels(before, rows, data), rows.weights)
    pruned = drawn(found.tree, output.shown, "Pruned tree:")
    output.give(
        document=lambda: _document(tree, before, data, rows, found) if explain else found.tree.to_json(),
        text=lambda: str(found) if explain else f"{_report(before, found, rows)}\n\n{pruned}",
        use=f"The tree is in {{out}}; {IS_USED}",
    )


def _check(rule: PruningRule, data: str | None) -> None:
    """Refuse a rule that lacks what it needs, in the words of the command line."""
    names = {of_class: name for name, of_class in RULES.items()}
    name = names.get(type(rule).__name__)  # None of a learned rule.
    by_cv = rule.get_params().get("alpha") == "cv"
    if name in GROWING or by_cv:
        raise click.UsageError(
            f"{name} chooses by trees that it grows, and a saved tree does not say how; "
            f"use `treewright fit DATA --prune {name}{' --alpha cv' if by_cv else ''}`."
        )
    if data is not None:
        return
    for option in named_options():
        if option.section == "Data":
            raise click.UsageError(f"{option.opts[0]} says how to read DATA, which is not given.")
    if rule.get_params().get("grafting") and is_named("grafting"):
        raise click.UsageError(
            "Grafting moves rows, and a saved tree has only their counts; "
            "give the rows that grew it as DATA, or --no-grafting."
        )
    if name == "reduced-error":
        raise click.UsageError("reduced-error judges a tree by rows that did not grow it; give them as DATA.")


def _without_rows(rule: PruningRule) -> PruningRule:
    """Return the rule as it prunes by counts alone; grafting is left out, and said to be."""
    if not rule.get_params().get("grafting"):
        return rule
    note("Note: without DATA there are no rows to move, so nothing is grafted.")
    ungrafting: PruningRule = rule.set_params(grafting=False)
    return ungrafting


def _labels(tree: Tree, rows: Rows, data: str) -> list[object]:
    """Return the classes of rows, all known to the tree."""
    from treewright import DataError

    if rows.labels is None:
        raise click.UsageError(f"The rows of {data} need --target COL, the column that holds their class.")
    known = tree.classes_.tolist()
    for label in rows.labels:
        if label not in known:
            raise DataError(
                f"{data} has the class {label!r}, which the tree does not know; its classes are "
                f"{', '.join(map(str, known))}: leave the row out, or grow a tree with it"
            )
    return list(rows.labels)


def _document(
    path: Path, before: Tree, data: str | None, rows: Rows | None, found: PruningExplanation
) -> str:
    """Return rule, pruned tree and the nodes of the tree before as the text of one object."""
    from treewright._base.origin import told

    facts = {
        "model": model_facts(path, before),
        "rule": told(found.rule),
        "tree": found.tree,
        "nodes": [{name: _value(value) for name, value in node.items()} for node in found.nodes.records()],
    }
    read = [] if data is None or rows is None else [rows_facts(data, rows)]
    return as_json({**header("pruning-explanation", read), **facts})


def _value(value: object) -> object:
    """Return what JSON can hold: null where there is no number, a word for an infinite one."""
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else "infinity" if value > 0 else "-infinity"


def _report(before: Tree, found: PruningExplanation, rows: Rows | None) -> str:
    """Say what pruned, how large the tree was and is, and how wrong its answers were and are."""
    sizes = [(tree.n_nodes, tree.n_leaves, tree.max_depth) for tree in (before, found.tree)]
    losses: list[tuple[float, ...]] = [(found.errors_before,), (found.errors_after,)]
    heads = ["", "nodes", "leaves", "depth", "errors"]
    if before.cost_matrix is not None:
        losses = [_errors_and_cost(tree, rows) for tree in (before, found.tree)]
        heads.append("cost")
    lines = [
        (label, *(f"{n:,}" for n in size), *map(_written, loss))
        for label, size, loss in zip(("before pruning", "pruned"), sizes, losses, strict=True)
    ]
    table = columns(heads, lines).splitlines()
    return "\n".join([f"{found.rule}:", "", *(f"  {line}" for line in table)])


def _errors_and_cost(tree: Tree, rows: Rows | None) -> tuple[float, float]:
    """Return the weight of wrong answers and what all answers cost: to rows, else to those of the leaves."""
    if rows is not None and rows.labels is not None:
        predicted = tree.predict(rows.features).tolist()
        weights = [1.0] * len(predicted) if rows.weights is None else rows.weights
        pairs = zip(weights, rows.labels, predicted, strict=True)
        errors = math.fsum(weight for weight, label, guess in pairs if label != guess)
        return errors, cost_of(tree, rows.labels, predicted, rows.weights)
    costs, is_leaf = tree.cost_matrix, tree.n_children == 0
    assert costs is not None, "without costs the explanation counts the errors"
    counts, answers = tree.class_weights[is_leaf], tree.node_class[is_leaf]
    right = math.fsum(row[answer] for row, answer in zip(counts, answers, strict=True))
    return float(counts.sum()) - right, float((counts * costs[:, answers].T).sum())


def _written(errors: float) -> str:
    """Write a weight of errors with at most two decimals."""
    return f"{errors:,.2f}".rstrip("0").rstrip(".")
