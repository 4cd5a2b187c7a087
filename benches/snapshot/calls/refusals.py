"""What is refused, and in which words."""

from __future__ import annotations

import datetime
from functools import partial as case
from typing import Any

import numpy as np

from benches.snapshot import data
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    Dataset,
    FixedDepthTreeClassifier,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    RobustLinearClassifier,
    Tree,
    datasets,
    export_text,
)
from treewright.distinct import count_distinct_trees, enumerate_distinct_trees, feature_subsets
from treewright.evolution import (
    ExampleProblem,
    LearnedPruning,
    Program,
    ProgramEvolver,
    learn_pruner,
)
from treewright.fixed_depth import depth_path, fit_many
from treewright.pruning import (
    CostComplexityPruning,
    ErrorBasedPruning,
    EstimatorPruning,
    ReducedErrorPruning,
    TunedErrorBasedPruning,
    prune,
)
from treewright.studies import compare_greedy, compare_pruning, compare_ranks, compare_selection
from treewright.tables import Cost, DecisionTable

NAME = "refused"

X, Y = data.numbers(20, 3)
GAPS = np.where(np.arange(60).reshape(20, 3) % 7 == 0, np.nan, X)
TREE = case(lambda: GreedyTreeClassifier().fit(X, Y).tree_)
TABLE = case(lambda: DecisionTable([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]))


def fit(kind: Any, given: Any = X, target: Any = Y, weight: Any = None, **params: Any) -> object:
    """Fit a model that is not made for this."""
    weights = {} if weight is None else {"sample_weight": weight}
    return kind(**params).fit(given, target, **weights)


def predicted(given: Any) -> object:
    """Predict samples that do not go with a tree."""
    return GreedyTreeClassifier().fit(*data.mixed()).predict(given)


def frame(**columns: Any) -> Any:
    """Return a frame of pandas."""
    import pandas as pd

    return pd.DataFrame(columns)


GROWING = {
    "growing/criterion": {"criterion": "entropy"},
    "growing/growth": {"growth": "cart"},
    "growing/min_samples_split": {"min_samples_split": 0},
    "growing/min_samples_leaf": {"min_samples_leaf": -1},
    "growing/min_samples_branch": {"min_samples_branch": -1},
    "growing/min_gain": {"min_gain": float("nan")},
    "growing/max_depth": {"max_depth": 1.5},
    "growing/missing": {"missing": "mean"},
    "growing/mdl_correction": {"mdl_correction": "yes"},
    "growing/gini,mdl": {"criterion": "gini", "mdl_correction": True},
    "growing/id3,gini": {"criterion": "gini", "growth": "id3"},
    "growing/c45,gini": {"criterion": "gini", "growth": "c45"},
    "growing/id3,numeric": {"growth": "id3", "min_samples_split": 1, "min_samples_branch": 0},
    "growing/n_jobs": {"n_jobs": 0},
    "growing/class_weight": {"class_weight": {7: 2}},
    "growing/class_weight,word": {"class_weight": "equal"},
    "growing/pruning": {"pruning": "error-based"},
    "growing/confidence": {"pruning": ErrorBasedPruning(confidence=2)},
    "growing/limit": {"pruning": ErrorBasedPruning(limit="c5")},
    "growing/formula": {"pruning": EstimatorPruning("n + import os")},
    "growing/share": {"pruning": ReducedErrorPruning(share=1.5)},
    "growing/confidences": {"pruning": TunedErrorBasedPruning(confidences=())},
    "growing/alpha": {"pruning": CostComplexityPruning(alpha="best")},
}
BACKWARD = {
    "select/tolerance": {"tolerance": -1},
    "select/tolerance,floating": {"tolerance": 1, "floating": True},
    "select/min_features": {"min_features": 9},
    "select/strategy": {"strategy": "fast"},
    "select/fixed_features": {"required_features": [5]},
    "select/fixed_features,name": {"required_features": ["age"]},
    "select/feature_groups": {"feature_groups": [[0, 1], [1, 2]]},
    "select/start_from": {"start_from": [0], "required_features": [1]},
    "select/judges": {"validation_set": 1.5},
    "select/judges,all": {"validation_set": list(range(20))},
    "select/growing": {"estimator": GreedyTreeClassifier(criterion="entropy")},
    "select/growth=c45": {"estimator": GreedyTreeClassifier(growth="c45")},
    "select/time_limit": {"time_limit": 0},
    "select/callback": {"callback": 3},
}

