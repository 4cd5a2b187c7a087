"""Dates and times of files, and the numbers that are made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NoReturn

import numpy as np

from treewright._base.errors import DataTypeError
from treewright._base.wording import Param
from treewright.data.intake.column import Column, Kind, Nominal, Place, Spellings, first
from treewright.data.intake.numbers import objects_of
from treewright.data.types import AnyArray, FloatArray

Refuse = Callable[[int, str], NoReturn]


@dataclass(frozen=True)
class DateColumn:
    """Dates or times, as numpy has them; NaT where missing. No kind of columns takes them as they are."""

    values: AnyArray
    precision: str = "s"

    def kind(self, place: Place) -> Kind:
        """Refuse dates of which nobody said what they mean."""
        known = ~np.isnat(self.values)
        row = first(known) if known.any() else 0
        raise DataTypeError(
            place.subject,
            f" holds dates, such as {shown_time(self.values[row], self.precision)} at ",
            place.row(row),
            "; declare what of them matters in ",
            Param("dates"),
            ", or leave the column out",
        )

    def numbers(self, place: Place) -> FloatArray:
        """Refuse dates as numbers."""
        self.kind(place)
        raise AssertionError("dates have no kind")

    def nominal(self, place: Place) -> Nominal:
        """Return each date as a value of its own."""
        texts = [None if np.isnat(one) else shown_time(one, self.precision) for one in self.values]
        levels = sorted({text for text in texts if text is not None})
        code: dict[str | None, int] = {text: i for i, text in enumerate(levels)} | {None: -1}
        return Nominal(np.array([code[text] for text in texts], np.int32), [*levels])

    def objects(self) -> list[object]:
        """Return the dates as numpy has them."""
        return objects_of(self.values, np.isnat(self.values))

    def without(self, spellings: Spellings) -> Column:
        """Return the column itself: dates have no other spelling of "missing"."""
        return self


def shown_time(value: object, precision: str) -> str:
    """Write a date as ISO 8601 has it, as exactly as its column is."""
    return str(np.datetime_as_string(np.datetime64(value), unit=precision)).replace("T", " ")  # type: ignore[call-overload]


_LETTERS = {
    "yyyy": "%Y", "yy": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "M": "%m", "dd": "%d", "d": "%d",
    "HH": "%H", "H": "%H", "hh": "%I", "h": "%I", "mm": "%M", "m": "%M", "ss": "%S", "s": "%S",
    "SSS": "%f", "a": "%p", "EEEE": "%A", "EEE": "%a", "EE": "%a", "E": "%a", "Z": "%z", "X": "%z",
}  # fmt: skip


def python_format(java: str) -> str | None:
    """Return the format of Python that a pattern of Java's SimpleDateFormat means; None if there is none.

    >>> python_format("yyyy-MM-dd'T'HH:mm:ss")
    '%Y-%m-%dT%H:%M:%S'
    """
    written, at = "", 0
    while at < len(java):
        letter = java[at]
        if letter == "'":
            end = java.find("'", at + 1)
            if end < 0:
                return None
            written, at = written + (java[at + 1 : end] or "'").replace("%", "%%"), end + 1
            continue
        n = len(java[at:]) - len(java[at:].lstrip(letter))
        if letter.isalpha():
            known = _LETTERS.get(letter * n)
            if known is None:
                return None
            written += known
        else:
            written += (letter * n).replace("%", "%%")
        at += n
    return written


def epoch(java: str) -> str:
    """Write the first of January 1970 in a pattern of Java, in which it counts as 0."""
    return datetime(1970, 1, 1).strftime(python_format(java) or "")


def read_java_dates(values: Sequence[str | None], java: str, refuse: Refuse) -> tuple[AnyArray, str]:
    """Return dates that a pattern of Java describes, and how exact they are."""
    pattern = python_format(java)
    if pattern is None:
        refuse(0, f"the date format {java!r} is not known; write dates as yyyy-MM-dd or yyyy-MM-dd HH:mm:ss")
    read: dict[str | None, np.datetime64] = {None: np.datetime64("NaT", "us")}
    for text in dict.fromkeys(values):
        if text is None:
            continue
        try:
            found = datetime.strptime(text, pattern)
        except ValueError:
            refuse(values.index(text), f"{text!r} is no date of the format {java!r}; correct it, or write ?")
        if found.tzinfo is not None:
            found = (found - (found.utcoffset() or found - found)).replace(tzinfo=None)
        read[text] = np.datetime64(found, "us")
    precision = "ms" if "SSS" in java else "s" if "s" in java else "m" if "m" in java or "H" in java else "D"
    return np.array([read[text] for text in values], dtype="datetime64[us]"), precision
