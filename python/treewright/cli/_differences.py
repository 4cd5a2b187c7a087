"""What the command line has otherwise than the signatures: the one table of it.

A row is a parameter of a public object. What it does not name comes from the signature and the docstring
(`treewright.cli._signature`).
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

Callback = Callable[[click.Context, click.Parameter, Any], object]


@dataclass(frozen=True)
class Difference:
    """What differs; None and UNSET-like emptiness stand for the library's own."""

    option: str | None = None
    metavar: str | None = None
    text: str | None = None
    otherwise: object = None
    default: object = None
    type: Any = None
    callback: Callback | None = None
    multiple: bool = False
    remark: str = ""
    """A sentence that comes on top of the library's."""


def amount(ctx: click.Context, parameter: click.Parameter, value: str | None) -> int | str | None:
    """Read an amount of memory: digits alone are bytes."""
    return int(value) if value is not None and value.isdecimal() else value


def number(ctx: click.Context, parameter: click.Parameter, value: str | None) -> int | float | None:
    """Read a count, written whole, or a share; what it may be is the library's to say."""
    if value is None:
        return None
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    raise click.BadParameter(f"{value!r} is no number.", ctx, parameter)


def groups(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> list[list[str]] | None:
    """Part names of columns at the commas; one that has a comma stands in double quotes."""
    return list(csv.reader(values, skipinitialspace=True)) or None


class Share(click.ParamType[float]):
    """A number, also as a fraction."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return a number, or one divided by another."""
        try:
            return float(Fraction(value)) if "/" in str(value) else float(value)
        except (ValueError, ZeroDivisionError, OverflowError):
            self.fail(f"{value!r} is neither a number nor a fraction such as 1/3.", param, ctx)


class WordOr(click.ParamType[Any]):
    """A number, or one word."""

    name = "number or word"

    def __init__(self, word: str, kind: type[int] | type[float], what: str) -> None:
        self._word, self._kind, self._what = word, kind, what

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word as it is, anything else as a number."""
        if value == self._word:
            return value
        try:
            return self._kind(value)
        except ValueError:
            self.fail(f"{value!r} must be {self._what}, or {self._word!r}.", param, ctx)


SHARE_OF_ROWS = click.FloatRange(0, 1, min_open=True, max_open=True)
SEED = click.IntRange(0, 2**32 - 1)
TREES = click.IntRange(1, 1_000_000)
_COLUMNS = Difference(multiple=True, metavar="COL")

EVERYWHERE = {
    "n_jobs": Difference(metavar="N", otherwise=1, text="Threads; -1 takes all cores."),
    "time_limit": Difference(
        metavar="SECONDS",
        type=click.FloatRange(0, min_open=True),
        text="End the search then, with the best found.",
    ),
    "memory_limit": Difference(
        metavar="AMOUNT",
        callback=amount,
        otherwise="128MiB",
        text="What may be kept to save work, such as 64MB. Less is slower and gives the same.",
    ),
    "order": Difference(
        text="Which feature of a tree goes first: the one at whose nodes the fewest rows are (frontier), the "
        "most (frontier_descending), the first (index) or the last (index_descending). The answer is the "
        "same."
    ),
    "random_state": Difference(
        option="--seed", metavar="N", default=0, type=SEED, text="Random seed: draws the validation rows."
    ),
    "validation_set": Difference(
        metavar="SHARE",
        default=0.3,
        type=SHARE_OF_ROWS,
        text="Share of the rows that judges trees; the others grow them.",
    ),
    "required_features": _COLUMNS,
}
"""Differences of a parameter whatever object has it."""

DIFFERENCES: dict[tuple[str, str], Difference] = {
    ("GreedyTreeClassifier", "growth"): Difference(
        text="standard: in the manner of C4.5; id3: nominal features only, each once a path, a missing value "
        "being a value, and splits without gain allowed; c45: as release 8 of C4.5, by gain ratio with 2 as "
        "--min-samples-leaf{pruned}, unless asked otherwise.",
    ),
    ("GreedyTreeClassifier", "min_samples_split"): Difference(metavar="WEIGHT"),
    ("GreedyTreeClassifier", "min_samples_leaf"): Difference(metavar="WEIGHT"),
    ("GreedyTreeClassifier", "min_gain"): Difference(metavar="BITS"),
    ("GreedyTreeClassifier", "mdl_correction"): Difference(
        text="A numeric feature pays for the choice of its threshold, as in C4.5 release 8."
    ),
    ("GreedyTreeClassifier", "max_depth"): Difference(metavar="N", otherwise="no limit"),
    ("GreedyTreeClassifier", "missing"): Difference(
        metavar="POLICY",
        text="What a missing value is. distribution: spread over the branches; most_frequent: the column's "
        "most frequent value; value: a value of its own; raise: an error.",
    ),
    ("BackwardEliminationSelector", "strategy"): Difference(
        text="incremental: rebuild what changes; retrain: every tree anew, to check."
    ),
    ("BackwardEliminationSelector", "floating"): Difference(
        text="After every step take steps back, as long as each makes fewer errors."
    ),
    ("BackwardEliminationSelector", "tolerance"): Difference(
        callback=number,
        metavar="ERRORS",
        text="More errors than the fewest that are accepted, for fewer features (with --complete for a "
        "shorter search); below 1, a share of the validation rows. Not with --forward or --floating.",
    ),
    ("BackwardEliminationSelector", "parsimonious"): Difference(
        text="Drop features also where the errors stay the same, untested ones first. Not with --forward."
    ),
    ("BackwardEliminationSelector", "min_features"): Difference(
        metavar="N", text="Keep at least so many features. Not with --forward."
    ),
    ("ForwardSelectionSelector", "max_features"): Difference(
        metavar="N",
        otherwise="no limit",
        text="With --forward, add features up to so many; with --complete, test no more. Not without.",
    ),
    ("BackwardEliminationSelector", "required_features"): Difference(
        multiple=True, metavar="COL", text="Feature that stays selected. Repeatable."
    ),
    ("BackwardEliminationSelector", "feature_groups"): Difference(
        option="--group",
        multiple=True,
        callback=groups,
        metavar="COL,COL",
        text="Features that go, and come, together. Repeatable.",
    ),
    ("BackwardEliminationSelector", "start_from"): Difference(
        multiple=True,
        metavar="COL",
        otherwise="all features; with --forward none",
        text="Feature that the search starts from, with others so named. Repeatable.",
    ),
    ("CompleteSearchSelector", "top_k"): Difference(
        metavar="K", text="Show the K best trees. Not with --tolerance."
    ),
    ("CompleteSearchSelector", "count_ties"): Difference(
        text="Count the trees that err as little as the best. Not with --tolerance."
    ),
    ("count_distinct_trees", "node_limit"): Difference(
        metavar="N", text="End the search when so many trees are built."
    ),
    ("count_distinct_trees", "validation_set"): Difference(
        metavar="SHARE",
        default=0.3,
        type=click.FloatRange(0, 1, max_open=True),
        text="Share of the rows that judges trees; the others grow them. 0: all grow trees.",
    ),
    ("RobustLinearClassifier", "perturbation"): Difference(
        metavar="SHARE",
        type=click.FloatRange(0, 1, max_open=True),
        remark="0: RLP; the paper's RLP-P has 0.02.",
    ),
    ("RobustLinearClassifier", "selection"): Difference(
        type=click.Choice(["bounded", "limited", "path", "none"]),
        text="Which features. bounded: the fewest within the bound on the error; limited: at most "
        "--n-features; path: so many as predict best in cross-validation; none: as many as the plane of "
        "least error uses.",
    ),
    ("RobustLinearClassifier", "error_slack"): Difference(
        metavar="SHARE", text="The bound is the least error there is, and so much of it more."
    ),
    ("RobustLinearClassifier", "error_floor"): Difference(
        metavar="ERROR", remark="Of separable rows it is 0 otherwise."
    ),
    ("RobustLinearClassifier", "n_features"): Difference(
        metavar="N", otherwise="10 with path", text="Most features, with --selection limited or path."
    ),
    ("RobustLinearClassifier", "search"): Difference(
        text="paper: the published search; swap: leaving out and exchanging features on top of it."
    ),
    ("RobustLinearClassifier", "prove"): Difference(
        metavar="SECONDS",
        type=click.FloatRange(0, min_open=True),
        text="Try so long to prove that fewer features cannot do.",
    ),
    ("RobustLinearClassifier", "cv"): Difference(
        option="--folds",
        metavar="N",
        type=click.IntRange(min=2),
        text="Folds of path and of --depth; no more than the larger class has rows.",
    ),
    ("RobustLinearClassifier", "one_standard_error"): Difference(
        text="In cross-validation, take the fewest within one standard error of the best."
    ),
    ("RobustLinearClassifier", "missing"): Difference(
        metavar="POLICY",
        text="What a missing value is. raise: an error; mean: the mean of its column; drop: the row is left "
        "out.",
    ),
    ("RobustLinearClassifier", "n_jobs"): Difference(
        metavar="N", otherwise=1, text="Folds that run side by side; -1: all cores."
    ),
    ("MultivariateTreeClassifier", "max_depth"): Difference(
        option="--depth",
        metavar="N",
        otherwise="one plane",
        type=click.IntRange(min=1),
        text="Grow a tree of planes, at most so deep, in place of one plane; cross-validation prunes it, a "
        "split costing 1 and its features.",
    ),
    ("FixedDepthTreeClassifier", "max_depth"): Difference(
        option="--depth",
        metavar="N",
        type=WordOr("cv", int, "a number of questions of at least 0"),
        text="Most questions for a row, the depth of the tree; cv chooses among 1 to 5 by cross-validation.",
    ),
    ("FixedDepthTreeClassifier", "class_prior"): Difference(
        metavar="COUNT", text="Pseudo-count of every class."
    ),
    ("FixedDepthTreeClassifier", "value_prior"): Difference(
        metavar="COUNT", text="Pseudo-count of every value of a feature within a class."
    ),
    ("FixedDepthTreeClassifier", "n_bins"): Difference(option="--bins", metavar="N"),
    ("FixedDepthTreeClassifier", "binning"): Difference(
        metavar="RULE",
        text="quantile: bins of about as many rows; supervised: one cut, where it tells most of the class.",
    ),
    ("FixedDepthTreeClassifier", "cost_budget"): Difference(
        option="--budget", metavar="COST", text="What the questions for a row may cost altogether."
    ),
    ("FixedDepthTreeClassifier", "unseen"): Difference(
        metavar="RULE",
        text="Where a question has no answer. stop: answer with what is known so far; skip: average over the "
        "answers.",
    ),
    ("MinimalTreeClassifier", "max_pairs"): Difference(metavar="N"),
    ("MinimalTreeClassifier", "node_limit"): Difference(
        metavar="N",
        type=click.IntRange(min=1),
        otherwise="2000000 for the graph",
        text="Most subtables, of the graph and of branch and bound.",
    ),
    ("MinimalTreeClassifier", "memory_limit"): Difference(
        metavar="AMOUNT", callback=amount, otherwise="1GiB", text="What may be taken, such as 64MB."
    ),
    ("ErrorBasedPruning", "confidence"): Difference(metavar="P"),
    ("ErrorBasedPruning", "grafting"): Difference(
        text="Whether a node may be replaced by its largest branch. Usual with error-based{where}, not with "
        "tuned-error-based."
    ),
    ("CostComplexityPruning", "alpha"): Difference(
        metavar="ERRORS", type=WordOr("cv", float, "a number"), text="What a leaf costs, in errors{or_cv}."
    ),
    ("MinimumErrorPruning", "m"): Difference(
        metavar="WEIGHT", text="Weight of the class shares at the root."
    ),
    ("EstimatorPruning", "slack"): Difference(metavar="RATE", text="How much worse a leaf may be."),
    ("EstimatorPruning", "f"): Difference(
        option="--estimate",
        metavar="TEXT",
        text="Error rate of a leaf of n rows, c of them of its class, such as '(n - c + 1) / (n + 2)'.",
    ),
    ("ReducedErrorPruning", "share"): Difference(
        metavar="SHARE", type=Share(), otherwise="1/3", text="Part of the rows that judges the tree."
    ),
    ("TunedErrorBasedPruning", "cv"): Difference(
        option="--folds", metavar="K", type=int, text="Parts of the cross-validation."
    ),
    ("ReducedErrorPruning", "random_state"): Difference(
        option="--seed", metavar="N", otherwise=0, type=click.IntRange(min=0), text="Random seed."
    ),
    ("learn_pruner", "start"): Difference(
        metavar="RULE",
        text="Rule to begin with: naive, observed, pessimistic, a formula such as '(n - c + 1.0) / n', "
        "learned:NAME, or a file that --out wrote.",
    ),
    ("learn_pruner", "objective"): Difference(
        text="What is made small: mean_error of a tree, errors of all trees together, or a tree's mean_rank "
        "among none, naive and error-based."
    ),
    ("learn_pruner", "budget"): Difference(metavar="N", type=click.IntRange(min=1)),
    ("learn_pruner", "patience"): Difference(
        metavar="N",
        type=click.IntRange(min=1),
        text="End when the front has not got better in validation for N programs; counts from 48 programs a "
        "tree, and anew when trees are doubled.",
    ),
    ("learn_pruner", "time_limit"): Difference(metavar="SECONDS", type=float, text="Time for the search."),
    ("learn_pruner", "n_train"): Difference(
        option="--trees", metavar="N", type=TREES, text="Trees for training."
    ),
    ("learn_pruner", "most_train"): Difference(
        option="--most-trees",
        metavar="N",
        type=TREES,
        otherwise="4 x --trees with --generator, --trees with DATA",
        text="Training trees are doubled up to this number where rules fit them too well, or after many "
        "programs; not in the first 48 programs a tree, which four populations make apart.",
    ),
    ("learn_pruner", "n_validation"): Difference(
        option="--validation-trees",
        metavar="N",
        type=TREES,
        otherwise="6000 that are drawn, 1500 from DATA",
        text="Trees that choose.",
    ),
    ("learn_pruner", "n_test"): Difference(
        option="--test-trees", metavar="N", type=TREES, text="Trees for the report."
    ),
    ("learn_pruner", "random_state"): Difference(
        option="--seed",
        metavar="N",
        type=click.IntRange(0, 2**63 - 1),
        text="Random seed: draws trees and programs.",
    ),
}
"""Differences of one parameter of one object."""


def difference(owner: str, name: str) -> Difference:
    """Return what differs of a parameter."""
    return DIFFERENCES.get((owner, name), EVERYWHERE.get(name, Difference()))
