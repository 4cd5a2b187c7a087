"""The kind of a column, what is missing in it, and new data in a fitted domain.

Inner names, as in unit tests: `data.encode`, `data.matching`: a column is looked at before it is part of
a table.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import typed
from treewright import Dataset
from treewright.data.encode import encode
from treewright.data.matching import ModelColumns

LABELS = st.none() | st.booleans() | st.text(max_size=3)


@given(st.lists(LABELS, min_size=1))
def test_any_text_and_booleans_come_back(values):
    dataset = Dataset(np.array([values, values], dtype=object).T)
    levels = dataset.levels[0]
    assert levels == sorted(levels, key=lambda level: (str(level), type(level).__name__))
    codes = dataset.column(0).tolist()
    assert typed([None if code < 0 else levels[code] for code in codes]) == typed(values)


@given(
    st.lists(
        st.none() | st.booleans() | st.integers(-99, 99) | st.floats(-9, 9) | st.text(max_size=2), min_size=1
    )
)
def test_a_nominal_column_may_hold_anything_that_is_a_label(values):
    dataset = Dataset([[value] for value in values], categorical_features=[0])
    levels = dataset.levels[0]
    for value, code in zip(values, dataset.column(0).tolist(), strict=True):
        assert (code == -1) == (value is None)
        if value is not None:
            assert levels[code] == value
            assert isinstance(levels[code], bool) == isinstance(value, bool)
    (encoded,) = encode([[value] for value in values], ModelColumns(["x0"], [0]), [levels])
    np.testing.assert_array_equal(encoded, dataset.column(0))


MIXED = [["a", 1.5, True, 3], ["b", None, False, 1], [None, 2.5, None, 3]]


@pytest.mark.parametrize("make", [list, lambda rows: np.array(rows, dtype=object), pd.DataFrame])
def test_each_column_of_objects_goes_by_its_values(make):
    dataset = Dataset(make(MIXED))
    assert dataset.kinds == ["nominal", "numeric", "nominal", "numeric"]
    assert dataset.levels == [["a", "b"], None, [False, True], None]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2.5, None], "numeric"),
        ([float("nan"), float("nan")], "numeric"),
        ([None, float("nan")], "numeric"),
        ([None, None], "nominal"),
        (["a", float("nan")], "nominal"),
        (["1", "2"], "nominal"),
        (["", None], "nominal"),
        ([True, None], "nominal"),
        ([True, "a"], "nominal"),
        ([np.float32(1), np.int8(2)], "numeric"),
        ([np.bool_(True), None], "nominal"),
    ],
)
def test_kind_of_objects(values, kind):
    assert Dataset(np.array(values, dtype=object).reshape(-1, 1)).kinds == [kind]


def test_levels_are_sorted_as_text():
    dataset = Dataset([["b"], ["B"], ["10"], ["9"], [""], ["é"]])
    assert dataset.levels == [["", "10", "9", "B", "b", "é"]]
    numbers = Dataset([[10], [9], [1.5], [-1]], categorical_features=[0])
    assert typed(numbers.levels[0]) == typed([-1, 1.5, 10, 9])


def test_numpy_text_and_booleans_are_nominal():
    assert Dataset(np.array([["b"], ["a"]])).levels == [["a", "b"]]
    assert Dataset(np.array([[True], [True]])).levels == [[False, True]]


FRAME = pd.DataFrame({"zip": [8, 7, 8], "size": [1.0, 2.0, 3.0], "ok": [True, False, True]})


@pytest.mark.parametrize(
    ("categorical_features", "kinds"),
    [
        ("from_dtype", ["numeric", "numeric", "nominal"]),
        (None, ["numeric", "numeric", "numeric"]),
        ([], ["numeric", "numeric", "numeric"]),
        (["zip"], ["nominal", "numeric", "numeric"]),
        (("zip", "ok"), ["nominal", "numeric", "nominal"]),
        ([0, 2], ["nominal", "numeric", "nominal"]),
        (np.array([2]), ["numeric", "numeric", "nominal"]),
        (pd.Series(["size"]), ["numeric", "nominal", "numeric"]),
        ([True, False, False], ["nominal", "numeric", "numeric"]),
        (np.array([False, False, True]), ["numeric", "numeric", "nominal"]),
        ({"zip"}, ["nominal", "numeric", "numeric"]),
    ],
)
def test_categorical_features(categorical_features, kinds):
    dataset = Dataset(FRAME, categorical_features=categorical_features)
    assert dataset.kinds == kinds
    expected = [False, True] if dataset.levels[2] else None
    assert dataset.levels[2] == expected
    np.testing.assert_array_equal(dataset.column(2), [1, 0, 1])


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float64, np.float32, object])
def test_numbers_as_levels_are_the_same_of_every_type(dtype):
    dataset = Dataset(np.array([[10], [9], [0]]).astype(dtype), categorical_features=[0])
    assert typed(dataset.levels[0]) == typed([0, 10, 9])
    assert dataset.column(0).tolist() == [1, 2, 0]


def test_nan_among_nominal_numbers_is_missing():
    dataset = Dataset(np.array([[1.0], [np.nan], [-0.0], [0.0]]), categorical_features=[0])
    assert typed(dataset.levels[0]) == typed([0, 1])
    assert dataset.column(0).tolist() == [1, -1, 0, 0]


@pytest.mark.parametrize(
    ("values", "missing_values", "levels", "column"),
    [
        (["a", "?", "b"], {"?"}, ["a", "b"], [0, -1, 1]),
        (["1", "?", "2.5"], {"?"}, None, [1.0, np.nan, 2.5]),
        (["1", "2", "2"], {"?"}, None, [1.0, 2.0, 2.0]),  # also where the spelling does not occur
        (["1", "?", "2"], None, ["1", "2", "?"], [0, 2, 1]),
        (["1", "?", "x"], {"?"}, ["1", "x"], [0, -1, 1]),
        ([1, "?", 2.5], {"?"}, None, [1.0, np.nan, 2.5]),
        ([1, "?", "2"], {"?"}, None, [1.0, np.nan, 2.0]),
        ([True, "?", False], {"?"}, [False, True], [1, -1, 0]),
        (["?", "?", "?"], {"?"}, [], [-1, -1, -1]),
        (["", "a", None], {""}, ["a"], [-1, 0, -1]),
        (["", "a", None], {"?"}, ["", "a"], [0, 1, -1]),
        (["NA", "n/a", "1"], {"NA", "n/a"}, None, [np.nan, np.nan, 1.0]),
        ([-999, 1, 2], {-999}, None, [np.nan, 1.0, 2.0]),
        ([-999.0, 1.0, 2.0], {-999}, None, [np.nan, 1.0, 2.0]),
        ([-999.0, 1.0, 2.0], {"-999"}, None, [-999.0, 1.0, 2.0]),
        (["-999", "1", "2"], {-999}, ["-999", "1", "2"], [0, 1, 2]),
        (["nan", "1_0", "2"], {"?"}, ["1_0", "2", "nan"], [2, 0, 1]),
    ],
)
@pytest.mark.parametrize("how", ["list", "objects", "pandas", "own dtype"])
def test_missing_values(values, missing_values, levels, column, how):
    tables = {
        "list": [[value] for value in values],
        "objects": np.array(values, dtype=object).reshape(-1, 1),
        "pandas": pd.DataFrame({"x0": values}),
        "own dtype": np.array(values, dtype=None if type(values[0]) in (int, float) else object).reshape(
            -1, 1
        ),
    }
    dataset = Dataset(tables[how], missing_values=missing_values)
    assert dataset.levels == [levels]
    np.testing.assert_array_equal(dataset.column(0), column)


def test_missing_values_leave_a_declared_domain():
    categories = pd.Categorical(["?", "b", None], categories=["b", "?", "a"])
    dataset = Dataset(pd.DataFrame({"c": categories}), missing_values={"?"})
    assert dataset.levels == [["b", "a"]]
    assert dataset.column(0).tolist() == [-1, 0, -1]


def test_text_stays_text_where_a_column_is_named_nominal():
    dataset = Dataset([["01"], ["?"], ["1"]], missing_values={"?"}, categorical_features=[0])
    assert dataset.levels == [["01", "1"]]


NUMBERS = np.random.default_rng(0).normal(size=(40, 6)).round(3)
NUMBERS[::7, 2] = np.nan


def encoded(values, levels):
    (column,) = encode([[value] for value in values], ModelColumns(["f"], [0]), [levels])
    return column.tolist()


@pytest.mark.parametrize(
    ("values", "levels", "codes"),
    [
        (["a", "c", None, "b"], ["b", "a"], [1, -1, -1, 0]),
        ([1, 1.0, np.int8(1), np.float32(1)], [0, 1], [1, 1, 1, 1]),
        ([1, "1", True], [1], [0, -1, -1]),
        (["1", 1, True], ["1", True], [0, -1, 1]),
        ([True, np.True_, 1], [True, False], [0, 0, -1]),
        ([0.5, 2], [0.5], [0, -1]),
        ([None, None], ["a"], [-1, -1]),
        ([1, 2], [], [-1, -1]),
    ],
)
def test_levels_compare_by_value_and_type_family(values, levels, codes):
    assert encoded(values, levels) == codes


@pytest.mark.parametrize(
    ("values", "numbers"),
    [([1, 2.5, None], [1.0, 2.5, None]), ([True, False], [1.0, 0.0]), ([None, None], [None, None])],
)
def test_numeric_features_take_numbers_and_booleans(values, numbers):
    expected = [np.nan if number is None else number for number in numbers]
    np.testing.assert_array_equal(encoded(values, None), expected)


def test_encoding_follows_dtypes_of_frames():
    new = pd.DataFrame(
        {
            "size": pd.Categorical(["M", "XL", None], categories=["XL", "M"]),
            "n": pd.array([1, None, 3], dtype="Int64"),
        }
    )
    size, n = encode(new, ModelColumns(["size", "n"], [0, 1]), [["S", "M"], None])
    assert size.tolist() == [1, -1, -1]
    np.testing.assert_array_equal(n, [1.0, np.nan, 3.0])


def test_encoding_a_dataset_is_encoding_its_table():
    table = pd.DataFrame({"size": ["M", "XL", None], "n": [1.0, None, 3.0], "z": [4, 5, 4]})
    levels = [["S", "M"], None, [5, 4]]
    columns = ModelColumns(list(table), range(3), list(table))
    from_table, from_dataset = encode(table, columns, levels), encode(Dataset(table), columns, levels)
    for one, two in zip(from_table, from_dataset, strict=True):
        np.testing.assert_array_equal(one, two, strict=True)


def test_column_of_which_nothing_is_known_fits_any_feature():
    nothing = Dataset([[None], [None]])
    (numbers,) = encode(nothing, ModelColumns(["f"], [0]), [None])
    (codes,) = encode(Dataset([[np.nan], [np.nan]]), ModelColumns(["f"], [0]), [["a"]])
    assert np.isnan(numbers).all()
    assert codes.tolist() == [-1, -1]


def test_float_columns_are_not_copied():
    for array in (NUMBERS, np.asfortranarray(NUMBERS), NUMBERS[::-1]):
        columns = encode(array, ModelColumns([f"x{i}" for i in range(6)], range(6)), [None] * 6)
        assert all(np.shares_memory(column, array) for column in columns)


NAMES = ("a", "b")
NEW = pd.DataFrame({"a": [1.0], "b": [2.0]})


@pytest.mark.parametrize(
    ("X", "names_in", "message"),
    [
        (NEW, NAMES, None),
        (NEW.to_numpy(), None, None),
        (Dataset(NEW), NAMES, None),
        (NEW, None, "X has feature names, but SomeTree was fitted without feature names"),
        (
            NEW.to_numpy(),
            NAMES,
            "X does not have valid feature names, but SomeTree was fitted with feature names",
        ),
        (Dataset(NEW.to_numpy()), NAMES, "X does not have valid feature names, but SomeTree was fitted with"),
    ],
)
def test_estimators_warn_of_names_as_scikit_learn_does(X, names_in, message):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        encode(X, ModelColumns(["a", "b"], [0, 1], names_in, "SomeTree"), [None, None])
    assert [str(warning.message)[: len(message or "")] for warning in caught] == (
        [message] if message else []
    )


@pytest.mark.parametrize(
    ("X", "names"), [(NEW, ["a", "b"]), (NEW, ["x0", "x1"]), (NEW.to_numpy(), ["a", "b"])]
)
def test_bare_trees_compare_names_where_both_have_some(X, names):
    encode(X, ModelColumns(names, [0, 1], names), [None, None])
