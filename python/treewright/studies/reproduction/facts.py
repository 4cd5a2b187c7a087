"""The numbers that the papers print, and what is known of each table: files of figures, read once.

A file holds a paper. Of each table it has the columns (name, unit, digits that are printed, and the number of
folds, sets or tables that a mean is of), and rows of cells: a number, a number with its deviation, a bound
such as ``{"above": 3600}``, a text, or null where the paper has none.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NotRequired, Self, TypedDict, cast

PAPERS = ("distinct-trees", "decision-tables", "pruning", "fixed-depth", "planes")
"""Names of the papers, each that of a file."""

Bound = dict[str, float]
RawCell = None | str | float | list[float] | Bound


class RawColumn(TypedDict):
    """A column as a file has it."""

    name: str
    unit: str
    digits: int
    draws: int
    incomparable: NotRequired[str]


class RawReason(TypedDict):
    """What is known of cells: those of all rows, or columns, where these are left out."""

    rows: NotRequired[list[str]]
    columns: NotRequired[list[str]]
    bars: NotRequired[bool]
    rule: NotRequired[str]
    text: str


class RawTable(TypedDict):
    """A table as a file has it."""

    title: str
    kind: str
    needs: list[str]
    seconds: list[float]
    settings: str
    columns: list[RawColumn]
    names: dict[str, str]
    rows: dict[str, list[RawCell]]
    reasons: list[RawReason]


class RawPaper(TypedDict):
    """A file."""

    name: str
    citation: str
    about: str
    tables: dict[str, RawTable]


@dataclass(frozen=True)
class Figure:
    """What the paper prints in a cell: a number, a range, a text, or nothing."""

    value: float = math.nan
    deviation: float = math.nan
    """Of one fold, where the paper prints it."""
    low: float = -math.inf
    high: float = math.inf
    text: str = ""

    @classmethod
    def of(cls, cell: RawCell) -> Self:
        """Read a cell."""
        match cell:
            case str():
                return cls(text=cell)
            case dict():
                return cls(low=cell.get("above", -math.inf), high=cell.get("below", math.inf))
            case [value, deviation]:
                return cls(value, deviation)
            case int() | float():
                return cls(float(cell))
        return cls()

    @property
    def is_range(self) -> bool:
        """Whether the paper says no number but where it lies."""
        return math.isnan(self.value) and (self.low > -math.inf or self.high < math.inf)

    @property
    def is_empty(self) -> bool:
        """Whether the paper has nothing here."""
        return math.isnan(self.value) and not self.is_range and not self.text

    def told(self, digits: int) -> str:
        """Write it as the paper does."""
        if self.text:
            return self.text
        if self.is_range:
            return in_range(self.low, self.high)
        if self.is_empty:
            return "-"
        spread = "" if math.isnan(self.deviation) else f" ± {self.deviation:.{digits}f}"
        return f"{self.value:,.{digits}f}{spread}"


def in_range(low: float, high: float) -> str:
    """Write a range of numbers."""
    if low == -math.inf:
        return f"< {high:,g}"
    return f"> {low:,g}" if high == math.inf else f"{low:,g} to {high:,g}"


@dataclass(frozen=True)
class PublishedColumn:
    """A column of a table: what it counts, and how a mean in it came about."""

    name: str
    unit: str
    digits: int
    n_draws: int
    """Folds, sets or tables that a mean is of; 0 of what is counted exactly."""
    incomparable: str
    """Why numbers of ours say nothing of it; empty where they do."""

    @property
    def heading(self) -> str:
        """The name with the unit."""
        return f"{self.name}, {self.unit}" if self.unit else self.name


@dataclass(frozen=True)
class Reason:
    """What is known of some cells; no row, or column, stands for all of them."""

    rows: frozenset[str]
    columns: frozenset[str]
    text: str
    bars: bool
    """Whether the cells cannot be compared for this reason, whatever was measured."""
    rule: str = ""
    """``"published"`` or ``"other"``: it holds only where no rule, or one, is given."""

    def holds(self, row: str, column: str) -> bool:
        """Whether it is about a cell."""
        return (not self.rows or row in self.rows) and (not self.columns or column in self.columns)


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """A table or figure of a paper: what it has, and what is needed to make it again."""

    paper: str
    name: str
    title: str
    kind: str
    """``"table"``, ``"figure"``, ``"drawing"`` (without measurements), or ``"statements"`` of the text."""
    needs: tuple[str, ...]
    """Data sets of the folder."""
    seconds: Mapping[str, float]
    """About how long it takes on one core, by effort."""
    settings: str
    columns: Sequence[PublishedColumn]
    names: Mapping[str, str]
    """What the paper calls a row, where that is otherwise."""
    rows: Mapping[str, Sequence[Figure]]
    reasons: Sequence[Reason]

    @property
    def id(self) -> str:
        """The name that a user gives: ``PAPER:TABLE``."""
        return f"{self.paper}:{self.name}"

    def shown(self, row: str) -> str:
        """Return the name of a row, and that of the paper behind it."""
        own = self.names.get(row)
        return row if own is None else f"{row} ({own})"

    def reasons_of(self, row: str, column: str, rule: str = "published") -> list[Reason]:
        """Return what is known of a cell, that which bars a comparison first."""
        found = [reason for reason in self.reasons if reason.holds(row, column) and reason.rule in ("", rule)]
        return sorted(found, key=lambda reason: not reason.bars)


@dataclass(frozen=True, eq=False)
class Paper:
    """A paper and its tables."""

    name: str
    citation: str
    about: str
    tables: Mapping[str, PublishedTable]


EFFORTS = ("short", "full")


@cache
def paper(name: str) -> Paper:
    """Read the file of a paper."""
    place = files("treewright.studies.reproduction").joinpath("figures", f"{name.replace('-', '_')}.json")
    raw = cast("RawPaper", json.loads(place.read_text(encoding="utf-8")))
    tables = {key: _table(name, key, table) for key, table in raw["tables"].items()}
    return Paper(raw["name"], raw["citation"], raw["about"], tables)


def _table(paper: str, name: str, raw: RawTable) -> PublishedTable:
    columns = [
        PublishedColumn(c["name"], c["unit"], c["digits"], c["draws"], c.get("incomparable", ""))
        for c in raw["columns"]
    ]
    reasons = [
        Reason(
            frozenset(r.get("rows", ())),
            frozenset(r.get("columns", ())),
            r["text"],
            r.get("bars", False),
            r.get("rule", ""),
        )
        for r in raw["reasons"]
    ]
    return PublishedTable(
        paper,
        name,
        raw["title"],
        raw["kind"],
        tuple(raw["needs"]),
        dict(zip(EFFORTS, raw["seconds"], strict=True)),
        raw["settings"],
        columns,
        raw["names"],
        {row: [Figure.of(cell) for cell in cells] for row, cells in raw["rows"].items()},
        reasons,
    )


def all_tables() -> dict[str, PublishedTable]:
    """Return every table of every paper by its id."""
    return {table.id: table for name in PAPERS for table in paper(name).tables.values()}
