"""A table whose file says more than text: columns with types, declared levels, a class, weights.

Every format but CSV is read into such a table; it becomes a `Dataset`, or rows for a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import UNSET, Param, Row, Surface, shortened
from treewright.data.checks import spelled_alike
from treewright.data.dataset import Dataset, as_dataset
from treewright.data.intake.categories import CategoryColumn
from treewright.data.intake.column import Column as Values
from treewright.data.intake.column import Kind, Place, Spellings
from treewright.data.intake.labels import family
from treewright.data.intake.numbers import NumberColumn
from treewright.data.intake.objects import ObjectColumn, read_number
from treewright.data.intake.target import Target, read_labels
from treewright.data.source import Source
from treewright.data.sources.kinds import (
    Column,
    FileColumn,
    build,
    check_columns,
    check_known,
    check_weights,
    refuse_kinds,
)
from treewright.data.sources.read import missing_by_column, missing_spellings
from treewright.data.types import AnyArray, FloatArray, IntArray

AskedTarget = str | Literal[False] | None


@dataclass(frozen=True)
class Wishes:
    """What a user asks of a file.

    `target` is a column, None for the file's own, False for no classes; without `own_weights` those that the
    file itself has are left aside.
    """

    target: AskedTarget = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    missing_values: Collection[str] | None = None
    drop: Collection[str] = ()
    weight: str | None = None
    drop_missing_target: bool = False
    own_weights: bool = True


@dataclass(frozen=True)
class FileRow(Row):
    """A row of a file, and how one finds it there."""

    where: str

    def told(self, surface: Surface) -> str:
        """Return the line, or the cell."""
        return self.where


@dataclass(frozen=True)
class FilePlace(Place):
    """A column of a file, whose rows are named as the file has them."""

    called: Callable[[int], str] = "row {}".format

    def row(self, position: int) -> FileRow:
        """Return the row by its line."""
        row = super().row(position).row
        return FileRow(row, self.called(row))


@dataclass(frozen=True)
class TypedTable:
    """Columns with types.

    Attributes
    ----------
    path : str
        What messages call the file.
    names : list of str
        Names of all columns.
    take : callable
        Returns the columns of some names, in their order; others need not be read.
    called : callable
        What a row is called: "line 17".
    target : str or None
        The column that the file itself says is the class.
    weights : ndarray or None
        Weights that the file itself has.
    is_text : bool
        Whether the file is text: its classes that are all whole numbers become ints.
    options : mapping
        How the file was read.
    ignored : collection of str
        Columns that the file itself says are no features.
    further : callable
        Tells whether a column that is not among the names is there all the same, as in a sparse file.
    """

    path: str
    names: list[str]
    take: Callable[[Sequence[str]], Sequence[Values]]
    called: Callable[[int], str] = lambda row: f"row {row + 1}"
    target: str | None = None
    weights: FloatArray | None = None
    is_text: bool = False
    options: Mapping[str, object] = field(default_factory=dict)
    ignored: Collection[str] = ()
    further: Callable[[str], bool] = lambda name: False

    def with_further(self, names: Sequence[str]) -> TypedTable:
        """Return the table with those of some columns that the file need not write."""
        more = [name for name in names if name not in self.names and self.further(name)]
        return replace(self, names=[*self.names, *more]) if more else self

    def where(self, name: str, row: int | None = None) -> str:
        """Say which column, and which line if `row` is given, as messages put it."""
        column = f"column {name!r} ({self.names.index(name) + 1})"
        return f"{self.path}, {column}" if row is None else f"{self.path}, {self.called(row)}, {column}"

    def place(self, name: str) -> FilePlace:
        """Return a column's place."""
        position = self.names.index(name)
        return FilePlace(FileColumn(name, position, self.where(name)), None, self.called)

    @property
    def own_names(self) -> list[str]:
        """Names of the columns that may be features."""
        return [name for name in self.names if name not in self.ignored]

    def own_target(self, wished: AskedTarget) -> str | None:
        """Return the column that holds the class."""
        if wished is None and self.target is None:
            allowed = f"is needed for {self.path}: one of its columns, {shortened(self.own_names)}"
            raise ParameterError("target", UNSET, allowed)
        return self.target if wished is None else wished or None

    def check(self, wishes: Wishes) -> None:
        """Refuse names of columns that there are none of."""
        check_known(wishes.drop, self.names, self.path, "drop")
        refuse_kinds(wishes.kinds, self.names, self.path)
        if wishes.weight is not None:
            check_known((wishes.weight,), self.names, self.path, "weight")

    def dataset(self, wishes: Wishes, name: str) -> Dataset:
        """Turn the table into a `Dataset`."""
        self.check(wishes)
        target = self.own_target(wishes.target)
        check_known(() if target is None else (target,), self.names, self.path, "target")
        left_out = {*wishes.drop, *self.ignored, target} - set(wishes.kinds)
        features = [one for one in self.names if one not in left_out - {wishes.weight} and one != target]
        if not set(features) - {wishes.weight}:
            raise DataError(f"{self.path}: no feature is left beside the class; drop fewer columns")
        wanted = [*features, *([] if target is None else [target])]
        values = dict(zip(wanted, self.take(wanted), strict=True))
        spellings = spellings_by_column(wishes.missing_values, wanted)
        found = _Found(self, wishes, values, spellings).dataset(features, target)
        return found._named(Source(name, self._reading(wishes, target, found)))

    def _reading(self, wishes: Wishes, target: str | None, found: Dataset) -> dict[str, object]:
        return {
            **self.options,
            "missing_values": sorted(missing_spellings(wishes.missing_values) - {""}),
            "target": target,
            "weight": wishes.weight,
            "drop": sorted(wishes.drop),
            "kinds": dict(zip(found.feature_names, found.kinds, strict=True)),
        }


