"""Columns that can be used but cannot be right: identifiers, dates as text, leaks, many values, spellings.

A column is looked at once, when it passes the door with its target. Each look begins with a few rows, and
only a column that is suspect there is read as a whole, so that the checks take no time to speak of.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal

import numpy as np

from treewright._base.shown import shown_number
from treewright._base.warn import TAKES_GROUPS, DataWarning, warn
from treewright._base.wording import Feature, Part, Value, shortened
from treewright.data.intake.labels import Label
from treewright.data.types import AnyArray, CodeArray, FloatArray, IntArray

Kind = Literal["one_value_a_row", "dates", "leak", "many_values", "spellings"]
KINDS: tuple[Kind, ...] = ("leak", "one_value_a_row", "dates", "many_values", "spellings")

ENOUGH_ROWS = 50
"""In fewer rows different values, and values that go with the class, prove nothing."""
ENOUGH_OF_OTHERS = 5
"""A column is a leak if it tells apart at least so many rows from those of the largest class."""
MANY_VALUES = 50
NEARLY = 0.9
"""Share of different values from which on there is nearly one for each row."""
SAMPLE, FEWEST = 64, 4
"""Rows of the first look, and at least how many of each class."""
LISTED = 6
UNLESS_EARLY = " unless it is known before the class"


REPLACED: ContextVar[frozenset[object]] = ContextVar("REPLACED", default=frozenset())
"""Columns of a file that are replaced by what is made of them, so that no check of theirs matters."""


@dataclass(frozen=True)
class Finding:
    """What is wrong with a column, and what to do about it.

    Attributes
    ----------
    kind : str
        What was found.
    feature : Feature
        The column.
    seen : tuple of str and Part
        The rest of a sentence that starts with the column.
    remedy : str
        What to do.
    options : tuple of str
        The same in the words of the command line.
    """

    kind: Kind
    feature: Feature
    seen: tuple[str | Part, ...]
    remedy: str
    options: tuple[str, ...] = ()


class ColumnChecks:
    """What looks wrong with the columns of a table that has classes.

    Parameters
    ----------
    target : ndarray of int32
        Class codes.
    of_file : bool, default=False
        Whether the columns are those of a file, which options of a command can declare.
    """

    def __init__(self, target: CodeArray, *, of_file: bool = False) -> None:
        self._target, self._ways = target, Ways(of_file)
        self.findings: list[Finding] = []

    def look(
        self,
        feature: Feature,
        column: AnyArray,
        levels: Sequence[Label] | None,
        *,
        is_declared: bool = False,
        alike: tuple[str, str] | None = None,
    ) -> None:
        """Look at a column, of codes where it has `levels`, unless it is `REPLACED`.

        What the user declares nominal may hold dates and many values; `alike` are two texts that are read as
        one number.
        """
        if feature.name in REPLACED.get():
            return
        found = next(self._found(feature, column, levels, is_declared), None)
        if found is None and alike is not None:
            found = self._spelled(feature, *alike)
        if found is not None:
            self.findings.append(found)

    def ordered(self) -> list[Finding]:
        """Return the findings, those of a kind together, the worst kind first."""
        return sorted(self.findings, key=lambda finding: KINDS.index(finding.kind))

    def warn(self) -> None:
        """Warn once of each kind: of its first column in full, and of further ones by name."""
        for kind, alike in groupby(self.ordered(), lambda finding: finding.kind):
            one, *others = alike
            names = [finding.feature.name for finding in others]
            more = f" (likewise {shortened(names, LISTED)})" if names else ""
            told = DataWarning(one.feature, *one.seen, f"{more}; {one.remedy}")
            warn(told, about=f"{kind} {one.feature!r}")

    def _found(
        self, feature: Feature, column: AnyArray, levels: Sequence[Label] | None, is_declared: bool
    ) -> Iterator[Finding]:
        if levels is None:
            yield from self._number_leak(feature, column)
            if _numbers_rows(feature, column):
                yield self._names_rows(feature, len(column), len(column), int(column[0]))
            return
        yield from self._value_leak(feature, column, levels)
        if not is_declared and are_dates(levels):
            yield self._dates(feature, levels)
        if len(levels) >= NEARLY * ENOUGH_ROWS:
            yield from self._many(feature, column, levels, is_declared)

    @cached_property
    def _may_leak(self) -> bool:
        """Whether there are enough rows of more than one class."""
        counts = np.bincount(self._target)
        return len(self._target) >= ENOUGH_ROWS and len(self._target) - counts.max() >= ENOUGH_OF_OTHERS

    @cached_property
    def _all_rows(self) -> _RowsByClass:
        return _RowsByClass.of(self._target)

    @cached_property
    def _few_rows(self) -> _RowsByClass:
        return self._all_rows.some()

    def _number_leak(self, feature: Feature, column: FloatArray) -> Iterator[Finding]:
        """Find a number whose ranges in the classes lie apart."""
        if self._may_leak and self._few_rows.lie_apart(column) and self._all_rows.lie_apart(column):
            gaps = " and missing values" if np.isnan(column).any() else ""
            what = f" alone tells the class of all {len(column):,} rows: its ranges{gaps} in the classes "
            yield self._leak(feature, f"{what}lie apart")

    def _value_leak(self, feature: Feature, codes: CodeArray, levels: Sequence[Label]) -> Iterator[Finding]:
        """Find values that each occur in one class only, in two rows on average."""
        if not self._may_leak or 2 * len(levels) > len(codes):
            return
        if self._few_rows.are_pure(codes) and self._all_rows.are_pure(codes):
            n_values = len(np.unique(codes))
            what = (
                f" alone tells the class of all {len(codes):,} rows: each of its {n_values} values, such as "
            )
            yield self._leak(feature, what, Value(_example(codes, levels)), ", occurs in one class only")

    def _leak(self, feature: Feature, *seen: str | Part) -> Finding:
        ways = self._ways
        return Finding("leak", feature, seen, ways.leave(feature, UNLESS_EARLY), ways.drop(feature))

    def _many(
        self, feature: Feature, codes: CodeArray, levels: Sequence[Label], is_declared: bool
    ) -> Iterator[Finding]:
        """Find nearly one value a row, or too many."""
        n_known, n_different = _counts(codes)
        if n_known >= ENOUGH_ROWS and n_different >= NEARLY * n_known:
            yield self._names_rows(feature, n_different, n_known, _example(codes, levels))
        elif n_different > MANY_VALUES and not is_declared and not TAKES_GROUPS.get():
            what = f" is nominal and has {n_different:,} different values, such as "
            declare = self._ways.declare(feature, "nominal")
            seen = (what, Value(_example(codes, levels)), ", each with few rows to learn from")
            ways = f"put rare values together, {self._ways.groups}, leave it out, or {declare}"
            yield Finding("many_values", feature, seen, ways, ("--nominal-splits", "groups"))

    def _names_rows(self, feature: Feature, n_different: int, n_rows: int, example: object) -> Finding:
        what = f" has {n_different:,} different values in {n_rows:,} rows, such as "
        seen = (what, Value(example), ", so it tells rows apart and says nothing of new ones")
        return Finding("one_value_a_row", feature, seen, self._ways.leave(feature), self._ways.drop(feature))

    def _dates(self, feature: Feature, levels: Sequence[Label]) -> Finding:
        seen = (" holds dates as text, such as ", Value(levels[0]), ": every date is a value of its own")
        numbers = "make numbers of them, such as days since a date, or the year and the month"
        remedy = f"{numbers}{self._ways.dates(feature)}, or {self._ways.declare(feature, 'nominal')}"
        return Finding("dates", feature, seen, remedy, ("--dates", str(feature.name)))

    def _spelled(self, feature: Feature, one: str, other: str) -> Finding:
        seen = (" is read as numbers, and different texts become one: ", Value(one), " and ", Value(other))
        declare = self._ways.declare
        ways = f"if they are codes, {declare(feature, 'nominal')}; else {declare(feature, 'numeric')}"
        return Finding("spellings", feature, seen, ways)


@dataclass(frozen=True)
class Ways:
    """How a column is left out or declared: by what reads a file, or else by what Python has."""

    of_file: bool

    def leave(self, feature: Feature, condition: str = "") -> str:
        """Say how a column is left out."""
        name = feature.name
        how = "" if GENERATED.fullmatch(str(name)) else f" (X.drop(columns=[{name!r}]))"
        if self.of_file:
            how = f" (--drop {shlex.quote(str(name))}, in Python drop={{{name!r}}})"
        return f"leave it out{condition}{how}"

    def drop(self, feature: Feature) -> tuple[str, ...]:
        """Return the option that leaves a column out; none where it has no name of its own."""
        name = str(feature.name)
        return () if GENERATED.fullmatch(name) else ("--drop", name)

    def dates(self, feature: Feature) -> str:
        """Say how a file's dates become numbers."""
        name = feature.name
        return f" (--dates {shlex.quote(str(name))}, in Python dates=[{name!r}])" if self.of_file else ""

    @property
    def groups(self) -> str:
        """How greedy trees take many values."""
        option = "--nominal-splits groups, in Python " if self.of_file else ""
        return f"split it by groups of values ({option}nominal_splits='groups')"

    def declare_missing(self, name: str, value: float) -> str:
        """How a number that means a missing value is told to."""
        number = shown_number(value)
        own = f"{name}:{number}"
        python = f"missing_values={{{own!r}}}"
        how = f" (--missing-value {shlex.quote(own)}, in Python {python})" if self.of_file else ""
        return f"if that stands for a missing value, declare it{how}; if it is a slip, mend it"

    def declare(self, feature: Feature, kind: str) -> str:
        """Say how a column is declared to be of a kind."""
        name = feature.name
        if self.of_file:
            python = f"kinds={{{name!r}: {kind!r}}}"
            return f"declare it {kind} (--{kind} {shlex.quote(str(name))}, in Python {python})"
        if kind == "numeric":
            return "pass it as numbers"
        return "name it with all other nominal columns in categorical_features"


