"""`treewright study distinct-trees` and `greedy`: trees of one data set, and trees of decision tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from treewright.cli._options import options, takes_growing, takes_source
from treewright.cli._sections import Command
from treewright.cli._source import Source
from treewright.cli.study.options import (
    N_JOBS,
    VALIDATION_SET,
    Run,
    count_option,
    fold_options,
    repeatable,
    search_time_option,
    seed_option,
    study_option,
    takes_run,
)


@click.command(
    "distinct-trees",
    cls=Command,
    short_help="Study the distinct trees: how many, how long, how good.",
    examples=(
        "treewright study distinct-trees wine --plot wine.png",
        "treewright study distinct-trees table.csv --target class --m 32 --m 128",
    ),
)
@takes_source
@takes_growing
@options(
    repeatable(
        "--m",
        "sizes",
        click.FloatRange(0, min_open=True),
        "WEIGHT",
        otherwise="2, 8, 32, … up to half the rows",
        help="Value of --min-samples-split to study. Repeatable.",
    ),
    repeatable(
        "--order",
        "orders",
        click.Choice(["frontier", "frontier_descending", "index", "index_descending"]),
        "NAME",
        default=("frontier", "frontier_descending", "index_descending"),
        otherwise="all but index",
        help="Order of taking features away: frontier, frontier_descending, index or index_descending. "
        "Repeatable.",
    ),
    repeatable(
        "--method",
        "methods",
        click.Choice(["top", "backward", "forward", "complete"]),
        "NAME",
        default=("top", "backward", "complete"),
        otherwise="all but forward",
        help="Selection whose errors are compared, as in `treewright study selection`. Repeatable.",
    ),
    VALIDATION_SET,
    *fold_options(10, 1),
    count_option(
        "--max-grown", 1000, "Trees grown to time an exhaustive search; of more subsets so many are drawn."
    ),
    seed_option("Draws folds, validation rows and subsets."),
    search_time_option("End a single count, selection or timing then, and mark it.", 10.0),
    study_option(
        "--memory-limit", metavar="SIZE", otherwise="128MiB", help="What a count may keep, such as 64MB."
    ),
)
@takes_run
def distinct_trees(
    source: Source,
    growing: dict[str, Any],
    sizes: tuple[float, ...],
    folds: int,
    seed: int,
    run: Run,
    **settings: Any,
) -> int:
    """Study the distinct trees of DATA over all subsets of its features.

    For every m: how many trees there are and how many features they test,
    how many are built to find them, how long that takes against growing a
    tree for every subset, and the errors of trees on selected features, on
    the validation set and by cross-validation. What reached its time limit
    and what is estimated is marked as such.
    """
    from treewright import GreedyTreeClassifier
    from treewright.studies import study_distinct_trees

    own = [growing.pop("min_samples_split")] if "min_samples_split" in growing else []
    return run(
        study_distinct_trees,
        {Path(source.data).name: source.load()},
        min_samples_split=[*sizes, *own] or None,
        estimator=GreedyTreeClassifier(**growing),
        cv=folds,
        random_state=seed,
        **settings,
    )


@click.command(
    "greedy",
    cls=Command,
    short_help="Compare sixteen greedy heuristics with the least cost.",
    examples=(
        "treewright study greedy --n-tables 1000",
        "treewright study greedy --n-tables 40000 --n-jobs -1 --plot heuristics.png",
    ),
)
@options(
    count_option("--n-tables", 1000, "Random tables. The published experiment has 40000."),
    count_option("--n-rows", 50, "Rows of each, before equal rows become one."),
    count_option("--n-features", 10, "Features of each."),
    count_option("--n-values", 3, "Values of every feature, and decisions, all equally likely."),
    seed_option("Draws the tables."),
    N_JOBS,
)
@takes_run
def greedy(seed: int, run: Run, **settings: Any) -> int:
    """Compare sixteen greedy heuristics with the least cost, on random tables.

    For every table a tree is grown by each heuristic, and the least depth,
    average depth and numbers of nodes, internal nodes and leaves of any tree
    are found. Shown is how much more the greedy trees cost, in percent of the
    least, on the mean.
    """
    from treewright.studies import compare_greedy

    return run(compare_greedy, random_state=seed, **settings)
