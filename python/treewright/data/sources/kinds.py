"""From the fields of a file to numeric and nominal columns of a `Dataset`."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import Feature, Param, Surface, Value, shortened
from treewright.data.checks import ColumnChecks
from treewright.data.columns import some_columns
from treewright.data.dataset import Dataset, as_dataset, dataset_of_codes
from treewright.data.intake.column import Kind
from treewright.data.intake.labels import Label
from treewright.data.types import AnyArray, CodeArray, FloatArray


class Located(Protocol):
    """A table of a file that can say where a column is."""

    @property
    def path(self) -> str:
        """What messages call the file."""

    @property
    def names(self) -> list[str]:
        """Names of its columns."""

    def where(self, name: str, row: int | None = None) -> str:
        """Say which column, and which row if one is given."""


class Column(NamedTuple):
    """Values of a numeric column, or codes and their levels; `alike` are two texts read as one number."""

    values: npt.NDArray[np.generic]
    levels: list[Label] | None
    alike: tuple[str, str] | None = None


@dataclass(frozen=True)
class FileColumn(Feature):
    """A column of a file, and where it is."""

    where: str

    def told(self, surface: Surface) -> str:
        """Return file and column."""
        return f"{self.where}: the column"


KINDS: tuple[Kind, ...] = ("numeric", "nominal")


def refuse_kinds(kinds: Mapping[str, str], names: Sequence[str], path: str) -> None:
    """Refuse kinds of columns that are none of the names, and kinds there are none of."""
    check_known(kinds, names, path, "kinds")
    for name, kind in kinds.items():
        if kind not in KINDS:
            raise ParameterError("kinds", kind, "is not known", ("choose ", Value(*KINDS)), at=(name,))


def check_known(names: Iterable[str], known: Sequence[str], where: str, parameter: str) -> None:
    """Refuse names of columns that a table does not have."""
    known_names = set(known)
    for name in names:
        if name not in known_names:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"its columns are {shortened(known)}"
            raise DataError(f"{where} has no column {name!r} (", Param(parameter), f"); {hint}")


def codes(fields: Sequence[str], levels: Sequence[str]) -> CodeArray:
    """Return the position of each field among the levels, -1 for a field that is none of them."""
    position = dict.fromkeys(fields, -1)
    position.update((level, code) for code, level in enumerate(levels))
    return np.fromiter(map(position.__getitem__, fields), np.int32, len(fields))


def how_missing(spellings: Sequence[str]) -> str:
    """Say how spellings are declared missing, on the command line and in Python."""
    options = " ".join(f"--missing-value {shlex.quote(text)}" for text in spellings)
    return f"{options}, in Python missing_values={{{', '.join(map(repr, spellings))}}}"


LIMIT = re.compile(r"\s*[<>≤≥~]=?\s*(?P<number>\d[\d.,]*)")


def is_limit(text: str) -> bool:
    """Whether a text is a number that is only known to lie beyond a limit, such as one of detection.

    >>> is_limit("<5"), is_limit(">= 1,5"), is_limit("n/a")
    (True, True, False)
    """
    return LIMIT.fullmatch(text) is not None


def beyond_limit(text: str) -> str:
    """Say what a number in the place of such a text would be.

    >>> beyond_limit("<0,3").split(", which")[0]
    "write a number in the place of '<0,3' in the file (usual is half the limit, 0,15)"
    """
    found = LIMIT.fullmatch(text)
    number = "" if found is None else found["number"]
    where = f"write a number in the place of {text!r} in the file"
    if not text.strip().startswith(("<", "≤")):
        return f"{where} (usual is the limit, {number})"
    mark = "," if number.count(",") == 1 and "." not in number else "."
    try:
        half = f"{float(number.replace(mark, '.')) / 2:g}".replace(".", mark)
    except ValueError:
        return f"{where} (usual is half the limit), which keeps that it is low"
    return f"{where} (usual is half the limit, {half}), which keeps that it is low"


def no_number_for_tree(where: str, text: str, spelling: str, mark: str = "") -> str:
    """Say that a tree asks for a number where a file has a text."""
    number = f"{beyond_limit(text)}" if is_limit(text) else "write a number in its place"
    how = how_missing([spelling])
    return (
        f"{where}: {text!r} is not a number{mark}, and the tree asks for a number there; {number}, or "
        f"declare it missing ({how})"
    )


SPELLINGS = frozenset({"", "?", "-", "--", ".", "#n/a", "n/a", "na", "nan", "nil", "none", "null", "missing"})
"""How files often spell a missing value, in small letters and without blanks around."""


def check_columns(
    table: Located, columns: Mapping[str, Column], target: CodeArray, declared: Collection[str]
) -> None:
    """Warn of columns that look wrong."""
    checks = ColumnChecks(target, of_file=True)
    for position, (name, column) in enumerate(columns.items()):
        place = FileColumn(name, position, table.where(name))
        is_declared = name in declared
        checks.look(place, column.values, column.levels, is_declared=is_declared, alike=column.alike)
    checks.warn()


def build(
    names: list[str],
    columns: Sequence[AnyArray],
    levels: Sequence[list[Label] | None],
    target: CodeArray | None,
    classes: Sequence[Label] | AnyArray | None,
) -> Dataset:
    """Make a `Dataset` of float64 columns and of int32 codes (-1: missing) of the given levels."""
    labels = None if classes is None else np.array(classes)
    return dataset_of_codes(names, columns, levels, target, labels, column_labels=names)


def check_weights(table: Located, name: str, weights: FloatArray) -> None:
    """Refuse the first row without a weight, or with one that cannot be."""
    is_wrong = ~((weights >= 0) & (weights < np.inf))
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        what = "missing" if np.isnan(weights[row]) else f"{weights[row]:g}"
        remedy = "give the row a weight that is finite and not negative, 0 to leave it out"
        raise DataError(f"{table.where(name, row)}: the weight is {what}; {remedy}")


def weighed(dataset: Dataset, weight: str | None, name: str) -> Dataset:
    """Return the data set with a column as its sample weights; None leaves it as it is."""
    if weight is None:
        return dataset
    check_known((weight,), dataset.feature_names, name, "weight")
    position = dataset.feature_names.index(weight)
    if dataset.levels[position] is not None:
        raise DataError(f"{name}: column {weight!r} is nominal; weights are numbers, name a numeric column")
    features = without(dataset, (weight,), name)
    return as_dataset(features, sample_weight=dataset.column(position))


def without(dataset: Dataset, drop: Collection[str], name: str) -> Dataset:
    """Return the data set without the named columns; `name` is what messages call it."""
    check_known(drop, dataset.feature_names, name, "drop")
    kept = [i for i, feature in enumerate(dataset.feature_names) if feature not in drop]
    if not kept:
        raise DataError(f"{name}: no feature is left beside the class; drop fewer columns")
    return some_columns(dataset, kept)
