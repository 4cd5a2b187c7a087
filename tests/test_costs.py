"""Costs of wrong answers, probabilities, and classes of different weight: against slow, plain versions."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import assert_refused
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    FormatError,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    ParameterError,
    Tree,
)
from treewright.pruning import (
    CostComplexityPruning,
    ErrorBasedPruning,
    PessimisticPruning,
    ReducedErrorPruning,
    TunedErrorBasedPruning,
    explain_pruning,
    prune,
)
from treewright.studies import compare_pruning

COSTS = st.one_of(
    st.integers(0, 20), st.sampled_from([0.1, 0.25, 1.5, 1e-6, 1 / 3]), st.floats(0, 1000, width=32)
)
SMALL = settings(max_examples=40, deadline=None)


def matrices(n_classes):
    """Draw cost matrices of some size, of which one cost is above 0."""
    rows = st.lists(COSTS, min_size=n_classes, max_size=n_classes)
    squares = st.lists(rows, min_size=n_classes, max_size=n_classes)
    return squares.map(hollow).filter(lambda costs: max(map(max, costs)) > 0)


def hollow(square):
    """Make the right answers free."""
    return [[0 if i == j else cost for j, cost in enumerate(row)] for i, row in enumerate(square)]


def table(seed, n_classes=2, n=60, gaps=0.15):
    """Make a numeric and two nominal columns, with missing values, and classes."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n).round(1)
    colour, shape = rng.choice(["red", "green", "blue"], n), rng.choice(["round", "square"], n)
    kind = (size > 0.3).astype(int) + (n_classes - 2) * (colour == "red")
    y = np.where(rng.random(n) < 0.3, rng.integers(0, n_classes, n), kind)
    frame = pd.DataFrame({"size": size, "colour": colour, "shape": shape})
    kinds = {"colour": pd.CategoricalDtype(["red", "green", "blue", "grey"]), "shape": "category"}
    return frame.astype(kinds).mask(rng.random(frame.shape) < gaps), y


def fraction(cost):
    """Return what the engine counts a cost for: a fraction with a small denominator, if it is one."""
    return Fraction(cost).limit_denominator(1000) if cost > 1e-3 else Fraction(cost).limit_denominator(10**9)


def expected(weights, costs):
    """Return the cost of every answer, exactly."""
    answers = range(len(costs))
    return [sum(Fraction(w) * fraction(costs[c][a]) for c, w in enumerate(weights)) for a in answers]


def assert_answers(tree, costs):
    """Check the class of every node against its weights."""
    is_exact = all(float(fraction(cost)) == cost for row in costs for cost in row)
    for node in range(tree.n_nodes):
        if tree.is_reached[node] or node == 0:
            by_answer = expected(tree.class_weights[node], costs)
            chosen, least = by_answer[tree.node_class[node]], min(by_answer)
            assert chosen <= least + Fraction(max(map(max, costs))) * Fraction(tree.weight[node]) / 2**19
            if chosen == least and is_exact:
                assert tree.node_class[node] == by_answer.index(least)
        else:
            assert tree.node_class[node] == tree.node_class[tree.parent[node]]


# Decisions.


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("growth", ["standard", "c45"])
@SMALL
@given(data=st.data())
def test_nodes_answer_at_the_least_cost(n_classes, growth, data):
    costs = data.draw(matrices(n_classes))
    X, y = table(data.draw(st.integers(0, 50)), n_classes)
    weights = data.draw(st.sampled_from([None, "balanced"]))
    model = GreedyTreeClassifier(cost_matrix=costs, class_weight=weights, growth=growth).fit(X, y)
    tree = model.tree_
    assert_answers(tree, costs)
    shares = tree.leaf_shares(X).toarray()
    told = tree.class_weights / np.maximum(tree.weight, 1e-300)[:, None]
    by_answer = shares @ told @ np.array(costs, dtype=float)
    predicted = np.searchsorted(model.classes_, model.predict(X))
    chosen = by_answer[np.arange(len(X)), predicted]
    assert (chosen <= by_answer.min(axis=1) + 3e-6 * np.max(costs)).all()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("cost", [1, 0.3, 7, 1e-5])
def test_equal_costs_are_none(n_classes, cost):
    X, y = table(3, n_classes)
    costs = cost * (1 - np.eye(n_classes))
    for params in ({}, {"pruning": ErrorBasedPruning()}, {"pruning": PessimisticPruning()}):
        plain = GreedyTreeClassifier(**params).fit(X, y)
        costly = GreedyTreeClassifier(cost_matrix=costs, **params).fit(X, y)
        assert costly.tree_.node_class.tolist() == plain.tree_.node_class.tolist()
        assert costly.tree_.class_weights.tolist() == plain.tree_.class_weights.tolist()
        assert costly.predict(X).tolist() == plain.predict(X).tolist()
        assert costly.predict_proba(X).tolist() == plain.predict_proba(X).tolist()


