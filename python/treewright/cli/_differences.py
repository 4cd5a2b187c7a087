"""What the command line has otherwise than the signatures: the one table of it.

A row is a parameter of a public object. What it does not name comes from the signature and the docstring
(`treewright.cli._signature`).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import click

Callback = Callable[[click.Context, click.Parameter, Any], object]


class Reader(click.ParamType[int | float | str]):
    """What makes a value of a text; `refusal` follows the text where it cannot."""

    name = "value"

    def __init__(self, read: Callable[[str], int | float | str], refusal: str = "") -> None:
        self._read, self._refusal = read, refusal

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | float | str:
        """Return what a text says."""
        try:
            return self._read(str(value))
        except (ValueError, ZeroDivisionError, OverflowError):
            self.fail(f"{value!r} {self._refusal}.", param, ctx)


def _number(text: str) -> int | float:
    return int(text) if text.strip("+-").isdecimal() else float(text)


def _share(text: str) -> float:
    return float(Fraction(text)) if "/" in text else float(text)


def _product(text: str) -> int:
    factors = [int(part) for part in text.lower().split("x")]
    if min(factors) < 1:
        raise ValueError
    return math.prod(factors)


AMOUNT = Reader(lambda text: int(text) if text.isdecimal() else text)
"""An amount of memory: digits alone are bytes, a unit is the library's to read."""

NUMBER = Reader(_number, "is no number")
"""A count, written whole, or a share."""

SHARE = Reader(_share, "is neither a number nor a fraction such as 1/3")
PRODUCT = Reader(_product, "is no number and no product such as 60x1000")
DEPTH = Reader(
    lambda text: text if text == "cv" else int(text), "must be a number of questions of at least 0, or 'cv'"
)
ALPHA = Reader(lambda text: text if text == "cv" else float(text), "must be a number, or 'cv'")


