"""Errors about new data that does not fit what was learned; the first three in scikit-learn's words."""

from __future__ import annotations

from collections.abc import Sequence

from treewright._base.errors import DataError, DataTypeError
from treewright.data.intake.labels import Label
from treewright.data.intake.place import Place


def feature_count(found: int, owner: str, expected: int) -> DataError:
    """Refuse too many or too few columns."""
    return DataError(f"X has {found} features, but {owner} is expecting {expected} features as input.")


def feature_names(unseen: Sequence[str], absent: Sequence[str]) -> DataError:
    """Refuse other names, or the same in another order."""
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


def family(place: Place, row: int, value: object, levels: Sequence[Label]) -> DataTypeError:
    """Refuse a column of numbers where all levels are text, and the like."""
    return DataTypeError(
        f"{place} has {value!r} ({type(value).__name__}) at row {place.row(row)}, but its levels "
        f"in fit were {_some(levels)}; convert the column to their type (text '1' and number 1 are "
        "different values)"
    )


def _some(levels: Sequence[Label], limit: int = 4) -> str:
    shown = ", ".join(repr(level) for level in levels[:limit])
    return f"{shown}, …" if len(levels) > limit else shown


def nominal_where_numeric(place: Place, row: int, value: object) -> DataTypeError:
    """Refuse a Dataset whose column is nominal, where a number is needed."""
    return DataTypeError(
        f"{place} was numeric in fit, but is nominal in this Dataset, with {value!r} at row "
        f"{place.row(row)}; make the Dataset with the column as numbers"
    )
