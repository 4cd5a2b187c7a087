"""Errors about the container: its type, its shape, its names."""

from __future__ import annotations

from collections.abc import Sequence

from treewright._base.errors import DataError, DataTypeError

RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
    "array.reshape(1, -1) if it contains a single sample."
)


def sparse(what: str) -> DataTypeError:
    """Refuse a sparse matrix, where dense data is needed."""
    return DataTypeError(
        f"Sparse data was passed for {what}, but dense data is required; use '.toarray()' to "
        "convert it to a dense numpy array"
    )


def lazy_frame(type_name: str) -> DataTypeError:
    """Refuse a frame whose rows are not there yet."""
    return DataTypeError(f"X is a lazy frame ({type_name}), whose values are not there yet; pass X.collect()")


def not_a_table(type_name: str) -> DataTypeError:
    """Refuse something that is no table at all."""
    return DataTypeError(
        f"X is of type {type_name}; pass a 2-D numpy array, a list of rows, a pandas or polars frame, "
        "a pyarrow table, or a treewright Dataset (a dict of columns: Dataset.from_columns)"
    )


def scalar(value: object) -> DataError:
    """Refuse a single value in place of a table."""
    return DataError(f"Expected 2D array, got scalar array instead:\narray={value!r}.\n{RESHAPE}")


def one_dimensional(n_values: int) -> DataError:
    """Refuse a vector in place of a table."""
    return DataError(f"X: Expected 2D array, got 1D array of length {n_values} instead. {RESHAPE}")


def series(type_name: str) -> DataError:
    """Refuse a column of a frame in place of a frame."""
    return DataError(
        f"Expected a 2-dimensional container but got {type_name} instead. Pass a DataFrame "
        "containing a single row (i.e. single sample) or a single column (i.e. single feature) "
        "instead."
    )


def too_many_dimensions(n_dimensions: int) -> DataError:
    """Refuse an array of more than two dimensions."""
    return DataError(
        f"Found array with dim {n_dimensions}, while dim <= 2 is required; flatten each sample "
        "into one row: X.reshape(len(X), -1)"
    )


def no_samples(shape: tuple[int, ...]) -> DataError:
    """Refuse a table without rows."""
    return DataError(
        f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required; pass at "
        "least one row"
    )


def no_features(shape: tuple[int, ...]) -> DataError:
    """Refuse a table without columns."""
    return DataError(
        f"Found array with 0 feature(s) (shape={shape}) while a minimum of 1 is required. "
        "Give X one column or more"
    )


def ragged(row: int, found: int, expected: int) -> DataError:
    """Refuse rows of unequal length in a list."""
    return DataError(
        f"row {row} of X has {found} values, but row 0 has {expected}; give every row "
        "one value for each feature, None where it is not known"
    )


def row_is_no_sequence(row: int, type_name: str) -> DataTypeError:
    """Refuse a row of a list that holds no values."""
    return DataTypeError(
        f"row {row} of X is of type {type_name}, while other rows are sequences of values; make every "
        "row a list with one value for each feature (rows that are dicts: pandas.DataFrame(X))"
    )


def structured(names: Sequence[str]) -> DataTypeError:
    """Refuse a numpy array with named fields."""
    return DataTypeError(
        f"X is a structured array with fields {list(names)}; pass its fields as columns: "
        "Dataset.from_columns({name: X[name] for name in X.dtype.names})"
    )


def complex_data(dtype: str) -> DataError:
    """Refuse complex numbers."""
    return DataError(
        f"Complex data not supported: an array has dtype {dtype}; pass real and imaginary part as columns "
        "of their own"
    )


def duplicate_names(name: str, earlier: int, later: int) -> DataError:
    """Refuse one feature name on two columns."""
    return DataError(
        f"columns {earlier} and {later} of X are both named {name!r}; rename one of them, since "
        "features are told apart by name"
    )


def mixed_names(types: Sequence[str]) -> DataTypeError:
    """Refuse column names of which some are text and some not, in scikit-learn's words."""
    return DataTypeError(
        "Feature names are only supported if all input features have string names, but your "
        f"input has {list(types)} as feature name / column name types. If you want feature names "
        "to be stored and validated, you must convert them all to strings, by using X.columns = "
        "X.columns.astype(str) for example. Otherwise you can remove feature / column names from "
        "your input data, or convert them all to a non-string data type."
    )


def unequal_columns(name: str, found: int, first_name: str, expected: int) -> DataError:
    """Refuse columns of unequal length in a mapping."""
    return DataError(
        f"column {name!r} has {found} values, but column {first_name!r} has {expected}; give "
        "every column one value for each row"
    )


def column_is_no_vector(name: str, shape: tuple[int, ...]) -> DataError:
    """Refuse a column that is not one-dimensional."""
    return DataError(
        f"column {name!r} has shape {shape}; give a column one value for each row, as a 1-D "
        "array, list or series"
    )
