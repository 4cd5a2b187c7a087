"""Sample weights of any size: what they are scaled to, what leaves, and what does not matter."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

from reference.bridge import core_dataset
from reference.table import Column, Growing, Table, counted_weights
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    DataError,
    FixedDepthTreeClassifier,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    RobustLinearClassifier,
    Tree,
    _core,
)
from treewright.distinct import enumerate_distinct_trees
from treewright.fixed_depth import depth_path, fit_many
from treewright.pruning import CostComplexityPruning, ErrorBasedPruning, prune

VALIDATION = list(range(0, 60, 3))
MODELS: dict[str, Callable[[], Any]] = {
    "standard": GreedyTreeClassifier,
    "gini": lambda: GreedyTreeClassifier(criterion="gini", min_samples_leaf=3),
    "balanced": lambda: GreedyTreeClassifier(class_weight="balanced", min_samples_leaf=0.05),
    "pruned": lambda: GreedyTreeClassifier(pruning=ErrorBasedPruning()),
    "path": lambda: GreedyTreeClassifier(pruning=CostComplexityPruning(alpha=0.02)),
    "c45": GreedyTreeClassifier.c45,
    "fixed depth": lambda: FixedDepthTreeClassifier(max_depth=2),
    "minimal": lambda: MinimalTreeClassifier(max_bins=2, cost="depth", max_pairs=5),
    "plane": RobustLinearClassifier,
    "planes": lambda: MultivariateTreeClassifier(max_depth=2, alpha=0.01),
}
SELECTORS: dict[str, Callable[[], Any]] = {
    "backward": lambda: BackwardEliminationSelector(validation_set=VALIDATION),
    "forward": lambda: ForwardSelectionSelector(validation_set=VALIDATION),
    "complete": lambda: CompleteSearchSelector(validation_set=VALIDATION),
}


def drawn(seed: int, n: int = 60) -> tuple[Any, Any, Any]:
    """Draw rounded numbers, noisy classes and weights that sum to less than 1."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    y = (X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=n) > 0).astype(int)
    return X, y, rng.random(n) / n


def answers(model: Any, X: Any) -> tuple[Any, ...]:
    """Return all that a user sees of a model that a power of two must not change."""
    tree = getattr(model, "tree_", None)
    return model.predict(X).tolist(), tree, getattr(model, "n_validation_errors_", None)


@pytest.mark.parametrize("name", [*MODELS, *SELECTORS])
def test_powers_of_two_change_nothing_below_a_mean_of_1(name: str) -> None:
    X, y, weights = drawn(3)
    make = (MODELS | SELECTORS)[name]
    usual = make().fit(X, y, sample_weight=weights)
    assert usual.weight_scale_ > 1
    for power in (-60, -1, 3):
        scaled = make().fit(X, y, sample_weight=weights * 2.0**power)
        assert answers(scaled, X) == answers(usual, X)
        assert scaled.weight_scale_ == usual.weight_scale_ * 2.0**-power


@pytest.mark.parametrize("name", list(MODELS))
@pytest.mark.parametrize("seed", range(3))
def test_whole_weights_are_repeated_samples(name: str, seed: int) -> None:
    X, y, _ = drawn(seed)
    times = np.random.default_rng(seed).integers(0, 4, len(y))
    weighted = MODELS[name]().fit(X, y, sample_weight=times)
    repeated = MODELS[name]().fit(X.repeat(times, axis=0), y.repeat(times))
    assert weighted.weight_scale_ == 1
    assert answers(weighted, X) == answers(repeated, X)


finite = st.floats(0, 1e11, allow_subnormal=False)


@settings(max_examples=60)
@given(st.lists(finite | st.sampled_from((0.0, 1.0, 2.0, 1e-6, 1e-300)), min_size=1, max_size=8), st.data())
def test_weights_count_as_the_plain_version_says(weights: list[float], data: st.DataObject) -> None:
    if not any(weights):
        return
    target = data.draw(st.lists(st.integers(0, 1), min_size=len(weights), max_size=len(weights)))
    factors = data.draw(st.none() | st.tuples(*[st.sampled_from((0.1, 1.0, 3.0))] * 2))
    table = Table((Column((0.0,) * len(weights)),), tuple(target), 2, tuple(weights))
    found = _core.counted_weights(core_dataset(table), class_weight=factors and list(factors))
    expected = counted_weights(table, Growing(class_weight=factors))
    assert (found.values * 2**20).tolist() == expected
    assert found.n_lost == sum(w > 0 and not e for w, e in zip(weights, expected, strict=True))


def test_whole_weights_stay_exact_below_a_mean_of_2_to_the_21() -> None:
    large = (2.0**22 - 3, 1.0, 1.0)
    table = Table((Column((0.0,) * 3),), (0, 1, 1), 2, large)
    assert _core.counted_weights(core_dataset(table)).values.tolist() == list(large)


