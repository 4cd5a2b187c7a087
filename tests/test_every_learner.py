"""What holds of weights and leaf sizes, of every learner, search and function that takes them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    Dataset,
    FixedDepthTreeClassifier,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    OptimalTreeClassifier,
    RobustLinearClassifier,
    RuleListClassifier,
)
from treewright.distinct import count_distinct_trees, enumerate_distinct_trees
from treewright.fixed_depth import depth_path, fit_many
from treewright.pruning import CostComplexityPruning, ErrorBasedPruning, explain_pruning, prune

pytestmark = [
    pytest.mark.filterwarnings("ignore::treewright.DataWarning"),  # small columns tell the class
    pytest.mark.filterwarnings("ignore:.*samples weigh less than a millionth:UserWarning"),
]

SEEDS = st.integers(0, 2**32 - 1)
COLOURS, SHAPES = list("abcde"), ["round", "square", "flat"]


class Problem:
    """A small table with numbers, nominal columns and gaps, or a part of these; all classes occur."""

    def __init__(
        self, seed: int, columns: str = "all", n_classes: int = 3, gaps: float = 0.1, fewest: int = 0
    ) -> None:
        n = 36
        rng = np.random.default_rng(seed)
        size, age = rng.normal(size=n).round(1), rng.integers(0, 6, n).astype(float)
        colour, shape = rng.choice(COLOURS, n), rng.choice(SHAPES, n)
        leaning = 1 * (size > 0) + (colour == "a") + (rng.random(n) < 0.3)
        leaning[:n_classes] = range(n_classes)
        self.y = np.array(["no", "so", "yes"])[leaning % n_classes]
        frame = pd.DataFrame({"size": size, "colour": colour, "age": age, "shape": shape})
        frame = frame.mask(rng.random(frame.shape) < gaps)
        frame["colour"] = frame["colour"].astype(pd.CategoricalDtype([*COLOURS, "never"]))
        self.X = frame[["colour", "shape"]] if columns == "nominal" else frame
        self.held = np.arange(n) % 3 == 0
        self.rng = rng
        self.fewest = fewest

    def weights_below_1(self) -> Any:
        """Draw weights that sum to about 1, as boosting's do, over more than 2**20."""
        return self.rng.random(len(self.y)) * 2.0 ** -self.rng.integers(0, 24, len(self.y)) / len(self.y)

    def times(self) -> Any:
        """Draw whole weights; both parts keep a row."""
        times = self.rng.integers(self.fewest, 4, len(self.y))
        times[[0, 1, 3, 4]] = 1
        return times

    def repeated(self, times: Any) -> Problem:
        """Return every row as often as told."""
        again = object.__new__(Problem)
        again.X = self.X.loc[self.X.index.repeat(times)].reset_index(drop=True)
        again.y, again.held = self.y.repeat(times), self.held.repeat(times)
        return again


Answer = Callable[[Problem, Any, pd.DataFrame], Any]
"""What is learned from a problem and weights, and said of rows."""


def fitted(model: Any) -> Answer:
    """Fit an estimator; return all that a user sees of it."""

    def answer(problem: Problem, weights: Any, rows: pd.DataFrame) -> Any:
        model.fit(problem.X, problem.y, sample_weight=weights)
        return seen(model, rows)

    return answer


def selected(make: Callable[..., Any], **options: Any) -> Answer:
    """Fit a selector whose validation part is that of the problem."""

    def answer(problem: Problem, weights: Any, rows: pd.DataFrame) -> Any:
        model = make(validation_set=problem.held, **options).fit(problem.X, problem.y, weights)
        chosen = (model.support_.tolist(), model.n_validation_errors_, model.refit_tree_)
        return (*chosen, *seen(model, rows))

    return answer


def seen(model: Any, rows: pd.DataFrame) -> tuple[Any, ...]:
    probabilities = model.predict_proba(rows).tolist() if hasattr(model, "predict_proba") else None
    plane = tuple(np.ravel(model.coef_)) if hasattr(model, "coef_") else None
    return model.predict(rows).tolist(), probabilities, getattr(model, "tree_", None), plane


