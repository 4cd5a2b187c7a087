"""Every kind of frame and every dtype that can hold a column gives the same column, and one tree.

Inner names, as in unit tests: `data.encode`, `data.matching`: a column is looked at before it is part of
a table.
"""

from decimal import Decimal
from fractions import Fraction

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tables import assert_same_column, assert_same_dataset
from treewright import Dataset, GreedyTreeClassifier
from treewright.data.encode import encode
from treewright.data.matching import ModelColumns

GRADES = ["low", "mid", "high", "top"]  # nobody has "top"

COLUMNS = {
    "number": [1.5, None, -2.0, 0.25, 1.5, 8.0],
    "whole": [3, 1, None, 2, 1, 7],
    "flag": [True, None, False, True, False, False],
    "word": ["pear", "fig", None, "apple", "fig", "fig"],
    "grade": ["mid", "low", None, "high", "low", "mid"],
}
EXPECTED = Dataset.from_columns(
    {
        "number": np.array([1.5, np.nan, -2.0, 0.25, 1.5, 8.0]),
        "whole": np.array([3.0, 1.0, np.nan, 2.0, 1.0, 7.0]),
        "flag": np.array([True, None, False, True, False, False], dtype=object),
        "word": ["pear", "fig", None, "apple", "fig", "fig"],
        "grade": ["mid", "low", None, "high", "low", "mid"],
    },
    levels={"grade": GRADES},
)
Y = ["yes", "no", "no", "yes", "no", "yes"]


def pandas_series(dtype):
    return lambda values: pd.Series(values, dtype=dtype)


def pandas_arrow(arrow_type):
    return lambda values: pd.Series(pd.array(values, dtype=pd.ArrowDtype(arrow_type)))


def pandas_with_nan(values):
    return pd.Series([np.nan if v is None else v for v in values], dtype=object)


def pandas_with_na(values):
    return pd.Series([pd.NA if v is None else v for v in values], dtype=object)


def pandas_grades(**how):
    return lambda values: pd.Series(pd.Categorical(values, categories=GRADES, **how))


def polars_series(dtype):
    return lambda values: pl.Series(values, dtype=dtype)


def arrow_array(arrow_type):
    return lambda values: pa.chunked_array([values[:2], values[2:]], type=arrow_type)


def arrow_grades(values):
    indices = pa.array([None if v is None else GRADES.index(v) for v in values], pa.int8())
    return pa.chunked_array([pa.DictionaryArray.from_arrays(indices, GRADES)])


def arrow_grades_in_chunks(values):
    """Each chunk has a dictionary of its own, in the declared order as far as it goes."""
    domains = (GRADES[:2], GRADES)
    return pa.chunked_array(
        [
            pa.DictionaryArray.from_arrays(
                pa.array([None if v is None else domain.index(v) for v in part], pa.int32()), domain
            )
            for domain, part in zip(domains, (values[:2], values[2:]), strict=True)
        ]
    )


def arrow_grades_with_null(values):
    """Let the missing value be an entry of the dictionary."""
    domain = [*GRADES, None]
    return pa.chunked_array(
        [pa.DictionaryArray.from_arrays(pa.array([domain.index(v) for v in values], pa.int32()), domain)]
    )


def pandas_arrow_grades(values):
    dictionary = pa.dictionary(pa.int32(), pa.string())
    return pd.Series(pd.array(arrow_grades(values).cast(dictionary), dtype=pd.ArrowDtype(dictionary)))


def objects(values):
    return np.array(values, dtype=object)


def objects_of(kind):
    return lambda values: objects([v if v is None else kind(v) for v in values])


def masked(dtype, filling):
    return lambda values: np.ma.array(
        [filling if v is None else v for v in values], mask=[v is None for v in values], dtype=dtype
    )