@dataclass(frozen=True)
class _RowsByClass:
    """Some rows, those of a class together, and where each class starts."""

    rows: IntArray
    starts: IntArray
    target: CodeArray

    @classmethod
    def of(cls, target: CodeArray) -> _RowsByClass:
        """Order all rows; narrow integers are sorted in linear time."""
        n_classes = int(target.max()) + 1
        rows = np.argsort(target.astype(np.int16) if n_classes < 2**15 else target, kind="stable")
        return cls._starting(rows, target[rows])

    @classmethod
    def _starting(cls, rows: IntArray, target: CodeArray) -> _RowsByClass:
        return cls(rows, np.flatnonzero(np.diff(target, prepend=-1)), target)

    def some(self) -> _RowsByClass:
        """Return a few rows of every class."""
        ends = np.append(self.starts[1:], len(self.rows))
        n_each = max(SAMPLE // len(self.starts), FEWEST)
        spread = [
            np.unique(np.linspace(start, end - 1, n_each).astype(np.int64))
            for start, end in zip(self.starts, ends, strict=True)
        ]
        chosen = np.concatenate(spread)
        return self._starting(self.rows[chosen], self.target[chosen])

    def lie_apart(self, numbers: FloatArray) -> bool:
        """Tell whether the numbers of different classes lie apart; those missing are all of one class."""
        some = numbers[self.rows]
        lowest, highest = np.fmin.reduceat(some, self.starts), np.fmax.reduceat(some, self.starts)
        if lowest[0] <= highest[-1] and lowest[-1] <= highest[0]:  # the usual case: two of them overlap
            return False
        order = np.argsort(lowest)  # a class of which nothing is known comes last
        is_apart = highest[order[:-1]] < lowest[order[1:]]
        is_unknown = np.isnan(lowest[order[1:]])
        return bool((is_apart | is_unknown).all()) and len(set(self.target[np.isnan(some)])) <= 1

    def are_pure(self, codes: CodeArray) -> bool:
        """Tell whether each code, that of missing values too, occurs in one class only."""
        pairs = codes[self.rows].astype(np.int64) * (int(self.target.max()) + 1) + self.target
        return len(np.unique(pairs)) == len(np.unique(codes[self.rows]))


def _numbers_rows(feature: Feature, numbers: FloatArray) -> bool:
    """Tell whether a named column has whole numbers, all different, that count rows or are identifiers."""
    if len(numbers) < ENOUGH_ROWS or not _are_whole_and_differ(numbers[:SAMPLE]):
        return False
    if GENERATED.fullmatch(str(feature.name)) or not _are_whole_and_differ(numbers):
        return False
    steps = np.diff(numbers)
    is_running = bool((steps > 0).all() or (steps < 0).all())
    is_dense = bool(numbers.max() - numbers.min() < 2 * len(numbers))
    return is_running or is_dense or IDENTIFIER.search(str(feature.name)) is not None


GENERATED = re.compile(r"x\d+", re.ASCII)
"""The name of a column that has none."""
IDENTIFIER = re.compile(r"(?i:(?:^|[_\W])id)$|[a-z]I[dD]$")


def _are_whole_and_differ(numbers: FloatArray) -> bool:
    if not numbers[0].is_integer() or not (numbers == np.floor(numbers)).all():
        return False
    return len(set(numbers.tolist())) == len(numbers)


def _counts(codes: CodeArray) -> tuple[int, int]:
    """Return the number of known values and of different ones."""
    counts = np.bincount(codes[codes >= 0])
    return int(counts.sum()), int(np.count_nonzero(counts))


def _example(codes: CodeArray, levels: Sequence[Label]) -> Label:
    """Return the first known value."""
    return levels[int(codes[np.argmax(codes >= 0)])]


MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
TIME = r"(?:[T ,]+\d{1,2}:\d{2}.*)?"
DATE = re.compile(
    rf"(?:(?P<first>\d{{4}}|\d{{1,2}})(?P<mark>[-/.])(?P<middle>\d{{1,2}})(?P=mark)(?P<last>\d{{4}}|\d{{1,2}})"
    rf"|\d{{1,2}}[-. ]+{MONTH}[-, ]+\d{{2,4}}|{MONTH} +\d{{1,2}},? +\d{{4}}){TIME}",
    re.ASCII | re.IGNORECASE,
)
FEWEST_DATES, MOST_DATES = 3, 200


def are_dates(levels: Sequence[Label]) -> bool:
    """Tell whether the values of a column are dates as text.

    >>> are_dates(["2018-01-30", "2018-01-31", "2018-02-01"]), are_dates(["10-12-14", "99-99-99", "1-2-3"])
    (True, False)
    """
    if len(levels) < FEWEST_DATES:
        return False
    return all(isinstance(level, str) and _is_date(level) for level in levels[:MOST_DATES])


def _is_date(text: str) -> bool:
    match = DATE.fullmatch(text.strip())
    if match is None or match["mark"] is None:
        return match is not None
    first, middle, last = (int(match[part]) for part in ("first", "middle", "last"))
    if len(match["first"]) == 4:
        return 1 <= middle <= 12 and 1 <= last <= 31 and len(match["last"]) <= 2
    return min(first, middle) in range(1, 13) and max(first, middle) <= 31 and len(match["last"]) != 1


def spelled_alike(numbers: Mapping[str, float]) -> tuple[str, str] | None:
    """Return two texts that mean one number though they differ by more than the zeros behind a point.

    >>> spelled_alike({"1E5": 1e5, "100000": 1e5}), spelled_alike({"2": 2.0, "2.0": 2.0, " 2": 2.0})
    (('100000', '1E5'), None)
    """
    if len(set(numbers.values())) == len(numbers):
        return None
    first: dict[float, str] = {}
    for text, number in sorted(numbers.items()):
        earlier = first.setdefault(number, text)
        if _plain_number(earlier) != _plain_number(text):
            return earlier, text
    return None


def _plain_number(text: str) -> str:
    """Return the text of a number without sign of plus, blanks and zeros that say nothing."""
    text = text.strip().removeprefix("+")
    if "." in text and not set(text) & set("eE"):
        text = text.rstrip("0").removesuffix(".")
    text = text.replace("-.", "-0.") if text.startswith("-") else text
    text = f"0{text}" if text.startswith(".") or not text else text
    return "0" if text in ("-0", "-") else text
