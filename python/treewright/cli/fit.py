"""`treewright fit`: one greedy tree, without selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._growing import takes_growing_of_one_by_growth
from treewright.cli._labels import with_labels
from treewright.cli._options import takes_data, takes_output
from treewright.cli._output import IS_USED, Output
from treewright.cli._pruning import (
    OF_FITTING,
    classifier,
    growth_option,
    made_by,
    pruning_line,
    refuse_numbers,
    takes_rule,
)
from treewright.cli._signature import Given
from treewright.cli._source import Reading
from treewright.cli._text import cost_told, described, drawn, filled, joined, labelled, n_errors, plural

if TYPE_CHECKING:
    from treewright import Dataset, GreedyTreeClassifier, Tree
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
        "treewright fit tic-tac-toe --confidence 0.1",
        "treewright fit tic-tac-toe --prune none",
    ),
)
@takes_data()
@growth_option("standard", prunes=True)
@takes_growing_of_one_by_growth
@takes_rule(OF_FITTING)
@takes_output(
    "Write the tree to a JSON file, for `treewright predict`.", "as_json", "show_depth", "show_branches"
)
def fit(
    data: str, reading: Reading, growth: str, growing: Given, rule: PruningRule | None, output: Output
) -> None:
    """Grow a greedy decision tree on all rows and features of DATA, and prune it.

    Mostly --min-samples-leaf 5 halves the tree and predicts new rows as well.
    """
    dataset = reading.load(data)
    refuse_numbers(growth, data, dataset)
    parameters = {**with_labels(growing, dataset), "pruning": rule}
    model = classifier(growth, parameters).fit(dataset)
    tree = model.tree_

    def text() -> str:
        head = f"{described(data, dataset)}\n{pruning_line(rule, model.pruning_)}"
        title = f"Tree of all features, {made_by(rule)} on all rows:"
        ends = [filled(_one_answer(tree, rule)), filled(_errors(model, dataset))]
        return joined([head, drawn(tree, output.shown, title), *ends])

    output.give(document=tree.to_json, text=text, use=f"The tree is in {{out}}; {IS_USED}")


def _errors(model: GreedyTreeClassifier, dataset: Dataset) -> str:
    """Say how many of its own rows a tree predicts wrongly, and what that is worth."""
    predicted, n_rows = model.predict(dataset).tolist(), dataset.n_samples
    wrong = n_errors(predicted, dataset)
    target, classes = labelled(dataset)
    cost = cost_told(model.tree_, [classes[code] for code in target], predicted, dataset.sample_weight)
    worse = "a higher cost" if cost else "more errors"
    answers = f", and its answers {cost}" if cost else ""
    return (
        f"It predicts {wrong:,} of these {plural(n_rows, 'row')} wrongly ({wrong / n_rows:.1%}){answers}; it "
        f"was made from them, so expect {worse} on new rows."
    )


def _one_answer(tree: Tree, rule: PruningRule | None) -> str:
    """Say that all leaves answer alike, and what makes another class count; nothing of other trees."""
    answers = {tree.classes_[code] for code in tree.node_class[tree.n_children == 0].tolist()}
    is_pure = (tree.class_weights[0] > 0).sum() < 2
    if len(answers) > 1 or is_pure or (tree.n_leaves == 1 and rule is None):
        return ""
    who = "Every leaf answers" if tree.n_leaves > 1 else "Pruning leaves one leaf, which answers"
    remedies = "--class-weight balanced or --cost-matrix lets other classes count more"
    whole = "" if rule is None else ", and --prune none shows the whole tree"
    return f"{who} {answers.pop()}; {remedies}{whole}."