MAKERS = {
    "number": {
        "numpy float64": lambda values: np.array(values, dtype=float),
        "numpy float32": lambda values: np.array(values, dtype=np.float32),
        "numpy float16": lambda values: np.array(values, dtype=np.float16),
        "numpy longdouble": lambda values: np.array(values, dtype=np.longdouble),
        "numpy big-endian": lambda values: np.array(values, dtype=">f8"),
        "numpy object": objects,
        "numpy masked": masked(float, np.inf),
        "list": list,
        "list of Decimal": lambda values: [None if v is None else Decimal(v) for v in values],
        "list of Fraction": lambda values: [None if v is None else Fraction(v) for v in values],
        "pandas float64": pandas_series("float64"),
        "pandas float32": pandas_series("float32"),
        "pandas Float64": pandas_series("Float64"),
        "pandas Float32": pandas_series("Float32"),
        "pandas double[pyarrow]": pandas_arrow(pa.float64()),
        "pandas decimal[pyarrow]": pandas_arrow(pa.decimal128(10, 3)),
        "pandas object, None": pandas_series(object),
        "pandas object, NaN": pandas_with_nan,
        "pandas object, NA": pandas_with_na,
        "pandas sparse": pandas_series(pd.SparseDtype(float)),
        "polars Float64": polars_series(pl.Float64),
        "polars Float32": polars_series(pl.Float32),
        "polars Decimal": lambda values: pl.Series(values).cast(pl.Decimal(10, 3)),
        "polars Object": polars_series(pl.Object),
        "pyarrow double": arrow_array(pa.float64()),
        "pyarrow float": arrow_array(pa.float32()),
        "pyarrow decimal": lambda values: arrow_array(pa.float64())(values).cast(pa.decimal128(10, 3)),
    },
    "whole": {
        "numpy object": objects,
        "numpy masked": masked(np.int64, 2**62 + 1),
        "list": list,
        "list of numpy ints": lambda values: [v if v is None else np.int8(v) for v in values],
        "pandas float64": pandas_series("float64"),
        "pandas Int64": pandas_series("Int64"),
        "pandas UInt8": pandas_series("UInt8"),
        "pandas int64[pyarrow]": pandas_arrow(pa.int64()),
        "pandas uint16[pyarrow]": pandas_arrow(pa.uint16()),
        "pandas object, NaN": pandas_with_nan,
        "polars Int64": polars_series(pl.Int64),
        "polars UInt64": polars_series(pl.UInt64),
        "polars Int8": polars_series(pl.Int8),
        "pyarrow int64": arrow_array(pa.int64()),
        "pyarrow uint8": arrow_array(pa.uint8()),
    },
    "flag": {
        "numpy object": objects,
        "numpy object of numpy bools": lambda values: objects(
            [v if v is None else np.bool_(v) for v in values]
        ),
        "numpy masked": masked(bool, True),
        "list": list,
        "pandas boolean": pandas_series("boolean"),
        "pandas bool[pyarrow]": pandas_arrow(pa.bool_()),
        "pandas object, None": pandas_series(object),
        "pandas object, NaN": pandas_with_nan,
        "polars Boolean": polars_series(pl.Boolean),
        "pyarrow bool": arrow_array(pa.bool_()),
    },
    "word": {
        "numpy object": objects,
        "numpy object of numpy text": lambda values: objects(
            [v if v is None else np.str_(v) for v in values]
        ),
        "list": list,
        "pandas str": pandas_series("str"),
        "pandas string": pandas_series("string"),
        "pandas string[pyarrow]": pandas_arrow(pa.string()),
        "pandas object, None": pandas_series(object),
        "pandas object, NaN": pandas_with_nan,
        "pandas object, NA": pandas_with_na,
        "pandas category": lambda values: pd.Series(values).astype("category"),
        "polars String": polars_series(pl.String),
        "polars Categorical": polars_series(pl.Categorical),
        "pyarrow string": arrow_array(pa.string()),
        "pyarrow large_string": arrow_array(pa.large_string()),
    },
    "grade": {
        "pandas category": pandas_grades(),
        "pandas ordered category": pandas_grades(ordered=True),
        "pandas dictionary[pyarrow]": pandas_arrow_grades,
        "polars Enum": polars_series(pl.Enum(GRADES)),
        "pyarrow dictionary": arrow_grades,
        "pyarrow dictionaries by chunk": arrow_grades_in_chunks,
        "pyarrow dictionary with null": arrow_grades_with_null,
    },
}
if hasattr(pl, "Int128"):
    MAKERS["whole"]["polars Int128"] = polars_series(pl.Int128)
