"""Columns of a categorical dtype: codes and the categories the user declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright.data import value_errors
from treewright.data.intake.column import Column, Kind, Nominal, OrderedLevels, Place, Spellings, first
from treewright.data.intake.labels import (
    Label,
    family,
    fits_int64,
    identity,
    is_infinite,
    plain,
)
from treewright.data.intake.objects import ObjectColumn
from treewright.data.types import AnyArray, BoolArray, FloatArray


@dataclass(frozen=True)
class CategoryColumn:
    """Codes, negative where missing, into categories in their declared order.

    A category that is no label (an interval, a date) stands as its text. `is_ordered` tells whether their
    order is that from low to high, and not just the one in which they are listed.
    """

    codes: AnyArray
    categories: Sequence[object]
    is_ordered: bool = False

    def kind(self, place: Place) -> Kind:
        """Categories are nominal."""
        return "nominal"

    def numbers(self, place: Place) -> FloatArray:
        """Return the categories that occur as numbers."""
        occurring = self._occurring()
        values = [value if seen else None for value, seen in zip(self.categories, occurring, strict=True)]
        numbers = ObjectColumn(values).numbers(self._place_of_categories(place))
        return np.append(numbers, np.nan)[self._codes_from_end()]

    def nominal(self, place: Place) -> Nominal:
        """Return the codes; categories that are one label share one."""
        texts = [category for category in self.categories if type(category) is str]
        if len(set(texts)) == len(self.categories):  # the usual case: categories are levels as they are
            return Nominal(self.codes.astype(np.int32), self._kept(texts))
        position: dict[object, int] = {}
        levels: list[Label] = []
        translation = np.full(len(self.categories) + 1, -1, np.int32)
        for code, category in enumerate(self.categories):
            if family(category) == "nothing":
                continue
            label = self._label(code, place)
            translation[code] = position.setdefault(identity(label), len(levels))
            if translation[code] == len(levels):
                levels.append(label)
        return Nominal(translation[self._codes_from_end()], self._kept(levels))

    def _kept(self, levels: Sequence[Label]) -> list[Label]:
        return OrderedLevels(levels) if self.is_ordered else list(levels)

    def objects(self) -> list[object]:
        """Return the category of each row."""
        categories = [*self.categories, None]
        return [categories[code] for code in self._codes_from_end().tolist()]

    def without(self, spellings: Spellings) -> Column:
        """Drop categories that are spellings of "missing" from the domain."""
        stand_for_missing = [_is_spelling(category, spellings) for category in self.categories]
        if not any(stand_for_missing):
            return self
        kept = [c for c, gone in zip(self.categories, stand_for_missing, strict=True) if not gone]
        translation = np.append(np.cumsum(np.logical_not(stand_for_missing)) - 1, -1)
        translation[:-1][stand_for_missing] = -1
        return CategoryColumn(translation[self._codes_from_end()], kept, self.is_ordered)

    def _label(self, code: int, place: Place) -> Label:
        category = self.categories[code]
        if family(category) == "other":
            return str(category)
        label = plain(category)
        if not isinstance(label, str | bool) and is_infinite(label):
            raise value_errors.infinite(place, self._row_of(code), label)
        if not fits_int64(label):
            raise value_errors.level_too_large(place, self._row_of(code), label)
        return label

    def _row_of(self, code: int) -> int:
        return first(self.codes == code)

    def _codes_from_end(self) -> AnyArray:
        """Codes that index an array with one more entry, at its end, for "missing"."""
        return np.where(self.codes < 0, np.int32(len(self.categories)), self.codes)

    def _occurring(self) -> BoolArray:
        occurring = np.zeros(len(self.categories) + 1, np.bool_)
        occurring[self._codes_from_end()] = True
        return occurring[:-1]

    def _place_of_categories(self, place: Place) -> Place:
        """Let an error about a category name the first row that has it."""
        rows = np.zeros(len(self.categories), np.int64)
        seen, first_rows = np.unique(self.codes, return_index=True)
        rows[seen[seen >= 0]] = [place.row(int(row)).row for row in first_rows[seen >= 0]]
        return replace(place, rows=rows)


def _is_spelling(category: object, spellings: Spellings) -> bool:
    known = family(category)
    if known == "text":
        return category in spellings.texts
    return known == "number" and category in spellings.numbers
