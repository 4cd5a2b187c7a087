"""`treewright fit`: one greedy tree, without selection."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._files import write_whole
from treewright.cli._growth import (
    classifier,
    growth_option,
    refuse_numbers,
)
from treewright.cli._options import (
    JSON,
    SHOW_DEPTH,
    options,
    out_option,
    takes_growing,
    takes_source,
)
from treewright.cli._pruning import takes_rule
from treewright.cli._sections import Command
from treewright.cli._source import Source

if TYPE_CHECKING:
    from treewright.pruning import PruningRule


def _usual_rule(parameters: dict[str, Any]) -> str:
    """Return the rule of a growth where none is named; C4.5's is error-based."""
    return "error-based" if parameters["growth"] == "c45" else "none"


@click.command(
    cls=Command,
    short_help="Grow a greedy tree on all features.",
    examples=(
        "treewright fit iris",
        "treewright fit table.csv --target class --max-depth 3 --out tree.json",
        "treewright fit tic-tac-toe --prune error-based --confidence 0.1",
    ),
)
@takes_source
@growth_option("standard", prunes=True)
@takes_growing
@takes_rule("--prune", grows=True, help_text="Prune the tree by this rule", usual=_usual_rule)
@options(out_option("Write the tree to a JSON file, for `treewright predict`."), JSON, SHOW_DEPTH)
def fit(
    source: Source,
    growth: str,
    growing: dict[str, Any],
    rule: PruningRule | None,
    out: Path | None,
    as_json: bool,
    show_depth: int,
) -> None:
    """Grow a greedy tree on all rows and features of DATA.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists.
    """
    from treewright.cli._tree import described, drawn

    dataset = source.load()
    refuse_numbers(growth, source.data, dataset)
    model = classifier(growth, {**growing, "pruning": rule}).fit(dataset)
    tree = model.tree_
    if out is not None:
        write_whole(out, tree.to_json() + "\n")
    if as_json:
        click.echo(tree.to_json())
        return
    click.echo(described(source.data, dataset))
    click.echo()
    click.echo(drawn(tree, show_depth, _title(model.pruning_)), nl=False)
    if out is not None:
        click.echo(f"\nThe tree is in {out}; `treewright predict {out} DATA` uses it.")


def _title(rule: PruningRule | None) -> str:
    """Say what the tree is made of; reduced-error pruning sets rows aside to judge it by."""
    if rule is None:
        return "Tree of all features, grown on all rows:"
    return f"Tree of all features, pruned by {rule}:"