CELLS = [(name, how) for name, makers in MAKERS.items() for how in makers]


def only_column(values):
    """Wrap one vector in a table of its own kind."""
    if isinstance(values, pd.Series):
        return values.to_frame("only")
    if isinstance(values, pl.Series):
        return values.alias("only").to_frame()
    if isinstance(values, pa.ChunkedArray):
        return pa.table({"only": values})
    if isinstance(values, list):
        return [[value] for value in values]
    return values.reshape(-1, 1)


@pytest.mark.parametrize(("name", "how"), CELLS, ids=[f"{name}-{how}" for name, how in CELLS])
def test_column_is_the_same_from_every_source(name, how):
    table = only_column(MAKERS[name][how](COLUMNS[name]))
    expected = EXPECTED.column(EXPECTED.feature_names.index(name))
    dataset = Dataset(table)
    position = EXPECTED.feature_names.index(name)
    assert dataset.levels[0] == EXPECTED.levels[position]
    np.testing.assert_array_equal(dataset.column(0), expected, strict=True)


@pytest.mark.parametrize(("name", "how"), CELLS, ids=[f"{name}-{how}" for name, how in CELLS])
def test_column_is_encoded_the_same_from_every_source(name, how):
    table = only_column(MAKERS[name][how](COLUMNS[name]))
    position = EXPECTED.feature_names.index(name)
    (encoded,) = encode(table, ModelColumns(["only"], [0]), [EXPECTED.levels[position]])
    np.testing.assert_array_equal(encoded, EXPECTED.column(position), strict=True)


@pytest.mark.parametrize(("name", "how"), CELLS, ids=[f"{name}-{how}" for name, how in CELLS])
def test_column_by_name_is_the_same(name, how):
    values = MAKERS[name][how](COLUMNS[name])
    dataset = Dataset.from_columns({name: values})
    assert_same_column(dataset, Dataset(only_column(values)))


@pytest.mark.parametrize(("name", "how"), CELLS, ids=[f"{name}-{how}" for name, how in CELLS])
def test_row_of_weight_0_is_not_looked_at(name, how):
    """Weight 0 stands at a row in the middle and at the first one."""
    table = only_column(MAKERS[name][how](COLUMNS[name]))
    weights = [0, 1, 1, 0, 2, 1]
    kept = [v for v, w in zip(COLUMNS[name], weights, strict=True) if w]
    dataset = Dataset(table, sample_weight=weights)
    declared = {"grade": GRADES, "word": ["apple", "fig", "pear"]}
    if name == "grade" or how == "pandas category":
        assert dataset.levels[0] == declared[name]
    else:
        assert_same_column(dataset, Dataset.from_columns({name: MAKERS[name][how](kept)}))
    assert dataset.n_samples == 4


def pandas_frame(*dtypes):
    styles = zip(COLUMNS.items(), dtypes, strict=True)
    return pd.DataFrame({name: MAKERS[name][f"pandas {dtype}"](values) for (name, values), dtype in styles})


def pandas_numpy():
    return pandas_frame("float64", "float64", "object, None", "object, NaN", "category")


def pandas_nullable():
    return pandas_frame("Float64", "Int64", "boolean", "string", "ordered category")


def pandas_pyarrow():
    return pandas_frame(
        "double[pyarrow]", "int64[pyarrow]", "bool[pyarrow]", "string[pyarrow]", "dictionary[pyarrow]"
    )


def polars_frame():
    return pl.DataFrame(COLUMNS, schema_overrides={"grade": pl.Enum(GRADES)})


def arrow_table():
    return polars_frame().to_arrow().set_column(4, "grade", arrow_grades(COLUMNS["grade"]))


FRAMES = {
    "pandas numpy": pandas_numpy,
    "pandas nullable": pandas_nullable,
    "pandas pyarrow": pandas_pyarrow,
    "polars": polars_frame,
    "pyarrow": arrow_table,
    "narwhals": lambda: nw.from_native(polars_frame()),
}


@pytest.fixture(params=FRAMES.values(), ids=FRAMES)
def frame(request):
    return request.param()


