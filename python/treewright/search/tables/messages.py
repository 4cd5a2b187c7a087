"""What can be wrong with a decision table, in words."""

from __future__ import annotations

from treewright._base.errors import (
    DataError,
    DataTypeError,
    ParameterError,
)
from treewright._base.wording import UNSET, Param
from treewright.data.intake.place import Place


def unhashable(place: Place, row: int, value: object) -> DataTypeError:
    """Return the error about a value that cannot be compared by hash."""
    return DataTypeError(
        f"{place} has a {type(value).__name__} at row {row}, which is not hashable; "
        "make it a text, a number or a tuple"
    )


def decision_missing(row: int) -> DataError:
    """Return the error about a row without a decision."""
    return DataError(
        f"decisions has none at row {row} (NaN, None or NA); give the row a decision, or leave it out"
    )


def no_rows() -> DataError:
    """Return the error about a table without rows."""
    return DataError("values has no rows; a decision table needs one row at least")


def no_table(type_name: str) -> DataTypeError:
    """Return the error about what has no rows and columns."""
    return DataTypeError(
        f"values is of type {type_name}; give a list of rows, a 2-D array, or a pandas, polars or pyarrow "
        "table"
    )


def dimensions(shape: tuple[int, ...]) -> DataError:
    """Return the error about an array that is not 2-D."""
    return DataError(
        f"values has shape {shape}; a table has rows and columns: reshape(-1, 1) makes one column of an array"
    )


def no_row(row: int, type_name: str) -> DataTypeError:
    """Return the error about a row that is no sequence."""
    return DataTypeError(f"row {row} of values is of type {type_name}; every row must be a list or a tuple")


def ragged(row: int, n_values: int, n_expected: int) -> DataError:
    """Return the error about rows of different lengths."""
    return DataError(
        f"row {row} of values has {n_values} values, row 0 has {n_expected}; write None where one is missing"
    )


def n_decisions(n_rows: int, n_found: int) -> DataError:
    """Return the error about another number of decisions than of rows."""
    return DataError(f"values has {n_rows} rows, decisions has {n_found}; give one decision a row")


def no_decisions(what: str) -> DataError:
    """Return the error about decisions that are not one value a row."""
    return DataError(f"decisions {what}; give a list or a 1-D array, one decision a row")


def n_names(n_features: int, n_found: int) -> ParameterError:
    """Return the error about another number of names than of features."""
    allowed = (f"has {n_found} names, ", Param("values"), f" has {n_features} columns")
    return ParameterError("feature_names", UNSET, allowed, "give one name a column")


def bad_name(position: int, name: object) -> ParameterError:
    """Return the error about a name that is no text, or that another feature has."""
    allowed = "must be a text that no other feature has"
    return ParameterError("feature_names", name, allowed, at=(position,))


def fractions(place: Place, row: int, value: float) -> DataTypeError:
    """Return the error about a column of measurements where values are wanted."""
    return DataTypeError(
        f"{place} has {value!r} at row {row}: a column of measurements, of which nearly every value would be "
        "a branch of its own; cut numeric columns into bins, for example bins=4, or make the column text or "
        "a category if its numbers are names"
    )


def weighted(owner: str) -> DataError:
    """Return the error about weights where rows are counted."""
    return DataError(
        f"{owner} counts rows, and the Dataset has sample weights; make a Dataset without them, "
        "and repeat rows if some must count more"
    )
