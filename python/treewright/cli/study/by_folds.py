"""`treewright study selection`, `fixed-depth` and `planes`: comparisons by repeated cross-validation."""

from __future__ import annotations

from typing import Any

import click

from treewright.cli._options import options, takes_growing
from treewright.cli._sections import Command
from treewright.cli.study.options import (
    N_JOBS,
    PAPER,
    VALIDATION_SET,
    Run,
    count_option,
    data_sets,
    fold_options,
    loaded,
    repeatable,
    search_time_option,
    seed_option,
    study_option,
    takes_data_sets,
    takes_run,
)

PLANES = (
    *("rlp", "fm_rlp", "fm_rlp_swap", "rlp_p", "fm_rlp_p", "fm_rlp_p_swap", "path", "path_p"),
    *("c45", "l1_logistic", "l1_svm", "l1_svm_k", "rfe_svm_k", "abess_k"),
)
PUBLISHED = ("rlp", "fm_rlp", "rlp_p", "fm_rlp_p", "c45")
"""The methods of the paper's second table."""


@click.command(
    "selection",
    cls=Command,
    short_help="Compare trees on selected features with those on all.",
    examples=(
        "treewright study selection wine breast-cancer",
        "treewright study selection table.csv --target class --black-box",
        "treewright study selection wine --repeats 50 --checkpoint wine.json --resume",
    ),
)
@takes_data_sets(required=True)
@takes_growing
@options(
    repeatable(
        "--method",
        "methods",
        click.Choice(["top", "backward", "forward", "complete"]),
        "NAME",
        default=("top", "backward"),
        otherwise="top and backward",
        help="top: all features; backward, forward, complete: those selected that way (complete may take "
        "very long: see --search-time-limit). Repeatable.",
    ),
    VALIDATION_SET,
    *fold_options(10, 5),
    seed_option("Draws folds and validation rows."),
    study_option("--black-box", is_flag=True, help="Also time the search that grows every tree anew (SBE)."),
    study_option("--sklearn", is_flag=True, help="Also run scikit-learn's selector around its own tree."),
    search_time_option("End a single selection then, with the best found."),
)
@takes_run
def selection(
    data: tuple[str, ...],
    growing: dict[str, Any],
    methods: tuple[str, ...],
    validation_set: float,
    folds: int,
    repeats: int,
    seed: int,
    black_box: bool,
    sklearn: bool,
    search_time_limit: float | None,
    run: Run,
    **source: Any,
) -> int:
    """Compare trees on selected features with trees on all, for every DATA.

    Each fold of a repeated, stratified cross-validation is held out once. On
    the other rows features are selected as `treewright select` does it, and a
    tree is grown with them; its errors on the rows held out are what counts.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists. The options under Data go for each. With
    --n-jobs folds run side by side.
    """
    from treewright import GreedyTreeClassifier
    from treewright.studies import compare_selection

    return run(
        compare_selection,
        loaded(data, source),
        methods=methods,
        estimator=GreedyTreeClassifier(**growing),
        validation_set=validation_set,
        cv=folds,
        repeats=repeats,
        random_state=seed,
        time_black_box=black_box,
        time_sklearn=sklearn,
        search_time_limit=search_time_limit,
    )