def test_every_frame_gives_one_dataset(frame):
    assert_same_dataset(Dataset(frame), EXPECTED)


def test_every_frame_gives_one_tree(frame):
    expected = GreedyTreeClassifier(min_samples_split=1).fit(EXPECTED, Y)
    estimator = GreedyTreeClassifier(min_samples_split=1).fit(frame, Y)
    assert estimator.tree_ == expected.tree_
    assert estimator.tree_.to_json() == expected.tree_.to_json()
    np.testing.assert_array_equal(estimator.predict_proba(frame), expected.predict_proba(EXPECTED))


def test_every_frame_predicts_with_the_tree_of_another(frame):
    estimator = GreedyTreeClassifier(min_samples_split=1).fit(pandas_nullable(), Y)
    expected = estimator.predict_proba(pandas_nullable())
    np.testing.assert_array_equal(estimator.predict_proba(frame), expected)


LABELS = {
    "text": (Y, ["no", "yes"]),
    "ints": ([3, 1, 1, 3, 1, 20], [1, 3, 20]),
    "booleans": ([True, False, False, True, False, True], [False, True]),
}
TARGETS = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "numpy object": objects,
    "pandas": pd.Series,
    "pandas index": pd.Index,
    "pandas object": pandas_series(object),
    "pandas category": lambda labels: pd.Series(pd.Categorical(labels)),
    "pandas nullable": lambda labels: pd.Series(labels).convert_dtypes(),
    "pandas pyarrow": lambda labels: pd.Series(labels).convert_dtypes(dtype_backend="pyarrow"),
    "pandas extension array": lambda labels: pd.Series(labels).convert_dtypes().array,
    "polars": pl.Series,
    "pyarrow chunks": lambda labels: pa.chunked_array([labels[:1], labels[1:]]),
    "pyarrow array": pa.array,
    "narwhals": lambda labels: nw.from_native(pl.Series(labels), series_only=True),
}


