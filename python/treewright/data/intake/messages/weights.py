"""Errors about sample weights."""

from __future__ import annotations

from treewright._base.errors import DataError, DataTypeError


def not_numbers(reason: str) -> DataTypeError:
    """Refuse weights that are no numbers."""
    return DataTypeError(f"sample_weight must hold one number a row: {reason}; pass an array of floats")


def shape(found: tuple[int, ...], n_rows: int) -> DataError:
    """Refuse weights that are not one a row."""
    return DataError(
        f"sample_weight.shape == {found}, expected {(n_rows,)}; X has {n_rows} rows: pass one weight a row"
    )


def missing(row: int) -> DataError:
    """Refuse a weight that is NaN."""
    return DataError(f"sample_weight has NaN at row {row}; give the row a weight, 0 to leave it out")


def negative(row: int, value: float) -> DataError:
    """Refuse a weight below 0."""
    return DataError(
        f"sample_weight has {value!r} at row {row}; weights cannot be negative, 0 leaves a row out"
    )


def out_of_range(row: int, value: float) -> DataError:
    """Refuse a weight too small or too large to count exactly."""
    return DataError(
        f"sample_weight has {value!r} at row {row}, outside of 2**-20 (about 1e-6) to 2**20 (about "
        "1e6); rescale the weights by a common factor, or make them less unequal"
    )


def all_zero(n_rows: int) -> DataError:
    """Refuse weights that leave no row."""
    return DataError(
        f"Sample weights must contain at least one non-zero number; all {n_rows} of them are 0, so "
        "no row is left: give the rows to learn from a positive weight"
    )
