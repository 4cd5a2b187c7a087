"""Errors about what data comes in: its type, its shape, its names.

Each function takes facts and returns the exception: what is wrong, where, and the remedy. `name` is the
parameter that the user passed the data as.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright._base.errors import DataError, DataTypeError
from treewright._base.wording import Attribute, Param, Row

RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
    "array.reshape(1, -1) if it contains a single sample."
)


def sparse(name: str) -> DataTypeError:
    """Say that a matrix is sparse, where dense data is needed."""
    remedy = ", but dense data is required; use '.toarray()' to convert it to a dense numpy array"
    return DataTypeError("Sparse data was passed for ", Param(name), remedy)


def lazy_frame(name: str, type_name: str) -> DataTypeError:
    """Say that the rows of a frame are not there yet."""
    what = f" is a lazy frame ({type_name}), whose values are not there yet; pass "
    return DataTypeError(Param(name), what, Attribute(f"{name}.collect()"))


def not_a_table(name: str, type_name: str) -> DataTypeError:
    """Say that something is no table at all."""
    return DataTypeError(
        Param(name),
        f" is of type {type_name}; pass a 2-D numpy array, a list of rows, a pandas or polars frame, a "
        "pyarrow table, or a treewright Dataset (a dict of columns: ",
        Attribute("Dataset.from_columns"),
        ")",
    )


def scalar(value: object) -> DataError:
    """Say that there is a single value in place of a table."""
    return DataError(f"Expected 2D array, got scalar array instead:\narray={value!r}.\n{RESHAPE}")


def one_dimensional(name: str, n_values: int) -> DataError:
    """Say that there is a vector in place of a table."""
    what = f": Expected 2D array, got 1D array of length {n_values} instead. {RESHAPE}"
    return DataError(Param(name), what)


def series(type_name: str) -> DataError:
    """Say that there is a column of a frame in place of a frame."""
    return DataError(
        f"Expected a 2-dimensional container but got {type_name} instead. Pass a DataFrame "
        "containing a single row (i.e. single sample) or a single column (i.e. single feature) "
        "instead."
    )


def too_many_dimensions(n_dimensions: int) -> DataError:
    """Say that an array has more than two dimensions."""
    return DataError(
        f"Found array with dim {n_dimensions}, while dim <= 2 is required; flatten each sample "
        "into one row: X.reshape(len(X), -1)"
    )


def no_samples(name: str, shape: tuple[int, ...]) -> DataError:
    """Say that a table has no rows."""
    what = f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required; "
    return DataError(what, Param(name), " has no rows: pass at least one row")


def no_features(name: str, shape: tuple[int, ...]) -> DataError:
    """Say that a table has no columns."""
    what = f"Found array with 0 feature(s) (shape={shape}) while a minimum of 1 is required. Give "
    return DataError(what, Param(name), " one column or more")


def ragged(name: str, row: int, found: int, expected: int) -> DataError:
    """Say that rows of a list are of unequal length."""
    return DataError(
        Row(row),
        " of ",
        Param(name),
        f" has {found} values, but row 0 has {expected}; give every row one value for each feature, None "
        "where it is not known",
    )


def row_is_no_sequence(name: str, row: int, type_name: str) -> DataTypeError:
    """Say that a row of a list holds no values."""
    return DataTypeError(
        Row(row),
        " of ",
        Param(name),
        f" is of type {type_name}, while other rows are sequences of values; make every row a list with one "
        "value for each feature (rows that are dicts: ",
        Attribute(f"pandas.DataFrame({name})"),
        ")",
    )


def structured(name: str, names: Sequence[str]) -> DataTypeError:
    """Say that a numpy array has named fields."""
    return DataTypeError(
        Param(name),
        f" is a structured array with fields {list(names)}; pass its fields as columns: ",
        Attribute(f"Dataset.from_columns({{name: {name}[name] for name in {name}.dtype.names}})"),
    )


def complex_data(dtype: str) -> DataError:
    """Say that numbers are complex."""
    return DataError(
        f"Complex data not supported: an array has dtype {dtype}; pass real and imaginary part as columns "
        "of their own"
    )


def duplicate_names(name: str, earlier: int, later: int) -> DataError:
    """Say that two columns have one name."""
    return DataError(
        f"columns {earlier} and {later} of ",
        Param("X"),
        f" are both named {name!r}; rename one of them, since features are told apart by name",
    )


def mixed_names(types: Sequence[str]) -> DataTypeError:
    """Say that some column names are text and some not, in scikit-learn's words."""
    return DataTypeError(
        "Feature names are only supported if all input features have string names, but your "
        f"input has {list(types)} as feature name / column name types. If you want feature names "
        "to be stored and validated, you must convert them all to strings, by using X.columns = "
        "X.columns.astype(str) for example. Otherwise you can remove feature / column names from "
        "your input data, or convert them all to a non-string data type."
    )


