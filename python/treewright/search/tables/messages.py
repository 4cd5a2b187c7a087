"""What can be wrong with a decision table, in words."""

from __future__ import annotations

from treewright._base.errors import (
    DataError,
    DataTypeError,
    ParameterError,
)
from treewright.data.intake.column import Place


def no_rows() -> DataError:
    """Refuse a table without rows."""
    return DataError("values has no rows; a decision table needs one row at least")


def no_table(type_name: str) -> DataTypeError:
    """Refuse what has no rows and columns."""
    return DataTypeError(
        f"values is of type {type_name}; give a list of rows, a 2-D array, or a pandas, polars or pyarrow "
        "table"
    )


def dimensions(shape: tuple[int, ...]) -> DataError:
    """Refuse an array that is not 2-D."""
    return DataError(
        f"values has shape {shape}; a table has rows and columns: reshape(-1, 1) makes one column of an array"
    )


def no_row(row: int, type_name: str) -> DataTypeError:
    """Refuse a row that is no sequence."""
    return DataTypeError(f"row {row} of values is of type {type_name}; every row must be a list or a tuple")


def ragged(row: int, n_values: int, n_expected: int) -> DataError:
    """Refuse rows of different lengths."""
    return DataError(
        f"row {row} of values has {n_values} values, row 0 has {n_expected}; write None where one is missing"
    )


def n_decisions(n_rows: int, n_found: int) -> DataError:
    """Refuse another number of decisions than of rows."""
    return DataError(f"values has {n_rows} rows, decisions has {n_found}; give one decision a row")


def no_decisions(what: str) -> DataError:
    """Refuse decisions that are not one value a row."""
    return DataError(f"decisions {what}; give a list or a 1-D array, one decision a row")


def n_names(n_features: int, n_found: int) -> ParameterError:
    """Refuse another number of names than of features."""
    return ParameterError(
        f"feature_names has {n_found} names, values has {n_features} columns; give one name a column"
    )


def bad_name(position: int, name: object) -> ParameterError:
    """Refuse a name that is no text, or that another feature has."""
    return ParameterError(f"feature_names[{position}]={name!r} must be a text that no other feature has")


def fractions(place: Place, row: int, value: float) -> DataTypeError:
    """Refuse a column of measurements where values are wanted."""
    return DataTypeError(
        place.subject,
        f" has {value!r} at ",
        place.row(row),
        ": a column of measurements, of which nearly every value would be "
        "a branch of its own; cut numeric columns into bins, for example bins=4, or make the column text or "
        "a category if its numbers are names",
    )


def weighted(owner: str) -> DataError:
    """Refuse weights where rows are counted."""
    return DataError(
        f"{owner} counts rows, and the Dataset has sample weights; make a Dataset without them, "
        "and repeat rows if some must count more"
    )
