"""`treewright fixed-depth`: the best few questions to ask."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

import click

from treewright._base.wording import shortened
from treewright.cli._command import Command, Option
from treewright.cli._options import options, output_option, parameter_options, takes_data, takes_output
from treewright.cli._output import IS_USED, Output
from treewright.cli._signature import given
from treewright.cli._source import Reading
from treewright.cli._text import described, document, filled, joined, search_facts, seconds

if TYPE_CHECKING:
    from treewright import Dataset, FixedDepthTreeClassifier


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
    short_help="Find a fixed-depth tree, optimal under naive Bayes.",
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
    *parameter_options(FIXED_DEPTH, "time_limit", section="Search").values(),
    output_option(
        "--unknown", is_flag=True, help=("Also print the prediction for a missing value at each test.")
    ),
)
@takes_output(
    "Write the result to a JSON file, with the tree for `treewright predict`.",
    "as_json",
    picture=(
        "Draw the best last test for every probability of the class, for two classes: a .png, .pdf or .svg "
        "file."
    ),
)
def fixed_depth(
    data: str,
    reading: Reading,
    costs: dict[str, Decimal],
    unseen: str | None,
    unknown: bool,
    output: Output,
    **growing: object,
) -> None:
    """Find the decision tree of a given depth that is optimal under naive Bayes.

    Each node tests one column, and each leaf predicts a class. Of all trees of
    this depth the result has the largest probability of a right prediction, if
    columns are independent within each class, as naive Bayes assumes. Missing
    values are not counted.
    """
    from treewright import FixedDepthTreeClassifier

    if unknown and unseen == "skip":
        raise click.UsageError(
            "--unknown goes with --unseen stop: with skip the answer is averaged over all that may follow."
        )
    dataset = reading.load(data)
    asked = given(**growing, unseen=unseen, feature_costs=_in_order(costs, dataset))
    model = FixedDepthTreeClassifier(**asked).fit(dataset)
    if output.picture is not None and len(model.classes_) != 2:
        raise click.UsageError(f"--plot needs two classes; DATA has {len(model.classes_)}.")
    output.give(
        document=lambda: _document(data, dataset, model),
        text=lambda: joined(
            [described(data, dataset), _worth(model), model.export_questions(tells_unknown=unknown)]
        ),
        plot=lambda: model.opt_feature_list_.plot(),
        use=f"The tree is in {{out}}; {IS_USED}",
    )


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
    budget = "" if model.cost_budget is None else f", within a budget of {model.cost_budget:.15g}"
    worth = (
        f"Depth at most {depth}{chosen}{budget}. Training accuracy {100 * model.training_accuracy_:.1f}%; "
        f"expected accuracy under naive Bayes {100 * model.expected_accuracy_:.1f}%"
    )
    proven = ", proven to be the largest" if search.status == "optimal" else ""
    bound = 1 - (search.bound or 0)
    rest = "" if proven else f" {search.message} No tree has an expected accuracy above {100 * bound:.1f}%."
    return filled(f"{worth}{proven} (found in {seconds(search.elapsed)}).{rest}")


def _document(name: str, dataset: Dataset, model: FixedDepthTreeClassifier) -> str:
    """Return the result as JSON, the tree with thresholds in place of bins."""
    facts = {
        "depth": model.depth_,
        "expected_accuracy": model.expected_accuracy_,
        "training_accuracy": model.training_accuracy_,
        "search": search_facts(model.search_),
        "tree": model.threshold_tree(),
    }
    return document("fixed-depth", name, dataset, facts)
