"""`treewright policy`: the best few questions to ask."""

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
    takes_source,
)
from treewright.cli._pictures import (
    checked_picture,
    drawn,
    prepare_drawing,
)
from treewright.cli._search import TIME_LIMIT
from treewright.cli._sections import Command
from treewright.cli._source import Source

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset
    from treewright.trees.fixed_depth.estimator import FixedDepthTreeClassifier


def checked_depth(ctx: click.Context, parameter: click.Parameter, given: str) -> int | str:
    """Read a number of questions, or cv."""
    if given == "cv" or given.isdecimal():
        return given if given == "cv" else int(given)
    raise click.BadParameter(
        f"{given!r} must be a number of questions of at least 0, or 'cv'.", ctx, parameter
    )


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


@click.command(
    "policy",
    cls=Command,
    short_help="Find the best few questions to ask.",
    examples=(
        "treewright policy tic-tac-toe",
        "treewright policy table.csv --target class --depth cv --out tree.json",
        "treewright policy table.csv --target class --cost scan=9.5 --budget 10",
    ),
)
@takes_source
@options(
    growing_option(
        "--depth",
        callback=checked_depth,
        metavar="N",
        default="3",
        help="Most questions for a row; cv chooses among 1 to 5 by cross-validation.",
    ),
    growing_option(
        "--class-prior", type=float, metavar="COUNT", default=1.0, help="Pseudo-count of every class."
    ),
    growing_option(
        "--value-prior",
        type=float,
        metavar="COUNT",
        default=1.0,
        help="Pseudo-count of every value of a feature within a class.",
    ),
    growing_option(
        "--bins",
        "n_bins",
        type=click.IntRange(min=2),
        metavar="N",
        default=2,
        help="Most bins of a numeric column, each one answer.",
    ),
    growing_option(
        "--binning",
        type=click.Choice(["quantile", "supervised"]),
        metavar="RULE",
        default="quantile",
        help="quantile: bins of about as many rows; supervised: one cut, where it tells most of the class.",
    ),
    growing_option(
        "--cost",
        "costs",
        multiple=True,
        metavar="COL=COST",
        callback=checked_costs,
        help="What it costs to ask for a column; columns not named cost nothing. Repeatable.",
    ),
    growing_option(
        "--budget", metavar="COST", type=float, help="What the questions for a row may cost altogether."
    ),
    growing_option(
        "--unseen",
        type=click.Choice(["stop", "skip"]),
        metavar="RULE",
        default="stop",
        help="Where a question has no answer. stop: answer with what is known so far; skip: average over the "
        "answers.",
    ),
    TIME_LIMIT,
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
def policy(
    source: Source,
    depth: int | str,
    costs: dict[str, str],
    budget: float | None,
    out: Path | None,
    picture: Path | None,
    unknown: bool,
    as_json: bool,
    **parameters: Any,
) -> None:
    """Find the best questions to ask of a row of DATA, a few at the most.

    Each question is for the value of one column, and which comes next depends
    on the answers; in the end a class is named. Of all such policies this is
    one that is right most often if columns are independent within each class,
    as naive Bayes takes them to be. Missing values are left out of counts.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists.
    """
    from treewright import FixedDepthTreeClassifier

    if unknown and parameters["unseen"] == "skip":
        raise click.UsageError(
            "--unknown goes with --unseen stop: with skip the answer is averaged over all that may follow."
        )
    if picture is not None:
        prepare_drawing()
    dataset = source.load()
    own_costs: dict[str, Any] = (
        {"feature_costs": costs_of(costs, dataset), "cost_budget": budget}
        if costs or budget is not None
        else {}
    )
    model = FixedDepthTreeClassifier(depth, **own_costs, **parameters).fit(dataset)
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
        from treewright.data.sources.kinds import shortened

        raise click.UsageError(
            f"--cost names {unknown[0]!r}, which is no column to ask for; there are "
            f"{shortened(dataset.feature_names)}."
        )
    return [Decimal(costs.get(name, "0")) for name in dataset.feature_names] if costs else None


def text_of(name: str, dataset: Dataset, model: FixedDepthTreeClassifier, *, tells_unknown: bool) -> str:
    """Return the report: data, what the policy is worth, the questions."""
    from treewright.cli._policy_text import Policy
    from treewright.cli._tree import described

    lines = Policy(model.tree_, model.bin_edges_, tells_unknown).lines()
    return "\n".join([described(name, dataset), "", *_facts(model), "", *lines])


def _facts(model: FixedDepthTreeClassifier) -> list[str]:
    """Say what the policy is worth, and how sure that is."""
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
    rest = "" if proven else f" {search.message} No policy is worth more than {100 * bound:.1f}%."
    return filled(f"{worth}{proven} (found in {seconds(search.elapsed)}).{rest}").split("\n")


def _drawn(model: FixedDepthTreeClassifier, path: Path) -> bytes:
    if len(model.classes_) != 2:
        raise click.UsageError(f"--plot needs two classes; DATA has {len(model.classes_)}.")
    figure: Any = model.opt_feature_list_.plot().figure
    return drawn(figure, path)


def _document(dataset: Dataset, model: FixedDepthTreeClassifier) -> str:
    """Return the policy as JSON, the tree with thresholds in place of bins."""
    import treewright
    from treewright.cli._tree import data_facts

    search = model.search_
    facts: dict[str, Any] = {
        "format": "treewright-policy",
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
