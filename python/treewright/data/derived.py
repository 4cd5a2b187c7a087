"""Features that are made of dates: their numbers, how they are kept with a tree, and how they are undone.

A date has parts (year, month, weekday, ...) and lies so many days, hours, minutes or seconds after the first
one of the training data. A duration is a number of these units.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import Param, Value
from treewright.data.dataset import Dataset, dataset_of_codes
from treewright.data.intake.labels import Label
from treewright.data.source import Source
from treewright.data.times import Times, UnreadableError, read_times
from treewright.data.types import AnyArray, FloatArray, IntArray

Dates = Mapping[str, "str | Sequence[str]"] | Collection[str]
"""Columns of dates, with the parts that are made of each."""

MICROSECONDS = {"days": 86_400_000_000, "hours": 3_600_000_000, "minutes": 60_000_000, "seconds": 1_000_000}
PARTS = ("year", "quarter", "month", "day", "weekday", "hour", "minute")
USUAL = ("year", "month", "weekday", "days")
_PER_UNIT = {"D": 86_400_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1000, "us": 1}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


@dataclass(frozen=True)
class Derived:
    """A feature that is made of a column of dates.

    Attributes
    ----------
    source : str
        The column of the file.
    part : str
        What is made of it.
    unit : str
        To what dates are cut: ``"D"``, ``"m"``, ``"s"``, ``"ms"`` or ``"us"``.
    since : str or None
        The first date, from which units are counted; None for parts and durations.
    format : str or None
        How its texts are written; None for ISO 8601 and durations.
    """

    source: str
    part: str
    unit: str
    since: str | None = None
    format: str | None = None

    @property
    def name(self) -> str:
        """Name of the feature."""
        return f"{self.source}.{self.part}"

    def numbers(self, times: Times) -> FloatArray:
        """Return the feature, NaN where there is no date."""
        values = times.values
        cut = values.astype(f"{values.dtype.kind}8[{self.unit}]").astype(f"{values.dtype.kind}8[us]")
        if self.since is not None:
            cut = cut - np.datetime64(self.since, "us")
        whole = cut.astype(np.int64) if self.part in MICROSECONDS else _part(cut, self.part)
        numbers: FloatArray = whole / MICROSECONDS.get(self.part, 1)
        return np.where(np.isnat(values), np.nan, numbers)

    def undone(self, sign: str, number: float) -> str | None:
        """Write a comparison with a number in dates; None where the number is plain as it is."""
        told = self.worded(number)
        if told is None:
            return None
        return f"{self.name if self.since is None else self.source} {_SIGNS[sign]} {told}"

    def worded(self, number: float) -> str | None:
        """Write a number as the last date, month or weekday that is not above it; None where it is plain."""
        words = {"month": _MONTHS, "weekday": _WEEKDAYS}.get(self.part)
        if words is not None and 1 <= number < len(words) + 1:
            return words[int(number) - 1]
        return None if self.since is None else self.date(number)

    def date(self, number: float) -> str:
        """Return the last date that is not above a number of units."""
        step, unit = _PER_UNIT[self.unit], MICROSECONDS[self.part]
        n = math.floor(number * unit / step)
        while (n + 1) * step / unit <= number:
            n += 1
        while n * step / unit > number:
            n -= 1
        found = np.datetime64(self.since, "us") + np.timedelta64(n * step, "us")
        return written(found, self.unit).replace("T", " ")

    def told(self, feature: int) -> dict[str, object]:
        """Return how the feature is made, as a tree keeps it."""
        known = {"format": self.format, "unit": self.unit}
        read = {name: value for name, value in known.items() if value is not None}
        made = {} if self.since is None else {"since": self.since}
        steps = [{"step": "date", "parameters": read}, {"step": self.part, "parameters": made}]
        return {"feature": feature, "source": self.source, "steps": steps}


_SIGNS = {"<=": "up to", ">": "after"}


def written(time: object, unit: str) -> str:
    """Write a time as ISO 8601 has it."""
    return str(np.datetime_as_string(np.datetime64(time), unit=unit))  # type: ignore[call-overload]


def _part(times: AnyArray, part: str) -> IntArray:
    days, months = times.astype("M8[D]"), times.astype("M8[M]")
    if part in ("hour", "minute"):
        minutes: IntArray = (times - days).astype(np.int64) // 60_000_000
        return minutes // 60 if part == "hour" else minutes % 60
    month: IntArray = months.astype(np.int64) % 12
    counted: Mapping[str, IntArray] = {
        "year": times.astype("M8[Y]").astype(np.int64) + 1970,
        "quarter": month // 3 + 1,
        "month": month + 1,
        "day": (days - months.astype("M8[D]")).astype(np.int64) + 1,
        "weekday": (days.astype(np.int64) + 3) % 7 + 1,
    }
    return counted[part]


def asked_dates(dates: Dates | None) -> dict[str, list[str]]:
    """Return the words that are asked of each column; none mean the usual parts."""
    if dates is None:
        return {}
    if isinstance(dates, str):
        raise ParameterError("dates", dates, "is one text", f"pass a list: [{dates!r}]")
    if not isinstance(dates, Mapping):
        return {name: [] for name in dates}
    asked = {name: [words] if isinstance(words, str) else list(words) for name, words in dates.items()}
    for name, words in asked.items():
        for word in words:
            if "%" not in word and word not in (*PARTS, *MICROSECONDS):
                known = Value(*PARTS, *MICROSECONDS)
                more = ("choose ", known, ", or a format such as '%d.%m.%Y'")
                raise ParameterError("dates", word, "is no part of a date", more, at=(name,))
    return asked


def with_dates(dataset: Dataset, asked: Mapping[str, Sequence[str]], where: str) -> Dataset:
    """Return a data set with numbers in the place of nominal columns that write dates."""
    names: list[str] = []
    columns: list[AnyArray] = []
    levels: list[list[Label] | None] = []
    made: list[Derived] = []
    for i, (name, own) in enumerate(zip(dataset.feature_names, dataset.levels, strict=True)):
        if name in asked and own is not None:
            found = _made(
                name, asked[name], times_of(dataset.column(i), own, name, asked[name], where), where
            )
            made += found
            names += [one.name for one in found]
            columns += found.values()
            levels += [None] * len(found)
        else:
            names.append(name)
            columns.append(dataset.column(i))
            levels.append(own)
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise DataError(f"{where}: a column is named {double!r}, as is what is made of a date; rename it")
    source = dataset.source
    told = (
        None if source is None else replace(source, reading=_with_asked(source, asked), derived=tuple(made))
    )
    return dataset_of_codes(
        names, columns, levels, dataset.target, dataset.classes, dataset.sample_weight, names, told
    )


def _with_asked(source: Source, asked: Mapping[str, Sequence[str]]) -> Mapping[str, object]:
    return {**(source.reading or {}), "dates": {name: list(words) for name, words in asked.items()}}


def times_of(codes: AnyArray, levels: Sequence[Label], name: str, words: Sequence[str], where: str) -> Times:
    """Read the dates of a nominal column."""
    formats = [word for word in words if "%" in word]
    try:
        read = read_times([str(level) for level in levels], formats[0] if formats else None)
    except UnreadableError as error:
        raise _unreadable(error, name, where) from None
    nothing = np.array(["NaT"], read.values.dtype)
    return Times(np.concatenate([read.values, nothing])[codes], read.unit, read.format)


def _unreadable(error: UnreadableError, name: str, where: str) -> DataError:
    place = f"{where}, column {name!r}: "
    if len(error.formats) > 1:
        one, two = error.formats
        return DataError(
            f"{place}the dates, such as {error.text!r}, can be read as {one!r} and as {two!r}; say which in ",
            Param("dates"),
            f", such as {{{name!r}: {one!r}}}",
        )
    what = f" of the format {error.formats[0]!r}" if error.formats else " that is known"
    return DataError(
        f"{place}{error.text!r} is no date{what}; correct it, add it to ",
        Param("missing_values"),
        ", or give the format in ",
        Param("dates"),
        f", such as {{{name!r}: '%d.%m.%Y'}}",
    )


def _made(name: str, words: Sequence[str], times: Times, where: str) -> dict[Derived, FloatArray]:
    """Return the features that are asked for, with their numbers."""
    parts = [word for word in words if "%" not in word]
    if times.are_durations:
        wrong = [part for part in parts if part in PARTS]
        if wrong:
            raise DataError(
                f"{where}, column {name!r} holds durations, which have no {wrong[0]}; ask for ",
                Value(*MICROSECONDS),
            )
        parts = parts or ["hours"]
    usual = USUAL if times.unit == "D" else (*USUAL, "hour")
    known = times.values[~np.isnat(times.values)]
    is_counted = len(known) > 0 and not times.are_durations
    since = written(known.min(), times.unit) if is_counted else None
    found: dict[Derived, FloatArray] = {}
    for part in parts or usual:
        made = Derived(name, part, times.unit, since if part in MICROSECONDS else None, times.format)
        found[made] = made.numbers(times)
    return found


def derived_in(reading: Mapping[str, object] | None) -> dict[int, Derived]:
    """Return the derived features of a tree by their position, from how it says its file was read."""
    columns = (reading or {}).get("columns")
    found = (_read(column) for column in (columns if isinstance(columns, list) else []))
    return {feature: made for feature, made in found if made is not None}


def _read(column: object) -> tuple[int, Derived | None]:
    if not isinstance(column, dict):
        return -1, None
    steps = column["steps"]
    if len(steps) != 2 or steps[0]["step"] != "date" or steps[1]["step"] not in (*PARTS, *MICROSECONDS):
        return column["feature"], None
    how, made = (step.get("parameters", {}) for step in steps)
    since, unit = made.get("since"), how.get("unit", "us")
    return column["feature"], Derived(column["source"], steps[1]["step"], unit, since, how.get("format"))


def undone(text: str, names: Sequence[str], derived: Mapping[int, Derived]) -> str:
    """Write comparisons of a printed tree in dates where its features are made of them."""
    for feature, made in derived.items():
        name = re.escape(names[feature])
        pattern = rf"^((?:\|   )*){name} (<=|>) (-?[0-9][0-9.e+\-]*)(?=$|:| \{{)"
        text = re.sub(pattern, partial(_rewritten, made), text, flags=re.MULTILINE)
    return text


def _rewritten(made: Derived, found: re.Match[str]) -> str:
    told = made.undone(found[2], float(found[3]))
    return found[0] if told is None else found[1] + told
