"""`treewright fixed-depth`: the best few questions to ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._files import write_whole
from treewright.cli._lines import (
    filled,
    plural,
    seconds,
)
from treewright.cli._options import (
    JSON,
    growing_option,
    options,
    out_option,
    output_option,
    parameter_option,
    parameter_options,
    takes_source,
)
from treewright.cli._pictures import (
    checked_picture,
    drawn,
    prepare_drawing,
)
from treewright.cli._sections import Command
from treewright.cli._source import Source

if TYPE_CHECKING:
    from treewright import Dataset, FixedDepthTreeClassifier


def checked_costs(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Read costs: a column, an equals sign, a number."""
    from decimal import Decimal, InvalidOperation

    costs = {}
    for text in given:
        name, sign, cost = text.rpartition("=")
        try:
            exact = str(Decimal(cost))
        except InvalidOperation:
            sign = ""
        if name in costs and sign:
            raise click.BadParameter(f"{name!r} has two costs; give each column one.", ctx, parameter)
        if not sign or not name:
            raise click.BadParameter(
                f"{text!r} must be a column and what it costs, as in 'age=2.5'.", ctx, parameter
            )
        costs[name] = exact
    return costs


FIXED_DEPTH = "treewright.FixedDepthTreeClassifier"


@click.command(
    "fixed-depth",
    cls=Command,
    short_help="Find the best tree of fixed depth under naive Bayes.",
    examples=(
        "treewright fixed-depth tic-tac-toe",
        "treewright fixed-depth table.csv --target class --depth cv --out tree.json",
        "treewright fixed-depth table.csv --target class --cost scan=9.5 --budget 10",
    ),
)
@takes_source
@options(
    *parameter_options(
        FIXED_DEPTH,
        "max_depth",
        "class_prior",
        "value_prior",
        "n_bins",
        "binning",
        section="Growing",
    ).values(),
    growing_option(
        "--cost",
        "costs",
        parameter="feature_costs",
        multiple=True,
        metavar="COL=COST",
        callback=checked_costs,
        help="What it costs to ask for a column; columns not named cost nothing. Repeatable.",
    ),
    *parameter_options(FIXED_DEPTH, "cost_budget", "unseen", section="Growing").values(),
    parameter_option(FIXED_DEPTH, "time_limit", section="Search"),
    out_option("Write the tree to a JSON file, for `treewright predict`."),
    output_option(
        "--plot",
        "picture",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        callback=checked_picture,
        help="Draw which last question is best for every probability of the class, where there are two: a "
        ".png, .pdf or .svg file.",
    ),
    output_option("--unknown", is_flag=True, help="Also say what to answer where a question has no answer."),
    JSON,
)
def fixed_depth(
    source: Source,
    costs: dict[str, str],
    cost_budget: float | None,
    out: Path | None,
    picture: Path | None,
    unknown: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Find the decision tree of a given depth that is optimal under naive Bayes.

    Each question is for the value of one column, and which comes next depends
    on the answers; in the end a class is named. Of all such trees this is one
    that is right most often if columns are independent within each class, as
    naive Bayes takes them to be. Missing values are left out of counts.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists.
    """
    from treewright import FixedDepthTreeClassifier

    parameters = {name: value for name, value in given.items() if value is not None}
    if unknown and parameters.get("unseen") == "skip":
        raise click.UsageError(
            "--unknown goes with --unseen stop: with skip the answer is averaged over all that may follow."
        )
    if picture is not None:
        prepare_drawing()
    dataset = source.load()
    own_costs: dict[str, Any] = (
        {"feature_costs": costs_of(costs, dataset), "cost_budget": cost_budget}
        if costs or cost_budget is not None
        else {}
    )
    model = FixedDepthTreeClassifier(**own_costs, **parameters).fit(dataset)
    if picture is not None:
        write_whole(picture, _drawn(model, picture))
    if out is not None:
        write_whole(out, model.threshold_tree().to_json() + "\n")
    if as_json:
        click.echo(_document(dataset, model))
        return
    click.echo(text_of(source.data, dataset, model, tells_unknown=unknown))
    if out is not None:
        click.echo(f"\nThe tree is in {out}; `treewright predict {out} DATA` uses it.")


def costs_of(costs: dict[str, str], dataset: Dataset) -> list[Any] | None:
    """Return one cost a column, exactly as written."""
    from decimal import Decimal

    unknown = sorted(set(costs).difference(dataset.feature_names))
    if unknown:
        from treewright._base.wording import shortened

        raise click.UsageError(
            f"--cost names {unknown[0]!r}, which is no column to ask for; there are "
            f"{shortened(dataset.feature_names)}."
        )
    return [Decimal(costs.get(name, "0")) for name in dataset.feature_names] if costs else None


def text_of(name: str, dataset: Dataset, model: FixedDepthTreeClassifier, *, tells_unknown: bool) -> str:
    """Return the report: data, what the tree is worth, the questions."""
    from treewright.cli._questions import Questions
    from treewright.cli._tree import described

    lines = Questions(model.tree_, model.bin_edges_, tells_unknown).lines()
    return "\n".join([described(name, dataset), "", *_facts(model), "", *lines])


def _facts(model: FixedDepthTreeClassifier) -> list[str]:
    """Say what the tree is worth, and how sure that is."""
    search, depth = model.search_, model.depth_
    chosen = ", chosen by cross-validation" if model.max_depth == "cv" else ""
    budget = "" if model.cost_budget is None else f", within a budget of {model.cost_budget:.15g}"
    worth = (
        f"At most {plural(depth, 'question')}{chosen}{budget}. Right for "
        f"{100 * model.training_accuracy_:.1f}% of these rows; "
        f"{100 * model.expected_accuracy_:.1f}% expected under naive Bayes"
    )
    proven = ", the most there is" if search.status == "optimal" else ""
    bound = 1 - (search.bound or 0)
    rest = "" if proven else f" {search.message} No tree is right for more than {100 * bound:.1f}%."
    return filled(f"{worth}{proven} (found in {seconds(search.elapsed)}).{rest}").split("\n")


def _drawn(model: FixedDepthTreeClassifier, path: Path) -> bytes:
    if len(model.classes_) != 2:
        raise click.UsageError(f"--plot needs two classes; DATA has {len(model.classes_)}.")
    figure: Any = model.opt_feature_list_.plot().figure
    return drawn(figure, path)


def _document(dataset: Dataset, model: FixedDepthTreeClassifier) -> str:
    """Return the tree as JSON, the tree with thresholds in place of bins."""
    import treewright
    from treewright.cli._tree import data_facts

    search = model.search_
    facts: dict[str, Any] = {
        "format": "treewright-fixed-depth",
        "treewright": treewright.__version__,
        "data": data_facts(dataset),
        "depth": model.depth_,
        "expected_accuracy": model.expected_accuracy_,
        "training_accuracy": model.training_accuracy_,
        "search": {
            "status": search.status,
            "cost": search.cost,
            "bound": search.bound,
            "n_searched": search.n_searched,
            "seconds": search.elapsed,
        },
        "tree": json.loads(model.threshold_tree().to_json()),
    }
    return json.dumps(facts, ensure_ascii=False, allow_nan=False)
