"""Tables that are made of samples with weights and costs: what their trees count, and what they answer."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import Run, assert_refused
from treewright import DataError, Dataset, MinimalTreeClassifier, ParameterError, Tree
from treewright.tables import DecisionTable

SMALL = settings(max_examples=15, deadline=None)
COSTS = [[0, 1, 4], [7, 0, 2], [1, 0.5, 0]]
ANSWERING: dict[str, Any] = {
    "class_weight": {0: 3},
    "cost_matrix": COSTS,
    "probability": "raw",
    "smoothing": 2.0,
}


def samples(seed: int, n: int = 40) -> tuple[pd.DataFrame, Any, Any]:
    """Draw a numeric column with gaps, two nominal ones, classes and whole weights."""
    rng = np.random.default_rng(seed)
    number = np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 7, n) / 2)
    frame = pd.DataFrame({"n": number, "a": rng.choice(list("uvw"), n), "b": rng.choice(list("xy"), n)})
    y = np.concatenate([[0, 1, 2], rng.integers(0, 3, n - 3)])
    return frame, y, rng.integers(1, 4, n).astype(float)


def made(*data: Any, **params: Any) -> DecisionTable:
    return DecisionTable.from_data(*data, bins=2, on_conflict="most_common", **params)


def trees_of(table: DecisionTable, max_pairs: int) -> list[Tree]:
    """Return a tree from every method that makes some."""
    graph = table.subtable_graph(max_pairs=max_pairs)
    bounded = table.minimum_tree("depth", max_pairs=max_pairs).tree
    assert bounded is not None
    return [
        bounded,
        graph.tree("n_nodes", then="depth"),
        next(iter(graph.enumerate_optimal("n_leaves"))),
        *(point.tree for point in graph.pareto_front("depth", "n_nodes")),
        *table.greedy_trees(max_pairs=max_pairs).values(),
    ]


@SMALL
@given(seed=st.integers(0, 10**6), max_pairs=st.sampled_from([0, 20, 200]))
def test_weights_are_repeated_samples(seed: int, max_pairs: int) -> None:
    X, y, weights = samples(seed)
    times = weights.astype(int)
    repeated = made(X.loc[X.index.repeat(times)], np.repeat(y, times))
    weighted = made(X, y, weights)
    assert weighted.decisions.tolist() == repeated.decisions.tolist()
    for one, two in zip(trees_of(weighted, max_pairs), trees_of(repeated, max_pairs), strict=True):
        assert one == two
        assert one.class_weights.tolist() == two.class_weights.tolist()


@SMALL
@given(seed=st.integers(0, 10**6), max_pairs=st.sampled_from([0, 20, 200]))
def test_every_tree_answers_at_the_least_cost_of_its_samples(seed: int, max_pairs: int) -> None:
    X, y, weights = samples(seed)
    table = made(X, y, weights, **ANSWERING)
    for tree in trees_of(table, max_pairs):
        by_answer = tree.class_weights @ np.array(COSTS)
        chosen = by_answer[np.arange(tree.n_nodes), tree.node_class]
        assert (chosen <= by_answer.min(axis=1) + 1e-9)[tree.weight > 0].all()
        assert tree.class_weights[0].tolist() == np.bincount(y, weights * np.where(y == 0, 3, 1)).tolist()
        assert (tree.probability, tree.smoothing, tree.class_factors.tolist()) == ("raw", 2.0, [3, 1, 1])


@SMALL
@given(seed=st.integers(0, 10**6), max_pairs=st.sampled_from([0, 20]))
def test_the_estimator_finds_the_tree_of_the_table(seed: int, max_pairs: int) -> None:
    X, y, weights = samples(seed)
    model = MinimalTreeClassifier(max_bins=2, max_pairs=max_pairs, **ANSWERING).fit(X, y, weights)
    table = made(X, y, weights, **ANSWERING)
    tree = table.minimum_tree(max_pairs=max_pairs).tree
    assert tree == model.tree_
    assert table.threshold_tree(tree).predict(X).tolist() == model.predict(X).tolist()


def test_equal_samples_have_the_decision_of_least_cost() -> None:
    X, y = [["a"], ["a"], ["a"], ["b"]], ["no", "no", "yes", "no"]
    assert made(X, y).decisions.tolist() == [0, 0]
    assert made(X, y, class_weight={"yes": 3}).decisions.tolist() == [1, 0]
    assert made(X, y, cost_matrix={("yes", "no"): 3}).decisions.tolist() == [1, 0]
    assert made(X, y, [1, 1, 3, 1]).decisions.tolist() == [1, 0]
    assert made(Dataset(X, y, sample_weight=[1, 1, 3, 1])).decisions.tolist() == [1, 0]


def test_samples_of_no_weight_are_no_rows() -> None:
    X, y = [["a"], ["a"], ["b"]], ["no", "yes", "yes"]
    table = DecisionTable.from_data(X, y, [0, 1, 1])
    assert (table.n_rows, table.first_rows.tolist()) == (2, [1, 2])
    with pytest.raises(DataError, match=r"rows 0 and 1 have the same values") as caught:
        DecisionTable.from_data([["b"], *X], ["no", *y], [0, 1, 1, 1])
    assert "weight 0" in caught.value.__notes__[0]


def test_a_pickled_table_keeps_its_samples() -> None:
    X, y, weights = samples(1)
    table = made(X, y, weights, **ANSWERING)
    assert trees_of(pickle.loads(pickle.dumps(table)), 20) == trees_of(table, 20)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"class_weight": 3}, "class_weight"),
        ({"cost_matrix": [[0, 1]]}, "3 classes"),
        ({"cost_matrix": 3}, "square of costs"),
        ({"probability": "true"}, "choose 'weighted' or 'raw'"),
        ({"smoothing": -1}, "at least 0"),
    ],
)
def test_bad_parameters_are_refused(params: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        made(*samples(0), **params)


# On the command line.


def test_the_command_weighs_and_prices_rows(run: Run, tmp_path: Any) -> None:
    lines = ["a,b,w,y", "u,1,1,sick", "u,1,1,well", "u,1,2,well", "v,1,1,well", "v,2,1,sick", "w,2,3,well"]
    (tmp_path / "rows.csv").write_text("\n".join(lines))
    data = (tmp_path / "rows.csv", "--target", "y", "--weight", "w")
    command = ("table", *data, "--on-conflict", "most_common")
    assert "a = u: well (3/1)" in run(*command, "--nominal", "b", "--cost", "depth").out
    ended = run(*command, "--cost-matrix", "sick:well=10", "--class-weight", "sick=0.5")
    assert "a = u: sick (3/2)" in ended.out
    assert "it gives the answer of least cost" in ended.out
    facts = json.loads(run(*command, "--cost-matrix", "sick:well=10", "--max-pairs", 100, "--json").out)
    assert facts["settings"]["cost_matrix"] == {"sick:well": 10}
    tree = Tree.from_json(json.dumps(facts["tree"]))
    assert tree.cost_matrix is not None
    assert tree.cost_matrix.tolist() == [[0, 10], [1, 0]]
    assert (tree.n_nodes, tree.class_weights.tolist(), tree.node_class.tolist()) == (1, [[2, 7]], [0])
    assert_refused(run(*command, "--cost-matrix", "ill:well=10"), 2, "'ill' is no class")
