"""`treewright table`: exact and greedy trees of a decision table."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._options import options, parameter_options, search_option, takes_data, takes_output
from treewright.cli._output import IS_USED, Output
from treewright.cli._running import ProgressLine
from treewright.cli._signature import Given, given, parameters_of
from treewright.cli._source import Reading

if TYPE_CHECKING:
    from treewright import Tree
    from treewright.results import Callback, SearchResult
    from treewright.tables import DecisionTable, SubtableGraph

MINIMAL = "treewright.MinimalTreeClassifier"
COSTS = parameters_of(MINIMAL)["cost"].choices
_GREEDY_TREE = parameters_of("treewright.tables.DecisionTable.greedy_tree")
IMPURITIES, UNCERTAINTIES = (sorted(_GREEDY_TREE[name].choices) for name in ("impurity", "uncertainty"))

Heuristic = tuple[str, str]
"""Impurity and uncertainty."""

GRAPH_NODES = 2_000_000
"""Subtables up to which the graph is tried if no limit is given."""


def _heuristics(
    ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[Heuristic, ...]:
    """Read heuristics: all, or impurity,uncertainty."""
    every = tuple(product(IMPURITIES, UNCERTAINTIES))
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
@takes_data()
@options(
    *parameter_options(
        "treewright.tables.DecisionTable.from_data", "bins", "on_conflict", section="Data"
    ).values(),
    *parameter_options(MINIMAL, "cost", section="Search").values(),
    search_option(
        "--then",
        multiple=True,
        type=click.Choice(COSTS),
        metavar="NAME",
        help="Cost that decides between trees that are equal so far. Repeatable.",
    ),
    search_option(
        "--greedy",
        multiple=True,
        metavar="NAMES",
        callback=_heuristics,
        help="Also show what greedy trees cost: 'all', or impurity and uncertainty, as in "
        "'weighted_sum,gini'. Repeatable.",
    ),
    search_option(
        "--pareto",
        metavar="A,B",
        callback=_two_costs,
        help="Also show what one cost is worth in terms of another, as in 'depth,n_nodes'.",
    ),
    *parameter_options(
        MINIMAL, "alpha", "time_limit", "node_limit", "memory_limit", "n_jobs", section="Search"
    ).values(),
)
@takes_output(
    "Write all of it to a JSON file, with the tree for `treewright predict`.",
    "as_json",
    "show_depth",
    "progress",
)
def table(
    data: str,
    reading: Reading,
    bins: int | None,
    on_conflict: str | None,
    greedy: tuple[Heuristic, ...],
    pareto: tuple[str, str] | None,
    output: Output,
    **search: object,
) -> None:
    """Find a tree of least cost that tells the rows of DATA apart.

    Rows are different, each with its class; a tree asks for a value at every
    node, with a branch for each that occurs, and goes on until all rows have
    one class. All subtables that questions can leave are found if they fit the
    limits, and with them the least of every cost; if not, branch and bound
    searches for the one of --cost. A missing value is a value.
    """
    from treewright.cli._table import Report
    from treewright.tables import DecisionTable

    dataset = reading.load(data)
    made = DecisionTable.from_data(dataset, **given(bins=bins, on_conflict=on_conflict))
    asked = given(**search)
    with ProgressLine(output.progress, "subtables", "at best") as line:
        graph, result = _searched(made, asked, line)
    report = Report(data, dataset, made, graph, result, asked, greedy, pareto)
    ranges = "it asks for the ranges of --bins, so it predicts from data with these as values."
    output.give(
        document=report.document,
        text=lambda: report.text(output.show_depth),
        use=f"The tree is in {{out}}; {IS_USED if bins is None else ranges}",
    )


def _searched(
    table: DecisionTable, asked: Given, callback: Callback
) -> tuple[SubtableGraph, SearchResult[Tree]]:
    """Build the graph within half of the time, and search by branch and bound where it does not fit."""
    known = {"cost", "then"}
    limits = {name: value for name, value in asked.items() if name not in known} | {"callback": callback}
    seconds = asked.get("time_limit")
    of_graph = {"node_limit": GRAPH_NODES} | limits | {"time_limit": seconds and seconds / 2}
    graph = table.subtable_graph(**of_graph)
    return graph, table.minimum_tree(**(asked | limits), graph=graph)