def unequal_columns(name: str, found: int, first_name: str, expected: int) -> DataError:
    """Say that columns of a mapping are of unequal length."""
    return DataError(
        f"column {name!r} has {found} values, but column {first_name!r} has {expected}; give "
        "every column one value for each row"
    )


def column_is_no_vector(name: str, shape: tuple[int, ...]) -> DataError:
    """Say that a column is not one-dimensional."""
    return DataError(
        f"column {name!r} has shape {shape}; give a column one value for each row, as a 1-D "
        "array, list or series"
    )


def labels_shape(name: str, found: tuple[int, ...]) -> DataError:
    """Say that labels, or decisions, are not one column."""
    what = f" should be a 1d array, got an array of shape {found} instead; pass one {_noun(name)} a row"
    return DataError(Param(name), what)


def labels_not_an_array(name: str, type_name: str) -> DataError:
    """Say that labels, or decisions, are no array."""
    what = f" should be a 1d array, got a {type_name} instead; "
    return DataError(Param(name), what, f"pass a list, array or series with one {_noun(name)} a row")


def labels_length(n_rows: int, n_labels: int, table: str = "X", name: str = "y") -> DataError:
    """Say that there are too many or too few labels, or decisions."""
    return DataError(
        f"Found input variables with inconsistent numbers of samples: {[n_rows, n_labels]}; ",
        Param(table),
        f" has {n_rows} rows, ",
        Param(name),
        f" has {n_labels} {_noun(name)}s: pass one {_noun(name)} a row",
    )


def _noun(name: str) -> str:
    return "decision" if name == "decisions" else "label"


def weights_not_numbers(reason: str) -> DataTypeError:
    """Say that weights are no numbers."""
    what = f" must hold one number a row: {reason}; pass an array of floats"
    return DataTypeError(Param("sample_weight"), what)


def weights_shape(found: tuple[int, ...], n_rows: int) -> DataError:
    """Say that weights are not one a row."""
    return DataError(
        f"sample_weight.shape == {found}, expected {(n_rows,)}; ",
        Param("X"),
        f" has {n_rows} rows: pass one weight a row",
    )


def weights_all_zero(n_rows: int) -> DataError:
    """Say that weights leave no row."""
    return DataError(
        f"Sample weights must contain at least one non-zero number; all {n_rows} of them are 0, so "
        "no row is left: give the rows to learn from a positive weight"
    )


def feature_count(found: int, owner: str, expected: int) -> DataError:
    """Say that new data has too many or too few columns, in scikit-learn's words."""
    return DataError(
        Param("X"), f" has {found} features, but {owner} is expecting {expected} features as input."
    )


def feature_names(unseen: Sequence[str], absent: Sequence[str]) -> DataError:
    """Say that new data has other names, or the same in another order, in scikit-learn's words."""
    message = "The feature names should match those that were passed during fit.\n"
    if unseen:
        message += "Feature names unseen at fit time:\n" + _bullets(unseen)
    if absent:
        message += "Feature names seen at fit time, yet now missing:\n" + _bullets(absent)
    if not unseen and not absent:
        message += "Feature names must be in the same order as they were in fit.\n"
    return DataError(message)


def _bullets(names: Sequence[str], limit: int = 5) -> str:
    shown = "".join(f"- {name}\n" for name in names[:limit])
    return shown + ("- ...\n" if len(names) > limit else "")


def selection_type(rows: object) -> DataTypeError:
    """Say that samples cannot be selected like this."""
    return DataTypeError(
        "a Dataset is indexed by a slice, a 1-D array of row positions or a boolean mask, not by "
        f"{rows!r}; a single row is dataset[[row]], a column dataset.column(position)"
    )


def selection_position(position: int, n_samples: int) -> DataError:
    """Say that a row position is not there."""
    return DataError(
        Row(position),
        f" was asked of a Dataset of {n_samples} rows; positions go from 0 to {n_samples - 1} (or from "
        f"-{n_samples} to -1)",
    )


def selection_mask(found: int, n_samples: int) -> DataError:
    """Say that a mask is of the wrong length."""
    return DataError(
        f"the mask of rows has {found} entries, the Dataset has {n_samples} rows; give it one entry a row"
    )


def dataset_into_frame(wanted: str) -> DataTypeError:
    """Say that a Dataset cannot be handed out as a frame."""
    return DataTypeError(
        f"a Dataset cannot become a {wanted} frame; give the frame itself, or use ",
        Attribute("set_output(transform='default')"),
    )
