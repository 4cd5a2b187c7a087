"""The tree: its arrays, what it predicts, how it travels."""

import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from treewright import Dataset, FormatError, GreedyTreeClassifier, ParameterError, Tree, export_text

ARRAYS = (
    "kind",
    "feature",
    "threshold",
    "first_child",
    "n_children",
    "parent",
    "depth",
    "node_class",
    "weight",
    "class_weights",
)


def mixed_frame(n=200, seed=0):
    """Make a numeric and two nominal columns with missing values, and four classes."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n).round(2)
    colour = rng.choice(["red", "green", "blue"], n)
    shape = rng.choice(["round", "square"], n)
    y = np.where(size > 0.5, "big", np.where(colour == "red", "red", shape))
    frame = pd.DataFrame({"size": size, "colour": colour, "shape": shape}).astype(
        {"colour": pd.CategoricalDtype(["red", "green", "blue", "grey"]), "shape": "category"}
    )
    return frame.mask(rng.random(frame.shape) < 0.1), y


@pytest.fixture(scope="module")
def mixed():
    return mixed_frame()


@pytest.fixture(scope="module")
def tree(mixed):
    return GreedyTreeClassifier().fit(*mixed).tree_


# Arrays.


def test_arrays_have_one_entry_a_node_and_are_read_only(tree):
    for name in ARRAYS:
        array = getattr(tree, name)
        assert len(array) == tree.n_nodes, name
        assert not array.flags.writeable, name
    assert tree.class_weights.shape == (tree.n_nodes, tree.n_classes)


def test_children_are_numbered_in_a_row_after_their_parent(tree):
    for node in np.flatnonzero(tree.kind):
        children = np.arange(tree.n_children[node]) + tree.first_child[node]
        assert children[0] > node
        assert (tree.parent[children] == node).all()
        assert (tree.depth[children] == tree.depth[node] + 1).all()
    assert tree.parent[0] == -1
    assert tree.n_children.sum() == tree.n_nodes - 1


def test_leaves_have_no_test(tree):
    leaves = tree.kind == 0
    assert leaves.sum() == tree.n_leaves
    assert (tree.feature[leaves] == -1).all()
    assert (tree.first_child[leaves] == -1).all()
    assert (tree.n_children[leaves] == 0).all()
    assert np.isnan(tree.threshold[tree.kind != 2]).all()


def test_splits_by_value_have_a_child_for_every_declared_level(tree):
    by_value = np.flatnonzero(tree.kind == 1)
    assert by_value.size
    for node in by_value:
        assert tree.n_children[node] == len(tree.levels[tree.feature[node]])
    assert (tree.n_children[tree.kind == 2] == 2).all()


def test_weights_of_children_sum_to_their_parent(tree):
    for node in np.flatnonzero(tree.kind):
        children = np.arange(tree.n_children[node]) + tree.first_child[node]
        np.testing.assert_allclose(tree.weight[children].sum(), tree.weight[node], rtol=1e-9)
    np.testing.assert_allclose(tree.class_weights.sum(axis=1), tree.weight, rtol=1e-9)
    assert tree.weight[0] == 200


def test_sizes_and_names(tree, mixed):
    assert tree.max_depth == tree.depth.max()
    assert tree.used_features.tolist() == sorted(set(tree.feature) - {-1})
    assert tree.feature_names == list(mixed[0].columns)
    assert tree.levels[0] is None
    assert tree.levels[1] == ["red", "green", "blue", "grey"]
    assert tree.n_features == 3
    assert tree.classes_.tolist() == ["big", "red", "round", "square"]
    assert tree.routing == "distribute"
    assert repr(tree) == f"Tree(n_nodes={tree.n_nodes}, n_leaves={tree.n_leaves}, max_depth={tree.max_depth})"


def test_importances_are_shares(tree):
    importances = tree.feature_importances()
    assert importances.shape == (3,)
    assert importances.sum() == pytest.approx(1)
    assert (importances >= 0).all()


@pytest.mark.parametrize(
    ("labels", "kind"), [([3, 1], "i"), (["b", "a"], "U"), ([True, False], "b"), ([1.0, 2.0], "f")]
)
def test_classes_keep_their_type(labels, kind):
    tree = GreedyTreeClassifier().fit([[0.0], [1.0]], np.array(labels)).tree_
    back = Tree.from_json(tree.to_json())
    assert back.classes_.dtype.kind == kind
    assert back.predict([[0.0], [1.0]]).tolist() == labels


# Prediction.


def test_prediction_is_the_class_with_the_largest_share(tree, mixed):
    shares = tree.predict_proba(mixed[0])
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_array_equal(tree.predict(mixed[0]), tree.classes_[shares.argmax(axis=1)])


def test_leaf_shares_sum_to_one_and_apply_takes_the_largest(tree, mixed):
    shares = tree.leaf_shares(mixed[0])
    assert shares.shape == (200, tree.n_nodes)
    assert (tree.kind[shares.indices] == 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_array_equal(tree.apply(mixed[0]), shares.toarray().argmax(axis=1))


def test_sample_without_missing_values_is_whole_in_one_leaf(tree, mixed):
    whole = mixed[0].notna().all(axis=1).to_numpy()
    shares = tree.leaf_shares(mixed[0][whole])
    assert (np.diff(shares.indptr) == 1).all()
    assert (shares.data == 1).all()


def test_decision_path_is_all_that_leads_to_the_leaves(tree, mixed):
    paths = tree.decision_path(mixed[0]).toarray()
    leaves = tree.leaf_shares(mixed[0]).toarray() > 0
    assert set(np.unique(paths)) == {0, 1}
    assert (paths[:, 0] == 1).all()
    assert ((paths > 0) & (tree.kind == 0) == leaves).all()
    reached = paths[:, 1:] > 0
    assert (paths[:, tree.parent[1:]][reached] == 1).all()


def test_unseen_level_counts_as_missing(tree):
    seen = pd.DataFrame({"size": [0.0], "colour": [None], "shape": ["round"]})
    unseen = seen.assign(colour=["pink"])
    np.testing.assert_array_equal(tree.predict_proba(unseen), tree.predict_proba(seen))


def test_dataset_is_as_good_as_a_frame(tree, mixed):
    np.testing.assert_array_equal(tree.predict(Dataset(mixed[0])), tree.predict(mixed[0]))


def test_frame_in_another_order_is_matched_by_name(tree, mixed):
    expected = tree.predict(mixed[0])
    assert tree.predict(mixed[0][["colour", "size", "shape"]]).tolist() == expected.tolist()


# Travelling.


def test_json_round_trip_is_exact(tree, mixed):
    text = tree.to_json()
    back = Tree.from_json(text)
    assert back == tree
    assert back.to_json() == text
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(back, name), getattr(tree, name), err_msg=name)
    np.testing.assert_array_equal(back.predict_proba(mixed[0]), tree.predict_proba(mixed[0]))


def test_json_keeps_every_bit_of_a_threshold():
    X = [[0.1 + 0.2], [5e-324], [1e-7], [-1e300], [1e39], [0.0]]
    tree = GreedyTreeClassifier().fit(X, [0, 1, 0, 1, 0, 1]).tree_
    back = Tree.from_json(json.dumps(json.loads(tree.to_json())))
    np.testing.assert_array_equal(back.threshold, tree.threshold)


def test_json_carries_schema_and_format_number(tree):
    document = json.loads(tree.to_json())
    assert any("format" in key for key in document)


@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", "nonsense", '{"format": 999999}'])
def test_other_text_is_refused(text):
    with pytest.raises(FormatError):
        Tree.from_json(text)


def test_future_version_is_named_whatever_its_fields():
    text = '{"format": "treewright-tree", "version": 7, "shape": []}'
    with pytest.raises(FormatError, match="its version is 7, and this release reads 1 and 2"):
        Tree.from_json(text)


def test_damaged_json_is_refused(tree):
    text = tree.to_json()
    for cut in (1, len(text) // 3, len(text) // 2, len(text) - 1):
        with pytest.raises(FormatError):
            Tree.from_json(text[:cut])


def test_copies_are_the_tree_itself_and_pickles_are_equal(tree):
    assert copy.copy(tree) is tree
    assert copy.deepcopy(tree) is tree
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(tree, protocol)) == tree


def test_equal_trees_have_equal_hashes(tree, mixed):
    again = GreedyTreeClassifier().fit(*mixed).tree_
    other = GreedyTreeClassifier(max_depth=1).fit(*mixed).tree_
    assert again == tree
    assert hash(again) == hash(tree)
    assert other != tree
    assert tree != "tree"
    assert len({tree, again, other}) == 2


def test_tree_cannot_be_changed(tree):
    with pytest.raises(AttributeError):
        tree.n_nodes = 3
    with pytest.raises(AttributeError):
        tree.anything = 3


# Text.


def test_text_of_a_tree_and_of_its_estimator_are_the_same(mixed):
    model = GreedyTreeClassifier(max_depth=2).fit(*mixed)
    assert export_text(model) == export_text(model.tree_) == model.tree_.export_text()


def test_text_names_features_levels_and_classes(tree):
    text = tree.export_text()
    for word in ("size", "colour", "grey", "big", "square"):
        assert word in text


def test_text_leaves_out_what_lies_deeper(tree):
    lengths = [len(tree.export_text(max_depth=depth).splitlines()) for depth in range(tree.max_depth)]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]


def test_text_rounds_when_asked():
    tree = GreedyTreeClassifier().fit([[1 / 3], [2 / 3]], [0, 1]).tree_
    assert "0.3333333333333333" in tree.export_text()
    assert "0.33" in tree.export_text(decimals=2)
    assert "0.333" not in tree.export_text(decimals=2)


def test_text_writes_quinlans_counts():
    tree = GreedyTreeClassifier(max_depth=1).fit([[0], [0], [0], [1]], ["a", "a", "b", "b"]).tree_
    text = tree.export_text(show_errors=True)
    assert "(3/1)" in text.replace(".0", "")
    assert "(1)" in text.replace(".0", "")


@pytest.mark.parametrize(
    "options", [{"max_depth": -1}, {"decimals": -1}, {"decimals": 2.5}, {"max_depth": "2"}]
)
def test_text_options_are_checked(tree, options):
    with pytest.raises(ParameterError, match=next(iter(options))):
        tree.export_text(**options)


def test_huge_text_options_are_no_limit(tree):
    assert tree.export_text(max_depth=10**12) == tree.export_text()
    assert tree.export_text(decimals=10**6)


def test_text_needs_a_tree():
    with pytest.raises(TypeError):
        export_text("tree")


def test_iris_is_learned():
    X, y = load_iris(return_X_y=True)
    assert GreedyTreeClassifier().fit(X, y).score(X, y) == 1.0