@dataclass(frozen=True)
class _Found:
    """The columns that were taken out of a file."""

    table: TypedTable
    wishes: Wishes
    values: Mapping[str, Values]
    spellings: Mapping[str, Spellings]

    def dataset(self, features: Sequence[str], target: str | None) -> Dataset:
        """Build the data set, and warn of columns that look wrong."""
        weight = self.wishes.weight
        declared: dict[str, Kind] = {name: kind_of(kind) for name, kind in self.wishes.kinds.items()}
        classes, rows = (None, None) if target is None else self._classes(target, declared.get(target))
        columns = {
            name: self._taken(self._settled(name, declared.get(name)), rows)
            for name in features
            if name != weight
        }
        if classes is not None:
            check_columns(self.table, columns, classes.codes, declared)
        found = build(
            list(columns),
            [column.values for column in columns.values()],
            [column.levels for column in columns.values()],
            None if classes is None else classes.codes,
            None if classes is None else classes.classes,
        )
        own = self.table.weights if self.wishes.own_weights else None
        weights = own if weight is None else self._weights(weight)
        weighed = weights if weights is None or rows is None else weights[rows]
        return found if weighed is None else as_dataset(found, sample_weight=weighed)

    def _settled(self, name: str, kind: Kind | None) -> Column:
        return settled(self.table, name, self.values[name], kind, self.spellings[name])

    def _taken(self, column: Column, rows: IntArray | None) -> Column:
        return column if rows is None else column._replace(values=column.values[rows])

    def _weights(self, name: str) -> FloatArray:
        return weights_in(self.table, name, self.values[name], self.spellings[name])

    def _classes(self, name: str, kind: Kind | None) -> tuple[Target, IntArray | None]:
        """Read the classes, and which rows stay; whole numbers become ints, so that 10 follows 9."""
        place = self.table.place(name)
        column = self.values[name].without(self.spellings[name])
        if isinstance(column, NumberColumn):
            column = _as_labels(column, place) if kind == "nominal" else _with_whole(column)
        objects = column.objects()
        is_unknown = np.array([family(value) == "nothing" for value in objects])
        rows = np.flatnonzero(~is_unknown) if is_unknown.any() else None
        if rows is not None:
            self._refuse_unknown(name, is_unknown, rows)
            column = ObjectColumn([objects[row] for row in rows])
        found = read_labels(column, place, self.table.is_text)
        return (_with_ints(found) if self.table.is_text and kind != "nominal" else found), rows

    def _refuse_unknown(self, name: str, is_unknown: AnyArray, rows: IntArray) -> None:
        """Refuse rows without a class, unless they are to be left out and others stay."""
        if self.wishes.drop_missing_target and len(rows):
            return
        where = self.table.where(name, int(np.argmax(is_unknown)))
        what = f"{where}: the class is missing; fill it in, or leave such rows out ("
        raise DataError(what, Param("drop_missing_target", True), ")")