def enumerated(problem: Problem, weights: Any, rows: pd.DataFrame) -> Any:
    asked = {"sample_weight": weights, "validation_set": problem.held}
    found = enumerate_distinct_trees(problem.X, problem.y, **asked)
    return [(tree.used_features, tree.tree, tree.n_validation_errors) for tree in found]


def counted(problem: Problem, weights: Any, rows: pd.DataFrame) -> Any:
    found = count_distinct_trees(problem.X, problem.y, sample_weight=weights)
    return found.n_distinct, found.n_built


def pruned(rule: Any) -> Answer:
    """Prune one tree by the rows of the problem, and explain it."""

    def answer(problem: Problem, weights: Any, rows: pd.DataFrame) -> Any:
        given_rows = (problem.X, problem.y)
        tree = GreedyTreeClassifier().fit(rows, np.array(["no", "so", "yes"] * 12)).tree_
        told = str(explain_pruning(tree, rule, *given_rows, sample_weight=weights))
        return prune(tree, rule, *given_rows, sample_weight=weights), told

    return answer


def path_of(problem: Problem, weights: Any, rows: pd.DataFrame) -> Any:
    told = GreedyTreeClassifier().cost_complexity_pruning_path(problem.X, problem.y, weights)
    tree = GreedyTreeClassifier().fit(problem.X, problem.y, weights).tree_
    table = CostComplexityPruning.path(tree, problem.X, problem.y, weights)
    return [told.ccp_alphas.tolist(), told.impurities.tolist(), table.to_frame().to_numpy().tolist()]


def many(problem: Problem, weights: Any, rows: pd.DataFrame) -> Any:
    given_weights = np.ones(len(problem.y)) if weights is None else weights
    return fit_many(problem.X, [given_weights], problem.y).trees[0]


def by_depth(problem: Problem, weights: Any, rows: pd.DataFrame) -> Any:
    split = [(np.flatnonzero(~problem.held), np.flatnonzero(problem.held))]
    return depth_path(problem.X, problem.y, sample_weight=weights, depths=[1, 2], cv=split).table.tolist()


def a_dataset(problem: Problem, weights: Any, rows: pd.DataFrame) -> Any:
    data = Dataset(problem.X, problem.y, sample_weight=weights)
    model = GreedyTreeClassifier().fit(data)
    return model.tree_, model.score(data)


TWO = {"n_classes": 2}
PLANE = {"missing": "mean", "selection": "limited", "n_features": 1}
LEARNERS: dict[str, tuple[Answer, dict[str, Any]]] = {
    "greedy": (fitted(GreedyTreeClassifier()), {}),
    "gain ratio": (fitted(GreedyTreeClassifier(criterion="gain_ratio", min_samples_leaf=2)), {}),
    "gini": (fitted(GreedyTreeClassifier(criterion="gini", min_samples_leaf=0.05)), {}),
    "balanced": (fitted(GreedyTreeClassifier(class_weight="balanced", min_gain=0.01)), {}),
    "costs": (fitted(GreedyTreeClassifier(cost_matrix=1 - np.eye(3), smoothing="laplace")), {}),
    "groups": (fitted(GreedyTreeClassifier(nominal_splits="groups", min_samples_leaf=2)), {}),
    "one value": (fitted(GreedyTreeClassifier(nominal_splits="one_value", missing="value")), {}),
    "best first": (fitted(GreedyTreeClassifier(max_leaf_nodes=5, missing="most_frequent")), {}),
    "pruned": (fitted(GreedyTreeClassifier(pruning="error_based")), {}),
    "path": (fitted(GreedyTreeClassifier(pruning=CostComplexityPruning(alpha=0.02))), {}),
    "rules": (fitted(RuleListClassifier()), {}),
    "id3": (fitted(GreedyTreeClassifier.id3()), {"columns": "nominal"}),
    "c45": (fitted(GreedyTreeClassifier.c45()), {"gaps": 0.0}),  # C4.5 adds up shares in single precision
    "fixed depth": (fitted(FixedDepthTreeClassifier(max_depth=2)), {}),
    "optimal": (fitted(OptimalTreeClassifier(max_depth=2)), {}),
    "optimal groups": (fitted(OptimalTreeClassifier(nominal_splits="groups", min_samples_leaf=3)), {}),
    "minimal": (fitted(MinimalTreeClassifier(max_bins=2, cost="depth", max_pairs=5)), {}),
    "plane": (fitted(RobustLinearClassifier(**PLANE)), TWO),
    "planes": (fitted(MultivariateTreeClassifier(max_depth=2, alpha=0.01, **PLANE)), TWO),
    "backward": (selected(BackwardEliminationSelector), {}),
    "retrained": (selected(BackwardEliminationSelector, strategy="retrain"), {}),
    "parsimonious": (selected(BackwardEliminationSelector, parsimonious=True, tolerance=1), {}),
    "forward": (selected(ForwardSelectionSelector), {}),
    "complete": (selected(CompleteSearchSelector), {}),
    "enumerate": (enumerated, {}),
    "count": (counted, {}),
    "prune": (pruned("error_based"), {}),
    "prune by held-out rows": (pruned("reduced_error"), {}),
    "cost-complexity path": (path_of, {}),
    "many": (many, {"columns": "nominal"}),  # all weightings have the same bins of numbers
    "depths": (by_depth, {"fewest": 1}),  # splits by position want all samples
    "dataset": (a_dataset, {}),
}


