"""Errors about a value in a column."""

from __future__ import annotations

from treewright._base.errors import DataError, DataTypeError
from treewright.data.intake.place import Place


def infinite(place: Place, row: int, value: object) -> DataError:
    """Refuse an infinite number."""
    sign = "-inf" if str(value).startswith("-") else "inf"
    return DataError(
        f"{place} has {sign} at row {place.row(row)}; replace it by a finite number, or by NaN if "
        "the value is not known"
    )


def inexact(place: Place, row: int, value: object) -> DataError:
    """Refuse a whole number that a 64-bit float cannot hold."""
    return DataError(
        f"{place} has {_shown(value)} at row {place.row(row)}, a whole number that no 64-bit float "
        "holds exactly, so that different values would become one; leave an identifier out, pass "
        "it as text to have it nominal, or divide the column (beyond 2**53 precision is lost)"
    )


def level_too_large(place: Place, row: int, value: object) -> DataError:
    """Refuse a whole number as a label that needs more than 64 bits."""
    return DataError(
        f"{place} has {_shown(value)} at row {place.row(row)}, a label beyond 64-bit integers; "
        "pass it as text: str(value)"
    )


def text_where_number(place: Place, row: int, value: object) -> DataTypeError:
    """Refuse text in a column that has to be numeric."""
    return DataTypeError(
        f"{place} is numeric, but has the text {_shown(value)} at row {place.row(row)}; make it a "
        "number, name the column in categorical_features, or, if the text stands for a missing "
        f"value, pass Dataset(X, missing_values={{{_shown(value)}}})"
    )


def other_type(place: Place, row: int, value: object) -> DataTypeError:
    """Refuse a value that is neither text nor boolean nor number."""
    return DataTypeError(
        f"{place} has a {_type_name(value)} at row {place.row(row)}; every value of this argument "
        f"must be a string, a boolean or a number: {_remedy(value)}"
    )


def no_level(place: Place, row: int, value: object) -> DataError:
    """Refuse a value outside of the levels that a user declared."""
    return DataError(
        f"{place} has {_shown(value)} at row {place.row(row)}, which is not among its levels; add "
        "it to levels, or to missing_values if it stands for a missing value"
    )


def mixed(place: Place, one: tuple[int, object], two: tuple[int, object]) -> DataTypeError:
    """Refuse text (or booleans) and numbers in one column."""
    (row_one, value_one), (row_two, value_two) = one, two
    return DataTypeError(
        f"{place} mixes {_type_name(value_one)} ({_shown(value_one)} at row {place.row(row_one)}) "
        f"and {_type_name(value_two)} ({_shown(value_two)} at row {place.row(row_two)}); make all "
        "of them numbers or all of them text, name a text that stands for a missing value in "
        "Dataset(X, missing_values=...), or name the column in categorical_features to have each "
        "value as a level"
    )


def _type_name(value: object) -> str:
    return type(value).__name__


def _shown(value: object, limit: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _remedy(value: object) -> str:
    """Refuse advise by what the value can do: tell a time, be decoded, hold other values."""
    if hasattr(value, "year") or hasattr(value, "hour") or _is_time(value):
        return (
            "turn dates and times into numbers, such as days since a date, or the year, the month "
            "and the hour as columns of their own"
        )
    if isinstance(value, bytes | bytearray):
        return "decode it to text, value.decode()"
    if isinstance(value, complex):
        return "Complex data not supported, give real and imaginary part a column each"
    if hasattr(value, "__len__"):
        return "give each of its elements a column of its own"
    return "turn it into one of these, str(value) for instance, or leave the column out"


def _is_time(value: object) -> bool:
    return type(value).__name__ in ("datetime64", "timedelta64", "timedelta", "Timedelta")
