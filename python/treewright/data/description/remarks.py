"""What is worth a look before a tree is grown: the checks of every door, and closer ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from treewright._base.shown import shown_number
from treewright._base.wording import PYTHON, Feature, shortened
from treewright.data.checks import ColumnChecks, Ways
from treewright.data.description.facts import (
    ColumnDescription,
    Determination,
    Remark,
    RowsDescription,
    TargetDescription,
)
from treewright.data.intake.labels import Label
from treewright.data.types import AnyArray, CodeArray

FEW = 20
"""In fewer rows nothing is said of shares."""
NEARLY_ALL, MOST = 0.99, 0.5
LARGE_CLASS, FEW_ROWS = 0.9, 10
CODES = frozenset((-1.0, -9.0, -99.0, -999.0, -9999.0, -99999.0))
"""Negative numbers that often stand for a missing value."""
LISTED = 6


def of_doors(
    names: Sequence[str],
    columns: Sequence[AnyArray],
    levels: Sequence[Sequence[Label] | None],
    target: CodeArray,
    *,
    of_file: bool,
    without: Collection[str] = (),
) -> Iterator[Remark]:
    """Yield what the checks of every door find, a remark for each kind, of all but some columns."""
    checks = ColumnChecks(target, of_file=of_file)
    for position, name in enumerate(names):
        if name in without:
            continue
        checks.look(Feature(name, position), columns[position], levels[position])
    for kind, alike in groupby(checks.ordered(), lambda finding: finding.kind):
        first, *others = alike
        told = (f"{first.feature.name!r}", *first.seen, _likewise([str(one.feature.name) for one in others]))
        found = tuple(str(one.feature.name) for one in (first, *others))
        options = tuple(dict.fromkeys(one.options for one in (first, *others)))
        yield Remark(kind, found, PYTHON.say(told), first.remedy, sum(options, ()))


def of_columns(columns: Sequence[ColumnDescription], n_rows: int, *, of_file: bool) -> Iterator[Remark]:
    """Yield what single columns have too much of: gaps, one value, a value far from the others."""
    ways = Ways(of_file)
    unknown = [column.name for column in columns if not column.n_different]
    if unknown:
        yield _of_some("unknown", unknown, "has no known value", "leave it out")
    constant = [column.name for column in columns if column.n_different == 1 and not column.n_missing]
    if constant:
        yield _of_some("constant", constant, "has one value in all rows", "it cannot help a tree")
    if n_rows < FEW:
        return
    for look in (_gaps, _one_value):
        found = [remark for column in columns for remark in look(column, n_rows)]
        yield from _as_one(found)
    for column in columns:
        yield from _far(column, ways)


def _as_one(found: Sequence[Remark]) -> Iterator[Remark]:
    """Tell remarks of one kind as the first, with the names of the other columns."""
    if found:
        names = [name for remark in found for name in remark.columns]
        yield replace(found[0], columns=tuple(names), text=found[0].text + _likewise(names[1:]))


def _of_some(kind: str, names: Sequence[str], what: str, remedy: str) -> Remark:
    return Remark(kind, tuple(names), f"{names[0]!r} {what}{_likewise(names[1:])}", remedy)


def _likewise(names: Sequence[str]) -> str:
    return f" (likewise {shortened(names, LISTED)})" if names else ""


def _gaps(column: ColumnDescription, n_rows: int) -> Iterator[Remark]:
    if MOST * n_rows <= column.n_missing < n_rows:
        share = f"{column.name!r} is missing in {column.n_missing:,} of {n_rows:,} rows"
        why = "look why: if the reason has to do with the class, the gap itself tells it"
        yield Remark("mostly_missing", (column.name,), share, why)


def _one_value(column: ColumnDescription, n_rows: int) -> Iterator[Remark]:
    n_known = n_rows - column.n_missing
    if column.n_different < 2:
        return
    value, count = column.most_frequent[0]
    if n_known >= FEW and count >= NEARLY_ALL * n_known:
        shown = shown_number(value) if isinstance(value, float) else repr(value)
        others = f"{n_known - count:,} {'row has' if n_known - count == 1 else 'rows have'} another value"
        text = f"{column.name!r} is {shown} in {count:,} of {n_known:,} rows; {others}"
        yield Remark("near_constant", (column.name,), text, "a tree learns little from so few")


def _far(column: ColumnDescription, ways: Ways) -> Iterator[Remark]:
    """Find a lowest or highest number far from all others, as a code for a missing value or a slip is."""
    for end in column.extremes:
        is_code = end.is_lowest and end.value in CODES and end.lowest_other >= 0
        if is_code or end.is_far:
            how_many = f"in {end.n_rows:,} {'row' if end.n_rows == 1 else 'rows'}"
            others = f"{shown_number(end.lowest_other)} to {shown_number(end.highest_other)}"
            text = f"{column.name!r} is {shown_number(end.value)} {how_many}, and {others} in all others"
            options = ("--missing-value", f"{column.name}:{shown_number(end.value)}") if is_code else ()
            remedy = ways.declare_missing(column.name, end.value)
            yield Remark("far", (column.name,), text, remedy, options)


MOST_LEVELS = 5000
"""Of more values none are compared."""


def of_spellings(
    names: Sequence[str], columns: Sequence[AnyArray], levels: Sequence[Sequence[Label] | None]
) -> Iterator[Remark]:
    """Find values that differ only by capital letters or blanks, which a tree takes for different ones."""
    found = {}
    for name, column, own in zip(names, columns, levels, strict=True):
        if own is not None and len(own) <= MOST_LEVELS:
            counts = np.bincount(column[column >= 0], minlength=len(own)).tolist()
            alike = _spelled_twice([str(text) for text, n in zip(own, counts, strict=True) if n])
            if alike:
                found[name] = alike
    if found:
        yield _of_alike(found)


def of_class_spellings(labels: Sequence[Label]) -> Iterator[Remark]:
    """Find classes that differ only by capital letters or blanks."""
    alike = _spelled_twice([label for label in labels if isinstance(label, str)])
    if alike:
        remedy = "write it in one way in the file, else it is two classes"
        yield Remark("spellings_of_classes", (), f"a class is written as {_and(alike)}", remedy)


def _of_alike(found: Mapping[str, Sequence[str]]) -> Remark:
    (name, alike), *others = found.items()
    text = f"one value of {name!r} is written as {_and(alike)}{_likewise([other for other, _ in others])}"
    remedy = "write it in one way in the file, as a tree takes them for different values"
    return Remark("spellings_of_values", tuple(found), text, remedy)


def _and(texts: Sequence[str]) -> str:
    return " and ".join(map(repr, texts[:3]))


def _spelled_twice(texts: Sequence[str]) -> list[str]:
    """Return the first texts that are alike.

    >>> _spelled_twice(["a", "F", "f", "b"]), _spelled_twice(["a", "b"])
    (['F', 'f'], [])
    """
    known: dict[str, list[str]] = {}
    for text in texts:
        known.setdefault(" ".join(text.casefold().split()), []).append(text)
    return next((alike for alike in known.values() if len(alike) > 1), [])


def of_rows(rows: RowsDescription, *, is_weighted: bool, of_file: bool) -> Iterator[Remark]:
    """Yield what equal rows mean."""
    if rows.contradiction is not None:
        one, other = (row + of_file for row in rows.contradiction)
        counted = "counted from 1 below the header" if of_file else "counted from 0"
        errors = f"errors of weight {rows.unavoidable_errors:,g}" if is_weighted else _errors(rows)
        rows_of = f"{rows.n_contradicting:,} rows have the values of a row of another class"
        least = f"every tree makes at least {errors} ({rows.unavoidable_error:.2%}) on these rows"
        text = f"{rows_of}, such as rows {one:,} and {other:,} ({counted}): {least}"
        yield Remark("contradictions", (), text, "only a further column could tell them apart")


def _errors(rows: RowsDescription) -> str:
    n_errors = int(rows.unavoidable_errors)
    return f"{n_errors:,} {'error' if n_errors == 1 else 'errors'}"


def of_target(target: TargetDescription) -> Iterator[Remark]:
    """Yield what the sizes of the classes mean."""
    sizes = dict(zip(target.classes, target.counts, strict=True))
    if len(sizes) == 1:
        (label,) = sizes
        yield Remark("one_class", (), f"all rows are of class {label!r}", "there is nothing to learn")
        return
    yield from _largest_class(sizes)
    few = {label: count for label, count in sizes.items() if count < FEW_ROWS}
    if few:
        label = min(few, key=few.__getitem__)
        rows = f"{few[label]:,} {'row' if few[label] == 1 else 'rows'}"
        others = (
            f" (likewise {shortened([one for one in few if one != label], LISTED)})"
            if few.keys() - {label}
            else ""
        )
        yield Remark(
            "small_class", (), f"class {label!r} has only {rows}{others}", "errors on so few rows say little"
        )


def _largest_class(sizes: Mapping[Label, int]) -> Iterator[Remark]:
    """Find a class that nearly all rows have."""
    n_rows, largest = sum(sizes.values()), max(sizes, key=sizes.__getitem__)
    if n_rows >= FEW and sizes[largest] >= LARGE_CLASS * n_rows:
        share = f"{1 - sizes[largest] / n_rows:.1%}"
        rows = f"{sizes[largest]:,} of {n_rows:,} rows are of class {largest!r}"
        text = f"{rows}: always saying so errs in {share}"
        how = (
            "(--class-weight balanced, in Python class_weight='balanced'; of explore --metric balanced_error)"
        )
        remedy = f"class weights {how} or costs (--cost-matrix) let the others count more"
        yield Remark("imbalance", (), text, remedy)


def of_pairs(found: Sequence[Determination]) -> Iterator[Remark]:
    """Yield what columns say of each other."""
    for one in found:
        names = (one.column, one.follows_from)
        if one.is_mutual:
            what = "say the same: each value of one goes with one of the other"
            yield Remark(
                "same", names, f"{one.column!r} and {one.follows_from!r} {what}", "one of them is enough"
            )
        else:
            yield Remark(
                "determined",
                names,
                f"{one.column!r} follows from {one.follows_from!r}, which has more values",
            )
