"""Smaller trees that answer the same: leaves side by side are merged, or a tree is cut at a depth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import (
    Dataset,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    MultivariateTreeClassifier,
    OptimalTreeClassifier,
    ParameterError,
    Tree,
)


def table(seed: int, n_rows: int = 60, n_classes: int = 2) -> Dataset:
    """Numbers, values, and a class that depends on them."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(size=n_rows).round(1), rng.integers(0, 4, n_rows), rng.integers(0, 3, n_rows)
    y = ((a > 0.2).astype(int) + b + (rng.random(n_rows) < 0.2)) % n_classes
    y[:n_classes] = range(n_classes)
    columns = {"a": a, "b": [f"v{x}" for x in b], "c": [f"w{x}" for x in c]}
    return Dataset.from_columns(columns, [f"k{x}" for x in y])


def trees(rows: Dataset) -> list[Tree]:
    models = [
        GreedyTreeClassifier(max_leaf_nodes=9, nominal_splits="groups"),
        GreedyTreeClassifier(),
        GreedyTreeClassifier(missing="most_frequent", cost_matrix={("k0", "k1"): 3}),
        GreedyTreeClassifier.c45(collapse=False),
        OptimalTreeClassifier(max_depth=2),
    ]
    found = [model.fit(rows).tree_ for model in models]
    found.append(FixedDepthTreeClassifier(max_depth=3, n_bins=3).fit(rows).threshold_tree())
    return found


def same_below(tree: Tree, node: int) -> bool:
    """Whether a node and all below it have one class."""
    below = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
    return all(tree.node_class[child] == tree.node_class[node] and same_below(tree, child) for child in below)


def slow_size(tree: Tree, node: int = 0) -> int:
    """Count leaves, those of one class side by side as one."""
    if same_below(tree, node):
        return 1
    below = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
    leaves = [int(tree.node_class[child]) for child in below if same_below(tree, child)]
    others = [child for child in below if not same_below(tree, child)]
    n_parts = len(set(leaves)) + len(others)
    is_set = tree.kind[node] == 1 and len(below) > 2 and n_parts == 2
    return (len(set(leaves)) if is_set else len(leaves)) + sum(slow_size(tree, child) for child in others)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 3))
def test_merged_leaves_answer_the_same(seed: int, n_classes: int) -> None:
    rows, new = table(seed, 60, n_classes), table(seed + 1, 200, n_classes)
    for tree in trees(rows):
        merged = tree.with_merged_leaves()
        assert (merged.predict(new) == tree.predict(new)).all()
        assert (merged.predict(rows) == tree.predict(rows)).all()
        assert merged.n_leaves == slow_size(tree)
        assert merged.with_merged_leaves() is merged
        assert Tree.from_json(merged.to_json()) == merged
        is_leaf = merged.n_children == 0
        assert merged.class_weights[is_leaf].sum(axis=0) == pytest.approx(tree.class_weights[0])
        assert merged.export_text()


def test_a_leaf_that_stands_for_several_has_their_weights() -> None:
    rows = Dataset.from_columns({"b": list("aabbccc")}, ["no", "no", "yes", "no", "yes", "yes", "yes"])
    tree = GreedyTreeClassifier(min_samples_leaf=1).fit(rows).tree_
    assert tree.n_leaves == 3
    merged = tree.with_merged_leaves()
    assert merged.export_text().split() == ["b", "in", "{c}:", "yes", "b", "not", "in", "{c}:", "no"]
    assert merged.class_weights.tolist() == [[3, 4], [0, 3], [3, 1]]
    assert merged.predict_proba(rows)[2].tolist() == [0.75, 0.25]


def test_shares_of_a_missing_value_add_up_as_before() -> None:
    rows = table(3)
    tree = GreedyTreeClassifier(max_depth=1).fit(rows).tree_
    gaps = Dataset.from_columns({"a": [np.nan, 0.0], "b": [None, "v1"], "c": [None, "w1"]})
    merged = tree.with_merged_leaves()
    assert merged.predict_proba(gaps)[0] == pytest.approx(tree.predict_proba(gaps)[0])


def test_a_tree_is_cut_at_a_depth() -> None:
    rows = table(5)
    grown = GreedyTreeClassifier().fit(rows).tree_
    assert grown.cut_at_depth(grown.max_depth) is grown
    assert grown.cut_at_depth(0).class_weights.tolist() == grown.class_weights[:1].tolist()
    planes = MultivariateTreeClassifier(max_depth=2, alpha=None)
    for depth in (1, 2):
        assert grown.cut_at_depth(depth) == GreedyTreeClassifier(max_depth=depth).fit(rows).tree_
    assert planes.fit(rows).tree_.cut_at_depth(1) == planes.set_params(max_depth=1).fit(rows).tree_


def test_a_depth_is_a_whole_number() -> None:
    with pytest.raises(ParameterError, match="depth=-1"):
        GreedyTreeClassifier().fit(table(0)).tree_.cut_at_depth(-1)
