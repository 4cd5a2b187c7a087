"""Rows for a tree that is there already: read in its columns and its levels."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from treewright._base.errors import DataError
from treewright.data.intake.labels import Label
from treewright.data.sources.csv import TextTable, read_text
from treewright.data.sources.kinds import Column, build, check_known, codes, read_column
from treewright.data.sources.read import missing_spellings
from treewright.data.sources.registry import load, read_set

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset
    from treewright.data.types import AnyArray


class Model(Protocol):
    """What of a tree says how to read its rows."""

    @property
    def feature_names(self) -> list[str]:
        """Names of the columns."""

    @property
    def levels(self) -> Sequence[list[Label] | None]:
        """Values of each nominal column; None for a numeric one."""

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
        The rows, with the columns of the tree, without classes.
    labels : list or None
        The true classes, if they are known: as in the tree, and other classes as text.
    notes : list of str
        One sentence for every column with values that the tree does not know.
    """

    features: Dataset
    labels: list[Label] | None
    notes: list[str]


def read_rows(
    tree: Model,
    source: str | os.PathLike[str],
    *,
    is_file: bool = True,
    folder: str | os.PathLike[str] | None = None,
    target: str | None = None,
    missing_values: Collection[str] | None = None,
    delimiter: str = ",",
    encoding: str = "utf-8",
) -> Rows:
    """Read rows for prediction with an existing tree, such as a saved one.

    Columns are matched by name, in any order; other columns are ignored. Kinds and levels are those of the
    tree, whatever the file contains. A value that the tree does not know is treated as the tree treats such
    values, and reported in a note.

    Parameters
    ----------
    tree : Tree
        The tree.
    source : str or path-like
        A file, as in `read_csv`, or the name of a data set, as in `load`.
    is_file : bool, default=True
        Whether it is a file.
    folder : str or path-like, default=None
        The folder of named sets, as in `load`.
    target : str, default=None
        The column that holds the true class. None: no column of a file, and the target of a named data set.
    missing_values, delimiter, encoding
        As in `read_csv`.

    Returns
    -------
    rows : Rows
        Features, labels and notes.

    Raises
    ------
    DataError
        If a column is missing or cannot be read, or the tree knows none of its values.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> tree = GreedyTreeClassifier().fit(datasets.load("iris")).tree_
    >>> rows = datasets.read_rows(tree, "iris", is_file=False)
    >>> rows.features.n_samples, rows.labels[0]
    (150, 'setosa')
    """
    if is_file:
        table = read_text(source, delimiter=delimiter, encoding=encoding)
    elif found := read_set(name := os.fspath(source), folder):
        table, own = found
        target = own if target is None and own not in tree.feature_names else target
    else:
        return _bundled(name)
    return _of_text(tree, table, target, missing_spellings(missing_values))


def _bundled(name: str) -> Rows:
    dataset = load(name)
    assert dataset.target is not None, "bundled sets have classes"
    assert dataset.classes is not None, "a target has classes"
    return Rows(dataset, dataset.classes[dataset.target].tolist(), [])


def _of_text(tree: Model, table: TextTable, target: str | None, missing: Collection[str]) -> Rows:
    _check_columns(tree, table)
    check_known(() if target is None else (target,), table.names, table.path, "target")
    notes: list[str] = []
    fate = "left to the node" if tree.lists_branches else "taken as missing"
    read = [
        _column(table, name, levels, missing, notes, fate)
        for name, levels in zip(tree.feature_names, tree.levels, strict=True)
    ]
    columns, levels = [column for column, _ in read], [known for _, known in read]
    known = {str(label): label for label in tree.classes_.tolist()}
    labels = None if target is None else [known.get(text, text) for text in table.column(target)]
    return Rows(build(tree.feature_names, columns, levels, None, None), labels, notes)


def _check_columns(tree: Model, table: TextTable) -> None:
    for name in tree.feature_names:
        if name not in table:
            close = difflib.get_close_matches(name, table.names, n=1)
            hint = f"; the closest name in the file is {close[0]!r}" if close else ""
            raise DataError(
                f"{table.path} has no column {name!r}, which the tree was grown on{hint}. "
                "Add the column (empty fields count as missing) or grow a tree without it"
            )


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
    return codes(fields, [*map(str, levels), *unseen]), [*levels, *unseen]
