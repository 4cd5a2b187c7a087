"""Numbers come in unscathed from any memory layout, width and size.

Inner names, as in unit tests: `data.intake.containers` and `data.intake.table`: a column is looked
at before it is part of a table.
"""

import subprocess
import sys
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from tables import assert_same_dataset
from treewright import Dataset, GreedyTreeClassifier
from treewright.data.intake.containers import open_container
from treewright.data.intake.table import ColumnWishes, read_table

NUMBERS = np.random.default_rng(0).normal(size=(40, 6)).round(3)
NUMBERS[::7, 2] = np.nan
TARGET = (NUMBERS[:, 0] > 0).astype(int)


def packed(array):
    """Lay the numbers askew: one byte before each row."""
    records = np.zeros(len(array), dtype=[("byte", "u1"), ("row", "f8", array.shape[1:])])
    records["row"] = array
    assert not records["row"].flags.aligned
    return records["row"]


def within_larger(array):
    larger = np.full((2 * array.shape[0], 3 * array.shape[1]), np.inf)
    larger[::2, 1::3] = array
    return larger[::2, 1::3]


def read_only(array):
    array = array.copy()
    array.setflags(write=False)
    return array


LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "slice": within_larger,
    "transposed copy": lambda array: np.ascontiguousarray(array.T).T,
    "reversed rows": lambda array: array[::-1].copy()[::-1],
    "reversed columns": lambda array: array[:, ::-1].copy()[:, ::-1],
    "reversed both, Fortran": lambda array: np.asfortranarray(array[::-1, ::-1])[::-1, ::-1],
    "unaligned": packed,
    "big-endian": lambda array: array.astype(">f8"),
    "longdouble": lambda array: array.astype(np.longdouble),
    "read-only": read_only,
    "subclass": lambda array: np.ma.array(array),
    "object": lambda array: array.astype(object),
    "object, Fortran": lambda array: np.asfortranarray(array.astype(object)),
    "list of rows": lambda array: array.tolist(),
    "tuple of tuples": lambda array: tuple(map(tuple, array.tolist())),
    "list of arrays": list,
    "pandas": pd.DataFrame,
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_memory_layout_does_not_matter(layout):
    expected = Dataset(NUMBERS, TARGET)
    dataset = Dataset(layout(NUMBERS), TARGET)
    assert_same_dataset(dataset, expected)
    np.testing.assert_array_equal(dataset.column(2), NUMBERS[:, 2])


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_memory_layout_does_not_matter_to_predictions(layout):
    estimator = GreedyTreeClassifier().fit(NUMBERS, TARGET)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X has feature names")
        found = estimator.predict_proba(layout(NUMBERS))
    np.testing.assert_array_equal(found, estimator.predict_proba(NUMBERS))


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_rows_of_weight_0_leave_any_layout(layout):
    poisoned = NUMBERS.copy()
    poisoned[[0, 5, 39]] = np.inf
    weights = np.ones(40)
    weights[[0, 5, 39]] = 0
    kept = weights > 0
    expected = Dataset(NUMBERS[kept], TARGET[kept], sample_weight=weights[kept])
    assert_same_dataset(Dataset(layout(poisoned), TARGET, sample_weight=weights), expected)


def test_broadcast_array_is_read_as_it_looks():
    row = np.array([[1.0, np.nan, 3.0]])
    for array in (np.broadcast_to(row, (4, 3)), np.broadcast_to(row.T, (3, 4))):
        dataset = Dataset(array)
        assert dataset.shape == array.shape
        for position in range(dataset.n_features):
            np.testing.assert_array_equal(dataset.column(position), array[:, position])


def test_caller_may_change_the_array_afterwards():
    array = NUMBERS.copy()
    dataset = Dataset(array, TARGET)
    array[:] = 7.0
    np.testing.assert_array_equal(dataset.column(0), NUMBERS[:, 0])


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_numbers_of_every_width_are_the_same(dtype, order):
    numbers = np.arange(12).reshape(4, 3).astype(dtype, order=order)
    dataset = Dataset(numbers)
    assert dataset.kinds == ["numeric"] * 3
    assert [dataset.column(i).tolist() for i in range(3)] == numbers.T.tolist()


EXTREMES = [0.0, 1e-7, 5e-324, -5e-324, 1e39, 1e308, -1e308, np.finfo(float).max, np.finfo(float).tiny]


@pytest.mark.parametrize(
    "make", [list, lambda rows: np.array(rows), pd.DataFrame], ids=["list", "array", "frame"]
)
def test_huge_and_denormal_numbers_are_legal(make):
    dataset = Dataset(make([[value] for value in EXTREMES]))
    assert dataset.column(0).tolist() == EXTREMES


@pytest.mark.parametrize(
    "whole",
    [2**53, -(2**53), 2**53 + 2, 2**62, -(2**63), 2**63 - 1024],
)
def test_large_whole_numbers_are_legal_where_exact(whole):
    for X in ([[whole]], np.array([[whole]]), np.array([[whole]], dtype=object), pd.DataFrame([[whole]])):
        assert Dataset(X).column(0).tolist() == [float(whole)]


@pytest.mark.parametrize("whole", [2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63) + 1])
def test_large_whole_numbers_are_refused_where_not(whole):
    for X in ([[whole]], np.array([[whole]]), np.array([[whole]], dtype=object), pd.DataFrame([[whole]])):
        with pytest.raises(ValueError, match=rf"column 0\) has {whole} at row 0"):
            Dataset(X)


@given(st.integers(-(2**64), 2**64))
def test_whole_number_is_refused_iff_a_float_would_change_it(whole):
    exact = int(float(whole)) == whole
    sources = [[[whole]]]
    sources += [np.array([[whole]])] if -(2**63) <= whole < 2**63 else []
    sources += [np.array([[whole]], dtype=np.uint64)] if 0 <= whole < 2**64 else []
    for X in sources:
        if exact:
            assert Dataset(X).column(0).tolist() == [float(whole)]
        else:
            with pytest.raises(ValueError, match="a whole number that no 64-bit float holds exactly"):
                Dataset(X)


@given(
    npst.arrays(
        np.float64, npst.array_shapes(min_dims=2, max_dims=2), elements=st.floats(allow_infinity=False)
    )
)
def test_any_numbers_come_back_from_any_source(array):
    expected = array.T.tolist()
    for X in (array, np.asfortranarray(array), array.astype(object), array.tolist(), pd.DataFrame(array)):
        dataset = Dataset(X)
        assert dataset.kinds == ["numeric"] * array.shape[1]
        for position, column in enumerate(expected):
            np.testing.assert_array_equal(dataset.column(position), column)


@pytest.mark.parametrize("order", ["C", "F"])
def test_intake_holds_no_copy_of_a_float_array(order):
    """The core copies each column once; the Python side adds less than two columns to that."""
    array = np.random.default_rng(0).normal(size=(20_000, 20)).copy(order)
    tracemalloc.start()
    for column in read_table(open_container(array), None, None, ColumnWishes()).arrays():
        assert len(column) == 20_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * array.nbytes / 20


def test_no_package_of_frames_is_needed():
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['pandas', 'polars', 'pyarrow']))\n"
        "import treewright; print(treewright.Dataset([['a', 1.5], [None, 2]], ['yes', 'no']))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stderr == ""
    assert found.stdout.startswith("<Dataset: 2 samples")