def weights_in(table: TypedTable, name: str, values: Values, spellings: Spellings) -> FloatArray:
    """Return the weights in a column."""
    column = settled(table, name, values, "numeric", spellings)
    weights = column.values.astype(np.float64)
    check_weights(table, name, weights)
    return weights


def _with_whole(column: NumberColumn) -> NumberColumn:
    """Return whole floats as ints: a file often has no others."""
    values = column.values
    if values.dtype.kind != "f":
        return column
    known = values[~np.isnan(values)]
    if not (np.abs(known) < 2**53).all() or (known != np.trunc(known)).any():
        return column
    missing = np.isnan(values)
    hidden = missing if column.missing is None else missing | column.missing
    return NumberColumn(np.where(missing, 0, values).astype(np.int64), hidden)


def _as_labels(column: NumberColumn, place: Place) -> Values:
    nominal = column.nominal(place)
    return CategoryColumn(nominal.codes, [str(level) for level in nominal.levels])


def _with_ints(found: Target) -> Target:
    texts = found.classes.tolist()
    if not all(isinstance(text, str) and is_whole(text) for text in texts):
        return found
    order = sorted(range(len(texts)), key=lambda code: int(texts[code]))
    place = np.empty(len(texts), np.int32)
    place[order] = np.arange(len(texts), dtype=np.int32)
    return Target(place[found.codes], np.array([int(texts[code]) for code in order]))


def is_whole(text: str) -> bool:
    """Tell whether a text is a whole number as one writes it."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 19 and str(int(text)) == text


def kind_of(kind: str) -> Kind:
    """Return a kind that has been checked."""
    return "numeric" if kind == "numeric" else "nominal"


def spellings_by_column(
    missing_values: Collection[str] | None, names: Collection[str]
) -> dict[str, Spellings]:
    """Return what stands for "missing" in each column: texts, and the numbers that they write."""
    return {
        name: _spellings(texts - {""}) for name, texts in missing_by_column(missing_values, names).items()
    }


def _spellings(texts: frozenset[str]) -> Spellings:
    numbers = (read_number(text) for text in texts)
    return Spellings(texts, frozenset(float(number) for number in numbers if number is not None))


def settled(table: TypedTable, name: str, values: Values, kind: Kind | None, spellings: Spellings) -> Column:
    """Return values and None for a numeric column, codes and levels for a nominal one."""
    place = table.place(name)
    column = values.without(spellings) if spellings.texts else values
    if kind == "numeric":
        column = _read_as_numbers(table, name, column)
    elif kind is None and isinstance(column, ObjectColumn):
        _refuse_mixture(table, name, column)
    if (kind or column.kind(place)) == "numeric":
        texts = column.texts_read() if isinstance(column, ObjectColumn) else {}
        return Column(column.numbers(place), None, spelled_alike(texts) if kind is None else None)
    nominal = column.nominal(place)
    return Column(nominal.codes, nominal.levels)


def _read_as_numbers(table: TypedTable, name: str, column: Values) -> Values:
    """Return text as the numbers that it writes; refuse other text."""
    if isinstance(column, NumberColumn):
        return column
    objects = column.objects()
    for row, value in enumerate(objects):
        if family(value) == "text" and read_number(str(value)) is None:
            raise DataError(
                f"{table.where(name, row)}: {value!r} is not a number, and the column is declared numeric; "
                "declare it nominal, or add this spelling to ",
                Param("missing_values"),
            )
    return ObjectColumn(objects, reads_numbers=True)


def _refuse_mixture(table: TypedTable, name: str, column: ObjectColumn) -> None:
    """Refuse a column of numbers and text, by one cell of each."""
    first: dict[str, int] = {}
    for row, value in enumerate(column.values):
        first.setdefault(family(value), row)
    if not {"number", "text"} <= first.keys():
        return
    number, text = (column.values[first[known]] for known in ("number", "text"))
    raise DataError(
        f"{table.where(name, first['text'])}: the column holds the text {text!r} and numbers, such as "
        f"{number!r} ({table.called(first['number'])}); if the text stands for a missing value, add it to ",
        Param("missing_values"),
        ", else declare the column nominal or numeric (",
        Param("kinds"),
        ")",
    )