def test_costs_by_label():
    X, y = table(5)
    y = np.where(y == 1, "sick", "well")
    by_label = GreedyTreeClassifier(cost_matrix={("sick", "well"): 10}).fit(X, y)
    by_place = GreedyTreeClassifier(cost_matrix=[[0, 10], [1, 0]]).fit(X, y)
    assert by_label.tree_ == by_place.tree_
    assert by_label.tree_.cost_matrix.tolist() == [[0, 10], [1, 0]]
    assert (by_label.predict(X) == "sick").sum() > (
        GreedyTreeClassifier().fit(X, y).predict(X) == "sick"
    ).sum()


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[0, 1]], r"shape \(1, 2\), and there are 2 classes"),
        ([[0, -1], [1, 0]], "must be a finite number of at least 0"),
        ([[0, float("nan")], [1, 0]], "must be a finite number"),
        ([[0, 0], [0, 0]], "no cost above 0"),
        ({("a", 0): 1}, "names 'a', which is no class"),
        ({1: 1}, "no pair"),
        ("balanced", "a square of costs or a dict"),
        ([1, 2], "a square of costs or a dict"),
    ],
)
def test_bad_costs_are_refused(costs, message):
    with pytest.raises(ParameterError, match=message):
        GreedyTreeClassifier(cost_matrix=costs).fit(*table(0))


def test_what_counts_errors_only_refuses_costs():
    with pytest.raises(
        ParameterError, match="generated sets repeat a published experiment, which counts err"
    ):
        compare_pruning(generator="paper_table", estimator=GreedyTreeClassifier(cost_matrix={(0, 1): 2}))


# Probabilities.


def plain_shares(tree, counts, smoothing):
    """Tell what every leaf should."""
    n_classes = counts.shape[1]
    if smoothing == "laplace":
        counts = counts + 1
    elif smoothing is not None:
        counts = counts + smoothing * counts[0] / counts[0].sum()
    total = counts.sum(axis=1, keepdims=True)
    sure = np.eye(n_classes)[tree.node_class]
    return np.where(total > 0, counts / np.where(total > 0, total, 1), sure)


@pytest.mark.parametrize("probability", ["weighted", "raw"])
@pytest.mark.parametrize("smoothing", [None, "laplace", 0, 2.5])
@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 4, 1: 0.5}])
def test_probabilities_are_told_as_the_parameters_say(probability, smoothing, class_weight):
    X, y = table(7, 3)
    usual = GreedyTreeClassifier(class_weight=class_weight, min_samples_split=8).fit(X, y)
    model = GreedyTreeClassifier(
        class_weight=class_weight, min_samples_split=8, probability=probability, smoothing=smoothing
    ).fit(X, y)
    tree = model.tree_
    assert tree.class_weights.tolist() == usual.tree_.class_weights.tolist()
    assert model.predict(X).tolist() == usual.predict(X).tolist()
    factors = np.ones(3) if tree.class_factors is None else tree.class_factors
    counts = tree.class_weights / (factors if probability == "raw" else 1)
    shares = tree.leaf_shares(X).toarray() @ plain_shares(tree, counts, smoothing)
    assert np.abs(model.predict_proba(X) - shares).max() < 1e-12
    assert (tree.probability, tree.smoothing) == (probability, smoothing)
    assert Tree.from_json(tree.to_json()).predict_proba(X).tolist() == model.predict_proba(X).tolist()


def test_raw_probabilities_are_those_of_the_rows():
    X, y = table(2, gaps=0)
    model = GreedyTreeClassifier(class_weight={0: 3}, probability="raw", max_depth=2).fit(X, y)
    leaf = model.apply(X)
    for node in np.unique(leaf):
        at = model.predict_proba(X)[leaf == node]
        assert np.allclose(at, [1 - y[leaf == node].mean(), y[leaf == node].mean()])


def test_other_ways_to_tell_are_refused():
    X, y = table(1)
    for params, message in [
        ({"probability": "true"}, "choose 'weighted' or 'raw'"),
        ({"smoothing": "lidstone"}, "choose 'laplace'"),
        ({"smoothing": -1}, "must be a finite number of at least 0"),
    ]:
        with pytest.raises(ParameterError, match=message):
            GreedyTreeClassifier(**params).fit(X, y)


# The rule is kept.


