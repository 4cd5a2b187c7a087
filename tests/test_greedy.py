"""The greedy tree: parameters, growing, missing values, weights."""

import inspect
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from treewright import DataError, Dataset, GreedyTreeClassifier, ParameterError, TreewrightError

NAN = np.nan


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def shape(model):
    """Describe a tree without its weights: features, thresholds and classes in order of nodes."""
    tree = model.tree_
    return tree.feature.tolist(), np.nan_to_num(tree.threshold, nan=-1).tolist(), tree.node_class.tolist()


# Parameters.

CONSTRUCTOR = {
    "criterion": "info_gain",
    "growth": "standard",
    "min_samples_split": 2,
    "min_samples_leaf": 1,
    "min_samples_branch": 1,
    "min_gain": 0.0,
    "mdl_correction": None,
    "collapse": None,
    "average_gain": None,
    "max_depth": None,
    "max_leaf_nodes": None,
    "nominal_splits": "multiway",
    "missing": "distribution",
    "pruning": None,
    "class_weight": None,
    "cost_matrix": None,
    "probability": "weighted",
    "smoothing": None,
    "categorical_features": "from_dtype",
    "n_jobs": None,
}


def test_constructor_is_the_agreed_one():
    parameters = inspect.signature(GreedyTreeClassifier).parameters.values()
    assert {p.name: p.default for p in parameters} == CONSTRUCTOR
    assert {p.kind for p in parameters} == {inspect.Parameter.KEYWORD_ONLY}


WRONG = [
    ("criterion", "log_loss", "'info_gain', 'gain_ratio' or 'gini'"),
    ("criterion", None, "'info_gain', 'gain_ratio' or 'gini'"),
    ("growth", "cart", "'standard', 'id3' or 'c45'"),
    ("min_samples_split", 0, "a finite number above 0"),
    ("min_samples_split", "2", "a finite number above 0"),
    ("min_samples_split", True, "a finite number above 0"),
    ("min_samples_split", NAN, "a finite number above 0"),
    ("min_samples_leaf", -1, "a finite number of at least 0"),
    ("min_samples_branch", -1, "a finite number of at least 0"),
    ("min_gain", -0.1, "a finite number of at least 0"),
    ("min_gain", np.inf, "a finite number of at least 0"),
    ("mdl_correction", 1, "True or False"),
    ("collapse", "yes", "True or False"),
    ("average_gain", 0, "True or False"),
    ("max_leaf_nodes", 0, "None or an int of at least 1"),
    ("max_depth", -1, "None or an int of at least 0"),
    ("max_depth", 2.0, "None or an int of at least 0"),
    ("nominal_splits", "binary", "'multiway', 'groups' or 'one_value'"),
    ("missing", "mean", "'distribution', 'most_frequent', 'value' or 'raise'"),
    ("pruning", 3, "give one of treewright.pruning"),
    ("class_weight", "even", "None or 'balanced' or a dict"),
    ("class_weight", [1, 2, 3], "None or 'balanced' or a dict"),
    ("class_weight", {0: -1}, "a finite number above 0"),
    ("class_weight", {"setosa": 2}, "'setosa', which is no class"),
    ("n_jobs", 0, "use -1 for every core"),
    ("n_jobs", 1.5, "use -1 for every core"),
]


def test_every_criterion_is_told(iris):
    told = re.search(r"criterion : \{(.*)\}", GreedyTreeClassifier.__doc__)[1]
    with pytest.raises(ParameterError) as caught:
        GreedyTreeClassifier(criterion="").fit(*iris)
    assert re.findall(r"'(\w+)'", str(caught.value)) == re.findall(r'"(\w+)"', told)


