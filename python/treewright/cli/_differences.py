"""What the command line has otherwise than the signatures: the one table of it.

A row is a parameter of a public object. What it does not name comes from the signature and the docstring
(`treewright.cli._signature`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click

from treewright.cli._labels import class_weights, cost_matrix
from treewright.cli._option import Words
from treewright.cli._readers import (
    ALPHA,
    DEPTH,
    PRODUCT,
    SECONDS,
    SEED,
    SHARE,
    SHARE_OF_ROWS,
    SMOOTHING,
    TREES,
    ShareOrFolds,
    WordsOrLearned,
    groups,
)

Callback = Callable[[click.Context, click.Parameter, Any], object]


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
    words: Callable[[Sequence[str]], Words] = Words
    """What makes one of the words that the docstring has."""
    remark: str = ""
    """A sentence that comes on top of the library's."""


GENERATOR = (
    "Generate data sets instead of DATA, with training shares as in the text of the paper (paper_text), "
    "or half of them, which agree with its table (paper_table)."
)

UNITS = {
    "N": ("n_jobs", "random_state", "cv"),
    "SECONDS": ("time_limit", "search_time_limit", "prove"),
    "SHARE": ("validation_set", "perturbation", "error_slack", "share"),
    "WEIGHT": ("min_samples_split", "min_samples_leaf", "min_samples_branch", "m"),
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
    "n_jobs": Difference("Number of threads; -1 uses all cores.", otherwise=1),
    "time_limit": Difference("Time after which the search ends with the best result so far."),
    "memory_limit": Difference(
        "Memory for the cache, such as 64MB. Less memory is slower, with the same result.", otherwise="128MiB"
    ),
    "order": Difference(
        "Which feature of a tree is removed first: the one whose nodes hold the fewest rows (frontier), the "
        "most rows (frontier_descending), the first feature (index) or the last (index_descending). The "
        "result is the same."
    ),
    "random_state": Difference("Random seed that draws the validation rows.", default=0),
    "validation_set": Difference(
        "Validation set: share of the rows on which the errors of the trees are counted; the other rows are "
        "used to grow trees.",
        default=0.3,
    ),
}
"""Differences of a parameter whatever object has it."""

OF_STUDIES = {
    "n_jobs": Difference("Number of folds that run in parallel; -1 uses all cores.", otherwise=1),
    "time_limit": Difference("Time after which the study ends with the completed folds."),
    "search_time_limit": Difference("Time after which a single search ends with its best result."),
    "memory_limit": Difference("Memory for the cache, such as 64MB.", otherwise="128MiB"),
    "random_state": Difference("Random seed of the folds and of all other random choices."),
    "validation_set": Difference(
        "Validation set: share of the training rows on which the errors of the trees are counted; the others"
        " are used to grow trees."
    ),
    "cv": Difference("Number of folds of the cross-validation."),
    "checkpoint": Difference(
        "File that stores the completed folds, regularly and when the study is stopped."
    ),
    "resume": Difference("Continue from the file of --checkpoint, if it exists."),
}
"""Differences that all studies have."""

