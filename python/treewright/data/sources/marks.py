"""By which marks the numbers of a file are read, and which of its columns are numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from treewright import _core
from treewright._base.errors import DataError
from treewright._base.wording import Param

Seen = tuple[str, str, int]
"""A mark, a unit or a kind of code; the text that shows it; the first row of that."""

Oddity = Literal["codes", "units", "marks"]


class Surveyed(Protocol):
    """A table of a file, and what was seen in its columns."""

    @property
    def path(self) -> str:
        """What messages call the file."""

    @property
    def surveys(self) -> Mapping[str, _core.Survey]:
        """What was seen in each column."""

    def where(self, name: str, row: int | None = None) -> str:
        """Say which column, and which line."""


@dataclass(frozen=True)
class NumberWay:
    """How a column of numbers is read."""

    decimal: str
    thousands: str | None
    unit: str = ""


@dataclass(frozen=True)
class Odd:
    """Why a column that looks like numbers is none, and a text that shows it."""

    what: Oddity
    seen: Sequence[Seen]


@dataclass(frozen=True)
class Marks:
    """The mark of decimals in a file, and what is between thousands; None where no number has one."""

    decimal: str | None
    thousands: str | None

    def way(self, survey: _core.Survey) -> NumberWay:
        """Return how the numbers of a column are read."""
        decimal = self.decimal or "."
        own = [mark for mark, _, _ in [*survey.thousands, *survey.eithers] if mark != decimal]
        thousands = own[0] if own and self.thousands is None else self.thousands or None
        units = [unit for unit, _, _ in survey.units]
        return NumberWay(decimal, thousands, units[0] if units else "")


def numeric_columns(surveys: Mapping[str, _core.Survey], numeric: Collection[str]) -> list[str]:
    """Return the columns that hold nothing but numbers, with or without units, or are declared numeric."""
    return [name for name, one in surveys.items() if name in numeric or (not one.n_others and one.n_known)]


def find_marks(
    table: Surveyed, numeric: Collection[str], delimiter: str, decimal: str | None, thousands: str | None
) -> Marks:
    """Tell the marks of a file from its columns of numbers; what is given wins.

    Raises
    ------
    DataError
        If two columns say different things, or nothing says what a mark is.
    """
    columns = numeric_columns(table.surveys, numeric)
    if decimal is not None:
        return Marks(decimal, thousands)
    seen = _Seen(table, columns)
    decimals, groups, eithers = seen.of("decimals"), seen.of("thousands"), seen.of("eithers")
    says = {mark: place for mark, place in decimals.items() if mark != thousands}
    for mark, place in groups.items():
        if mark in ".,":
            says.setdefault("," if mark == "." else ".", place)
    if len(says) > 1:
        raise _contrary(table, says)
    if says:
        return Marks(next(iter(says)), thousands)
    if not eithers:
        return Marks(None, thousands)
    if thousands:
        return Marks("." if thousands == "," else ",", thousands)
    if (delimiter == "," and set(eithers) == {"."}) or (thousands == "" and len(eithers) == 1):
        return Marks(next(iter(eithers)), thousands)
    raise _ambiguous(table, *next(iter(eithers.items())))


@dataclass(frozen=True)
class _Seen:
    table: Surveyed
    columns: Sequence[str]

    def of(self, kind: str) -> dict[str, tuple[str, str, int]]:
        """Return for each mark of a kind the first column with it, the text and its row."""
        found: dict[str, tuple[str, str, int]] = {}
        for name in self.columns:
            for mark, text, row in getattr(self.table.surveys[name], kind):
                found.setdefault(mark, (name, text, row))
        return found


def _contrary(table: Surveyed, says: Mapping[str, tuple[str, str, int]]) -> DataError:
    told = []
    for mark, (name, text, row) in says.items():
        place = table.where(name, row) if text else table.where(name)
        example = f", {text!r}," if text else ""
        told.append(f"{place}{example} has a decimal {'point' if mark == '.' else 'comma'}")
    return DataError(
        f"{' and '.join(told)}; write all numbers alike, or say which mark it is (",
        Param("decimal", *says),
        "): a column with the other is no column of numbers then",
    )


def _ambiguous(table: Surveyed, mark: str, place: tuple[str, str, int]) -> DataError:
    name, text, row = place
    whole, part = text.replace(mark, ""), text.replace(mark, ".")
    return DataError(
        f"{table.where(name, row)}: {text!r} is {whole} if {mark!r} stands between thousands, and {part} if "
        "it is the decimal mark, and no number of the file says which; choose ",
        Param("thousands", mark),
        " or ",
        Param("decimal", mark),
    )


def oddity(survey: _core.Survey, way: NumberWay) -> Odd | None:
    """Return why a column of nothing but numbers is not read as numbers."""
    if survey.codes:
        return Odd("codes", survey.codes)
    if survey.n_measured and (survey.n_numbers or len(survey.units) > 1):
        return Odd("units", survey.units)
    others = [
        *(seen for seen in survey.decimals if seen[0] != way.decimal),
        *(seen for seen in survey.thousands if seen[0] != way.thousands),
        *(seen for seen in survey.eithers if seen[0] not in (way.decimal, way.thousands)),
    ]
    return Odd("marks", others) if others else None
