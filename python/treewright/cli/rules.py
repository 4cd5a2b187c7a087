"""`treewright rules`: a saved tree as rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._input import input_kept
from treewright.cli._model import read_model
from treewright.cli._options import (
    FILE,
    data_argument,
    file_option,
    named_options,
    options,
    output_option,
    takes_reading_of_rows,
)
from treewright.cli._output import write_whole
from treewright.cli._source import Reading
from treewright.cli._text import as_csv, as_json, header

if TYPE_CHECKING:
    from treewright import Tree
    from treewright.datasets import Rows
    from treewright.rules import Rules

ENDINGS = {".md": "markdown", ".tex": "latex", ".csv": "csv", ".json": "json"}


@click.command(
    cls=Command,
    first=("target", "is_list", "confidence", "simplify", "to", "out", "as_json"),
    examples=(
        "treewright rules tree.json",
        "treewright rules tree.json test.csv --target class --out rules.md",
        "treewright rules tree.json train.csv --target class --list --out rules.json",
    ),
)
@options(
    click.argument("model", type=FILE),
    data_argument(required=False),
    takes_reading_of_rows,
    output_option(
        "--list",
        "is_list",
        is_flag=True,
        help="Make C4.5's rule list: fewer and shorter rules in an order, with a default. DATA are the rows "
        "that grew the tree. As JSON it is a MODEL of predict and explain.",
    ),
    output_option(
        "--confidence",
        type=float,
        metavar="NUMBER",
        default=0.25,
        help="Of --list: less drops more conditions.",
    ),
    output_option(
        "--simplify/--no-simplify",
        default=True,
        help="Merge the conditions on each feature, or keep the tests as they stand in the tree.",
    ),
    output_option(
        "--to",
        metavar="FORMAT",
        type=click.Choice(["text", "markdown", "latex", "csv"]),
        help="What to write: text, markdown, latex or csv; else the ending of --out decides (.md, .tex, "
        ".csv, .json), else text.",
    ),
    file_option("--out", "out", "Write to a file instead of printing.", endings=(*ENDINGS, ".txt")),
    output_option("--json", "as_json", is_flag=True, help="Write JSON."),
)
def rules(
    model: Path,
    data: str | None,
    reading: Reading,
    is_list: bool,
    confidence: float,
    simplify: bool,
    to: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write the tree in MODEL as rules, one for each leaf.

    MODEL is a file that another command wrote with --out: JSON, or the page of `treewright
    explore`. Rules come by the weight that they cover. The figures are those of the rows that grew
    the tree, or of the rows of DATA.
    """
    tree = read_model(model)
    _refuse_without(data, is_list)
    rows = None
    if data is not None:
        with input_kept(data):
            rows = reading.rows(tree, data)
    found = _found(tree, rows, data, is_list, confidence, simplify)
    kind = "json" if as_json else to or ENDINGS.get("" if out is None else out.suffix.lower(), "text")
    text = _written(found, kind) if kind != "json" else _document(found, model, tree, data, rows)
    if out is None:
        click.echo(text.rstrip("\n"))
    else:
        write_whole(out, text.rstrip("\n") + "\n")


def _refuse_without(data: str | None, is_list: bool) -> None:
    if data is not None:
        return
    if is_list:
        raise click.UsageError("--list needs DATA, the rows that grew the tree.")
    for option in named_options():
        if option.section == "Data":
            raise click.UsageError(f"{option.opts[0]} says how to read DATA, which is not given.")


def _found(
    tree: Tree, rows: Rows | None, data: str | None, is_list: bool, confidence: float, simplify: bool
) -> Rules:
    if rows is None:
        return tree.rules(simplify=simplify)
    labels = None if rows.labels is None else list(rows.labels)
    if not is_list:
        return tree.rules(rows.features, labels, rows.weights, simplify=simplify)
    from treewright.rules import simplify_rules

    if labels is None:
        raise click.UsageError(f"--list: the rows of {data} need --target COL, the column of their class.")
    return simplify_rules(tree, rows.features, labels, rows.weights, confidence=confidence)


def _written(found: Rules, kind: str) -> str:
    if kind == "csv":
        return _as_csv(found)
    writers = {"text": found.to_text, "markdown": found.to_markdown, "latex": found.to_latex}
    return writers[kind]()


def _as_csv(found: Rules) -> str:
    told = [{name: value for name, value in one.items() if name != "conditions"} for one in _dicts(found)]
    return as_csv(list(told[0]), [list(one.values()) for one in told])


def _dicts(found: Rules) -> list[dict[str, object]]:
    return [{"cost": None, **one} for one in found.to_dicts()]


def _document(found: Rules, model: Path, tree: Tree, data: str | None, rows: Rows | None) -> str:
    from treewright.cli._header import model_facts, rows_facts
    from treewright.rules import RuleList

    told = [] if rows is None or data is None else [rows_facts(data, rows)]
    facts = {"model": model_facts(model, tree), "is_list": hasattr(found, "default")}
    facts |= {"rules": _dicts(found), "notes": list(found.notes)}
    if isinstance(found, RuleList):
        facts["rule_list"] = json.loads(found.to_json())
    return as_json({**header("rules", told), **facts})
