"""Rows for a tree that is there already: read in its columns and its levels."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from treewright._base.errors import DataError
from treewright.data.intake.labels import Label
from treewright.data.intake.target import read_weights
from treewright.data.matching import ModelColumns
from treewright.data.sources.csv import TextTable, read_text
from treewright.data.sources.kinds import Column, build, check_known, check_weights, codes, read_column
from treewright.data.sources.read import missing_spellings
from treewright.data.sources.registry import load, read_set

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
    """

    features: Dataset
    labels: list[Label] | None
    notes: list[str]
    weights: FloatArray | None = None


def rows_of_csv(
    tree: Model,
    source: str | os.PathLike[str],
    *,
    target: str | None = None,
    weight: str | None = None,
    missing_values: Collection[str] | None = None,
    delimiter: str = ",",
    encoding: str = "utf-8",
) -> Rows:
    """Read the rows of a CSV file for a tree."""
    table = read_text(source, delimiter=delimiter, encoding=encoding)
    missing = missing_spellings(missing_values)
    return replace(_of_text(tree, table, target, missing), weights=_weights(table, weight, missing))


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
    found = read_set(name, folder)
    if found is None:
        return _bundled(name, weight)
    table, own = found
    target = own if target is None and own not in tree.feature_names else target
    missing = missing_spellings(missing_values)
    return replace(_of_text(tree, table, target, missing), weights=_weights(table, weight, missing))


def _weights(table: TextTable, weight: str | None, missing: Collection[str]) -> FloatArray | None:
    """Read the weights of the rows, rows of weight 0 included."""
    if weight is None:
        return None
    check_known((weight,), table.names, table.path, "weight")
    values = np.asarray(read_column(table, weight, "numeric", missing).values, dtype=np.float64)
    check_weights(table, weight, values)
    read_weights(values, table.n_rows)
    return values


def _bundled(name: str, weight: str | None) -> Rows:
    dataset = load(name)
    if weight is not None:
        check_known((weight,), dataset.feature_names, name, "weight")
    values = None if weight is None else dataset.column(dataset.feature_names.index(weight))
    assert dataset.target is not None, "bundled sets have classes"
    assert dataset.classes is not None, "a target has classes"
    return Rows(dataset, dataset.classes[dataset.target].tolist(), [], values)


def _of_text(tree: Model, table: TextTable, target: str | None, missing: Collection[str]) -> Rows:
    check_known(() if target is None else (target,), table.names, table.path, "target")
    notes: list[str] = []
    read = _read_columns(tree, table, missing, notes)
    nowhere = [Column(_unknown(table, levels), levels) for levels in tree.levels]
    columns = [read.get(feature, unread) for feature, unread in enumerate(nowhere)]
    known = {str(label): label for label in tree.classes_.tolist()}
    labels = None if target is None else [known.get(text, text) for text in table.column(target)]
    values, levels = [column.values for column in columns], [column.levels for column in columns]
    return Rows(build(tree.feature_names, values, levels, None, None), labels, notes)


def _read_columns(
    tree: Model, table: TextTable, missing: Collection[str], notes: list[str]
) -> dict[int, Column]:
    """Read the columns that the tree uses, which a file has by name."""
    names, used = tree.feature_names, tree.used_features.tolist()
    places = ModelColumns(names, used, names).places(table.names, len(table.names), table.path, by_name=True)
    fate = "left to the node" if tree.lists_branches else "taken as missing"
    return {
        feature: _column(table, table.names[place], tree.levels[feature], missing, notes, fate)
        for feature, place in zip(used, places, strict=True)
    }


def _unknown(table: TextTable, levels: list[Label] | None) -> AnyArray:
    """Return a column without a value."""
    return np.full(table.n_rows, np.nan) if levels is None else np.full(table.n_rows, -1, np.int32)


def _column(
    table: TextTable,
    name: str,
    levels: list[Label] | None,
    missing: Collection[str],
    notes: list[str],
    fate: str,
) -> Column:
    """Read a column in the tree's levels, and after them those that the tree does not know."""
    if levels is None:
        return read_column(table, name, "numeric", missing)
    fields = table.column(name)
    unseen = sorted(set(fields).difference(map(str, levels), missing))
    if unseen:
        if not set(fields).difference(unseen, missing):
            raise DataError(
                f"{table.where(name)}: the tree knows none of its values, such as {unseen[0]!r}. Give the "
                "values that the tree was made from; a tree made with --bins asks for ranges, not for numbers"
            )
        row = next(i for i, text in enumerate(fields) if text in unseen)
        n_rows = sum(text in unseen for text in fields)
        values = "1 value" if n_rows == 1 else f"{n_rows:,} values"
        notes.append(
            f"{table.where(name)}: {values} unknown to the tree and {fate}, "
            f"first {fields[row]!r} on line {table.lines[row]}"
        )
    return Column(codes(fields, [*map(str, levels), *unseen]), [*levels, *unseen])