def test_the_rule_goes_through_json_and_is_held():
    X, y = table(4, 3)
    costs = [[0, 1, 5], [2.5, 0, 1], [1, 8, 0]]
    tree = GreedyTreeClassifier(cost_matrix=costs, smoothing="laplace").fit(X, y).tree_
    again = Tree.from_json(tree.to_json())
    assert again == tree
    assert again.cost_matrix.tolist() == costs
    assert again.predict(X).tolist() == tree.predict(X).tolist()
    document = json.loads(tree.to_json())
    leaf = int(np.flatnonzero((tree.n_children == 0) & (tree.weight > 0))[0])
    document["nodes"]["class"][leaf] = (document["nodes"]["class"][leaf] + 1) % 3
    with pytest.raises(FormatError, match="not the one that its rule gives"):
        Tree.from_json(json.dumps(document))


def test_text_shows_rows_beside_weights():
    X, y = [[0.0]] * 3 + [[1.0]] * 5, [0] * 3 + [1] * 5
    model = GreedyTreeClassifier(class_weight={0: 2}).fit(X, y)
    assert model.tree_.export_text(show_counts=True).splitlines() == [
        "x0 <= 0: 0 [3, 0; weights 6, 0]",
        "x0 > 0: 1 [0, 5]",
    ]


# Pruning.


def loss_of(costs, y, answers):
    return np.array(costs)[y, answers].sum()


def fewest(tree, costs, rows, y, node=0):
    """Return the least cost of any pruning of a tree without missing values, on some rows."""
    own = loss_of(costs, y[rows], tree.node_class[node])
    if tree.n_children[node] == 0:
        return own
    children = tree.first_child[node] + np.arange(tree.n_children[node])
    below = sum(fewest(tree, costs, REACHED[child] & rows, y, child) for child in children)
    return min(own, below)


REACHED: dict[int, np.ndarray] = {}


@pytest.mark.parametrize("n_classes", [2, 3])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_held_out_pruning_has_the_least_cost(n_classes, data):
    costs = data.draw(matrices(n_classes).filter(lambda costs: max(map(max, costs)) < 50))
    X, y = table(data.draw(st.integers(0, 99)), n_classes, n=80, gaps=0)
    tree = GreedyTreeClassifier(cost_matrix=costs).fit(X[:50], y[:50]).tree_
    held_out, answers = X[50:], y[50:]
    pruned = prune(tree, ReducedErrorPruning(), held_out, answers)
    paths = tree.decision_path(held_out).toarray() > 0
    REACHED.clear()
    REACHED.update({node: paths[:, node] for node in range(tree.n_nodes)})
    least = fewest(tree, costs, np.ones(len(answers), dtype=bool), answers)
    got = loss_of(costs, answers, pruned.predict(held_out))
    assert got == pytest.approx(least, rel=1e-5, abs=len(answers) * np.max(costs) * 2.0**-20)


def priced(tree, costs):
    """Count a row as much as wrong answers to its class cost on the mean, scaled to 1."""
    prices = np.array(costs, dtype=float).sum(axis=1)
    root = tree.class_weights[0]
    return tree.class_weights * prices * (root.sum() / (root @ prices))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_rules_by_estimate_see_the_prices_of_rows(n_classes):
    costs = [[0, 1, 2], [9, 0, 3], [4, 4, 0]]
    costs = [row[:n_classes] for row in costs[:n_classes]]
    X, y = table(11, n_classes, n=200)
    tree = GreedyTreeClassifier(cost_matrix=costs).fit(X, y).tree_
    told = explain_pruning(tree, PessimisticPruning())
    counts = priced(tree, costs)
    errors = counts.sum(axis=1) - counts[np.arange(tree.n_nodes), tree.node_class]
    assert told.nodes["weight"] == pytest.approx(counts.sum(axis=1))
    assert told.nodes["errors"] == pytest.approx(errors)
    for rule in (PessimisticPruning(), ErrorBasedPruning(grafting=False), CostComplexityPruning(alpha=2)):
        pruned = prune(tree, rule)
        assert 1 <= pruned.n_nodes < tree.n_nodes
        assert_answers(pruned, costs)
    data = (X, y)
    same = prune(tree, ErrorBasedPruning(grafting=False), *data)
    by_rows = explain_pruning(tree, ErrorBasedPruning(), *data)
    assert_answers(by_rows.tree, costs)
    assert same.cost_matrix.tolist() == by_rows.tree.cost_matrix.tolist() == np.array(costs).tolist()


