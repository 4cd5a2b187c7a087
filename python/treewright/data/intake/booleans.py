"""Columns stored as an array of booleans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.data.intake.column import (
    Column,
    Kind,
    Nominal,
    Spellings,
)
from treewright.data.intake.place import (
    BoolArray,
    FloatArray,
    Place,
)


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

    def without(self, spellings: Spellings) -> Column:
        """Return the column itself: a boolean has no other spelling."""
        return self
