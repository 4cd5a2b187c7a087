"""`treewright compare-planes`: planes with few features beside what a user would take instead."""

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
    from treewright.studies import PlaneComparison

METHODS = (
    *("rlp", "fm_rlp", "fm_rlp_swap", "rlp_p", "fm_rlp_p", "fm_rlp_p_swap", "path", "path_p"),
    *("c45", "l1_logistic", "l1_svm", "l1_svm_k", "rfe_svm_k", "abess_k"),
)
PUBLISHED = ("rlp", "fm_rlp", "rlp_p", "fm_rlp_p", "c45")
"""The methods of the paper's second table."""


@click.command(
    "compare-planes",
    cls=Command,
    short_help="Compare planes of few features with rivals.",
    examples=(
        "treewright compare-planes wdbc --method path_p --method l1_svm",
        "treewright compare-planes --data sets --out page.png",
        "treewright compare-planes --published --data sets --repeats 5",
    ),
)
@options(click.argument("data", nargs=-1), *SOURCE[1:])
@options(
    search_option(
        "--method",
        "methods",
        multiple=True,
        type=click.Choice(METHODS),
        metavar="NAME",
        default=METHODS,
        otherwise="all",
        help=f"What to compare: {', '.join(METHODS)}. Those with _p have perturbation; fm_rlp is the "
        "published search, _swap that of this package; path chooses the number of features by "
        "cross-validation, _k takes as many as path. Repeatable.",
    ),
    search_option(
        "--published", is_flag=True, help=f"The methods of the published table: {', '.join(PUBLISHED)}."
    ),
    search_option(
        "--perturbation",
        type=click.FloatRange(0, 1, max_open=True),
        metavar="SHARE",
        default=0.02,
        help="That of the methods with _p.",
    ),
    search_option(
        "--n-features",
        type=click.IntRange(min=1),
        metavar="N",
        otherwise=10,
        help="Most features of a path.",
    ),
    folds_option(10),
    repeats_option(1),
    seed_option("Draws folds."),
    search_option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="End the search for a single plane then, with the best found.",
    ),
    jobs_option("Folds that run side by side; -1 takes all cores."),
)
@answers("Draw errors against numbers of features", "Write the results of every fold to a CSV file.")
def compare_planes(
    data: tuple[str, ...],
    methods: tuple[str, ...],
    published: bool,
    folds: int,
    seed: int,
    answers: Answers,
    perturbation: float,
    n_features: int | None,
    repeats: int,
    time_limit: float | None,
    n_jobs: int | None,
    **source: Any,
) -> None:
    """Compare planes with few features with sparse linear models and a tree.

    Each fold of a repeated, stratified cross-validation is held out once; on
    the other rows every method is learned. Test errors, numbers of features
    and seconds are means over the folds.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists. Without DATA four sets of the published table
    are taken from the folder of --data. The options under Data go for each.
    """
    from treewright.studies import compare_planes as compare

    if published and methods != METHODS:
        raise click.UsageError("--published names methods itself; leave out --method.")
    repeated = [method for method in methods if methods.count(method) > 1]
    if repeated:
        raise click.UsageError(f"--method names {repeated[0]!r} more than once.")
    found = compare(
        loaded(data, source) if data else _published(source),
        methods=PUBLISHED if published else methods,
        perturbation=perturbation,
        n_features=n_features,
        cv=folds,
        repeats=repeats,
        time_limit=time_limit,
        random_state=seed,
        n_jobs=n_jobs,
        progress=answers.progress,
    )
    answers.give(
        found,
        figure=found.plot,
        csv=lambda: as_csv(found.per_fold),
        document=lambda: _document(found),
    )


def _published(source: dict[str, Any]) -> Any:
    from treewright.studies import published_sets

    return published_sets("planes", data=source["folder"])


def _document(found: PlaneComparison) -> str:
    """Return the comparison as JSON: its tables as lists of records; numbers that are none are null."""
    import treewright

    facts: dict[str, Any] = {
        "treewright": treewright.__version__,
        "settings": dict(found.settings),
        "absent": found.absent,
        "status": found.status,
        "seconds": found.elapsed,
    }
    for name in ("data_sets", "summary", "against_path"):
        facts[name] = records_as_json(getattr(found, name))
    return json.dumps(facts, ensure_ascii=False, allow_nan=False)
