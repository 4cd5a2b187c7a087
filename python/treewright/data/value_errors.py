"""Errors about one value: of a feature, of a label, of a sample weight.

Each function takes facts and returns the exception: what is wrong, where, and the remedy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Integral

from treewright._base.errors import DataError, DataTypeError
from treewright._base.wording import Attribute, Param, Part, Surface, Value, shortened
from treewright.data.intake.column import Place
from treewright.data.intake.labels import Label

LONGEST = 60
"""Characters of a value that a message shows."""


class ShortValue(Value):
    """A value of which a message shows the beginning only."""

    def told(self, surface: Surface) -> str:
        """Return the value in the surface's words."""
        return _beginning(super().told(surface))


def infinite(place: Place, row: int, value: object) -> DataError:
    """Say that a number is infinite."""
    sign = "-inf" if str(value).startswith("-") else "inf"
    return DataError(
        *_at(place, row, f" has {sign}"),
        "; replace it by a finite number, or by NaN if the value is not known",
    )


def inexact(place: Place, row: int, value: object) -> DataError:
    """Say that a number has more digits than a 64-bit float holds."""
    if not isinstance(value, Integral) and value != int(value):  # type: ignore[call-overload]
        return DataError(
            *_at(place, row, " has ", ShortValue(value)),
            ", which no 64-bit float holds exactly; round it: float(value)",
        )
    return DataError(
        *_at(place, row, " has ", ShortValue(value)),
        ", a whole number that no 64-bit float holds exactly, so that different values would become one; "
        "leave an identifier out, pass it as text to have it nominal, or divide the column (beyond 2**53 "
        "precision is lost)",
    )


def level_too_large(place: Place, row: int, value: object) -> DataError:
    """Say that a whole number as a label needs more than 64 bits."""
    remedy = ", a label beyond 64-bit integers; pass it as text: str(value)"
    return DataError(*_at(place, row, " has ", ShortValue(value)), remedy)


def text_where_number(place: Place, row: int, value: object) -> DataTypeError:
    """Say that a column that has to be numeric holds text."""
    return DataTypeError(
        *_at(place, row, " is numeric, but has the text ", ShortValue(value)),
        "; make it a number, name the column in ",
        Param("categorical_features"),
        ", or, if the text stands for a missing value, pass ",
        Attribute(f"Dataset(X, missing_values={{{_beginning(repr(value))}}})"),
    )


def other_type(place: Place, row: int, value: object) -> DataTypeError:
    """Say that a value is neither text nor boolean nor number."""
    remedy = f"; every value of this argument must be a string, a boolean or a number: {_remedy(value)}"
    return DataTypeError(*_at(place, row, f" has a {_type_name(value)}"), remedy)


def no_level(place: Place, row: int, value: object) -> DataError:
    """Say that a value is outside of the levels that a user declared."""
    return DataError(
        *_at(place, row, " has ", ShortValue(value)),
        ", which is not among its levels; add it to ",
        Param("levels"),
        ", or to ",
        Param("missing_values"),
        " if it stands for a missing value",
    )


def mixed(place: Place, one: tuple[int, object], two: tuple[int, object]) -> DataTypeError:
    """Say that a column holds numbers and text (or booleans)."""
    return DataTypeError(
        *_mixture(place, one, two),
        "; make all of them numbers or all of them text, name a text that stands for a missing value in ",
        Attribute("Dataset(X, missing_values=...)"),
        ", or name the column in ",
        Param("categorical_features"),
        " to have each value as a level",
    )


def family(place: Place, row: int, value: object, levels: Sequence[Label]) -> DataTypeError:
    """Say that a column holds numbers where all levels of ``fit`` are text, and the like."""
    return DataTypeError(
        *_at(place, row, " has ", Value(value), f" ({_type_name(value)})"),
        f", but its levels in fit were {shortened(levels, 4)}; convert the column to their type (text '1' "
        "and number 1 are different values)",
    )


def nominal_where_numeric(place: Place, row: int, value: object) -> DataTypeError:
    """Say that a column of a Dataset is nominal, where a number is needed."""
    what = (" was numeric in fit, but is nominal in this Dataset, with ", Value(value))
    return DataTypeError(*_at(place, row, *what), "; make the Dataset with the column as numbers")


