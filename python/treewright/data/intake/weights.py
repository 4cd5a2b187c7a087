"""Sample weights, and the rows that stay once those of weight 0 have left."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np
from scipy.sparse import issparse

from treewright.data import table_errors, value_errors
from treewright.data.intake.column import first
from treewright.data.types import FloatArray, IntArray, VectorLike

SMALLEST, LARGEST = 2.0**-20, 2.0**20


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
    if issparse(sample_weight):
        raise table_errors.sparse("sample_weight")
    if isinstance(sample_weight, Real):
        return np.full(n_rows, float(sample_weight))
    weights = np.asarray(sample_weight)
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
    beyond = (weights != 0) & ((weights < SMALLEST) | (weights > LARGEST))
    if beyond.any():
        row = first(beyond)
        raise value_errors.weight_out_of_range(row, float(weights[row]))