@pytest.mark.parametrize("name", LEARNERS)
@given(seed=SEEDS, powers=st.tuples(*[st.integers(-300, 0)] * 2))
@settings(max_examples=6, deadline=None)
def test_powers_of_two_times_weights_change_nothing(name: str, seed: int, powers: tuple[int, int]) -> None:
    answer, drawn = LEARNERS[name]
    problem = Problem(seed, **drawn)
    weights = problem.weights_below_1()
    one, other = (answer(problem, weights * 2.0**power, problem.X) for power in powers)
    assert one == other


@pytest.mark.parametrize("name", LEARNERS)
@given(seed=SEEDS)
@settings(max_examples=6, deadline=None)
def test_whole_weights_are_repeated_rows(name: str, seed: int) -> None:
    answer, drawn = LEARNERS[name]
    problem = Problem(seed, **drawn)
    times = problem.times()
    weighted = answer(problem, times, problem.X)
    repeated = answer(problem.repeated(times), None, problem.X)
    assert weighted == repeated


# Leaf sizes.


def grown(**params: Any) -> Callable[..., Any]:
    return lambda problem, weights, least: [
        GreedyTreeClassifier(min_samples_leaf=least, **params).fit(problem.X, problem.y, weights).tree_
    ]


def chosen(make: Callable[..., Any]) -> Callable[..., Any]:
    def trees(problem: Problem, weights: Any, least: float) -> Any:
        estimator = GreedyTreeClassifier(min_samples_leaf=least, nominal_splits="groups")
        model = make(estimator=estimator, validation_set=problem.held).fit(problem.X, problem.y, weights)
        return [model.tree_, model.refit_tree_]

    return trees


def all_distinct(problem: Problem, weights: Any, least: float) -> Any:
    estimator = GreedyTreeClassifier(min_samples_leaf=least)
    found = enumerate_distinct_trees(problem.X, problem.y, estimator=estimator, sample_weight=weights)
    return [tree.tree for tree in found]


def of_planes(problem: Problem, weights: Any, least: float) -> Any:
    model = MultivariateTreeClassifier(min_samples_leaf=least, alpha=None, **PLANE)
    return [model.fit(problem.X, problem.y, weights).tree_]