def unwritable(place: Place, row: int | None, value: str) -> DataError:
    """Say that a text holds a lone surrogate; `row` is None where no row has it."""
    what = (" has ", ShortValue(value))
    return DataError(*((place.subject, *what) if row is None else _at(place, row, *what)), SURROGATE)


SURROGATE = (
    ", which holds half of a character (a lone surrogate) and cannot be written; replace it, for instance by "
    "text.encode('utf-8', 'replace').decode()"
)


def unhashable(place: Place, row: int, value: object) -> DataTypeError:
    """Say that a value cannot be compared by hash."""
    remedy = ", which is not hashable; make it a text, a number or a tuple"
    return DataTypeError(*_at(place, row, f" has a {_type_name(value)}"), remedy)


def label_missing(place: Place, row: int) -> DataError:
    """Say that a row has no label."""
    remedy = "; give the row a class, or leave it out (a sample weight of 0 does that)"
    return DataError(*_at(place, row, " has no label"), " (NaN, None or NA)", remedy)


def label_infinite(place: Place, row: int, value: object) -> DataError:
    """Say that a label is infinite."""
    remedy = "; labels are text, whole numbers or booleans: replace it"
    return DataError(*_at(place, row, f" has {value} (inf)"), remedy)


def label_continuous(place: Place, row: int, value: object) -> DataError:
    """Say that a label is a number with a fraction, in scikit-learn's words."""
    return DataError(
        "Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects "
        "discrete classes on a regression target with continuous values: ",
        *_at(place, row, " has ", Value(value)),
        ". Cut the numbers into ranges (numpy.digitize), or pass labels as text or whole numbers",
    )


def label_mixed(place: Place, one: tuple[int, object], two: tuple[int, object]) -> DataError:
    """Say that labels are of more than one family."""
    remedy = "; use one type of label, text for instance"
    return DataError("Unknown label type: unknown. ", *_mixture(place, one, two), remedy)


def label_other_type(place: Place, row: int, value: object) -> DataTypeError:
    """Say that a label is neither text nor boolean nor number."""
    remedy = "; each label must be a string, a boolean or a number: convert it, str(value) for instance"
    what = _at(place, row, f" has a {_type_name(value)}")
    return DataTypeError("Unknown label type: unknown. ", *what, remedy)


def decision_missing(place: Place, row: int) -> DataError:
    """Say that a row of a decision table has no decision."""
    remedy = " (NaN, None or NA); give the row a decision, or leave it out"
    return DataError(*_at(place, row, " has none"), remedy)


def weight_missing(row: int, what: str = "NaN") -> DataError:
    """Say that a weight is NaN, or masked."""
    return DataError(*_at(WEIGHTS, row, f" has {what}"), "; give the row a weight, 0 to leave it out")


def weight_negative(row: int, value: float) -> DataError:
    """Say that a weight is below 0."""
    remedy = "; weights cannot be negative, 0 leaves a row out"
    return DataError(*_at(WEIGHTS, row, " has ", Value(value)), remedy)


def weight_infinite(row: int) -> DataError:
    """Say that a weight is infinite."""
    return DataError(*_at(WEIGHTS, row, " has inf"), "; give the row a finite weight, 0 to leave it out")


WEIGHTS = Place(Param("sample_weight"))


def _at(place: Place, row: int, *what: str | Part) -> tuple[str | Part, ...]:
    """Say what a place has, and in which row."""
    return (place.subject, *what, " at ", place.row(row))


def _mixture(place: Place, one: tuple[int, object], two: tuple[int, object]) -> Iterator[str | Part]:
    """Say what two values of one column are, and where."""
    yield from (place.subject, " mixes ")
    for (row, value), ending in ((one, ") and "), (two, ")")):
        yield from (f"{_type_name(value)} (", ShortValue(value), " at ", place.row(row), ending)


def _type_name(value: object) -> str:
    return type(value).__name__


def _beginning(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _remedy(value: object) -> str:
    """Advise by what the value can do: tell a time, be decoded, hold other values."""
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