@click.command(
    "fixed-depth",
    cls=Command,
    short_help="Compare the best trees of a few depths with ID3.",
    examples=(
        "treewright study fixed-depth tic-tac-toe monks-3",
        "treewright study fixed-depth --paper --data sets --times --plot page.png",
    ),
)
@takes_data_sets(required=False)
@options(
    PAPER,
    repeatable(
        "--depth",
        "depths",
        click.IntRange(min=0),
        "N",
        default=(1, 2, 3, 4),
        otherwise="1 to 4",
        help="Depth of the trees, optimal under naive Bayes. Repeatable.",
    ),
    count_option("--id3-depth", 3, "Depth of ID3's tree.", least=0),
    study_option(
        "--bins", "n_bins", type=click.IntRange(min=2), metavar="N", default=2, help="Most bins of a number."
    ),
    *fold_options(5, 20),
    seed_option("Draws folds, and the rows of connect-4."),
    study_option("--times", is_flag=True, help="Also time the searches, by data set and number of features."),
    search_time_option("End a single search then, and mark it.", 60.0),
    N_JOBS,
)
@takes_run
def fixed_depth(
    data: tuple[str, ...],
    paper: bool,
    depths: tuple[int, ...],
    id3_depth: int,
    n_bins: int,
    folds: int,
    repeats: int,
    seed: int,
    times: bool,
    search_time_limit: float,
    run: Run,
    **source: Any,
) -> int:
    """Compare the best trees under naive Bayes with ID3 and naive Bayes itself.

    Each fold of a repeated, stratified cross-validation is held out once; on
    the other rows the best tree of every depth, ID3's of one depth, and naive
    Bayes on all columns are learned, numbers cut into bins.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists. The options under Data go for each. The
    published experiment, --paper, has nine sets.
    """
    from treewright.studies import compare_fixed_depth

    return run(
        compare_fixed_depth,
        data_sets("fixed_depth", data, paper, source, seed),
        depths=depths,
        id3_depth=id3_depth,
        n_bins=n_bins,
        cv=folds,
        repeats=repeats,
        random_state=seed,
        time_searches=times,
        search_time_limit=search_time_limit,
    )


@click.command(
    "planes",
    cls=Command,
    short_help="Compare planes of few features with rivals.",
    examples=(
        "treewright study planes wdbc --method path_p --method l1_svm",
        "treewright study planes --paper --data sets --plot page.png",
        "treewright study planes --paper --published --data sets --repeats 5",
    ),
)
@takes_data_sets(required=False)
@options(
    PAPER,
    repeatable(
        "--method",
        "methods",
        click.Choice(PLANES),
        "NAME",
        default=PLANES,
        otherwise="all",
        help=f"What to compare: {', '.join(PLANES)}. Those with _p have perturbation; fm_rlp is the "
        "published search, _swap that of this package; path chooses the number of features by "
        "cross-validation, _k takes as many as path. Repeatable.",
    ),
    study_option(
        "--published", is_flag=True, help=f"The methods of the published table: {', '.join(PUBLISHED)}."
    ),
    study_option(
        "--perturbation",
        type=click.FloatRange(0, 1, max_open=True),
        metavar="SHARE",
        default=0.02,
        help="That of the methods with _p.",
    ),
    study_option(
        "--n-features",
        type=click.IntRange(min=1),
        metavar="N",
        otherwise=10,
        help="Most features of a path.",
    ),
    *fold_options(10, 1),
    seed_option("Draws folds."),
    search_time_option("End the search for a single plane then, with the best found."),
    N_JOBS,
)
@takes_run
def planes(
    data: tuple[str, ...],
    paper: bool,
    methods: tuple[str, ...],
    published: bool,
    perturbation: float,
    n_features: int | None,
    folds: int,
    repeats: int,
    seed: int,
    search_time_limit: float | None,
    run: Run,
    **source: Any,
) -> int:
    """Compare planes with few features with sparse linear models and a tree.

    Each fold of a repeated, stratified cross-validation is held out once; on
    the other rows every method is learned. Test errors, numbers of features
    and seconds are means over the folds.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists. The options under Data go for each. The
    published table, --paper, has four sets here.
    """
    from treewright.studies import compare_planes

    if published and methods != PLANES:
        raise click.UsageError("--published names methods itself; leave out --method.")
    repeated = [method for method in methods if methods.count(method) > 1]
    if repeated:
        raise click.UsageError(f"--method names {repeated[0]!r} more than once.")
    return run(
        compare_planes,
        data_sets("planes", data, paper, source, seed),
        methods=PUBLISHED if published else methods,
        perturbation=perturbation,
        n_features=n_features,
        cv=folds,
        repeats=repeats,
        random_state=seed,
        search_time_limit=search_time_limit,
    )
