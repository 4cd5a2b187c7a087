"""Columns stored as Python objects: text, and whatever an object array may hold."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from numbers import Integral

import numpy as np

from treewright.data import value_errors
from treewright.data.intake.column import Column, Kind, Nominal, Place, Spellings
from treewright.data.intake.labels import (
    WHOLE_LIMIT,
    Family,
    Label,
    family,
    family_of_type,
    fits_int64,
    identity,
    in_text_order,
    is_infinite,
    plain,
)
from treewright.data.intake.numbers import refuse_infinite
from treewright.data.types import FloatArray, Value

# numpy turns these into floats as `float` does, and None into NaN
_QUICK_TYPES = {float, int, bool, type(None), np.float64, np.float32, np.int64, np.int32, np.bool_}


@dataclass(frozen=True)
class ObjectColumn:
    """A list of objects.

    With `reads_numbers`, text is read as a file's would be: if every text is a number, the column
    is numeric.
    """

    values: list[Value]
    reads_numbers: bool = False

    def kind(self, place: Place) -> Kind:
        """All numbers: numeric; text, booleans, nothing: nominal; anything else is an error."""
        families = self._families
        self.refuse_other(value_errors.other_type, place)
        if "text" in families and self._all_text_is_numbers():
            families = families - {"text"} | {"number"}
        if "number" in families and len(families) > 1:
            raise self._mixture(place)
        return "numeric" if families == {"number"} or self._is_nan_throughout() else "nominal"

    def numbers(self, place: Place) -> FloatArray:
        """Return the values as numbers; text is refused unless it is read as a file's."""
        self.refuse_other(value_errors.other_type, place)
        column = self._with_text_read()
        if "text" in column._families:
            row = column._first_of("text")
            raise value_errors.text_where_number(place, row, column.values[row])
        numbers = column._floats(place)
        refuse_infinite(numbers, place)
        return numbers

    def nominal(self, place: Place) -> Nominal:
        """Return a code a distinct value, in the order of their texts."""
        if self._only_text is not None:
            return self._nominal_text(self._only_text)
        self.refuse_other(value_errors.other_type, place)
        labels = self._labels(place)
        if self._families == {"boolean"}:
            labels = {(value,): value for value in (False, True)}
        levels = in_text_order(labels.values())
        code: dict[Hashable, int] = {identity(level): i for i, level in enumerate(levels)}
        codes = [-1 if family(v) == "nothing" else code[identity(plain(v))] for v in self.values]
        return Nominal(np.array(codes, np.int32), levels)

    def texts_read(self) -> dict[str, float]:
        """Return the texts that are read as numbers, each with its number."""
        if not self.reads_numbers:
            return {}
        texts = {value for value in self.values if family(value) == "text"}
        numbers = ((text, read_number(text)) for text in texts)
        return {text: float(number) for text, number in numbers if number is not None}

    def objects(self) -> list[object]:
        """Return the values as they are."""
        return self.values

    def without(self, spellings: Spellings) -> Column:
        """Take texts and numbers among the spellings as missing."""
        stands_for_missing = self._is_spelling(spellings)
        kept = [None if stands_for_missing(value) else value for value in self.values]
        return ObjectColumn(kept, reads_numbers=bool(spellings.texts))

    def refuse_other(self, message: Callable[[Place, int, object], Exception], place: Place) -> None:
        """Raise for the first value that is no label and not missing."""
        if "other" in self._families:
            row = self._first_of("other")
            raise message(place, row, self.values[row])

    @cached_property
    def _types(self) -> set[type]:
        return set(map(type, self.values))

    @cached_property
    def _only_text(self) -> dict[Value, None] | None:
        """The distinct values if all of them are text or missing: the usual case, read quickly."""
        may_be = {"text", "nothing", "number"}  # the number being NaN
        if str not in self._types or not may_be.issuperset(map(family_of_type, self._types)):
            return None
        distinct = dict.fromkeys(self.values)
        is_text = all(type(v) is str or family(v) == "nothing" for v in distinct)
        return distinct if is_text else None

    @cached_property
    def _families(self) -> set[Family]:
        """The families of the known values."""
        if self._only_text is not None:
            return {"text"}
        families = {family_of_type(kind) for kind in self._types}
        if "number" in families and not any(family(value) == "number" for value in self.values):
            families.remove("number")
        return families - {"nothing"}

    def _is_nan_throughout(self) -> bool:
        """Tell whether nothing is known but, from a NaN, that the values are numbers."""
        return not self._families and "number" in map(family_of_type, self._types)

    def _nominal_text(self, distinct: Iterable[Value]) -> Nominal:
        levels = sorted(value for value in distinct if type(value) is str)
        code = dict.fromkeys(distinct, -1)
        code.update((level, i) for i, level in enumerate(levels))
        codes = np.fromiter(map(code.__getitem__, self.values), np.int32, len(self.values))
        return Nominal(codes, list[Label](levels))

    def _labels(self, place: Place) -> dict[Hashable, Label]:
        """Return the distinct labels, each refused if it cannot be one."""
        labels: dict[Hashable, Label] = {}
        for row, value in enumerate(self.values):
            if family(value) == "nothing":
                continue
            label = plain(value)
            if not isinstance(label, str | bool) and is_infinite(label):
                raise value_errors.infinite(place, row, label)
            if not fits_int64(label):
                raise value_errors.level_too_large(place, row, label)
            labels.setdefault(identity(label), label)
        return labels

    def _floats(self, place: Place) -> FloatArray:
        if _QUICK_TYPES.issuperset(self._types):
            try:
                numbers = np.array(self.values, dtype=np.float64)
            except OverflowError:
                pass
            else:
                self._refuse_inexact(np.flatnonzero(np.abs(numbers) >= WHOLE_LIMIT), place)
                return numbers
        self._refuse_inexact(range(len(self.values)), place)
        floats = [np.nan if family(value) == "nothing" else float(value) for value in self.values]
        return np.array(floats, dtype=np.float64)

    def _refuse_inexact(self, rows: Iterable[int], place: Place) -> None:
        for row in rows:
            if _is_inexact(self.values[row]):
                raise value_errors.inexact(place, int(row), self.values[row])

    def _all_text_is_numbers(self) -> bool:
        if not self.reads_numbers:
            return False
        distinct = self._only_text or dict.fromkeys(self.values)
        return all(read_number(v) is not None for v in distinct if family(v) == "text")

    def _with_text_read(self) -> ObjectColumn:
        if not self.reads_numbers:
            return self
        read = [self._read(value) for value in self.values]
        return replace(self, values=read, reads_numbers=False)

    def _read(self, value: Value) -> Value:
        number = read_number(value) if family(value) == "text" else None
        return value if number is None else number

    def _is_spelling(self, spellings: Spellings) -> Callable[[Value], bool]:
        texts, numbers = spellings.texts, spellings.numbers
        if self._only_text is not None:
            return texts.__contains__
        members = {"text": texts, "number": numbers}
        return lambda value: value in members.get(family(value), ())

    def _first_of(self, wanted: Family) -> int:
        return next(row for row, value in enumerate(self.values) if family(value) == wanted)

    def _mixture(self, place: Place) -> Exception:
        number = self._first_of("number")
        other = min(self._first_of(known) for known in self._families - {"number"})
        one, two = ((row, self.values[row]) for row in sorted((number, other)))
        return value_errors.mixed(place, one, two)


def read_number(text: str) -> float | int | None:
    """Return the number that a text is, None if it is none; ``nan`` and ``1_000`` are words.

    >>> read_number(" 1e3"), read_number("12"), read_number("1_000"), read_number("nan")
    (1000.0, 12, None, None)
    """
    if "_" in text:
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return None if number != number else number


def _is_inexact(value: Value) -> bool:
    """Tell whether a whole number, or a decimal, changes by becoming a float and being written again."""
    if family(value) != "number" or isinstance(value, float | np.floating):
        return False
    if isinstance(value, Decimal) and value.is_finite() and value != value.to_integral_value():
        return Decimal(repr(float(value))) != value
    if not isinstance(value, Integral) and (is_infinite(value) or value != int(value)):
        return False
    whole = int(value)
    try:
        return int(float(whole)) != whole
    except OverflowError:
        return True
