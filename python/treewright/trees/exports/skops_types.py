"""Types of this package that skops is to trust when it loads a fitted estimator."""

from __future__ import annotations

SKOPS_TYPES: tuple[str, ...] = (
    "builtins.frozenset",
    "treewright.data.binning.Bins",
    "treewright.planes.classifier.RobustLinearClassifier",
    "treewright.planes.fit.Plane",
    "treewright.planes.proof.Certificate",
    "treewright.planes.proof.Cuts",
    "treewright.planes.rows.Encoding",
    "treewright.planes.scaling.RawPlane",
    "treewright.planes.scaling.Scaling",
    "treewright.planes.tree_classifier.MultivariateTreeClassifier",
    "treewright.results.SearchResult",
    "treewright.search.evolution.learned.LearnedPruning",
    "treewright.search.evolution.record.FrontRule",
    "treewright.search.evolution.record.LearningRecord",
    "treewright.search.evolution.record.Measured",
    "treewright.search.evolution.record.RuleScore",
    "treewright.search.tables.minimal_tree.MinimalTreeClassifier",
    "treewright.selection.complete.CompleteSearchSelector",
    "treewright.selection.stepwise.BackwardEliminationSelector",
    "treewright.selection.stepwise.ForwardSelectionSelector",
    "treewright.trees.distinct_tree.DistinctTree",
    "treewright.trees.distinct_tree.Grown",
    "treewright.trees.fixed_depth.estimator.FixedDepthTreeClassifier",
    "treewright.trees.fixed_depth.opt_feature_list.OptFeatureList",
    "treewright.trees.greedy.GreedyTreeClassifier",
    "treewright.trees.origin.Origin",
    "treewright.trees.pruning.cost_complexity.CostComplexityPruning",
    "treewright.trees.pruning.error_based.ErrorBasedPruning",
    "treewright.trees.pruning.error_based.TunedErrorBasedPruning",
    "treewright.trees.pruning.estimates.MinimumErrorPruning",
    "treewright.trees.pruning.estimates.NaiveErrorPruning",
    "treewright.trees.pruning.estimates.ObservedErrorPruning",
    "treewright.trees.pruning.estimates.PessimisticPruning",
    "treewright.trees.pruning.estimates.PublishedEvolvedPruning",
    "treewright.trees.pruning.held_out.ReducedErrorPruning",
    "treewright.trees.rules.conditions.Interval",
    "treewright.trees.rules.conditions.Levels",
    "treewright.trees.rules.estimator.RuleListClassifier",
    "treewright.trees.rules.figures.Figures",
    "treewright.trees.rules.probabilities.Telling",
    "treewright.trees.rules.rule_list.RuleList",
    "treewright.trees.rules.rules.Rule",
    "treewright.trees.rules.words.Words",
    "treewright.trees.tree.Tree",
)
"""Names of all types that a fitted estimator holds and skops does not trust, for `skops.io.load`.

None of them runs anything but its own constructor or takes more than attributes when it is loaded.
"""
