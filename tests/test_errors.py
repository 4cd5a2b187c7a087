"""The catalogue of errors of the data door: each is raised by someone's mistake, and says what to do.

Every function of ``treewright.data.{parameter,table,value}_errors`` has an example here; a new one without
an example fails `test_catalogue_is_complete`.

Inner names, as in unit tests: `data.columns`, `data.dataset`, `data.encode`, `data.matching`,
`data.table_errors` and `data.value_errors`: a column is looked at before it is part of a table.
"""

import datetime
import inspect
import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array, csr_matrix

import treewright
from treewright import DataError, Dataset, DataTypeError, FormatError, ParameterError, TreewrightError
from treewright.data import table_errors, value_errors
from treewright.data.columns import take_columns
from treewright.data.dataset import _restore, as_dataset
from treewright.data.encode import encode
from treewright.data.matching import ModelColumns
from treewright.tables import DecisionTable

XY = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
PEOPLE = pd.DataFrame({"age": [31.0, 44.0, 25.0], "town": ["Ulm", "Bonn", "Ulm"]})


def people(**columns):
    return PEOPLE.assign(**columns)


NAMES = ["age", "town"]


def encode_people(X, owner=None, labels=NAMES):
    return encode(X, ModelColumns(NAMES, [0, 1], labels, owner), [None, ["Bonn", "Ulm"]])


