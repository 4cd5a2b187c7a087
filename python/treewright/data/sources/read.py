"""One CSV file, one `Dataset`."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import UNSET
from treewright.data.checks import ColumnChecks
from treewright.data.dataset import as_dataset, dataset_of_codes
from treewright.data.intake.column import Kind
from treewright.data.source import Source
from treewright.data.sources.csv import CsvSource, CsvTable, Wanted
from treewright.data.sources.csv_columns import ClassColumn, FeaturePlan, Planner, coded, read_classes
from treewright.data.sources.file import opened
from treewright.data.sources.kinds import FileColumn, check_known, check_weights, refuse_kinds
from treewright.data.sources.layout import CsvOptions
from treewright.data.sources.streams import TextFile
from treewright.data.types import FloatArray

if TYPE_CHECKING:
    from treewright import _core
    from treewright.data.dataset import Dataset


def read_csv(
    path: str | os.PathLike[str],
    *,
    target: str | None,
    kinds: Mapping[str, str] | None = None,
    missing_values: Collection[str] | None = None,
    drop: Collection[str] = (),
    weight: str | None = None,
    drop_missing_target: bool = False,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    skip_rows: int | None = None,
    skip_footer: int | None = None,
    quote: str | None = None,
    comment: str | None = None,
) -> Dataset:
    r"""Read a CSV file as it is found into a `Dataset`.

    What the file is like is told from its content: its compression, its encoding, the delimiter, the marks in
    numbers, titles above the table, a total or notes below it. What the content leaves open is refused with
    both readings; each conclusion has a parameter that overrides it.

    Parameters
    ----------
    path : str or path-like
        The file; ``"-"`` is standard input. It may be compressed by gzip, bzip2, xz, zstd, or in a zip
        archive of one file.
    target : str or None
        The column that holds the class. Its labels stay text, but integers become ints. None reads a table
        without classes.
    kinds : mapping of str to {"numeric", "nominal"}, default=None
        Declared kinds of columns, instead of inferred ones; may include the target.
    missing_values : collection of str, default=None
        Spellings of missing values besides the empty field, such as ``{"?"}``. A number counts however it is
        spelled: ``"-9"`` is ``-9.0`` too. ``"age:-9"`` is for the column age alone.
    drop : collection of str, default=()
        Columns to leave out, such as row identifiers. They are not kept in memory.
    weight : str, default=None
        Column that holds the sample weights, and is no feature. Rows of weight 0 are removed.
    drop_missing_target : bool, default=False
        Leave out rows without a class, whose field is empty, ``?`` or a missing value. By default they are an
        error.
    delimiter : str, default=None
        The character between fields, or ``\t``. None: told from the content.
    decimal : str, default=None
        The decimal mark, a point or a comma. None: told from the content.
    thousands : str, default=None
        The mark between thousands, such as ``","`` or ``"."``; empty for none. None: told from the content.
    encoding : str, default=None
        How the file's text is encoded. None: told from the content.
    header : bool, default=None
        Whether the first line names the columns; otherwise they are called x0, x1 and so on. None: told
        from the content.
    skip_rows : int, default=None
        Lines above the header, or above the first row, to leave out. None: told from the content.
    skip_footer : int, default=None
        Lines at the end of the file to leave out. None: told from the content.
    quote : str, default=None
        The quotation mark; empty for none. None: told from the content.
    comment : str, default=None
        The character that a line begins with if it is no row; empty for none. None: told from the content.

    Returns
    -------
    Dataset
        The rows of the file in its order.

    Raises
    ------
    DataError
        If the file can be read in two ways, a line has too few or too many fields, bytes are not text, a
        column name is empty or repeated, a class is missing, a declared kind does not fit, or there are no
        rows. The message names file, line and column.
    OSError
        If the file cannot be opened.

    Warns
    -----
    DataWarning
        If lines below the table are left out, or a column looks like numbers and is taken as text: it holds
        codes (leading zeros, whole numbers above 2^53), different units, or a few other texts.

    Notes
    -----
    A column is numeric if every field that is not missing is a number. A unit that all numbers of a column
    have, as in ``5 %`` or ``12 kg``, becomes part of its name. Any other column is nominal (categorical), and
    its levels are the values that occur, sorted as text. Blanks around a field that is not quoted are not
    part of it.

    A point or a comma before three digits, as in ``1,234``, is the mark of thousands or of decimals as other
    numbers of the file say; if none does, the file is refused.

    The file is read in one pass that keeps the wanted columns only.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from treewright import datasets
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "weather.csv")
    >>> _ = path.write_text("outlook;wind;play\nsunny;3,5;no\nrainy;;yes\novercast;1;yes\n")
    >>> weather = datasets.read_csv(path, target="play")
    >>> weather.feature_names, weather.kinds
    (['outlook', 'wind'], ['nominal', 'numeric'])
    >>> print(weather.source.told)
    semicolons, decimal commas, UTF-8; 3 rows, 3 columns
    >>> folder.cleanup()
    """
    options = CsvOptions(
        delimiter, decimal, thousands, encoding, header, skip_rows, skip_footer, quote, comment
    )
    wishes = CsvWishes(target, kinds or {}, missing_values, drop, weight, drop_missing_target)
    with opened(path) as file:
        return dataset_of_file(file, options, wishes, Path(file.shown).name)


@dataclass(frozen=True)
class CsvWishes:
    """What a user asks of a file, as `read_csv` takes it."""

    target: str | None
    kinds: Mapping[str, str] = field(default_factory=dict)
    missing_values: Collection[str] | None = None
    drop: Collection[str] = ()
    weight: str | None = None
    drop_missing_target: bool = False

    @property
    def named(self) -> set[str]:
        """All columns that are named."""
        own = {name for name in (self.target, self.weight) if name is not None}
        return {*own, *self.kinds, *self.drop}

    def check(self, names: Sequence[str], path: str) -> None:
        """Refuse names of columns that there are none of."""
        check_known(self.drop, names, path, "drop")
        refuse_kinds(self.kinds, names, path)
        check_known(() if self.target is None else (self.target,), names, path, "target")
        check_known(() if self.weight is None else (self.weight,), names, path, "weight")

    def features(self, names: Sequence[str]) -> list[str]:
        """Return the columns that are features."""
        others = {*self.drop, self.target, self.weight}
        return [name for name in names if name not in others]

    def missing(self, names: Collection[str]) -> dict[str, frozenset[str]]:
        """Return the spellings of missing values of each column."""
        return missing_by_column(self.missing_values, names)


def dataset_of_file(file: TextFile, options: CsvOptions, wishes: CsvWishes, name: str) -> Dataset:
    """Read a file into a `Dataset`, which knows its `name` and how it was read."""
    source = CsvSource.of(file, options, wishes.named)
    names = source.layout.names
    wishes.check(names, file.shown)
    features, own = wishes.features(names), [wishes.target, wishes.weight]
    if not features:
        raise DataError(f"{file.shown}: no feature is left beside the class; drop fewer columns")
    missing = wishes.missing(names)
    nominal = {name for name, kind in wishes.kinds.items() if kind == "nominal"}
    wanted = Wanted(
        names={*features, *(name for name in own if name is not None)},
        texts={*nominal, *(() if wishes.target is None else (wishes.target,))},
        numbers=[name for name in (*wishes.kinds, wishes.weight) if name and name not in nominal],
        missing=missing,
    )
    return _Built(source.read(wanted), wishes, missing, features).dataset(name)


@dataclass(frozen=True)
class _Built:
    """A file that was read, on its way to a `Dataset`."""

    table: CsvTable
    wishes: CsvWishes
    missing: Mapping[str, frozenset[str]]
    features: Sequence[str]

    def dataset(self, name: str) -> Dataset:
        planner = Planner(self.table, cast(Mapping[str, Kind], self.wishes.kinds), self.missing)
        classes, weights = self._classes(), self._weights(planner)
        plans = [planner.feature(feature) for feature in self.features]
        planner.warn()
        columns = coded(self.table, plans)
        self._check(plans, columns, classes)
        names = [plan.name for plan in plans]
        found = dataset_of_codes(
            names,
            columns,
            [plan.plan.levels for plan in plans],
            None if classes is None else np.maximum(classes.codes, 0),
            None if classes is None else np.array(classes.classes),
            column_labels=names,
        )
        if weights is not None:
            found = as_dataset(found, sample_weight=weights)
        return self._kept(found, classes, weights)._named(
            Source(name, self._reading(plans, found), told=self._told(classes))
        )

    def _kept(self, found: Dataset, classes: ClassColumn | None, weights: FloatArray | None) -> Dataset:
        """Return the rows that have a class; those of weight 0 have left already."""
        if classes is None or classes.is_known.all():
            return found
        return found[classes.is_known if weights is None else classes.is_known[weights > 0]]

    def _classes(self) -> ClassColumn | None:
        wishes = self.wishes
        if wishes.target is None:
            return None
        kind = cast("Kind | None", wishes.kinds.get(wishes.target))
        drops = wishes.drop_missing_target
        return read_classes(self.table, wishes.target, kind, self.missing[wishes.target], drops_missing=drops)

    def _weights(self, planner: Planner) -> FloatArray | None:
        weight = self.wishes.weight
        if weight is None:
            return None
        return read_weight_column(self.table, planner, weight)

    def _check(
        self, plans: Sequence[FeaturePlan], columns: Sequence[_core.CodedColumn], classes: ClassColumn | None
    ) -> None:
        """Warn of columns that look wrong."""
        if classes is None:
            return
        known = classes.is_known
        checks = ColumnChecks(classes.codes[known], of_file=True)
        for plan, column in zip(plans, columns, strict=True):
            name = plan.column
            place = FileColumn(name, self.table.position(name), self.table.where(name))
            values, is_declared = column.values(), name in self.wishes.kinds
            checks.look(place, values[known], plan.plan.levels, is_declared=is_declared, alike=plan.alike)
        checks.warn()

    def _told(self, classes: ClassColumn | None) -> str | None:
        return told(self.table, 0 if classes is None else int((~classes.is_known).sum()))

    def _reading(self, plans: Sequence[FeaturePlan], found: Dataset) -> dict[str, object]:
        wishes, units = self.wishes, {plan.column: plan.plan.unit for plan in plans if plan.plan.unit}
        return {
            **reading_of(self.table),
            "missing_values": sorted(missing_spellings(wishes.missing_values)),
            "target": wishes.target,
            "weight": wishes.weight,
            "drop": sorted(wishes.drop),
            "kinds": dict(zip(found.feature_names, found.kinds, strict=True)),
            **({"units": units} if units else {}),
        }


def read_weight_column(table: CsvTable, planner: Planner, name: str) -> FloatArray:
    """Return the weights in a column."""
    plan = planner.numeric(name, table.marks.way(table.surveys[name]))
    weights = cast(FloatArray, coded(table, [plan])[0].values())
    check_weights(table, name, weights)
    return weights


def reading_of(table: CsvTable) -> dict[str, object]:
    """Return how a file was read, by the parameters of `read_csv`."""
    layout, marks = table.layout, table.marks
    return {
        "format": "csv",
        "delimiter": layout.delimiter,
        "decimal": marks.decimal or ".",
        **({"thousands": marks.thousands} if marks.thousands else {}),
        "encoding": layout.encoding,
        "header": bool(layout.header_line),
        "quote": layout.quote,
        **({"comment": layout.comment} if layout.comment else {}),
    }


_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}
_ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "latin-1": "Latin-1",
}


def told(table: CsvTable, n_without_class: int) -> str | None:
    """Return in one line what was concluded of a file, None where it is plain: commas, UTF-8, a header."""
    layout, marks = table.layout, table.marks
    thousands = sorted({way for survey in table.surveys.values() if (way := marks.way(survey).thousands)})
    facts = [
        _DELIMITERS.get(layout.delimiter, f"delimiter {layout.delimiter!r}"),
        *(["decimal commas"] if marks.decimal == "," else []),
        *(f"{mark!r} between thousands" for mark in thousands if mark),
        _ENCODINGS.get(layout.encoding, layout.encoding),
        *([f"quotation mark {layout.quote}"] if layout.quote not in ('"', "") else []),
        *([] if layout.header_line else ["no header"]),
        *([f"header on line {layout.header_line}"] if layout.header_line > 1 else []),
    ]
    n_comments = table.core.n_comments
    counts = [
        _counted(table.n_rows - n_without_class, "row"),
        _counted(len(table.names), "column"),
        *([f"{_counted(n_without_class, 'row')} without a class left out"] if n_without_class else []),
        *([f"{_counted(n_comments, 'line')} of comment"] if n_comments else []),
        *([f"{_counted(len(table.left_out), 'line')} below the table"] if table.left_out else []),
    ]
    is_plain = facts == ["commas", "UTF-8"] and len(counts) == 2
    return None if is_plain else f"{', '.join(facts)}; {', '.join(counts)}"


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun if n == 1 else f'{noun}s'}"


def missing_by_column(
    missing_values: Collection[str] | None, names: Collection[str]
) -> dict[str, frozenset[str]]:
    """Return the spellings of missing values of each column; ``age:-9`` is for the column age alone."""
    everywhere, own = {""}, dict[str, set[str]]()
    for spelling in missing_spellings(missing_values):
        colons = (place for place, mark in enumerate(spelling) if mark == ":")
        end = next((place for place in colons if spelling[:place] in names), None)
        if end is None:
            everywhere.add(spelling)
        else:
            own.setdefault(spelling[:end], set()).add(spelling[end + 1 :])
    return {name: frozenset({*everywhere, *own.get(name, ())}) for name in names}


def missing_spellings(missing_values: Collection[str] | None) -> frozenset[str]:
    """Return every spelling of "missing" in a file, the empty field first of all."""
    if isinstance(missing_values, str):
        raise ParameterError(
            "missing_values", missing_values, "is one text", f"pass a set: {{{missing_values!r}}}"
        )
    for spelling in missing_values or ():
        if not isinstance(spelling, str):
            raise ParameterError(
                "missing_values",
                UNSET,
                f"holds {spelling!r}",
                f"what a file spells is text: pass {str(spelling)!r}",
            )
    return frozenset({"", *(missing_values or ())})
