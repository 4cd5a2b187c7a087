"""What every row has besides its values: a label of any type that scikit-learn takes, and a weight.

Labels become codes of sorted classes; rows of weight 0 leave.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import cast

import numpy as np

from treewright._base.frames import nw
from treewright._base.wording import Param
from treewright.data import table_errors, value_errors
from treewright.data.intake.column import Column, Nominal, Place, first
from treewright.data.intake.containers import Frame, is_sparse, native_of, taken
from treewright.data.intake.labels import INT_LIMITS, Label, family, identity
from treewright.data.intake.numbers import NumberColumn
from treewright.data.intake.objects import ObjectColumn
from treewright.data.intake.schema import refuse_unwritable
from treewright.data.intake.vectors import check_array_type, vector_column
from treewright.data.types import (
    AnyArray,
    BoolArray,
    CodeArray,
    FloatArray,
    IntArray,
    Native,
    Value,
    VectorLike,
)

MANY_CLASSES = 0.25
"""Share of the samples below which scikit-learn never takes classes for measurements."""


@dataclass(frozen=True)
class Target:
    """Class codes and the classes, sorted as scikit-learn does."""

    codes: CodeArray
    classes: AnyArray


def read_target(y: VectorLike, n_rows: int, rows: IntArray | None = None) -> Target:
    """Read the labels of the rows that stay."""
    labels = open_labels(y, "y")
    if len(labels) != n_rows:
        raise table_errors.labels_length(n_rows, len(labels))
    kept = labels if rows is None else taken(labels, rows)
    return read_labels(vector_column(kept), Place(Param("y"), rows), _is_plain_text(labels))


def read_labels(column: Column, place: Place, is_plain_text: bool) -> Target:
    """Return the classes of a column; with `is_plain_text` an array of texts holds them, not of objects."""
    if isinstance(column, NumberColumn):
        target = _of_numbers(column, place)
    else:
        target = _of_labels(column, place, is_plain_text)
    _warn_of_many_classes(target)
    return target


def _warn_of_many_classes(target: Target) -> None:
    """Let scikit-learn warn of classes that are nearly all different; it is imported where it may."""
    if len(target.classes) > MANY_CLASSES * len(target.codes):
        from sklearn.utils.multiclass import check_classification_targets

        check_classification_targets(target.codes)


def open_labels(y: VectorLike, name: str) -> Native:
    """Return labels as a list, a series or a 1-D array; `name` is what the user passes them as."""
    if is_sparse(y):
        raise table_errors.sparse(name)
    native = native_of(y)
    if nw.dependencies.is_into_series(native):
        return native
    if nw.dependencies.is_into_dataframe(native):
        return _only_column(Frame(native), name)
    if isinstance(native, list | tuple):
        return _flat(native, name)
    array = native if isinstance(native, np.ma.MaskedArray) else np.asarray(native)
    if array.ndim == 0:
        raise table_errors.labels_not_an_array(name, type(native).__name__)
    check_array_type(array, name)
    return _raveled(array, name)


def _only_column(frame: Frame, name: str) -> Native:
    if frame.shape[1] != 1:
        raise table_errors.labels_shape(name, frame.shape)
    _warn_of_column_vector()
    return frame.native_column(0)


def _flat(labels: Sequence[Value], name: str) -> Native:
    """Return a list of labels; one of one-element rows is a column vector."""
    if not any(isinstance(label, list | tuple | np.ndarray) and np.ndim(label) for label in labels):
        return list(labels)
    widths = {np.size(label) if np.ndim(label) else 0 for label in labels}
    if widths != {1}:
        raise table_errors.labels_shape(name, (len(labels), max(widths)))
    _warn_of_column_vector()
    return [label[0] for label in labels]


def _raveled(array: AnyArray, name: str) -> Native:
    if array.ndim == 1:
        return array
    if array.ndim > 2 or array.shape[1] != 1:
        raise table_errors.labels_shape(name, array.shape)
    _warn_of_column_vector()
    return array.reshape(-1)


def _warn_of_column_vector() -> None:
    from sklearn.exceptions import DataConversionWarning

    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y "
        "to (n_samples, ), for example using ravel().",
        DataConversionWarning,
        stacklevel=6,
    )


def _is_plain_text(labels: Native) -> bool:
    """Tell whether numpy would hold text labels in an array of text rather than of objects."""
    return isinstance(labels, list) or (isinstance(labels, np.ndarray) and labels.dtype.kind == "U")


def _of_numbers(column: NumberColumn, place: Place) -> Target:
    """Numbers keep their type: classes of a float array are floats."""
    values = column.values
    unknown = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), np.bool_)
    if column.missing is not None:
        unknown |= column.missing
    if unknown.any():
        raise value_errors.label_missing(place, first(unknown))
    _refuse_measurements(values, place)
    _refuse_large(values > INT_LIMITS[1], values, place)
    values = values.astype(np.float64) if values.dtype.itemsize > 8 else values
    classes, codes = np.unique(values, return_inverse=True)
    return Target(codes.astype(np.int32), classes)


def _refuse_measurements(values: AnyArray, place: Place) -> None:
    if values.dtype.kind != "f":
        return
    for is_wrong, message in (
        (np.isinf(values), value_errors.label_infinite),
        (values != np.trunc(values), value_errors.label_continuous),
    ):
        if is_wrong.any():
            row = first(is_wrong)
            raise message(place, row, float(values[row]))


def _refuse_large(is_large: BoolArray, values: AnyArray, place: Place) -> None:
    if values.dtype.kind == "u" and is_large.any():
        row = first(is_large)
        raise value_errors.level_too_large(place, row, int(values[row]))


def _of_labels(column: Column, place: Place, is_plain_text: bool) -> Target:
    if isinstance(column, ObjectColumn):
        column.refuse_other(value_errors.label_other_type, place)
    nominal = refuse_unwritable(column.nominal(place), place)
    if (nominal.codes < 0).any():
        raise value_errors.label_missing(place, first(nominal.codes < 0))
    occurring = np.bincount(nominal.codes, minlength=len(nominal.levels)) > 0
    levels = [level for level, occurs in zip(nominal.levels, occurring, strict=True) if occurs]
    _refuse_mixture(levels, nominal, place)
    classes = sorted(cast(list[str], levels))  # of one family, whichever that is
    code: dict[Label, int] = {label: i for i, label in enumerate(classes)}
    translation = np.array([code.get(level, -1) for level in nominal.levels], np.int32)
    return Target(translation[nominal.codes], _class_array(classes, is_plain_text))


def _refuse_mixture(levels: Sequence[Label], nominal: Nominal, place: Place) -> None:
    """Refuse labels of more than one family, and numbers with a fraction."""
    if len({family(level) for level in levels}) == 1 and not any(isinstance(v, float) for v in levels):
        return
    code = {identity(level): i for i, level in enumerate(nominal.levels)}
    rows = sorted((first(nominal.codes == code[identity(level)]), level) for level in levels)
    others = [found for found in rows if family(found[1]) != family(rows[0][1])]
    if others:
        raise value_errors.label_mixed(place, rows[0], others[0])
    for row, level in rows:
        if isinstance(level, float):
            raise value_errors.label_continuous(place, row, level)


def _class_array(classes: Sequence[Label], is_plain_text: bool) -> AnyArray:
    if isinstance(classes[0], str) and not is_plain_text:
        return np.array(classes, dtype=object)
    return np.array(classes)


@dataclass(frozen=True)
class Weights:
    """One weight for each row that stays; None where every row weighs 1, or stays."""

    values: FloatArray | None = None
    rows: IntArray | None = None


def read_weights(sample_weight: VectorLike, n_rows: int) -> Weights:
    """Check weights and part the rows of weight 0 from the others."""
    if sample_weight is None:
        return Weights()
    weights = _as_floats(sample_weight, n_rows)
    if weights.shape != (n_rows,):
        raise table_errors.weights_shape(weights.shape, n_rows)
    _refuse_improper(weights)
    if weights.all():
        return Weights(weights)
    rows = np.flatnonzero(weights)
    if not len(rows):
        raise table_errors.weights_all_zero(n_rows)
    return Weights(weights[rows], rows)


def _as_floats(sample_weight: VectorLike, n_rows: int) -> FloatArray:
    if is_sparse(sample_weight):
        raise table_errors.sparse("sample_weight")
    if isinstance(sample_weight, Real):
        return np.full(n_rows, float(sample_weight))
    weights = np.asarray(sample_weight)
    mask = np.ma.getmaskarray(sample_weight) if isinstance(sample_weight, np.ma.MaskedArray) else None
    if mask is not None and mask.any():
        raise value_errors.weight_missing(first(mask.ravel()), "a masked value")
    if weights.dtype.kind not in "fiubO":
        raise table_errors.weights_not_numbers(f"it has dtype {weights.dtype}")
    try:
        return np.array(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise table_errors.weights_not_numbers(str(error)) from None


def _refuse_improper(weights: FloatArray) -> None:
    unknown = np.isnan(weights)
    if unknown.any():
        raise value_errors.weight_missing(first(unknown))
    below_zero = weights < 0
    if below_zero.any():
        row = first(below_zero)
        raise value_errors.weight_negative(row, float(weights[row]))
    is_infinite = np.isinf(weights)
    if is_infinite.any():
        raise value_errors.weight_infinite(first(is_infinite))
