"""`Dataset`: frozen, picklable, taken in place of X.

Inner names, as in unit tests: `data.dataset`: a column is looked at before it is part of a table.
"""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score, train_test_split

from tables import assert_same_dataset
from treewright import Dataset, FormatError, GreedyTreeClassifier
from treewright.data.dataset import _restore, as_dataset
from treewright.datasets import make_random_table

NUMBERS = np.random.default_rng(0).normal(size=(40, 6)).round(3)
NUMBERS[::7, 2] = np.nan
TARGET = (NUMBERS[:, 0] > 0).astype(int)


def make_dataset():
    frame = pd.DataFrame({"size": ["S", None, "L", "S"], "n": [1.5, 2.0, np.nan, -1.0]})
    return Dataset(frame, ["yes", "no", "yes", "no"], sample_weight=[1, 2, 0.5, 1])


DATASETS = {
    "full": make_dataset,
    "numbers": lambda: Dataset(NUMBERS),
    "weights, no labels": lambda: Dataset(NUMBERS[:3], sample_weight=[1, 2, 1]),
    "one row": lambda: Dataset([["a", 1]], [True]),
    "all labels": lambda: Dataset(
        [["a", True], [1.5, 2]], np.array(["u", "v"], dtype=object), categorical_features=[0, 1]
    ),
}


@pytest.mark.parametrize("make", DATASETS.values(), ids=DATASETS)
def test_pickle_round_trip(make):
    dataset = make()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert_same_dataset(pickle.loads(pickle.dumps(dataset, protocol)), dataset)


def test_pickle_of_another_format_is_refused():
    _, (number, state) = make_dataset().__reduce__()
    with pytest.raises(
        FormatError, match=f"in format {number + 1}; this version of treewright reads format {number}"
    ):
        _restore(number + 1, state)


def test_copies_are_the_dataset_itself():
    dataset = make_dataset()
    assert copy.copy(dataset) is dataset
    assert copy.deepcopy(dataset) is dataset


@pytest.mark.parametrize("name", ["core", "target", "new"])
def test_dataset_cannot_change(name):
    dataset = make_dataset()
    with pytest.raises(AttributeError, match="a Dataset cannot change"):
        setattr(dataset, name, 1)
    with pytest.raises(AttributeError, match="a Dataset cannot change"):
        delattr(dataset, name)


def test_arrays_handed_out_are_copies():
    dataset, untouched = make_dataset(), make_dataset()
    for name in ("target", "classes", "sample_weight", "feature_names_in"):
        getattr(dataset, name)[:] = getattr(dataset, name)[0]
    dataset.column(1)[:] = 0
    assert_same_dataset(dataset, untouched)


@pytest.mark.parametrize(
    "rows",
    [
        [2, 0],
        np.array([2, 0]),
        np.array([-2, -4], dtype=np.int8),
        slice(2, None, -2),
        ([2, 0], ...),
    ],
)
def test_rows_are_taken_in_order(rows):
    part = make_dataset()[rows]
    assert part.levels == [["L", "S"], None]
    assert part.column(0).tolist() == [0, 1]
    np.testing.assert_array_equal(part.column(1), [np.nan, 1.5])
    assert part.target.tolist() == [1, 1]
    assert part.classes.tolist() == ["no", "yes"]
    assert part.sample_weight.tolist() == [0.5, 1.0]


def test_rows_are_taken_by_mask():
    assert make_dataset()[[True, False, False, True]].target.tolist() == [1, 0]


@pytest.mark.parametrize("seed", range(12))
def test_rows_taken_are_the_rows_handed_over(seed):
    rng = np.random.default_rng(seed)
    table = make_random_table(60, missing_share=0.1 * (seed % 3), random_state=seed)
    weights = rng.integers(1, 4, 60) if seed % 2 else None
    data = Dataset(table, sample_weight=weights)
    rows = rng.integers(60, size=rng.integers(1, 80))
    levels = {name: known for name, known in zip(data.feature_names, data.levels, strict=True) if known}
    columns = {
        name: column[rows] if known is None else [None if code < 0 else known[code] for code in column[rows]]
        for name, known, column in zip(data.feature_names, data.levels, data.columns(), strict=True)
    }
    labels = data.classes[data.target[rows]]
    own = None if weights is None else weights[rows]
    alone = as_dataset(Dataset.from_columns(columns, levels=levels), labels, sample_weight=own)
    taken = data[rows]
    assert [a.tolist() for a in map(np.nan_to_num, taken.columns())] == [
        b.tolist() for b in map(np.nan_to_num, alone.columns())
    ]
    assert taken.levels == alone.levels
    if len(alone.classes) == len(taken.classes):
        grown = [GreedyTreeClassifier().fit(one).tree_.to_json() for one in (taken, alone)]
        assert grown[0] == grown[1]


