"""Errors about what data comes in, its type, shape and names, and about parameters that say how to read it.

Each function takes facts and returns the exception: what is wrong, where, and the remedy. `name` is the
parameter that the user passed the data as.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from treewright._base.errors import DataError, DataTypeError, FormatError, ParameterError
from treewright._base.wording import UNSET, Attribute, Feature, Param, Part, Row, Surface, Value, shortened

RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
    "array.reshape(1, -1) if it contains a single sample."
)

X = Param("X")


def sparse(name: str) -> DataTypeError:
    """Say that a matrix is sparse, where dense data is needed."""
    remedy = ", but dense data is required; use '.toarray()' to convert it to a dense numpy array"
    return DataTypeError("Sparse data was passed for ", Param(name), remedy)


def too_large_dense(name: str, shape: tuple[int, int], limit: int) -> DataError:
    """Say that a sparse matrix would be too large as a dense one."""
    needed = 8 * shape[0] * shape[1]
    return DataError(
        Param(name),
        f" is sparse, and its {shape[0]:,} x {shape[1]:,} values take {needed:,} bytes as dense numbers, "
        f"more than the limit of {limit:,}; keep fewer columns (scikit-learn's SelectKBest chooses some), or "
        "allow more: ",
        Attribute(f"Dataset({name}, y, memory_limit={needed})"),
    )


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


def duplicate_names(name: object, earlier: int, later: int, source: str | Part = X) -> DataError:
    """Say that two columns have one name."""
    return DataError(
        f"columns {earlier} and {later} of ",
        source,
        f" are both named {name!r}; rename one of them, since features are told apart by name",
    )


def unwritable_name(name: str, column: int) -> DataError:
    """Say that the name of a column holds a lone surrogate."""
    what = " has a name with half of a character (a lone surrogate), which cannot be written; rename it"
    return DataError(Feature(name, column), what)


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


def feature_count(found: int, owner: str, expected: int, n_selected: int | None = None) -> DataError:
    """Say that new data has too many or too few columns, in scikit-learn's words."""
    allowed = "" if n_selected is None else f", or the {n_selected} that its transform leaves"
    return DataError(
        Param("X"), f" has {found} features, but {owner} is expecting {expected} features as input{allowed}."
    )


class MissingColumn(Feature):
    """A column that new data lacks, so that it has no position there."""

    def told(self, surface: Surface) -> str:
        """Return the name."""
        return f"column {self.name!r}"


def column_missing(
    name: str, column: int, others: Sequence[str], owner: str, source: str | Part, close: Sequence[str]
) -> DataError:
    """Say that new data lacks a column that a model uses, and `others`; `close` are names like it."""
    where = "the file" if isinstance(source, str) else source
    hint = ("; the closest name in ", where, f" is {close[0]!r}") if close else ()
    more = f"; {shortened(others)} {'is' if len(others) == 1 else 'are'} missing too" if others else ""
    return DataError(
        source,
        " has no ",
        MissingColumn(name, column),
        f", which {owner} uses{more}",
        *hint,
        ". Add the column (where a value is not known, leave it missing), or fit without it; columns that "
        "are not used may be missing",
    )


def date_not_parted(name: str, column: int, date: str, owner: str, source: str | Part) -> DataError:
    """Say that new data has the dates of which a model uses a part."""
    return DataError(
        source,
        " has no ",
        MissingColumn(name, column),
        f", which {owner} uses; datasets.read_rows(tree, X) makes it of {date!r}, as in training, and its "
        "rows can be predicted (an estimator's tree is tree_)",
    )


def not_an_array(*_: object, **__: object) -> NoReturn:
    """Refuse to be an array: scikit-learn would see one object, or codes in the place of values."""
    raise DataTypeError(
        "a Dataset is no array; numpy and scikit-learn's own models, such as that of Tree.to_sklearn(), take "
        "the frame or the array that it was made of"
    )


def selection_type(rows: object) -> DataTypeError:
    """Say that samples cannot be selected like this."""
    if isinstance(rows, tuple):  # as scikit-learn takes the columns of an array
        not_an_array()
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


def pickle_format(what: str, found: int, read: int) -> FormatError:
    """Say that something was pickled in another format."""
    return FormatError(
        f"this {what} was pickled in format {found}; this version of treewright reads format {read}: "
        "pickle it again with a version that reads both, or make it anew"
    )


FEATURES = "categorical_features"


def categorical_unknown(value: object) -> ParameterError:
    """Say that a word is not known."""
    remedy = "choose 'from_dtype', None, or a list of names, positions or booleans"
    return ParameterError(FEATURES, value, "is not known", remedy)