def groups(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> list[list[str]] | None:
    """Part names of columns at the commas; one that has a comma stands in double quotes."""
    return list(csv.reader(values, skipinitialspace=True)) or None


@dataclass(frozen=True)
class Difference:
    """What differs; None and emptiness stand for the library's own."""

    text: str | None = None
    option: str | None = None
    metavar: str | None = None
    otherwise: object = None
    default: object = None
    type: click.ParamType[Any] | type | None = None
    callback: Callback | None = None
    multiple: bool = False
    remark: str = ""
    """A sentence that comes on top of the library's."""


SHARE_OF_ROWS = click.FloatRange(0, 1, min_open=True, max_open=True)
SECONDS = click.FloatRange(0, min_open=True)
SEED = click.IntRange(0, 2**32 - 1)
TREES = click.IntRange(1, 1_000_000)
GENERATOR = (
    "Draw sets in place of DATA: training shares as the paper's text has them (paper_text), or half of that, "
    "which its table agrees with (paper_table)."
)

UNITS = {
    "N": ("n_jobs", "random_state", "cv"),
    "SECONDS": ("time_limit", "search_time_limit", "prove"),
    "SHARE": ("validation_set", "perturbation", "error_slack", "share"),
    "WEIGHT": ("min_samples_split", "min_samples_leaf", "m"),
    "BITS": ("min_gain",),
    "COUNT": ("class_prior", "value_prior"),
    "COST": ("cost_budget",),
    "ERROR": ("error_floor",),
    "ERRORS": ("tolerance",),
    "P": ("confidence",),
    "RATE": ("slack",),
    "K": ("top_k",),
    "COL": ("required_features", "start_from"),
    "COL,COL": ("feature_groups",),
    "POLICY": ("missing",),
    "RULE": ("binning", "on_conflict", "start", "unseen"),
    "TEXT": ("f", "missing_values"),
    "CHAR": ("delimiter",),
    "NAME": ("encoding", "reference"),
}
"""What stands for the value of a parameter in a help screen, by what it is."""

METAVARS = {name: unit for unit, names in UNITS.items() for name in names}

SPELLINGS = {
    "random_state": "--seed",
    "cv": "--folds",
    "n_bins": "--bins",
    "feature_groups": "--group",
    "cost_budget": "--budget",
    "f": "--estimate",
    "n_train": "--trees",
    "most_train": "--most-trees",
    "n_validation": "--validation-trees",
    "n_test": "--test-trees",
    "n_sets": "--sets",
    "time_black_box": "--black-box",
    "time_sklearn": "--sklearn",
    "time_searches": "--times",
}
"""Options that are not called as their parameter."""

TYPES: Mapping[str, click.ParamType[Any] | type] = {
    **dict.fromkeys(("time_limit", "search_time_limit", "prove"), SECONDS),
    **dict.fromkeys(("n_train", "most_train", "n_validation", "n_test"), TREES),
    "random_state": SEED,
    "cv": int,
    "validation_set": SHARE_OF_ROWS,
    "n_sets": PRODUCT,
    "share": SHARE,
}
"""Types that the kind in the docstring does not say."""

EVERYWHERE = {
    "n_jobs": Difference("Threads; -1 takes all cores.", otherwise=1),
    "time_limit": Difference("End the search then, with the best found."),
    "memory_limit": Difference(
        "What may be kept to save work, such as 64MB. Less is slower and gives the same.", otherwise="128MiB"
    ),
    "order": Difference(
        "Which feature of a tree goes first: the one at whose nodes the fewest rows are "
        "(frontier), the most (frontier_descending), the first (index) or the last "
        "(index_descending). The answer is the same."
    ),
    "random_state": Difference("Random seed: draws the validation rows.", default=0),
    "validation_set": Difference("Share of the rows that judges trees; the others grow them.", default=0.3),
}
"""Differences of a parameter whatever object has it."""

OF_STUDIES = {
    "n_jobs": Difference("Folds that run side by side; -1 takes all cores.", otherwise=1),
    "time_limit": Difference("End the study then, with what is done."),
    "search_time_limit": Difference("End a single search then, with the best found."),
    "memory_limit": Difference("What may be kept, such as 64MB.", otherwise="128MiB"),
    "random_state": Difference("Random seed: draws folds and whatever else is drawn."),
    "validation_set": Difference(
        "Share of the rows of a training part that judges trees; the others grow them."
    ),
    "cv": Difference("Folds of the cross-validation."),
    "checkpoint": Difference("Keep what is done in this file, now and then and when the study is stopped."),
    "resume": Difference("Go on from the file that --checkpoint names, if it is there."),
}
"""Differences that all studies have."""

DIFFERENCES: Mapping[str, Difference] = {
    "read_csv.missing_values": Difference(
        "Spelling of a missing value besides the empty field, such as '?'."
    ),
    "GreedyTreeClassifier.growth": Difference(
        "standard: in the manner of C4.5; id3: nominal features only, each once a path, a missing "
        "value being a value, and splits without gain allowed; c45: as release 8 of C4.5, by "
        "gain ratio with 2 as --min-samples-leaf{pruned}, unless asked otherwise."
    ),
    "GreedyTreeClassifier.mdl_correction": Difference(
        "A numeric feature pays for the choice of its threshold, as in C4.5 release 8."
    ),
    "GreedyTreeClassifier.max_depth": Difference(otherwise="no limit"),
    "GreedyTreeClassifier.missing": Difference(
        "What a missing value is. distribution: spread over the branches; most_frequent: the "
        "column's most frequent value; value: a value of its own; raise: an error."
    ),
    "BackwardEliminationSelector.floating": Difference(
        "After every step take steps back, as long as each makes fewer errors."
    ),
    "BackwardEliminationSelector.tolerance": Difference(
        "More errors than the fewest that are accepted, for fewer features (with --complete for a "
        "shorter search); below 1, a share of the validation rows. Not with --forward or "
        "--floating."
    ),
    "BackwardEliminationSelector.parsimonious": Difference(remark="Not with --forward."),
    "BackwardEliminationSelector.min_features": Difference(
        "Keep at least so many features. Not with --forward."
    ),
    "BackwardEliminationSelector.required_features": Difference(
        "Feature that stays selected.", multiple=True
    ),
    "BackwardEliminationSelector.feature_groups": Difference(
        "Features that go, and come, together.", callback=groups, multiple=True
    ),
    "BackwardEliminationSelector.start_from": Difference(
        "Feature that the search starts from, with others so named.",
        otherwise="all features; with --forward none",
        multiple=True,
    ),
    "ForwardSelectionSelector.max_features": Difference(
        "With --forward, add features up to so many; with --complete, test no more. Not without.",
        otherwise="no limit",
    ),
    "CompleteSearchSelector.top_k": Difference("Show the K best trees. Not with --tolerance."),
    "CompleteSearchSelector.count_ties": Difference(
        "Count the trees that err as little as the best. Not with --tolerance."
    ),
    "count_distinct_trees.node_limit": Difference("End the search when so many trees are built."),
    "count_distinct_trees.validation_set": Difference(
        "Share of the rows that judges trees; the others grow them. 0: all grow trees.",
        default=0.3,
        type=click.FloatRange(0, 1, max_open=True),
    ),
    "RobustLinearClassifier.perturbation": Difference(remark="0: RLP; the paper's RLP-P has 0.02."),
    "RobustLinearClassifier.selection": Difference(
        "Which features. bounded: the fewest within the bound on the error; limited: at most "
        "--n-features; path: so many as predict best in cross-validation; none: as many as the "
        "plane of least error uses."
    ),
    "RobustLinearClassifier.error_slack": Difference(
        "The bound is the least error there is, and so much of it more."
    ),
    "RobustLinearClassifier.error_floor": Difference(remark="Of separable rows it is 0 otherwise."),
    "RobustLinearClassifier.n_features": Difference(otherwise="10 with path"),
    "RobustLinearClassifier.search": Difference(
        "paper: the published search; swap: leaving out and exchanging features on top of it."
    ),
    "RobustLinearClassifier.prove": Difference("Try so long to prove that fewer features cannot do."),
    "RobustLinearClassifier.cv": Difference(
        "Folds of path and of --depth; no more than the larger class has rows."
    ),
    "RobustLinearClassifier.one_standard_error": Difference(remark="So do trees of --depth."),
    "RobustLinearClassifier.missing": Difference(
        "What a missing value is. raise: an error; mean: the mean of its column; drop: the row is left out."
    ),
    "RobustLinearClassifier.n_jobs": Difference("Folds that run side by side; -1: all cores.", otherwise=1),
    "MultivariateTreeClassifier.max_depth": Difference(
        "Grow a tree of planes, at most so deep, in place of one plane; cross-validation prunes "
        "it, a split costing 1 and its features.",
        option="--depth",
        otherwise="one plane",
        type=click.IntRange(min=1),
    ),
    "FixedDepthTreeClassifier.max_depth": Difference(
        "Most questions for a row, the depth of the tree; cv chooses among 1 to 5 by cross-validation.",
        option="--depth",
        metavar="N",
        type=DEPTH,
    ),
    "FixedDepthTreeClassifier.binning": Difference(
        "quantile: bins of about as many rows; supervised: one cut, where it tells most of the class."
    ),
    "FixedDepthTreeClassifier.unseen": Difference(
        "Where a question has no answer. stop: answer with what is known so far; skip: average "
        "over the answers."
    ),
    "MinimalTreeClassifier.node_limit": Difference(otherwise="2000000 for the graph"),
    "MinimalTreeClassifier.memory_limit": Difference("What may be taken, such as 64MB.", otherwise="1GiB"),
    "from_data.on_conflict": Difference(
        "Where equal rows have different classes. raise: an error; most_common: the most common."
    ),
    "ErrorBasedPruning.grafting": Difference("Whether a node may be replaced by its largest branch. {usual}"),
    "CostComplexityPruning.alpha": Difference(
        "What a leaf costs, in errors{or_cv}.", metavar="ERRORS", type=ALPHA
    ),
    "MinimumErrorPruning.m": Difference("Weight of the class shares at the root."),
    "EstimatorPruning.slack": Difference("How much worse a leaf may be."),
    "EstimatorPruning.f": Difference(
        "Error rate of a leaf of n rows, c of them of its class, such as '(n - c + 1) / (n + 2)'."
    ),
    "ReducedErrorPruning.share": Difference("Part of the rows that judges the tree."),
    "CostComplexityPruning.random_state": Difference("Random seed."),
    "CostComplexityPruning.cv": Difference("Parts of the cross-validation.", metavar="K"),
    "learn_pruner.start": Difference(
        "Rule to begin with: naive, observed, pessimistic, a formula such as '(n - c + 1.0) / n', "
        "learned:NAME, or a file that --out wrote."
    ),
    "learn_pruner.objective": Difference(
        "What is made small: mean_error of a tree, errors of all trees together, or a tree's "
        "mean_rank among none, naive and error-based."
    ),
    "learn_pruner.time_limit": Difference("Time for the search.", type=float),
    "learn_pruner.n_train": Difference("Trees for training."),
    "learn_pruner.most_train": Difference(
        "Training trees are doubled up to this number where rules fit them too well, or after "
        "many programs; not in the first 48 programs a tree, which four populations make apart.",
        otherwise="4 x --trees with --generator, --trees with DATA",
    ),
    "learn_pruner.n_validation": Difference(
        "Trees that choose.", otherwise="6000 that are drawn, 1500 from DATA"
    ),
    "learn_pruner.n_test": Difference("Trees for the report."),
    "learn_pruner.random_state": Difference(
        "Random seed: draws trees and programs.", type=click.IntRange(0, 2**63 - 1)
    ),
    "learn_pruner.checkpoint": Difference(
        "Keep what is done in this file, now and then and when the study is stopped."
    ),
    "learn_pruner.resume": Difference("Go on from the file that --checkpoint names, if it is there."),
    "compare_selection.methods": Difference(
        "top: all features; backward, forward, complete: those selected that way (complete may "
        "take very long: see --search-time-limit)."
    ),
    "compare_selection.time_black_box": Difference("Also time the search that grows every tree anew (SBE)."),
    "compare_selection.time_sklearn": Difference("Also run scikit-learn's selector around its own tree."),
    "compare_fixed_depth.depths": Difference("Depth of the trees, optimal under naive Bayes."),
    "compare_fixed_depth.time_searches": Difference("Also time the searches, by data set and features."),
    "compare_planes.methods": Difference(
        "What to compare: {choices}. Those with _p have perturbation; fm_rlp is the published "
        "search, _swap that of this package; path chooses the number of features by "
        "cross-validation, _k takes as many as path."
    ),
    "compare_planes.n_features": Difference(otherwise=10),
    "study_distinct_trees.orders": Difference("Order of taking features away: {choices}."),
    "study_distinct_trees.methods": Difference(
        "Selection whose errors are compared, as in `treewright study selection`."
    ),
    "compare_greedy.n_tables": Difference("Random tables. The published experiment has 40000."),
    "compare_greedy.random_state": Difference("Random seed: draws the tables."),
    "compare_greedy.n_jobs": Difference("Threads; -1 takes all cores.", otherwise=1),
    "compare_pruning.generator": Difference(GENERATOR),
    "compare_pruning.n_sets": Difference(
        "How many to draw, 60 combinations in turn. The published table has 60x1000."
    ),
    "compare_pruning.rules": Difference("Rule to compare: {choices}. error_based does not graft, ebp does."),
    "compare_pruning.reference": Difference(otherwise="the last rule"),
}
"""Differences of a parameter of one object."""


def difference(owner: str, name: str) -> Difference:
    """Return what differs of a parameter of a public object."""
    shared = OF_STUDIES if owner.startswith("treewright.studies.") else EVERYWHERE
    found = DIFFERENCES.get(f"{owner.rpartition('.')[2]}.{name}", shared.get(name, Difference()))
    return replace(
        found,
        option=found.option or SPELLINGS.get(name),
        metavar=found.metavar or METAVARS.get(name),
        type=found.type or TYPES.get(name),
    )