DIFFERENCES: Mapping[str, Difference] = {
    "read.dates": Difference(
        "Column of dates, times or durations, of which numbers are made: COL, or COL:PART,PART with year, "
        "quarter, month, day, weekday, hour, minute, days, hours, minutes, seconds (since the first; of a "
        "duration its length), and a format such as %d.%m.%Y.",
        option="--dates",
        metavar="COL[:PART,...]",
        multiple=True,
    ),
    "read.ordered": Difference(
        "Nominal column whose values have an order, from low to high: `treewright optimal` cuts it like a "
        "number.",
        option="--ordered",
        metavar="COL=LOW,MID,HIGH",
        multiple=True,
    ),
    "read_csv.missing_values": Difference(
        "Spelling of a missing value besides the empty field, such as '?'."
    ),
    "GreedyTreeClassifier.growth": Difference(
        "How the tree is grown. standard: similar to C4.5; id3: as ID3, with nominal features only, each at "
        "most once on a path, a missing value as a value, and splits without gain; c45: as release 8 of "
        "C4.5, by default with gain ratio and --min-samples-branch 2{pruned}."
    ),
    "GreedyTreeClassifier.mdl_correction": Difference(
        "Reduce the gain of a numeric feature for the choice of its threshold, as in C4.5 release 8."
    ),
    "GreedyTreeClassifier.collapse": Difference(
        "Make a leaf of a subtree that makes no fewer training errors than its root as a leaf."
    ),
    "GreedyTreeClassifier.average_gain": Difference(
        "Compare only features of about average gain by gain ratio; with --growth c45 alone."
    ),
    "GreedyTreeClassifier.max_leaf_nodes": Difference(
        "Largest number of leaves that a row reaches; the split that gains most comes first.",
        otherwise="no limit",
    ),
    "GreedyTreeClassifier.nominal_splits": Difference(
        "How a nominal feature is split. multiway: a branch for every value; groups: a set of values against "
        "the rest; one_value: one value against the rest."
    ),
    "GreedyTreeClassifier.max_depth": Difference(otherwise="no limit"),
    "GreedyTreeClassifier.class_weight": Difference(
        "balanced: every class has the same total weight; or LABEL=FACTOR: the rows of a class weigh so many "
        "times as much.",
        metavar="WEIGHT",
        callback=class_weights,
        multiple=True,
    ),
    "GreedyTreeClassifier.cost_matrix": Difference(
        "What it costs to predict a class where another is true; a pair that is not named costs 1. The tree "
        "answers with the class of least expected cost.",
        metavar="TRUE:PREDICTED=COST",
        callback=cost_matrix,
        multiple=True,
    ),
    "GreedyTreeClassifier.smoothing": Difference(
        "Smooth the class probabilities: laplace adds 1 to the weight of every class at a leaf, a number so "
        "many rows spread as in the root.",
        metavar="RULE",
        type=SMOOTHING,
    ),
    "GreedyTreeClassifier.missing": Difference(
        "How missing values are handled. distribution: the row goes down all branches, in proportion; "
        "most_frequent: the most frequent value of the column replaces it; value: it is a value of its own; "
        "raise: it is an error."
    ),
    "BackwardEliminationSelector.floating": Difference(
        "After every step try steps back, as long as each makes fewer errors (floating search)."
    ),
    "BackwardEliminationSelector.tolerance": Difference(
        "Number of additional validation errors that are accepted for fewer features (with --complete for a "
        "shorter search); below 1, a share of the validation rows. Not with --forward or --floating."
    ),
    "BackwardEliminationSelector.validation_leaf_penalty": Difference(
        "Number of wrong validation rows that a leaf must save: trees are compared by errors + this x leaves."
    ),
    "BackwardEliminationSelector.validation_feature_penalty": Difference(
        "Number of wrong validation rows that a feature must save: trees are compared by errors + this x "
        "features."
    ),
    "BackwardEliminationSelector.validation_set": Difference(
        "Share of validation rows, on which errors are counted, or cv: all rows in turn, in five "
        "stratified folds. With few rows cv chooses better features; it takes five to ten times as "
        "long.",
        default=0.3,
        metavar="SHARE|cv",
        type=ShareOrFolds(),
    ),
    "BackwardEliminationSelector.parsimonious": Difference(remark="Not with --forward."),
    "BackwardEliminationSelector.min_features": Difference(
        "Smallest number of features to keep. Not with --forward."
    ),
    "BackwardEliminationSelector.required_features": Difference(
        "Feature that is always selected.", multiple=True
    ),
    "BackwardEliminationSelector.feature_groups": Difference(
        "Features that are dropped and added together.", callback=groups, multiple=True
    ),
    "BackwardEliminationSelector.start_from": Difference(
        "Feature in the set with which the search starts.",
        otherwise="all features; with --forward none",
        multiple=True,
    ),
    "ForwardSelectionSelector.max_features": Difference(
        "Largest number of features: selected ones with --forward, tested ones with --complete. Only with "
        "these.",
        otherwise="no limit",
    ),
    "CompleteSearchSelector.top_k": Difference("Show the K best trees. Not with --tolerance."),
    "CompleteSearchSelector.count_ties": Difference(
        "Count the trees with as few errors as the best. Not with --tolerance."
    ),
    "count_distinct_trees.required_features": Difference(
        "Feature that every tree must test.", option="--require", multiple=True
    ),
    "count_distinct_trees.node_limit": Difference("Number of trees built after which the search ends."),
    "count_distinct_trees.validation_set": Difference(
        "Validation set: share of the rows on which the errors of the trees are counted; the other rows are "
        "used to grow trees. 0: all rows are used to grow trees.",
        default=0.3,
        type=click.FloatRange(0, 1, max_open=True),
    ),
    "RobustLinearClassifier.perturbation": Difference(remark="0: RLP; the paper's RLP-P has 0.02."),
    "RobustLinearClassifier.selection": Difference(
        "How features are selected. bounded: the fewest within the bound on the error; limited: at most "
        "--n-features; path: the number that predicts best in cross-validation; none: the features of the "
        "plane with the least error."
    ),
    "RobustLinearClassifier.error_slack": Difference(
        "The bound on the error is the least error plus this share of it."
    ),
    "RobustLinearClassifier.error_floor": Difference(
        remark=("Without it the bound is 0 for linearly separable rows.")
    ),
    "RobustLinearClassifier.n_features": Difference(
        otherwise="10 with path", remark="With --depth it counts those of each plane, not of the tree."
    ),
    "RobustLinearClassifier.search": Difference(
        "Search method. paper: the published search; swap: it also drops and exchanges features afterwards."
    ),
    "RobustLinearClassifier.prove": Difference("Time for a proof that fewer features are not enough."),
    "RobustLinearClassifier.cv": Difference(
        "Number of folds for path and for --depth; at most the number of rows of the larger class."
    ),
    "RobustLinearClassifier.one_standard_error": Difference(remark="The same for trees of --depth."),
    "RobustLinearClassifier.missing": Difference(
        "How missing values are handled. raise: as an error; mean: the mean of the column replaces it; drop:"
        " the row is left out."
    ),
    "RobustLinearClassifier.n_jobs": Difference(
        "Number of folds that run in parallel; -1 uses all cores.", otherwise=1
    ),
    "MultivariateTreeClassifier.max_depth": Difference(
        "Grow an oblique decision tree (a tree of planes) of this maximum depth instead of one plane. "
        "Cross-validation prunes it; a split costs 1 plus the number of its features.",
        option="--depth",
        otherwise="one plane",
        type=click.IntRange(min=1),
    ),
    "OptimalTreeClassifier.max_depth": Difference(option="--depth", metavar="N", type=DEPTH),
    "OptimalTreeClassifier.leaf_penalty": Difference(
        "Number of errors that a leaf must save, in rows of the mean weight; 0 is no price; cv chooses one "
        "by cross-validation. With --cost-matrix each of these errors costs 1.",
        metavar="PRICE",
        type=ALPHA,
    ),
    "OptimalTreeClassifier.nominal_splits": Difference(
        "How a nominal column is tested. one_value: one value against the rest; groups: a group of values "
        "against the rest (up to 8 values); multiway: a branch for every value."
    ),
    "FixedDepthTreeClassifier.max_depth": Difference(
        "Maximum depth of the tree; cv chooses a depth from 1 to 5 by cross-validation.",
        option="--depth",
        metavar="N",
        type=DEPTH,
    ),
    "FixedDepthTreeClassifier.binning": Difference(
        "How numeric features are discretised. quantile: into bins with about equally many rows; supervised:"
        " at the one threshold with the largest information gain."
    ),
    "FixedDepthTreeClassifier.unseen": Difference(
        "What happens if a tested value is missing. stop: predict the most probable class at this node; "
        "skip: average over the branches."
    ),
    "MinimalTreeClassifier.node_limit": Difference(otherwise="2000000 for the graph"),
    "MinimalTreeClassifier.memory_limit": Difference(
        "Memory for the search, such as 64MB.", otherwise="1GiB"
    ),
    "from_data.on_conflict": Difference(
        "How to treat equal rows with different classes. raise: as an error; most_common: with their most "
        "common class, by weight, or the one that costs least."
    ),
    "ErrorBasedPruning.grafting": Difference("Whether a node may be replaced by its largest branch. {usual}"),
    "CostComplexityPruning.alpha": Difference(
        "Cost of a leaf, in errors{or_cv}.", metavar="ERRORS", type=ALPHA
    ),
    "MinimumErrorPruning.m": Difference("Weight of the class shares at the root."),
    "EstimatorPruning.slack": Difference("How much worse a leaf may be."),
    "EstimatorPruning.f": Difference(
        "Error rate of a leaf of n rows, c of them of its class, such as '(n - c + 1) / (n + 2)'."
    ),
    "ReducedErrorPruning.share": Difference("Share of the rows that is the validation set."),
    "CostComplexityPruning.random_state": Difference("Random seed."),
    "CostComplexityPruning.cv": Difference("Number of folds of the cross-validation.", metavar="K"),
    "learn_pruner.start": Difference(
        "Rule with which the search starts: naive, observed, pessimistic, a formula such as '(n - c + 1.0) /"
        " n', learned:NAME, or a file that --out wrote."
    ),
    "learn_pruner.objective": Difference(
        "What is minimised: mean_error of a tree, errors of all trees together, or a tree's mean_rank among "
        "none, naive and error-based."
    ),
    "learn_pruner.time_limit": Difference("Time for the search.", type=float),
    "learn_pruner.n_train": Difference("Number of trees for training."),
    "learn_pruner.most_train": Difference(
        "Largest number of training trees. They are doubled up to this number if rules overfit, or after "
        "many programs, but not in the first 48 programs per tree.",
        otherwise="4 x --trees with --generator, --trees with DATA",
    ),
    "learn_pruner.n_validation": Difference(
        "Number of trees for validation.", otherwise="6000 with --generator, 1500 with DATA"
    ),
    "learn_pruner.n_test": Difference("Number of trees for the test, in the report."),
    "learn_pruner.random_state": Difference(
        "Random seed of trees and programs.", type=click.IntRange(0, 2**63 - 1)
    ),
    "learn_pruner.checkpoint": Difference(
        "File that stores the state of the run, every ten seconds and at the end."
    ),
    "learn_pruner.resume": Difference("Continue from the file of --checkpoint, if it exists."),
    "explore.cv": Difference("Number of outer folds, which judge.", option="--cv"),
    "explore.max_leaf_nodes": Difference(otherwise="no limit"),
    "explore.time_limit": Difference("Time for everything; families that need longer are left out."),
    "compare_selection.methods": Difference(
        "Method to compare. top: the tree on all features; backward, forward, complete: the tree on the "
        "features selected by this search (complete may take very long: see --search-time-limit)."
    ),
    "compare_selection.time_black_box": Difference(
        "Also time the black-box search, which grows every tree from the root (SBE)."
    ),
    "compare_selection.time_sklearn": Difference("Also run scikit-learn's selector with its own tree."),
    "compare_fixed_depth.depths": Difference("Depth of the trees, optimal under naive Bayes."),
    "compare_fixed_depth.time_searches": Difference(
        "Also measure the time of the searches, by data set and number of features."
    ),
    "compare_optimal.depths": Difference("Depth of the optimal trees; 4 may take minutes for a fold."),
    "compare_optimal.methods": Difference(
        "Other method to compare: {choices}. penalty_cv, depth_cv: optimal trees whose price of a leaf, or "
        "depth, inner folds choose; fit: what `treewright fit` grows."
    ),
    "compare_optimal.reference": Difference(
        "The method with which the others are compared: one of --method, or 'depth 2' and so on.",
        otherwise="c45, or the last",
    ),
    "compare_planes.methods": Difference(
        "Method to compare: {choices}. Methods with _p have perturbation; fm_rlp is the published search, "
        "_swap the search of this package; path chooses the number of features by cross-validation, methods "
        "with _k use the same number as path."
    ),
    "compare_planes.n_features": Difference(otherwise=10),
    "study_distinct_trees.orders": Difference("Order in which features are removed: {choices}."),
    "study_distinct_trees.methods": Difference(
        "Selection method whose errors are compared, as in `treewright study selection`."
    ),
    "compare_greedy.n_tables": Difference("Number of random tables. The published experiment has 40000."),
    "compare_greedy.random_state": Difference("Random seed of the tables."),
    "compare_greedy.time_limit": Difference("Time after which the study ends with the completed tables."),
    "compare_greedy.checkpoint": Difference(
        "File that stores the completed tables, regularly and when the study is stopped."
    ),
    "compare_greedy.n_jobs": Difference("Number of threads; -1 uses all cores.", otherwise=1),
    "compare_pruning.generator": Difference(GENERATOR),
    "compare_pruning.n_sets": Difference(
        "Number of data sets to generate, from 60 combinations in turn. The published table has 60x1000."
    ),
    "compare_pruning.rules": Difference(
        "Rule to compare: {choices}; learned:NAME, a learned rule of the package, or a file that `treewright "
        "evolve --out` wrote.",
        words=WordsOrLearned,
    ),
    "compare_pruning.reference": Difference(otherwise="the last rule"),
    "reproduce.effort": Difference(
        "short: ten folds, and searches of seconds; what did not end is marked. full: as many folds as in "
        "the papers, and searches of hours."
    ),
    "reproduce.time_limit": Difference("Time after which the work ends with the completed numbers."),
    "reproduce.checkpoint": Difference("File that stores the completed numbers, regularly and at the end."),
}
"""Differences of a parameter of one object."""


def difference(owner: str, name: str) -> Difference:
    """Return what differs of a parameter of a public object."""
    is_study = owner.startswith(("treewright.studies.", "treewright.explore"))
    shared = OF_STUDIES if is_study else EVERYWHERE
    found = DIFFERENCES.get(f"{owner.rpartition('.')[2]}.{name}", shared.get(name, Difference()))
    return replace(
        found,
        option=found.option or SPELLINGS.get(name),
        metavar=found.metavar or METAVARS.get(name),
        type=found.type or TYPES.get(name),
    )