CASES = {
    **{name: case(fit, GreedyTreeClassifier, **params) for name, params in GROWING.items()},
    **{name: case(fit, BackwardEliminationSelector, **params) for name, params in BACKWARD.items()},
    "growing/missing=raise": case(fit, GreedyTreeClassifier, GAPS, missing="raise"),
    "growing/no-classes": case(fit, GreedyTreeClassifier, X, None),
    "growing/not-fitted": lambda: GreedyTreeClassifier().predict(X),
    "growing/not-fitted-text": lambda: export_text(GreedyTreeClassifier()),
    "select/forward,max_features": case(fit, ForwardSelectionSelector, max_features=-1),
    "select/complete,top_k": case(fit, CompleteSearchSelector, top_k=2, tolerance=1),
    "select/complete,order": case(fit, CompleteSearchSelector, order="random"),
    "select/complete,memory_limit": case(fit, CompleteSearchSelector, memory_limit="lots"),
    "distinct/growth=c45": lambda: count_distinct_trees(X, Y, estimator=GreedyTreeClassifier(growth="c45")),
    "distinct/node_limit": lambda: enumerate_distinct_trees(X, Y, node_limit=0),
    "distinct/distribute,node_limit": lambda: count_distinct_trees(X, Y, distribute=True, node_limit=5),
    "distinct/subsets": lambda: feature_subsets([1], [1, 2]),
    "table/conflict": lambda: DecisionTable([[0], [0]], [0, 1]),
    "table/fractions": lambda: DecisionTable.from_data(X, Y),
    "table/cost": lambda: TABLE().minimum_tree("size"),
    "table/own-cost": lambda: Cost(leaf=0.5),
    "table/then": lambda: TABLE().minimum_tree("depth", then="size"),
    "table/unfinished": lambda: TABLE().subtable_graph(node_limit=1).minimum("depth"),
    "table/front": lambda: TABLE().subtable_graph().pareto_front("depth", "depth"),
    "table/heuristic": lambda: TABLE().greedy_tree(impurity="mean"),
    "table/alpha": lambda: TABLE().subtable_graph(max_pairs=-1),
    "table/unchangeable": lambda: setattr(TABLE(), "n_rows", 3),
    "minimal/max_bins": case(fit, MinimalTreeClassifier, max_bins=1),
    "minimal/cost": case(fit, MinimalTreeClassifier, cost="entropy"),
    "fixed-depth/max_depth": case(fit, FixedDepthTreeClassifier, max_depth=-1),
    "fixed-depth/binning": case(fit, FixedDepthTreeClassifier, binning="supervised", n_bins=3),
    "fixed-depth/budget": case(fit, FixedDepthTreeClassifier, cost_budget=2.0),
    "fixed-depth/costs": case(fit, FixedDepthTreeClassifier, feature_costs=[1, 2], cost_budget=2),
    "fixed-depth/solver": case(fit, FixedDepthTreeClassifier, X, np.arange(20) % 3, solver="feature_list"),
    "fixed-depth/many": lambda: fit_many(X, [[1, 2]], Y),
    "fixed-depth/path": lambda: depth_path(X, Y, depths=[]),
    "plane/gaps": case(fit, RobustLinearClassifier, GAPS),
    "plane/one-class": case(fit, RobustLinearClassifier, X, np.zeros(20, dtype=int)),
    "plane/selection": case(fit, RobustLinearClassifier, selection="few"),
    "plane/prove": case(fit, RobustLinearClassifier, selection="path", prove=True),
    "plane/perturbation": case(fit, RobustLinearClassifier, perturbation=1.0),
    "plane/costs": case(fit, RobustLinearClassifier, feature_costs=[1, -1, 1]),
    "plane/tree,pruning": case(fit, MultivariateTreeClassifier, alpha="best"),
    "prune/rule": lambda: prune(TREE(), None),
    "prune/rows": lambda: prune(TREE(), ErrorBasedPruning()),
    "prune/tuned": lambda: prune(TREE(), TunedErrorBasedPruning(), X, Y),
    "prune/features": lambda: prune(TREE(), ErrorBasedPruning(), X[:, :2], Y),
    "tree/json": lambda: Tree.from_json("{}"),
    "tree/json,version": lambda: Tree.from_json(TREE().to_json().replace('"version":1', '"version":99')),
    "tree/json,cut": lambda: Tree.from_json(TREE().to_json()[:80]),
    "tree/scikit-learn": lambda: Tree.from_sklearn(3),
    "tree/decimals": lambda: TREE().export_text(decimals=-1),
    "tree/columns": lambda: TREE().predict(X[:, :2]),
    "tree/column-names": lambda: predicted(frame(colour=["red"], size=["S"], age=[3])),
    "tree/kinds": lambda: predicted(data.mixed()[0].assign(age="old")),
    "evolve/data": lambda: learn_pruner("paper"),
    "evolve/budget": lambda: learn_pruner("paper_table", budget=0),
    "evolve/start": lambda: learn_pruner("paper_table", start="c +"),
    "evolve/preset": lambda: LearnedPruning.preset("best"),
    "evolve/json": lambda: LearnedPruning.from_json("[]"),
    "evolve/report": lambda: LearnedPruning("c / n").report(),
    "program/text": lambda: Program("fun f(x: int): int = y"),
    "program/endless": lambda: Program("fun f(x: int): int = f(x)"),
    "program/argument": lambda: Program("fun f(x: int): int = x")("a"),
    "program/steps": lambda: Program("fun f(x: int): int = x + x + x")(1, max_steps=1),
    "program/language": lambda: Program("fun f(x: int): int = x").code("java"),
    "program/problem": lambda: ProgramEvolver(3, "fun f(x: int): int = x").run(),
    "program/outputs": lambda: ProgramEvolver(ExampleProblem([1], []), "fun f(x: int): int = x").run(),
    "study/method": lambda: compare_selection("wine", methods=["best"], progress=False),
    "study/folds": lambda: compare_selection("wine", cv=1, progress=False),
    "study/rules": lambda: compare_pruning("vote", rules=["none"], progress=False),
    "study/numeric": lambda: compare_pruning("iris", progress=False),
    "study/tables": lambda: compare_greedy(n_tables=0, progress=False),
    "study/ranks": lambda: compare_ranks([[1.0, 2.0]], ["a"]),
    "data/sparse": lambda: Dataset(sparse_matrix()),
    "data/ragged": lambda: Dataset([[1, 2], [3, 4], [5]]),
    "data/text": lambda: Dataset("text"),
    "data/infinite": lambda: Dataset([["a", 1], ["b", float("inf")]]),
    "data/date": lambda: Dataset(frame(born=[None, datetime.date(1990, 1, 2)])),
    "data/mixed": lambda: Dataset([[True], [2]]),
    "data/inexact": lambda: Dataset([[1], [2**53 + 1]]),
    "data/names": lambda: Dataset(frame(a=[1, 2]).rename(columns={"a": 1}).assign(b=1)),
    "data/no-rows": lambda: Dataset(np.empty((0, 3))),
    "data/target-length": lambda: Dataset(X, [1, 0]),
    "data/target-missing": lambda: Dataset(X[:3], ["a", None, "b"]),
    "data/target-continuous": lambda: Dataset(X[:3], [1.0, 2.5, 3.0]),
    "data/weights": lambda: Dataset(X[:3], sample_weight=[1, 2**21, 1]),
    "data/weights-0": lambda: Dataset(X[:3], sample_weight=[0, 0, 0]),
    "data/categorical": lambda: Dataset(X, categorical_features=[7]),
    "data/level": lambda: Dataset.from_columns({"s": ["S", "XL"]}, levels={"s": ["S", "M"]}),
    "data/selection": lambda: Dataset(X)[[0, 99]],
    "data/unchangeable": lambda: setattr(Dataset(X), "target", 3),
    "data/name": lambda: datasets.load("wines"),
    "data/file": lambda: datasets.read_csv("nowhere.csv", target="class"),
    "data/network": lambda: datasets.make_linear_network(preset="paper"),
}


def sparse_matrix() -> Any:
    """Return a sparse matrix."""
    from scipy.sparse import csr_array

    return csr_array(X)