@pytest.mark.parametrize(("name", "value", "words"), WRONG, ids=lambda value: repr(value)[:24])
def test_wrong_parameter_is_named_in_fit(iris, name, value, words):
    model = GreedyTreeClassifier(**{name: value})
    with pytest.raises(ParameterError) as caught:
        model.fit(*iris)
    assert name in str(caught.value)
    assert words in str(caught.value)
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"criterion": "gini"}, "not in bits; choose criterion='info_gain' or 'gain_ratio'"),
        ({"growth": "id3"}, "ID3 takes none; choose growth='standard' or mdl_correction=False"),
    ],
    ids=repr,
)
def test_mdl_correction_is_refused_where_it_means_nothing(iris, other, words):
    with pytest.raises(ParameterError) as caught:
        GreedyTreeClassifier(mdl_correction=True, **other).fit(*iris)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "parameters",
    [
        {"min_samples_split": np.float32(4)},
        {"min_samples_split": 1},
        {"min_samples_split": 1e300},
        {"min_samples_branch": 0},
        {"mdl_correction": np.True_},
        {"max_depth": np.int64(2)},
        {"max_depth": 0},
        {"n_jobs": -1},
        {"class_weight": {0: 2, 1: 1, 2: 0.5, 99: 3}},
    ],
    ids=repr,
)
def test_legal_parameter_is_taken(iris, parameters):
    assert GreedyTreeClassifier(**parameters).fit(*iris).tree_.n_nodes >= 1


def test_id3_sets_its_defaults_and_anything_passed_wins():
    model = GreedyTreeClassifier.id3(missing="raise", n_jobs=2)
    parameters = model.get_params()
    assert parameters["growth"] == "id3"
    assert parameters["criterion"] == "info_gain"
    assert parameters["min_samples_split"] == 1
    assert parameters["min_samples_branch"] == 0
    assert parameters["missing"] == "raise"
    assert parameters["n_jobs"] == 2


def test_c45_sets_its_defaults_and_anything_passed_wins():
    model = GreedyTreeClassifier.c45(min_samples_branch=5, missing="value")
    parameters = model.get_params()
    assert parameters["growth"] == "c45"
    assert parameters["criterion"] == "gain_ratio"
    assert parameters["min_samples_branch"] == 5
    assert parameters["missing"] == "value"
    assert repr(parameters["pruning"]) == "ErrorBasedPruning()"
    assert GreedyTreeClassifier.c45(pruning=None).pruning is None
    assert GreedyTreeClassifier.c45().pruning is not GreedyTreeClassifier.c45().pruning


def test_everything_learned_needs_a_fit():
    model = GreedyTreeClassifier()
    for name in ("predict", "predict_proba", "apply", "decision_path", "leaf_shares"):
        with pytest.raises(NotFittedError):
            getattr(model, name)([[1.0]])
    for name in ("get_depth", "get_n_leaves"):
        with pytest.raises(NotFittedError):
            getattr(model, name)()
    assert not hasattr(model, "feature_importances_")


# Growing.


def test_numeric_threshold_is_a_value_of_the_data():
    model = GreedyTreeClassifier().fit([[1.0], [2.0], [5.0], [9.0]], [0, 0, 1, 1])
    assert model.tree_.threshold[0] == 2.0
    assert model.predict([[2.0], [2.1], [5.0]]).tolist() == [0, 1, 1]


def test_thresholds_have_64_bits():
    model = GreedyTreeClassifier().fit([[0.0], [1e-7], [1e39], [1e300]], [0, 1, 0, 1])
    assert model.score([[0.0], [1e-7], [1e39], [1e300]], [0, 1, 0, 1]) == 1


def test_nominal_feature_splits_by_every_declared_value():
    colour = pd.Categorical(["red", "blue", "red", "blue"], categories=["red", "green", "blue"])
    model = GreedyTreeClassifier().fit(pd.DataFrame({"colour": colour}), ["a", "b", "a", "b"])
    assert model.tree_.n_children[0] == 3
    assert model.tree_.weight.tolist() == [4, 2, 0, 2]
    assert model.predict_proba(pd.DataFrame({"colour": ["green"]})).tolist() == [[1, 0]]


def test_xor_stops_standard_growth_but_not_id3():
    X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    y = [0, 1, 1, 0]
    assert GreedyTreeClassifier().fit(X, y).tree_.n_nodes == 1
    assert GreedyTreeClassifier.id3().fit(X, y).tree_.n_nodes == 7


def test_id3_takes_nominal_features_only():
    with pytest.raises(TreewrightError, match="width"):
        GreedyTreeClassifier.id3().fit(pd.DataFrame({"width": [1.0, 2.0]}), [0, 1])


