"""The pruning core: limits beside scipy's, trees of scikit-learn, estimates that travel, deep trees.

Inner names: `_base.params`: engines are called with its limits.
"""

import json
import pickle
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from scipy.stats import beta, norm
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from treewright import (
    DataError,
    Dataset,
    DataTypeError,
    GreedyTreeClassifier,
    ParameterError,
    Tree,
    UnfinishedError,
    _core,
)
from treewright._base.params import Limits

SCHEMA = json.loads((Path(__file__).parent.parent / "docs/tree.schema.json").read_text(encoding="utf-8"))

SIZES = np.array([0.25, 0.5, 1, 1.75, 2, 3, 6, 9.5, 16, 40, 137.25, 1000, 20_000])
SHARES = np.array([0, 0.01, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 0.97, 1])
N, E = (part.ravel() for part in np.meshgrid(SIZES, SHARES))
E = E * N
CONFIDENCES = [1e-4, 0.001, 0.01, 0.05, 0.1, 0.2, 0.25, 0.4, 0.5]


# Limits.


def score(n, e, z):
    centre, spread = e + z * z / 2, z * np.sqrt(np.maximum(e * (1 - e / n), 0) + z * z / 4)
    return n * (centre + spread) / (n + z * z)


def corrected(n, e, confidence, z, next_to_all, highest_none):
    """Write the limit with continuity correction out once more, e below 1 on a line."""
    none = n * (1 - confidence ** (1 / n))

    def from_one(e):
        return np.where(e + 0.5 >= n, next_to_all(n - e), score(n, np.minimum(e + 0.5, n), z) - e)

    below = none + e * (from_one(np.ones_like(e)) - none)
    return np.where(e < highest_none, none, np.where(e < 1, below, from_one(e)))


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_limits_are_those_of_scipy(confidence):
    z = norm.isf(confidence)
    exact = np.where(E < N, N * beta.isf(confidence, E + 1, np.maximum(N - E, 1e-300)), N) - E
    weka = corrected(N, E, confidence, z, lambda rest: np.maximum(rest, 0), 0)
    c45 = corrected(N, E, confidence, tabled(confidence), lambda rest: 0.67 * rest, 1e-6)
    expected = {"exact": exact, "wilson": score(N, E, z) - E, "weka": weka, "c45": c45}
    for limit, values in expected.items():
        found = _core.extra_errors(N, E, confidence, limit)
        np.testing.assert_allclose(found + E, values + E, rtol=1e-9, atol=1e-12, err_msg=limit)


def tabled(confidence):
    known = [0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 1]
    return np.interp(confidence, known, [4, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0])


@pytest.mark.parametrize(
    ("n", "e", "c45", "weka", "exact"),
    [(6, 0, 1.238, 1.238, 1.238), (16, 1, 1.507, 1.476, 1.554), (10, 3, 1.591, 1.562, 1.577)],
)
def test_quinlans_numbers(n, e, c45, weka, exact):
    for limit, value in {"c45": c45, "weka": weka, "exact": exact}.items():
        found = _core.extra_errors(np.array([float(n)]), np.array([float(e)]), 0.25, limit)
        assert found[0] == pytest.approx(value, abs=6e-4)


def test_score_estimate_is_at_its_quantile():
    c, n = np.array([9.0, 3.5]), np.array([10.0, 4.0])
    by_confidence = _core.ErrorEstimate("score", confidence=0.25)
    by_quantile = _core.ErrorEstimate("score", z=norm.isf(0.25))
    np.testing.assert_allclose(by_confidence.rates(c, n), by_quantile.rates(c, n), rtol=1e-15)
    np.testing.assert_allclose(by_confidence.rates(c, n), score(n, n - c, norm.isf(0.25)) / n)


def test_published_formula():
    c, n = np.array([1.0, 9.0, 99.5]), np.array([1.0, 12.0, 100.0])
    top = np.tanh(np.tanh(np.tanh((n - c) / n))) + np.sqrt(np.tanh(np.tanh(np.sqrt(n))))
    found = _core.ErrorEstimate("published").rates(c, n)
    np.testing.assert_allclose(found, top / np.tanh(c**0.25), rtol=1e-14)