def categorical_types(types: Sequence[str]) -> ParameterError:
    """Say that a list holds something else, or more than one thing."""
    allowed = f"must be an array-like of bool, int or str, got: {', '.join(types)}"
    return ParameterError(FEATURES, UNSET, allowed, "use one of them throughout")


def categorical_shape(shape: tuple[int, ...]) -> ParameterError:
    """Say that there is a table in place of a list."""
    return ParameterError(FEATURES, UNSET, f"has shape {shape}", "pass a 1-D list")


def categorical_mask(found: int, n_features: int) -> ParameterError:
    """Say that a mask is of the wrong length."""
    allowed = (
        f"set as a boolean mask must have shape (n_features,): it has {found} entries, ",
        Param("X"),
        f" has {n_features} columns",
    )
    return ParameterError(FEATURES, UNSET, allowed)


def categorical_position(position: int, n_features: int) -> ParameterError:
    """Say that X has no column at a position."""
    allowed = (
        f"set as integer indices must be in [0, n_features - 1]: it has {position}, ",
        Param("X"),
        f" has columns 0 to {n_features - 1}",
    )
    return ParameterError(FEATURES, UNSET, allowed)


def categorical_name(name: str, known: Sequence[str]) -> ParameterError:
    """Say that X has no column of a name."""
    allowed = (
        "has an item value ",
        Value(name),
        " which is not a valid feature name of the training data. "
        f"Observed feature names: [{shortened(known)}]",
    )
    return ParameterError(FEATURES, UNSET, allowed)


def categorical_without_names() -> ParameterError:
    """Say that X has no names to name columns by."""
    allowed = (
        "should be passed as an array of integers or as a boolean mask when the model is fitted on data "
        "without feature names. It has names, but ",
        Param("X"),
        " has none: give positions of columns, or ",
        Param("X"),
        " as a frame",
    )
    return ParameterError(FEATURES, UNSET, allowed)


def categorical_disagrees(column: int, name: str, kind: str) -> ParameterError:
    """Say that kinds asked of a Dataset are not those it has."""
    allowed = f"differs from the kinds of the Dataset: feature {name!r} (column {column}) is {kind} there"
    remedy = (
        "pass it to ",
        Attribute("Dataset(X, categorical_features=...)"),
        " and leave it at ",
        Value("from_dtype"),
        " here",
    )
    return ParameterError(FEATURES, UNSET, allowed, remedy)


def levels_unknown(name: str, known: Sequence[str]) -> ParameterError:
    """Say that levels name a column that is not there."""
    allowed = ("names ", Value(name), f", which is no column; the columns are [{shortened(known)}]")
    return ParameterError("levels", UNSET, allowed)


def levels_duplicate(name: str, level: object) -> ParameterError:
    """Say that a level is given twice."""
    return ParameterError(
        "levels", UNSET, ("has ", Value(level), " twice"), "name each level once", at=(name,)
    )


def levels_type(name: str, value: object) -> ParameterError:
    """Say that a value cannot be a level."""
    remedy = "a level is text, a finite number within 64 bits or a boolean"
    return ParameterError("levels", UNSET, ("has ", Value(value)), remedy, at=(name,))


def names_count(n_features: int, n_found: int) -> ParameterError:
    """Say that there is another number of names than of columns."""
    allowed = (f"has {n_found} names, ", Param("values"), f" has {n_features} columns")
    return ParameterError("feature_names", UNSET, allowed, "give one name a column")


def names_text(position: int, name: object) -> ParameterError:
    """Say that a name is no text, or that another column has it."""
    allowed = "must be a text that no other feature has"
    return ParameterError("feature_names", name, allowed, at=(position,))


def missing_values_alone(text: str) -> ParameterError:
    """Say that there is one text, which Python would take as a set of letters."""
    return ParameterError("missing_values", UNSET, f"is the text {text!r}", f"pass a set: {{{text!r}}}")


def missing_values_entry(value: object) -> ParameterError:
    """Say that a spelling is neither text nor number."""
    remedy = (
        "pass a set of the texts or numbers that stand for a missing value, such as {'?', -999} (NaN, None "
        "and NA need no entry)"
    )
    return ParameterError("missing_values", UNSET, ("has ", Value(value)), remedy)


def missing_values_of_dataset() -> ParameterError:
    """Say that a table that has been read already has no more spellings."""
    remedy = ("make it from the original table: ", Attribute("Dataset(table, missing_values=...)"))
    allowed = "cannot change a Dataset, whose values have been read already"
    return ParameterError("missing_values", UNSET, allowed, remedy)
