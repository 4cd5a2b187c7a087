"""`treewright fit`: one greedy tree, without selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._growing import takes_growing_of_one_by_growth
from treewright.cli._labels import with_labels
from treewright.cli._options import takes_data, takes_output
from treewright.cli._output import IS_USED, Output
from treewright.cli._pruning import classifier, growth_option, refuse_numbers, takes_rule
from treewright.cli._signature import Given
from treewright.cli._source import Reading
from treewright.cli._text import described, drawn, joined

if TYPE_CHECKING:
    from treewright import Tree
    from treewright.pruning import PruningRule


@click.command(
    cls=Command,
    first=(
        "target",
        "drop",
        "missing_values",
        "growth",
        "max_depth",
        "min_samples_leaf",
        "nominal_splits",
        "class_weight",
        "rule_name",
        "confidence",
        "show_depth",
        "out",
        "as_json",
    ),
    examples=(
        "treewright fit iris",
        "treewright fit table.csv --target class --max-depth 3 --out tree.json",
        "treewright fit tic-tac-toe --prune error-based --confidence 0.1",
    ),
)
@takes_data()
@growth_option("standard", prunes=True)
@takes_growing_of_one_by_growth
@takes_rule("--prune", grows=True, help_text="Prune the tree by this rule")
@takes_output(
    "Write the tree to a JSON file, for `treewright predict`.", "as_json", "show_depth", "show_branches"
)
def fit(
    data: str, reading: Reading, growth: str, growing: Given, rule: PruningRule | None, output: Output
) -> None:
    """Grow a greedy decision tree on all rows and features of DATA."""
    dataset = reading.load(data)
    refuse_numbers(growth, data, dataset)
    parameters = {**with_labels(growing, dataset), "pruning": rule}
    model = classifier(growth, parameters).fit(dataset)
    tree, chosen = model.tree_, model.pruning_
    title = f"Tree of all features, {f'pruned by {chosen}' if chosen else 'grown on all rows'}:"
    output.give(
        document=tree.to_json,
        text=lambda: joined([described(data, dataset), drawn(tree, output.shown, title) + _one_answer(tree)]),
        use=f"The tree is in {{out}}; {IS_USED}",
    )


def _one_answer(tree: Tree) -> str:
    """Say that all leaves answer alike, and what makes another class count; nothing of other trees."""
    answers = {tree.classes_[code] for code in tree.node_class[tree.n_children == 0].tolist()}
    if tree.n_leaves == 1 or len(answers) > 1:
        return ""
    remedy = "--class-weight balanced or --cost-matrix lets other classes count more"
    return f"\nEvery leaf answers {answers.pop()}; {remedy}.\n"