LIMITED: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "greedy": (grown(), {}),
    "gain ratio": (grown(criterion="gain_ratio"), {}),
    "gini": (grown(criterion="gini"), {}),
    "groups": (grown(nominal_splits="groups"), {}),
    "one value": (grown(nominal_splits="one_value", criterion="gain_ratio"), {}),
    "best first": (grown(max_leaf_nodes=6), {}),
    "pruned": (grown(pruning=ErrorBasedPruning(grafting=False)), {}),
    "id3": (grown(growth="id3"), {"columns": "nominal"}),
    "backward": (chosen(BackwardEliminationSelector), {}),
    "forward": (chosen(ForwardSelectionSelector), {}),
    "complete": (chosen(CompleteSearchSelector), {}),
    "enumerate": (all_distinct, {}),
    "planes": (of_planes, TWO),
    "c45": (grown(growth="c45", criterion="gain_ratio"), {}),
}
MOVING = ("pruned", "c45", "planes", "backward", "forward", "complete")
"""A limit that no branch of their trees meets may change them: what else is a candidate counts there too."""


def branch_weights(tree: Any) -> list[float]:
    """Weights of the branches that a sample reaches."""
    return tree.weight[1:][tree.is_reached[1:]].tolist()


def known_weights(tree: Any, problem: Problem, weights: Any) -> list[float]:
    """Weights of known values of the branches that a sample reaches; missing ones share out in proportion."""
    all_weights = np.ones(len(problem.y)) if weights is None else np.asarray(weights, dtype=float)
    part = np.where(problem.held, 0.0, all_weights)
    grew = part if np.isclose(tree.weight[0], part.sum()) else all_weights
    found, waiting = [], [(0, grew)]
    for node, shares in waiting:
        n_branches = int(tree.n_children[node])
        if not n_branches:
            continue
        branch = branches_of(tree, node, problem.X)
        known = np.array([shares[branch == i].sum() for i in range(n_branches)])
        found += [weight for weight in known if weight > 0]
        for i, weight in enumerate(known):
            gaps = np.where(branch < 0, shares * weight / known.sum(), 0.0)
            waiting.append((int(tree.first_child[node]) + i, np.where(branch == i, shares, gaps)))
    return found


def branches_of(tree: Any, node: int, frame: pd.DataFrame) -> Any:
    """Return the branch of every row at a node, -1 where its value is missing."""
    feature, kind = int(tree.feature[node]), tree.kind[node]
    column = frame.iloc[:, feature]
    if kind == 2:
        branch = (column > tree.threshold[node]).astype(int)
    else:
        branch = column.astype(object).map({value: i for i, value in enumerate(tree.levels[feature])})
    if kind == 5:
        branch = 1 - branch.isin(tree.branch_levels[node]).astype(int)
    return branch.where(column.notna(), -1).astype(int).to_numpy()


@pytest.mark.parametrize("name", LIMITED)
@given(seed=SEEDS, least=st.sampled_from([2, 3, 4.5, 7, 0.1, 0.29]), is_weighted=st.booleans())
@settings(max_examples=8, deadline=None)
def test_no_branch_is_lighter_than_a_leaf_may_be(
    name: str, seed: int, least: float, is_weighted: bool
) -> None:
    trees_of, drawn = LIMITED[name]
    problem = Problem(seed, **({"gaps": 0.0} if name == "planes" else {}), **drawn)
    weights = problem.times() if is_weighted else None
    for tree in trees_of(problem, weights, least):
        limit = Fraction(str(least)) * (int(tree.weight[0]) if least < 1 else 1)
        reached = branch_weights(tree) if name == "planes" else known_weights(tree, problem, weights)
        assert all(weight >= limit - Fraction(1, 1000) for weight in reached)


@pytest.mark.parametrize("name", [name for name in LIMITED if name not in MOVING])
@given(seed=SEEDS)
@settings(max_examples=5, deadline=None)
def test_a_leaf_may_be_as_light_as_is_asked(name: str, seed: int) -> None:
    trees_of, drawn = LIMITED[name]
    problem = Problem(seed, gaps=0.0, **drawn)
    trees = trees_of(problem, None, 2)
    lightest = min((weight for tree in trees for weight in branch_weights(tree)), default=2.0)
    assert trees_of(problem, None, lightest) == trees
