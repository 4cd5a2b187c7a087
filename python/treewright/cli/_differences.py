"""What the command line has otherwise than the signatures: the one table of it.

A row is a parameter of a public object. What it does not name comes from the signature and the docstring
(`treewright.cli._signature`).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

Context = click.Context | None
Callback = Callable[[click.Context, click.Parameter, Any], object]


class Amount(click.ParamType[int | str]):
    """An amount of memory: digits alone are bytes, a unit is the library's to read."""

    name = "amount"

    def convert(self, value: object, param: click.Parameter | None, ctx: Context) -> int | str:
        """Return digits as a number."""
        return int(str(value)) if str(value).isdecimal() else str(value)


class Number(click.ParamType[int | float]):
    """A count, written whole, or a share; what it may be is the library's to say."""

    name = "number"

    def convert(self, value: object, param: click.Parameter | None, ctx: Context) -> int | float:
        """Return an int where that is what the text says."""
        try:
            number = float(str(value))
        except ValueError:
            self.fail(f"{value!r} is no number.", param, ctx)
        return int(str(value)) if str(value).strip("+-").isdecimal() else number


class Share(click.ParamType[float]):
    """A number, also as a fraction."""

    name = "share"

    def convert(self, value: object, param: click.Parameter | None, ctx: Context) -> float:
        """Return a number, or one divided by another."""
        try:
            return float(Fraction(str(value))) if "/" in str(value) else float(str(value))
        except (ValueError, ZeroDivisionError, OverflowError):
            self.fail(f"{value!r} is neither a number nor a fraction such as 1/3.", param, ctx)


class Product(click.ParamType[int]):
    """A number, or a product such as 60x1000."""

    name = "count"

    def convert(self, value: object, param: click.Parameter | None, ctx: Context) -> int:
        """Return the number that a text says."""
        parts = str(value).lower().split("x")
        if not all(part.isdecimal() and int(part) for part in parts):
            self.fail(f"{value!r} is no number and no product such as 60x1000.", param, ctx)
        return math.prod(map(int, parts))


class WordOr(click.ParamType[int | float | str]):
    """A number, or one word."""

    name = "number or word"

    def __init__(self, word: str, kind: type[int] | type[float], what: str) -> None:
        self._word, self._kind, self._what = word, kind, what

    def convert(self, value: object, param: click.Parameter | None, ctx: Context) -> int | float | str:
        """Return the word as it is, anything else as a number."""
        if value == self._word:
            return self._word
        try:
            return self._kind(str(value))
        except ValueError:
            self.fail(f"{value!r} must be {self._what}, or {self._word!r}.", param, ctx)


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

EVERYWHERE = {
    "n_jobs": Difference("Threads; -1 takes all cores.", metavar="N", otherwise=1),
    "time_limit": Difference("End the search then, with the best found.", metavar="SECONDS", type=SECONDS),
    "memory_limit": Difference(
        "What may be kept to save work, such as 64MB. Less is slower and gives the same.", otherwise="128MiB"
    ),
    "order": Difference(
        "Which feature of a tree goes first: the one at whose nodes the fewest rows are (frontier), the most "
        "(frontier_descending), the first (index) or the last (index_descending). The answer is the same."
    ),
    "random_state": Difference(
        "Random seed: draws the validation rows.", option="--seed", metavar="N", default=0, type=SEED
    ),
    "validation_set": Difference(
        "Share of the rows that judges trees; the others grow them.",
        metavar="SHARE",
        default=0.3,
        type=SHARE_OF_ROWS,
    ),
}
"""Differences of a parameter whatever object has it."""

