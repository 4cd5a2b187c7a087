"""Learned rules where they were not learned: leaves of any size, poles, hostile texts."""

import json
import random

import numpy as np
import pytest

from treewright import FormatError, GreedyTreeClassifier, ParameterError, datasets
from treewright.evolution import LearnedPruning
from treewright.pruning import explain_pruning, prune

HOSTILE = ["1.0 / (c - 3.0)", "log(n - c)", "exp(n)", "sqrt(c - n)", "-exp(n * n)", "1.0 / (n - c)"]

UNSEEN = [
    (1.0, 1e300),
    (1e300, 1e300),
    (0.5, 0.75),
    (7.0, 3.0),
    (-1.0, 2.0),
    (1.0, -2.0),
    (np.nan, 3.0),
    (3.0, np.nan),
    (np.inf, np.inf),
    (1.0, np.inf),
]


@pytest.fixture(scope="module")
def tree():
    return GreedyTreeClassifier().fit(datasets.load("digits")).tree_


@pytest.mark.parametrize("formula", [*HOSTILE, "(n - c) / n", "n * n", "0.0 / 0.0"])
def test_an_estimate_is_a_finite_number_or_nan(formula):
    rule = LearnedPruning(formula)
    c, n = np.array(UNSEEN).T
    values = rule(c, n)
    assert not np.isinf(values).any()
    assert np.array_equal([rule(*pair) for pair in UNSEEN], values, equal_nan=True)


@pytest.mark.parametrize("formula", HOSTILE)
def test_leaves_without_samples_are_never_asked_for(formula):
    rule = LearnedPruning(formula)
    assert rule([0.0, 0.0], [0.0, -0.0]).tolist() == [0.0, 0.0]
    assert rule([0.0, 0.0, 0.0], [1.0, 1e300, np.inf]).tolist() == [np.inf] * 3


@pytest.mark.parametrize("formula", HOSTILE)
def test_nothing_is_pruned_where_a_formula_is_not_finite(tree, formula):
    rule = LearnedPruning(formula)
    found = explain_pruning(tree, rule)
    estimates, is_cut = found.nodes["leaf_estimate"], found.nodes["action"] == "cut"
    assert np.isfinite(estimates[is_cut]).all()
    assert not np.isfinite(estimates).all(), "the formula is hostile to some node of the tree"
    model = GreedyTreeClassifier(pruning=rule).fit(datasets.load("iris"))
    assert model.predict(datasets.load("iris")).shape == (150,)


def test_a_value_of_minus_infinity_prunes_nothing(tree):
    assert prune(tree, LearnedPruning("log(n - n)")).n_nodes == tree.n_nodes
    assert prune(tree, LearnedPruning("-exp(1000.0 * n)")).n_nodes == tree.n_nodes
    assert prune(tree, LearnedPruning("-1.0 * n")).n_nodes == 1


def test_leaves_of_huge_weight_are_pruned_as_small_ones():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    # A rule that weight alone does not change.
    model = GreedyTreeClassifier(
        pruning=LearnedPruning("(n - c) / n"), min_samples_split=1, min_samples_branch=0
    )
    small = model.fit(X, y).tree_
    large = model.fit(X, y, sample_weight=np.full(200, 2.0**20)).tree_
    assert 1 < small.n_nodes == large.n_nodes


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000 + "n" + ")" * 100_000,
        "-" * 100_000 + "n",
        " + ".join(["n"] * 100_000),
        "n" * 1_000_000,
        "let val v = n in " * 20_000 + "v" + " end" * 20_000,
    ],
)
def test_texts_without_measure_are_refused(text):
    with pytest.raises(ParameterError):
        LearnedPruning(text)([1.0], [2.0])


def test_a_rule_that_calls_itself_is_refused():
    text = "fun estimate(c: float, n: float): float = estimate(c, n)"
    with pytest.raises(ParameterError):
        GreedyTreeClassifier(pruning=LearnedPruning(text)).fit([[1.0], [2.0]], [0, 1])


PRESET = json.loads(LearnedPruning.preset("paper_table").to_json())
WRONG = [None, True, -1, 3, 2.5, 1e400, "x", [], [1], {}, {"value": 1, "error": None}]


def damaged(stored, rng):
    """Copy a record, with one part of it, at any depth, left out or replaced."""
    if not isinstance(stored, dict | list) or not stored or rng.random() < 0.15:
        return rng.choice(WRONG)
    key = rng.choice(list(stored) if isinstance(stored, dict) else range(len(stored)))
    copy = stored.copy()
    if rng.random() < 0.1:
        del copy[key]
    else:
        copy[key] = damaged(stored[key], rng)
    return copy


@pytest.mark.parametrize("seed", range(150))
def test_a_record_that_is_taken_can_be_reported(seed):
    record = damaged(PRESET["record"], random.Random(seed))
    try:
        rule = LearnedPruning.from_json(json.dumps({**PRESET, "record": record}))
    except FormatError:
        return
    if record is not None:
        assert rule.report().startswith("Pruning rule learned from")
        again = LearnedPruning.from_json(rule.to_json())
        assert again.report() == rule.report()