@pytest.mark.parametrize(
    "estimate",
    [
        _core.ErrorEstimate("observed"),
        _core.ErrorEstimate("score", z=0.5),
        _core.ErrorEstimate("error_based", confidence=0.1, limit="exact"),
        _core.ErrorEstimate("per_leaf", alpha=2.0),
    ],
)
def test_estimates_pickle(estimate):
    back = pickle.loads(pickle.dumps(estimate))
    assert back == estimate
    c, n = np.array([3.0]), np.array([5.0])
    assert back.rates(c, n) == estimate.rates(c, n)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"kind": "best"}, "kind='best'"),
        ({"kind": "error_based"}, "confidence=None is missing"),
        ({"kind": "error_based", "confidence": 0.0}, "confidence=0"),
        ({"kind": "error_based", "confidence": 0.25, "limit": "c5"}, "limit='c5'"),
        ({"kind": "score"}, "confidence=None is missing"),
        ({"kind": "per_leaf"}, "alpha=None is missing"),
    ],
)
def test_estimates_say_what_they_need(arguments, words):
    with pytest.raises(ParameterError, match=words):
        _core.ErrorEstimate(**arguments)


# Pruning.


def own_rates(tree, estimate):
    own = tree.class_weights[np.arange(tree.n_nodes), tree.node_class]
    return estimate.rates(np.ascontiguousarray(own), tree.weight)


