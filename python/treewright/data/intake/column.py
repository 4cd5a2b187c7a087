"""What every column can do, whatever form its values are stored in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from treewright.data.intake.labels import Label
from treewright.data.intake.place import (
    CodeArray,
    FloatArray,
    Place,
)

Kind = Literal["numeric", "nominal"]


@dataclass(frozen=True)
class Spellings:
    """Texts and numbers that stand for a missing value."""

    texts: frozenset[str] = frozenset()
    numbers: frozenset[float] = frozenset()


@dataclass(frozen=True)
class Nominal:
    """Codes, -1 where missing, and the domain they count in."""

    codes: CodeArray
    levels: list[Label]


class Column(Protocol):
    """The values of one feature, in one of four forms.

    `numbers` and `nominal` raise the error that names the value at fault.
    """

    def kind(self, place: Place) -> Kind:
        """Say what the column is where nothing else is asked of it."""

    def numbers(self, place: Place) -> FloatArray:
        """Return the values as numbers, NaN where missing; may be a view of the user's data."""

    def nominal(self, place: Place) -> Nominal:
        """Return the values as codes in a domain of their own."""

    def without(self, spellings: Spellings) -> Column:
        """Return the column with other spellings of "missing" taken as such."""


def code_array(codes: Collection[int]) -> CodeArray:
    """Return codes as an array."""
    return np.fromiter(codes, np.int32, len(codes))