def test_scikit_learn_splits_a_dataset():
    dataset = Dataset(NUMBERS, TARGET)
    first, second, *_ = train_test_split(dataset, TARGET, random_state=0)
    assert first.n_samples + second.n_samples == 40
    expected = cross_val_score(GreedyTreeClassifier(), NUMBERS, TARGET)
    np.testing.assert_array_equal(cross_val_score(GreedyTreeClassifier(), dataset, TARGET), expected)


def test_dataset_stands_in_for_x_everywhere():
    dataset = Dataset(NUMBERS, TARGET)
    assert as_dataset(dataset) is dataset
    estimator = GreedyTreeClassifier().fit(NUMBERS, TARGET)
    assert GreedyTreeClassifier().fit(dataset).tree_ == estimator.tree_
    np.testing.assert_array_equal(estimator.predict(dataset), estimator.predict(NUMBERS))


def test_labels_and_weights_of_a_dataset_are_replaced():
    dataset = make_dataset()
    other = as_dataset(dataset, [3, 1, 1, 2], sample_weight=[1, 1, 0, 1])
    assert other.classes.tolist() == [1, 2, 3]
    assert other.target.tolist() == [2, 0, 1]
    assert other.sample_weight.tolist() == [1.0, 1.0, 1.0]
    assert other.levels == [["L", "S"], None]
    kept = as_dataset(dataset, [3, 1, 1, 2])
    assert kept.sample_weight.tolist() == [1.0, 2.0, 0.5, 1.0]
    assert as_dataset(dataset, sample_weight=[0, 1, 1, 1]).target.tolist() == [0, 1, 0]
    assert_same_dataset(Dataset(dataset), dataset)


@pytest.mark.parametrize("categorical_features", ["from_dtype", ["size"], [0], [True, False]])
def test_kinds_asked_of_a_dataset_may_agree(categorical_features):
    dataset = make_dataset()
    assert as_dataset(dataset, categorical_features=categorical_features) is dataset


def test_columns_by_name_with_levels_in_order():
    dataset = Dataset.from_columns(
        {"size": ["S", None, "L"], "n": (1, 2, None), "b": np.array([True, False, True])},
        ["u", "v", "u"],
        levels={"size": ["S", "M", "L"], "b": [True, False]},
        sample_weight=[1, 1, 2],
    )
    assert dataset.feature_names == ["size", "n", "b"]
    assert dataset.levels == [["S", "M", "L"], None, [True, False]]
    assert dataset.column(0).tolist() == [0, -1, 2]
    assert dataset.column(2).tolist() == [0, 1, 0]
    assert dataset.target.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            make_dataset,
            "<Dataset: 4 samples, 2 features (1 numeric, 1 nominal), 2 classes, weighted, 2 missing values>",
        ),
        (lambda: Dataset([[1]], [0]), "<Dataset: 1 sample, 1 feature (1 numeric), 1 class>"),
        (lambda: Dataset([[None]]), "<Dataset: 1 sample, 1 feature (1 nominal), 1 missing value>"),
    ],
)
def test_repr(make, text):
    assert repr(make()) == text


def test_describe():
    told = str(make_dataset().describe())
    assert "size     nominal  1 (25.0%)" in told
    assert "-1 to 2, median" in told
    assert "none known" in str(Dataset([[np.nan]]).describe())


def test_constant_missing_and_lone_columns_are_legal():
    X = [[1.0, None, np.nan, "a"], [1.0, None, np.nan, "a"]]
    dataset = Dataset(X, ["one", "one"])
    assert dataset.core.n_missing == [0, 2, 2, 0]
    tree = GreedyTreeClassifier().fit(dataset).tree_
    assert (tree.n_nodes, tree.max_depth) == (1, 0)
