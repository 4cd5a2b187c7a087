"""Rows for a saved model, and the model."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treewright.cli._lines import plural
from treewright.cli._selection import FORMAT, FORMAT_VERSION
from treewright.cli._source import is_file
from treewright.cli._tree import labelled

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from treewright import Dataset, Tree
    from treewright.data.sources.csv import TextTable


_OF_TEXTS = "; give the text that Tree.to_json() returned"
"""The remedy where a text is no tree: here it came from a file."""


def read_model(path: Path) -> Tree:
    """Return the tree in a model file; of a selection the one grown on all rows."""
    from treewright import FormatError, Tree

    try:
        text = path.read_text(encoding="utf-8")
        return Tree.from_json(_tree_of_selection(text) or text)
    except (UnicodeDecodeError, FormatError) as error:
        reason = str(error).removesuffix(_OF_TEXTS)
        raise FormatError(
            f"{path} holds no tree ({reason}); give a file that `treewright fit --out` or "
            "`select --out` wrote"
        ) from error


def _tree_of_selection(text: str) -> str | None:
    from treewright import FormatError

    try:
        facts = json.loads(text)
    except ValueError as error:
        raise FormatError(f"not JSON: {error}") from error
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        return None
    if facts.get("version") != FORMAT_VERSION:
        raise FormatError(f"version {facts.get('version')}, this release reads {FORMAT_VERSION}")
    return json.dumps(facts.get("refit_tree"))


@dataclass(frozen=True)
class Rows:
    """What to predict from.

    Attributes
    ----------
    features : Dataset
        The rows, without classes.
    labels : list of str or None
        The true classes as text, if they are known.
    notes : list of str
        What the reader of the predictions should know.
    """

    features: Dataset
    labels: list[str] | None
    notes: list[str]


def read_rows(
    tree: Tree,
    data: str,
    folder: Path | None,
    target: str | None,
    missing_values: tuple[str, ...],
    delimiter: str,
    encoding: str,
) -> Rows:
    """Read a file or load a named set."""
    from treewright.data.sources.csv import read_text
    from treewright.data.sources.registry import read_set

    table = (
        read_text(data, delimiter=delimiter, encoding=encoding) if is_file(data) else read_set(data, folder)
    )
    if table is None:
        return _bundled_rows(data)
    return _text_rows(tree, table, target, missing_values)


def _bundled_rows(name: str) -> Rows:
    from treewright import datasets

    dataset = datasets.load(name)
    target, classes = labelled(dataset)
    return Rows(dataset, [str(classes[code]) for code in target.tolist()], [])


def _text_rows(tree: Tree, table: TextTable, target: str | None, missing_values: Collection[str]) -> Rows:
    from treewright.data.sources.kinds import build, check_known
    from treewright.data.sources.read import missing_spellings

    _check_columns(tree, table)
    check_known(() if target is None else (target,), table.names, table.path, "--target")
    missing = missing_spellings(missing_values)
    notes: list[str] = []
    fate = "left to the node" if tree.lists_branches else "taken as missing"
    read = [
        _column(table, name, levels, missing, notes, fate)
        for name, levels in zip(tree.feature_names, tree.levels, strict=True)
    ]
    columns, levels = [column for column, _ in read], [known for _, known in read]
    features = build(tree.feature_names, columns, levels, None, None)
    return Rows(features, None if target is None else list(table.column(target)), notes)


def _check_columns(tree: Tree, table: TextTable) -> None:
    from treewright import DataError

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
    levels: list[Any] | None,
    missing: Collection[str],
    notes: list[str],
    fate: str,
) -> tuple[npt.NDArray[np.generic], list[Any] | None]:
    """Read a column in the tree's levels, and after them those that the tree does not know."""
    from treewright.data.sources.kinds import codes, read_column

    if levels is None:
        return read_column(table, name, "numeric", missing)[0], None
    fields = table.column(name)
    unseen = sorted(set(fields).difference(map(str, levels), missing))
    if unseen:
        _check_some_known(table, name, fields, unseen, missing)
        row = next(i for i, text in enumerate(fields) if text in unseen)
        n_rows = sum(text in unseen for text in fields)
        notes.append(
            f"{table.where(name)}: {plural(n_rows, 'value')} unknown to the tree and {fate}, "
            f"first {fields[row]!r} on line {table.lines[row]}"
        )
    return codes(fields, [*map(str, levels), *unseen]), [*levels, *unseen]


def _check_some_known(
    table: TextTable, name: str, fields: Collection[str], unseen: Collection[str], missing: Collection[str]
) -> None:
    from treewright import DataError

    if not set(fields).difference(unseen, missing):
        raise DataError(
            f"{table.where(name)}: the tree knows none of its values, such as {min(unseen)!r}. Give the "
            "values that the tree was made from; a tree made with --bins asks for ranges, not for numbers"
        )
