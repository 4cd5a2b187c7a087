"""Columns stored as an array of numbers or of booleans."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from treewright.data import value_errors
from treewright.data.intake.column import Column, Kind, Nominal, Place, Spellings, first
from treewright.data.intake.labels import INT_LIMITS, WHOLE_LIMIT, Label, in_text_order, plain
from treewright.data.types import AnyArray, BoolArray, FloatArray


@dataclass(frozen=True)
class NumberColumn:
    """Floats or ints of any width, and where they are missing besides NaN.

    `is_checked` says that the whole table has been searched and holds nothing infinite or inexact.
    """

    values: AnyArray
    missing: BoolArray | None = None
    is_checked: bool = False

    def kind(self, place: Place) -> Kind:
        """Numbers are numeric."""
        return "numeric"

    def numbers(self, place: Place) -> FloatArray:
        """Return 64-bit floats: a view if they are that already."""
        if self.values.dtype.kind in "iu" and not self.is_checked:
            self._refuse_inexact(place)
        with np.errstate(over="ignore"):
            numbers: FloatArray = self.values.astype(np.float64, copy=False)
        if self.values.dtype.kind == "f" and self.values.dtype.itemsize > 8:
            self._refuse_longer(numbers, place)
        if self.missing is not None:
            numbers = np.where(self.missing, np.nan, numbers)
        if not self.is_checked:
            refuse_infinite(numbers, place)
        return numbers

    def nominal(self, place: Place) -> Nominal:
        """Return a code a distinct number."""
        known = self._known()
        distinct, positions = np.unique(self.values[known], return_inverse=True)
        if distinct.dtype.kind == "f" and np.isinf(distinct).any():
            refuse_infinite(self.values.astype(np.float64), place)
        self._refuse_large(distinct, place)
        labels: list[Label] = [plain(value) for value in distinct.tolist()]
        levels = in_text_order(labels)
        code = {label: i for i, label in enumerate(levels)}
        codes = np.full(len(self.values), -1, np.int32)
        codes[known] = np.array([code[label] for label in labels], np.int32)[positions]
        return Nominal(codes, levels)

    def objects(self) -> list[object]:
        """Return Python's numbers."""
        return objects_of(self.values, self.missing)

    def without(self, spellings: Spellings) -> Column:
        """Take the numbers among the spellings as missing."""
        if not spellings.numbers:
            return self
        stands_for_missing = np.isin(self.values, list(spellings.numbers))
        missing = stands_for_missing if self.missing is None else self.missing | stands_for_missing
        return replace(self, missing=missing)

    def _known(self) -> BoolArray:
        is_float = self.values.dtype.kind == "f"
        known = ~np.isnan(self.values) if is_float else np.ones(len(self.values), np.bool_)
        return known if self.missing is None else known & ~self.missing

    def _refuse_longer(self, numbers: FloatArray, place: Place) -> None:
        """Refuse a long double that no 64-bit float holds."""
        inexact = (numbers != self.values) & ~np.isnan(self.values) & np.isfinite(self.values)
        if self.missing is not None:
            inexact &= ~self.missing
        if inexact.any():
            row = first(inexact)
            raise value_errors.inexact(place, row, self.values[row])

    def _refuse_inexact(self, place: Place) -> None:
        inexact = _inexact(self.values)
        if inexact is not None and self.missing is not None:
            inexact &= ~self.missing
        if inexact is not None and inexact.any():
            row = first(inexact)
            raise value_errors.inexact(place, row, int(self.values[row]))

    def _refuse_large(self, distinct: AnyArray, place: Place) -> None:
        if distinct.dtype.kind == "u" and len(distinct) and distinct[-1] > INT_LIMITS[1]:
            row = first(self._known() & (self.values > INT_LIMITS[1]))
            raise value_errors.level_too_large(place, row, int(self.values[row]))


def objects_of(array: AnyArray, missing: BoolArray | None) -> list[object]:
    """List the elements; dates stay dates (``tolist`` would make nanoseconds ints)."""
    objects = list(array) if array.dtype.kind in "mM" else array.tolist()
    if missing is None:
        return objects
    return [None if is_missing else value for value, is_missing in zip(objects, missing, strict=True)]


def refuse_infinite(numbers: FloatArray, place: Place) -> None:
    """Raise if a number is infinite."""
    infinite = np.isinf(numbers)
    if infinite.any():
        row = first(infinite)
        raise value_errors.infinite(place, row, float(numbers[row]))


def _inexact(whole: AnyArray) -> BoolArray | None:
    """Mark whole numbers that a 64-bit float cannot hold; None if all are small.

    A float holds a whole number exactly iff it has at most 53 bits from its first to its last 1.
    """
    if are_exact(whole):
        return None
    size = np.abs(whole).astype(np.uint64)
    lowest_bit = size & (~size + np.uint64(1))
    inexact: BoolArray = size // np.maximum(lowest_bit, np.uint64(1)) >= np.uint64(WHOLE_LIMIT)
    return inexact


def are_exact(whole: AnyArray) -> bool:
    """Tell whether whole numbers are all so small that a 64-bit float holds them."""
    if whole.dtype.itemsize < 8 or not whole.size:
        return True
    return int(whole.min()) >= -WHOLE_LIMIT and int(whole.max()) <= WHOLE_LIMIT


@dataclass(frozen=True)
class BoolColumn:
    """Booleans and where they are missing; their type declares both levels."""

    values: BoolArray
    missing: BoolArray | None = None

    def kind(self, place: Place) -> Kind:
        """Booleans are nominal."""
        return "nominal"

    def numbers(self, place: Place) -> FloatArray:
        """Return 0 and 1."""
        numbers: FloatArray = self.values.astype(np.float64)
        if self.missing is not None:
            numbers[self.missing] = np.nan
        return numbers

    def nominal(self, place: Place) -> Nominal:
        """Return False as 0 and True as 1."""
        codes = self.values.astype(np.int32)
        if self.missing is not None:
            codes[self.missing] = -1
        return Nominal(codes, [False, True])

    def objects(self) -> list[object]:
        """Return Python's booleans."""
        return objects_of(self.values, self.missing)

    def without(self, spellings: Spellings) -> Column:
        """Return the column itself: a boolean has no other spelling."""
        return self