@pytest.mark.parametrize("criterion", ["gini", "gain_ratio"])
def test_id3_scores_by_information_gain_only(criterion):
    with pytest.raises(ParameterError, match="does not go with growth='id3'"):
        GreedyTreeClassifier.id3(criterion=criterion).fit([["a"], ["b"]], [0, 1])


def test_id3_tests_a_feature_once_a_path():
    X = [["a"], ["a"], ["b"]]
    model = GreedyTreeClassifier.id3().fit(X, [0, 1, 1])
    assert model.get_depth() == 1


@pytest.mark.parametrize("criterion", ["info_gain", "gain_ratio", "gini"])
def test_every_criterion_learns_iris(iris, criterion):
    X, y = iris
    model = GreedyTreeClassifier(criterion=criterion).fit(X, y)
    assert model.score(X, y) == 1
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.get_n_leaves() == (model.tree_.kind == 0).sum()


def test_mdl_correction_keeps_off_numbers_without_meaning():
    rng = np.random.default_rng(0)
    meaningful, noise = rng.integers(0, 2, 200), rng.normal(size=200)
    y = np.where(rng.random(200) < 0.2, 1 - meaningful, meaningful)
    X = np.column_stack([meaningful, noise])
    assert GreedyTreeClassifier(min_samples_branch=2).fit(X, y).get_n_leaves() > 40
    corrected = GreedyTreeClassifier(min_samples_branch=2, mdl_correction=True, max_depth=2).fit(X, y)
    assert corrected.tree_.used_features.tolist() == [0]


@pytest.mark.parametrize(
    ("parameters", "n_leaves"),
    [
        ({"max_depth": 0}, 1),
        ({"max_depth": 1}, 2),
        ({"min_samples_split": 151}, 1),
        ({"min_samples_split": 150}, 2),
        ({"min_samples_branch": 76}, 1),
        ({"min_samples_leaf": 76}, 1),
        ({"max_leaf_nodes": 4}, 4),
        ({"min_gain": 1.0}, 1),
        ({"min_gain": 0.9, "max_depth": 1}, 2),
    ],
    ids=repr,
)
def test_growing_stops_where_told(iris, parameters, n_leaves):
    model = GreedyTreeClassifier(**parameters).fit(*iris)
    if parameters.get("min_samples_split") == 150:
        assert model.get_depth() == 1
    assert model.get_n_leaves() == n_leaves


def test_lone_leaf():
    model = GreedyTreeClassifier().fit([[1.0], [2.0]], ["only", "only"])
    assert (model.get_depth(), model.get_n_leaves(), model.tree_.n_nodes) == (0, 1, 1)
    assert model.feature_importances_.tolist() == [0]
    assert model.predict([[NAN]]).tolist() == ["only"]


def test_copy_of_a_column_is_never_used(iris):
    X, y = iris
    assert shape(GreedyTreeClassifier().fit(np.hstack([X, X]), y)) == shape(GreedyTreeClassifier().fit(X, y))


@pytest.mark.parametrize("seed", range(5))
def test_order_of_samples_and_layout_change_nothing(iris, seed):
    X, y = iris
    order = np.random.default_rng(seed).permutation(len(y))
    expected = GreedyTreeClassifier().fit(X, y).tree_
    assert GreedyTreeClassifier().fit(X[order], y[order]).tree_ == expected
    assert GreedyTreeClassifier().fit(np.asfortranarray(X), y).tree_ == expected
    assert GreedyTreeClassifier().fit(X[::-1], y[::-1]).tree_ == expected


def test_dataset_in_place_of_a_table(iris):
    X, y = iris
    expected = GreedyTreeClassifier().fit(X, y)
    model = GreedyTreeClassifier().fit(Dataset(X, y))
    assert model.tree_ == expected.tree_
    assert model.n_features_in_ == 4
    np.testing.assert_array_equal(model.predict(Dataset(X)), expected.predict(X))


# Weights.


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("criterion", ["info_gain", "gain_ratio", "gini"])
def test_weights_are_repeated_samples(criterion, missing):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 5, size=(40, 4)).astype(float)
    X[rng.random(X.shape) < missing] = NAN
    y = rng.integers(0, 3, size=40)
    weights = rng.integers(0, 4, size=40)
    weighted = GreedyTreeClassifier(criterion=criterion).fit(X, y, sample_weight=weights)
    repeated = GreedyTreeClassifier(criterion=criterion).fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert weighted.tree_ == repeated.tree_


