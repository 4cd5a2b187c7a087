"""Costs of wrong answers, probabilities and class weights in every estimator that takes them: brute force."""

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from commands import assert_refused
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    ParameterError,
    RobustLinearClassifier,
    Tree,
)
from treewright.fixed_depth import depth_path, fit_many

TREES = [
    GreedyTreeClassifier(max_depth=2),
    FixedDepthTreeClassifier(max_depth=2),
    MinimalTreeClassifier(max_pairs=20),
    MultivariateTreeClassifier(alpha=None),
    MultivariateTreeClassifier(alpha=0.01),
]
SMALL = settings(max_examples=12, deadline=None)
by_name = pytest.mark.parametrize("estimator", TREES, ids=lambda tree: type(tree).__name__)


def matrices(n_classes):
    """Draw square matrices of whole costs, nothing for right answers, of which one is above 0."""
    rows = st.lists(st.integers(0, 12), min_size=n_classes, max_size=n_classes)
    squares = st.lists(rows, min_size=n_classes, max_size=n_classes)
    hollow = squares.map(lambda square: (np.array(square) * (1 - np.eye(n_classes, dtype=int))).tolist())
    return hollow.filter(lambda costs: max(map(max, costs)) > 0)


def table(seed, n_classes=2, n=40):
    """Make two numeric columns, two nominal ones and classes, with whole weights."""
    rng = np.random.default_rng(seed)
    size, age = rng.normal(size=n).round(1), rng.integers(0, 9, n).astype(float)
    colour = rng.choice(["red", "green", "blue"], n)
    kind = (size > 0.3).astype(int) + (n_classes - 2) * (colour == "red")
    y = np.where(rng.random(n) < 0.3, rng.integers(0, n_classes, n), kind)
    y[:n_classes] = np.arange(n_classes)
    frame = pd.DataFrame({"size": size, "age": age, "colour": pd.Categorical(colour)})
    return frame, y, rng.integers(1, 4, n).astype(float)


def fitted(estimator, data, **params):
    X, y, weights = data
    model = type(estimator)(**{**estimator.get_params(), **params})
    return model.fit(X, y, sample_weight=weights)


def assert_least(tree, costs):
    """Check the class of every node against what every answer costs."""
    by_answer = tree.class_weights @ np.array(costs, dtype=float)
    chosen = by_answer[np.arange(tree.n_nodes), tree.node_class]
    is_reached = tree.weight > 0
    slack = 1e-9 * (1 + by_answer.max(axis=1))
    assert (chosen <= by_answer.min(axis=1) + slack)[is_reached].all()


# All trees.


@by_name
@pytest.mark.parametrize("n_classes", [2, 3])
@SMALL
@given(data=st.data())
def test_nodes_answer_at_the_least_cost(estimator, n_classes, data):
    costs, rows = data.draw(matrices(n_classes)), table(data.draw(st.integers(0, 30)), n_classes)
    model = fitted(estimator, rows, cost_matrix=costs)
    assert model.tree_.cost_matrix.tolist() == costs
    assert_least(model.tree_, costs)
    assert Tree.from_json(model.tree_.to_json()) == model.tree_
    labels = model.classes_[model.tree_.node_class[model.apply(rows[0])]]
    assert model.predict(rows[0]).tolist() == labels.tolist()
    if hasattr(model, "threshold_tree"):
        assert_least(model.threshold_tree(), costs)
        assert model.threshold_tree().predict(rows[0]).tolist() == labels.tolist()


@by_name
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("cost", [1, 0.3, 7])
def test_equal_costs_are_none(estimator, n_classes, cost):
    rows = table(3, n_classes)
    plain, alpha = fitted(estimator, rows), getattr(estimator, "alpha", None)
    scaled = {"alpha": alpha * cost} if alpha else {}
    costly = fitted(estimator, rows, cost_matrix=cost * (1 - np.eye(n_classes)), **scaled)
    assert costly.tree_.node_class.tolist() == plain.tree_.node_class.tolist()
    assert costly.tree_.class_weights.tolist() == plain.tree_.class_weights.tolist()
    assert costly.predict(rows[0]).tolist() == plain.predict(rows[0]).tolist()


