"""`treewright compare-fixed-depth`: trees that are best under naive Bayes, beside ID3."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._options import (
    SOURCE,
    options,
    search_option,
)
from treewright.cli._sections import Command
from treewright.cli._study_options import (
    Answers,
    answers,
    folds_option,
    jobs_option,
    loaded,
    repeats_option,
    seed_option,
)
from treewright.cli._table_columns import as_csv, records_as_json

if TYPE_CHECKING:
    from treewright.studies import FixedDepthComparison


@click.command(
    "compare-fixed-depth",
    cls=Command,
    short_help="Compare the best trees of a few depths with ID3.",
    examples=(
        "treewright compare-fixed-depth tic-tac-toe monks-3",
        "treewright compare-fixed-depth --data sets --times --out page.png",
    ),
)
@options(click.argument("data", nargs=-1), *SOURCE[1:])
@options(
    search_option(
        "--depth",
        "depths",
        multiple=True,
        type=click.IntRange(min=0),
        metavar="N",
        default=(1, 2, 3, 4),
        otherwise="1 to 4",
        help="Questions on a path at most. Repeatable.",
    ),
    search_option(
        "--id3-depth", type=click.IntRange(min=0), metavar="N", default=3, help="Depth of ID3's tree."
    ),
    search_option(
        "--bins",
        "n_bins",
        type=click.IntRange(min=2),
        metavar="N",
        default=2,
        help="Most bins of a numeric column.",
    ),
    folds_option(5),
    repeats_option(20),
    seed_option("Draws them."),
    search_option(
        "--times", is_flag=True, help="Also time the searches, by data set and number of features."
    ),
    jobs_option("Folds that run side by side; -1 takes all cores."),
)
@answers("Draw it all on one page", "Write the results of every fold to a CSV file.")
def compare_fixed_depth(
    data: tuple[str, ...],
    depths: tuple[int, ...],
    folds: int,
    seed: int,
    times: bool,
    answers: Answers,
    id3_depth: int,
    n_bins: int,
    repeats: int,
    n_jobs: int | None,
    **source: Any,
) -> None:
    """Compare the best trees under naive Bayes with ID3 and naive Bayes itself.

    Each fold of a repeated, stratified cross-validation is held out once; on
    the other rows the best tree of every depth, ID3's of one depth, and naive
    Bayes on all columns are learned, numbers cut into bins.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists. Without DATA the published experiment is run,
    on nine public sets, most of them from the folder of --data. The options
    under Data go for each.
    """
    from treewright.studies import compare_fixed_depth as compare

    found = compare(
        loaded(data, source) if data else _published(source, seed),
        depths=depths,
        cv=folds,
        random_state=seed,
        time_searches=times,
        progress=answers.progress,
        id3_depth=id3_depth,
        n_bins=n_bins,
        repeats=repeats,
        n_jobs=n_jobs,
    )
    answers.give(
        found, figure=found.plot, csv=lambda: as_csv(found.per_fold), document=lambda: _document(found)
    )


def _published(source: dict[str, Any], seed: int) -> Any:
    from treewright.studies import published_sets

    return published_sets("fixed_depth", data=source["folder"], random_state=seed)


def _document(found: FixedDepthComparison) -> str:
    """Return the comparison as JSON: its tables as lists of records; numbers that are none are null."""
    import treewright

    facts: dict[str, Any] = {
        "treewright": treewright.__version__,
        "settings": dict(found.settings),
        "status": found.status,
        "seconds": found.elapsed,
        "averages": found.averages,
    }
    for name in ("data_sets", "summary", "tests", "times", "scaling"):
        facts[name] = records_as_json(getattr(found, name))
    return json.dumps(facts, ensure_ascii=False, allow_nan=False)
