"""Columns of words, of formats that say what each column is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from treewright._base.errors import DataError
from treewright._base.wording import shortened
from treewright.data.intake.categories import CategoryColumn
from treewright.data.intake.numbers import NumberColumn
from treewright.data.intake.objects import ObjectColumn, read_number
from treewright.data.types import FloatArray


@dataclass(frozen=True)
class Words:
    """The words of one column, None where missing, and the lines on which its rows are.

    `spelled` is what the format writes for a missing value.
    """

    path: str
    name: str
    values: Sequence[str | None]
    lines: Sequence[int]
    spelled: str = "?"

    def refuse(self, row: int, what: str) -> NoReturn:
        """Raise an error about the word of a row."""
        raise DataError(f"{self.path}, line {self.lines[row]}, column {self.name!r}: {what}")

    def numbers(self, read: Callable[[str], float | None] = read_number) -> NumberColumn:
        """Return all words as numbers."""
        known: dict[str | None, float] = {None: np.nan}
        for text in {text for text in self.values if text is not None}:
            number = read(text)
            if number is None or number in (np.inf, -np.inf):
                what = "is not a number" if number is None else "is infinite or beyond a 64-bit float"
                row = self.values.index(text)
                self.refuse(row, f"{text!r} {what}; a missing value is written as {self.spelled}")
            known[text] = float(number)
        values: FloatArray = np.fromiter(map(known.__getitem__, self.values), np.float64, len(self.values))
        return NumberColumn(values)

    def categories(self, domain: Sequence[str]) -> CategoryColumn:
        """Return all words as values of a declared domain."""
        code: dict[str | None, int] = {text: i for i, text in enumerate(domain)}
        code[None] = -1
        unknown = set(self.values) - code.keys()
        if unknown:
            row = next(i for i, text in enumerate(self.values) if text in unknown)
            self.refuse(
                row,
                f"{self.values[row]!r} is not in the declared domain ({shortened(domain, 6)}); add it "
                f"there, or write {self.spelled} for a missing value",
            )
        codes = np.fromiter(map(code.__getitem__, self.values), np.int32, len(self.values))
        return CategoryColumn(codes, domain)

    def texts(self, *, reads_numbers: bool = False) -> ObjectColumn:
        """Return the words as text, which `reads_numbers` turns into numbers if all of them are."""
        return ObjectColumn(list(self.values), reads_numbers)


def first_double(names: Sequence[str]) -> str | None:
    """Return the first name that comes twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def refuse_names(where: str, names: Sequence[str]) -> None:
    """Refuse columns without a name, and two of one name."""
    double = first_double(names)
    if double is not None:
        places = [position for position, name in enumerate(names, start=1) if name == double]
        raise DataError(f"{where}: columns {places[0]} and {places[1]} are both named {double!r}; rename one")
    if any(not name.strip() for name in names):
        position = next(i for i, name in enumerate(names, start=1) if not name.strip())
        raise DataError(f"{where}: column {position} has no name; name it")
