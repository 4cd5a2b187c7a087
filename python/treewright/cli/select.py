"""`treewright select`: the main job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._growing import takes_growing_of_one
from treewright.cli._labels import with_labels
from treewright.cli._options import (
    gathered,
    is_named,
    options,
    parameter_options,
    search_option,
    spelling,
    takes_data,
    takes_output,
)
from treewright.cli._output import IS_USED, Output
from treewright.cli._pruning import OF_SELECTION, seeded, takes_rule
from treewright.cli._running import FirstCtrlC, ProgressLine
from treewright.cli._signature import Given, given
from treewright.cli._source import Reading
from treewright.cli._text import written_count

if TYPE_CHECKING:
    from treewright import BackwardEliminationSelector, CompleteSearchSelector, ForwardSelectionSelector
    from treewright.pruning import PruningRule

    Selector = BackwardEliminationSelector | ForwardSelectionSelector | CompleteSearchSelector

BACKWARD = "treewright.BackwardEliminationSelector"
COMPLETE = "treewright.CompleteSearchSelector"

_STEPS = {
    **parameter_options(
        BACKWARD, *("strategy", "floating", "tolerance", "parsimonious", "min_features"), section="Search"
    ),
    **parameter_options("treewright.ForwardSelectionSelector", "max_features", section="Search"),
    **parameter_options(BACKWARD, "required_features", "feature_groups", "start_from", section="Search"),
    **parameter_options(COMPLETE, "top_k", "count_ties", "order", "memory_limit", section="With --complete"),
}
"""Options that not every search has."""


@click.command(
    cls=Command,
    first=(
        "target",
        "drop",
        "is_forward",
        "is_complete",
        "max_features",
        "min_samples_leaf",
        "rule_name",
        "validation_set",
        "random_state",
        "time_limit",
        "out",
        "as_json",
    ),
    examples=(
        "treewright select wine",
        "treewright select table.csv --target class --missing-value '?'",
        "treewright select table.csv.gz --target class --drop id --out found.json",
        "treewright select wine --forward --floating --max-features 3",
        "treewright select wine --complete --min-samples-leaf 5 --top-k 3",
    ),
)
@takes_data()
@takes_growing_of_one
@takes_rule(OF_SELECTION)
@options(
    *parameter_options(
        BACKWARD,
        *("validation_set", "validation_leaf_penalty", "validation_feature_penalty", "random_state"),
        section="Search",
    ).values(),
    search_option(
        "--forward",
        "is_forward",
        is_flag=True,
        help=("Forward selection: start with no features and add them."),
    ),
    search_option(
        "--complete",
        "is_complete",
        is_flag=True,
        help=(
            "Search all subsets for the best, and prove it. This may take long: see --time-limit. Of the "
            "options below it takes --tolerance and --max-features."
        ),
    ),
    gathered("rules", _STEPS, given),
    *parameter_options(BACKWARD, "time_limit", section="Search").values(),
)
@takes_output(
    "Write the result to a JSON file.",
    "as_json",
    "show_depth",
    "show_branches",
    "progress",
    picture="Draw errors by step, or of --complete the best trees: a .png, .pdf or .svg file.",
)
def select(
    data: str,
    reading: Reading,
    growing: Given,
    rule: PruningRule | None,
    rules: Given,
    is_forward: bool,
    is_complete: bool,
    output: Output,
    **search: object,
) -> int:
    """Select features of DATA for a decision tree, and grow the tree.

    By default features are dropped by backward elimination: every round drops
    the feature without which the tree makes the fewest errors on a validation
    set, and the search ends when no removal makes fewer errors. With --forward
    features are added one by one (forward selection). With --complete all
    subsets are searched for the one whose tree makes the fewest errors, with a
    proof.

    Mostly --min-samples-leaf 5 halves the tree and predicts new rows as well.
    With few rows --validation-set cv chooses better features.
    """
    from treewright import GreedyTreeClassifier

    make = _selector(is_forward, is_complete, rules)
    dataset = reading.load(data)
    counted = "validation errors" if growing.get("cost_matrix") is None else "validation cost"
    most = _most_trees(is_complete, rules, search["validation_set"], dataset.n_features)
    with FirstCtrlC() as stop, ProgressLine(output.progress, best=f"{counted} at best", most=most) as line:
        selector = make(
            callback=stop.after(line),
            n_jobs=growing.pop("n_jobs", None),
            estimator=GreedyTreeClassifier(
                **with_labels(growing, dataset), pruning=seeded(rule, search["random_state"])
            ),
            **given(**search),
            **rules,
        ).fit(dataset)
    from treewright.cli._selection import Report

    report = Report(data, dataset, selector)
    output.give(
        document=report.document,
        text=lambda: report.text(output.shown),
        plot=selector.plot,
        use=f"The result, with both trees, is in {{out}}; {IS_USED}",
    )
    return stop.exit_code


def _most_trees(is_complete: bool, rules: Given, validation_set: object, n_features: int) -> str | None:
    """Return how many trees are built at most, where that is known before."""
    if rules.get("floating") or isinstance(validation_set, str):
        return None
    return written_count(2**n_features if is_complete else 1 + n_features * (n_features + 1) // 2)


def _selector(is_forward: bool, is_complete: bool, rules: Given) -> type[Selector]:
    """Return the class of the selector; options that it has no use for are refused."""
    from treewright import BackwardEliminationSelector, CompleteSearchSelector, ForwardSelectionSelector

    if is_forward and is_complete:
        raise click.UsageError("--forward and --complete are two different searches: give one of them.")
    selectors: dict[str, type[Selector]] = {
        "": BackwardEliminationSelector,
        "--forward": ForwardSelectionSelector,
        "--complete": CompleteSearchSelector,
    }
    flag = "--forward" if is_forward else "--complete" if is_complete else ""
    takers = {other: set(selector().get_params()) for other, selector in selectors.items()}
    for name in [name for name in rules if is_named(name)]:
        if name not in takers[flag]:
            others = " or ".join(other for other in takers if name in takers[other])
            relation = f"does not go with {flag}" if flag else f"goes with {others} only"
            raise click.UsageError(f"{spelling(name)} {relation}; leave it out.")
    return selectors[flag]