def noisy(n=2000, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, (X[:, 0] > 0) ^ (rng.random(n) < 0.2)


@pytest.fixture(scope="module")
def pruned():
    """Prune a noisy tree: the tree before, the result."""
    core = GreedyTreeClassifier().fit(*noisy()).tree_._core
    estimate = _core.ErrorEstimate("error_based", confidence=0.25)
    return core, _core.prune(core, own_rates(core, estimate), slack_errors=0.1)


def test_result_tells_every_node(pruned):
    before, result = pruned
    action, after = result.action, result.tree
    assert after.n_nodes < before.n_nodes
    assert len(result.leaf) == len(result.subtree) == len(action) == before.n_nodes
    np.testing.assert_array_equal(np.isnan(result.subtree), before.kind == 0)
    np.testing.assert_array_equal(np.sort(result.origin), np.flatnonzero(action != 2))
    np.testing.assert_array_equal(after.weight, before.weight[result.origin])
    cut = np.flatnonzero(action == 1)
    assert (after.kind[np.isin(result.origin, cut)] == 0).all()
    assert (result.leaf[cut] <= result.subtree[cut] + 0.1 / before.weight[cut] + 1e-12).all()


def test_estimates_travel(pruned):
    tree = Tree(pruned[1].tree)
    assert tree.estimates.shape == (tree.n_nodes,)
    assert not tree.estimates.flags.writeable
    document = json.loads(tree.to_json())
    jsonschema.validate(document, SCHEMA)
    back = Tree.from_json(tree.to_json())
    assert back == tree
    np.testing.assert_array_equal(back.estimates, tree.estimates)
    assert pickle.loads(pickle.dumps(tree)) == tree
    del document["nodes"]["estimate"]
    bare = Tree.from_json(json.dumps(document))
    assert bare.estimates is None
    assert bare != tree


def test_estimates_are_printed_when_asked(pruned):
    tree = Tree(pruned[1].tree)
    text = tree.export_text(show_estimates=True)
    assert len(text.splitlines()) == tree.n_nodes - 1
    assert all(line.endswith("}") for line in text.splitlines())
    assert f"{{{tree.estimates[1]:.4f}}}" in text
    assert f"{{{tree.estimates[1]:.2f}}}" in tree.export_text(show_estimates=True, decimals=2)
    assert "{" not in tree.export_text()
    assert "{" not in GreedyTreeClassifier().fit(*noisy()).tree_.export_text(show_estimates=True)


def test_grafting_takes_rows_of_the_tree(pruned):
    core = pruned[0]
    X, y = noisy()
    result = _core.prune_grafting(core, Dataset(X, y).core, confidence=0.25, limit="c45")
    assert result.tree.weight[0] == 2000
    assert set(np.unique(result.action)) <= {0, 1, 2, 3, 4}
    standing = np.isin(np.arange(core.n_nodes), result.origin)
    np.testing.assert_array_equal(standing, np.isin(result.action, [0, 1, 3]))
    plain = _core.prune_grafting(core, Dataset(X, y).core, confidence=0.25, limit="c45", grafting=False)
    np.testing.assert_array_equal(plain.action, pruned[1].action)
    with pytest.raises(DataError, match="their classes"):
        _core.prune_grafting(core, Dataset(X, X[:, 0] > 9).core, confidence=0.25, limit="c45")
    with pytest.raises(DataError, match="class_weight"):
        _core.refill(core, Dataset(X, y).core, class_weight=[1.0])


def test_grafting_can_be_stopped(pruned):
    X, y = noisy(100_000)
    core = GreedyTreeClassifier().fit(X, y).tree_._core
    limits = Limits(time_limit=0.0)
    with pytest.raises(UnfinishedError, match="time_limit"):
        _core.prune_grafting(core, Dataset(X, y).core, confidence=0.25, limit="c45", limits=limits)


def test_refilled_weights_are_those_of_the_rows(pruned):
    core = pruned[0]
    X, y = noisy(seed=1)
    kept = _core.refill(core, Dataset(X, y).core, keep_classes=True)
    tree = Tree(core)
    np.testing.assert_array_equal(kept.node_class, core.node_class)
    np.testing.assert_array_equal(kept.weight, tree.decision_path(X).sum(axis=0))
    judged = (kept.class_weights.sum(axis=1) - kept.class_weights[np.arange(kept.n_nodes), kept.node_class])[
        kept.kind == 0
    ].sum()
    assert judged == (tree.predict(X) != y).sum()
    relabelled = _core.refill(core, Dataset(X, y).core, class_weight=[1.0, 2.0])
    reached = relabelled.weight > 0
    own = relabelled.class_weights[np.arange(relabelled.n_nodes), relabelled.node_class]
    np.testing.assert_array_equal(own, relabelled.class_weights.max(axis=1))
    empty = np.flatnonzero(~reached)
    np.testing.assert_array_equal(
        relabelled.node_class[empty], relabelled.node_class[relabelled.parent[empty]]
    )


def chain(depth):
    """Build a tree of one path that goes right at every threshold 0, 1, 2, …, without weights."""
    n_nodes = 2 * depth + 1
    inner = [node % 2 == 0 and node < n_nodes - 1 for node in range(n_nodes)]
    pick = [node // 2 if split else None for node, split in enumerate(inner)]
    nodes = {
        "kind": ["threshold" if split else "leaf" for split in inner],
        "test": [0 if split else None for split in inner],
        "threshold": pick,
        "first_child": [node + 1 if split else None for node, split in enumerate(inner)],
        "n_children": [2 * split for split in inner],
        "class": [0] * n_nodes,
        "weight": [0.0] * n_nodes,
        "class_weights": [[0.0, 0.0]] * n_nodes,
    }
    document = json.loads(GreedyTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_.to_json())
    return Tree.from_json(json.dumps(document | {"nodes": nodes}))._core


def test_a_chain_of_two_hundred_thousand_nodes():
    depth = 100_000
    core = chain(depth)
    rows = Dataset([[-1.0], [0.5], [float(depth)], [float(depth)], [np.nan]], [0, 1, 0, 1, 1]).core
    filled = _core.refill(core, rows)
    assert filled.weight[-1] == pytest.approx(2.5)
    estimate = _core.ErrorEstimate("error_based", confidence=0.25)
    by_rates = _core.prune(filled, own_rates(filled, estimate), slack_errors=0.1)
    by_rows = _core.prune_grafting(filled, rows, confidence=0.25, limit="c45", grafting=False)
    np.testing.assert_array_equal(by_rates.action, by_rows.action)
    assert _core.prune_grafting(filled, rows, confidence=0.25, limit="c45").tree.n_nodes < 10


# Trees of scikit-learn.


@pytest.mark.parametrize("make", [DecisionTreeClassifier, ExtraTreeClassifier])
def test_scikit_learns_trees_predict_the_same(make):
    rng = np.random.default_rng(0)
    for seed in range(40):
        X = rng.normal(size=(rng.integers(3, 300), 3)).round(rng.integers(0, 4))
        y = np.array(["a", "b", "c"])[rng.integers(0, 3, len(X))]
        weight = rng.random(len(X)) + 0.01 if seed % 2 else None
        leaves = None if seed % 3 else int(rng.integers(2, 12))
        model = make(random_state=seed, max_leaf_nodes=leaves).fit(X, y, sample_weight=weight)
        for tree in (Tree.from_sklearn(model), Tree.from_sklearn(model.tree_, class_names=model.classes_)):
            assert tree.n_nodes == model.tree_.node_count
            for Z in (X, near_thresholds(model, 3, rng)):
                np.testing.assert_array_equal(tree.predict(Z), model.predict(Z))
                np.testing.assert_allclose(tree.predict_proba(Z), model.predict_proba(Z), atol=1e-12)


def near_thresholds(model, n_features, rng):
    """Draw rows whose values are thresholds, or 64-bit numbers near the 32-bit ones beside them."""
    inner = model.tree_.threshold[model.tree_.feature >= 0]
    if not len(inner):
        return rng.normal(size=(10, n_features))
    values = rng.choice(inner, size=(2000, n_features)).astype(np.float32)
    steps = rng.choice([-1.5, -0.5, 0.0, 0.5, 1.0, 1.5], values.shape) * np.spacing(np.abs(values))
    exact = values.astype(np.float64) + steps
    return exact * (1 + rng.choice([-1, 0, 1], values.shape) * 2.0**-52)


def test_scikit_learns_weights_and_names():
    frame, y = load_iris(return_X_y=True, as_frame=True)
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(frame, y)
    tree = Tree.from_sklearn(model)
    assert tree.feature_names == list(frame.columns)
    assert tree.weight[0] == 150
    assert tree.class_weights[0].tolist() == [50, 50, 50]
    assert tree.classes_.tolist() == [0, 1, 2]
    named = Tree.from_sklearn(model, feature_names=["a", "b", "c", "d"], class_names=["x", "y", "z"])
    assert named.feature_names == ["a", "b", "c", "d"]
    assert named.predict(frame.to_numpy()[:1]).tolist() == ["x"]


def test_pruning_a_tree_of_scikit_learn():
    X, y = noisy()
    core = Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y))._core
    assert _core.refill(core, Dataset(X, y).core) == core
    result = _core.prune_grafting(core, Dataset(X, y).core, confidence=0.25, limit="c45")
    assert result.tree.n_nodes < core.n_nodes / 2


