"""Labels of any type, and weights.

Inner names, as in unit tests: `data.dataset`: a column is looked at before it is part of a table.
"""

import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning

from treewright import Dataset
from treewright.data.dataset import as_dataset

NUMBERS = np.random.default_rng(0).normal(size=(40, 6))


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["b", "a", "b"], np.array(["a", "b"])),
        (np.array(["b", "a", "b"]), np.array(["a", "b"])),
        (np.array(["b", "a", "b"], dtype=object), np.array(["a", "b"], dtype=object)),
        ([10, 9, 10], np.array([9, 10])),
        (np.array([10, 9, 10], dtype=np.int8), np.array([9, 10], dtype=np.int8)),
        (np.array([10, 9, 10], dtype=np.uint64), np.array([9, 10], dtype=np.uint64)),
        (np.array([1.0, 0.0, 1.0]), np.array([0.0, 1.0])),
        (np.array([1.0, 0.0, 1.0], dtype=np.float32), np.array([0.0, 1.0], dtype=np.float32)),
        (np.array([True, False, True]), np.array([False, True])),
        (np.array([True, False, True], dtype=object), np.array([False, True])),
        (np.array([3, 1, 3], dtype=object), np.array([1, 3])),
        ([2, 2, 2], np.array([2])),
        ([True, True, True], np.array([True])),
        (["c", "a", "b"], np.array(["a", "b", "c"])),
    ],
)
def test_classes_are_sorted_and_typed_as_numpy_does(labels, classes):
    dataset = Dataset(NUMBERS[:3], labels)
    np.testing.assert_array_equal(dataset.classes, classes, strict=True)
    assert dataset.classes[dataset.target].tolist() == list(labels)
    assert dataset.target.dtype == np.int32


@pytest.mark.parametrize("column", [np.array([[1], [0], [1]]), [[1], [0], [1]], [["b"], ["a"], ["b"]]])
def test_column_vector_warns_as_scikit_learn_does(column):
    with pytest.warns(
        DataConversionWarning, match="A column-vector y was passed when a 1d array was expected"
    ):
        dataset = Dataset(NUMBERS[:3], column)
    assert dataset.target.tolist() == [1, 0, 1]


def test_labels_nearly_all_different_warn_as_scikit_learn_does():
    with pytest.warns(UserWarning, match="The number of unique classes is greater than 50%"):
        Dataset(NUMBERS, np.minimum(np.arange(40), 38))  # all different: releases before 1.8 say nothing


def test_masked_labels_are_missing():
    with pytest.raises(ValueError, match="y has no label at row 1"):
        Dataset(NUMBERS[:3], np.ma.array([0, 1, 1], mask=[False, True, False]))


def test_class_of_weight_0_only_is_no_class():
    dataset = Dataset(NUMBERS[:3], ["a", "b", "c"], sample_weight=[1, 0, 1])
    assert dataset.classes.tolist() == ["a", "c"]
    assert dataset.target.tolist() == [0, 1]


def test_label_of_weight_0_is_not_looked_at():
    dataset = Dataset(NUMBERS[:3], [1, None, 2], sample_weight=[1, 0, 1])
    assert dataset.classes.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("sample_weight", "kept"),
    [
        (None, None),
        (2, [2.0, 2.0, 2.0]),
        ([1, 2, 3], [1.0, 2.0, 3.0]),
        (np.array([1, 0, 3], dtype=np.int8), [1.0, 3.0]),
        ([True, False, True], [1.0, 1.0]),
        ([2**-20, 2**20, -0.0], [2**-20, 2**20]),
        (np.array([0.5, 1, 2], dtype=object), [0.5, 1.0, 2.0]),
    ],
)
def test_sample_weight(sample_weight, kept):
    dataset = Dataset(NUMBERS[:3], [0, 1, 1], sample_weight=sample_weight)
    assert (dataset.sample_weight is None) == (kept is None)
    assert kept is None or dataset.sample_weight.tolist() == kept
    assert dataset.n_samples == (3 if kept is None else len(kept))


def test_callers_weights_are_not_touched():
    weights = np.array([1.0, 0.0, 3.0])
    dataset = Dataset(NUMBERS[:3], [0, 1, 1], sample_weight=weights)
    assert weights.tolist() == [1.0, 0.0, 3.0]
    weights[:] = 9
    assert dataset.sample_weight.tolist() == [1.0, 3.0]


def test_weights_are_kept_without_labels():
    dataset = as_dataset(Dataset(NUMBERS[:3], sample_weight=[1, 0, 3]), [1, 0])
    assert dataset.sample_weight.tolist() == [1.0, 3.0]
    assert dataset.core.weights.tolist() == [1.0, 3.0]
