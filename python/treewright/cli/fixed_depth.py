"""`treewright fixed-depth`: the best few questions to ask."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

import click

from treewright._base.wording import shortened
from treewright.cli._command import Command
from treewright.cli._growing import takes_classes
from treewright.cli._labels import with_labels
from treewright.cli._option import Option
from treewright.cli._options import (
    options,
    output_option,
    parameter_options,
    takes_data,
    takes_output,
)
from treewright.cli._output import IS_USED, Output
from treewright.cli._running import FirstCtrlC, ProgressLine
from treewright.cli._signature import Given, given
from treewright.cli._source import Reading
from treewright.cli._text import described, document, filled, joined, labelled, search_facts, seconds

if TYPE_CHECKING:
    from treewright import Dataset, FixedDepthTreeClassifier
    from treewright.results import Progress


def _read_costs(ctx: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, Decimal]:
    """Read costs: a column, an equals sign, a number, exactly as it is written."""
    costs: dict[str, Decimal] = {}
    for text in texts:
        name, sign, cost = text.rpartition("=")
        try:
            exact = Decimal(cost)
        except InvalidOperation:
            sign = ""
        if name in costs and sign:
            raise click.BadParameter(f"{name!r} has two costs; give each column one.")
        if not sign or not name:
            raise click.BadParameter(f"{text!r} must be a column and what it costs, as in 'age=2.5'.")
        costs[name] = exact
    return costs


FIXED_DEPTH = "treewright.FixedDepthTreeClassifier"


@click.command(
    "fixed-depth",
    cls=Command,
    first=(
        "target",
        "drop",
        "max_depth",
        "n_bins",
        "costs",
        "cost_budget",
        "unseen",
        "time_limit",
        "unknown",
        "picture",
        "out",
        "as_json",
    ),
    examples=(
        "treewright fixed-depth tic-tac-toe",
        "treewright fixed-depth table.csv --target class --depth cv --out tree.json",
        "treewright fixed-depth table.csv --target class --cost scan=9.5 --budget 10",
    ),
)
@takes_data()
@options(
    *parameter_options(
        FIXED_DEPTH, "max_depth", "class_prior", "value_prior", "n_bins", "binning", section="Growing"
    ).values(),
    click.option(
        "--cost",
        "costs",
        cls=Option,
        section="Growing",
        parameter="feature_costs",
        multiple=True,
        metavar="COL=COST",
        callback=_read_costs,
        help="Cost of testing a column; other columns have cost 0. Repeatable.",
    ),
    *parameter_options(FIXED_DEPTH, "cost_budget", "unseen", section="Growing").values(),
    takes_classes,
    *parameter_options(FIXED_DEPTH, "time_limit", section="Search").values(),
    output_option(
        "--plot-class",
        "shown",
        metavar="CLASS",
        otherwise="the second of two, the most probable of more",
        help="Class whose probability --plot shows.",
    ),
    output_option(
        "--unknown", is_flag=True, help=("Also print the prediction for a missing value at each test.")
    ),
)
@takes_output(
    "Write the result to a JSON file, with the tree for `treewright predict`.",
    "as_json",
    "progress",
    picture="Draw the tree: a .png, .pdf or .svg file.",
)
def fixed_depth(
    data: str,
    reading: Reading,
    answering: Given,
    costs: dict[str, Decimal],
    unseen: str | None,
    shown: str | None,
    unknown: bool,
    output: Output,
    **growing: object,
) -> int:
    """Find the decision tree of a given depth that is optimal under naive Bayes.

    Each node tests one column, and each leaf predicts a class. Of all trees of
    this depth the result has the largest probability of a right prediction, if
    columns are independent within each class, as naive Bayes assumes; with
    --cost-matrix it has the least expected cost. Missing values are not counted.
    """
    from treewright import FixedDepthTreeClassifier

    if unknown and unseen == "skip":
        raise click.UsageError(
            "--unknown goes with --unseen stop: with skip the answer is averaged over all that may follow."
        )
    if shown is not None and output.picture is None:
        raise click.UsageError("--plot-class is about the picture, so it needs --plot.")
    dataset = reading.load(data)
    label = _label(shown, dataset)
    asked = given(**growing, unseen=unseen, feature_costs=_in_order(costs, dataset))
    asked |= with_labels(answering, dataset)
    with FirstCtrlC() as stop, SearchLine(output.progress) as line:
        model = FixedDepthTreeClassifier(**asked, callback=stop.after(line)).fit(dataset)
    output.give(
        document=lambda: _document(data, dataset, model),
        text=lambda: joined(
            [described(data, dataset), _worth(model), model.export_questions(tells_unknown=unknown)]
        ),
        plot=lambda: model.plot(label=label),
        use=f"The tree is in {{out}}; {IS_USED}",
    )
    return stop.exit_code


def _label(shown: str | None, dataset: Dataset) -> object:
    """Return the class that a text names."""
    classes = labelled(dataset)[1]
    if shown is None:
        return None
    for label in classes:
        if str(label) == shown:
            return label
    raise click.UsageError(f"--plot-class: {shown!r} is no class; there are {shortened(classes)}.")


class SearchLine(ProgressLine):
    """Shows which search is under way, and of how many."""

    def _described(self, progress: Progress) -> str:
        which = f"search {progress.done + 1} of {progress.total}: " if (progress.total or 1) > 1 else ""
        return f"{which}{progress.text}, {progress.elapsed:.1f} s"


def _in_order(costs: dict[str, Decimal], dataset: Dataset) -> list[Decimal] | None:
    """Return one cost a column."""
    unknown = sorted(set(costs).difference(dataset.feature_names))
    if unknown:
        raise click.UsageError(
            f"--cost names {unknown[0]!r}, which is no column to ask for; there are "
            f"{shortened(dataset.feature_names)}."
        )
    return [costs.get(name, Decimal(0)) for name in dataset.feature_names] if costs else None


def _worth(model: FixedDepthTreeClassifier) -> str:
    """Say what the tree is worth, and how sure that is."""
    search, depth = model.search_, model.depth_
    chosen = ", chosen by cross-validation" if model.max_depth == "cv" else ""
    if model.depth_status_ != "complete":
        chosen += f" that the {model.depth_status_.replace('_', ' ')} cut short"
    budget = "" if model.cost_budget is None else f", within a budget of {model.cost_budget:.15g}"
    worth = (
        f"Depth at most {depth}{chosen}{budget}. Training accuracy {100 * model.training_accuracy_:.1f}%; "
        f"expected accuracy under naive Bayes {100 * model.expected_accuracy_:.1f}%"
    )
    is_proven, bound = search.status == "optimal", search.bound or 0
    if model.tree_.cost_matrix is not None:
        worth += f", expected cost of an answer {model.expected_cost_:.4g}"
        least, beyond = "the least", f"has an expected cost below {bound:.4g}"
    else:
        least, beyond = "the largest", f"has an expected accuracy above {100 * (1 - bound):.1f}%"
    proven = f", proven to be {least}" if is_proven else ""
    rest = "" if is_proven else f" {search.message} No tree {beyond}."
    return filled(f"{worth}{proven} (found in {seconds(search.elapsed)}).{rest}")


def _document(name: str, dataset: Dataset, model: FixedDepthTreeClassifier) -> str:
    """Return the result as JSON, the tree with thresholds in place of bins."""
    facts = {
        "depth": model.depth_,
        "depth_status": model.depth_status_,
        "expected_accuracy": model.expected_accuracy_,
        "expected_cost": model.expected_cost_,
        "training_accuracy": model.training_accuracy_,
        "search": search_facts(model.search_),
        "tree": model.threshold_tree(),
    }
    return document("fixed-depth", name, dataset, facts)
