"""Errors about the parameters that say how data is read.

Each function takes facts and returns the exception: what is wrong, and the remedy.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright._base.errors import ParameterError
from treewright._base.wording import UNSET, Attribute, Param, Value

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
        f" which is not a valid feature name of the training data. Observed feature names: {_listed(known)}",
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
    allowed = ("names ", Value(name), f", which is no column; the columns are {_listed(known)}")
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


def _listed(names: Sequence[str], limit: int = 12) -> str:
    shown = ", ".join(repr(name) for name in names[:limit])
    return f"[{shown}]" if len(names) <= limit else f"[{shown}, … {len(names)} in all]"