# function of the catalogue, what a user does, class of the error, what the message must tell
EXAMPLES = [
    (
        "table.pickle_format",
        lambda: _restore(0, {}),
        FormatError,
        ["this Dataset was pickled in format 0", "reads format 1", "make it anew"],
    ),
    (
        "table.too_large_dense",
        lambda: Dataset(csr_matrix(XY), memory_limit=40),
        DataError,
        ["X is sparse", "3 x 2 values", "48 bytes", "the limit of 40", "Dataset(X, y, memory_limit=48)"],
    ),
    (
        "table.too_large_dense",
        lambda: Dataset(csr_array((10**6, 10**4))),
        DataError,
        ["X is sparse", "80,000,000,000 bytes", "the limit of 1,073,741,824", "SelectKBest"],
    ),
    ("table.sparse", lambda: Dataset(XY, csr_array(XY)), DataTypeError, ["Sparse", "y", "toarray()"]),
    ("table.sparse", lambda: Dataset(XY, sample_weight=csr_array(XY)), DataTypeError, ["sample_weight"]),
    ("table.lazy_frame", lambda: Dataset(pl.LazyFrame({"a": [1]})), DataTypeError, ["lazy", "X.collect()"]),
    (
        "table.not_a_table",
        lambda: Dataset({"a": [1]}),
        DataTypeError,
        ["dict", "Dataset.from_columns"],
    ),
    ("table.not_a_table", lambda: Dataset("text"), DataTypeError, ["str", "pandas"]),
    ("table.not_a_table", lambda: Dataset(None), DataTypeError, ["NoneType", "pandas"]),
    ("table.not_a_table", lambda: Dataset(iter(XY)), DataTypeError, ["iterator", "list of rows"]),
    (
        "table.not_a_table",
        lambda: Dataset(pa.RecordBatch.from_pydict({"a": [1]})),
        DataTypeError,
        ["RecordBatch", "pyarrow.table(X)"],
    ),
    ("table.scalar", lambda: Dataset(np.float64(3)), DataError, ["scalar array", "Reshape your data"]),
    (
        "table.one_dimensional",
        lambda: Dataset(XY[0]),
        DataError,
        ["X: ", "1D array of length 2", "Reshape your data"],
    ),
    (
        "table.one_dimensional",
        lambda: Dataset([1, 2]),
        DataError,
        ["X: ", "1D array of length 2", "Reshape your data"],
    ),
    (
        "table.one_dimensional",
        lambda: Dataset(["ab", "cd"]),
        DataError,
        ["1D array", "Reshape your data"],
    ),
    ("table.series", lambda: Dataset(PEOPLE["age"]), DataError, ["2-dimensional", "Series", "DataFrame"]),
    ("table.series", lambda: Dataset(pl.Series([1])), DataError, ["2-dimensional", "Series", "DataFrame"]),
    ("table.too_many_dimensions", lambda: Dataset(np.zeros((2, 2, 2))), DataError, ["dim 3", "reshape"]),
    ("table.no_samples", lambda: Dataset(np.empty((0, 3))), DataError, ["0 sample(s)", "(0, 3)", "one row"]),
    ("table.no_samples", lambda: Dataset(PEOPLE[:0]), DataError, ["0 sample(s)", "(0, 2)", "one row"]),
    ("table.no_samples", lambda: Dataset([]), DataError, ["0 sample(s)", "one row"]),
    ("table.no_samples", lambda: Dataset(XY)[[]], DataError, ["0 sample(s)", "one row"]),
    (
        "table.no_features",
        lambda: Dataset(np.empty((12, 0))),
        DataError,
        ["0 feature(s) (shape=(12, 0)) while a minimum of 1 is required. Give X one column"],
    ),
    ("table.no_features", lambda: Dataset([[], []]), DataError, ["0 feature(s)", "(2, 0)"]),
    ("table.no_features", lambda: Dataset.from_columns({}), DataError, ["0 feature(s)"]),
    (
        "table.ragged",
        lambda: Dataset([[1, 2], [3, 4], [5]]),
        DataError,
        ["row 2", "1 values", "row 0", "None"],
    ),
    (
        "table.row_is_no_sequence",
        lambda: Dataset([[1, 2], 3]),
        DataTypeError,
        ["row 1", "int", "list"],
    ),
    (
        "table.row_is_no_sequence",
        lambda: Dataset([[1, 2], "ab"]),
        DataTypeError,
        ["row 1", "str", "list"],
    ),
    (
        "table.row_is_no_sequence",
        lambda: Dataset([{"a": 1}, {"a": 2}]),
        DataTypeError,
        ["row 0", "dict", "pandas.DataFrame(X)"],
    ),
    (
        "table.structured",
        lambda: Dataset(np.zeros(3, dtype=[("age", "f8"), ("n", "i4")])),
        DataTypeError,
        ["'age', 'n'", "Dataset.from_columns"],
    ),
    (
        "table.complex_data",
        lambda: Dataset(XY + 1j),
        DataError,
        ["Complex data not supported: an array has dtype complex128", "real"],
    ),
    (
        "table.complex_data",
        lambda: Dataset(XY, XY[:, 0] + 1j),
        DataError,
        ["Complex data not supported"],
    ),
    (
        "table.duplicate_names",
        lambda: Dataset(pd.DataFrame(XY, columns=["age", "age"])),
        DataError,
        ["columns 0 and 1", "'age'", "rename"],
    ),
    (
        "table.duplicate_names",
        lambda: Dataset(pa.table([[1], [2], [3]], names=["a", "b", "a"])),
        DataError,
        ["columns 0 and 2", "'a'", "rename"],
    ),
    (
        "table.mixed_names",
        lambda: Dataset(pd.DataFrame(XY, columns=["age", 1])),
        DataTypeError,
        ["['int', 'str']", "X.columns = X.columns.astype(str)"],
    ),
    (
        "table.unequal_columns",
        lambda: Dataset.from_columns({"age": [1, 2], "n": [1]}),
        DataError,
        ["'n' has 1", "'age' has 2", "each row"],
    ),
    (
        "table.column_is_no_vector",
        lambda: Dataset.from_columns({"age": XY}),
        DataError,
        ["'age'", "(3, 2)", "1-D"],
    ),
    (
        "values.infinite",
        lambda: Dataset(people(age=[1.0, 2.0, -np.inf])),
        DataError,
        ["feature 'age' (column 0)", "-inf", "row 2", "NaN"],
    ),
    (
        "values.infinite",
        lambda: Dataset([["a", 1], ["b", float("inf")]]),
        DataError,
        ["feature 'x1' (column 1)", "inf", "row 1", "NaN"],
    ),
    (
        "values.infinite",
        lambda: Dataset(np.array([[1, np.inf]]), categorical_features=[1]),
        DataError,
        ["feature 'x1' (column 1)", "inf", "row 0", "NaN"],
    ),
    (
        "values.inexact",
        lambda: Dataset(people(id=[1, 2**53, 2**53 + 1])),
        DataError,
        ["feature 'id' (column 2)", "9007199254740993", "row 2", "as text"],
    ),
    (
        "values.inexact",
        lambda: Dataset([[1], [None], [10**400]]),
        DataError,
        ["feature 'x0' (column 0)", "row 2", "as text"],
    ),
    (
        "values.inexact",
        lambda: Dataset([[Decimal(2**64 - 1)]]),
        DataError,
        ["feature 'x0' (column 0)", "18446744073709551615", "row 0", "as text"],
    ),
    (
        "values.level_too_large",
        lambda: Dataset(np.array([[1], [2**64 - 1]], dtype=np.uint64), categorical_features=[0]),
        DataError,
        ["feature 'x0' (column 0)", "18446744073709551615", "row 1", "text"],
    ),
    (
        "values.text_where_number",
        lambda: Dataset(PEOPLE, categorical_features=None),
        DataTypeError,
        ["feature 'town' (column 1)", "'Ulm'", "row 0", "categorical_features", "missing_values={'Ulm'}"],
    ),
    (
        "values.text_where_number",
        lambda: encode_people(people(age=["31", None, "25"])),
        DataTypeError,
        ["feature 'age' (column 0)", "'31'", "row 0", "number"],
    ),
    (
        "values.other_type",
        lambda: Dataset(people(born=[None, datetime.date(1990, 1, 2), None])),
        DataTypeError,
        ["feature 'born' (column 2)", "date", "row 1", "days since a date"],
    ),
    (
        "values.other_type",
        lambda: Dataset(people(born=pd.to_datetime(["2000-01-01"] * 3))),
        DataTypeError,
        ["feature 'born' (column 2)", "Timestamp", "row 0", "days since a date"],
    ),
    (
        "values.other_type",
        lambda: Dataset(pl.DataFrame({"took": [None, datetime.timedelta(1)]})),
        DataTypeError,
        ["feature 'took' (column 0)", "timedelta", "row 1", "numbers"],
    ),
    (
        "values.other_type",
        lambda: Dataset(np.array([["2000-01-01"]], dtype="datetime64[ns]")),
        DataTypeError,
        ["feature 'x0' (column 0)", "datetime64", "row 0", "days since a date"],
    ),
    (
        "values.other_type",
        lambda: Dataset(np.array([[1]], dtype="timedelta64[s]")),
        DataTypeError,
        ["feature 'x0' (column 0)", "timedelta64", "row 0", "numbers"],
    ),
    (
        "values.other_type",
        lambda: Dataset(pl.DataFrame({"tags": [["a"], ["b"]]})),
        DataTypeError,
        ["feature 'tags' (column 0)", "list", "row 0", "column of its own"],
    ),
    (
        "values.other_type",
        lambda: Dataset(np.array([[b"raw"]])),
        DataTypeError,
        ["feature 'x0' (column 0)", "bytes", "row 0", "decode()"],
    ),
    (
        "values.other_type",
        lambda: Dataset([[{"a": 1}, 2]]),
        DataTypeError,
        ["feature 'x0' (column 0)", "dict", "row 0", "column of its own"],
    ),
    (
        "values.other_type",
        lambda: Dataset([[1 + 2j]]),
        DataTypeError,
        ["feature 'x0' (column 0)", "complex", "row 0", "imaginary part"],
    ),
    (
        "values.other_type",
        lambda: Dataset(people(what=[object(), 1, 2])),
        DataTypeError,
        ["feature 'what' (column 2)", "object", "row 0", "str(value)"],
    ),
    (
        "values.other_type",
        lambda: encode_people(people(town=[datetime.date(1990, 1, 2)] * 3)),
        DataTypeError,
        ["feature 'town' (column 1)", "date", "row 0", "days since a date"],
    ),
    (
        "values.mixed",
        lambda: Dataset(pd.DataFrame({"n": [None, 3, "many"]}, dtype=object)),
        DataTypeError,
        ["feature 'n' (column 0)", "3 at row 1", "'many' at row 2", "missing_values", "categorical_features"],
    ),
    (
        "values.mixed",
        lambda: Dataset([[True], [2]]),
        DataTypeError,
        ["feature 'x0' (column 0)", "bool (True at row 0)", "int (2 at row 1)", "make all of them numbers"],
    ),
    (
        "values.no_level",
        lambda: Dataset.from_columns({"size": ["S", None, "XL"]}, levels={"size": ["S", "M"]}),
        DataError,
        ["feature 'size' (column 0)", "'XL'", "row 2", "add it to levels"],
    ),
    (
        "table.labels_shape",
        lambda: Dataset(XY, XY),
        DataError,
        ["1d array", "(3, 2)", "one label a row"],
    ),
    (
        "table.labels_shape",
        lambda: Dataset(XY, XY.tolist()),
        DataError,
        ["1d array", "(3, 2)", "one label a row"],
    ),
    (
        "table.labels_shape",
        lambda: Dataset(XY, PEOPLE),
        DataError,
        ["1d array", "(3, 2)", "one label a row"],
    ),
    ("table.labels_not_an_array", lambda: Dataset(XY, "yes"), DataError, ["1d array", "str", "list"]),
    ("table.labels_not_an_array", lambda: Dataset(XY, 1), DataError, ["1d array", "int", "list"]),
    (
        "table.labels_length",
        lambda: Dataset(XY, [1, 0]),
        DataError,
        ["[3, 2]", "3 rows", "2 labels", "one label a row"],
    ),
    (
        "values.label_missing",
        lambda: Dataset(XY, [0.0, 1.0, np.nan]),
        DataError,
        ["y", "row 2", "NaN", "weight of 0"],
    ),
    (
        "values.label_missing",
        lambda: Dataset(XY, ["a", None, "b"]),
        DataError,
        ["y", "row 1", "None", "leave it out"],
    ),
    (
        "values.label_missing",
        lambda: Dataset(XY, pd.array([1, 2, None])),
        DataError,
        ["y", "row 2", "leave it out"],
    ),
    (
        "values.label_missing",
        lambda: Dataset(XY, pl.Series([None, 1, 2])),
        DataError,
        ["y", "row 0", "leave it out"],
    ),
    (
        "values.label_infinite",
        lambda: Dataset(XY, [0.0, np.inf, 1.0]),
        DataError,
        ["y", "inf", "row 1", "replace it"],
    ),
    (
        "values.label_infinite",
        lambda: Dataset(XY, np.array([0.0, -np.inf, 1.0])),
        DataError,
        ["y", "-inf", "row 1", "replace it"],
    ),
    (
        "values.label_continuous",
        lambda: Dataset(XY, np.array([1.0, 2.5, 3.0])),
        DataError,
        ["Unknown label type: continuous", "2.5", "row 1", "digitize"],
    ),
    (
        "values.label_continuous",
        lambda: Dataset(XY, [1.0, 2.0, 3.5]),
        DataError,
        ["Unknown label type: continuous", "3.5", "row 2", "digitize"],
    ),
    (
        "values.label_mixed",
        lambda: Dataset(XY, ["a", 1, "b"]),
        DataError,
        ["Unknown label type", "'a' at row 0", "1 at row 1", "one type"],
    ),
    (
        "values.label_mixed",
        lambda: Dataset(XY, [2, True, False]),
        DataError,
        ["Unknown label type", "2 at row 0", "True at row 1", "one type"],
    ),
    (
        "table.labels_shape",
        lambda: Dataset(XY, [(1,), (1, 2), "a"]),
        DataError,
        ["1d array", "one label a row"],
    ),
    (
        "values.label_other_type",
        lambda: Dataset(XY, ["a", {"b": 1}, "a"]),
        DataTypeError,
        ["Unknown label type", "dict", "row 1", "str(value)"],
    ),
    (
        "values.label_other_type",
        lambda: Dataset(XY, pd.to_datetime(["2000-01-01"] * 3)),
        DataTypeError,
        ["Unknown label type", "datetime", "row 0", "str(value)"],
    ),
    (
        "values.label_other_type",
        lambda: Dataset(XY, np.array([b"a", b"b", b"a"])),
        DataTypeError,
        ["Unknown label type", "bytes", "row 0", "str(value)"],
    ),
    (
        "table.weights_not_numbers",
        lambda: Dataset(XY, sample_weight=["a", "b", "c"]),
        DataTypeError,
        ["sample_weight", "array of floats"],
    ),
    (
        "table.weights_not_numbers",
        lambda: Dataset(XY, sample_weight=[1, {}, 2]),
        DataTypeError,
        ["sample_weight", "dict", "array of floats"],
    ),
    (
        "table.weights_shape",
        lambda: Dataset(XY, sample_weight=[1, 2]),
        DataError,
        ["(2,)", "(3,)", "one weight a row"],
    ),
    (
        "table.weights_shape",
        lambda: Dataset(XY, sample_weight=XY),
        DataError,
        ["(3, 2)", "(3,)", "one weight a row"],
    ),
    (
        "values.weight_missing",
        lambda: Dataset(XY, sample_weight=[1, np.nan, 1]),
        DataError,
        ["NaN", "row 1", "0 to"],
    ),
    (
        "values.weight_missing",
        lambda: Dataset(XY, sample_weight=[1, None, 1]),
        DataError,
        ["NaN", "row 1", "0 to"],
    ),
    (
        "values.weight_negative",
        lambda: Dataset(XY, sample_weight=[1, 1, -2]),
        DataError,
        ["-2.0", "row 2", "0 leaves"],
    ),
    (
        "values.weight_infinite",
        lambda: Dataset(XY, sample_weight=[np.inf, 1, 1]),
        DataError,
        ["inf", "row 0", "finite"],
    ),
    (
        "values.weight_missing",
        lambda: Dataset(XY, sample_weight=np.ma.array([1.0, 2.0, 1.0], mask=[False, True, False])),
        DataError,
        ["masked", "row 1", "0 to leave"],
    ),
    (
        "table.weights_all_zero",
        lambda: Dataset(XY, sample_weight=[0, 0, 0]),
        DataError,
        ["weights", "zero", "positive"],
    ),
    (
        "table.categorical_unknown",
        lambda: Dataset(XY, categorical_features="auto"),
        ParameterError,
        ["categorical_features='auto'", "'from_dtype'"],
    ),
    (
        "table.categorical_unknown",
        lambda: Dataset(XY, categorical_features=3),
        ParameterError,
        ["categorical_features=3", "list"],
    ),
    (
        "table.categorical_types",
        lambda: Dataset(XY, categorical_features=[1.0]),
        ParameterError,
        ["bool, int or str", "float", "throughout"],
    ),
    (
        "table.categorical_types",
        lambda: Dataset(PEOPLE, categorical_features=["age", 1]),
        ParameterError,
        ["bool, int or str", "int, str", "throughout"],
    ),
    (
        "table.categorical_shape",
        lambda: Dataset(XY, categorical_features=[[0], [1]]),
        ParameterError,
        ["(2, 1)", "1-D list"],
    ),
    (
        "table.categorical_mask",
        lambda: Dataset(XY, categorical_features=[True]),
        ParameterError,
        ["mask", "1 entries", "2 columns"],
    ),
    (
        "table.categorical_position",
        lambda: Dataset(XY, categorical_features=[0, 2]),
        ParameterError,
        ["it has 2", "columns 0 to 1"],
    ),
    (
        "table.categorical_position",
        lambda: Dataset(XY, categorical_features=[-1]),
        ParameterError,
        ["it has -1", "columns 0 to 1"],
    ),
    (
        "table.categorical_name",
        lambda: Dataset(PEOPLE, categorical_features=["twon"]),
        ParameterError,
        ["'twon'", "['age', 'town']"],
    ),
    (
        "table.categorical_without_names",
        lambda: Dataset(XY, categorical_features=["x0"]),
        ParameterError,
        ["integers", "boolean mask"],
    ),
    (
        "table.categorical_disagrees",
        lambda: as_dataset(Dataset(PEOPLE), categorical_features=["age"]),
        ParameterError,
        ["feature 'age' (column 0)", "numeric", "'from_dtype'"],
    ),
    (
        "table.levels_unknown",
        lambda: Dataset.from_columns({"size": ["S"]}, levels={"sise": ["S"]}),
        ParameterError,
        ["'sise'", "['size']"],
    ),
    (
        "table.levels_duplicate",
        lambda: Dataset.from_columns({"size": ["S"]}, levels={"size": ["S", "S"]}),
        ParameterError,
        ["'size'", "'S' twice", "once"],
    ),
    (
        "table.levels_type",
        lambda: Dataset.from_columns({"size": ["S"]}, levels={"size": ["S", None]}),
        ParameterError,
        ["'size'", "None", "text"],
    ),
    (
        "table.levels_type",
        lambda: Dataset.from_columns({"size": [1]}, levels={"size": [1, 2**63]}),
        ParameterError,
        ["'size'", "9223372036854775808", "64 bits"],
    ),
    (
        "table.missing_values_alone",
        lambda: Dataset(PEOPLE, missing_values="NA"),
        ParameterError,
        ["'NA'", "{'NA'}"],
    ),
    (
        "table.missing_values_entry",
        lambda: Dataset(PEOPLE, missing_values={None, "?"}),
        ParameterError,
        ["None", "{'?', -999}"],
    ),
    (
        "table.missing_values_entry",
        lambda: Dataset(PEOPLE, missing_values=-999),
        ParameterError,
        ["-999", "a set"],
    ),
    (
        "table.missing_values_of_dataset",
        lambda: Dataset(Dataset(PEOPLE), missing_values={"?"}),
        ParameterError,
        ["missing_values", "original table"],
    ),
    (
        "values.unhashable",
        lambda: DecisionTable([["a"], [{}]], ["yes", "no"]),
        DataTypeError,
        ["feature 'x0' (column 0)", "dict", "row 1", "not hashable", "tuple"],
    ),
    (
        "table.names_count",
        lambda: DecisionTable([["a"]], ["yes"], feature_names=["u", "v"]),
        ParameterError,
        ["feature_names", "2 names", "1 columns", "one name a column"],
    ),
    (
        "table.names_text",
        lambda: DecisionTable([["a", "b"]], ["yes"], feature_names=["u", "u"]),
        ParameterError,
        ["feature_names[1]='u'", "no other feature"],
    ),
    (
        "values.decision_missing",
        lambda: DecisionTable([["a"], ["b"]], ["yes", None]),
        DataError,
        ["decisions", "row 1", "leave it out"],
    ),
    (
        "table.dataset_into_frame",
        lambda: take_columns(Dataset(XY), np.array([0]), "pandas"),
        DataTypeError,
        ["Dataset", "pandas", "set_output"],
    ),
    (
        "table.not_an_array",
        lambda: np.asarray(Dataset(XY)),
        DataTypeError,
        ["no array", "to_sklearn", "frame"],
    ),
    ("table.not_an_array", lambda: Dataset(XY)[:, 0], DataTypeError, ["no array"]),
    ("table.selection_type", lambda: Dataset(XY)[0], DataTypeError, ["not by 0", "[[row]]", "column("]),
    ("table.selection_type", lambda: Dataset(XY)["a"], DataTypeError, ["not by 'a'", "column("]),
    ("table.selection_type", lambda: Dataset(XY)[[0.5]], DataTypeError, ["[0.5]", "positions"]),
    ("table.selection_mask", lambda: Dataset(XY)[[True]], DataError, ["1 entries", "3 rows"]),
    ("table.selection_position", lambda: Dataset(XY)[[0, 3]], DataError, ["row 3", "0 to 2"]),
    ("table.selection_position", lambda: Dataset(XY)[[-4]], DataError, ["row -4", "-3 to -1"]),
    (
        "table.feature_count",
        lambda: encode_people(XY[:, :1], owner="SomeTree", labels=None),
        DataError,
        ["X has 1 features, but SomeTree is expecting 2 features as input."],
    ),
    (
        "table.feature_count",
        lambda: encode_people(Dataset(XY[:, :1])),
        DataError,
        ["X has 1 features, but Tree is expecting 2 features as input."],
    ),
    (
        "table.unwritable_name",
        lambda: Dataset.from_columns({"town": ["a"], "\ud800": ["b"]}),
        DataError,
        ["feature '\\ud800' (column 1)", "lone surrogate", "rename it"],
    ),
    (
        "values.unwritable",
        lambda: Dataset([[1, "a"], [2, "b"], [3, "x\udc80"]]),
        DataError,
        ["feature 'x1' (column 1) has 'x\\udc80' at row 2", "lone surrogate", "text.encode('utf-8'"],
    ),
    (
        "values.unwritable",
        lambda: Dataset(PEOPLE, ["a", "\ud800", "a"]),
        DataError,
        ["y has '\\ud800' at row 1", "lone surrogate"],
    ),
    (
        "values.unwritable",
        lambda: Dataset.from_columns({"a": ["x"]}, levels={"a": ["x", "\ud800"]}),
        DataError,
        ["feature 'a' (column 0) has '\\ud800', which holds"],
    ),
    (
        "values.unwritable",
        lambda: DecisionTable([["a"], ["\ud800"]], ["yes", "no"]),
        DataError,
        ["feature 'x0' (column 0) has '\\ud800' at row 1"],
    ),
    (
        "table.column_missing",
        lambda: encode_people(PEOPLE.rename(columns={"age": "Age"}), owner="SomeTree"),
        DataError,
        ["X has no column 'age', which SomeTree uses", "closest name in X is 'Age'", "Add the column"],
    ),
    (
        "table.column_missing",
        lambda: encode_people(PEOPLE[[]]),
        DataError,
        ["X has no column 'age', which the tree uses; 'town' is missing too"],
    ),
    (
        "table.date_not_parted",
        lambda: encode(
            pd.DataFrame({"when": ["2024-01-01"]}), ModelColumns(["when.days"], [0], ["when.days"]), [None]
        ),
        DataError,
        [
            "X has no column 'when.days', which the tree uses",
            "datasets.read_rows(tree, X) makes it of 'when'",
        ],
    ),
    (
        "table.duplicate_names",
        lambda: encode_people(pd.concat([PEOPLE, PEOPLE["age"]], axis=1)),
        DataError,
        ["columns 0 and 2 of X are both named 'age'", "rename"],
    ),
    (
        "values.family",
        lambda: encode_people(people(town=[1, 2, 3])),
        DataTypeError,
        ["feature 'town' (column 1)", "1 (int)", "row 0", "'Bonn', 'Ulm'", "convert"],
    ),
    (
        "values.family",
        lambda: encode_people(people(town=[None, True, False])),
        DataTypeError,
        ["feature 'town' (column 1)", "True (bool)", "row 1", "'Bonn', 'Ulm'", "convert"],
    ),
    (
        "values.nominal_where_numeric",
        lambda: encode_people(Dataset(people(age=[None, "31", "25"]))),
        DataTypeError,
        ["feature 'age' (column 0)", "'31'", "row 1", "as numbers"],
    ),
]


