"""Rows for a tree that is there already: read in its columns and its levels."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from treewright._base.errors import DataError
from treewright._base.params import is_whole
from treewright.data.dataset import dataset_of_codes
from treewright.data.intake.labels import Label
from treewright.data.intake.target import read_weights
from treewright.data.intake.vectors import row_positions
from treewright.data.matching import ModelColumns
from treewright.data.sources.csv import CsvSource, CsvTable, Fields, Wanted
from treewright.data.sources.csv_columns import ColumnPlan, FeaturePlan, Planner, coded, with_unit
from treewright.data.sources.kinds import check_known
from treewright.data.sources.layout import CsvOptions
from treewright.data.sources.read import missing_by_column, read_weight_column, told
from treewright.data.sources.registry import AS_WRITTEN, file_of_set, load
from treewright.data.sources.streams import TextFile

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset
    from treewright.data.types import AnyArray, FloatArray, IntArray


class Model(Protocol):
    """What of a tree says how to read its rows."""

    @property
    def feature_names(self) -> list[str]:
        """Names of the columns."""

    @property
    def levels(self) -> Sequence[list[Label] | None]:
        """Values of each nominal column; None for a numeric one."""

    @property
    def used_features(self) -> IntArray:
        """Positions of the columns that some node tests."""

    @property
    def classes_(self) -> AnyArray:
        """Class labels."""

    @property
    def reading(self) -> Mapping[str, object] | None:
        """How the file was read that it was made from."""

    @property
    def lists_branches(self) -> bool:
        """Whether a value without a branch stays at its node."""


@dataclass(frozen=True)
class Rows:
    """Rows prepared for prediction with a tree.

    Attributes
    ----------
    features : Dataset
        The rows, with the columns of the tree, without classes; nothing is known of those that no node tests.
    labels : list or None
        The true classes, if they are known: as in the tree, and other classes as text.
    weights : ndarray or None
        The weights of the rows, if a column holds them.
    notes : list of str
        One sentence for every column with values that the tree does not know.
    told : str or None
        What was concluded of the file, in one line.
    """

    features: Dataset
    labels: list[Label] | None
    notes: list[str]
    weights: FloatArray | None = None
    told: str | None = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.features.n_samples

    def __iter__(self) -> Iterator[Rows]:
        """Yield every row by itself."""
        return (self[place] for place in range(len(self)))

    def __getitem__(self, rows: object) -> Rows:
        """Return the given rows: one by its position, or several by a slice, positions or a mask."""
        at = row_positions([rows] if is_whole(rows) else rows, len(self))
        labels = None if self.labels is None else [self.labels[place] for place in at.tolist()]
        weights = None if self.weights is None else self.weights[at]
        return replace(self, features=self.features[at], labels=labels, weights=weights)


def known_missing(tree: Model) -> list[str]:
    """Return the spellings of missing values in the file that a tree was made from."""
    options = (tree.reading or {}).get("options")
    found = options.get("missing_values") if isinstance(options, dict) else None
    return [str(text) for text in found] if isinstance(found, list) else []


def rows_of_set(
    tree: Model,
    name: str,
    *,
    folder: str | os.PathLike[str] | None = None,
    target: str | None = None,
    weight: str | None = None,
    missing_values: Collection[str] | None = None,
) -> Rows:
    """Read the rows of a named data set for a tree."""
    found = file_of_set(name, folder)
    if found is None:
        return _bundled(name, weight)
    file, own = found
    target = own if target is None and own not in tree.feature_names else target
    return rows_of_csv(tree, file, target, weight, missing_values, AS_WRITTEN)


def rows_of_csv(
    tree: Model,
    file: TextFile,
    target: str | None,
    weight: str | None,
    missing_values: Collection[str] | None,
    options: CsvOptions,
) -> Rows:
    """Read the rows of a CSV file for a tree; what is not given is as in the file that the tree is from."""
    known = _known_reading(tree)
    options = known.completed(options)
    wanted = missing_values or known.missing_values
    columns = {with_unit(name, unit): name for name, unit in known.units.items()}
    own = [name for name in (target, weight) if name is not None]
    names = {columns.get(name, name) for name in tree.feature_names}
    source = CsvSource.of(file, options, {*names, *own})
    for parameter, name in (("target", target), ("weight", weight)):
        check_known(() if name is None else (name,), source.layout.names, file.shown, parameter)
    return _RowsOfFile(tree, source, known.units, target, weight, wanted).read()


@dataclass(frozen=True)
class _Reading:
    """What a tree knows of the file that it was made from."""

    options: Mapping[str, object]

    def completed(self, options: CsvOptions) -> CsvOptions:
        """Return options for the next file: numbers are written as in the one before."""
        names = (
            ("decimal", "thousands")
            if self.options.get("header", True)
            else ("decimal", "thousands", "header")
        )
        kept = {name: self.options[name] for name in names if name in self.options}
        return CsvOptions(**{**kept, **options.given()})  # type: ignore[arg-type]

    @property
    def missing_values(self) -> Collection[str] | None:
        found = self.options.get("missing_values")
        return [str(text) for text in found] if isinstance(found, list) else None

    @property
    def units(self) -> Mapping[str, str]:
        """The unit of each column that has one."""
        found = self.options.get("units")
        return {str(name): str(unit) for name, unit in found.items()} if isinstance(found, dict) else {}


def _known_reading(tree: Model) -> _Reading:
    options = (tree.reading or {}).get("options")
    return _Reading(options if isinstance(options, dict) and options.get("format") == "csv" else {})


@dataclass(frozen=True)
class _RowsOfFile:
    """The rows of a file, on their way to a tree."""

    tree: Model
    source: CsvSource
    units: Mapping[str, str]
    target: str | None
    weight: str | None
    missing_values: Collection[str] | None

    @cached_property
    def columns(self) -> dict[int, str]:
        """The column of each feature that the tree uses."""
        found, shown = self.source.layout.names, self.source.file.shown
        named = [with_unit(name, self.units.get(name, "")) for name in found]
        names, used = self.tree.feature_names, self.tree.used_features.tolist()
        places = ModelColumns(names, used, names).places(named, len(named), shown, by_name=True)
        return {feature: found[place] for feature, place in zip(used, places, strict=True)}

    @cached_property
    def missing(self) -> dict[str, frozenset[str]]:
        return missing_by_column(self.missing_values, self.source.layout.names)

    @cached_property
    def table(self) -> CsvTable:
        own = {name for name in (self.target, self.weight) if name is not None}
        levels = self.tree.levels
        nominal = {name for feature, name in self.columns.items() if levels[feature] is not None}
        numeric = {name for feature, name in self.columns.items() if levels[feature] is None}
        texts = nominal | ({self.target} if self.target is not None else set())
        numbers = (numeric | ({self.weight} if self.weight is not None else set())) - texts
        return self.source.read(Wanted({*nominal, *numeric, *own}, texts, numbers, self.missing))

    def read(self) -> Rows:
        """Read features, labels and weights."""
        notes: list[str] = []
        planner = Planner(self.table, {}, self.missing)
        labels, weights = self._labels(), self._weights(planner)
        plans = {feature: self._plan(feature, name, planner, notes) for feature, name in self.columns.items()}
        columns_of = coded(self.table, list(plans.values()), for_tree=True)
        found = dict(zip(plans, columns_of, strict=True))
        nothing = [self._unknown(levels) for levels in self.tree.levels]
        columns = [found.get(feature, unread) for feature, unread in enumerate(nothing)]
        levels = [
            plans[feature].plan.levels if feature in plans and own is not None else own
            for feature, own in enumerate(self.tree.levels)
        ]
        levels = [self._typed(own, new) for own, new in zip(self.tree.levels, levels, strict=True)]
        names = self.tree.feature_names
        features = dataset_of_codes(names, columns, levels, column_labels=names)
        return Rows(features, labels, notes, weights, told(self.table, 0))

    def _typed(self, own: list[Label] | None, found: Sequence[Label] | None) -> list[Label] | None:
        """Return the levels of the tree as they are, and behind them those that it does not know."""
        return None if own is None or found is None else [*own, *found[len(own) :]]

    def _unknown(self, levels: list[Label] | None) -> AnyArray:
        """Return a column without a value."""
        n_rows = self.table.n_rows
        return np.full(n_rows, np.nan) if levels is None else np.full(n_rows, -1, np.int32)

    def _plan(self, feature: int, name: str, planner: Planner, notes: list[str]) -> FeaturePlan:
        """Return how a column is read in the tree's levels, and after them those that it does not know."""
        levels, table = self.tree.levels[feature], self.table
        if levels is None:
            way = replace(table.marks.way(table.surveys[name]), unit=self.units.get(name, ""))
            return planner.numeric(name, way)
        fields, known = table.fields(name), [*map(str, levels)]
        unseen = sorted(set(fields.texts).difference(known, self.missing[name]))
        if unseen:
            if not set(fields.texts).difference(unseen, self.missing[name]):
                raise DataError(
                    f"{table.where(name)}: the tree knows none of its values, such as {unseen[0]!r}. Give "
                    "the values that the tree was made from; a tree made with --bins asks for ranges, not "
                    "for numbers"
                )
            notes.append(self._note(name, fields, unseen))
        plan = ColumnPlan(table.position(name), [*known, *unseen], ".", None, "", [])
        return FeaturePlan(name, name, plan)

    def _note(self, name: str, fields: Fields, unseen: Sequence[str]) -> str:
        """Say which values the tree does not know, and what becomes of them."""
        fate = "left to the node" if self.tree.lists_branches else "taken as missing"
        is_unseen = np.isin(np.array(fields.texts, dtype=object), np.array(unseen, dtype=object))
        n_rows = int(is_unseen[fields.codes].sum())
        row = int(fields.first_rows[is_unseen].min())
        values = "1 value" if n_rows == 1 else f"{n_rows:,} values"
        text = fields.texts[int(fields.codes[row])]
        where, line = self.table.where(name), self.table.line(row)
        return f"{where}: {values} unknown to the tree and {fate}, first {text!r} on line {line}"

    def _labels(self) -> list[Label] | None:
        if self.target is None:
            return None
        known = {str(label): label for label in self.tree.classes_.tolist()}
        fields = self.table.fields(self.target)
        labels = [known.get(text, text) for text in fields.texts]
        return [labels[code] for code in fields.codes.tolist()]

    def _weights(self, planner: Planner) -> FloatArray | None:
        """Read the weights of the rows, rows of weight 0 included."""
        if self.weight is None:
            return None
        weights = read_weight_column(self.table, planner, self.weight)
        read_weights(weights, self.table.n_rows)
        return weights


def _bundled(name: str, weight: str | None) -> Rows:
    dataset = load(name)
    if weight is not None:
        check_known((weight,), dataset.feature_names, name, "weight")
    values = None if weight is None else dataset.column(dataset.feature_names.index(weight))
    assert dataset.target is not None, "bundled sets have classes"
    assert dataset.classes is not None, "a target has classes"
    return Rows(dataset, dataset.classes[dataset.target].tolist(), [], values)