def test_class_weight_is_a_factor_of_the_sample_weight(iris):
    X, y = iris
    y = y % 2
    by_class = GreedyTreeClassifier(class_weight={1: 3}).fit(X, y)
    by_sample = GreedyTreeClassifier().fit(X, y, sample_weight=np.where(y == 1, 3, 1))
    assert by_class.tree_ == by_sample.tree_


def test_balanced_classes_have_the_same_weight():
    X = np.arange(8.0)[:, None]
    model = GreedyTreeClassifier(class_weight="balanced", max_depth=0).fit(X, [0, 0, 0, 0, 0, 0, 1, 1])
    assert model.tree_.class_weights[0, 0] == pytest.approx(4, abs=1e-5)
    assert model.tree_.class_weights[0, 1] == pytest.approx(4, abs=1e-5)


def test_balanced_looks_at_sample_weights():
    X = np.arange(3.0)[:, None]
    weighted = GreedyTreeClassifier(class_weight="balanced").fit(X, [0, 1, 1], sample_weight=[6, 1, 1])
    repeated = GreedyTreeClassifier(class_weight="balanced").fit(
        X.repeat([6, 1, 1], axis=0), [0] * 6 + [1, 1]
    )
    assert weighted.tree_ == repeated.tree_


@pytest.mark.parametrize("weight", [-1.0, NAN, np.inf])
def test_weight_out_of_range_is_refused(iris, weight):
    X, y = iris
    weights = np.ones(150)
    weights[17] = weight
    with pytest.raises(DataError, match="17"):
        GreedyTreeClassifier().fit(X, y, sample_weight=weights)


# Missing values.


def test_missing_value_goes_down_every_branch():
    X = [[0.0], [0.0], [0.0], [1.0], [NAN]]
    model = GreedyTreeClassifier().fit(X, ["a", "a", "a", "b", "b"])
    assert model.tree_.routing == "distribute"
    np.testing.assert_allclose(model.tree_.weight[:3], [5, 3.75, 1.25])
    np.testing.assert_allclose(model.leaf_shares([[NAN]]).data, [0.75, 0.25])
    np.testing.assert_allclose(model.predict_proba([[NAN]]), [[0.6, 0.4]])


def test_most_frequent_value_takes_the_place_of_missing():
    X = pd.DataFrame({"colour": ["red", "red", "blue", None]}, dtype="category")
    model = GreedyTreeClassifier(missing="most_frequent").fit(X, [0, 0, 1, 0])
    assert model.tree_.routing == "node_majority"
    assert model.tree_.weight.tolist() == [4, 1, 3]
    assert model.predict(pd.DataFrame({"colour": [None]})).tolist() == [0]


def test_missing_can_be_a_value_of_its_own():
    X = pd.DataFrame({"colour": ["red", "blue", "red", None]}, dtype="category")
    model = GreedyTreeClassifier(missing="value").fit(X, [0, 1, 0, 1])
    assert model.tree_.n_children[0] == 3
    assert model.predict(X).tolist() == [0, 1, 0, 1]


def test_missing_number_as_a_value_is_above_all_numbers():
    model = GreedyTreeClassifier(missing="value").fit([[1.0], [2.0], [NAN]], [0, 0, 1])
    assert model.tree_.threshold[0] >= 2.0
    assert model.predict([[1.5], [2.0], [NAN]]).tolist() == [0, 0, 1]


def test_missing_value_can_be_an_error():
    X = pd.DataFrame({"height": [1.0, 2.0], "width": [1.0, NAN]})
    with pytest.raises(DataError, match=r"width.*1"):
        GreedyTreeClassifier(missing="raise").fit(X, [0, 1])


@pytest.mark.parametrize("missing", ["distribution", "most_frequent", "value"])
def test_column_of_nothing_but_missing_values_changes_nothing(iris, missing):
    X, y = iris
    wide = np.hstack([X, np.full((150, 1), NAN)])
    expected = GreedyTreeClassifier(missing=missing).fit(X, y)
    assert shape(GreedyTreeClassifier(missing=missing).fit(wide, y)) == shape(expected)