@by_name
@SMALL
@given(seed=st.integers(0, 30), factors=st.tuples(st.integers(1, 5), st.integers(1, 5)))
def test_class_weights_are_sample_weights(estimator, seed, factors):
    X, y, weights = table(seed)
    by_class = fitted(estimator, (X, y, weights), class_weight=dict(enumerate(factors)))
    by_sample = fitted(estimator, (X, y, weights * np.array(factors)[y]))
    assert by_class.tree_ == by_sample.tree_
    assert by_class.tree_.class_weights.tolist() == by_sample.tree_.class_weights.tolist()
    assert by_class.tree_.class_factors.tolist() == list(factors)


@by_name
@pytest.mark.parametrize("probability", ["weighted", "raw"])
@pytest.mark.parametrize("smoothing", [None, "laplace", 2.5])
def test_probabilities_are_told_as_the_parameters_say(estimator, probability, smoothing):
    rows = table(7, 3)
    params = {"class_weight": {0: 4, 2: 0.5}}
    usual = fitted(estimator, rows, **params)
    model = fitted(estimator, rows, probability=probability, smoothing=smoothing, **params)
    tree = model.tree_
    assert tree.class_weights.tolist() == usual.tree_.class_weights.tolist()
    assert model.predict(rows[0]).tolist() == usual.predict(rows[0]).tolist()
    assert (tree.probability, tree.smoothing) == (probability, smoothing)
    total = (rows[2] * np.array([4, 1, 0.5])[rows[1]]).sum()
    is_model = isinstance(estimator, FixedDepthTreeClassifier)  # its weights are probabilities
    counts = tree.class_weights * (total if is_model else 1)
    counts = counts / (tree.class_factors if probability == "raw" else 1)
    if smoothing == "laplace":
        counts = counts + 1
    elif smoothing is not None:
        counts = counts + smoothing * counts[0] / counts[0].sum()
    expected = (counts / counts.sum(axis=1, keepdims=True))[model.apply(rows[0])]
    assert np.abs(model.predict_proba(rows[0]) - expected).max() < 1e-12


@by_name
def test_bad_parameters_are_refused(estimator):
    rows = table(0)
    for params, message in [
        ({"cost_matrix": [[0, 1]]}, "2 classes"),
        ({"class_weight": 3}, "class_weight"),
        ({"probability": "true"}, "choose 'weighted' or 'raw'"),
        ({"smoothing": -1}, "at least 0"),
    ]:
        with pytest.raises(ParameterError, match=message):
            fitted(estimator, rows, **params)


# Fixed depth.


def naive_bayes(X, y, weights, n_classes):
    """Return P(class) and P(value | class) of columns of codes, with one pseudo-count each."""
    by_class = np.bincount(y, weights, minlength=n_classes) + 1
    likelihoods = []
    for column in X.T:
        counts = np.zeros((column.max() + 1, n_classes))
        np.add.at(counts, (column, y), weights)
        likelihoods.append((counts + 1) / (counts + 1).sum(axis=0))
    return by_class / by_class.sum(), likelihoods


def least_cost(joint, likelihoods, features, depth, costs):
    """Return the least expected cost of all trees of a depth."""
    best = (joint @ costs).min()
    for feature in features if depth else ():
        rest = [other for other in features if other != feature]
        below = (joint * value for value in likelihoods[feature])
        best = min(best, sum(least_cost(part, likelihoods, rest, depth - 1, costs) for part in below))
    return best


