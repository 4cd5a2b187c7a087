"""What `treewright table` is asked for, as words on the command line."""

from __future__ import annotations

import click

from treewright.cli._options import search_option

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
