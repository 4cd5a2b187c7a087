"""Where in the user's data something stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]
AnyArray = NDArray[Any]


@dataclass(frozen=True)
class Place:
    """A column by name and position; `rows` leads back to the rows as the user counts them."""

    subject: str
    rows: IntArray | None = None

    @classmethod
    def of_feature(cls, name: str, column: int, rows: IntArray | None = None) -> Place:
        """Name a feature as every message does."""
        return cls(f"feature {name!r} (column {column})", rows)

    def row(self, position: int) -> int:
        """Return the row as the user counts it; rows of weight 0 have left."""
        return position if self.rows is None else int(self.rows[position])

    def __str__(self) -> str:
        return self.subject


def first(mask: AnyArray) -> int:
    """Return the position of the first True."""
    return int(np.argmax(mask))