@pytest.mark.parametrize("solver", ["bounded", "sets", "feature_list", "exhaustive"])
@pytest.mark.parametrize("n_classes", [2, 3])
@SMALL
@given(data=st.data())
def test_fixed_depth_trees_have_the_least_expected_cost(solver, n_classes, data):
    if solver == "feature_list" and n_classes > 2:
        return
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    depth, costs = data.draw(st.integers(0, 4)), np.array(data.draw(matrices(n_classes)), dtype=float)
    costs[0, 0] = data.draw(st.integers(0, 15))
    X, y = rng.integers(0, 3, (30, 4)), rng.integers(0, n_classes, 30)
    X[:3], y[:n_classes], weights = np.arange(3)[:, None], np.arange(n_classes), rng.integers(1, 4, 30)
    model = FixedDepthTreeClassifier(
        max_depth=depth, solver=solver, cost_matrix=costs, categorical_features=[0, 1, 2, 3]
    ).fit(X, y, sample_weight=weights)
    prior, likelihoods = naive_bayes(X, y, weights, n_classes)
    expected = least_cost(prior, likelihoods, range(4), depth, costs)
    assert model.expected_cost_ == pytest.approx(expected, abs=1e-9)
    assert model.search_.cost == model.search_.bound == model.expected_cost_
    tree = model.tree_
    is_leaf = tree.n_children == 0
    told = (tree.class_weights @ costs)[np.arange(tree.n_nodes), tree.node_class]
    assert told[is_leaf].sum() == pytest.approx(expected, abs=1e-9)
    right = tree.class_weights[np.arange(tree.n_nodes), tree.node_class]
    assert right[is_leaf].sum() == pytest.approx(model.expected_accuracy_, abs=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_cross_validation_chooses_the_depth_of_least_cost(n_classes):
    X, y, weights = table(5, n_classes, n=90)
    costs = np.array([[0, 1, 2], [9, 0, 3], [4, 4, 0]])[:n_classes, :n_classes]
    shared = {"cost_matrix": costs, "class_weight": {0: 2}}
    path = depth_path(X, y, model=FixedDepthTreeClassifier(**shared), sample_weight=weights)
    assert path.table.dtype.names[1:4] == ("expected_cost", "training_cost", "cv_cost")
    assert path.table["cv_cost"] == pytest.approx(path.folds.mean(axis=0))
    assert path.best_depth == path.table["depth"][path.table["cv_cost"].argmin()]
    chosen = FixedDepthTreeClassifier(max_depth="cv", **shared).fit(X, y, sample_weight=weights)
    assert chosen.depth_ == path.best_depth
    assert path.plot().get_ylabel() == "cost of an answer"
    row = path.table[path.table["depth"] == chosen.depth_][0]
    answers = np.searchsorted(chosen.classes_, chosen.predict(X))
    factors = weights * np.where(y == 0, 2, 1)
    assert row["training_cost"] == pytest.approx(np.average(costs[y, answers], weights=factors))
    assert row["expected_cost"] == pytest.approx(chosen.expected_cost_)


@SMALL
@given(data=st.data())
def test_many_weightings_are_many_fits(data):
    X, y, weights = table(data.draw(st.integers(0, 30)), 3)
    params = {"cost_matrix": data.draw(matrices(3)), "class_weight": "balanced", "smoothing": "laplace"}
    params["probability"] = data.draw(st.sampled_from(["weighted", "raw"]))
    weightings = np.array([weights, np.ones(len(y)), weights[::-1]])
    model = FixedDepthTreeClassifier(max_depth=2, binning="quantile", **params)
    X = X[["colour"]].assign(more=pd.Categorical(X["age"].astype(int) % 3))
    many = fit_many(X, weightings, y, model=model)
    for tree, own in zip(many.trees, weightings, strict=True):
        one = FixedDepthTreeClassifier(max_depth=2, **params).fit(X, y, sample_weight=own)
        assert tree.class_weights.tolist() == one.tree_.class_weights.tolist()
        assert tree.node_class.tolist() == one.tree_.node_class.tolist()
        assert np.abs(tree.predict_proba(X) - one.predict_proba(X)).max() < 1e-12
    told = sum(
        FixedDepthTreeClassifier(max_depth=2, class_weight="balanced", cost_matrix=params["cost_matrix"])
        .fit(X, y, sample_weight=own)
        .predict_proba(X)
        for own in weightings
    )
    answers = np.searchsorted(many.classes_, many.predict(X))
    by_answer = told @ np.array(params["cost_matrix"])
    assert (by_answer[np.arange(len(X)), answers] <= by_answer.min(axis=1) + 1e-9).all()


# Minimal trees.


@pytest.mark.parametrize("n_classes", [2, 3])
@SMALL
@given(data=st.data())
def test_equal_samples_have_the_class_of_least_cost(n_classes, data):
    costs, rng = (
        np.array(data.draw(matrices(n_classes))),
        np.random.default_rng(data.draw(st.integers(0, 99))),
    )
    X, y = rng.integers(0, 2, (40, 3)), rng.integers(0, n_classes, 40)
    y[:n_classes], weights = np.arange(n_classes), rng.integers(1, 5, 40)
    model = MinimalTreeClassifier(cost_matrix=costs).fit(X, y, sample_weight=weights)
    answers = np.searchsorted(model.classes_, model.predict(X))
    for cell in product([0, 1], repeat=3):
        inside = (cell == X).all(axis=1)
        if inside.any():
            by_answer = np.bincount(y[inside], weights[inside], minlength=n_classes) @ costs
            assert set(answers[inside].tolist()) == {int(by_answer.argmin())}
    assert model.tree_.weight[0] == weights.sum()


# What is told of a search.


def test_what_is_told_of_a_selection_is_a_cost():
    X, y, weights = table(8, n=80)
    seen = []
    params = {"random_state": 0, "callback": lambda progress: seen.append(progress.best)}
    for costs in ([[0, 0.1], [0.25, 0]], [[0, 30], [7, 0]]):
        estimator = GreedyTreeClassifier(cost_matrix=costs)
        for selector in (BackwardEliminationSelector, CompleteSearchSelector):
            seen.clear()
            chosen = selector(estimator=estimator, **params).fit(X, y, sample_weight=weights)
            told = [best for best in seen if best is not None]
            assert not told or told[-1] == pytest.approx(chosen.validation_cost_)
            assert chosen.mean_validation_cost_ * weights[chosen.validation_rows_].sum() == pytest.approx(
                chosen.validation_cost_
            )
    elimination = BackwardEliminationSelector(estimator=estimator, random_state=0).fit(X, y)
    assert elimination.plot().get_ylabel() == "cost on the validation part"


@pytest.mark.parametrize("cost", [1, 0.3, 40])
def test_a_share_as_tolerance_is_one_of_what_wrong_answers_cost(cost):
    X, y, weights = table(9, 3, n=80)
    shared = {"random_state": 0, "tolerance": 0.08}
    plain = BackwardEliminationSelector(**shared).fit(X, y, sample_weight=weights)
    equal = GreedyTreeClassifier(cost_matrix=cost * (1 - np.eye(3)))
    costly = BackwardEliminationSelector(estimator=equal, **shared).fit(X, y, sample_weight=weights)
    assert costly.support_.tolist() == plain.support_.tolist()
    assert costly.validation_cost_ == pytest.approx(cost * plain.n_validation_errors_)
    assert (plain.validation_cost_, plain.mean_validation_cost_) == (None, None)


def test_reports_say_cost(run):
    data = ("weather.csv", "--target", "play")
    costs = ("--cost-matrix", "no:yes=10")
    for options in ((), ("--complete",), ("--forward",)):
        ended = run("select", *data, *costs, *options)
        assert ended.code == 0, ended.err
        assert "cost of a row" in ended.out
        assert "errors" not in ended.out.replace("cost of validation errors", "")
    ended = run("fixed-depth", *data, *costs, "--class-weight", "balanced", "--smoothing", "laplace")
    assert ended.code == 0, ended.err
    assert "expected cost of an answer" in ended.out
    ended = run("plane", *data, *costs, "--depth", "2", "--class-weight", "no=2", "--missing", "mean")
    assert ended.code == 0, ended.err
    assert "test cost of a row" in ended.out
    assert run("plane", *data, *costs).code == 0
    assert_refused(run("plane", *data, "--class-weight", "balanced"), 2, "--class-weight needs --depth")


@pytest.mark.parametrize("command", [("select",), ("select", "--complete"), ("enumerate", "--top", "2")])
def test_costs_are_called_so_in_json(run, command):
    data = ("weather.csv", "--target", "play")
    costs = ("--cost-matrix", "no:yes=10")
    plain, priced = (
        json.loads(run(*command, *data, "--validation-set", "0.4", *more, "--json").out)
        for more in ((), costs)
    )
    for found, names in ((plain, ("n_errors_after", "errors")), (priced, ("validation_cost_after", "cost"))):
        if command == ("select",):
            assert found["search"]["history"][-1][names[1]] == found["search"][names[0]]
        for tree in [*found["search"].get("best", []), *found.get("best", [])]:
            assert ("validation_cost" in tree) is (found is priced)
            assert ("n_validation_errors" in tree) is (found is plain)
    ended = run(*command, *data, "--validation-set", "0.4", *costs)
    assert "errors on the validation rows" not in ended.out
    assert " cost" in ended.out


# Planes.


@SMALL
@given(data=st.data())
def test_a_plane_has_the_least_error_by_cost(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    X, y = rng.normal(size=(25, 2)), rng.integers(0, 2, 25)
    y[:2], costs = [0, 1], [[0, data.draw(st.integers(1, 20))], [data.draw(st.integers(1, 20)), 0]]
    model = RobustLinearClassifier(selection=None, cost_matrix=costs).fit(X, y)
    Z, sign = (X - X.mean(axis=0)) / X.std(axis=0), np.where(y == 1, 1.0, -1.0)
    price = np.array([costs[0][1], costs[1][0]], dtype=float)
    cap = (2 * price / price.sum())[y] / np.bincount(y)[y]
    rows = np.column_stack([-sign[:, None] * Z, sign, -np.eye(25)])
    bounds = [(None, None)] * 3 + [(0, None)] * 25
    least = linprog(np.r_[np.zeros(3), cap], A_ub=rows, b_ub=-np.ones(25), bounds=bounds).fun
    assert model.error_ == pytest.approx(least, abs=1e-6)
    assert model.verify(X, y).holds


@pytest.mark.parametrize("selection", ["bounded", "limited", "path"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_planes_with_costs_are_verified(selection, n_classes):
    X, y, weights = table(4, n_classes, n=60)
    costs = np.array([[0, 30, 2], [1, 0, 3], [4, 4, 0]])[:n_classes, :n_classes]
    n_features = None if selection == "bounded" else 2
    model = RobustLinearClassifier(selection=selection, n_features=n_features, cost_matrix=costs)
    model.fit(X, y, sample_weight=weights)
    assert model.verify(X, y, weights).holds
    equal = RobustLinearClassifier(selection=selection, n_features=n_features)
    plain = equal.fit(X, y, sample_weight=weights)
    same = equal.set_params(cost_matrix=5 * (1 - np.eye(n_classes))).fit(X, y, sample_weight=weights)
    assert same.error_ == pytest.approx(plain.error_)
    assert same.predict(X).tolist() == plain.predict(X).tolist()


def test_where_nothing_tells_classes_apart_a_plane_answers_the_dear_one():
    X, y = [[0.0], [0.0], [1.0], [1.0]], [0, 1, 0, 1]
    for costs, answer in [([[0, 10**6], [1, 0]], 0), ([[0, 1], [10**6, 0]], 1)]:
        model = RobustLinearClassifier(cost_matrix=costs).fit(X, y)
        assert set(model.predict(X)) == {answer}
        assert model.n_features_used_ == 0
        assert model.verify(X, y).holds


@pytest.mark.parametrize("options", [{}, {"selection": "path", "n_features": 2}], ids=["bounded", "path"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_planes_of_a_tree_do_not_feel_costs(options, seed):
    """Rows on a plane go to the side of the heavier class, not of the dearer one."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (20, 2)).astype(float)
    y = (X[:, 0] + rng.integers(0, 3, 20) > 2).astype(int)
    plain, dear = (
        MultivariateTreeClassifier(alpha=None, cost_matrix=costs, **options).fit(X, y).tree_
        for costs in (None, [[0, 0], [1, 0]])
    )
    assert dear.class_weights.tolist() == plain.class_weights.tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
@SMALL
@given(data=st.data())
def test_trees_of_planes_are_pruned_by_cost(n_classes, data):
    """Pruning by alpha has the least cost plus alpha times the cost of splits of all prunings."""
    costs = np.array(data.draw(matrices(n_classes)), dtype=float)
    rows, alpha = table(data.draw(st.integers(0, 9)), n_classes), data.draw(st.sampled_from([0, 0.02, 0.3]))
    grown = fitted(MultivariateTreeClassifier(alpha=None), rows, cost_matrix=costs)
    final = fitted(MultivariateTreeClassifier(alpha=alpha), rows, cost_matrix=costs)
    plain = fitted(MultivariateTreeClassifier(alpha=None), rows)
    assert grown.tree_.feature.tolist() == plain.tree_.feature.tolist()
    assert grown.tree_.class_weights.tolist() == plain.tree_.class_weights.tolist()
    tree, places = grown.tree_, iter(grown.n_features_per_split_.tolist())
    split_cost = {node: 1 + next(places) for node in range(tree.n_nodes) if tree.n_children[node]}
    loss = (tree.class_weights @ costs).min(axis=1) / tree.weight[0]

    def least(node):
        if not tree.n_children[node]:
            return loss[node]
        first = tree.first_child[node]
        return min(loss[node], least(first) + least(first + 1) + alpha * split_cost[node])

    own = final.tree_
    got = (own.class_weights @ costs).min(axis=1)[own.n_children == 0].sum() / own.weight[0]
    assert got + alpha * final.cost_ == pytest.approx(least(0), abs=1e-9)