def test_next_to_nothing_leaves_with_one_warning() -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    with pytest.warns(UserWarning, match="^some samples weigh less than a millionth") as told:
        model = GreedyTreeClassifier().fit(X, y, sample_weight=[1, 1, 1e-9, 1e-300])
    assert len(told) == 1
    assert "(n_lost_samples_ says how many)" in str(told[0].message)
    assert model.n_lost_samples_ == 2
    assert GreedyTreeClassifier().fit(X, y, sample_weight=[1, 1, 1, 0.5]).n_lost_samples_ == 0
    assert model.tree_ == GreedyTreeClassifier().fit(X, y, sample_weight=[2, 2, 0, 0]).tree_
    with pytest.warns(UserWarning, match="some samples"):
        assert MinimalTreeClassifier().fit(X, y, sample_weight=[1, 1, 1, 1e-9]).n_lost_samples_ == 1


def test_many_weightings_tell_of_what_leaves() -> None:
    X, y = [["a"], ["b"], ["a"], ["b"]], [0, 1, 0, 1]
    with pytest.warns(UserWarning, match=r"^some samples .*\(n_lost_samples says how many\)") as told:
        found = fit_many(X, [[1, 1, 1, 1], [1, 1, 1, 1e-9], [1, 0, 1e-9, 1e-9]], y)
    assert len(told) == 1
    assert found.n_lost_samples.tolist() == [0, 1, 2]


def test_functions_have_the_number_in_the_text() -> None:
    X, y = [["a"], ["b"], ["a"], ["b"]], [0, 1, 0, 1]
    tree = GreedyTreeClassifier().fit(X, y).tree_
    for weights, words in (
        ([1, 1, 1, 1e-9], "1 of 4 samples weigh"),
        ([1, 1, 1e-9, 1e-9], "2 of 4 samples weigh"),
    ):
        with pytest.warns(UserWarning, match=f"^{words} less than a millionth"):
            prune(tree, "pessimistic", X, y, weights)


@pytest.mark.parametrize("weights", [[1e13, 1, 1, 1], [5e-324, 0, 0, 0], [1e300] * 4])
def test_what_cannot_be_held_is_refused_and_the_remedy_told(weights: list[float]) -> None:
    with pytest.raises(DataError, match="common factor"):
        GreedyTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1], sample_weight=weights)


def test_a_masked_weight_is_refused() -> None:
    X, y, weights = drawn(1)
    mask = np.arange(60) == 7
    with pytest.raises(DataError, match=r"masked.* row 7"):
        GreedyTreeClassifier().fit(X, y, sample_weight=np.ma.array(weights, mask=mask))
    plain = GreedyTreeClassifier().fit(X, y, sample_weight=weights)
    unmasked = GreedyTreeClassifier().fit(X, y, sample_weight=np.ma.array(weights, mask=False))
    assert plain.tree_ == unmasked.tree_


def without_origin(tree: Tree) -> dict[str, object]:
    """Return all that a tree holds but how it was found: the hash of its data is of the weights as given."""
    facts: dict[str, object] = json.loads(tree.to_json())
    del facts["provenance"]
    return facts


def test_errors_and_counts_are_in_the_unit_of_the_scaled_weights() -> None:
    X, y, weights = drawn(5)
    light, heavy = (
        [
            (without_origin(tree.tree), tree.n_validation_errors)
            for tree in enumerate_distinct_trees(X, y, sample_weight=scaled, validation_set=VALIDATION)
        ]
        for scaled in (weights / 8, weights / 2)
    )
    assert light == heavy
    model = BackwardEliminationSelector(validation_set=VALIDATION).fit(X, y, sample_weight=weights)
    wrong = model.tree_.predict(X[VALIDATION]) != y[VALIDATION]
    scaled = model.weight_scale_ * weights[VALIDATION][wrong].sum()
    assert model.n_validation_errors_ == pytest.approx(scaled, abs=1e-4)
    building = np.setdiff1d(np.arange(60), VALIDATION)
    assert model.weight_scale_ == pytest.approx(1 / weights[building].mean())


def test_pruning_and_paths_take_weights_of_any_size() -> None:
    X, y, weights = drawn(8)
    tree = GreedyTreeClassifier().fit(X, y).tree_
    for rule in (ErrorBasedPruning(), CostComplexityPruning(alpha=0.01)):
        pruned = [prune(tree, rule, X, y, sample_weight=weights * f) for f in (1.0, 2.0**-40)]
        assert pruned[0] == pruned[1]
    paths = [CostComplexityPruning.path(tree, X, y, weights * f).to_frame() for f in (1.0, 2.0**-40)]
    assert paths[0].equals(paths[1])
    tables = [depth_path(X, y, sample_weight=weights * f, depths=[1, 2]).table for f in (1.0, 2.0**-40)]
    assert tables[0].tolist() == tables[1].tolist()