@pytest.mark.parametrize("make", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize(("labels", "classes"), LABELS.values(), ids=LABELS)
def test_labels_are_the_same_from_every_source(make, labels, classes):
    dataset = Dataset(EXPECTED, make(labels))
    assert dataset.classes.tolist() == classes
    assert type(dataset.classes.tolist()[0]) is type(classes[0])
    assert dataset.classes[dataset.target].tolist() == labels


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_frame_of_one_column_as_y_warns(make):
    with pytest.warns(Warning, match="A column-vector y was passed"):
        dataset = Dataset(EXPECTED, make({"y": Y}))
    assert dataset.classes[dataset.target].tolist() == Y


@pytest.mark.parametrize(
    "make",
    [
        lambda values: pd.Series(values, dtype="Float64"),
        polars_series(pl.Float64),
        lambda values: pa.chunked_array([values]),
    ],
    ids=["pandas", "polars", "pyarrow"],
)
def test_weights_come_from_any_series(make):
    dataset = Dataset(EXPECTED, Y, sample_weight=make([1.0, 0.0, 2.0, 0.5, 1.0, 1.0]))
    assert dataset.sample_weight.tolist() == [1.0, 2.0, 0.5, 1.0, 1.0]


def test_pandas_index_does_not_matter():
    frame = pandas_numpy().set_axis([7, 7, 3, 3, 1, 0])
    dataset = Dataset(frame, pd.Series(Y, index=list("abcdef")))
    assert_same_dataset(dataset, Dataset(EXPECTED, pd.Series(Y)))


def test_polars_categorical_takes_no_order_from_other_series():
    pl.Series(["zebra", "fig", "quince"], dtype=pl.Categorical)
    dataset = Dataset(pl.DataFrame({"word": pl.Series(["pear", "fig"], dtype=pl.Categorical)}))
    assert dataset.levels == [["fig", "pear"]]


@pytest.mark.parametrize(
    ("categories", "levels"),
    [
        ([20, 3, 1], [20, 3, 1]),
        ([2.0, 0.5], [2, 0.5]),
        ([True, False], [True, False]),
        (["", " b"], ["", " b"]),
        (pd.interval_range(0, 2), ["(0, 1]", "(1, 2]"]),
        (pd.to_datetime(["2020-01-02"]), ["2020-01-02 00:00:00"]),
    ],
    ids=["ints", "floats", "booleans", "text", "intervals", "dates"],
)
def test_categories_of_any_type_keep_their_order(categories, levels):
    column = pd.Categorical([None, categories[0]], categories=categories)
    dataset = Dataset(pd.DataFrame({"c": column}))
    assert dataset.levels == [levels]
    assert [type(level) for level in dataset.levels[0]] == [type(level) for level in levels]
    assert dataset.column(0).tolist() == [-1, 0]


def test_more_categories_than_a_byte_counts():
    values = [f"v{i:03}" for i in range(200)]
    frame = pd.DataFrame({"c": pd.Categorical([None, *values], categories=values[::-1])})
    dataset = Dataset(frame)
    assert dataset.levels[0] == values[::-1]
    assert dataset.column(0).tolist() == [-1, *range(199, -1, -1)]


def test_categories_are_numbers_if_asked():
    frame = pd.DataFrame({"c": pd.Categorical([10, None, 2, 10], categories=[10, 2, 7])})
    dataset = Dataset(frame, categorical_features=None)
    np.testing.assert_array_equal(dataset.column(0), [10.0, np.nan, 2.0, 10.0])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": pd.Series([None, None], dtype="str")}),
        pd.DataFrame({"a": pd.Series([None, None], dtype=object)}),
        pd.DataFrame({"a": pd.Series([pd.NA, pd.NA], dtype=object)}),
        pl.DataFrame({"a": [None, None]}),
        pl.DataFrame({"a": pl.Series([None, None], dtype=pl.String)}),
        pa.table({"a": pa.nulls(2)}),
    ],
    ids=["pandas str", "pandas None", "pandas NA", "polars Null", "polars String", "pyarrow null"],
)
def test_column_of_which_nothing_is_known_is_nominal(frame):
    dataset = Dataset(frame)
    assert dataset.kinds == ["nominal"]
    assert dataset.levels == [[]]
    assert dataset.column(0).tolist() == [-1, -1]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [np.nan, np.nan]}),
        pd.DataFrame({"a": pd.Series([np.nan, np.nan], dtype=object)}),
        pd.DataFrame({"a": pd.Series([None, None], dtype="Int64")}),
        pl.DataFrame({"a": pl.Series([None, None], dtype=pl.Int8)}),
        pa.table({"a": pa.nulls(2, pa.float64())}),
    ],
    ids=["pandas NaN", "pandas object NaN", "pandas Int64", "polars Int8", "pyarrow double"],
)
def test_column_of_numbers_none_known_is_numeric(frame):
    dataset = Dataset(frame)
    assert dataset.kinds == ["numeric"]
    assert np.isnan(dataset.column(0)).all()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_whole_numbers_beside_a_missing_one_stay_exact(make):
    large = {"pandas": pd.array([2**53 - 1, None], dtype="Int64")}.get(make.__module__, [2**53 - 1, None])
    assert Dataset(make({"a": large})).column(0)[0] == 2**53 - 1


def test_empty_name_is_shown_as_position():
    dataset = Dataset(pl.DataFrame({"": [1], "x0": [2]}))
    assert dataset.feature_names == ["x0_", "x0"]
    assert dataset.feature_names_in.tolist() == ["", "x0"]


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        ([0, 1], ["x0", "x1"]),
        ([0, 0], ["x0", "x1"]),
        ([2017, 2018], ["2017", "2018"]),
        ([("a", 1), ("a", 2)], ["('a', 1)", "('a', 2)"]),
        ([1.5, 2.5], ["1.5", "2.5"]),
    ],
)
def test_labels_that_are_no_text_are_no_names_in(columns, names):
    dataset = Dataset(pd.DataFrame([[1.0, 2.0]], columns=columns))
    assert dataset.feature_names == names
    assert dataset.column_labels == (None if columns == [0, 0] else tuple(pd.Index(columns)))
    assert dataset.feature_names_in is None
    assert [dataset.column(0)[0], dataset.column(1)[0]] == [1.0, 2.0]