OF_STUDIES = {
    "n_jobs": Difference("Folds that run side by side; -1 takes all cores.", metavar="N", otherwise=1),
    "time_limit": Difference("End the study then, with what is done.", metavar="SECONDS", type=SECONDS),
    "search_time_limit": Difference(
        "End a single search then, with the best found.", metavar="SECONDS", type=SECONDS
    ),
    "memory_limit": Difference("What may be kept, such as 64MB.", otherwise="128MiB"),
    "random_state": Difference(
        "Random seed: draws folds and whatever else is drawn.", option="--seed", metavar="N", type=SEED
    ),
    "validation_set": Difference(
        "Share of the rows of a training part that judges trees; the others grow them.",
        metavar="SHARE",
        type=SHARE_OF_ROWS,
    ),
    "cv": Difference("Folds of the cross-validation.", option="--folds", metavar="N", type=int),
    "n_bins": Difference(option="--bins"),
    "checkpoint": Difference("Keep what is done in this file, now and then and when the study is stopped."),
    "resume": Difference("Go on from the file that --checkpoint names, if it is there."),
}
"""Differences that all studies have."""

DIFFERENCES: Mapping[str, Mapping[str, Difference]] = {
    "read_csv": {
        "missing_values": Difference(
            "Spelling of a missing value besides the empty field, such as '?'.", metavar="TEXT"
        ),
        "delimiter": Difference(metavar="CHAR"),
        "encoding": Difference(metavar="NAME"),
    },
    "GreedyTreeClassifier": {
        "growth": Difference(
            "standard: in the manner of C4.5; id3: nominal features only, each once a path, a missing value "
            "being a value, and splits without gain allowed; c45: as release 8 of C4.5, by gain ratio with 2 "
            "as --min-samples-leaf{pruned}, unless asked otherwise.",
        ),
        "min_samples_split": Difference(metavar="WEIGHT"),
        "min_samples_leaf": Difference(metavar="WEIGHT"),
        "min_gain": Difference(metavar="BITS"),
        "mdl_correction": Difference(
            "A numeric feature pays for the choice of its threshold, as in C4.5 release 8."
        ),
        "max_depth": Difference(otherwise="no limit"),
        "missing": Difference(
            "What a missing value is. distribution: spread over the branches; most_frequent: the column's "
            "most frequent value; value: a value of its own; raise: an error.",
            metavar="POLICY",
        ),
    },
    "BackwardEliminationSelector": {
        "strategy": Difference("incremental: rebuild what changes; retrain: every tree anew, to check."),
        "floating": Difference("After every step take steps back, as long as each makes fewer errors."),
        "tolerance": Difference(
            "More errors than the fewest that are accepted, for fewer features (with --complete for a "
            "shorter search); below 1, a share of the validation rows. Not with --forward or --floating.",
            metavar="ERRORS",
        ),
        "parsimonious": Difference(
            "Drop features also where the errors stay the same, untested ones first. Not with --forward."
        ),
        "min_features": Difference("Keep at least so many features. Not with --forward."),
        "required_features": Difference("Feature that stays selected.", multiple=True, metavar="COL"),
        "feature_groups": Difference(
            "Features that go, and come, together.",
            option="--group",
            multiple=True,
            callback=groups,
            metavar="COL,COL",
        ),
        "start_from": Difference(
            "Feature that the search starts from, with others so named.",
            multiple=True,
            metavar="COL",
            otherwise="all features; with --forward none",
        ),
    },
    "ForwardSelectionSelector": {
        "max_features": Difference(
            "With --forward, add features up to so many; with --complete, test no more. Not without.",
            otherwise="no limit",
        ),
    },
    "CompleteSearchSelector": {
        "top_k": Difference("Show the K best trees. Not with --tolerance.", metavar="K"),
        "count_ties": Difference("Count the trees that err as little as the best. Not with --tolerance."),
    },
    "count_distinct_trees": {
        "node_limit": Difference("End the search when so many trees are built."),
        "validation_set": Difference(
            "Share of the rows that judges trees; the others grow them. 0: all grow trees.",
            metavar="SHARE",
            default=0.3,
            type=click.FloatRange(0, 1, max_open=True),
        ),
    },
    "RobustLinearClassifier": {
        "perturbation": Difference(metavar="SHARE", remark="0: RLP; the paper's RLP-P has 0.02."),
        "selection": Difference(
            "Which features. bounded: the fewest within the bound on the error; limited: at most "
            "--n-features; path: so many as predict best in cross-validation; none: as many as the plane of "
            "least error uses.",
        ),
        "error_slack": Difference(
            "The bound is the least error there is, and so much of it more.", metavar="SHARE"
        ),
        "error_floor": Difference(metavar="ERROR", remark="Of separable rows it is 0 otherwise."),
        "n_features": Difference(otherwise="10 with path"),
        "search": Difference(
            "paper: the published search; swap: leaving out and exchanging features on top of it."
        ),
        "prove": Difference(
            "Try so long to prove that fewer features cannot do.", metavar="SECONDS", type=SECONDS
        ),
        "cv": Difference(
            "Folds of path and of --depth; no more than the larger class has rows.",
            option="--folds",
            metavar="N",
            type=int,
        ),
        "one_standard_error": Difference(
            "In cross-validation, take the fewest within one standard error of the best."
        ),
        "missing": Difference(
            "What a missing value is. raise: an error; mean: the mean of its column; drop: the row is left "
            "out.",
            metavar="POLICY",
        ),
        "n_jobs": Difference("Folds that run side by side; -1: all cores.", metavar="N", otherwise=1),
    },
    "MultivariateTreeClassifier": {
        "max_depth": Difference(
            "Grow a tree of planes, at most so deep, in place of one plane; cross-validation prunes it, a "
            "split costing 1 and its features.",
            option="--depth",
            otherwise="one plane",
            type=click.IntRange(min=1),
        ),
    },
    "FixedDepthTreeClassifier": {
        "max_depth": Difference(
            "Most questions for a row, the depth of the tree; cv chooses among 1 to 5 by cross-validation.",
            option="--depth",
            metavar="N",
            type=WordOr("cv", int, "a number of questions of at least 0"),
        ),
        "class_prior": Difference("Pseudo-count of every class.", metavar="COUNT"),
        "value_prior": Difference(
            "Pseudo-count of every value of a feature within a class.", metavar="COUNT"
        ),
        "n_bins": Difference(option="--bins"),
        "binning": Difference(
            "quantile: bins of about as many rows; supervised: one cut, where it tells most of the class.",
            metavar="RULE",
        ),
        "cost_budget": Difference(
            "What the questions for a row may cost altogether.", option="--budget", metavar="COST"
        ),
        "unseen": Difference(
            "Where a question has no answer. stop: answer with what is known so far; skip: average over the "
            "answers.",
            metavar="RULE",
        ),
    },
    "MinimalTreeClassifier": {
        "node_limit": Difference(
            "Most subtables, of the graph and of branch and bound.", otherwise="2000000 for the graph"
        ),
        "memory_limit": Difference("What may be taken, such as 64MB.", otherwise="1GiB"),
    },
    "from_data": {
        "bins": Difference(
            "Cut numeric columns into at most N bins of about as many rows each. Whole numbers are values "
            "otherwise, and fractions are refused."
        ),
        "on_conflict": Difference(
            "Where equal rows have different classes. raise: an error; most_common: the most common.",
            metavar="RULE",
        ),
    },
    "ErrorBasedPruning": {
        "confidence": Difference(metavar="P"),
        "grafting": Difference("Whether a node may be replaced by its largest branch. {usual}"),
    },
    "CostComplexityPruning": {
        "alpha": Difference(
            "What a leaf costs, in errors{or_cv}.", metavar="ERRORS", type=WordOr("cv", float, "a number")
        ),
    },
    "MinimumErrorPruning": {"m": Difference("Weight of the class shares at the root.", metavar="WEIGHT")},
    "EstimatorPruning": {
        "slack": Difference("How much worse a leaf may be.", metavar="RATE"),
        "f": Difference(
            "Error rate of a leaf of n rows, c of them of its class, such as '(n - c + 1) / (n + 2)'.",
            option="--estimate",
            metavar="TEXT",
        ),
    },
    "ReducedErrorPruning": {
        "share": Difference("Part of the rows that judges the tree.", metavar="SHARE", type=Share()),
        "random_state": Difference("Random seed.", option="--seed", metavar="N", type=SEED),
    },
    "TunedErrorBasedPruning": {
        "cv": Difference("Parts of the cross-validation.", option="--folds", metavar="K", type=int),
    },
    "learn_pruner": {
        "start": Difference(
            "Rule to begin with: naive, observed, pessimistic, a formula such as '(n - c + 1.0) / n', "
            "learned:NAME, or a file that --out wrote.",
            metavar="RULE",
        ),
        "objective": Difference(
            "What is made small: mean_error of a tree, errors of all trees together, or a tree's mean_rank "
            "among none, naive and error-based."
        ),
        "patience": Difference(
            "End when the front has not got better in validation for N programs; counts from 48 programs a "
            "tree, and anew when trees are doubled."
        ),
        "time_limit": Difference("Time for the search.", metavar="SECONDS", type=float),
        "n_train": Difference("Trees for training.", option="--trees", type=TREES),
        "most_train": Difference(
            "Training trees are doubled up to this number where rules fit them too well, or after many "
            "programs; not in the first 48 programs a tree, which four populations make apart.",
            option="--most-trees",
            type=TREES,
            otherwise="4 x --trees with --generator, --trees with DATA",
        ),
        "n_validation": Difference(
            "Trees that choose.",
            option="--validation-trees",
            type=TREES,
            otherwise="6000 that are drawn, 1500 from DATA",
        ),
        "n_test": Difference("Trees for the report.", option="--test-trees", type=TREES),
        "random_state": Difference(
            "Random seed: draws trees and programs.",
            option="--seed",
            metavar="N",
            type=click.IntRange(0, 2**63 - 1),
        ),
        "checkpoint": OF_STUDIES["checkpoint"],
        "resume": OF_STUDIES["resume"],
    },
    "compare_selection": {
        "methods": Difference(
            "top: all features; backward, forward, complete: those selected that way (complete may take very "
            "long: see --search-time-limit)."
        ),
        "time_black_box": Difference(
            "Also time the search that grows every tree anew (SBE).", option="--black-box"
        ),
        "time_sklearn": Difference(
            "Also run scikit-learn's selector around its own tree.", option="--sklearn"
        ),
    },
    "compare_fixed_depth": {
        "depths": Difference("Depth of the trees, optimal under naive Bayes."),
        "time_searches": Difference(
            "Also time the searches, by data set and number of features.", option="--times"
        ),
    },
    "compare_planes": {
        "methods": Difference(
            "What to compare: {methods}. Those with _p have perturbation; fm_rlp is the published search, "
            "_swap that of this package; path chooses the number of features by cross-validation, _k takes "
            "as many as path."
        ),
        "perturbation": Difference(metavar="SHARE"),
        "n_features": Difference(otherwise=10),
    },
    "study_distinct_trees": {
        "orders": Difference("Order of taking features away: {orders}."),
        "methods": Difference("Selection whose errors are compared, as in `treewright study selection`."),
    },
    "compare_greedy": {
        "n_tables": Difference("Random tables. The published experiment has 40000."),
        "random_state": Difference("Random seed: draws the tables.", option="--seed", metavar="N", type=SEED),
        "n_jobs": EVERYWHERE["n_jobs"],
    },
    "compare_pruning": {
        "generator": Difference(GENERATOR),
        "n_sets": Difference(
            "How many to draw, 60 combinations in turn. The published table has 60x1000.",
            option="--sets",
            type=Product(),
        ),
        "rules": Difference("Rule to compare: {rules}. error_based does not graft, ebp does."),
        "reference": Difference(
            "Rule that the others are compared with.", metavar="NAME", otherwise="the last rule"
        ),
    },
}
"""Differences of a parameter of one object, by the object's name."""


def difference(owner: str, name: str) -> Difference:
    """Return what differs of a parameter of a public object."""
    own = DIFFERENCES.get(owner.rpartition(".")[2], {})
    shared = OF_STUDIES if owner.startswith("treewright.studies.") else EVERYWHERE
    return own.get(name, shared.get(name, Difference()))
