"""Errors about the parameters of the data door."""

from __future__ import annotations

from collections.abc import Sequence

from treewright._base.errors import (
    DataError,
    DataTypeError,
    ParameterError,
)


def categorical_unknown(value: object) -> ParameterError:
    """Refuse a word that is not known."""
    return ParameterError(
        f"categorical_features={value!r} is not known; choose 'from_dtype', None, or a list of "
        "names, positions or booleans"
    )


def categorical_types(types: Sequence[str]) -> ParameterError:
    """Refuse a list of something else, or of more than one thing."""
    return ParameterError(
        "categorical_features must be an array-like of bool, int or str, got: "
        f"{', '.join(types)}; use one of them throughout"
    )


def categorical_shape(shape: tuple[int, ...]) -> ParameterError:
    """Refuse a table in place of a list."""
    return ParameterError(f"categorical_features has shape {shape}; pass a 1-D list")


def categorical_mask(found: int, n_features: int) -> ParameterError:
    """Refuse a mask of the wrong length."""
    return ParameterError(
        "categorical_features set as a boolean mask must have shape (n_features,): it has "
        f"{found} entries, X has {n_features} columns"
    )


def categorical_position(position: int, n_features: int) -> ParameterError:
    """Refuse a position that X does not have."""
    return ParameterError(
        "categorical_features set as integer indices must be in [0, n_features - 1]: it has "
        f"{position}, X has columns 0 to {n_features - 1}"
    )


def categorical_name(name: str, known: Sequence[str]) -> ParameterError:
    """Refuse a name that X does not have."""
    return ParameterError(
        f"categorical_features has an item value {name!r} which is not a valid feature name of "
        f"the training data. Observed feature names: {_listed(known)}"
    )


def categorical_without_names() -> ParameterError:
    """Refuse names, where X has none."""
    return ParameterError(
        "categorical_features should be passed as an array of integers or as a boolean mask when "
        "the model is fitted on data without feature names. It has names, but X has none: give "
        "positions of columns, or X as a frame"
    )


def categorical_disagrees(column: int, name: str, kind: str) -> ParameterError:
    """Refuse kinds asked of a Dataset that has other ones."""
    return ParameterError(
        f"categorical_features differs from the kinds of the Dataset: feature {name!r} (column "
        f"{column}) is {kind} there; pass it to Dataset(X, categorical_features=...) and leave it "
        "at 'from_dtype' here"
    )


def levels_unknown(name: str, known: Sequence[str]) -> ParameterError:
    """Refuse levels of a column that is not there."""
    return ParameterError(f"levels names {name!r}, which is no column; the columns are {_listed(known)}")


def levels_duplicate(name: str, level: object) -> ParameterError:
    """Refuse a level given twice."""
    return ParameterError(f"levels[{name!r}] has {level!r} twice; name each level once")


def levels_type(name: str, value: object) -> ParameterError:
    """Refuse a level that cannot be one."""
    return ParameterError(
        f"levels[{name!r}] has {value!r}; a level is text, a finite number within 64 bits or a boolean"
    )


def missing_values_alone(text: str) -> ParameterError:
    """Refuse one text, which Python would take as a set of letters."""
    return ParameterError(f"missing_values is the text {text!r}; pass a set: {{{text!r}}}")


def missing_values_entry(value: object) -> ParameterError:
    """Refuse a spelling that is neither text nor number."""
    return ParameterError(
        f"missing_values has {value!r}; pass a set of the texts or numbers that stand for a "
        "missing value, such as {'?', -999} (NaN, None and NA need no entry)"
    )


def missing_values_of_dataset() -> ParameterError:
    """Refuse spellings for a table that has been read already."""
    return ParameterError(
        "missing_values cannot change a Dataset, whose values have been read already; make it from "
        "the original table: Dataset(table, missing_values=...)"
    )


def selection_type(rows: object) -> DataTypeError:
    """Refuse samples selected by something that selects none."""
    return DataTypeError(
        f"a Dataset is indexed by a slice, a 1-D array of row positions or a boolean mask, not by "
        f"{rows!r}; a single row is dataset[[row]], a column dataset.column(position)"
    )


def selection_position(position: int, n_samples: int) -> DataError:
    """Refuse a row position that is not there."""
    return DataError(
        f"row {position} was asked of a Dataset of {n_samples} rows; positions go from 0 to "
        f"{n_samples - 1} (or from -{n_samples} to -1)"
    )


def selection_mask(found: int, n_samples: int) -> DataError:
    """Refuse a mask of the wrong length."""
    return DataError(
        f"the mask of rows has {found} entries, the Dataset has {n_samples} rows; give it one entry a row"
    )


def _listed(names: Sequence[str], limit: int = 12) -> str:
    shown = ", ".join(repr(name) for name in names[:limit])
    return f"[{shown}]" if len(names) <= limit else f"[{shown}, … {len(names)} in all]"