def test_every_weighting_of_many_has_its_own_mean() -> None:
    X, y, weights = drawn(9)
    X = X > 0  # the bins of numbers are those of all samples alike
    rounds = np.array([weights, weights / 1024, np.ones(60), np.full(60, 1 / 60)])
    together = fit_many(X, rounds, y)
    assert together.trees[0] == together.trees[1]
    assert together.trees[2] == together.trees[3]
    alone = FixedDepthTreeClassifier().fit(X, y, sample_weight=weights)
    assert together.trees[0] == alone.tree_


# Boosting.


@pytest.fixture(autouse=True)
def quietly() -> Iterator[None]:
    """Let boosting weigh samples down to nothing."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*samples weigh less than a millionth", UserWarning)
        yield


def test_boosted_stumps_are_as_good_as_they_should_be() -> None:
    boosted = AdaBoostClassifier(GreedyTreeClassifier(max_depth=1), n_estimators=100, random_state=0)
    assert cross_val_score(boosted, *load_breast_cancer(return_X_y=True), cv=3).mean() > 0.96


BOOSTED: dict[str, Any] = {
    "greedy": GreedyTreeClassifier(max_depth=2),
    "c45": GreedyTreeClassifier.c45(max_depth=2),
    "fixed depth": FixedDepthTreeClassifier(max_depth=1),
    "minimal": MinimalTreeClassifier(max_bins=2),
    "plane": RobustLinearClassifier(selection="limited", n_features=1),
    "planes": MultivariateTreeClassifier(max_depth=1, selection="limited", n_features=1),
    "groups": GreedyTreeClassifier(nominal_splits="groups", criterion="gini", max_depth=1),
    "gain ratio": GreedyTreeClassifier(criterion="gain_ratio", max_leaf_nodes=3),
    "pruned": GreedyTreeClassifier(max_depth=2, pruning="error_based"),
    "balanced": GreedyTreeClassifier(max_depth=1, class_weight="balanced"),
    **{
        make.__name__: make(estimator=GreedyTreeClassifier(max_depth=1), random_state=0)
        for make in (BackwardEliminationSelector, ForwardSelectionSelector, CompleteSearchSelector)
    },
}


@pytest.mark.parametrize("name", list(BOOSTED))
def test_no_boosting_ends_on_the_majority(name: str) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[::2, [0, 1, 7, 20, 27]], y[::2]
    alone = clone(BOOSTED[name]).fit(X, y).score(X, y)
    boosted = AdaBoostClassifier(BOOSTED[name], n_estimators=5, random_state=0).fit(X, y)
    assert boosted.score(X, y) >= alone - 0.02 > 0.8


def test_boosting_three_classes() -> None:
    X, y = load_iris(return_X_y=True)
    boosted = AdaBoostClassifier(GreedyTreeClassifier(max_depth=1), n_estimators=30, random_state=0)
    assert boosted.fit(X, y).score(X, y) > 0.9


FADING: dict[str, Any] = {
    "greedy": GreedyTreeClassifier(max_depth=1),
    "fixed depth": FixedDepthTreeClassifier(max_depth=1),
    "minimal": MinimalTreeClassifier(max_bins=2, max_pairs=400),
}


@pytest.mark.parametrize(("action", "least", "most"), [("default", 1, 1), ("always", 6, 36)])
def test_boosting_is_told_once_of_what_leaves(action: Any, least: int, most: int) -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (80, 3)).astype(float)
    y = np.where(X[:, 0] > X[:, 1], 1, 0)
    y[::9] = 1 - y[::9]
    boosting = [AdaBoostClassifier(one, n_estimators=12, learning_rate=4) for one in FADING.values()]
    with warnings.catch_warnings(record=True) as told:
        warnings.resetwarnings()  # Python's own filters, not those of the tests
        warnings.simplefilter(action)
        boosted = [model.fit(X, y) for model in boosting]
    found = [str(one.message) for one in told if "less than a millionth" in str(one.message)]
    assert len(set(found)) == 1
    assert least <= len(found) <= most
    assert all(one.filename == __file__ for one in told)
    for model in boosted:
        assert len({tree.n_lost_samples_ for tree in model.estimators_}) > 1


@pytest.mark.parametrize("make", [AdaBoostClassifier, BaggingClassifier])
@pytest.mark.parametrize("data", [load_breast_cancer, load_wine])
@pytest.mark.filterwarnings("ignore::treewright.DataWarning")
def test_ensembles_are_about_as_good_as_those_of_scikit_learn(make: Any, data: Any) -> None:
    """``python -m benches.boosting`` compares them by depth, on more sets and folds."""
    X, y = data(return_X_y=True)
    accuracies = {
        name: np.mean(
            [
                cross_val_score(make(tree(depth), n_estimators=15, random_state=0), X, y, cv=3).mean()
                for depth in (1, 2, 3)
            ]
        )
        for name, tree in {
            "ours": lambda depth: GreedyTreeClassifier(nominal_splits="groups", max_depth=depth),
            "theirs": lambda depth: DecisionTreeClassifier(max_depth=depth),
        }.items()
    }
    assert accuracies["ours"] >= accuracies["theirs"] - 0.02
