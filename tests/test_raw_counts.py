"""Numbers of training samples beside weights: at every node of every tree, a recount of the rows."""

import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator

from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    Dataset,
    FixedDepthTreeClassifier,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    Tree,
)
from treewright.fixed_depth import fit_many
from treewright.pruning import prune

MODELS: dict[str, Callable[[], BaseEstimator]] = {
    "greedy": GreedyTreeClassifier,
    "groups": lambda: GreedyTreeClassifier(nominal_splits="groups"),
    "c45": GreedyTreeClassifier.c45,
    "balanced": lambda: GreedyTreeClassifier(class_weight="balanced", pruning="pessimistic"),
    "costs": lambda: GreedyTreeClassifier(cost_matrix={("yes", "no"): 5}, max_leaf_nodes=6),
    "no value is a value": lambda: GreedyTreeClassifier(missing="value"),
    "fixed depth": lambda: FixedDepthTreeClassifier(max_depth=2, unseen="skip"),
    "minimal": lambda: MinimalTreeClassifier(max_bins=2, max_pairs=20),
    "planes": lambda: MultivariateTreeClassifier(max_depth=1, alpha=None, missing="mean"),
    "backward": lambda: BackwardEliminationSelector(random_state=0),
    "forward": lambda: ForwardSelectionSelector(random_state=0),
    "complete": lambda: CompleteSearchSelector(random_state=0),
}

N = 30


def table(gaps: bool) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"size": rng.normal(size=N).round(1), "price": rng.integers(0, 9, N).astype(float)})
    frame["colour"] = pd.Categorical(rng.choice(["red", "green", "blue"], N))
    y = np.where(frame["size"] + (frame["colour"] == "red") + rng.normal(0, 0.5, N) > 0.3, "yes", "no")
    if gaps:
        frame.loc[rng.random(N) < 0.2, "size"] = np.nan
        frame.loc[rng.random(N) < 0.2, "colour"] = None
    return frame, y


WHOLE, GAPPY = table(gaps=False), table(gaps=True)


def fitted(make: Callable[[], BaseEstimator], X: object, y: object, weights: object) -> BaseEstimator:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return make().fit(X, y, weights)


def trees_of(model: BaseEstimator) -> Iterator[tuple[Tree, bool]]:
    """Yield the trees of a model that all samples grew, and whether they ask about numbers as they are."""
    is_selector = hasattr(model, "refit_tree_")
    yield (model.refit_tree_ if is_selector else model.tree_), not hasattr(model, "bin_edges_")
    if hasattr(model, "rounded_tree_"):
        yield model.rounded_tree_, True
    if hasattr(model, "threshold_tree"):
        yield model.threshold_tree(), True


def by_class(y: np.ndarray) -> np.ndarray:
    return np.array([np.count_nonzero(y == label) for label in ("no", "yes")], dtype=float)


def assert_recount(tree: Tree, model: BaseEstimator, X: pd.DataFrame, y: np.ndarray, is_plain: bool) -> None:
    reached = (tree if is_plain else model).decision_path(X).toarray() > 0
    assert tree.class_counts.tolist() == [by_class(y[rows]).tolist() for rows in reached.T]
    assert tree.n_samples.tolist() == reached.sum(axis=0).tolist()
    assert tree.is_reached.tolist() == reached.any(axis=0).tolist()


def assert_sums(tree: Tree, y: np.ndarray) -> None:
    np.testing.assert_allclose(tree.class_counts[0], by_class(y))
    for node in np.flatnonzero(tree.n_children):
        children = tree.first_child[node] + np.arange(tree.n_children[node])
        np.testing.assert_allclose(tree.class_counts[children].sum(axis=0), tree.class_counts[node])


weightings = st.lists(st.sampled_from([0, 1, 2, 3, 0.5, 1e-9]), min_size=N, max_size=N).map(np.array)


def counting(weights: np.ndarray) -> np.ndarray:
    """Mark the rows that count: of positive weight, and not next to nothing beside the mean."""
    return weights > 1e-6


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=12)
@given(weights=weightings.filter(lambda weights: counting(weights).sum() > 10))
def test_counts_are_those_of_the_rows_that_reach_a_node(name, weights):
    X, y = WHOLE
    rows = counting(weights)
    if len(np.unique(y[rows])) < 2:
        return
    model = fitted(MODELS[name], X, y, weights)
    for tree, is_plain in trees_of(model):
        assert_recount(tree, model, X[rows], y[rows], is_plain)
        assert Tree.from_json(tree.to_json()).class_counts.tolist() == tree.class_counts.tolist()


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=12)
@given(weights=weightings.filter(lambda weights: counting(weights).sum() > 10))
def test_counts_add_up_where_values_are_missing(name, weights):
    X, y = GAPPY
    rows = counting(weights)
    if len(np.unique(y[rows])) < 2:
        return
    for tree, _ in trees_of(fitted(MODELS[name], X, y, weights)):
        assert_sums(tree, y[rows])


@settings(max_examples=15)
@given(weights=st.lists(weightings, min_size=1, max_size=3).map(np.array))
def test_many_weightings_count_the_rows_of_each(weights):
    if not counting(weights).any(axis=1).all():
        return
    X, y = WHOLE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = fit_many(X, weights, y, model=FixedDepthTreeClassifier(max_depth=2))
    alone = FixedDepthTreeClassifier(max_depth=2)
    for tree, own in zip(found.trees, weights, strict=True):
        assert tree.class_counts[0].tolist() == by_class(y[counting(own)]).tolist()
        assert_sums(tree, y[counting(own)])
    plain = fit_many(X, [np.ones(N)], y, model=alone).trees[0]
    assert plain.class_counts.tolist() == alone.fit(X, y).tree_.class_counts.tolist()


def test_text_shows_numbers_of_samples_whatever_they_weigh():
    X, y = [[1.0], [1.0], [2.0], [2.0], [2.0]], ["a", "b", "b", "b", "b"]
    plain = GreedyTreeClassifier().fit(X, y).tree_
    assert plain.export_text(show_errors=True) == "x0 <= 1: a (2/1)\nx0 > 1: b (3)\n"
    heavy = GreedyTreeClassifier(class_weight={"a": 7, "b": 0.5}).fit(X, y, [2, 2, 2, 2, 2]).tree_
    assert heavy.export_text(show_errors=True) == plain.export_text(show_errors=True)
    assert heavy.export_text(show_counts=True) == ("x0 <= 1: a [1, 1; weights 14, 1]\nx0 > 1: b [0, 3]\n")


def test_text_shows_weights_where_numbers_are_not_known():
    tree = GreedyTreeClassifier().fit([[1.0], [2.0]], ["a", "b"], [3, 4]).tree_
    text = tree.to_json().replace('"class_counts":[[1.0,1.0],[1.0,0.0],[0.0,1.0]],', "")
    unknown = Tree.from_json(text)
    assert unknown.class_counts is None
    assert unknown.export_text(show_errors=True) == "x0 <= 1: a (3)\nx0 > 1: b (4)\n"


def test_pruning_with_other_samples_counts_them():
    X, y = WHOLE
    tree = GreedyTreeClassifier().fit(X, y).tree_
    again = Dataset(X[:20], y[:20], sample_weight=np.full(20, 3.0))
    pruned = prune(tree, "error_based", again)
    assert pruned.class_counts[0].tolist() == by_class(y[:20]).tolist()
    assert pruned.class_weights[0].tolist() == (3 * by_class(y[:20])).tolist()