def test_missing_values_go_where_scikit_learn_sends_them():
    X = np.append(np.arange(20.0), [np.nan] * 3)[:, None]
    for y in (np.repeat([0, 1], [14, 9]), np.repeat([0, 1, 2], [14, 6, 3]), np.repeat([0, 1], [20, 3])):
        model = DecisionTreeClassifier(random_state=0).fit(X, y)
        tree = Tree.from_sklearn(model)
        assert tree.predict(X).tolist() == model.predict(X).tolist() == y.tolist()
        assert tree.n_nodes == model.tree_.node_count


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: DecisionTreeRegressor().fit(*noisy(50)), DataTypeError, "DecisionTreeRegressor"),
        (lambda: DecisionTreeRegressor().fit(*noisy(50)).tree_, DataTypeError, "classification|Tree"),
        (lambda: RandomForestClassifier(2).fit(*noisy(50)), DataTypeError, "RandomForestClassifier"),
        (lambda: "tree", DataTypeError, "str"),
        (lambda: DecisionTreeClassifier().fit([[0.0], [1.0]], [[0, 1], [1, 0]]), DataError, "2 outputs"),
    ],
)
def test_other_trees_are_refused(make, error, words):
    with pytest.raises(error, match=words):
        Tree.from_sklearn(make())


def test_names_must_be_as_many_as_there_are():
    model = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(DataError, match="feature_names has 2 entries"):
        Tree.from_sklearn(model, feature_names=["a", "b"])
    with pytest.raises(DataError, match="class_names has 1 entries"):
        Tree.from_sklearn(model, class_names=["a"])
