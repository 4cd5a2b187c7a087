"""`treewright table`: exact and greedy trees of a decision table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from treewright.cli._files import write_whole
from treewright.cli._options import (
    JSON,
    SHOW_DEPTH,
    data_option,
    options,
    out_option,
    output_option,
    parameter_options,
    search_option,
    takes_source,
)
from treewright.cli._progress import ProgressLine
from treewright.cli._sections import Command
from treewright.cli._source import Source

COSTS = ("depth", "total_path_length", "average_depth", "n_nodes", "n_internal", "n_leaves")
IMPURITIES = ("max", "sum", "weighted_max", "weighted_sum")
UNCERTAINTIES = ("entropy", "gini", "misclassification", "rt")


def _heuristics(
    ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Read heuristics: all, or impurity,uncertainty."""
    every = tuple((impurity, measure) for impurity in IMPURITIES for measure in UNCERTAINTIES)
    if "all" in given:
        return every
    chosen = [tuple(part.strip() for part in text.split(",")) for text in given]
    for heuristic, text in zip(chosen, given, strict=True):
        if heuristic not in every:
            raise click.BadParameter(
                f"{text!r} is not known; write 'all', or one of {', '.join(IMPURITIES)} and one of "
                f"{', '.join(UNCERTAINTIES)}, as in 'sum,rt'.",
                ctx,
                parameter,
            )
    return tuple(heuristic for heuristic in every if heuristic in chosen)


def _two_costs(ctx: click.Context, parameter: click.Parameter, given: str | None) -> tuple[str, str] | None:
    """Read two different costs, divided by a comma."""
    if given is None:
        return None
    names = [name.strip() for name in given.split(",")]
    if len(names) != 2 or not set(names) <= set(COSTS) or names[0] == names[1]:
        raise click.BadParameter(
            f"{given!r} must be two different costs, as in 'depth,n_nodes'; there are {', '.join(COSTS)}.",
            ctx,
            parameter,
        )
    return names[0], names[1]


GREEDY = search_option(
    "--greedy",
    multiple=True,
    metavar="NAMES",
    callback=_heuristics,
    help="Also show what greedy trees cost: 'all', or impurity and uncertainty, as in 'weighted_sum,gini'. "
    "Repeatable.",
)
PARETO = search_option(
    "--pareto",
    metavar="A,B",
    callback=_two_costs,
    help="Also show what one cost is worth in terms of another, as in 'depth,n_nodes'.",
)


@click.command(
    "table",
    cls=Command,
    short_help="Find trees of least cost for a decision table.",
    examples=(
        "treewright table tic-tac-toe",
        "treewright table monks-1 --cost depth --then n_nodes --greedy all",
        "treewright table data.csv --target class --bins 4 --pareto depth,n_nodes",
    ),
)
@takes_source
@options(
    data_option(
        "--bins",
        type=click.IntRange(min=2),
        metavar="N",
        help="Cut numeric columns into at most N bins of about as many rows each. Whole numbers are values "
        "otherwise, and fractions are refused.",
    ),
    data_option(
        "--on-conflict",
        type=click.Choice(["raise", "most_common"]),
        metavar="RULE",
        default="raise",
        help="Where equal rows have different classes. raise: an error; most_common: the most common.",
    ),
    search_option(
        "--cost",
        type=click.Choice(COSTS),
        metavar="NAME",
        default="n_nodes",
        help="What the tree has least of: depth, total_path_length, average_depth, n_nodes, n_internal "
        "or n_leaves.",
    ),
    search_option(
        "--then",
        multiple=True,
        type=click.Choice(COSTS),
        metavar="NAME",
        help="Cost that decides between trees that are equal so far. Repeatable.",
    ),
    GREEDY,
    PARETO,
    *parameter_options(
        "treewright.MinimalTreeClassifier",
        "max_pairs",
        "time_limit",
        "node_limit",
        "memory_limit",
        "n_jobs",
        section="Search",
    ).values(),
    out_option("Write the tree to a JSON file, for `treewright predict`."),
    JSON,
    SHOW_DEPTH,
    output_option("--progress", is_flag=True, help="Show progress even off a terminal."),
)
def table(
    source: Source,
    bins: int | None,
    on_conflict: str,
    cost: str,
    then: tuple[str, ...],
    greedy: tuple[tuple[str, str], ...],
    pareto: tuple[str, str] | None,
    max_pairs: int | None,
    out: Path | None,
    as_json: bool,
    show_depth: int,
    progress: bool,
    **limits: Any,
) -> None:
    """Find a tree of least cost that tells the rows of DATA apart.

    Rows are different, each with its class; a tree asks for a value at every
    node, with a branch for each that occurs, and goes on until all rows have
    one class. All subtables that questions can leave are found if they fit the
    limits, and with them the least of every cost; if not, branch and bound
    searches for the one of --cost. A missing value is a value.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists.
    """
    from treewright.cli._table import Questions, answered
    from treewright.tables import DecisionTable

    dataset = source.load()
    made = DecisionTable.from_data(dataset, bins=bins, on_conflict=on_conflict)
    questions = Questions(cost, then, greedy, pareto, max_pairs or 0)
    with ProgressLine(progress, "subtables", "at best") as line:
        answers = answered(source.data, dataset, made, questions, {**limits, "callback": line})
    if out is not None:
        write_whole(out, answers.tree.to_json() + "\n")
    click.echo(answers.document() if as_json else answers.text(show_depth), nl=False)
    if out is not None:
        click.echo(f"\nThe tree is in {out}; {_use(out, bins)}.", err=as_json)


def _use(out: Path, bins: int | None) -> str:
    if bins is None:
        return f"`treewright predict {out} DATA` uses it"
    return "it asks for the ranges of --bins, so it predicts from data with these as values"
