"""Errors about y."""

from __future__ import annotations

from treewright._base.errors import DataError, DataTypeError
from treewright.data.intake.place import Place


def shape(found: tuple[int, ...]) -> DataError:
    """Refuse a target that is not one column."""
    return DataError(f"y should be a 1d array, got an array of shape {found} instead; pass one label a row")


def not_an_array(type_name: str) -> DataError:
    """Refuse a target that holds no values."""
    return DataError(
        f"y should be a 1d array, got a {type_name} instead; pass a list, array or series with "
        "one label a row"
    )


def length(n_rows: int, n_labels: int) -> DataError:
    """Refuse a target with too many or too few labels."""
    return DataError(
        f"Found input variables with inconsistent numbers of samples: {[n_rows, n_labels]}; X has "
        f"{n_rows} rows, y has {n_labels} labels: pass one label a row"
    )


def missing(place: Place, row: int) -> DataError:
    """Refuse a row without a label."""
    return DataError(
        f"{place} has no label at row {place.row(row)} (NaN, None or NA); give the row a class, or "
        "leave it out (a sample weight of 0 does that)"
    )


def infinite(place: Place, row: int, value: object) -> DataError:
    """Refuse an infinite label."""
    return DataError(
        f"{place} has {value} (inf) at row {place.row(row)}; labels are text, whole numbers or "
        "booleans: replace it"
    )


def continuous(place: Place, row: int, value: object) -> DataError:
    """Refuse a number with a fraction, in scikit-learn's words."""
    return DataError(
        "Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects "
        f"discrete classes on a regression target with continuous values: {place} has {value!r} "
        f"at row {place.row(row)}. Cut the numbers into ranges (numpy.digitize), or pass labels "
        "as text or whole numbers"
    )


def mixed(place: Place, one: tuple[int, object], two: tuple[int, object]) -> DataError:
    """Refuse labels of more than one family."""
    (row_one, value_one), (row_two, value_two) = one, two
    return DataError(
        f"Unknown label type: unknown. {place} mixes {type(value_one).__name__} ({value_one!r} at "
        f"row {place.row(row_one)}) and {type(value_two).__name__} ({value_two!r} at row "
        f"{place.row(row_two)}); use one type of label, text for instance"
    )


def other_type(place: Place, row: int, value: object) -> DataTypeError:
    """Refuse a label that is neither text nor boolean nor number."""
    return DataTypeError(
        f"Unknown label type: unknown. {place} has a {type(value).__name__} at row "
        f"{place.row(row)}; each label must be a string, a boolean or a number: convert it, "
        "str(value) for instance"
    )
