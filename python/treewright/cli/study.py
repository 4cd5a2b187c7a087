"""`treewright study-distinct-trees`: the enumeration paper's figures for any data set."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._options import (
    options,
    search_option,
    takes_growing,
    takes_source,
)
from treewright.cli._sections import Command
from treewright.cli._source import Source
from treewright.cli._study_options import (
    Answers,
    answers,
    folds_option,
    repeats_option,
    seed_option,
)
from treewright.cli._table_columns import records_as_json

if TYPE_CHECKING:
    from treewright.studies import DistinctTreeStudy

TABLES = ("counts", "distribution", "exhaustive", "errors", "per_fold")


@click.command(
    "study-distinct-trees",
    cls=Command,
    short_help="Draw the distinct trees: how many, how long, how good.",
    examples=(
        "treewright study-distinct-trees wine --out wine.png",
        "treewright study-distinct-trees table.csv --target class --m 32 --m 128",
    ),
)
@takes_source
@takes_growing
@options(
    search_option(
        "--m",
        "sizes",
        type=click.FloatRange(0, min_open=True),
        multiple=True,
        metavar="WEIGHT",
        otherwise="2, 8, 32, … up to half the rows",
        help="Value of --min-samples-split to study. Repeatable.",
    ),
    search_option(
        "--order",
        "orders",
        multiple=True,
        type=click.Choice(["frontier", "frontier_descending", "index", "index_descending"]),
        metavar="NAME",
        default=("frontier", "frontier_descending", "index_descending"),
        otherwise="all but index",
        help="Order of taking features away: frontier, frontier_descending, index or index_descending. "
        "Repeatable.",
    ),
    search_option(
        "--validation-set",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        metavar="SHARE",
        default=0.3,
        help="Share of the rows of a training part that judges trees; the others grow them.",
    ),
    folds_option(10),
    repeats_option(1),
    search_option(
        "--max-grown",
        type=click.IntRange(min=1),
        metavar="N",
        default=1000,
        help="Trees grown to time an exhaustive search; of more subsets so many are drawn.",
    ),
    seed_option("Draws folds, search rows and subsets."),
    search_option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        default=10.0,
        help="End a single count, selection or timing then, and mark it.",
    ),
    search_option(
        "--memory-limit", metavar="SIZE", otherwise="128MiB", help="What a count may keep, such as 64MB."
    ),
)
@answers("Draw it all on one page", "Write every number to a CSV file.")
def study(
    source: Source,
    growing: dict[str, Any],
    sizes: tuple[float, ...],
    validation_set: float,
    folds: int,
    seed: int,
    answers: Answers,
    **settings: Any,
) -> None:
    """Study the distinct trees of DATA over all subsets of its features.

    For every m: how many trees there are and how many features they test,
    how many are built to find them, how long that takes against growing a
    tree for every subset, and the errors of trees on selected features, on
    the search set and by cross-validation. What reached its time limit and
    what is estimated is marked as such.
    """
    from treewright.studies import study_distinct_trees

    found = study_distinct_trees(
        {Path(source.data).name: source.load()},
        min_samples_split=_chosen(sizes, growing),
        validation_set=validation_set,
        cv=folds,
        random_state=seed,
        progress=answers.progress,
        **growing,
        **settings,
    )
    answers.give(found, figure=found.plot, csv=lambda: as_csv(found), document=lambda: as_document(found))


def _chosen(sizes: tuple[float, ...], growing: dict[str, Any]) -> list[float] | None:
    """Return the values of m; one given as --min-samples-split is one of them."""
    given = [*sizes, *([growing.pop("min_samples_split")] if "min_samples_split" in growing else [])]
    return given or None


def as_csv(found: DistinctTreeStudy) -> str:
    """Write every number on a line of its own: table, m, what it is of, its name, its value."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["table", "min_samples_split", "of", "quantity", "value"])
    for name in TABLES:
        for record in getattr(found, name).records():
            size, *_ = record.values()
            of = " ".join(str(record[key]) for key in _keys(name))
            rest = [key for key in record if key not in ("min_samples_split", *_keys(name))]
            writer.writerows([name, size, of, key, record[key]] for key in rest)
    return text.getvalue()


def _keys(table: str) -> tuple[str, ...]:
    """Return what tells the rows of one m apart."""
    return {
        "counts": ("order",),
        "distribution": ("n_features",),
        "exhaustive": (),
        "errors": ("method",),
        "per_fold": ("method", "repeat", "fold"),
    }[table]


def as_document(found: DistinctTreeStudy) -> str:
    """Return the study as JSON: its tables as lists of records; numbers that are none are null."""
    import treewright

    facts: dict[str, Any] = {
        "treewright": treewright.__version__,
        "data": {"name": found.name, "n_samples": found.n_samples, "n_features": found.n_features},
        "settings": dict(found.settings),
        "status": found.status,
        "seconds": found.elapsed,
    }
    for name in TABLES:
        facts[name] = records_as_json(getattr(found, name))
    return json.dumps(facts, ensure_ascii=False, allow_nan=False)
