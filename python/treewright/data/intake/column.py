"""What every column can do, whatever form its values are stored in, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from treewright._base.wording import Feature, Param, Row
from treewright.data.intake.labels import Label
from treewright.data.types import AnyArray, CodeArray, FloatArray, IntArray


@dataclass(frozen=True)
class Place:
    """A feature, or a parameter such as `y`; `rows` leads back to the rows as the user counts them."""

    subject: Feature | Param
    rows: IntArray | None = None

    @classmethod
    def of_feature(cls, name: str, column: int, rows: IntArray | None = None) -> Place:
        """Name a feature."""
        return cls(Feature(name, column), rows)

    def row(self, position: int) -> Row:
        """Return the row as the user counts it; rows of weight 0 have left."""
        return Row(position if self.rows is None else int(self.rows[position]))


def first(mask: AnyArray) -> int:
    """Return the position of the first True."""
    return int(np.argmax(mask))


Kind = Literal["numeric", "nominal"]


@dataclass(frozen=True)
class Spellings:
    """Texts and numbers that stand for a missing value."""

    texts: frozenset[str] = frozenset()
    numbers: frozenset[float] = frozenset()


class OrderedLevels(list[Label]):
    """Levels whose order is declared, from low to high; otherwise a list like any other."""


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

    def objects(self) -> list[object]:
        """Return the values as Python objects; None, NaN or NA where missing."""

    def without(self, spellings: Spellings) -> Column:
        """Return the column with other spellings of "missing" taken as such."""
