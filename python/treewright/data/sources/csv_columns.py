"""From the columns of a CSV file to features, classes and weights."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from treewright import _core
from treewright._base.errors import DataError
from treewright._base.warn import DataWarning, warn
from treewright._base.wording import Param, shortened
from treewright.data.checks import spelled_alike
from treewright.data.intake.column import Kind
from treewright.data.intake.labels import Label
from treewright.data.sources.csv import CsvTable, Fields
from treewright.data.sources.kinds import (
    SPELLINGS,
    beyond_limit,
    how_missing,
    is_limit,
    no_number_for_tree,
)
from treewright.data.sources.marks import NumberWay, Odd, oddity
from treewright.data.types import BoolArray, CodeArray

MISSING_CLASSES = frozenset({"", "?"})
"""Texts that are no class unless the class column is declared nominal."""

INFINITE = frozenset(sign + word for sign in ("", "-", "+") for word in ("inf", "infinity", "∞"))
"""Words for infinite numbers, in small letters; they are no numbers here."""

# Where other fields are no spellings of "missing", the column is suspected if it has at least this many
# distinct numbers and at most this many distinct other fields.
_MANY_NUMBERS = 10
_FEW_OTHERS = 2


@dataclass(frozen=True)
class ColumnPlan:
    """How the core codes a column: nominal if it has levels, else numeric."""

    position: int
    levels: list[str] | None
    decimal: str
    thousands: str | None
    unit: str
    missing_numbers: list[float]


@dataclass(frozen=True)
class FeaturePlan:
    """How a feature is read: its name in the data set, and its levels if it is nominal."""

    column: str
    name: str
    plan: ColumnPlan
    alike: tuple[str, str] | None = None


@dataclass(frozen=True)
class Planner:
    """Decides how columns are read.

    `declared` are kinds that the user gives, `missing` the spellings of missing values of each column.
    """

    table: CsvTable
    declared: Mapping[str, Kind]
    missing: Mapping[str, Collection[str]]
    suspects: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    odd: dict[str, Odd] = field(default_factory=dict)

    def feature(self, name: str) -> FeaturePlan:
        """Decide on one column, and note what is odd about it."""
        survey, kind = self.table.surveys[name], self.declared.get(name)
        way = self.table.marks.way(survey)
        if kind == "nominal":
            return self.nominal(name)
        if kind == "numeric":
            return self.numeric(name, way)
        if survey.n_others:
            self._suspect(name, survey)
            return self.nominal(name)
        odd = oddity(survey, way)
        if odd is not None:
            self.odd[name] = odd
            return self.nominal(name)
        return self.numeric(name, way, self._alike(name, survey, way))

    def numeric(self, name: str, way: NumberWay, alike: tuple[str, str] | None = None) -> FeaturePlan:
        """Return how a numeric column is read."""
        numbers = [number for text in self.missing[name] if (number := _number(text, way)) is not None]
        position = self.table.position(name)
        plan = ColumnPlan(position, None, way.decimal, way.thousands, way.unit, numbers)
        return FeaturePlan(name, with_unit(name, way.unit), plan, alike)

    def nominal(self, name: str) -> FeaturePlan:
        """Return how a nominal column is read: its levels are the texts that occur, sorted."""
        position = self.table.position(name)
        texts = self.table.core.column_texts(position)
        levels = sorted({*texts}.difference(self.missing[name], ("",)))
        return FeaturePlan(name, name, ColumnPlan(position, levels, ".", None, "", []))

    def _alike(self, name: str, survey: _core.Survey, way: NumberWay) -> tuple[str, str] | None:
        """Return two texts that are one number, where they differ by more than zeros behind a mark."""
        if survey.read_by is not None or survey.units:
            return None
        texts = {*self.table.core.column_texts(self.table.position(name))}.difference(
            self.missing[name], ("",)
        )
        numbers = {text: _number(text, way) for text in texts}
        return spelled_alike({text: number for text, number in numbers.items() if number is not None})

    def _suspect(self, name: str, survey: _core.Survey) -> None:
        """Note a column of numbers with a few other texts."""
        n_numbers, others = survey.n_numbers + survey.n_measured, survey.others
        if survey.n_others > len(others):
            return
        usual = SPELLINGS | INFINITE
        is_usual = bool(n_numbers) and all(text.strip().lower() in usual for _, text, _ in others)
        is_rare = n_numbers >= _MANY_NUMBERS and len(others) <= _FEW_OTHERS
        is_cut = bool(n_numbers) and all(
            is_limit(text) or text.strip().lower() in usual for _, text, _ in others
        )
        if is_usual or is_rare or is_cut:
            self.suspects[name] = sorted((text, row) for _, text, row in others)

    def warn(self) -> None:
        """Warn of what was noted: of the first column of each kind in full, of further ones by name."""
        for limits in (True, False):
            for told in self._of_suspects(limits):
                warn(told)
        for what in ("codes", "units", "marks"):
            alike = {name: odd for name, odd in self.odd.items() if odd.what == what}
            if alike:
                warn(self._of_odd(alike))

    def _of_suspects(self, limits: bool) -> Iterator[DataWarning]:
        """Tell of columns with numbers beyond limits, or of those with other texts; the first in full."""
        found = {
            name: others
            for name, others in self.suspects.items()
            if any(is_limit(text) for text, _ in others) == limits
        }
        if not found:
            return
        (name, others), *further = found.items()
        row = min(row for _, row in others)
        spelled = sorted({text for some in found.values() for text, _ in some})
        texts = [repr(text) for text, _ in others]
        shown = " and ".join(texts) if len(texts) < 5 else f"{', '.join(texts[:4])} and {len(texts) - 4} more"
        first = next((text for text, _ in others if is_limit(text)), "")
        yield DataWarning(
            f"{self.table.where(name, row)}: the column holds numbers, but also {shown}, so "
            f"it is taken as nominal{_and_others([name for name, _ in further])}. "
            f"{self._limit_told(first, name, spelled) if limits else _missing_told(spelled)}",
            options=[word for text in spelled for word in ("--missing-value", text)],
            columns=list(found),
        )

    def _limit_told(self, text: str, name: str, spelled: Sequence[str]) -> str:
        """Say what may become of numbers that are only known to lie beyond a limit."""
        return (
            f"{text!r} is a number beyond a limit of measurement, and not missing: {beyond_limit(text)}, or "
            f"declare it missing ({how_missing(spelled)}), which says that nothing is known, or the column "
            f"nominal ({_declare(name, 'nominal')})"
        )

    def _of_odd(self, alike: Mapping[str, Odd]) -> DataWarning:
        (name, odd), *further = alike.items()
        where, others = self.table.where(name, odd.seen[0][2]), [name for name, _ in further]
        more = f" (likewise {shortened(others, 6)})" if others else ""
        if odd.what == "codes":
            reason, ways = (
                _codes(odd),
                f"if they are numbers, declare it numeric ({_declare(name, 'numeric')})",
            )
        elif odd.what == "units":
            units = [repr(text) for _, text, _ in odd.seen]
            reason = (
                f"the numbers have different units, such as {' and '.join(units[:2])}"
                if len(units) > 1
                else (f"some numbers have a unit, such as {units[0]}, and others have none")
            )
            ways = f"write all in one unit, and leave it out until then (--drop {shlex.quote(name)})"
        else:
            mark = "points" if self.table.marks.decimal in (".", None) else "commas"
            reason = f"{odd.seen[0][1]!r} is no number where others have decimal {mark}"
            ways = "write all numbers alike"
        meant = "" if odd.what == "codes" else f", or declare it nominal ({_declare(name, 'nominal')})"
        left_out = [word for own in alike for word in ("--drop", own)] if odd.what == "units" else []
        return DataWarning(
            f"{where}: {reason}, so the column is taken as text{more}; {ways}{meant}",
            options=left_out,
            columns=list(alike),
        )


def _missing_told(spelled: Sequence[str]) -> str:
    return f"Declare what is missing ({how_missing(spelled)}), or the column nominal, to say what is meant"


def _codes(odd: Odd) -> str:
    kind, text, _ = odd.seen[0]
    reason = {
        "zeros": "begins with 0, as codes do",
        "large": "is above 2^53, as codes are, and a 64-bit float cannot tell it from its neighbours",
        "beyond": "is beyond 64-bit floats, so it is a code",
    }
    return f"{text!r} {reason[kind]}"


def _declare(name: str, kind: str) -> str:
    return f"--{kind} {shlex.quote(name)}, in Python kinds={{{name!r}: {kind!r}}}"


def _and_others(names: Sequence[str]) -> str:
    if not names:
        return ""
    more = "so is another one" if len(names) == 1 else f"so are {len(names)} more"
    return f", and {more} like it ({shortened(names, 6)})"


def _number(text: str, way: NumberWay) -> float | None:
    """Return the number that a text writes, None if it writes none."""
    plain = text.strip().replace("\u2212", "-")
    if way.thousands:
        plain = plain.replace(way.thousands, "")
    if "_" in plain or (way.decimal != "." and "." in plain):
        return None
    try:
        number = float(plain.replace(way.decimal, "."))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def with_unit(name: str, unit: str) -> str:
    """Return the name of a feature with its unit, unless it has it already.

    >>> with_unit("weight", "kg"), with_unit("weight [kg]", "kg"), with_unit("share", "")
    ('weight (kg)', 'weight [kg]', 'share')
    """
    has_unit = any(f"{left}{unit}{right}" in name for left, right in ("()", "[]"))
    return name if not unit or has_unit else f"{name} ({unit})"


def coded(
    table: CsvTable, plans: Sequence[FeaturePlan], *, for_tree: bool = False
) -> list[_core.CodedColumn]:
    """Code columns, which leave the table; a text that is no number in a numeric one is refused."""
    found = table.core.coded([plan.plan for plan in plans], n_threads())
    for plan, column in zip(plans, found, strict=True):
        if isinstance(column, tuple):
            raise not_a_number(table, plan, *column, for_tree=for_tree)
    return [column for column in found if not isinstance(column, tuple)]


def n_threads() -> int:
    """Return how many threads code columns; the result does not depend on it."""
    return min(os.cpu_count() or 1, 8)


def not_a_number(
    table: CsvTable, plan: FeaturePlan, text: str, row: int, *, for_tree: bool = False
) -> DataError:
    """Return the error for a text in a column that is declared numeric, or of which a tree asks a number."""
    where, way = table.where(plan.column, row), plan.plan
    number = _number(text, NumberWay(way.decimal, way.thousands))
    if number is None and _is_beyond(text):
        return DataError(
            f"{where}: {text!r} is infinite or beyond a 64-bit float; "
            "rescale the column, or leave the field empty if the value is not known"
        )
    if way.unit:
        return DataError(
            f"{where}: {text!r} is not a number in {way.unit}, as the others are; write all alike"
        )
    mark = "" if way.decimal == "." and "," not in text else f" with decimal {_MARKS[way.decimal]}"
    if for_tree:
        return DataError(no_number_for_tree(where, text, f"{plan.column}:{text}", mark))
    if is_limit(text):
        how = how_missing([f"{plan.column}:{text}"])
        return DataError(
            f"{where}: {text!r} is not a number{mark}; {beyond_limit(text)}, or declare it missing ({how})"
        )
    return DataError(
        f"{where}: {text!r} is not a number{mark}, and the column is declared numeric; "
        "declare it nominal, or add this spelling to ",
        Param("missing_values"),
    )


_MARKS = {".": "points", ",": "commas"}


def _is_beyond(text: str) -> bool:
    try:
        return "_" not in text and math.isinf(float(text.replace(",", ".")))
    except ValueError:
        return False


@dataclass(frozen=True)
class ClassColumn:
    """The classes of a file: a code for each row, and the labels; -1 where the class is missing."""

    codes: CodeArray
    classes: list[Label]

    @cached_property
    def is_known(self) -> BoolArray:
        """Which rows have a class."""
        known: BoolArray = self.codes >= 0
        return known


def read_classes(
    table: CsvTable, name: str, kind: Kind | None, missing: Collection[str], *, drops_missing: bool
) -> ClassColumn:
    """Return class codes and classes; whole numbers become ints, so that 10 follows 9."""
    fields = table.fields(name)
    unknown = {"", *missing} if kind == "nominal" else {*missing, *MISSING_CLASSES}
    known = {*fields.texts}.difference(unknown)
    if len(known) < len(fields.texts) and not drops_missing:
        raise _class_missing(table, name, fields, known)
    if not known:
        raise DataError(f"{table.where(name)}: no row has a class; name another column")
    if kind != "nominal":
        if all(_is_plain_integer(text) for text in known):
            ordered = sorted(known, key=int)
            return ClassColumn(codes_of(fields, ordered), [int(text) for text in ordered])
        _refuse_measurements(table, name, known)
    ordered = sorted(known)
    return ClassColumn(codes_of(fields, ordered), list[Label](ordered))


def _class_missing(table: CsvTable, name: str, fields: Fields, known: Collection[str]) -> DataError:
    firsts = zip(fields.first_rows.tolist(), fields.texts, strict=True)
    row, text = min((row, text) for row, text in firsts if text not in known)
    shown = f" ({text!r})" if text else ""
    return DataError(
        f"{table.where(name, row)}: the class is missing{shown}; fill it in, or leave out the rows without "
        "one with ",
        Param("drop_missing_target", True),
    )


def codes_of(fields: Fields, levels: Sequence[str]) -> CodeArray:
    """Return the position of each row's text among the levels, -1 for one that is none of them."""
    position = {level: code for code, level in enumerate(levels)}
    of_text = np.array([position.get(text, -1) for text in fields.texts], np.int32)
    found: CodeArray = of_text[fields.codes]
    return found


def _is_plain_integer(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 19 and str(int(text)) == text


def _refuse_measurements(table: CsvTable, name: str, known: set[str]) -> None:
    way = table.marks.way(table.surveys[name])
    numbers = [number for text in known if (number := _number(text, way)) is not None]
    if len(numbers) == len(known) and any(not value.is_integer() for value in numbers):
        raise DataError(
            f"{table.where(name)} holds {len(known)} different numbers with fractions, as measurements do; "
            "a tree predicts classes: cut the numbers into ranges first, or declare the column nominal "
            "if they are labels"
        )
