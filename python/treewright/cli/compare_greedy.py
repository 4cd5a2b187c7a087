"""`treewright compare-greedy`: how far greedy trees are from the least cost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._options import options, search_option
from treewright.cli._sections import Command
from treewright.cli._study_options import (
    Answers,
    answers,
    jobs_option,
    seed_option,
)
from treewright.cli._table_columns import as_csv, records_as_json

if TYPE_CHECKING:
    from treewright.studies import GreedyComparison


def _size_option(name: str, default: int, text: str) -> Any:
    return search_option(name, type=click.IntRange(min=1), metavar="N", default=default, help=text)


@click.command(
    "compare-greedy",
    cls=Command,
    short_help="Compare sixteen greedy heuristics with the least cost.",
    examples=(
        "treewright compare-greedy --n-tables 1000",
        "treewright compare-greedy --n-tables 40000 --n-jobs -1 --out heuristics.png",
    ),
)
@options(
    _size_option("--n-tables", 1000, "Random tables. The published experiment has 40000."),
    _size_option("--n-rows", 50, "Rows of each, before equal rows become one."),
    _size_option("--n-features", 10, "Features of each."),
    _size_option("--n-values", 3, "Values of every feature, and decisions, all equally likely."),
    seed_option("Draws them."),
    search_option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="End the study then, with the tables done.",
    ),
    jobs_option("Threads; -1 takes all cores."),
)
@answers("Draw a heat map", "Write means and standard errors to a CSV file.")
def compare_greedy(seed: int, answers: Answers, **settings: Any) -> None:
    """Compare sixteen greedy heuristics with the least cost, on random tables.

    For every table a tree is grown by each heuristic, and the least depth,
    average depth and numbers of nodes, internal nodes and leaves of any tree
    are found. Shown is how much more the greedy trees cost, in percent of the
    least, on the mean.
    """
    from treewright.studies import compare_greedy as compare

    found = compare(random_state=seed, progress=answers.progress, **settings)
    answers.give(found, figure=found.plot, csv=lambda: as_csv(found.means), document=lambda: _document(found))


def _document(found: GreedyComparison) -> str:
    """Return the comparison as JSON, a standard error that is none as null."""
    import treewright

    facts: dict[str, Any] = {
        "treewright": treewright.__version__,
        "settings": dict(found.settings),
        "status": found.status,
        "seconds": found.elapsed,
        "n_tables": found.n_tables,
        "means": records_as_json(found.means),
        "best": {cost: found.best(cost) for cost in found.costs},
    }
    return json.dumps(facts, ensure_ascii=False, allow_nan=False)
