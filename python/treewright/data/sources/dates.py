"""Dates and times of files, and the numbers that are made of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import NoReturn

import numpy as np

from treewright._base.errors import DataTypeError
from treewright._base.frames import nw
from treewright._base.wording import Param
from treewright.data.derived import written
from treewright.data.intake.column import Column, Kind, Nominal, Place, Spellings, first
from treewright.data.intake.numbers import objects_of
from treewright.data.intake.objects import ObjectColumn
from treewright.data.intake.vectors import series_column
from treewright.data.types import AnyArray, FloatArray, Native

Refuse = Callable[[int, str], NoReturn]


class _Times(ABC):
    """What dates and durations have in common: no kind of columns takes them as they are."""

    values: AnyArray

    @abstractmethod
    def shown(self, row: int) -> str:
        """Write the value of a row."""

    @abstractmethod
    def refused(self, place: Place, row: int) -> DataTypeError:
        """Say what is to be declared."""

    def kind(self, place: Place) -> Kind:
        """Refuse dates of which nobody said what they mean; of a column without any nothing is known."""
        known = ~np.isnat(self.values)
        if not known.any():
            return "nominal"
        raise self.refused(place, first(known))

    def numbers(self, place: Place) -> FloatArray:
        """Refuse dates as numbers."""
        self.kind(place)
        return np.full(len(self.values), np.nan)

    def nominal(self, place: Place) -> Nominal:
        """Return each date as a value of its own."""
        texts = [None if np.isnat(one) else self.shown(row) for row, one in enumerate(self.values)]
        levels = sorted({text for text in texts if text is not None})
        code: dict[str | None, int] = {text: i for i, text in enumerate(levels)} | {None: -1}
        return Nominal(np.array([code[text] for text in texts], np.int32), [*levels])

    def objects(self) -> list[object]:
        """Return the dates as numpy has them."""
        return objects_of(self.values, np.isnat(self.values))

    def without(self, spellings: Spellings) -> Column:
        """Return the column itself: dates have no other spelling of "missing"."""
        return self


@dataclass(frozen=True)
class DateColumn(_Times):
    """Dates or times, as numpy has them, NaT where missing; `precision` is numpy's letter for a unit."""

    values: AnyArray
    precision: str = "s"

    def shown(self, row: int) -> str:
        """Write the date of a row."""
        return shown_time(self.values[row], self.precision)

    def refused(self, place: Place, row: int) -> DataTypeError:
        """Say that dates are declared."""
        what = f" holds dates, such as {self.shown(row)} at "
        remedy = "; declare what of them matters in "
        return DataTypeError(
            place.subject, what, place.row(row), remedy, Param("dates"), ", or leave the column out"
        )


@dataclass(frozen=True)
class DurationColumn(_Times):
    """Durations, or times of day, as numpy has them; NaT where missing."""

    values: AnyArray

    def shown(self, row: int) -> str:
        """Write the duration of a row."""
        return str(self.values[row].astype("timedelta64[us]").item())

    def refused(self, place: Place, row: int) -> DataTypeError:
        """Say that durations have a unit."""
        what = f" holds durations or times of day, such as {self.shown(row)} at "
        remedy = "; declare the unit of their number in "
        return DataTypeError(
            place.subject, what, place.row(row), remedy, Param("dates"), ", such as hours, or leave it out"
        )


def column_of_objects(values: list[object]) -> Column:
    """Return Python's objects as dates or durations if all are, else as they are."""
    types = {type(value) for value in values} - {type(None)}
    if types and types <= {date, datetime}:
        times = np.array([_naive(value) for value in values], "datetime64[us]")
        return DateColumn(times, _precision(times))
    if types and types <= {time, timedelta}:
        return DurationColumn(np.array([_duration(value) for value in values], "timedelta64[us]"))
    return ObjectColumn(values)


def _naive(value: object) -> object:
    return value.replace(tzinfo=None) if isinstance(value, datetime) else value


def _duration(value: object) -> object:
    if not isinstance(value, time):
        return value
    return datetime.combine(date.min, value.replace(tzinfo=None)) - datetime.min


def column_of_series(native: Native) -> Column:
    """Return a column of a frame; dates and durations as such."""
    series = nw.from_native(native, series_only=True)
    dtype = series.dtype
    if isinstance(dtype, nw.Datetime):
        local = series.dt.replace_time_zone(None) if dtype.time_zone else series
        return DateColumn(local.to_numpy().astype("datetime64[us]"), _precision(local.to_numpy()))
    if dtype == nw.Date:
        return DateColumn(series.to_numpy().astype("datetime64[us]"), "D")
    if isinstance(dtype, nw.Duration):
        return DurationColumn(series.to_numpy().astype("timedelta64[us]"))
    column = series_column(series)
    return column_of_objects(column.values) if isinstance(column, ObjectColumn) else column


def _precision(values: AnyArray) -> str:
    """Return the coarsest unit that holds all times exactly."""
    known = values[~np.isnat(values)]
    units = ("D", "m", "s", "ms", "us", "ns")
    return next(unit for unit in units if (known.astype(f"M8[{unit}]") == known).all())


def shown_time(value: object, precision: str) -> str:
    """Write a date as ISO 8601 has it, as exactly as its column is."""
    return written(value, precision).replace("T", " ")


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