def catalogue():
    return {
        f"{label}.{name}"
        for label, part in (
            ("table", table_errors),
            ("values", value_errors),
        )
        for name, function in inspect.getmembers(part, inspect.isfunction)
        if not name.startswith("_") and function.__module__ == part.__name__
    }


def test_catalogue_is_complete():
    assert catalogue() == {name for name, *_ in EXAMPLES}


@pytest.mark.parametrize(
    ("mistake", "kind", "facts"), [row[1:] for row in EXAMPLES], ids=[row[0] for row in EXAMPLES]
)
def test_message_tells_what_where_and_remedy(mistake, kind, facts):
    with pytest.raises(kind) as caught:
        mistake()
    assert type(caught.value) is kind
    for fact in facts:
        assert fact in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "built_in"),
    [
        (treewright.DataError, ValueError),
        (treewright.DataTypeError, TypeError),
        (treewright.ParameterError, ValueError),
        (treewright.FormatError, ValueError),
        (treewright.UnfinishedError, RuntimeError),
    ],
)
def test_every_error_is_ours_and_a_built_in(kind, built_in):
    assert issubclass(kind, TreewrightError)
    assert issubclass(kind, built_in)
    error = kind("m", 3, "is odd") if kind is ParameterError else kind("m=3 is odd")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == "m=3 is odd"


@pytest.mark.parametrize(
    ("X", "y", "row"),
    [
        (np.array([[np.inf], [1.0], [2.0], [np.inf]]), None, "row 3"),
        ([[object()], [1.0], [2.0], [object()]], None, "row 3"),
        (pd.DataFrame({"a": ["x", 1, 2, "y"]}, dtype=object), None, "row 3"),
        (pl.DataFrame({"a": [float("inf"), 1.0, 2.0, float("inf")]}), None, "row 3"),
        (pa.table({"a": [2**60 + 1, 1, 2, 2**60 + 1]}), None, "row 3"),
        (XY[[0, 0, 0, 0]], [None, 1, 2, None], "row 3"),
        (XY[[0, 0, 0, 0]], np.array([0.5, 1, 2, 0.5]), "row 3"),
    ],
    ids=["array", "list", "pandas", "polars", "pyarrow", "labels", "continuous labels"],
)
def test_rows_are_counted_as_the_user_counts_them(X, y, row):
    with pytest.raises(TreewrightError, match=row):
        Dataset(X, y, sample_weight=[0, 1, 1, 1])