def test_rules_by_cross_validation_count_cost():
    X, y = table(13, n=120)
    for rule in (TunedErrorBasedPruning(cv=3), CostComplexityPruning(alpha="cv", cv=3)):
        model = GreedyTreeClassifier(cost_matrix={(1, 0): 20}, pruning=rule).fit(X, y)
        assert_answers(model.tree_, [[0, 1], [20, 0]])


# Selection.


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("unit", [1, 0.1])
def test_selectors_count_cost(n_classes, unit):
    costs = (np.array([[0, 1, 2], [9, 0, 3], [4, 4, 0]])[:n_classes, :n_classes] * unit).tolist()
    X, y = table(17, n_classes, n=90)
    X = X.assign(more=np.random.default_rng(1).normal(size=len(X)))
    shared = {"estimator": GreedyTreeClassifier(cost_matrix=costs), "random_state": 0}
    by_subset = []
    for kept in (subset for size in range(5) for subset in combinations(range(4), size)):
        chosen = BackwardEliminationSelector(
            required_features=kept, start_from=kept, min_features=len(kept), **shared
        ).fit(X, y)
        by_subset.append(chosen.validation_cost_)
    complete = CompleteSearchSelector(**shared).fit(X, y)
    assert complete.validation_cost_ == min(by_subset)
    assert complete.search_.bound == pytest.approx(complete.validation_cost_)
    assert complete.best_trees_[0].validation_cost == complete.validation_cost_
    assert complete.best_trees_[0].n_validation_errors is None
    assert "validation_cost=" in repr(complete.best_trees_[0])
    for selector in (
        complete,
        BackwardEliminationSelector(**shared).fit(X, y),
        BackwardEliminationSelector(strategy="retrain", **shared).fit(X, y),
        ForwardSelectionSelector(**shared).fit(X, y),
    ):
        rows = selector.validation_rows_
        answers = np.searchsorted(selector.classes_, selector.tree_.predict(X.iloc[rows]))
        assert selector.validation_cost_ == pytest.approx(loss_of(costs, y[rows], answers))
        assert selector.mean_validation_cost_ == pytest.approx(selector.validation_cost_ / len(rows))
        assert (selector.n_validation_errors_, selector.validation_error_) == (None, None)
        if hasattr(selector, "history_"):
            assert selector.history_["cost"].min() == selector.validation_cost_
            assert "errors" not in selector.history_.dtype.names
        assert_answers(selector.tree_, costs)
        assert_answers(selector.refit_tree_, costs)


# Command line.


def test_classes_are_named_on_the_command_line(run):
    fit = ("fit", "weather.csv", "--target", "play", "--out", "tree.json")
    table = pd.read_csv("weather.csv")
    X, y = table.drop(columns="play"), table["play"]
    plain = GreedyTreeClassifier.c45(cost_matrix={("no", "yes"): 10}, class_weight={"yes": 2})
    ended = run(*fit, "--growth", "c45", "--cost-matrix", "no:yes=10", "--class-weight", "yes=2")
    assert ended.code == 0, ended.err
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    assert tree.cost_matrix.tolist() == [[0, 10], [1, 0]]
    assert "a leaf's (n/e): n rows, e of another class; it gives the answer of least cost" in ended.out
    assert tree.node_class.tolist() == plain.fit(X, y).tree_.node_class.tolist()
    assert run(*fit, "--class-weight", "balanced", "--probability", "raw", "--smoothing", "laplace").code == 0
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    assert (tree.probability, tree.smoothing) == ("raw", "laplace")
    assert tree.class_weights[0] == pytest.approx([7, 7], abs=1e-5)
    for options in ([], ["--json"], ["--complete", "--json"]):
        selected = run("select", "weather.csv", "--target", "play", "--cost-matrix", "no:yes=10", *options)
        assert selected.code == 0, selected.err
        assert not options or '"cost_matrix": {"no:yes": 10.0}' in selected.out


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--cost-matrix", "no=10"), "TRUE:PREDICTED=COST"),
        (("--cost-matrix", "no:yes"), "TRUE:PREDICTED=COST"),
        (("--cost-matrix", "no:maybe=3"), "'maybe' is no class; the classes are 'no', 'yes'"),
        (("--cost-matrix", "no:yes=-1"), "'no:yes=-1': a cost is a finite number of at least 0"),
        (("--class-weight", "no=inf"), "'no=inf': a factor is a finite number of at least 0"),
        (("--class-weight", "no"), "LABEL=FACTOR"),
        (("--class-weight", "balanced", "--class-weight", "no=2"), "stands alone"),
    ],
)
def test_what_names_no_class_is_refused(run, option, message):
    assert_refused(run("fit", "weather.csv", "--target", "play", *option), 2, message)
