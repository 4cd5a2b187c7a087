"""Every model asks for the columns that its rules use, and for no others."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_array, csr_array
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from commands import Run, runner
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    DataError,
    Dataset,
    FixedDepthTreeClassifier,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    RobustLinearClassifier,
    Tree,
)
from treewright.fixed_depth import fit_many

MODELS = {
    "greedy": GreedyTreeClassifier(max_depth=2),
    "large leaves": GreedyTreeClassifier(min_samples_split=40),
    "groups": GreedyTreeClassifier(nominal_splits="groups", max_leaf_nodes=4, missing="value"),
    "c45": GreedyTreeClassifier.c45(max_depth=2),
    "pruned": GreedyTreeClassifier(pruning="error_based", class_weight="balanced", min_samples_leaf=8),
    "minimal": MinimalTreeClassifier(max_pairs=300, max_bins=3),
    "fixed depth": FixedDepthTreeClassifier(max_depth=2),
    "plane": RobustLinearClassifier(),
    "tree of planes": MultivariateTreeClassifier(alpha=0.01),
    "backward": BackwardEliminationSelector(parsimonious=True, random_state=0),
    "forward": ForwardSelectionSelector(max_features=2, random_state=0),
    "complete": CompleteSearchSelector(max_features=2, random_state=0),
}
SELECTORS = ["backward", "forward", "complete"]
COLOURS = ["blue", "green", "red"]


@pytest.fixture(scope="module")
def table():
    """Eight columns: the class follows two numbers and a colour, with a little noise."""
    rng = np.random.default_rng(5)
    numbers = rng.integers(0, 9, (90, 6)).astype(float)
    colours = rng.choice(COLOURS, (90, 2))
    frame = pd.DataFrame(numbers, columns=list("abcdef")).assign(g=colours[:, 0], h=colours[:, 1])
    wrong = rng.random(90) < 0.05
    is_yes = ((frame["b"] + frame["e"] > 8) & (frame["g"] != "red")) ^ wrong
    return frame[list("agbchdef")], np.where(is_yes, "yes", "no")


@pytest.fixture(scope="module")
def fitted(table):
    return {name: clone(model).fit(*table) for name, model in MODELS.items()}


@pytest.fixture
def run(monkeypatch, capsys, tmp_path) -> Run:
    return runner(monkeypatch, capsys, tmp_path)


def used_by(model):
    """Return the names of the columns that the rules of a model use."""
    if isinstance(model, RobustLinearClassifier):
        return list(model.feature_names_in_[model.support_])
    tree = getattr(model, "refit_tree_", None) or model.tree_
    return [tree.feature_names[i] for i in tree.used_features]


def answers(model, X):
    """Return all that a model says of samples."""
    names = ("predict", "predict_proba", "predict_log_proba", "decision_function", "apply", "leaf_shares")
    said = [getattr(model, name)(X) for name in names if hasattr(model, name)]
    return [one.toarray() if hasattr(one, "toarray") else one for one in said]


def assert_same(one, two):
    for mine, other in zip(one, two, strict=True):
        np.testing.assert_array_equal(mine, other)


JUNK = {
    "inf": np.inf,
    "missing": None,
    "text": "?",
    "bytes": b"raw",
    "date": pd.Timestamp("2026-01-30"),
    "large": 2**60 + 1,
    "list": [1, 2],
}


@pytest.mark.parametrize("name", MODELS)
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_unused_columns_say_nothing(name, fitted, table, data):
    model, frame = fitted[name], table[0]
    used = used_by(model)
    assert 0 < len(used) < 8, "the test says something"
    others = [column for column in frame if column not in used]
    kept = data.draw(st.permutations([*used, *data.draw(st.sets(st.sampled_from(others)))]))
    junk = data.draw(st.dictionaries(st.sampled_from([*others, "new", 2026]), st.sampled_from(sorted(JUNK))))
    given_frame = frame[kept].copy()
    for column, what in junk.items():
        given_frame[column] = pd.Series([JUNK[what]] * len(frame), dtype=object)
    assert_same(answers(model, given_frame), answers(model, frame))
    tree = getattr(model, "refit_tree_", getattr(model, "tree_", None))
    if tree is not None and not hasattr(model, "bin_edges_"):
        assert_same(answers(Tree.from_json(tree.to_json()), given_frame), answers(tree, frame))


@pytest.mark.parametrize("name", MODELS)
def test_arrays_are_read_by_position(name, fitted, table):
    model, frame = fitted[name], table[0]
    array = frame.to_numpy(dtype=object)
    for position, column in enumerate(frame):
        if column not in used_by(model):
            array[:, position] = [np.inf, "?", b"raw"] * 30
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        found = model.predict(array)
    np.testing.assert_array_equal(found, model.predict(frame))
    with pytest.raises(DataError, match="X has 7 features"), pytest.warns(UserWarning, match="valid feature"):
        model.predict(array[:, :7])


@pytest.mark.parametrize("name", MODELS)
def test_a_used_column_is_asked_for_by_name(name, fitted, table):
    model, frame = fitted[name], table[0]
    last = used_by(model)[-1]
    for X in (frame.drop(columns=last), Dataset(frame.drop(columns=last)), frame.rename(columns={last: "Z"})):
        with pytest.raises(DataError, match=f"has no column '{last}'.* uses.*Add the column") as caught:
            model.predict(X)
        assert caught.value.feature == last


@pytest.mark.parametrize("name", SELECTORS)
@pytest.mark.parametrize("convert", [pd.DataFrame.to_numpy, pl.from_pandas, lambda X: X, Dataset])
@pytest.mark.filterwarnings("ignore:X ")
def test_a_selector_predicts_from_what_it_transforms(name, table, convert):
    X, y = convert(table[0]), table[1]
    model = clone(MODELS[name]).fit(X, y)
    chosen = model.transform(X)
    assert 0 < chosen.shape[1] < 8
    assert_same(answers(model, chosen), answers(model, X))


def test_a_selection_of_nothing_predicts_from_nothing():
    X, y = np.zeros((40, 3)), [0, 1] * 20
    model = BackwardEliminationSelector(parsimonious=True, random_state=0).fit(X, y)
    with pytest.warns(UserWarning, match="No features were selected"):
        nothing = model.transform(X)
    assert model.predict(nothing).tolist() == [0] * 40


LABELS = {
    "years": list(range(2010, 2018)),
    "tuples": [("a", i) for i in range(8)],
    "floats": [i / 2 for i in range(8)],
    "positions": list(range(8)),
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_names_that_are_no_text_are_matched_too(labels, table):
    frame, y = table[0].set_axis(pd.Index(labels, tupleize_cols=False), axis=1), table[1]
    model = GreedyTreeClassifier(max_depth=2).fit(frame, y)
    assert not hasattr(model, "feature_names_in_")
    used = [labels[i] for i in model.tree_.used_features]
    few = frame[used[::-1]]
    np.testing.assert_array_equal(model.predict(few), model.predict(frame))
    np.testing.assert_array_equal(model.predict(Dataset(few)), model.predict(frame))
    with pytest.raises(DataError):
        model.predict(frame[used[1:]])
    if labels != LABELS["positions"]:
        np.testing.assert_array_equal(model.tree_.predict(few), model.predict(frame))
        texts = few.set_axis([str(label) for label in few], axis=1)
        np.testing.assert_array_equal(model.predict(texts), model.predict(frame))


def test_trees_of_many_weightings_ask_for_what_they_use(table):
    frame, y = table
    trees = fit_many(frame, np.ones((2, 90)), y, model=FixedDepthTreeClassifier(max_depth=2))
    used = [list(frame)[i] for i in trees.trees[0].used_features]
    np.testing.assert_array_equal(trees.predict(frame[used]), trees.predict(frame))


def test_a_column_that_a_plane_weighs_with_0_is_not_used():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    tree = RobustLinearClassifier().fit(X, np.where(X["a"] > X["c"], "x", "y")).to_tree(X)
    document = json.loads(tree.to_json())
    (plane,) = document["planes"]
    assert [feature for feature, _ in plane["weights"]] == [0, 2]
    plane["weights"].insert(1, [1, 0.0])
    weighed = Tree.from_json(json.dumps(document))
    assert weighed.used_features.tolist() == [0, 2]
    np.testing.assert_array_equal(weighed.predict(X[["c", "a"]]), tree.predict(X))
    np.testing.assert_array_equal(weighed.predict(X.assign(b=np.nan)), tree.predict(X))


def test_the_command_line_asks_for_what_is_used(table, tmp_path, run):
    frame, y = table
    frame.assign(y=y).to_csv(tmp_path / "all.csv", index=False)
    run("fit", tmp_path / "all.csv", "--target", "y", "--max-depth", "2", "--out", tmp_path / "tree.json")
    tree = Tree.from_json((tmp_path / "tree.json").read_text())
    used = [tree.feature_names[i] for i in tree.used_features]
    frame[used[::-1]].assign(q="?").to_csv(tmp_path / "few.csv", index=False)
    assert run("predict", tmp_path / "tree.json", tmp_path / "few.csv").out.split()[1:] == [
        *tree.predict(frame)
    ]
    frame[used[1:]].to_csv(tmp_path / "less.csv", index=False)
    failed = run("predict", tmp_path / "tree.json", tmp_path / "less.csv")
    assert failed.code == 1
    assert f"less.csv has no column '{used[0]}'" in failed.err


# As other tools of scikit-learn have it.


@pytest.mark.parametrize("name", MODELS)
def test_a_dataset_is_scored_by_its_own_target(name, fitted, table):
    model, (X, y) = fitted[name], table
    assert model.score(Dataset(X, y)) == model.score(X, y)
    weights = np.arange(90) % 3
    assert model.score(Dataset(X, y, sample_weight=weights)) == pytest.approx(model.score(X, y, weights))
    with pytest.raises(DataError, match="requires y"):
        model.score(X)


def test_cross_validation_of_a_dataset_by_its_own_target(table):
    model = GreedyTreeClassifier(max_depth=2)
    scores = cross_val_score(model, Dataset(*table), cv=3)
    np.testing.assert_array_equal(scores, cross_val_score(model, *table, cv=[*folds_in_order(90)]))


def folds_in_order(n_rows):
    """Yield three folds of neighbours, which is what no target leads to."""
    for test in np.split(np.arange(n_rows), 3):
        yield np.setdiff1d(np.arange(n_rows), test), test


@pytest.mark.parametrize("make", [csr_array, csc_array])
@pytest.mark.parametrize("name", MODELS)
def test_sparse_is_dense(name, table, make):
    X = table[0].drop(columns=["g", "h"]).to_numpy() * (np.arange(6) % 2)
    model = clone(MODELS[name])
    sparse = clone(model).fit(make(X), table[1])
    model.fit(X, table[1])
    assert_same(answers(sparse, make(X)), answers(model, X))


@pytest.mark.parametrize("model", [MinimalTreeClassifier, CompleteSearchSelector, Dataset])
def test_sparse_has_to_fit_in_memory(model, table):
    X = csr_array(table[0].drop(columns=["g", "h"]).to_numpy())
    with pytest.raises(DataError, match=r"90 x 6 values take 4,320 bytes .* the limit of 4,319"):
        Dataset(X, memory_limit=4319) if model is Dataset else model(memory_limit=4319).fit(X, table[1])
