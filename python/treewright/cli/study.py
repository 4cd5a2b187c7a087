"""`treewright study`: published experiments, for anyone's data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._growing import takes_growing, takes_growing_by_growth
from treewright.cli._labels import with_labels_of_all
from treewright.cli._option import Option
from treewright.cli._options import takes_data
from treewright.cli._pruning import (
    OF_SEARCHES,
    classifier,
    growth_option,
    refuse_numbers,
    takes_rule,
    with_learned,
)
from treewright.cli._signature import Given
from treewright.cli._source import Reading
from treewright.cli._study import PAPER, Run, data_sets, refuse_reading, takes_study

if TYPE_CHECKING:
    from treewright.pruning import PruningRule

MORE = "The options under Data hold for each."
OF_FOLDS = ("cv", "repeats", "random_state")
PUBLISHED = ("rlp", "fm_rlp", "rlp_p", "fm_rlp_p", "c45")
"""The methods of the table of the paper on planes."""


@click.group(
    epilog="Start with: treewright study selection wine",
)
def study() -> None:
    """Run a published experiment, on your data or on the published data sets.

    Every study prints a table; --plot draws it, --out writes all numbers as
    JSON. A study that is stopped by Ctrl-C or by --time-limit shows what it has
    completed. With --checkpoint FILE it can be resumed later: repeat the
    command with --resume.
    """


@study.command(
    "selection",
    cls=Command,
    first=(
        "target",
        "methods",
        "validation_set",
        "cv",
        "repeats",
        "random_state",
        "n_jobs",
        "time_limit",
        "checkpoint",
        "resume",
        "picture",
        "out",
    ),
    short_help="Compare trees on selected features with trees on all.",
    examples=(
        "treewright study selection wine breast-cancer",
        "treewright study selection table.csv --target class --black-box",
        "treewright study selection wine --repeats 50 --checkpoint wine.json --resume",
    ),
    more_on_data=f"{MORE} With --n-jobs folds run in parallel.",
)
@takes_data(n=-1)
@takes_growing
@takes_rule(OF_SEARCHES)
@takes_study(
    "compare_selection",
    *("methods", "validation_set", *OF_FOLDS, "time_black_box", "time_sklearn", "search_time_limit"),
)
def selection(
    data: tuple[str, ...],
    reading: Reading,
    growing: Given,
    rule: PruningRule | None,
    run: Run,
    **parameters: object,
) -> int:
    """Compare trees on selected features with trees on all features.

    Each fold of a repeated, stratified cross-validation is held out once. On
    the other rows features are selected as by `treewright select`, and a tree
    is grown. Its errors on the held-out rows are counted, or their cost.
    """
    from treewright import GreedyTreeClassifier
    from treewright.studies import compare_selection

    found, n_jobs = reading.load_all(data), growing.pop("n_jobs", None)
    estimator = GreedyTreeClassifier(**with_labels_of_all(growing, found.values()), pruning=rule)
    return run(compare_selection, found, estimator=estimator, n_jobs=n_jobs, **parameters)


@study.command(
    "fixed-depth",
    cls=Command,
    first=(
        "target",
        "paper",
        "depths",
        "n_bins",
        "cv",
        "repeats",
        "random_state",
        "n_jobs",
        "time_limit",
        "checkpoint",
        "resume",
        "picture",
        "out",
    ),
    short_help="Compare fixed-depth trees with ID3 and naive Bayes.",
    examples=(
        "treewright study fixed-depth tic-tac-toe monks-3",
        "treewright study fixed-depth --paper --folder sets --times --plot page.png",
    ),
    more_on_data=f"{MORE} The published experiment, --paper, has nine data sets.",
)
@takes_data(n=-1, required=False)
@PAPER
@takes_study(
    "compare_fixed_depth",
    *("depths", "id3_depth", "n_bins", *OF_FOLDS, "time_searches", "search_time_limit", "n_jobs"),
)
def fixed_depth(
    data: tuple[str, ...],
    reading: Reading,
    paper: bool,
    random_state: int | None,
    run: Run,
    **parameters: object,
) -> int:
    """Compare fixed-depth trees, optimal under naive Bayes, with ID3 and naive Bayes.

    Each fold of a repeated, stratified cross-validation is held out once. On
    the other rows the optimal tree of every depth, ID3's tree of one depth, and
    naive Bayes on all columns are trained. Numeric columns are discretised into
    bins.
    """
    from treewright.studies import compare_fixed_depth

    found = data_sets("fixed_depth", data, paper, reading, random_state)
    return run(compare_fixed_depth, found, random_state=random_state, **parameters)


@study.command(
    "optimal",
    cls=Command,
    first=(
        "target",
        "depths",
        "methods",
        "reference",
        "cv",
        "repeats",
        "random_state",
        "n_jobs",
        "time_limit",
        "checkpoint",
        "resume",
        "picture",
        "out",
    ),
    short_help="Compare optimal trees with greedy ones on new rows.",
    examples=(
        "treewright study optimal iris wine",
        "treewright study optimal table.csv --target class --depth 2 --method c45",
    ),
    more_on_data=f"{MORE} With --n-jobs folds run in parallel.",
)
@takes_data(n=-1)
@takes_study(
    "compare_optimal",
    *("depths", "methods", "reference", *OF_FOLDS, "search_time_limit", "n_jobs"),
)
def optimal(data: tuple[str, ...], reading: Reading, run: Run, **parameters: object) -> int:
    """Compare optimal trees with greedy trees, on rows that they have not seen.

    Each fold of a repeated, stratified cross-validation is held out once. On
    the other rows the optimal trees of some depths are found, those whose
    depth or price of a leaf cross-validation chooses, and greedy trees are
    grown and pruned. The table shows errors on both, leaves, and what is
    proven.
    """
    from treewright.studies import compare_optimal

    return run(compare_optimal, reading.load_all(data), **parameters)


@study.command(
    "planes",
    cls=Command,
    first=(
        "target",
        "paper",
        "published",
        "methods",
        "n_features",
        "cv",
        "repeats",
        "n_jobs",
        "time_limit",
        "checkpoint",
        "resume",
        "picture",
        "out",
    ),
    short_help="Compare planes with sparse linear models and C4.5.",
    examples=(
        "treewright study planes wdbc --method path_p --method l1_svm",
        "treewright study planes --paper --folder sets --plot page.png",
        "treewright study planes --paper --published --folder sets --repeats 5",
    ),
    more_on_data=f"{MORE} The published table, --paper, has four data sets here.",
)
@takes_data(n=-1, required=False)
@PAPER
@click.option(
    "--published",
    cls=Option,
    section="Study",
    is_flag=True,
    help=f"The methods of the published table: {', '.join(PUBLISHED)}.",
)
@takes_study(
    "compare_planes", *("methods", "perturbation", "n_features", *OF_FOLDS, "search_time_limit", "n_jobs")
)
def planes(
    data: tuple[str, ...],
    reading: Reading,
    paper: bool,
    published: bool,
    methods: tuple[str, ...],
    random_state: int | None,
    run: Run,
    **parameters: object,
) -> int:
    """Compare planes with few features with sparse linear models and a tree.

    Each fold of a repeated, stratified cross-validation is held out once. Every
    method is trained on the other rows. Test errors, numbers of features and
    seconds are means over the folds.
    """
    from treewright.studies import compare_planes

    if published and methods:
        raise click.UsageError("--published names methods itself; leave out --method.")
    found = data_sets("planes", data, paper, reading, random_state)
    chosen = {"methods": PUBLISHED if published else methods, "random_state": random_state}
    return run(compare_planes, found, **chosen, **parameters)


@study.command(
    "distinct-trees",
    cls=Command,
    first=(
        "target",
        "sizes",
        "methods",
        "cv",
        "repeats",
        "random_state",
        "n_jobs",
        "time_limit",
        "checkpoint",
        "resume",
        "picture",
        "out",
    ),
    short_help="Study the number and errors of distinct trees.",
    examples=(
        "treewright study distinct-trees wine --plot wine.png",
        "treewright study distinct-trees table.csv --target class --m 32 --m 128",
    ),
)
@takes_data()
@takes_growing
@takes_rule(replace(OF_SEARCHES, lacking=(*OF_SEARCHES.lacking, "m")))
@click.option(
    "--m",
    "sizes",
    cls=Option,
    section="Study",
    parameter="min_samples_split",
    multiple=True,
    type=float,
    metavar="WEIGHT",
    otherwise="2, 8, 32, … up to half the rows",
    help="Value of --min-samples-split to study. Repeatable.",
)
@takes_study(
    "study_distinct_trees",
    *("orders", "methods", "validation_set", *OF_FOLDS, "max_grown"),
    *("search_time_limit", "memory_limit"),
)
def distinct_trees(
    data: str,
    reading: Reading,
    growing: Given,
    rule: PruningRule | None,
    sizes: tuple[float, ...],
    run: Run,
    **parameters: object,
) -> int:
    """Study the distinct trees of DATA over all subsets of its features.

    For every m the study measures: the number of trees by the number of
    features that they test; the number of trees built to find them; the time,
    compared with growing a tree for every subset; and the errors of trees on
    selected features, on the validation set and by cross-validation. Results
    that reached a time limit and estimates are marked.
    """
    from treewright import GreedyTreeClassifier
    from treewright.studies import study_distinct_trees

    own = [growing.pop("min_samples_split")] if "min_samples_split" in growing else []
    chosen = {"min_samples_split": (*sizes, *own), "n_jobs": growing.pop("n_jobs", None)}
    found = {Path(data).name: reading.load(data)}
    estimator = GreedyTreeClassifier(**with_labels_of_all(growing, found.values()), pruning=rule)
    return run(study_distinct_trees, found, estimator=estimator, **chosen, **parameters)


@study.command(
    "greedy",
    cls=Command,
    first=(
        "n_tables",
        "n_rows",
        "n_features",
        "n_values",
        "random_state",
        "n_jobs",
        "time_limit",
        "checkpoint",
        "resume",
        "picture",
        "out",
    ),
    short_help="Compare sixteen greedy heuristics with optimal trees.",
    examples=(
        "treewright study greedy --n-tables 1000",
        "treewright study greedy --n-tables 40000 --n-jobs -1 --plot heuristics.png",
    ),
)
@takes_study("compare_greedy", "n_tables", "n_rows", "n_features", "n_values", "random_state", "n_jobs")
def greedy(run: Run, **parameters: object) -> int:
    """Compare sixteen greedy heuristics with optimal trees, on random tables.

    For every table a tree is grown by each heuristic, and the least depth,
    average depth and numbers of nodes, internal nodes and leaves of any tree
    are found. The table shows the mean difference, in percent of the least
    cost.
    """
    from treewright.studies import compare_greedy

    return run(compare_greedy, **parameters)


@study.command(
    "pruning",
    cls=Command,
    first=(
        "target",
        "paper",
        "generator",
        "rules",
        "cv",
        "repeats",
        "random_state",
        "n_jobs",
        "checkpoint",
        "resume",
        "picture",
        "out",
    ),
    short_help="Compare pruning rules by their errors.",
    examples=(
        "treewright study pruning tic-tac-toe monks-1 monks-3",
        "treewright study pruning --paper --folder sets --plot ranks.png",
        "treewright study pruning --generator paper_table --sets 60x1000 --n-jobs -1",
    ),
    more_on_data=f"{MORE} With --n-jobs folds run in parallel, and generated data sets on this number of "
    "threads. By default trees are grown as by ID3: with --min-samples-split 1, --min-samples-branch 0 and "
    "--missing value.",
)
@takes_data(n=-1, required=False)
@growth_option("id3", prunes=False)
@takes_growing_by_growth
@PAPER
@takes_study("compare_pruning", *("generator", "n_sets", "rules", "reference", *OF_FOLDS))
def pruning(
    data: tuple[str, ...],
    reading: Reading,
    growth: str,
    growing: Given,
    paper: bool,
    generator: str | None,
    rules: tuple[str, ...],
    random_state: int | None,
    run: Run,
    **parameters: object,
) -> int:
    """Compare pruning rules: errors, sizes, ranks and their tests.

    On every fold of a repeated, stratified cross-validation one tree is grown,
    each rule prunes it, and the errors on the held-out rows are counted, or
    with --cost-matrix what they cost. Rules are ranked by this number; marks
    show which rules are significantly better or worse than the reference
    (Friedman, Holm).
    """
    from treewright.studies import compare_pruning

    if bool(data) + paper + (generator is not None) != 1:
        raise click.UsageError("Give DATA, --paper or --generator, one of the three.")
    found = None
    if generator is None:
        found = data_sets("pruning", data, paper, reading, random_state)
        for name, dataset in found.items():
            refuse_numbers(growth, name, dataset)
    else:
        refuse_reading("--generator, which draws sets")
    chosen = {"generator": generator, "random_state": random_state, "rules": with_learned(rules)}
    chosen["n_jobs"] = growing.pop("n_jobs", None)
    named = growing if found is None else with_labels_of_all(growing, found.values())
    return run(compare_pruning, found, estimator=classifier(growth, named), **chosen, **parameters)
